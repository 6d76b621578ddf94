/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Bucket matrix: signed digits of scalars, sorted by window and magnitude.
 *
 * kernel bucket_histogram bucket_histogram/4 cpu:c
 * kernel bucket_scan bucket_scan/3 cpu:c
 * kernel bucket_scatter bucket_scatter/4 cpu:c
 * kernel bucket_count gpu_digits/4 gpu:256 table:bucket_count_gpu
 * kernel bucket_scatter gpu_digits/4 gpu:256 table:bucket_scatter_gpu
 */
#include "msm/buckets.h"
#include "msm/msm_costs.h"
#include "lower/lower.h"
#include "lower/gpu.h"
#include "msm/bucket_matrix_cpu.h"
#include "kernel_tables.h"

#include <stdio.h>
#include <string.h>

/* Kernel arguments of the bucket matrix: digits, then a counting sort of each set of rows, for a few sets (a "wave") at
 * a time. A set is the rows of `merged` windows that share their buckets; the digits of these windows are consecutive,
 * so that the position in the set is the entry's index. A set is cut into equal parts, each with its own histogram. */

/* One item per block of RP_DIGITS_BLOCK scalars. digits[(w - first_window) * n + i] = magnitude << 1 | negative, for
 * the windows of the wave. used[(w - first_window) * blocks + b] tells whether block b has digits other than zero in
 * window w; if it has none, they are not written, since most windows of a witness are nearly empty. */
#define RP_DIGITS_BLOCK 16u
struct rp_bucket_digits_args {
  RP_ADDR(uint32_t) scalars; /* scalar_words per scalar: canonical integers, or field elements in Montgomery form */
  RP_ADDR(uint32_t) digits;
  RP_ADDR(uint32_t) used;
  RP_ADDR(uint32_t) error;
  uint32_t order[8], order_inverse[2], bias[8]; /* rp_recoding */
  uint32_t n, scalar_words, montgomery, window_bits, all_windows, first_window, windows, site;
};
RP_ARGS_SIZE(struct rp_bucket_digits_args, 136);

/* One item per set and part of the wave. */
struct rp_bucket_histogram_args {
  RP_ADDR(uint32_t) digits;
  RP_ADDR(uint32_t) used;
  RP_ADDR(uint32_t) histogram; /* [set][part][bucket], for the sets of the wave */
  RP_ADDR(uint32_t) totals;    /* [set][part], for all sets */
  uint32_t first_set, sets, parts, buckets;
  uint32_t n;           /* scalars */
  uint32_t span;        /* digits in a full set: merged * n */
  uint32_t wave_digits; /* digits in the wave; the last set may be shorter */
  uint32_t reserved;
};
RP_ARGS_SIZE(struct rp_bucket_histogram_args, 64);

/* One item per set of the wave. The histograms become the positions at which each part writes next. */
struct rp_bucket_scan_args {
  RP_ADDR(uint32_t) histogram;
  RP_ADDR(uint32_t) totals;
  RP_ADDR(uint32_t) row_ptr;
  uint32_t first_set, sets, parts, buckets, all_sets, reserved;
};
RP_ARGS_SIZE(struct rp_bucket_scan_args, 48);

/* One item per set and part of the wave. */
struct rp_bucket_scatter_args {
  RP_ADDR(uint32_t) digits;
  RP_ADDR(uint32_t) used;
  RP_ADDR(uint32_t) histogram;
  RP_ADDR(uint32_t) entries;
  uint32_t n, sets, parts, buckets, span, wave_digits;
};
RP_ARGS_SIZE(struct rp_bucket_scatter_args, 56);

typedef struct params {
  rp_bucket_dims dims;
  rp_curve curve;
  uint32_t window_bits, merged;
} params;

/* What the matrix of n scalars is like. */
static rp_bucket_dims dims_of(rp_curve curve, uint64_t n, uint32_t window_bits, uint32_t merged) {
  const rp_bucket_shape b = rp_bucket_shape_of(curve, window_bits, merged);
  return (rp_bucket_dims){
      .n = n, .windows = b.sets, .window_bits = window_bits, .buckets = b.buckets, .merged = merged};
}

static rp_status check(const rp_draft *d) {
  const params *p = d->params;
  const rp_bucket_dims dims = dims_of(p->curve, rp_value_len(d->graph, d->in[0]), p->window_bits, p->merged);
  if (p->merged <= rp_bucket_shape_of(p->curve, p->window_bits, 1).windows && memcmp(&dims, &p->dims, sizeof dims) == 0)
    return RP_OK;
  return rp_draft_fail(d, RP_ERR_ARGUMENT, "the numbers of its rows do not follow from %s with windows of %u bits",
                       rp_curve_name(p->curve), p->window_bits);
}

