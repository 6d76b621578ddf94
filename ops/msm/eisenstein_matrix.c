/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Bucket matrix of the digits of scalars in the ring of Eisenstein integers (msm/eisenstein.h). Multiples of points by
 * units are further windows, so that entries and their sort are those of one set of merged windows.
 *
 * kernel eisenstein_digits eisenstein/4 cpu:c
 * kernel eisenstein_count eisenstein/4 gpu:256
 * kernel eisenstein_scatter eisenstein/4 gpu:256
 */
#include "msm/eisenstein.h"
#include "lower/lower.h"
#include "lower/gpu.h"
#include "msm/bucket_matrix_args.h"
#include "kernel_tables.h"

#include <stdio.h>
#include <string.h>

/* GPUs: one thread per scalar. eisenstein_count: counters[row] += 1. eisenstein_scatter: entries[counters[row]++] =
 * index << 1 | negative. CPUs: one item per block of RP_DIGITS_BLOCK scalars, with digits and blocks as in
 * rp_bucket_digits_args, of 3 * windows windows. */
struct rp_eisenstein_args {
  RP_ADDR(const uint32_t) scalars;
  RP_ADDR(uint32_t) counters;                        /* CPUs: digits */
  RP_ADDR(uint32_t) entries;                         /* CPUs: used */
  RP_ADDR(uint32_t) error;                           /* not written by eisenstein_scatter */
  uint32_t order[8], order_inverse;                  /* -1 / order mod 2^32 */
  uint32_t a1[5], b1[5], a2[5], b2[5], g1[7], g2[7]; /* rp_endomorphism */
  uint32_t offset[5];                                /* base^windows */
  uint32_t base, base_bits;                          /* base has more than base_bits bits */
  uint32_t inverse, shift;                           /* of the division by base */
  uint32_t bits;                                     /* of twice offset */
  uint32_t columns, windows, n, scalar_words, montgomery, site, pad;
};
RP_ARGS_SIZE(struct rp_eisenstein_args, 272);

typedef struct params {
  rp_bucket_dims dims;
  rp_curve curve;
  uint32_t windows;
} params;

static rp_bucket_dims dims_of(rp_curve curve, uint64_t n, uint32_t windows) {
  const rp_eisenstein e = rp_eisenstein_of(curve, windows);
  return (rp_bucket_dims){.n = n, .windows = 1, .window_bits = 1, .buckets = e.rows * e.columns, .merged = 3 * windows};
}

static rp_status check(const rp_draft *d) {
  const params *p = d->params;
  if (!rp_curve_endomorphism(p->curve))
    return rp_draft_fail(d, RP_ERR_ARGUMENT, "%s has no endomorphism", rp_curve_name(p->curve));
  const rp_bucket_dims dims = dims_of(p->curve, rp_value_len(d->graph, d->in[0]), p->windows);
  if (memcmp(&dims, &p->dims, sizeof dims) == 0) return RP_OK;
  return rp_draft_fail(d, RP_ERR_ARGUMENT, "the numbers of its rows do not follow from %s with %u windows",
                       rp_curve_name(p->curve), p->windows);
}

static rp_status shape(const rp_shape *s) {
  const params *p = s->params;
  const uint64_t n = s->in_len[0];
  const rp_status status = rp_shape_msm_scalars(s, 0, p->curve);
  if (status != RP_OK) return status;
  if (n * p->dims.merged >= (uint64_t)1 << 31)
    return rp_shape_fail(s, RP_ERR_SHAPE, "%llu scalars in %u windows: entries must fit 32 bits", (unsigned long long)n,
                         p->windows);
  rp_shape_out(s, 0, &RP_TYPE_U32, (uint64_t)p->dims.buckets + 1);
  rp_shape_out(s, 1, &RP_TYPE_U32, n * p->windows);
  return rp_shape_out_buckets(s, &p->dims);
}

/* offset := base^windows */
static void power(uint32_t offset[5], uint32_t base, uint32_t windows) {
  offset[0] = 1;
  for (uint32_t w = 0; w < windows; w++) {
    uint64_t carry = 0;
    for (int i = 0; i < 5; i++) {
      carry += (uint64_t)offset[i] * base;
      offset[i] = (uint32_t)carry;
      carry >>= 32;
    }
  }
}

