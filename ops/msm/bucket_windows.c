/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Bucket accumulation and reduction as one node. The bucket sums are scratch, in the form that suits the device (on the
 * CPU affine, which halves the memory); where memory is short they are made for a few sets at a time.
 */
#include "msm/buckets.h"
#include "lower/lower.h"
#include "lower/gpu.h"

#include <stddef.h>

typedef struct params {
  uint64_t n; /* number of points that the matrix indexes */
  uint32_t sets, buckets;
} params;

enum { IN_ROW_PTR, IN_ENTRIES, IN_POINTS };

static rp_status shape(const rp_shape *s) {
  const params *p = s->params;
  rp_bucket_dims dims;
  rp_curve curve;
  const rp_status status = rp_shape_in_bucket_points(s, p->n, &dims, &curve);
  if (status != RP_OK) return status;
  if (p->sets != dims.windows || p->buckets != dims.buckets) return rp_shape_refuse_buckets(s);
  if (p->buckets & (p->buckets - 1)) return rp_shape_refuse_buckets(s); /* of digits that are not signed numbers */
  rp_shape_out(s, 0, rp_type_accumulator(curve), p->sets);
  return RP_OK;
}

/* How many bytes the bucket sums may take: not more than the entries, which are in memory at the same time, within
 * limits. 1 MiB per worker is enough sets to keep all of them busy. */
static uint64_t sums_bytes(const rp_lower *l) {
  const uint64_t workers = rp_lower_limits(l)->workers, wanted = workers < 64 ? workers : 64, least = (uint64_t)1 << 20;
  const uint64_t most = (wanted << 20) >> rp_lower_halvings(l);
  const uint64_t entries = rp_lower_len(l, rp_lower_in(l, IN_ENTRIES)) * sizeof(uint32_t) * 9 / 8;
  return entries > most ? most : entries < least ? least : entries;
}

static rp_status lower_cpu(rp_lower *l) {
  const params *p = rp_lower_params(l);
  const rp_value points = rp_lower_in(l, IN_POINTS);
  const rp_type *form;
  rp_curve curve;
  uint32_t wave, waves, is_affine;
  rp_value sums;
  rp_type_is_affine(rp_lower_type(l, points), &curve);
  is_affine = curve != RP_CURVE_BANDERWAGON;
  form = is_affine ? rp_type_affine(curve) : rp_type_accumulator(curve);
  wave = (uint32_t)(sums_bytes(l) / ((uint64_t)p->buckets * form->size_bytes));
  if (wave < 1) wave = 1;
  if (wave > p->sets) wave = p->sets;
  waves = (p->sets + wave - 1) / wave; /* NOLINT(clang-analyzer-core.DivideZero): a shape has sets */
  wave = (p->sets + waves - 1) / waves;
  sums = rp_lower_scratch(l, "sums", form, (uint64_t)wave * p->buckets);
  for (uint32_t first = 0; first < p->sets; first += wave) {
    const uint32_t sets = first + wave < p->sets ? wave : p->sets - first;
    rp_status status = rp_lower_accumulate_cpu(l, &(rp_accumulate_plan){.curve = curve,
                                                                        .row_ptr = rp_lower_in(l, IN_ROW_PTR),
                                                                        .entries = rp_lower_in(l, IN_ENTRIES),
                                                                        .points = points,
                                                                        .sums = sums,
                                                                        .first_row = first * p->buckets,
                                                                        .rows = sets * p->buckets,
                                                                        .max_entries = sets * p->n,
                                                                        .affine_sums = is_affine,
                                                                        .skip_empty = 1});
    if (status != RP_OK) return status;
    status = rp_lower_reduce_cpu(l, &(rp_reduce_plan){.curve = curve,
                                                      .sums = sums,
                                                      .windows = rp_lower_out(l, 0),
                                                      .row_ptr = rp_lower_in(l, IN_ROW_PTR),
                                                      .first_set = first,
                                                      .sets = sets,
                                                      .buckets = p->buckets,
                                                      .affine_sums = is_affine});
    if (status != RP_OK) return status;
  }
  return RP_OK;
}

static rp_status lower_gpu(rp_lower *l) {
  const params *p = rp_lower_params(l);
  const rp_value points = rp_lower_in(l, IN_POINTS);
  rp_curve curve;
  rp_type_is_affine(rp_lower_type(l, points), &curve);
  const rp_value sums = rp_lower_scratch(l, "sums", rp_type_accumulator(curve), (uint64_t)p->sets * p->buckets);
  rp_status status =
      rp_lower_accumulate_gpu(l, curve, rp_lower_in(l, IN_ROW_PTR), rp_lower_in(l, IN_ENTRIES), points, sums);
  if (status == RP_OK) status = rp_lower_reduce_gpu(l, curve, sums, rp_lower_out(l, 0), p->sets, p->buckets);
  return status;
}

static const rp_strategy strategies[] = {
    {.name = "batch_affine", .devices = RP_ON(RP_DEVICE_CPU), .lower = lower_cpu},
    {.name = "segments", .devices = RP_ON_GPU, .lower = lower_gpu},
};

const rp_op rp_op_bucket_windows = {
    .struct_size = sizeof(rp_op),
    .flags = RP_OP_PURE,
    .name = "bucket_windows",
    .params_bytes = sizeof(params),
    .shape = shape,
    .strategies = strategies,
    .n_strategies = sizeof strategies / sizeof *strategies,
    .schema = RP_SCHEMA(.least_in = 3, RP_PARAMS(RP_PARAM_ANY(params, n), RP_PARAM_UPTO(params, sets, 1, UINT32_MAX),
                                                 RP_PARAM_UPTO(params, buckets, 1, UINT32_MAX)))};

rp_value rp_bucket_windows(rp_graph *g, const rp_buckets *b, rp_value points) {
  params p;
  if (!rp_buckets_check(g, b, rp_op_bucket_windows.name)) return RP_NO_VALUE;
  p = (params){b->n * b->merged, b->windows, b->buckets};
  return rp_graph_node(g, &rp_op_bucket_windows, &p, (rp_value[]){b->row_ptr, b->entries, points}, 3, NULL, 1);
}