static rp_status shape(const rp_shape *s) {
  const params *p = s->params;
  const rp_bucket_shape b = rp_bucket_shape_of(p->curve, p->window_bits, p->merged);
  uint64_t n = s->in_len[0];
  const rp_status status = rp_shape_msm_scalars(s, 0, p->curve);
  if (status != RP_OK) return status;
  if (n * p->merged >= (uint64_t)1 << 31 || n * b.windows > RP_MAX_LEN)
    return rp_shape_fail(s, RP_ERR_SHAPE, "%llu scalars in %u windows: entries must fit 32 bits", (unsigned long long)n,
                         b.windows);
  rp_shape_out(s, 0, &RP_TYPE_U32, (uint64_t)b.sets * b.buckets + 1);
  rp_shape_out(s, 1, &RP_TYPE_U32, n * b.windows);
  return rp_shape_out_buckets(s, &p->dims);
}

/* Bytes of digits that one wave of sets may take. */
static uint64_t wave_bytes(const rp_lower *l) { return ((uint64_t)32 << 20) >> rp_lower_halvings(l); }

static rp_status lower_cpu(rp_lower *l) {
  const params *p = rp_lower_params(l);
  const rp_bucket_shape b = rp_bucket_shape_of(p->curve, p->window_bits, p->merged);
  const rp_value scalars = rp_lower_in(l, 0), row_ptr = rp_lower_out(l, 0), entries = rp_lower_out(l, 1);
  const uint32_t n = (uint32_t)rp_lower_len(l, scalars), span = n * p->merged;
  const uint32_t workers = rp_lower_limits(l)->workers;
  uint32_t wave = (uint32_t)(wave_bytes(l) / ((uint64_t)span * sizeof(uint32_t)));
  uint32_t parts, waves;
  const uint32_t blocks = (n + RP_DIGITS_BLOCK - 1) / RP_DIGITS_BLOCK;
  rp_value digits, used, histogram, totals;
  const rp_recoding recoding = rp_recoding_of(p->curve, p->window_bits);
  struct rp_bucket_digits_args da = {.n = n, .window_bits = p->window_bits, .all_windows = b.windows};
  if (wave < 1) wave = 1;
  if (wave > b.sets) wave = b.sets;
  waves = (b.sets + wave - 1) / wave; /* NOLINT(clang-analyzer-core.DivideZero): a shape has sets */
  wave = (b.sets + waves - 1) / waves;
  parts = (2 * workers + wave - 1) / wave;
  if (parts > span / 4096 + 1) parts = span / 4096 + 1;
  digits = rp_lower_scratch(l, "digits", &RP_TYPE_U32, (uint64_t)wave * span);
  used = rp_lower_scratch(l, "used", &RP_TYPE_U32, (uint64_t)wave * p->merged * blocks);
  histogram = rp_lower_scratch(l, "histogram", &RP_TYPE_U32, (uint64_t)wave * parts * b.buckets);
  totals = rp_lower_scratch(l, "totals", &RP_TYPE_U32, (uint64_t)b.sets * parts);
  memcpy(da.order, recoding.order, sizeof da.order);
  memcpy(da.order_inverse, recoding.order_inverse, sizeof da.order_inverse);
  memcpy(da.bias, recoding.bias, sizeof da.bias);
  da.scalar_words = rp_lower_type(l, scalars)->size_bytes / 4;
  da.montgomery = rp_lower_type(l, scalars)->id != RP_TYPE_U256.id;
  da.site = rp_lower_site(l);
  for (uint32_t first = 0; first < b.sets; first += wave) {
    const uint32_t sets = first + wave < b.sets ? wave : b.sets - first;
    const uint32_t last_window = (first + sets) * p->merged < b.windows ? (first + sets) * p->merged : b.windows;
    const uint32_t windows = last_window - first * p->merged;
    const struct rp_bucket_histogram_args ha = {.first_set = first,
                                                .sets = sets,
                                                .parts = parts,
                                                .buckets = b.buckets,
                                                .n = n,
                                                .span = span,
                                                .wave_digits = windows * n};
    const struct rp_bucket_scan_args sa = {
        .first_set = first, .sets = sets, .parts = parts, .buckets = b.buckets, .all_sets = b.sets};
    const struct rp_bucket_scatter_args ca = {
        .n = n, .sets = sets, .parts = parts, .buckets = b.buckets, .span = span, .wave_digits = windows * n};
    da.first_window = first * p->merged;
    da.windows = windows;
    rp_lower_items(l, &rp_kernel_bucket_digits, blocks, rp_grain(RP_DIGITS_BLOCK * (10 + 3 * windows)), &da,
                   (rp_bind[]){RP_BIND(scalars, RP_READ), RP_BIND(digits, RP_WRITE), RP_BIND(used, RP_WRITE),
                               RP_BIND(rp_lower_error(l), RP_READ_WRITE | RP_ATOMIC)});
    rp_lower_items(l, &rp_kernel_bucket_histogram, (uint64_t)sets * parts, 1, &ha,
                   (rp_bind[]){RP_BIND(digits, RP_READ), RP_BIND(used, RP_READ), RP_BIND(histogram, RP_WRITE),
                               RP_BIND(totals, RP_WRITE)});
    rp_lower_items(
        l, &rp_kernel_bucket_scan, sets, 1, &sa,
        (rp_bind[]){RP_BIND(histogram, RP_READ_WRITE), RP_BIND(totals, RP_READ), RP_BIND(row_ptr, RP_WRITE)});
    rp_lower_items(l, &rp_kernel_bucket_scatter, (uint64_t)sets * parts, 1, &ca,
                   (rp_bind[]){RP_BIND(digits, RP_READ), RP_BIND(used, RP_READ), RP_BIND(histogram, RP_READ_WRITE),
                               RP_BIND(entries, RP_WRITE)});
  }
  return RP_OK;
}

