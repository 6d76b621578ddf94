/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Bucket reduction: for each set of rows, the sum of (i + 1) * bucket[i].
 *
 * kernel bucket_reduce bucket_reduce/3 curves cpu:ifma products:bucket_sums
 * kernel bucket_reduce_rows bucket_reduce_rows/4 curves cpu:ifma products:bucket_sums
 * kernel bucket_fold bucket_fold/2 curves cpu:ifma products:fold
 * kernel window_reduce window_reduce/2 curves cpu:ifma products:windows
 * kernel bucket_reduce gpu_reduce/2 curves cuda:4*RP_GPU_REDUCE_WORKERS,RP_GPU_REDUCE_WORKERS*ACC products:bucket_sums
 *        vulkan:4*RP_GPU_REDUCE_WORKERS int64 table:bucket_reduce_gpu
 * kernel bucket_reduce_runs gpu_reduce/2 curves cuda:4*RP_GPU_REDUCE_WORKERS,RP_GPU_REDUCE_WORKERS*ACC
 *        products:bucket_sums
 * kernel bucket_fold gpu_reduce/2 curves cuda:8*RP_GPU_REDUCE_WORKERS,2*RP_GPU_REDUCE_WORKERS*ACC products:fold
 *        vulkan:8*RP_GPU_REDUCE_WORKERS int64 table:bucket_fold_gpu
 * kernel window_reduce gpu_window/2 curves gpu:4 int64 table:window_reduce_gpu products:windows
 */
#include "msm/buckets.h"
#include "lower/lower.h"
#include "lower/gpu.h"
#include "msm/bucket_reduce_args.h"
#include "msm/msm_tuning.h"
#include "kernel_tables.h"

typedef struct params {
  uint32_t sets, buckets;
} params;

/* The sums need not come from a bucket matrix, but there are as many as it has rows. */
static rp_status check(const rp_draft *d) {
  const params *p = d->params;
  if ((p->buckets & (p->buckets - 1)) == 0) return RP_OK;
  return rp_draft_fail(d, RP_ERR_ARGUMENT, "%u buckets, which is no power of two", p->buckets);
}

static rp_status shape(const rp_shape *s) {
  const params *p = s->params;
  rp_curve curve;
  if (!rp_type_is_accumulator(s->in_type[0], &curve))
    return rp_shape_fail(s, RP_ERR_TYPE, "the sums are of type %s, not accumulator points", s->in_type[0]->name);
  if (s->in_len[0] != (uint64_t)p->sets * p->buckets)
    return rp_shape_fail(s, RP_ERR_SHAPE, "there are %llu sums, and the matrix has %u times %u rows",
                         (unsigned long long)s->in_len[0], p->sets, p->buckets);
  rp_shape_out(s, 0, s->in_type[0], p->sets);
  return RP_OK;
}

/* Bytes of points per part, so that a round stays in a core's L2 cache; and the fewest points for which rounds pay. */
enum { PART_BYTES = 128 << 10, PART_LEAST = 256 };

/* Parts of twisted Edwards curves are reduced in lanes, eight at once; others have rounds of their own. */
static const uint8_t parts_at_once[RP_CURVE_COUNT] = {
#define AT_ONCE(NAME, name, base, scalar, weierstrass) (weierstrass) ? 1 : 8,
    RP_CURVE_LIST(AT_ONCE)
#undef AT_ONCE
};

