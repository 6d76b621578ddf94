/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Products by Eisenstein digits: bucket accumulation over the multiples and the reduction as one node. The bucket sums
 * are scratch.
 */
#include "msm/eisenstein.h"
#include "msm/eisenstein_reduce.h"
#include "lower/lower.h"
#include "lower/gpu.h"

typedef struct params {
  uint64_t n; /* number of multiples that the matrix indexes */
  uint32_t columns, reserved;
} params;

enum { IN_ROW_PTR, IN_ENTRIES, IN_MULTIPLES };

static uint32_t buckets_of(uint32_t columns) { return columns * (columns + 1); }

static rp_status shape(const rp_shape *s) {
  const params *p = s->params;
  rp_bucket_dims dims;
  rp_curve curve;
  const rp_status status = rp_shape_in_bucket_points(s, p->n, &dims, &curve);
  if (status != RP_OK) return status;
  if (dims.windows != 1 || dims.merged % 3 || dims.buckets != buckets_of(p->columns)) return rp_shape_refuse_buckets(s);
  rp_shape_out(s, 0, rp_type_accumulator(curve), 1);
  return rp_shape_eisenstein_curve(s, curve);
}

static rp_status lower(rp_lower *l, bool cpu) {
  const params *p = rp_lower_params(l);
  const rp_value row_ptr = rp_lower_in(l, IN_ROW_PTR), entries = rp_lower_in(l, IN_ENTRIES);
  const rp_value multiples = rp_lower_in(l, IN_MULTIPLES), result = rp_lower_out(l, 0);
  const uint32_t rows = buckets_of(p->columns);
  rp_accumulate_plan plan = {.row_ptr = row_ptr,
                             .entries = entries,
                             .points = multiples,
                             .rows = rows,
                             .max_entries = rp_lower_len(l, entries)};
  rp_type_is_affine(rp_lower_type(l, multiples), &plan.curve);
  plan.sums = rp_lower_scratch(l, "sums", rp_type_accumulator(plan.curve), rows);
  const rp_status status = cpu ? rp_lower_accumulate_cpu(l, &plan)
                               : rp_lower_accumulate_gpu(l, plan.curve, row_ptr, entries, multiples, plan.sums);
  if (status != RP_OK) return status;
  return cpu ? rp_lower_eisenstein_cpu(l, plan.curve, plan.sums, result, p->columns)
             : rp_lower_eisenstein_gpu(l, plan.curve, plan.sums, result, p->columns);
}

static rp_status lower_cpu(rp_lower *l) { return lower(l, 1); }
static rp_status lower_gpu(rp_lower *l) { return lower(l, 0); }

static const rp_strategy strategies[] = {
    {.name = "batch_affine", .devices = RP_ON(RP_DEVICE_CPU), .lower = lower_cpu},
    {.name = "segments", .devices = RP_ON_GPU, .lower = lower_gpu},
};

const rp_op rp_op_eisenstein_sums = {
    .struct_size = sizeof(rp_op),
    .flags = RP_OP_PURE,
    .name = "eisenstein_sums",
    .params_bytes = sizeof(params),
    .shape = shape,
    .strategies = strategies,
    .n_strategies = sizeof strategies / sizeof *strategies,
    .schema = RP_SCHEMA(.least_in = 3, RP_PARAMS(RP_PARAM_ANY(params, n),
                                                 RP_PARAM_UPTO(params, columns, 1, RP_EISENSTEIN_COLUMNS_MOST)))};

rp_value rp_eisenstein_sums(rp_graph *g, const rp_buckets *b, rp_value multiples, uint32_t windows) {
  params p = {0};
  if (!rp_buckets_check(g, b, rp_op_eisenstein_sums.name)) return RP_NO_VALUE;
  if (b->merged != 3 * (uint64_t)windows)
    return rp_graph_fail(g, RP_ERR_ARGUMENT, "%s: %u windows, and the matrix has %u multiples of each point",
                         rp_op_eisenstein_sums.name, windows, b->merged);
  p.n = b->n * b->merged;
  while (p.columns < RP_EISENSTEIN_COLUMNS_MOST && buckets_of(p.columns) < b->buckets) p.columns++;
  return rp_graph_node(g, &rp_op_eisenstein_sums, &p, (rp_value[]){b->row_ptr, b->entries, multiples}, 3, NULL, 1);
}
