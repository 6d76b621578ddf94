/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef REPRISE_CUDA_ROWS_CUH
#define REPRISE_CUDA_ROWS_CUH

#include "kernel/kernel.cuh"

#include "kernel/rows.h"

/* row_of, found by all lanes of a warp together, with 32 probes per step. */
static __device__ __forceinline__ uint32_t warp_row_of(const uint32_t *row_ptr, uint32_t rows, uint32_t i) {
  uint32_t lo = 0, hi = rows;
  while (lo + 1 < hi) {
    const uint64_t gap = hi - lo;
    const uint32_t probe = lo + (uint32_t)(gap * ((threadIdx.x & 31) + 1) / 33);
    const uint32_t below = __popc(__ballot_sync(0xffffffffu, row_ptr[probe] <= i));
    if (below < 32) hi = lo + (uint32_t)(gap * (below + 1) / 33);
    lo += (uint32_t)(gap * below / 33);
  }
  return lo;
}

/* bound[0] and bound[1] get the rows of a block's first and last entry, which two warps search for; a barrier must
 * follow. Each thread can then search for its own row between the two, where all threads read the same few cache
 * lines. */
static __device__ __forceinline__ void bound_rows(uint32_t bound[2], const uint32_t *row_ptr, uint32_t rows,
                                                  uint32_t first, uint32_t last) {
  const uint32_t warp = threadIdx.x / 32;
  if (warp > 1) return;
  const uint32_t row = warp_row_of(row_ptr, rows, warp ? last : first);
  if ((threadIdx.x & 31) == 0) bound[warp] = row;
}

#endif
