/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Exclusive prefix sum over a workgroup, for kernels that are written once for CUDA and Vulkan (kernel/item.cuh).
 */
#ifndef REPRISE_VULKAN_GROUP_SUM_H
#define REPRISE_VULKAN_GROUP_SUM_H

/* The sum of x over the threads before this one; `total` gets the sum over all. All threads of the workgroup call
 * together, and may call again at once. Steps take turns with the halves of the array. */
RP_GROUP_ARRAY(uint32_t, sums, 2 * THREADS);
uint32_t sum_before(uint32_t x, inout uint32_t total) {
  uint32_t half_at = 0, sum = x;
  sums[THREAD] = x;
  barrier();
  for (uint32_t d = 1; d < THREADS; d *= 2) {
    if (THREAD >= d) sum += sums[half_at + THREAD - d];
    half_at = THREADS - half_at;
    sums[half_at + THREAD] = sum;
    barrier();
  }
  total = sums[half_at + THREADS - 1];
  barrier();
  return sum - x;
}

#endif
