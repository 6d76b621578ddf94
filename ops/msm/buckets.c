/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "msm/buckets.h"
#include "vector/slice.h"

#include <string.h>

/* Measured costs on the CPU in nanoseconds (docs/notes/cpu-msm.md): to sort and add an entry, to reduce a bucket, and
 * per set whatever its size. They hold with AVX-512 IFMA. Without it a bucket costs a third less relative to an entry,
 * which makes no choice worse by more than 2%. */
typedef struct cost {
  double entry, bucket, set;
} cost;

static const cost costs[RP_CURVE_COUNT] = {
    [RP_CURVE_BN254_G1] = {52, 89, 9000},
    [RP_CURVE_BN254_G2] = {110, 190, 30000},
    [RP_CURVE_BLS12_381_G1] = {115, 170, 20000},
    [RP_CURVE_BLS12_381_G2] = {300, 500, 60000},
    [RP_CURVE_SECP256K1] = {60, 100, 9000},
    [RP_CURVE_BANDERWAGON] = {165, 350, 2000},
    [RP_CURVE_E97] = {20, 40, 1000},
};

rp_bucket_shape rp_bucket_shape_of(rp_curve curve, uint32_t window_bits, uint32_t merged) {
  const uint32_t windows = (rp_order_bits(curve) + window_bits - 1) / window_bits;
  return (rp_bucket_shape){windows, (windows + merged - 1) / merged, (uint32_t)1 << (window_bits - 1)};
}

/* The largest scalar, after negation where that is smaller, in units of the top window. */
static double top_window(rp_curve curve, uint32_t window_bits, uint32_t windows) {
  const uint8_t *order = rp_curve_get(curve)->order_le;
  double top = 0;
  for (uint32_t i = 32; i-- > 0;) top = top * 256 + order[i];
  for (uint32_t bit = 0; bit <= (windows - 1) * window_bits; bit++) top /= 2;
  return top;
}

uint32_t rp_window_bits_choose(rp_curve curve, uint64_t n, uint32_t merged) {
  const cost *k = &costs[curve];
  uint32_t best = 1;
  double least = 0;
  for (uint32_t c = 1; c <= 20; c++) {
    const rp_bucket_shape b = rp_bucket_shape_of(curve, c, merged);
    const double top = top_window(curve, c, b.windows);
    /* Digits are rounded to nearest: the top digit is zero for scalars up to half its unit, and uses at most top + 1
     * buckets. */
    const double windows = b.windows - (top > 0.5 ? 0.5 / top : 1);
    const double full = b.buckets, last = merged > 1 || top + 1 > full ? full : top + 1;
    const double sum =
        windows * (double)n * k->entry + ((b.sets - 1) * full + last) * k->bucket + (double)b.sets * k->set;
    if (b.windows < merged) break;
    if (c == 1 || sum < least) {
      least = sum;
      best = c;
    }
  }
  return best;
}

uint64_t rp_msm_small_points(void) { return 128; }

static int is_matrix(const rp_maker *rows, const rp_maker *entries) {
  return (rows->op == &rp_op_bucket_matrix || rows->op == &rp_op_bucket_filter) && entries->op == rows->op &&
         entries->params == rows->params && rows->output == 0 && entries->output == 1;
}

int rp_buckets_made(const rp_graph *g, rp_value row_ptr, rp_value entries, rp_bucket_dims *made) {
  const rp_maker listed = rp_value_maker(g, entries);
  rp_maker rows = rp_value_maker(g, row_ptr);
  const rp_slice_params *slice = NULL;
  if (rows.op == &rp_op_slice) {
    slice = rows.params;
    rows = rp_value_maker(g, rows.in[0]);
  }
  if (!is_matrix(&rows, &listed)) return 0;
  *made = *(const rp_bucket_dims *)rows.params;
  if (!slice) return 1;
  if (slice->first % made->buckets || (slice->len - 1) % made->buckets) return 0;
  made->windows = (uint32_t)((slice->len - 1) / made->buckets);
  return made->windows != 0;
}

rp_status rp_buckets_refuse(const rp_draft *d) {
  return rp_draft_fail(d, RP_ERR_ARGUMENT, "not a bucket matrix as bucket_matrix or bucket_filter made it");
}

rp_status rp_buckets_check_draft(const rp_draft *d, const rp_bucket_dims *dims) {
  rp_bucket_dims made;
  if (rp_buckets_made(d->graph, d->in[0], d->in[1], &made) && memcmp(&made, dims, sizeof made) == 0) return RP_OK;
  return rp_buckets_refuse(d);
}

int rp_buckets_check(rp_graph *g, const rp_buckets *b, const char *op) {
  if (b && b->row_ptr.id && b->entries.id) {
    if (!rp_value_check(g, b->row_ptr, op, "row_ptr") || !rp_value_check(g, b->entries, op, "entries")) return 0;
    const rp_bucket_dims given = rp_bucket_dims_of(b);
    rp_bucket_dims made;
    if (rp_buckets_made(g, b->row_ptr, b->entries, &made) && memcmp(&made, &given, sizeof made) == 0) return 1;
  }
  rp_graph_fail(g, RP_ERR_ARGUMENT, "%s: not a bucket matrix as bucket_matrix or bucket_filter made it", op);
  return 0;
}

/* Measured costs on GPUs in nanoseconds (docs/notes/cuda-msm.md): to sort and add an entry, to reduce a bucket, and one
 * doubling in one thread (`set`; window reduction takes window_bits of them per window). */
static const cost gpu_costs[RP_CURVE_COUNT] = {
    [RP_CURVE_BN254_G1] = {0.25, 0.7, 1500},    [RP_CURVE_BN254_G2] = {0.8, 2.2, 5000},
    [RP_CURVE_BLS12_381_G1] = {0.5, 1.5, 3000}, [RP_CURVE_BLS12_381_G2] = {1.7, 5, 10000},
    [RP_CURVE_SECP256K1] = {0.6, 1.8, 4000},    [RP_CURVE_BANDERWAGON] = {0.3, 0.7, 1500},
    [RP_CURVE_E97] = {0.1, 0.2, 300},
};

uint32_t rp_msm_windows(rp_curve curve, uint32_t window_bits) {
  return (unsigned)curve < RP_CURVE_COUNT && window_bits ? rp_bucket_shape_of(curve, window_bits, 1).windows : 0;
}

uint32_t rp_msm_window_bits(rp_device_kind device, rp_curve curve, uint64_t n, int merged) {
  if ((unsigned)curve >= RP_CURVE_COUNT) return 0;
  if (device != RP_DEVICE_CUDA && device != RP_DEVICE_VULKAN) return rp_window_bits_choose(curve, n, 1);
  const cost *k = &gpu_costs[curve];
  uint32_t best = 1;
  double least = 0;
  for (uint32_t c = 1; c <= 20; c++) {
    const uint32_t windows = rp_msm_windows(curve, c), sets = merged ? 1 : windows;
    const double sum = (double)windows * (double)n * k->entry + (double)sets * (double)(1u << (c - 1)) * k->bucket +
                       (double)(sets - 1) * c * k->set;
    if (c == 1 || sum < least) least = sum, best = c;
  }
  return best;
}
