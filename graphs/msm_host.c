/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "msm_host.h"

#include <stdlib.h>
#include <string.h>

enum { SCALAR_BITS = 256, MAX_WINDOW = 12, ACC_BYTES = 4 * 96 };

/* Bits [bit, bit + width) of a scalar. */
static uint32_t digit(const uint8_t *scalar, uint32_t bit, uint32_t width) {
  uint32_t value = 0;
  for (uint32_t i = 0; i < 4 && bit / 8 + i < SCALAR_BITS / 8; i++) value |= (uint32_t)scalar[bit / 8 + i] << 8 * i;
  return value >> bit % 8 & ((1u << width) - 1);
}

/* The width with the fewest additions, of which there are n + 2^(width + 1) per window. */
static uint32_t choose_width(uint64_t n, uint32_t bits) {
  uint32_t best = 1;
  uint64_t least = UINT64_MAX;
  for (uint32_t width = 1; width <= MAX_WINDOW; width++) {
    uint64_t cost = (bits + width - 1) / width * (n + (2u << width));
    if (cost < least) {
      least = cost;
      best = width;
    }
  }
  return best;
}

/* Adds one window: its buckets, then their sum with weights 1, 2, ... by two running sums (Pippenger). */
static void add_window(const rp_curve_host *curve, const uint8_t *scalars, const uint8_t *points, uint64_t n,
                       uint32_t bit, uint32_t width, uint8_t *buckets, uint64_t *sum) {
  uint32_t n_buckets = (1u << width) - 1, size = curve->accumulator_bytes;
  uint64_t running[ACC_BYTES / 8];
  for (uint32_t b = 0; b < n_buckets; b++) curve->acc_identity(buckets + (size_t)b * size);
  for (uint64_t i = 0; i < n; i++) {
    uint32_t d = digit(scalars + 32 * i, bit, width);
    uint8_t *bucket = buckets + (size_t)(d - 1) * size;
    if (d) curve->acc_add_affine(bucket, bucket, points + i * curve->affine_bytes);
  }
  curve->acc_identity(running);
  for (uint32_t b = n_buckets; b-- > 0;) {
    curve->acc_add(running, running, buckets + (size_t)b * size);
    curve->acc_add(sum, sum, running);
  }
}

rp_status g16_msm_host(const rp_curve_host *curve, const void *base, const uint8_t *scalars, const uint8_t *points,
                       uint64_t n, uint32_t bits, void *affine_out) {
  uint64_t sum[ACC_BYTES / 8];
  uint32_t width = choose_width(n, bits);
  uint8_t *buckets = aligned_alloc(64, (((size_t)1 << width) * curve->accumulator_bytes + 63) & ~(size_t)63);
  if (!buckets) return RP_ERR_MEMORY;
  curve->acc_identity(sum);
  for (uint32_t window = (bits + width - 1) / width; n != 0 && window-- > 0;) {
    for (uint32_t i = 0; i < width; i++) curve->acc_double(sum, sum);
    add_window(curve, scalars, points, n, window * width, width, buckets, sum);
  }
  curve->acc_add_affine(sum, sum, base);
  curve->acc_to_affine(affine_out, sum);
  free(buckets);
  return RP_OK;
}
