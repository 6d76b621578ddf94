/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The rows of compressed sparse matrices, for CUDA C and GLSL: row r has the entries row_ptr[r] to row_ptr[r + 1] - 1.
 */
#ifndef REPRISE_OPS_ROWS_H
#define REPRISE_OPS_ROWS_H

#include "kernel/shared.h"

/* The last row in [lo, hi) that begins at or before entry i; `lo` if there is none. */
RP_SHARED uint32_t row_between(RP_ADDR(const uint32_t) row_ptr, uint32_t lo, uint32_t hi, uint32_t i) {
  while (lo + 1 < hi) {
    const uint32_t mid = lo + (hi - lo) / 2;
    if (load_u32(row_ptr, mid) <= i)
      lo = mid;
    else
      hi = mid;
  }
  return lo;
}

/* The row that holds entry i: the last one that begins at or before it and is not empty. i < row_ptr[rows]. */
RP_SHARED uint32_t row_of(RP_ADDR(const uint32_t) row_ptr, uint32_t rows, uint32_t i) {
  return row_between(row_ptr, 0, rows, i);
}

/* The non-empty row that begins at entry i, at which `row` ends. It is mostly the next one; if not, it is found by
 * bisection, because the run of empty rows before it may be long. i < row_ptr[rows]. */
RP_SHARED uint32_t row_after(RP_ADDR(const uint32_t) row_ptr, uint32_t rows, uint32_t row, uint32_t i) {
  return row + 2 <= rows && load_u32(row_ptr, row + 2) != i ? row + 1 : row_of(row_ptr, rows, i);
}

#endif
