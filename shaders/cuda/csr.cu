/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Conversions of sparse matrices (ops/args/csr.h, gpu_csr.h). Indices are checked where they are used; damaged matrices
 * lead to faults and never outside the arrays.
 */
#include "kernel.cuh"

#include "args/csr.h"
#include "args/gpu_csr.h"
#include "fault.cuh"
#include "rows.cuh"

#define BLOCK RP_GPU_CSR_BLOCK
#define INDEX (blockIdx.x * blockDim.x + threadIdx.x)
#define NONE UINT32_MAX

/* The block's elements, as words, so that lanes side by side move bytes side by side: element i goes from from[i] to to[i];
 * from nowhere: zeros; to nowhere: none. */
template <typename T>
static __device__ void move_words(T *out, const T *in, uint32_t words, const uint32_t *from, const uint32_t *to) {
  for (uint32_t t = threadIdx.x; t < BLOCK * words; t += BLOCK) {
    const uint32_t i = t / words, w = t - i * words;
    if (to[i] != NONE) out[(uint64_t)to[i] * words + w] = from[i] != NONE ? in[(uint64_t)from[i] * words + w] : T{};
  }
}

static __device__ void move_values(void *out, const void *in, uint32_t size, const uint32_t *from, const uint32_t *to) {
  const uintptr_t bits = (uintptr_t)out | (uintptr_t)in | size;
  if ((bits & 15) == 0) move_words((uint4 *)out, (const uint4 *)in, size / 16, from, to);
  else if ((bits & 7) == 0) move_words((uint64_t *)out, (const uint64_t *)in, size / 8, from, to);
  else if ((bits & 3) == 0) move_words((uint32_t *)out, (const uint32_t *)in, size / 4, from, to);
  else move_words((uint8_t *)out, (const uint8_t *)in, size, from, to);
}

extern "C" __global__ void __launch_bounds__(BLOCK) ell_lengths(const rp_gpu_ell_lengths_args k) {
  const uint32_t r = INDEX;
  if (r >= k.rows) return;
  const uint32_t length = k.row_len[r];
  if (length > k.width) rp_fault(k.error, RP_FAULT_INDEX, k.site, r);
  k.lengths[r] = length < k.width ? length : k.width;
}

/* A thread a slot. */
extern "C" __global__ void __launch_bounds__(BLOCK) ell_compact(const rp_ell_args k) {
  __shared__ uint32_t from[BLOCK], to[BLOCK];
  const uint32_t slot = INDEX, total = k.row_ptr[k.rows];
  const bool valid = slot < k.capacity, behind = valid && slot >= total;
  uint32_t at = NONE;
  if (valid) {
    const uint32_t row = slot / k.width, first = k.row_ptr[row], j = slot - row * k.width;
    if (j < k.row_ptr[row + 1] - first) {
      const uint32_t col = k.col[slot];
      at = first + j;
      if (col >= k.cols) rp_fault((uint32_t *)k.error, RP_FAULT_INDEX, k.site, slot);
      k.out_col[at] = col;
    }
  }
  if (behind) k.out_col[slot] = NONE;
  if (!k.size_bytes) return;
  from[threadIdx.x] = slot;
  to[threadIdx.x] = at;
  __syncthreads();
  move_values(k.out_val, k.val, k.size_bytes, from, to);
  if (!__syncthreads_or(behind)) return;
  from[threadIdx.x] = NONE;
  to[threadIdx.x] = behind ? slot : NONE;
  __syncthreads();
  move_values(k.out_val, k.val, k.size_bytes, from, to);
}

extern "C" __global__ void __launch_bounds__(BLOCK) transpose_keys(const rp_gpu_transpose_keys_args k) {
  const uint32_t i = INDEX, end = k.row_ptr[k.rows], used = end < k.nnz ? end : k.nnz;
  if (i < k.rows) {
    const uint32_t begin = k.row_ptr[i], next = k.row_ptr[i + 1];
    if (begin > next || next > k.nnz || (i == 0 && begin)) rp_fault(k.error, RP_FAULT_INDEX, k.site, i);
  }
  if (i >= k.nnz) return;
  uint32_t key = k.cols;
  if (i < used) {
    key = k.col[i];
    if (key >= k.cols) {
      rp_fault(k.error, RP_FAULT_INDEX, k.site, i);
      key = k.cols;
    }
    k.rows_of[i] = row_of(k.row_ptr, k.rows, i);
  }
  k.keys[i] = key;
}

extern "C" __global__ void __launch_bounds__(BLOCK) transpose_rows(const rp_gpu_transpose_rows_args k) {
  const uint32_t c = INDEX;
  if (c > k.cols) return;
  uint32_t lo = 0, hi = k.nnz; /* the first key that is not below c */
  while (lo < hi) {
    const uint32_t mid = lo + (hi - lo) / 2;
    if (k.keys[mid] < c) lo = mid + 1;
    else hi = mid;
  }
  k.out_row_ptr[c] = lo;
}

extern "C" __global__ void __launch_bounds__(BLOCK) transpose_entries(const rp_gpu_transpose_entries_args k) {
  __shared__ uint32_t from[BLOCK], to[BLOCK];
  const uint32_t i = INDEX;
  uint32_t source = NONE;
  if (i < k.nnz) {
    if (k.keys[i] < k.cols) source = k.order[i];
    k.out_col[i] = source != NONE ? k.rows_of[source] : NONE;
  }
  if (!k.size_bytes) return;
  from[threadIdx.x] = source;
  to[threadIdx.x] = i < k.nnz ? i : NONE;
  __syncthreads();
  move_values(k.out_val, k.val, k.size_bytes, from, to);
}
