/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Exclusive prefix sum over a block.
 */
#ifndef REPRISE_CUDA_BLOCK_SUM_CUH
#define REPRISE_CUDA_BLOCK_SUM_CUH

#include <stdint.h>

/* The sum of x over the threads before this one; *total gets the sum over all. All threads of the block, MOST or fewer,
 * call together, and may call again at once. */
template <typename T, uint32_t MOST> static __device__ T sum_before(T x, T *total, uint32_t threads = MOST) {
  __shared__ T warps[MOST / 32];
  const uint32_t lane = threadIdx.x & 31, warp = threadIdx.x / 32;
  T inclusive = x;
#pragma unroll
  for (uint32_t d = 1; d < 32; d *= 2) {
    const T y = __shfl_up_sync(0xffffffffu, inclusive, d);
    if (lane >= d) inclusive += y;
  }
  if (lane == 31) warps[warp] = inclusive;
  __syncthreads();
  T before = 0, sum = 0;
  for (uint32_t w = 0; w < threads / 32; w++) {
    if (w < warp) before += warps[w];
    sum += warps[w];
  }
  __syncthreads();
  *total = sum;
  return before + inclusive - x;
}

#endif
