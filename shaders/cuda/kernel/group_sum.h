/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Exclusive prefix sum over a workgroup, for kernels that are written once for CUDA and Vulkan (kernel/item.cuh).
 */
#ifndef REPRISE_CUDA_GROUP_SUM_H
#define REPRISE_CUDA_GROUP_SUM_H

#include "kernel/block_sum.cuh"

/* The sum of x over the threads before this one; `total` gets the sum over all. All threads of the workgroup call
 * together, and may call again at once. */
static __device__ uint32_t sum_before(uint32_t x, uint32_t &total) {
  return sum_before<uint32_t, 1024>(x, &total, blockDim.x);
}

#endif
