/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Multi-scalar multiplication with few points (ops/msm/msm_small.c).
 */
#define RP_CUDA_SMALL_CODE
#include "kernel/kernel.cuh"

#include "msm/msm_small_args.h"
#include "kernel/fault.cuh"
#include "points/scalar_mul.cuh"

extern __shared__ uint4 shared[]; /* as much as the dispatch asks for */

/* One block per result: the multiples of the points, then their sum in a tree. */
extern "C" __global__ void __launch_bounds__(128) msm_small(const rp_msm_small_args k) {
  acc *sums = (acc *)shared, sum = acc_zero();
  for (uint32_t i = threadIdx.x; i < k.n; i += blockDim.x) {
    const uint64_t at = (uint64_t)blockIdx.x * k.n + i;
    acc r;
    if (multiply(&r, k.scalars + at * 4, aff_load(k.points, i)))
      acc_add_to(&sum, &r);
    else
      rp_fault(k.error, RP_FAULT_SCALAR_RANGE, k.site, at);
  }
  for (uint32_t d = blockDim.x / 2; d; d /= 2) {
    if (threadIdx.x >= d && threadIdx.x < 2 * d) sums[threadIdx.x] = sum;
    __syncthreads();
    if (threadIdx.x < d) acc_add_to(&sum, &sums[threadIdx.x + d]);
    __syncthreads();
  }
  if (threadIdx.x == 0) acc_store(k.out, blockIdx.x, sum);
}
