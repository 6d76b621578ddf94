/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Sparse matrix times vector (ops/args/spmv.h, gpu_spmv.h). Indices are checked where they are used. A canonical x needs nothing else:
 * the Montgomery product of a stored value and x is what the header defines.
 */
#include "kernel.cuh"

#include "args/gpu_spmv.h"
#include "args/spmv.h"
#include "fault.cuh"
#include "field.cuh"
#include "rows.cuh"

#define INDEX (blockIdx.x * blockDim.x + threadIdx.x)

template <class args> static __device__ void fault(const args &k, uint32_t index) {
  rp_fault((uint32_t *)k.error, RP_FAULT_INDEX, k.site, index);
}

/* Zeros are frequent in witnesses; a warp skips the product when all its lanes have one. */
template <class args> static __device__ fe add_product(const args &k, const fe &sum, uint32_t i) {
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

/* Lane 0: the sum over the warp. */
static __device__ fe warp_sum(fe sum) {
  for (uint32_t d = 16; d; d /= 2) {
    fe other;
#pragma unroll
    for (int j = 0; j < (int)(sizeof(fe) / 4); j++)
      ((uint32_t *)&other)[j] = __shfl_down_sync(0xffffffffu, ((const uint32_t *)&sum)[j], d);
    sum = fe_add(sum, other);
  }
  return sum;
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
  sum = warp_sum(sum);
  if (lane == 0) fe_store(k.y, row, sum);
}

static __device__ uint32_t entries_of(const rp_gpu_spmv_args &k) {
  const uint32_t entries = k.row_ptr[k.rows];
  return entries < k.nnz ? entries : k.nnz;
}

/* Rows without entries, which no chunk meets, and the check of row_ptr. */
extern "C" __global__ void __launch_bounds__(128) spmv_clear(const rp_gpu_spmv_args k) {
  const uint32_t row = INDEX;
  if (row == 0) k.heavy[0] = 0;
  if (row >= k.rows) return;
  const uint32_t first = k.row_ptr[row], last = k.row_ptr[row + 1];
  if (first > last || last > k.nnz || (row == 0 && first)) fault(k, row);
  if (first >= last) fe_store(k.y, row, fe_zero());
}

extern "C" __global__ void __launch_bounds__(128) spmv_balanced(const rp_gpu_spmv_args k) {
  const uint32_t item = INDEX, entries = entries_of(k);
  const uint64_t first = (uint64_t)item * k.chunk;
  if (first >= entries) return;
  const uint32_t last = first + k.chunk < entries ? (uint32_t)first + k.chunk : entries;
  uint32_t i = (uint32_t)first, row = row_of(k.row_ptr, k.rows, i), end = k.row_ptr[row + 1];
  bool began_before = k.row_ptr[row] < i;
  fe sum = fe_zero();
  while (i < last) {
    sum = add_product(k, sum, i++);
    if (i != end && i != last) continue;
    if (began_before) fe_store(k.partial, 2 * item, sum);
    else if (i == end) fe_store(k.y, row, sum);
    else fe_store(k.partial, 2 * item + 1, sum);
    if (i == last) return;
    row = row_after(k.row_ptr, k.rows, row, i);
    end = k.row_ptr[row + 1];
    began_before = false;
    sum = fe_zero();
  }
}

/* The row that begins in this chunk and goes on behind it: how many further chunks it has, 0 if there is no such row. */
static __device__ uint32_t cut_row(const rp_gpu_spmv_args &k, uint32_t item, uint32_t *row) {
  const uint32_t entries = entries_of(k);
  const uint64_t first = (uint64_t)item * k.chunk, last = first + k.chunk;
  if (last >= entries) return 0;
  *row = row_of(k.row_ptr, k.rows, (uint32_t)last - 1);
  const uint32_t begin = k.row_ptr[*row], end = k.row_ptr[*row + 1];
  return begin < first || end <= last || end > entries ? 0 : (end - 1) / k.chunk - item;
}

extern "C" __global__ void __launch_bounds__(128) spmv_join(const rp_gpu_spmv_args k) {
  const uint32_t item = INDEX;
  uint32_t row;
  const uint32_t further = cut_row(k, item, &row);
  if (further == 0) return;
  if (further > RP_GPU_SPMV_HEAVY) {
    k.heavy[1 + atomicAdd(k.heavy, 1)] = item;
    return;
  }
  fe sum = fe_load(k.partial, 2 * item + 1);
  for (uint32_t c = item + 1; c <= item + further; c++) sum = fe_add(sum, fe_load(k.partial, 2 * c));
  fe_store(k.y, row, sum);
}

/* Blocks take heavy rows in turn. */
extern "C" __global__ void __launch_bounds__(256) spmv_heavy(const rp_gpu_spmv_args k) {
  __shared__ fe sums[8];
  for (uint32_t h = blockIdx.x, heavy = k.heavy[0]; h < heavy; h += gridDim.x) {
    const uint32_t item = k.heavy[1 + h];
    uint32_t row;
    const uint32_t further = cut_row(k, item, &row);
    fe sum = threadIdx.x ? fe_zero() : fe_load(k.partial, 2 * item + 1);
    for (uint32_t c = threadIdx.x; c < further; c += 256) sum = fe_add(sum, fe_load(k.partial, 2 * (item + 1 + c)));
    sum = warp_sum(sum);
    if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x < 32) {
      sum = warp_sum(threadIdx.x < 8 ? sums[threadIdx.x] : fe_zero());
      if (threadIdx.x == 0) fe_store(k.y, row, sum);
    }
    __syncthreads();
  }
}
