/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Fill, and exclusive prefix sum of u32 in three launches (ops/vector/scan_gpu.c).
 */
#include "kernel/kernel.cuh"

#include "vector/scan_gpu_args.h"

#define BLOCK RP_GPU_SCAN_BLOCK
#define ITEMS RP_GPU_SCAN_ITEMS

extern "C" __global__ void __launch_bounds__(256) fill(const rp_gpu_fill_args k) {
  for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < k.n; i += gridDim.x * blockDim.x) k.out[i] = k.value;
}

/* The sum of x over the threads before this one; *total gets the sum over the block. All threads call together. */
static __device__ uint32_t block_scan(uint32_t x, uint32_t *total) {
  __shared__ uint32_t warps[32];
  const uint32_t lane = threadIdx.x & 31, warp = threadIdx.x / 32, n_warps = blockDim.x / 32;
  uint32_t inclusive = x;
#pragma unroll
  for (uint32_t d = 1; d < 32; d *= 2) {
    uint32_t y = __shfl_up_sync(0xffffffffu, inclusive, d);
    if (lane >= d) inclusive += y;
  }
  if (lane == 31) warps[warp] = inclusive;
  __syncthreads();
  uint32_t before = 0, sum = 0;
  for (uint32_t w = 0; w < n_warps; w++) {
    if (w < warp) before += warps[w];
    sum += warps[w];
  }
  __syncthreads();
  *total = sum;
  return before + inclusive - x;
}

extern "C" __global__ void __launch_bounds__(BLOCK) scan_sums(const rp_gpu_scan_args k) {
  uint32_t first = blockIdx.x * BLOCK * ITEMS + threadIdx.x, sum = 0, total;
  for (uint32_t j = 0; j < ITEMS; j++, first += BLOCK)
    if (first < k.n) sum += k.in[first];
  block_scan(sum, &total);
  if (threadIdx.x == 0) k.block_sums[blockIdx.x] = total;
}

extern "C" __global__ void __launch_bounds__(1024) scan_blocks(const rp_gpu_scan_args k) {
  uint32_t carry = 0, total;
  for (uint32_t first = 0; first < k.blocks; first += blockDim.x) {
    uint32_t i = first + threadIdx.x, x = i < k.blocks ? k.block_sums[i] : 0;
    uint32_t before = block_scan(x, &total);
    if (i < k.blocks) k.block_sums[i] = carry + before;
    carry += total;
  }
  if (threadIdx.x == 0) k.out[k.n] = carry;
}

extern "C" __global__ void __launch_bounds__(BLOCK) scan_apply(const rp_gpu_scan_args k) {
  uint32_t carry = k.block_sums[blockIdx.x], total;
  for (uint32_t j = 0; j < ITEMS; j++) {
    uint32_t i = (blockIdx.x * ITEMS + j) * BLOCK + threadIdx.x;
    uint32_t before = carry + block_scan(i < k.n ? k.in[i] : 0, &total);
    if (i < k.n) k.out[i] = k.copy[i] = before;
    carry += total;
  }
}
