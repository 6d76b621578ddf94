/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Sparse matrix times vector (ops/sparse/spmv.c, spmv_gpu.c). Indices are checked where they are used. An x
 * in canonical form takes no other code: the result is defined as the Montgomery product of a stored value and x
 * (reprise/ops.h).
 */
#include "kernel/kernel.cuh"

#include "sparse/spmv_gpu_args.h"
#include "sparse/spmv_args.h"
#include "kernel/fault.cuh"
#include "arith/field.cuh"
#include "kernel/rows.cuh"

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

/* With elements of up to 8 bytes, a thread that reads its own entries one after another uses a small part of each cache
 * line at a time, and the line is read again. Therefore neighbouring threads of a block compute the products of
 * neighbouring entries, and each thread then sums its own from shared memory. */
static constexpr bool staged = sizeof(fe) <= 8;
static constexpr uint32_t THREADS = 128, STAGE = THREADS * RP_GPU_SPMV_SHORT;
static __device__ __forceinline__ uint32_t slot(uint32_t i) { return i + i / 8; } /* spreads chunks over the banks */

/* products[slot(j)] = val[first + j] x[col[first + j]] for the n entries from first on, at most STAGE of them. */
template <class args> static __device__ void stage_products(fe *products, const args &k, uint32_t first, uint32_t n) {
  constexpr uint32_t AHEAD = 4;
  for (uint32_t at = threadIdx.x; at < n; at += AHEAD * THREADS) {
    uint32_t c[AHEAD];
    fe x[AHEAD], v[AHEAD];
#pragma unroll
    for (uint32_t j = 0; j < AHEAD; j++) c[j] = at + j * THREADS < n ? k.col[first + at + j * THREADS] : 0;
#pragma unroll
    for (uint32_t j = 0; j < AHEAD; j++) {
      const uint32_t i = first + at + j * THREADS;
      x[j] = v[j] = fe_zero();
      if (at + j * THREADS >= n) continue;
      if (c[j] >= k.cols) {
        fault(k, i);
        continue;
      }
      x[j] = fe_load(k.x, c[j]);
      v[j] = fe_load(k.val, i);
    }
#pragma unroll
    for (uint32_t j = 0; j < AHEAD; j++)
      if (at + j * THREADS < n) products[slot(at + j * THREADS)] = fe_mul(v[j], x[j]);
  }
}

/* One thread per row. If staged, a block goes through the entries of its rows STAGE at a time. */
extern "C" __global__ void __launch_bounds__(128) spmv_rows(const rp_spmv_args k) {
  const uint32_t row = INDEX;
  uint32_t first = 0, last = 0;
  if (row < k.rows) {
    first = k.row_ptr[row], last = k.row_ptr[row + 1];
    if (first > last || last > k.nnz || (row == 0 && first)) {
      fault(k, row);
      last = first;
    }
  }
  fe sum = fe_zero();
  if constexpr (staged) {
    __shared__ fe products[STAGE + STAGE / 8];
    const uint32_t row0 = row - threadIdx.x, rows = k.rows - row0 < THREADS ? k.rows - row0 : THREADS;
    const uint32_t all = k.row_ptr[row0 + rows], end = all < k.nnz ? all : k.nnz;
    for (uint64_t tile = k.row_ptr[row0]; tile < end; tile += STAGE) {
      const uint32_t n = end - (uint32_t)tile < STAGE ? end - (uint32_t)tile : STAGE;
      const uint32_t to = last < tile + n ? last : (uint32_t)tile + n;
      stage_products(products, k, (uint32_t)tile, n);
      __syncthreads();
      for (uint32_t i = first < tile ? (uint32_t)tile : first; i < to; i++)
        sum = fe_add(sum, products[slot(i - (uint32_t)tile)]);
      __syncthreads();
    }
  } else {
    for (uint32_t i = first; i < last; i++) sum = add_product(k, sum, i);
  }
  if (row < k.rows) fe_store(k.y, row, sum);
}

/* The sum over the warp, in lane 0. */
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

/* One warp per row: each lane takes every 32nd entry, and the lanes' sums are added in a tree of shuffles. */
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

/* Zeroes a row without entries, which no chunk meets, and checks row_ptr; row 0 also empties the list of heavy rows. */
static __device__ void clear_row(const rp_gpu_spmv_args &k, uint32_t row) {
  if (row == 0) k.heavy[0] = 0;
  if (row >= k.rows) return;
  const uint32_t first = k.row_ptr[row], last = k.row_ptr[row + 1];
  if (first > last || last > k.nnz || (row == 0 && first)) fault(k, row);
  if (first >= last) fe_store(k.y, row, fe_zero());
}

/* The list of heavy rows is followed by one word per chunk: the row that begins in the chunk and continues after it, or
 * NO_ROW. */
static constexpr uint32_t NO_ROW = UINT32_MAX;
static __device__ uint32_t most_heavy(const rp_gpu_spmv_args &k) {
  return (uint32_t)(((uint64_t)k.nnz + k.chunk - 1) / k.chunk) / RP_GPU_SPMV_HEAVY;
}
static __device__ uint32_t *cut_rows(const rp_gpu_spmv_args &k) { return k.heavy + 1 + most_heavy(k); }

