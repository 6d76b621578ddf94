/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The memory that batches of affine additions need per worker: lowerings reserve it, CPU kernels lay it out.
 */
#ifndef REPRISE_OPS_AFFINE_BATCH_MEMORY_H
#define REPRISE_OPS_AFFINE_BATCH_MEMORY_H

#include <stdint.h>

/* Memory of a batch of up to n pairs (affine_batch.h): first the products of denominators, as one field element each
 * or, for eight lanes, in digits of 52 bits, which take a third more; then the pairs. n is rounded up to a multiple of
 * eight. */
#define RP_PAIR_BYTES 16
#define RP_PAIR_PRODUCT_BYTES(base_bytes) (((base_bytes)*4 / 3 + 7) / 8 * 8)
static inline uint64_t rp_pair_products_bytes(uint32_t n, uint32_t base_bytes) {
  return ((uint64_t)n + 7) / 8 * 8 * RP_PAIR_PRODUCT_BYTES(base_bytes);
}
static inline uint64_t rp_pair_memory_bytes(uint32_t n, uint32_t base_bytes) {
  return rp_pair_products_bytes(n, base_bytes) + ((uint64_t)n + 7) / 8 * 8 * RP_PAIR_BYTES;
}

/* Memory per worker in 64-bit words; the templates lay it out in units of 64 bytes. */
static inline uint32_t rp_worker_words(uint64_t bytes) { return (uint32_t)((bytes + 63) / 64 * 8); }

#endif
