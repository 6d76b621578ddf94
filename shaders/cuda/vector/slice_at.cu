/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Slices whose ends are computed, 16 bytes at a time where the addresses allow.
 */
#include "kernel/kernel.cuh"

#include "vector/slice_at_args.h"
#include "kernel/fault.cuh"
#include "kernel/values.cuh"

extern "C" __global__ void __launch_bounds__(256) slice_at(const rp_slice_at_args k) {
  __shared__ uint32_t from[256], to[256];
  const uint32_t i = blockIdx.x * 256 + threadIdx.x;
  const uint64_t first = k.has_first ? *k.first : 0, count = k.has_count ? *k.count : k.n;
  const bool fits = count <= k.n && first + count <= k.len;
  if (i == 0 && !fits) rp_fault((uint32_t *)k.error, RP_FAULT_INDEX, k.site, 0);
  from[threadIdx.x] = fits && i < count ? (uint32_t)(first + i) : NOWHERE;
  to[threadIdx.x] = i < k.n ? i : NOWHERE;
  __syncthreads();
  move_values<256>(k.out, k.x, k.size_bytes, from, to);
}