static rp_status lower_gpu(rp_lower *l) {
  const params *p = rp_lower_params(l);
  const rp_bucket_shape b = rp_bucket_shape_of(p->curve, p->window_bits, p->merged);
  return rp_lower_matrix_gpu(l, &(rp_gpu_matrix_plan){.curve = p->curve,
                                                      .scalars = rp_lower_in(l, 0),
                                                      .row_ptr = rp_lower_out(l, 0),
                                                      .entries = rp_lower_out(l, 1),
                                                      .window_bits = p->window_bits,
                                                      .windows = b.windows,
                                                      .merged = p->merged,
                                                      .sets = b.sets,
                                                      .buckets = b.buckets});
}

static int describe(const void *params_, char *text, size_t bytes) {
  const params *p = params_;
  return snprintf(text, bytes, "%s window_bits=%u merged=%u", rp_curve_name(p->curve), p->window_bits, p->merged);
}

static const rp_strategy strategies[] = {
    {.name = "counting_sort", .devices = RP_ON(RP_DEVICE_CPU), .lower = lower_cpu},
    {.name = "atomic_counting_sort", .devices = RP_ON_GPU, .lower = lower_gpu},
};

const rp_op rp_op_bucket_matrix = {
    .struct_size = sizeof(rp_op),
    .flags = RP_OP_PURE,
    .name = "bucket_matrix",
    .params_bytes = sizeof(params),
    .shape = shape,
    .strategies = strategies,
    .n_strategies = sizeof strategies / sizeof *strategies,
    .describe = describe,
    .schema = RP_SCHEMA(.least_in = 1, .least_out = 2, .check = check,
                        RP_PARAMS(RP_PARAM_ANY(params, dims.n), RP_PARAM_UPTO(params, dims.windows, 1, UINT32_MAX),
                                  RP_PARAM_UPTO(params, dims.window_bits, 1, RP_WINDOW_BITS_MAX),
                                  RP_PARAM_UPTO(params, dims.buckets, 1, UINT32_MAX),
                                  RP_PARAM_UPTO(params, dims.merged, 1, UINT32_MAX), RP_PARAM_CURVE(params, curve),
                                  RP_PARAM_UPTO(params, window_bits, 1, RP_WINDOW_BITS_MAX),
                                  RP_PARAM_UPTO(params, merged, 1, RP_WINDOWS_MAX)))};

rp_buckets rp_bucket_matrix(rp_graph *g, rp_value scalars, const rp_bucket_options *options) {
  const uint64_t n = rp_value_len(g, scalars);
  rp_buckets none = {0}, b = {.n = n};
  params p;
  rp_bucket_shape dims;
  rp_value out[2];
  rp_bucket_options o;
  memset(&p, 0, sizeof p); /* padding too: the bytes of two nodes are compared */
  if (!options || !rp_options_read(&o, sizeof o, options) || (unsigned)o.curve >= RP_CURVE_COUNT) {
    rp_graph_fail(g, RP_ERR_ARGUMENT, "bucket_matrix: options with a curve are needed");
    return none;
  }
  if (!rp_value_check(g, scalars, "bucket_matrix", "scalars")) return none;
  p.curve = o.curve;
  p.merged = o.merged ? o.merged : 1;
  p.window_bits = o.window_bits ? o.window_bits : rp_msm_cpu_window_bits(p.curve, n, p.merged, 1);
  dims = rp_bucket_shape_of(p.curve, p.window_bits, 1);
  if (p.window_bits > RP_WINDOW_BITS_MAX || p.merged > dims.windows) {
    rp_graph_fail(g, RP_ERR_ARGUMENT, "bucket_matrix: %u window bits (at most %d), %u of %u windows merged",
                  p.window_bits, RP_WINDOW_BITS_MAX, p.merged, dims.windows);
    return none;
  }
  p.dims = dims_of(p.curve, n, p.window_bits, p.merged);
  b.windows = p.dims.windows;
  b.window_bits = p.dims.window_bits;
  b.buckets = p.dims.buckets;
  b.merged = p.dims.merged;
  rp_graph_node(g, &rp_op_bucket_matrix, &p, &scalars, 1, out, 2);
  b.row_ptr = out[0];
  b.entries = out[1];
  return b;
}