/* The element of x for entry i; zero, and a fault, if its column is out of range. */
static __device__ fe x_of(const rp_gpu_spmv_args &k, uint32_t i) {
  const uint32_t c = k.col[i];
  if (c < k.cols) return fe_load(k.x, c);
  fault(k, i);
  return fe_zero();
}

/* Blocks from clear_from on do the work of spmv_clear. */
extern "C" __global__ void __launch_bounds__(128) spmv_balanced(const rp_gpu_spmv_args k) {
  if (blockIdx.x >= k.clear_from) {
    clear_row(k, INDEX - k.clear_from * THREADS);
    return;
  }
  const uint32_t item = INDEX, entries = entries_of(k);
  const uint64_t first = (uint64_t)item * k.chunk, block_first = (uint64_t)(item - threadIdx.x) * k.chunk;
  if (block_first >= entries) return;
  const uint32_t last = first + k.chunk < entries ? (uint32_t)first + k.chunk : entries;
  uint32_t i = (uint32_t)first, row = 0, end = 0;
  bool began_before = false;
  fe x = fe_zero(), sum = fe_zero();
  const uint32_t left = entries - (uint32_t)block_first, all = THREADS * k.chunk, n = left < all ? left : all;
  __shared__ fe products[staged ? STAGE + STAGE / 8 : 1];
  __shared__ uint32_t bound[2];
  bound_rows(bound, k.row_ptr, k.rows, (uint32_t)block_first, (uint32_t)block_first + n - 1);
  if constexpr (staged)
    stage_products(products, k, (uint32_t)block_first, n);
  else if (first < entries)
    x = x_of(k, i);
  __syncthreads();
  if (first >= entries) return;
  row = row_between(k.row_ptr, bound[0], bound[1] + 1, i), end = k.row_ptr[row + 1];
  began_before = k.row_ptr[row] < i;
  if (!began_before) fe_store(k.partial, 2 * item, fe_zero()); /* may be read if the matrix is damaged */
  while (i < last) {
    if constexpr (staged) {
      sum = fe_add(sum, products[slot(i - (uint32_t)block_first)]);
    } else { /* the next x is loaded during the product; a zero, frequent in witnesses, needs no product */
      const fe next = i + 1 < last ? x_of(k, i + 1) : x;
      if (!fe_is_zero(x)) sum = fe_add(sum, fe_mul(fe_load(k.val, i), x));
      x = next;
    }
    i++;
    if (i != end && i != last) continue;
    const bool goes_on = i != end && !began_before;
    if (began_before)
      fe_store(k.partial, 2 * item, sum);
    else if (i == end)
      fe_store(k.y, row, sum);
    else
      fe_store(k.partial, 2 * item + 1, sum);
    if (i == last) {
      cut_rows(k)[item] = goes_on ? row : NO_ROW;
      return;
    }
    row = row_after(k.row_ptr, k.rows, row, i);
    end = k.row_ptr[row + 1];
    began_before = false;
    sum = fe_zero();
  }
}

/* The row that begins in this chunk and continues after it: *row gets it, and the number of its further chunks is
 * returned. 0 if there is no such row. */
static __device__ uint32_t cut_row(const rp_gpu_spmv_args &k, uint32_t item, uint32_t *row) {
  const uint32_t entries = entries_of(k);
  const uint64_t last = (uint64_t)item * k.chunk + k.chunk;
  if (last >= entries) return 0;
  *row = cut_rows(k)[item];
  if (*row >= k.rows) return 0;
  const uint32_t end = k.row_ptr[*row + 1];
  return end <= last || end > entries ? 0 : (end - 1) / k.chunk - item;
}

extern "C" __global__ void __launch_bounds__(128) spmv_join(const rp_gpu_spmv_args k) {
  const uint32_t item = INDEX;
  uint32_t row;
  const uint32_t further = cut_row(k, item, &row);
  if (further == 0) return;
  if (further > RP_GPU_SPMV_HEAVY) { /* a damaged matrix may have more heavy rows than fit */
    const uint32_t at = atomicAdd(k.heavy, 1);
    if (at < most_heavy(k)) k.heavy[1 + at] = item;
    return;
  }
  fe sum = fe_load(k.partial, 2 * item + 1);
#pragma unroll 4
  for (uint32_t c = item + 1; c <= item + further; c++) sum = fe_add(sum, fe_load(k.partial, 2 * c));
  fe_store(k.y, row, sum);
}

/* Blocks take heavy rows in turn. */
extern "C" __global__ void __launch_bounds__(256) spmv_heavy(const rp_gpu_spmv_args k) {
  __shared__ fe sums[8];
  const uint32_t most = most_heavy(k), heavy = k.heavy[0] < most ? k.heavy[0] : most;
  for (uint32_t h = blockIdx.x; h < heavy; h += gridDim.x) {
    const uint32_t item = k.heavy[1 + h];
    uint32_t row = 0;
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
