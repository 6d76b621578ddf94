/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * One pass of a stable radix sort (ops/vector/sort_gpu.c). The rank of a key among the equal digits of its block
 * is found from the lanes of its warp that hold the same digit and the counts of the warps before it (Merrill,
 * Grimshaw, "Revisiting sorting for GPGPU stream architectures", 2010).
 */
#include "kernel/kernel.cuh"

#include "vector/sort_gpu_args.h"
#include "kernel/block_sum.cuh"

#define BLOCK RP_GPU_SORT_BLOCK
#define ITEMS RP_GPU_SORT_ITEMS
#define DIGITS (1 << RP_GPU_SORT_BITS)
static_assert(DIGITS == BLOCK, "one thread per digit");

static __device__ __forceinline__ uint32_t digit_of(const rp_gpu_sort_args &k, uint32_t key) {
  return key >> k.shift & ((1u << k.bits) - 1);
}

/* The keys of a block are sorted in shared memory first, so that neighbours are written to neighbouring places. Each
 * warp has a run of neighbouring keys, and processes 32 at a time. */
extern "C" __global__ void __launch_bounds__(BLOCK) sort_scatter(const rp_gpu_sort_args k) {
  __shared__ uint32_t before[BLOCK / 32][DIGITS]; /* the warp's keys per digit, then the place of their first */
  __shared__ uint32_t keys[BLOCK * ITEMS], order[BLOCK * ITEMS];
  __shared__ uint32_t to[DIGITS]; /* the place in the output less that in the block, modulo 2^32 */
  const uint32_t t = threadIdx.x, lane = t & 31, warp = t / 32;
  const uint64_t first = (uint64_t)blockIdx.x * BLOCK * ITEMS;
  const uint32_t n = k.n - first < BLOCK * ITEMS ? (uint32_t)(k.n - first) : BLOCK * ITEMS;
  uint32_t key[ITEMS], rank[ITEMS];
  for (uint32_t d = lane; d < DIGITS; d += 32) before[warp][d] = 0;
  __syncwarp();
#pragma unroll
  for (uint32_t j = 0; j < ITEMS; j++) {
    const uint32_t at = (warp * ITEMS + j) * 32 + lane;
    key[j] = at < n ? k.keys[first + at] : 0;
  }
#pragma unroll
  for (uint32_t j = 0; j < ITEMS; j++) {
    const bool valid = (warp * ITEMS + j) * 32 + lane < n;
    const uint32_t digit = valid ? digit_of(k, key[j]) : DIGITS, same = __match_any_sync(0xffffffffu, digit);
    const uint32_t among = __popc(same & ((1u << lane) - 1));
    rank[j] = valid ? before[warp][digit] + among : 0;
    __syncwarp();
    if (valid && among == 0) before[warp][digit] += __popc(same);
    __syncwarp();
  }
  __syncthreads();
  uint32_t count = 0, total;
#pragma unroll
  for (uint32_t w = 0; w < BLOCK / 32; w++) {
    const uint32_t own = before[w][t];
    before[w][t] = count;
    count += own;
  }
  const uint32_t start = sum_before<uint32_t, BLOCK>(count, &total);
#pragma unroll
  for (uint32_t w = 0; w < BLOCK / 32; w++) before[w][t] += start;
  if (t >> k.bits == 0) to[t] = k.counts[t * k.blocks + blockIdx.x] - start;
  __syncthreads();
#pragma unroll
  for (uint32_t j = 0; j < ITEMS; j++) {
    const uint32_t at = (warp * ITEMS + j) * 32 + lane;
    if (at >= n) continue;
    const uint32_t place = before[warp][digit_of(k, key[j])] + rank[j];
    keys[place] = key[j];
    order[place] = k.first_pass ? (uint32_t)first + at : k.order[first + at];
  }
  __syncthreads();
  for (uint32_t at = t; at < n; at += BLOCK) {
    const uint32_t out = to[digit_of(k, keys[at])] + at;
    k.keys_out[out] = keys[at];
    k.order_out[out] = order[at];
  }
}
