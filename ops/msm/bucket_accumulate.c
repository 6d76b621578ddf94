/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Bucket accumulation: the sum of each row of a bucket matrix over a vector of points.
 *
 * kernel bucket_accumulate bucket_accumulate/6 curves cpu:ifma products:accumulate
 * kernel bucket_accumulate_long bucket_accumulate/6 curves cpu:ifma
 * kernel bucket_accumulate gpu_accumulate/6 curves gpu:RP_GPU_ACCUMULATE_BLOCK int64 table:bucket_accumulate_gpu
 *        products:accumulate
 * kernel bucket_pair gpu_accumulate/6 curves gpu:RP_GPU_ACCUMULATE_BLOCK int64
 * kernel bucket_runs gpu_reduce/2 curves cuda:RP_GPU_RUNS_BLOCK products:bucket_sums
 */
#include "msm/buckets.h"
#include "lower/lower.h"
#include "lower/gpu.h"
#include "msm/msm_tuning.h"
#include "kernel_tables.h"

/* Kernel arguments of bucket accumulation. The entries are cut into chunks of equal length. A row no longer than a
 * chunk belongs to the chunk in which it starts; a longer row is split at the chunk borders and leaves partial sums. */

/* One item per chunk. */
struct rp_bucket_accumulate_args {
  RP_ADDR(uint32_t) row_ptr;
  RP_ADDR(uint32_t) entries;
  RP_ADDR(uint64_t) points;    /* affine */
  RP_ADDR(uint64_t) sums;      /* accumulators, or affine points if affine_sums */
  RP_ADDR(uint64_t) partials;  /* accumulators [chunk][2]: of the long rows at its begin and at its end */
  RP_ADDR(uint64_t) workspace; /* [worker][workspace_words] */
  uint32_t rows, first_row;    /* rows [first_row, first_row + rows) of the matrix; sums[0] is of first_row */
  uint32_t chunk;              /* entries per chunk */
  uint32_t chunks;             /* upper bound of their number */
  uint32_t workspace_words;
  uint32_t affine_sums;
  uint32_t skip_empty; /* sums of empty rows are not written; their reader looks at row_ptr */
  uint32_t reserved;
};

RP_ARGS_SIZE(struct rp_bucket_accumulate_args, 80);

typedef struct params {
  uint64_t n; /* number of points that the matrix indexes */
} params;

enum { IN_ROW_PTR, IN_ENTRIES, IN_POINTS };

static rp_status shape(const rp_shape *s) {
  const params *p = s->params;
  rp_bucket_dims dims;
  rp_curve curve;
  const rp_status status = rp_shape_in_bucket_points(s, p->n, &dims, &curve);
  if (status != RP_OK) return status;
  rp_shape_out(s, 0, rp_type_accumulator(curve), s->in_len[IN_ROW_PTR] - 1);
  return RP_OK;
}

/* Entries per chunk: about 256 KiB of points, so that a chunk's work stays in a core's L2 cache, but few enough that
 * there are about four chunks per worker. */
static uint32_t chunk_entries(uint64_t max_entries, uint32_t affine_bytes, uint32_t workers) {
  uint64_t chunk = (256u << 10) / affine_bytes;
  uint64_t fair = max_entries / (4 * (uint64_t)workers) + 1;
  if (fair < 256) fair = 256;
  return (uint32_t)(fair < chunk ? fair : chunk);
}

rp_status rp_lower_accumulate_cpu(rp_lower *l, const rp_accumulate_plan *plan) {
  const uint32_t workers = rp_lower_limits(l)->workers;
  const uint32_t affine_bytes = rp_type_affine(plan->curve)->size_bytes;
  const uint32_t base_bytes = rp_type_field(rp_curve_base_field(plan->curve))->size_bytes;
  struct rp_bucket_accumulate_args a = {.rows = plan->rows,
                                        .first_row = plan->first_row,
                                        .affine_sums = plan->affine_sums,
                                        .skip_empty = plan->skip_empty};
  rp_value partials, workspace;
  a.chunk = chunk_entries(plan->max_entries, affine_bytes, workers);
  a.chunks = (uint32_t)((plan->max_entries + a.chunk - 1) / a.chunk);
  a.workspace_words = rp_accumulate_words(a.chunk, affine_bytes, base_bytes);
  partials = rp_lower_scratch(l, "partials", rp_type_accumulator(plan->curve), (uint64_t)a.chunks * 2);
  workspace = rp_lower_scratch(l, "workspace", &RP_TYPE_U64, (uint64_t)workers * a.workspace_words);
  const uint32_t any = plan->curve == RP_CURVE_BANDERWAGON ? 0 : RP_ANY_ADDRESS; /* not on eight lanes of that curve */
  const rp_bind binds[] = {RP_BIND(plan->row_ptr, RP_READ),      RP_BIND(plan->entries, RP_READ),
                           RP_BIND(plan->points, RP_READ | any), RP_BIND(plan->sums, RP_READ_WRITE),
                           RP_BIND(partials, RP_READ_WRITE),     RP_BIND(workspace, RP_READ_WRITE)};
  rp_lower_items(l, &rp_kernels_bucket_accumulate[plan->curve], a.chunks, 1, &a, binds);
  rp_lower_items(l, &rp_kernels_bucket_accumulate_long[plan->curve], a.chunks, 64, &a, binds);
  return RP_OK;
}

static rp_status lower_cpu(rp_lower *l) {
  rp_accumulate_plan plan = {.row_ptr = rp_lower_in(l, IN_ROW_PTR),
                             .entries = rp_lower_in(l, IN_ENTRIES),
                             .points = rp_lower_in(l, IN_POINTS),
                             .sums = rp_lower_out(l, 0),
                             .rows = (uint32_t)rp_lower_len(l, rp_lower_out(l, 0)),
                             .max_entries = rp_lower_len(l, rp_lower_in(l, IN_ENTRIES))};
  rp_type_is_affine(rp_lower_type(l, plan.points), &plan.curve);
  return rp_lower_accumulate_cpu(l, &plan);
}

static rp_status lower_gpu(rp_lower *l) {
  rp_curve curve;
  rp_type_is_affine(rp_lower_type(l, rp_lower_in(l, IN_POINTS)), &curve);
  return rp_lower_accumulate_gpu(l, curve, rp_lower_in(l, IN_ROW_PTR), rp_lower_in(l, IN_ENTRIES),
                                 rp_lower_in(l, IN_POINTS), rp_lower_out(l, 0));
}

static const rp_strategy strategies[] = {
    {.name = "batch_affine", .devices = RP_ON(RP_DEVICE_CPU), .lower = lower_cpu},
    {.name = "segments", .devices = RP_ON_GPU, .lower = lower_gpu},
};

const rp_op rp_op_bucket_accumulate = {.struct_size = sizeof(rp_op),
                                       .flags = RP_OP_PURE,
                                       .name = "bucket_accumulate",
                                       .params_bytes = sizeof(params),
                                       .shape = shape,
                                       .strategies = strategies,
                                       .n_strategies = sizeof strategies / sizeof *strategies,
                                       .schema = RP_SCHEMA(.least_in = 3, RP_PARAMS(RP_PARAM_ANY(params, n)))};

rp_value rp_bucket_accumulate(rp_graph *g, const rp_buckets *b, rp_value points) {
  params p;
  if (!rp_buckets_check(g, b, rp_op_bucket_accumulate.name)) return RP_NO_VALUE;
  p.n = b->n * b->merged;
  return rp_graph_node(g, &rp_op_bucket_accumulate, &p, (rp_value[]){b->row_ptr, b->entries, points}, 3, NULL, 1);
}
