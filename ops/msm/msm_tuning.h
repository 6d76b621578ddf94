/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Sizes that the lowerings and CPU kernels of multi-scalar multiplication must agree on.
 */
#ifndef RP_CPU_MSM_TUNING_H
#define RP_CPU_MSM_TUNING_H

#include <stdint.h>

#include "points/affine_batch_memory.h"

/* Fewer pairs than this are not worth an inversion and are added one by one. */
enum { RP_MSM_MIN_PAIRS = 24 };

/* Memory of bucket_accumulate: pairs, the points of two chunks, segments of 12 bytes. */
static inline uint32_t rp_accumulate_words(uint32_t chunk, uint32_t affine_bytes, uint32_t base_bytes) {
  return rp_worker_words(rp_pair_memory_bytes(chunk, base_bytes) + (uint64_t)chunk * 2 * affine_bytes +
                         ((uint64_t)chunk + 1) * 12);
}

/* Memory of bucket_reduce: a round adds up to three quarters as many pairs as there are buckets. Then copies of the
 * buckets, if they are not affine, and the sums. */
static inline uint32_t rp_reduce_pairs(uint32_t len) { return len - len / 4; }
static inline uint32_t rp_reduce_words(uint32_t len, uint32_t affine_bytes, uint32_t base_bytes) {
  return rp_worker_words(rp_pair_memory_bytes(rp_reduce_pairs(len), base_bytes) + (uint64_t)len * 2 * affine_bytes);
}

#endif
