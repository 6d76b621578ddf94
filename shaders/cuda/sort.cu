/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * One pass of a stable radix sort (ops/args/gpu_sort.h). The rank of a key among the equal digits of its block is found
 * from the lanes of its warp that hold the same digit and the counts of the warps before it (Merrill, Grimshaw, "Revisiting
 * sorting for GPGPU stream architectures", 2010).
 */
#include "kernel.cuh"

#include "args/gpu_sort.h"

#define BLOCK RP_GPU_SORT_BLOCK
#define ITEMS RP_GPU_SORT_ITEMS
#define DIGITS (1 << RP_GPU_SORT_BITS)
static_assert(DIGITS == BLOCK, "a thread a digit");

static __device__ __forceinline__ uint32_t digit_of(const rp_gpu_sort_args &k, uint32_t key) {
  return key >> k.shift & ((1u << k.bits) - 1);
}

extern "C" __global__ void __launch_bounds__(BLOCK) sort_count(const rp_gpu_sort_args k) {
  __shared__ uint32_t counts[DIGITS];
  counts[threadIdx.x] = 0;
  __syncthreads();
  const uint64_t first = (uint64_t)blockIdx.x * BLOCK * ITEMS + threadIdx.x;
  for (uint32_t j = 0; j < ITEMS; j++)
    if (first + j * BLOCK < k.n) atomicAdd(&counts[digit_of(k, k.keys[first + j * BLOCK])], 1u);
  __syncthreads();
  if (threadIdx.x >> k.bits == 0) k.counts[threadIdx.x * k.blocks + blockIdx.x] = counts[threadIdx.x];
}

extern "C" __global__ void __launch_bounds__(BLOCK) sort_scatter(const rp_gpu_sort_args k) {
  __shared__ uint32_t before[BLOCK / 32][DIGITS]; /* keys of a digit in a warp, then where the warp's first one goes */
  const uint32_t lane = threadIdx.x & 31, warp = threadIdx.x / 32;
  const bool has_digit = threadIdx.x >> k.bits == 0;
  uint32_t next = has_digit ? k.counts[threadIdx.x * k.blocks + blockIdx.x] : 0;
  for (uint32_t j = 0; j < ITEMS; j++) {
    const uint64_t i = ((uint64_t)blockIdx.x * ITEMS + j) * BLOCK + threadIdx.x;
    const bool valid = i < k.n;
    const uint32_t key = valid ? k.keys[i] : 0, digit = valid ? digit_of(k, key) : DIGITS;
    for (uint32_t d = lane; d < DIGITS; d += 32) before[warp][d] = 0;
    __syncwarp();
    const uint32_t same = __match_any_sync(0xffffffffu, digit), rank = __popc(same & ((1u << lane) - 1));
    if (valid && rank == 0) before[warp][digit] = __popc(same);
    __syncthreads();
    for (uint32_t w = 0; has_digit && w < BLOCK / 32; w++) {
      const uint32_t count = before[w][threadIdx.x];
      before[w][threadIdx.x] = next;
      next += count;
    }
    __syncthreads();
    if (valid) {
      const uint32_t at = before[warp][digit] + rank;
      k.keys_out[at] = key;
      k.order_out[at] = k.first_pass ? (uint32_t)i : k.order[i];
    }
    __syncwarp();
  }
}