static struct rp_eisenstein_args args_of(const rp_lower *l) {
  const params *p = rp_lower_params(l);
  const rp_value scalars = rp_lower_in(l, 0);
  const rp_eisenstein e = rp_eisenstein_of(p->curve, p->windows);
  const rp_endomorphism *m = rp_curve_endomorphism(p->curve);
  const rp_recoding recoding = rp_recoding_of(p->curve, 1);
  struct rp_eisenstein_args a = {.order_inverse = recoding.order_inverse[0],
                                 .base = e.base,
                                 .columns = e.columns,
                                 .windows = p->windows,
                                 .n = (uint32_t)rp_lower_len(l, scalars),
                                 .scalar_words = rp_lower_type(l, scalars)->size_bytes / 4,
                                 .montgomery = rp_lower_type(l, scalars)->id != RP_TYPE_U256.id,
                                 .site = rp_lower_site(l)};
  memcpy(a.order, recoding.order, sizeof a.order);
  memcpy(a.a1, m->a1, sizeof a.a1);
  memcpy(a.b1, m->b1, sizeof a.b1);
  memcpy(a.a2, m->a2, sizeof a.a2);
  memcpy(a.b2, m->b2, sizeof a.b2);
  memcpy(a.g1, m->g1, sizeof a.g1);
  memcpy(a.g2, m->g2, sizeof a.g2);
  power(a.offset, e.base, p->windows);
  a.bits = 32 * 5 + 1;
  for (int i = 5; i-- > 0 && !a.offset[i];) a.bits -= 32;
  for (uint32_t top = a.offset[(a.bits - 2) / 32]; !(top >> 31); top <<= 1) a.bits--;
  while (e.base >> (a.base_bits + 1)) a.base_bits++;
  a.shift = a.base_bits - 1; /* 2^(32 + shift) = 2^30 2^(base_bits + 1), and base is below 2^(base_bits + 1) */
  a.inverse = (uint32_t)(((uint64_t)1 << (32 + a.shift)) / e.base + 1);
  return a;
}

static rp_status lower_cpu(rp_lower *l) {
  const params *p = rp_lower_params(l);
  const struct rp_eisenstein_args a = args_of(l);
  const rp_value row_ptr = rp_lower_out(l, 0), entries = rp_lower_out(l, 1);
  const uint32_t windows = p->dims.merged, span = windows * a.n, blocks = (a.n + RP_DIGITS_BLOCK - 1) / RP_DIGITS_BLOCK;
  uint32_t parts = 2 * rp_lower_limits(l)->workers;
  if (parts > span / 4096 + 1) parts = span / 4096 + 1;
  const rp_value digits = rp_lower_scratch(l, "digits", &RP_TYPE_U32, span);
  const rp_value used = rp_lower_scratch(l, "used", &RP_TYPE_U32, (uint64_t)windows * blocks);
  const rp_value histogram = rp_lower_scratch(l, "histogram", &RP_TYPE_U32, (uint64_t)parts * p->dims.buckets);
  const rp_value totals = rp_lower_scratch(l, "totals", &RP_TYPE_U32, parts);
  rp_lower_items(l, &rp_kernel_eisenstein_digits, blocks, rp_grain(RP_DIGITS_BLOCK * (100 + 40 * a.windows)), &a,
                 (rp_bind[]){RP_BIND(rp_lower_in(l, 0), RP_READ), RP_BIND(digits, RP_WRITE), RP_BIND(used, RP_WRITE),
                             RP_BIND(rp_lower_error(l), RP_READ_WRITE | RP_ATOMIC)});
  rp_lower_items(
      l, &rp_kernel_bucket_histogram, parts, 1,
      &(struct rp_bucket_histogram_args){
          .sets = 1, .parts = parts, .buckets = p->dims.buckets, .n = a.n, .span = span, .wave_digits = span},
      (rp_bind[]){RP_BIND(digits, RP_READ), RP_BIND(used, RP_READ), RP_BIND(histogram, RP_WRITE),
                  RP_BIND(totals, RP_WRITE)});
  rp_lower_items(l, &rp_kernel_bucket_scan, 1, 1,
                 &(struct rp_bucket_scan_args){.sets = 1, .parts = parts, .buckets = p->dims.buckets, .all_sets = 1},
                 (rp_bind[]){RP_BIND(histogram, RP_READ_WRITE), RP_BIND(totals, RP_READ), RP_BIND(row_ptr, RP_WRITE)});
  rp_lower_items(
      l, &rp_kernel_bucket_scatter, parts, 1,
      &(struct rp_bucket_scatter_args){
          .n = a.n, .sets = 1, .parts = parts, .buckets = p->dims.buckets, .span = span, .wave_digits = span},
      (rp_bind[]){RP_BIND(digits, RP_READ), RP_BIND(used, RP_READ), RP_BIND(histogram, RP_READ_WRITE),
                  RP_BIND(entries, RP_WRITE)});
  return RP_OK;
}

