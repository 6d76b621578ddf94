/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef REPRISE_CUDA_ROWS_CUH
#define REPRISE_CUDA_ROWS_CUH

#include <stdint.h>

/* The row that holds entry i: the last one that begins at or before it and is not empty. i < row_ptr[rows]. */
static __device__ __forceinline__ uint32_t row_of(const uint32_t *row_ptr, uint32_t rows, uint32_t i) {
  uint32_t lo = 0, hi = rows; /* row_ptr[lo] <= i < row_ptr[hi] */
  while (hi - lo > 1) {
    uint32_t mid = lo + (hi - lo) / 2;
    if (row_ptr[mid] <= i) lo = mid;
    else hi = mid;
  }
  return lo;
}

/* The row that begins at i and is not empty, after `row`: mostly the next one, but a long run of empty rows must not be
 * walked through. i < row_ptr[rows]. */
static __device__ __forceinline__ uint32_t row_after(const uint32_t *row_ptr, uint32_t rows, uint32_t row, uint32_t i) {
  return row + 2 <= rows && row_ptr[row + 2] != i ? row + 1 : row_of(row_ptr, rows, i);
}

#endif
