/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef REPRISE_VULKAN_ROWS_GLSL
#define REPRISE_VULKAN_ROWS_GLSL

/* The row that holds entry i: the last one that begins at or before it and is not empty. i < row_ptr[rows]. */
uint row_of(addr row_ptr, uint rows, uint i) {
  uint lo = 0, hi = rows; /* row_ptr[lo] <= i < row_ptr[hi] */
  while (hi - lo > 1) {
    const uint mid = lo + (hi - lo) / 2;
    if (load_u32(row_ptr, mid) <= i)
      lo = mid;
    else
      hi = mid;
  }
  return lo;
}

/* The non-empty row that begins at entry i, at which `row` ends. It is mostly the next one; if not, it is found by
 * bisection, because the run of empty rows before it may be long. i < row_ptr[rows]. */
uint row_after(addr row_ptr, uint rows, uint row, uint i) {
  return row + 2 <= rows && load_u32(row_ptr, row + 2) != i ? row + 1 : row_of(row_ptr, rows, i);
}

#endif