static rp_status lower_gpu(rp_lower *l) {
  const params *p = rp_lower_params(l);
  const struct rp_eisenstein_args a = args_of(l);
  const rp_value scalars = rp_lower_in(l, 0), error = rp_lower_error(l);
  const rp_value counts = rp_lower_scratch(l, "counts", &RP_TYPE_U32, p->dims.buckets);
  const rp_value next = rp_lower_scratch(l, "next", &RP_TYPE_U32, p->dims.buckets);
  const uint32_t groups = rp_gpu_groups(a.n, rp_lower_group(l, &rp_kernel_eisenstein_count));
  rp_gpu_fill(l, counts, 0);
  rp_gpu_dispatch(l, &rp_kernel_eisenstein_count, groups, 1, &a,
                  (rp_bind[]){RP_BIND(scalars, RP_READ), RP_BIND(counts, RP_READ_WRITE),
                              rp_bind_optional(RP_NO_VALUE, RP_WRITE), RP_BIND(error, RP_READ_WRITE | RP_ATOMIC)});
  rp_gpu_scan(l, counts, rp_lower_out(l, 0), next);
  rp_gpu_dispatch(l, &rp_kernel_eisenstein_scatter, groups, 1, &a,
                  (rp_bind[]){RP_BIND(scalars, RP_READ), RP_BIND(next, RP_READ_WRITE),
                              RP_BIND(rp_lower_out(l, 1), RP_WRITE), rp_bind_optional(RP_NO_VALUE, RP_READ)});
  return RP_OK;
}

static int describe(const void *params_, char *text, size_t bytes) {
  const params *p = params_;
  return snprintf(text, bytes, "%s windows=%u", rp_curve_name(p->curve), p->windows);
}

static const rp_strategy strategies[] = {
    {.name = "counting_sort", .devices = RP_ON(RP_DEVICE_CPU), .lower = lower_cpu},
    {.name = "atomic_counting_sort", .devices = RP_ON_GPU, .lower = lower_gpu},
};

const rp_op rp_op_eisenstein_matrix = {
    .struct_size = sizeof(rp_op),
    .flags = RP_OP_PURE,
    .name = "eisenstein_matrix",
    .params_bytes = sizeof(params),
    .shape = shape,
    .strategies = strategies,
    .n_strategies = sizeof strategies / sizeof *strategies,
    .describe = describe,
    .schema =
        RP_SCHEMA(.least_in = 1, .least_out = 2, .check = check,
                  RP_PARAMS(RP_PARAM_ANY(params, dims.n), RP_PARAM_UPTO(params, dims.windows, 1, 1),
                            RP_PARAM_UPTO(params, dims.window_bits, 1, 1),
                            RP_PARAM_UPTO(params, dims.buckets, 1, UINT32_MAX),
                            RP_PARAM_UPTO(params, dims.merged, 1, UINT32_MAX), RP_PARAM_CURVE(params, curve),
                            RP_PARAM_UPTO(params, windows, RP_EISENSTEIN_WINDOWS_LEAST, RP_EISENSTEIN_WINDOWS_MOST)))};

rp_buckets rp_eisenstein_matrix(rp_graph *g, rp_value scalars, rp_curve curve, uint32_t windows) {
  rp_buckets b = {0};
  rp_value out[2];
  params p;
  memset(&p, 0, sizeof p); /* padding too: the bytes of two nodes are compared */
  if (!rp_value_check(g, scalars, rp_op_eisenstein_matrix.name, "scalars")) return b;
  if (!rp_curve_endomorphism(curve)) {
    rp_graph_fail(g, RP_ERR_ARGUMENT, "eisenstein_matrix: the curve has no endomorphism");
    return b;
  }
  p.curve = curve;
  p.windows = windows;
  p.dims = dims_of(curve, rp_value_len(g, scalars), windows);
  rp_graph_node(g, &rp_op_eisenstein_matrix, &p, &scalars, 1, out, 2);
  return (rp_buckets){.row_ptr = out[0],
                      .entries = out[1],
                      .n = p.dims.n,
                      .windows = p.dims.windows,
                      .window_bits = p.dims.window_bits,
                      .buckets = p.dims.buckets,
                      .merged = p.dims.merged};
}
