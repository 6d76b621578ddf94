/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef REPRISE_CUDA_ROWS_CUH
#define REPRISE_CUDA_ROWS_CUH

#include <stdint.h>

/* The last row from `lo` on and below `hi` that begins at or before entry i; `lo` if there is none. */
static __device__ __forceinline__ uint32_t row_between(const uint32_t *row_ptr, uint32_t lo, uint32_t hi, uint32_t i) {
  while (lo + 1 < hi) {
    const uint32_t mid = lo + (hi - lo) / 2;
    if (row_ptr[mid] <= i)
      lo = mid;
    else
      hi = mid;
  }
  return lo;
}

/* The row that holds entry i: the last one that begins at or before it and is not empty. i < row_ptr[rows]. */
static __device__ __forceinline__ uint32_t row_of(const uint32_t *row_ptr, uint32_t rows, uint32_t i) {
  return row_between(row_ptr, 0, rows, i);
}

/* The same by a warp together, 32 probes a step. */
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

/* The rows that hold a workgroup's entries are among bound[0] to bound[1]: those of its first and last one, which two
 * warps look for; a barrier must follow. Each thread looks for its own between these, near one another in the cache. */
static __device__ __forceinline__ void bound_rows(uint32_t bound[2], const uint32_t *row_ptr, uint32_t rows,
                                                  uint32_t first, uint32_t last) {
  const uint32_t warp = threadIdx.x / 32;
  if (warp > 1) return;
  const uint32_t row = warp_row_of(row_ptr, rows, warp ? last : first);
  if ((threadIdx.x & 31) == 0) bound[warp] = row;
}

/* The row that begins at i and is not empty, after `row`: mostly the next one, but a long run of empty rows must not be
 * walked through. i < row_ptr[rows]. */
static __device__ __forceinline__ uint32_t row_after(const uint32_t *row_ptr, uint32_t rows, uint32_t row, uint32_t i) {
  return row + 2 <= rows && row_ptr[row + 2] != i ? row + 1 : row_of(row_ptr, rows, i);
}

#endif
