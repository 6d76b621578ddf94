/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Several levels of a Merkle tree in one block (ops/hash/merkle_args.h). Each hash provides a function JOIN::call,
 * which hashes two adjacent digests to their parent.
 */
#ifndef REPRISE_CUDA_MERKLE_CUH
#define REPRISE_CUDA_MERKLE_CUH

#include "hash/merkle_args.h"
#include "kernel/kernel.cuh"

enum { WORDS = RP_MERKLE_DIGEST_WORDS };

/* The first node of a level in memory. */
static __device__ __forceinline__ uint64_t *level_nodes(const rp_merkle_args &k, uint32_t level) {
  return k.hash.out + (uint64_t)((k.offset >> level) - k.first_slot) * WORDS;
}

static __device__ __forceinline__ void clear_slot_0(const rp_merkle_args &k) {
  if (k.first_slot != 0 || blockIdx.x != 0) return;
  for (uint32_t w = threadIdx.x; w < WORDS; w += blockDim.x) k.hash.out[w] = 0; /* a block may have only one thread */
}

/* RP_MERKLE_BLOCKS: one thread per node of the first level. In level i above it, the threads whose index is a multiple
 * of 2^i each make one node from digests in global memory. RP_MERKLE_LEVELS is the same with one level. */
template <typename JOIN> static __device__ __forceinline__ void merkle_group(const rp_merkle_args &k) {
  const uint64_t i = (uint64_t)blockIdx.x * k.group + threadIdx.x;
  const uint64_t *children = k.hash.in;
  for (uint32_t level = 0; level < k.levels; level++) {
    uint64_t *nodes = level_nodes(k, level);
    if (level) __syncthreads();
    if ((threadIdx.x & ((1u << level) - 1)) == 0)
      JOIN::call(k.hash, children + (i >> level) * 2 * WORDS, nodes + (i >> level) * WORDS);
    children = nodes;
  }
  clear_slot_0(k);
}

/* LANES threads per node; the digests of the level below are in shared memory. All threads of a warp call the function
 * together, with the children of their node, or NULL beyond the last node. A warp without any node does not call it and
 * leaves the multipliers to the others. */
template <typename JOIN, uint32_t LANES> static __device__ __forceinline__ void merkle_shared(const rp_merkle_args &k) {
  __shared__ __align__(16) uint64_t digests[2][RP_MERKLE_SHARED_GROUP * WORDS];
  const uint32_t states = blockDim.x / LANES, own = threadIdx.x / LANES;
  const uint64_t *children = k.hash.in + (uint64_t)blockIdx.x * k.group * 2 * WORDS;
  for (uint32_t level = 0; level < k.levels; level++) {
    const uint32_t n = k.group >> level;
    uint64_t *nodes = level_nodes(k, level) + (uint64_t)blockIdx.x * n * WORDS, *near = digests[level & 1];
    for (uint32_t first = 0; first < n; first += states) {
      const uint32_t i = first + own;
      if (first + threadIdx.x / 32 * 32 / LANES >= n) continue;
      JOIN::call(k.hash, i < n ? children + i * 2 * WORDS : nullptr, near + i * WORDS, nodes + i * WORDS);
    }
    __syncthreads();
    children = near;
  }
  clear_slot_0(k);
}

#endif
