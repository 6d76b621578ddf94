/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Multi-scalar products of few points.
 */
#ifndef REPRISE_OPS_MSM_SMALL_H
#define REPRISE_OPS_MSM_SMALL_H

#include <reprise/ops.h>

#include "points/affine_batch_memory.h"

/* `batch` sums in accumulator form, of n affine points and batch * n scalars (U256). */
rp_value rp_msm_small(rp_graph *g, rp_value scalars, rp_value points, uint64_t batch);

/* Memory per worker of the CPU kernel in 64-bit words: for each point eight odd multiples and a non-adjacent form of
 * 257 digits, for whole groups of eight points; on eight lanes the multiples are smaller. */
static inline uint32_t rp_msm_small_words(uint32_t n, uint32_t acc_bytes) {
  const uint32_t points = (n + 7) / 8 * 8;
  return rp_worker_words((uint64_t)points * (8 * acc_bytes + 257));
}

#endif
