/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Exclusive prefix sum of u32 with sums of 64 bits, so that a total that does not fit is seen (ops/args/scan.h).
 */
#include "kernel.cuh"

#include "args/scan.h"
#include "fault.cuh"

#define THREADS RP_PREFIX_GROUP

/* The threads' sum before this one's; *total gets that of all. */
static __device__ uint64_t sum_before(uint64_t x, uint64_t *total) {
  __shared__ uint64_t warps[THREADS / 32];
  const uint32_t lane = threadIdx.x & 31, warp = threadIdx.x / 32;
  uint64_t inclusive = x;
#pragma unroll
  for (uint32_t d = 1; d < 32; d *= 2) {
    const uint64_t y = __shfl_up_sync(0xffffffffu, inclusive, d);
    if (lane >= d) inclusive += y;
  }
  if (lane == 31) warps[warp] = inclusive;
  __syncthreads();
  uint64_t before = 0, sum = 0;
#pragma unroll
  for (uint32_t w = 0; w < THREADS / 32; w++) {
    if (w < warp) before += warps[w];
    sum += warps[w];
  }
  __syncthreads();
  *total = sum;
  return before + inclusive - x;
}

extern "C" __global__ void __launch_bounds__(THREADS) block_sums_u32(const rp_block_sums_args k) {
  const uint64_t first = (uint64_t)blockIdx.x * k.block, end = first + k.block < k.n ? first + k.block : k.n;
  uint64_t sum = 0, total;
  for (uint64_t i = first + threadIdx.x; i < end; i += THREADS) sum += k.in[i];
  sum_before(sum, &total);
  if (threadIdx.x == 0) k.sums[blockIdx.x] = total;
}

/* One workgroup: a sum for each of thousands of elements. */
extern "C" __global__ void __launch_bounds__(THREADS) scan_u64(const rp_scan_sums_args k) {
  uint64_t carry = 0, total;
  for (uint32_t first = 0; first < k.n; first += THREADS) {
    const uint32_t i = first + threadIdx.x;
    const uint64_t before = sum_before(i < k.n ? k.sums[i] : 0, &total);
    if (i < k.n) k.sums[i] = carry + before;
    carry += total;
  }
}

extern "C" __global__ void __launch_bounds__(THREADS) offset_scan_u32(const rp_offset_scan_args k) {
  const uint64_t first = (uint64_t)blockIdx.x * k.block, end = first + k.block < k.n ? first + k.block : k.n;
  uint64_t carry = k.sums[blockIdx.x], total;
  for (uint64_t row = first; row < end; row += THREADS) {
    const uint64_t i = row + threadIdx.x;
    const uint32_t x = i < end ? k.in[i] : 0;
    const uint64_t before = carry + sum_before(x, &total);
    if (x > k.most) rp_fault((uint32_t *)k.error, RP_FAULT_INDEX, k.site, i);
    if (i < end) k.out[i] = (uint32_t)before;
    carry += total;
  }
  if (end < k.n || threadIdx.x != 0) return;
  k.out[k.n] = (uint32_t)carry;
  if (carry >> 32) rp_fault((uint32_t *)k.error, RP_FAULT_INDEX, k.site, k.n);
}
