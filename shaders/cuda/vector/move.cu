/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Moving elements of any type, 16 bytes at a time where the addresses allow.
 */
#include "kernel/kernel.cuh"

#include "vector/move_args.h"
#include "kernel/fault.cuh"
#include "kernel/values.cuh"

#define INDEX (blockIdx.x * (uint64_t)blockDim.x + threadIdx.x)
#define STRIDE (gridDim.x * (uint64_t)blockDim.x)

/* One thread per element would scatter the accesses of a warp; the grid goes over the bytes instead. */
static __device__ void copy_bytes(void *out, const void *in, uint64_t bytes) {
  const bool wide = (((uintptr_t)out | (uintptr_t)in) & 15) == 0;
  const uint64_t words = wide ? bytes / 16 : 0;
  for (uint64_t i = INDEX; i < words; i += STRIDE) ((uint4 *)out)[i] = ((const uint4 *)in)[i];
  for (uint64_t i = words * 16 + INDEX; i < bytes; i += STRIDE) ((uint8_t *)out)[i] = ((const uint8_t *)in)[i];
}

extern "C" __global__ void __launch_bounds__(256) copy(const rp_copy_args k) {
  copy_bytes(k.out, k.in, (uint64_t)k.n * k.size_bytes);
}

extern "C" __global__ void __launch_bounds__(256) select_elements(const rp_select_args k) {
  copy_bytes(k.out, *k.condition != 0 ? k.a : k.b, (uint64_t)k.n * k.size_bytes);
}

extern "C" __global__ void __launch_bounds__(256) zero(const rp_zero_args k) {
  const uint64_t bytes = (uint64_t)k.n * k.size_bytes, words = ((uintptr_t)k.out & 15) == 0 ? bytes / 16 : 0;
  for (uint64_t i = INDEX; i < words; i += STRIDE) ((uint4 *)k.out)[i] = make_uint4(0, 0, 0, 0);
  for (uint64_t i = words * 16 + INDEX; i < bytes; i += STRIDE) ((uint8_t *)k.out)[i] = 0;
}

extern "C" __global__ void __launch_bounds__(256) gather(const rp_gather_args k) {
  __shared__ uint32_t from[256], to[256];
  const uint32_t i = (uint32_t)INDEX;
  from[threadIdx.x] = to[threadIdx.x] = NOWHERE;
  if (i < k.n) {
    const uint32_t index = k.index[i];
    to[threadIdx.x] = i;
    if (index < k.len)
      from[threadIdx.x] = index;
    else
      rp_fault((uint32_t *)k.error, RP_FAULT_INDEX, k.site, i);
  }
  __syncthreads();
  move_values<256>(k.out, k.x, k.size_bytes, from, to);
}
