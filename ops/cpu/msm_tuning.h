/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Sizes that lowerings and CPU kernels of multi-scalar multiplication agree on.
 */
#ifndef RP_CPU_MSM_TUNING_H
#define RP_CPU_MSM_TUNING_H

#include <stdint.h>

/* Fewer pairs than this do not pay for an inversion: they are added one by one. */
enum { RP_MSM_MIN_PAIRS = 24 };

/* Memory of a worker, as the templates lay it out: a pair takes 16 bytes, a segment 12. */
static inline uint32_t rp_accumulate_words(uint32_t chunk, uint32_t affine_bytes, uint32_t base_bytes) {
  return (uint32_t)(((uint64_t)chunk * (2 * affine_bytes + base_bytes + 16) + ((uint64_t)chunk + 1) * 12 + 7) / 8);
}

static inline uint32_t rp_reduce_words(uint32_t chains, uint32_t affine_bytes, uint32_t base_bytes) {
  return (uint32_t)((uint64_t)chains * (3 * affine_bytes + 2 * (base_bytes + 16)) / 8);
}

/* msm_small: eight odd multiples and a non-adjacent form of 257 digits a point. */
static inline uint32_t rp_msm_small_words(uint32_t n, uint32_t acc_bytes) {
  return (uint32_t)(((uint64_t)n * (8 * acc_bytes + 257) + 7) / 8);
}

/* Fixed bases: scalars that share inversions, and memory of a worker. */
enum { RP_FIXED_BASE_BATCH = 512 };
static inline uint32_t rp_fixed_base_table_words(uint32_t window_bits, uint32_t base_bytes) {
  return (uint32_t)(((uint64_t)1 << (window_bits - 1)) * (base_bytes + 16) / 8) + 1;
}
static inline uint32_t rp_fixed_base_mul_words(uint32_t affine_bytes, uint32_t base_bytes) {
  return RP_FIXED_BASE_BATCH * (2 * affine_bytes + base_bytes + 16) / 8;
}

#endif
