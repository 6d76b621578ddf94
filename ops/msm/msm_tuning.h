/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Sizes that lowerings and CPU kernels of multi-scalar multiplication agree on.
 */
#ifndef RP_CPU_MSM_TUNING_H
#define RP_CPU_MSM_TUNING_H

#include <stdint.h>

/* Fewer pairs than this do not pay for an inversion: they are added one by one. */
enum { RP_MSM_MIN_PAIRS = 24 };

/* Memory of a batch of up to n pairs (affine_batch.h): products of denominators, one an element or eight in digits
 * of 52 bits, which take a third more; then the pairs. n is rounded up to groups of eight, and all parts to 64
 * bytes. */
#define RP_PAIR_BYTES 16
#define RP_PAIR_PRODUCT_BYTES(base_bytes) (((base_bytes)*4 / 3 + 7) / 8 * 8)
static inline uint64_t rp_pair_products_bytes(uint32_t n, uint32_t base_bytes) {
  return ((uint64_t)n + 7) / 8 * 8 * RP_PAIR_PRODUCT_BYTES(base_bytes);
}
static inline uint64_t rp_pair_memory_bytes(uint32_t n, uint32_t base_bytes) {
  return rp_pair_products_bytes(n, base_bytes) + ((uint64_t)n + 7) / 8 * 8 * RP_PAIR_BYTES;
}

/* Memory of a worker in 64-bit words, as the templates lay it out, in units of 64 bytes. */
static inline uint32_t rp_worker_words(uint64_t bytes) { return (uint32_t)((bytes + 63) / 64 * 8); }

/* bucket_accumulate: pairs, two chunks' worth of points, segments of 12 bytes. */
static inline uint32_t rp_accumulate_words(uint32_t chunk, uint32_t affine_bytes, uint32_t base_bytes) {
  return rp_worker_words(rp_pair_memory_bytes(chunk, base_bytes) + (uint64_t)chunk * 2 * affine_bytes +
                         ((uint64_t)chunk + 1) * 12);
}

/* bucket_reduce: of `len` buckets three quarters are added at once; copies of them if they are not affine, and the
 * sums. */
static inline uint32_t rp_reduce_pairs(uint32_t len) { return len - len / 4; }
static inline uint32_t rp_reduce_words(uint32_t len, uint32_t affine_bytes, uint32_t base_bytes) {
  return rp_worker_words(rp_pair_memory_bytes(rp_reduce_pairs(len), base_bytes) + (uint64_t)len * 2 * affine_bytes);
}

/* msm_small: eight odd multiples and a non-adjacent form of 257 digits a point; on eight lanes half of that, for whole
 * groups of eight. */
static inline uint32_t rp_msm_small_words(uint32_t n, uint32_t acc_bytes) {
  const uint32_t points = n < 8 ? 8 : n;
  return rp_worker_words((uint64_t)points * (8 * acc_bytes + 257));
}

/* Fixed bases: scalars that share inversions. */
enum { RP_FIXED_BASE_BATCH = 512 };
static inline uint32_t rp_fixed_base_table_words(uint32_t window_bits, uint32_t base_bytes) {
  return rp_worker_words(rp_pair_memory_bytes(1u << (window_bits - 1), base_bytes));
}
static inline uint32_t rp_fixed_base_mul_words(uint32_t affine_bytes, uint32_t base_bytes) {
  return rp_worker_words(rp_pair_memory_bytes(RP_FIXED_BASE_BATCH, base_bytes) +
                         RP_FIXED_BASE_BATCH * 2 * affine_bytes);
}

#endif
