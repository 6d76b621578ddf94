/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The memory that the CPU kernels for fixed bases need per worker.
 */
#ifndef REPRISE_OPS_FIXED_BASE_MEMORY_H
#define REPRISE_OPS_FIXED_BASE_MEMORY_H

#include "points/affine_batch_memory.h"

/* Number of scalars that share inversions. */
enum { RP_FIXED_BASE_BATCH = 512 };
static inline uint32_t rp_fixed_base_table_words(uint32_t window_bits, uint32_t base_bytes) {
  return rp_worker_words(rp_pair_memory_bytes(1u << (window_bits - 1), base_bytes));
}
static inline uint32_t rp_fixed_base_mul_words(uint32_t affine_bytes, uint32_t base_bytes) {
  return rp_worker_words(rp_pair_memory_bytes(RP_FIXED_BASE_BATCH, base_bytes) +
                         RP_FIXED_BASE_BATCH * 2 * affine_bytes);
}

#endif
