/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Authentication paths of leaves that were chosen by computed indices. One thread per digest.
 */
#include "kernel/kernel.cuh"

#include "hash/merkle_paths_args.h"
#include "kernel/fault.cuh"

extern "C" __global__ void __launch_bounds__(128) merkle_paths(const rp_merkle_paths_args k) {
  const uint64_t item = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x;
  if (item >= k.n) return;
  const uint32_t path = (uint32_t)item / k.levels, level = (uint32_t)item - path * k.levels, leaf = k.index[path];
  if (leaf >= k.leaves_n) {
    if (level == 0) rp_fault((uint32_t *)k.error, RP_FAULT_INDEX, k.site, path);
    return;
  }
  const uint64_t node = level ? ((uint64_t)k.leaves_n + leaf) >> level ^ 1 : leaf ^ 1;
  const uint32_t *from = (const uint32_t *)(level ? k.tree : k.leaves) + node * RP_MERKLE_PATHS_WORDS;
  uint32_t *to = (uint32_t *)k.out + item * RP_MERKLE_PATHS_WORDS;
#pragma unroll
  for (uint32_t j = 0; j < RP_MERKLE_PATHS_WORDS; j++) to[j] = from[j];
}