rp_status rp_lower_reduce_cpu(rp_lower *l, const rp_reduce_plan *plan) {
  const uint32_t workers = rp_lower_limits(l)->workers, at_once = parts_at_once[plan->curve];
  const uint32_t affine_bytes = rp_type_affine(plan->curve)->size_bytes;
  const uint32_t base_bytes = rp_type_field(rp_curve_base_field(plan->curve))->size_bytes;
  struct rp_bucket_reduce_args a = {.buckets = plan->buckets, .parts = 1, .affine_sums = plan->affine_sums};
  rp_value partials, workspace;
  /* Powers of two, so that the parts divide the buckets. */
  while (plan->buckets / a.parts > PART_LEAST &&
         (plan->sets * a.parts < 4 * workers || (uint64_t)plan->buckets / a.parts * affine_bytes > PART_BYTES))
    a.parts *= 2;
  a.workspace_words = rp_reduce_words(plan->buckets / a.parts, affine_bytes, base_bytes);
  partials = rp_lower_scratch(l, "partials", rp_type_accumulator(plan->curve), (uint64_t)plan->sets * a.parts * 2);
  workspace = rp_lower_scratch(l, "workspace", &RP_TYPE_U64, (uint64_t)workers * a.workspace_words);
  const uint64_t items = (uint64_t)plan->sets * a.parts, first_row = (uint64_t)plan->first_set * plan->buckets;
  const rp_bind binds[] = {
      RP_BIND(plan->sums, RP_READ),
      RP_BIND(partials, RP_WRITE),
      RP_BIND(workspace, RP_READ_WRITE),
      {plan->row_ptr, RP_READ, first_row, (uint64_t)plan->sets * plan->buckets + 1},
  };
  if (plan->row_ptr.id) {
    const struct rp_bucket_reduce_rows_args rows = {
        .buckets = a.buckets, .parts = a.parts, .affine_sums = a.affine_sums, .workspace_words = a.workspace_words};
    rp_lower_items(l, &rp_kernels_bucket_reduce_rows[plan->curve], items, at_once, &rows, binds);
  } else {
    rp_lower_items(l, &rp_kernels_bucket_reduce[plan->curve], items, at_once, &a, binds);
  }
  rp_lower_items(
      l, &rp_kernels_bucket_fold[plan->curve], plan->sets, a.parts > 16 ? 1 : 16,
      &(struct rp_bucket_fold_args){.buckets = plan->buckets, .parts = a.parts},
      (rp_bind[]){RP_BIND(partials, RP_READ),
                  {.value = plan->windows, .access = RP_WRITE, .first = plan->first_set, .count = plan->sets}});
  return RP_OK;
}

static rp_status lower_cpu(rp_lower *l) {
  const params *p = rp_lower_params(l);
  rp_reduce_plan plan = {
      .sums = rp_lower_in(l, 0), .windows = rp_lower_out(l, 0), .sets = p->sets, .buckets = p->buckets};
  rp_type_is_accumulator(rp_lower_type(l, plan.sums), &plan.curve);
  return rp_lower_reduce_cpu(l, &plan);
}

static rp_status lower_gpu(rp_lower *l) {
  const params *p = rp_lower_params(l);
  rp_curve curve;
  rp_type_is_accumulator(rp_lower_type(l, rp_lower_in(l, 0)), &curve);
  return rp_lower_reduce_gpu(l, curve, rp_lower_in(l, 0), rp_lower_out(l, 0), p->sets, p->buckets);
}

static const rp_strategy strategies[] = {
    {.name = "rounds", .devices = RP_ON(RP_DEVICE_CPU), .lower = lower_cpu},
    {.name = "suffix_sums", .devices = RP_ON_GPU, .lower = lower_gpu},
};

const rp_op rp_op_bucket_reduce = {
    .struct_size = sizeof(rp_op),
    .flags = RP_OP_PURE,
    .name = "bucket_reduce",
    .params_bytes = sizeof(params),
    .shape = shape,
    .strategies = strategies,
    .n_strategies = sizeof strategies / sizeof *strategies,
    .schema = RP_SCHEMA(.least_in = 1, .check = check,
                        RP_PARAMS(RP_PARAM_UPTO(params, sets, 1, RP_WINDOWS_MAX),
                                  RP_PARAM_UPTO(params, buckets, 1, 1u << (RP_WINDOW_BITS_MAX - 1))))};

rp_value rp_bucket_reduce(rp_graph *g, const rp_buckets *b, rp_value sums) {
  params p;
  if (!rp_buckets_check_dims(g, b, rp_op_bucket_reduce.name)) return RP_NO_VALUE;
  p = (params){b->windows, b->buckets};
  return rp_graph_node(g, &rp_op_bucket_reduce, &p, &sums, 1, NULL, 1);
}
