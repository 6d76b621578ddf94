/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Conversions of sparse matrices (ops/sparse/csr.c, csr_gpu.c). Indices are checked where they are used: a
 * damaged matrix leads to a fault, never to an access outside the arrays.
 */
#include "kernel/kernel.cuh"

#include "sparse/csr_args.h"
#include "sparse/csr_gpu_args.h"
#include "kernel/fault.cuh"
#include "kernel/rows.cuh"
#include "kernel/values.cuh"

#define BLOCK RP_GPU_CSR_BLOCK
#define INDEX (blockIdx.x * blockDim.x + threadIdx.x)

extern "C" __global__ void __launch_bounds__(BLOCK) ell_lengths(const rp_gpu_ell_lengths_args k) {
  const uint32_t r = INDEX;
  if (r >= k.rows) return;
  const uint32_t length = k.row_len[r];
  if (length > k.width) rp_fault(k.error, RP_FAULT_INDEX, k.site, r);
  k.lengths[r] = length < k.width ? length : k.width;
}

/* One thread per place of the ELLPACK arrays. Those after the end of the last row are cleared. */
extern "C" __global__ void __launch_bounds__(BLOCK) ell_compact(const rp_ell_args k) {
  __shared__ uint32_t from[BLOCK], to[BLOCK];
  const uint32_t slot = INDEX, total = k.row_ptr[k.rows];
  const bool valid = slot < k.capacity, behind = valid && slot >= total;
  uint32_t at = NOWHERE;
  if (valid) {
    const uint32_t row = slot / k.width, first = k.row_ptr[row], j = slot - row * k.width;
    if (j < k.row_ptr[row + 1] - first) {
      const uint32_t col = k.col[slot];
      at = first + j;
      if (col >= k.cols) rp_fault((uint32_t *)k.error, RP_FAULT_INDEX, k.site, slot);
      k.out_col[at] = col;
    }
  }
  if (behind) k.out_col[slot] = NOWHERE;
  if (!k.size_bytes) return;
  from[threadIdx.x] = slot;
  to[threadIdx.x] = at;
  __syncthreads();
  move_values<BLOCK>(k.out_val, k.val, k.size_bytes, from, to);
  if (!__syncthreads_or(behind)) return;
  from[threadIdx.x] = NOWHERE;
  to[threadIdx.x] = behind ? slot : NOWHERE;
  __syncthreads();
  move_values<BLOCK>(k.out_val, k.val, k.size_bytes, from, to);
}

/* A thread takes RP_GPU_CSR_KEYS entries, and checks as many rows. */
extern "C" __global__ void __launch_bounds__(BLOCK) transpose_keys(const rp_gpu_transpose_keys_args k) {
  __shared__ uint32_t bound[2];
  constexpr uint32_t SPAN = BLOCK * RP_GPU_CSR_KEYS;
  const uint32_t first = blockIdx.x * SPAN, end = k.row_ptr[k.rows], used = end < k.nnz ? end : k.nnz;
  if (first < used) bound_rows(bound, k.row_ptr, k.rows, first, used - first < SPAN ? used - 1 : first + SPAN - 1);
  __syncthreads();
#pragma unroll
  for (uint32_t j = 0; j < RP_GPU_CSR_KEYS; j++) {
    const uint64_t at = (uint64_t)first + j * BLOCK + threadIdx.x;
    const uint32_t i = (uint32_t)at;
    if (at < k.rows) {
      const uint32_t begin = k.row_ptr[i], next = k.row_ptr[i + 1];
      if (begin > next || next > k.nnz || (i == 0 && begin)) rp_fault(k.error, RP_FAULT_INDEX, k.site, i);
    }
    if (at >= k.nnz) continue;
    uint32_t key = k.cols;
    if (i < used) {
      key = k.col[i];
      if (key >= k.cols) {
        rp_fault(k.error, RP_FAULT_INDEX, k.site, i);
        key = k.cols;
      }
      k.rows_of[i] = row_between(k.row_ptr, bound[0], bound[1] + 1, i);
    }
    k.keys[i] = key;
  }
}

extern "C" __global__ void __launch_bounds__(BLOCK) transpose_rows(const rp_gpu_transpose_rows_args k) {
  const uint32_t c = INDEX;
  if (c > k.cols) return;
  uint32_t lo = 0, hi = k.nnz; /* the first key that is not below c */
  while (lo < hi) {
    const uint32_t mid = lo + (hi - lo) / 2;
    if (k.keys[mid] < c)
      lo = mid + 1;
    else
      hi = mid;
  }
  k.out_row_ptr[c] = lo;
}

extern "C" __global__ void __launch_bounds__(BLOCK) transpose_entries(const rp_gpu_transpose_entries_args k) {
  __shared__ uint32_t from[BLOCK], to[BLOCK];
  const uint32_t i = INDEX;
  uint32_t source = NOWHERE;
  if (i < k.nnz) {
    if (k.keys[i] < k.cols) source = k.order[i];
    k.out_col[i] = source != NOWHERE ? k.rows_of[source] : NOWHERE;
  }
  if (!k.size_bytes) return;
  from[threadIdx.x] = source;
  to[threadIdx.x] = i < k.nnz ? i : NOWHERE;
  __syncthreads();
  move_values<BLOCK>(k.out_val, k.val, k.size_bytes, from, to);
}
