/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Sparse matrix times vector (ops/args/spmv.h). Indices are checked where they are used. A canonical x needs nothing else:
 * the Montgomery product of a stored value and x is what the header defines.
 */
#include "kernel.cuh"

#include "args/spmv.h"
#include "fault.cuh"
#include "field.cuh"

#define INDEX (blockIdx.x * blockDim.x + threadIdx.x)

static __device__ void fault(const rp_spmv_args &k, uint32_t index) {
  rp_fault((uint32_t *)k.error, RP_FAULT_INDEX, k.site, index);
}

/* Zeros are frequent in witnesses; a warp skips the product when all its lanes have one. */
static __device__ fe add_product(const rp_spmv_args &k, const fe &sum, uint32_t i) {
  const uint32_t c = k.col[i];
  if (c >= k.cols) {
    fault(k, i);
    return sum;
  }
  const fe x = fe_load(k.x, c);
  if (fe_is_zero(x)) return sum;
  return fe_add(sum, fe_mul(fe_load(k.val, i), x));
}

extern "C" __global__ void __launch_bounds__(128) spmv_rows(const rp_spmv_args k) {
  const uint32_t row = INDEX;
  if (row >= k.rows) return;
  uint32_t first = k.row_ptr[row], last = k.row_ptr[row + 1];
  if (first > last || last > k.nnz || (row == 0 && first)) {
    fault(k, row);
    last = first;
  }
  fe sum = fe_zero();
  for (uint32_t i = first; i < last; i++) sum = add_product(k, sum, i);
  fe_store(k.y, row, sum);
}

/* A subgroup a row: lanes take every 32nd entry, and their sums meet in a tree of shuffles. */
extern "C" __global__ void __launch_bounds__(128) spmv_vector(const rp_spmv_args k) {
  const uint32_t row = INDEX / 32, lane = threadIdx.x & 31;
  if (row >= k.rows) return;
  uint32_t first = k.row_ptr[row], last = k.row_ptr[row + 1];
  if (first > last || last > k.nnz || (row == 0 && first)) {
    if (lane == 0) fault(k, row);
    last = first;
  }
  fe sum = fe_zero();
  for (uint32_t i = first + lane; i < last; i += 32) sum = add_product(k, sum, i);
  for (uint32_t d = 16; d; d /= 2) {
    fe other;
#pragma unroll
    for (int j = 0; j < (int)(sizeof(fe) / 4); j++)
      ((uint32_t *)&other)[j] = __shfl_down_sync(0xffffffffu, ((const uint32_t *)&sum)[j], d);
    sum = fe_add(sum, other);
  }
  if (lane == 0) fe_store(k.y, row, sum);
}

/* The first row whose entries begin at `at` or later, in [0, rows]. */
static __device__ uint32_t row_from(const uint32_t *row_ptr, uint32_t rows, uint32_t at) {
  uint32_t lo = 0, hi = rows;
  while (lo < hi) {
    uint32_t mid = lo + (hi - lo) / 2;
    if (row_ptr[mid] >= at) hi = mid;
    else lo = mid + 1;
  }
  return lo;
}

extern "C" __global__ void __launch_bounds__(128) spmv_balanced(const rp_spmv_args k) {
  const uint32_t item = INDEX;
  const uint64_t first = (uint64_t)item * k.chunk;
  if (first >= k.nnz) return;
  const uint64_t want = first + k.chunk;
  const uint32_t last = want < k.nnz ? (uint32_t)want : k.nnz;
  const bool is_last = last == k.nnz;
  uint32_t row = row_from(k.row_ptr, k.rows, (uint32_t)first), i = (uint32_t)first;
  const uint32_t limit = row < k.rows ? k.row_ptr[row] : k.row_ptr[k.rows];
  fe sum = fe_zero();
  /* What is left of the row before. */
  for (const uint32_t stop = limit < last ? limit : last; i < stop; i++) sum = add_product(k, sum, i);
  fe_store(k.partial, 2 * item, sum);
  sum = fe_zero();
  while (row < k.rows && (k.row_ptr[row] < last || is_last)) {
    const uint32_t begin = k.row_ptr[row], end = k.row_ptr[row + 1];
    if (begin > end || end > k.nnz) {
      fault(k, row);
      break;
    }
    sum = fe_zero();
    for (const uint32_t stop = end < last ? end : last; i < stop; i++) sum = add_product(k, sum, i);
    if (end > last) break;
    fe_store(k.y, row++, sum);
    sum = fe_zero();
  }
  fe_store(k.partial, 2 * item + 1, sum);
}

extern "C" __global__ void __launch_bounds__(128) spmv_join(const rp_spmv_join_args k) {
  const uint32_t item = INDEX;
  const uint64_t first = (uint64_t)item * k.chunk, last = first + k.chunk;
  if (first >= k.nnz || last >= k.nnz) return;
  /* The row that begins in this chunk and goes on behind it. */
  const uint32_t row = row_from(k.row_ptr, k.rows, (uint32_t)last);
  if (row == 0) return;
  const uint32_t begin = k.row_ptr[row - 1], end = k.row_ptr[row];
  if (begin < first || begin >= last || end <= last) return;
  fe sum = fe_load(k.partial, 2 * item + 1);
  for (uint32_t c = item + 1; (uint64_t)c * k.chunk < end; c++) sum = fe_add(sum, fe_load(k.partial, 2 * c));
  fe_store(k.y, row - 1, sum);
}
