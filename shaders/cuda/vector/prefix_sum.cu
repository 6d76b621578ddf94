/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Exclusive prefix sum of u32 with sums of 64 bits, so that a total that does not fit in 32 bits is noticed
 * (ops/vector/prefix_sum.c).
 */
#include "kernel/kernel.cuh"

#include "vector/prefix_sum_args.h"
#include "kernel/block_sum.cuh"
#include "kernel/fault.cuh"

#define THREADS RP_PREFIX_GROUP

extern "C" __global__ void __launch_bounds__(THREADS) block_sums_u32(const rp_block_sums_args k) {
  const uint64_t first = (uint64_t)blockIdx.x * k.block, end = first + k.block < k.n ? first + k.block : k.n;
  uint64_t sum = 0, total;
#pragma unroll 8
  for (uint64_t i = first + threadIdx.x; i < end; i += THREADS) sum += k.in[i];
  sum_before<uint64_t, THREADS>(sum, &total);
  if (threadIdx.x == 0) k.sums[blockIdx.x] = total;
}

/* One block is enough: each sum stands for thousands of elements. */
extern "C" __global__ void __launch_bounds__(THREADS) scan_u64(const rp_scan_sums_args k) {
  uint64_t carry = 0, total;
  for (uint32_t first = 0; first < k.n; first += THREADS) {
    const uint32_t i = first + threadIdx.x;
    const uint64_t before = sum_before<uint64_t, THREADS>(i < k.n ? k.sums[i] : 0, &total);
    if (i < k.n) k.sums[i] = carry + before;
    carry += total;
  }
}

/* Each thread sums ITEMS neighbours. They are read and written through shared memory, so that the accesses of a warp
 * are to neighbouring elements. */
#define ITEMS 16
static __device__ __forceinline__ uint32_t slot(uint32_t i) { return i + i / 32; } /* no two lanes in one bank */

extern "C" __global__ void __launch_bounds__(THREADS) offset_scan_u32(const rp_offset_scan_args k) {
  __shared__ uint32_t tile[THREADS * ITEMS + THREADS * ITEMS / 32];
  const uint64_t first = (uint64_t)blockIdx.x * k.block, end = first + k.block < k.n ? first + k.block : k.n;
  uint64_t carry = 0, total;
  for (uint64_t row = first; row < end; row += THREADS * ITEMS) {
#pragma unroll
    for (uint32_t j = 0; j < ITEMS; j++) {
      const uint32_t at = j * THREADS + threadIdx.x, x = row + at < end ? k.in[row + at] : 0;
      if (x > k.most) rp_fault((uint32_t *)k.error, RP_FAULT_INDEX, k.site, row + at);
      tile[slot(at)] = x;
    }
    if (row == first && k.unscanned) { /* computed here, while the elements are being loaded */
      for (uint32_t b = threadIdx.x; b < blockIdx.x; b += THREADS) carry += k.sums[b];
      sum_before<uint64_t, THREADS>(carry, &carry);
    } else if (row == first) {
      carry = k.sums[blockIdx.x];
    }
    __syncthreads();
    uint32_t own[ITEMS];
    uint64_t sum = 0;
#pragma unroll
    for (uint32_t j = 0; j < ITEMS; j++) sum += own[j] = tile[slot(threadIdx.x * ITEMS + j)];
    uint64_t before = carry + sum_before<uint64_t, THREADS>(sum, &total);
#pragma unroll
    for (uint32_t j = 0; j < ITEMS; j++) {
      tile[slot(threadIdx.x * ITEMS + j)] = (uint32_t)before;
      before += own[j];
    }
    __syncthreads();
#pragma unroll
    for (uint32_t j = 0; j < ITEMS; j++) {
      const uint32_t at = j * THREADS + threadIdx.x;
      if (row + at < end) k.out[row + at] = tile[slot(at)];
    }
    carry += total;
    __syncthreads();
  }
  if (end < k.n || threadIdx.x != 0) return;
  k.out[k.n] = (uint32_t)carry;
  if (carry >> 32) rp_fault((uint32_t *)k.error, RP_FAULT_INDEX, k.site, k.n);
}
