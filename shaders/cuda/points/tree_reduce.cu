/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Sums of neighbours in a tree (ops/points/tree_reduce.c).
 */
#define RP_CUDA_SMALL_CODE
#include "kernel/kernel.cuh"

#include "points/tree_reduce_args.h"
#include "arith/quad.cuh"
#include "points/points.cuh"

extern __shared__ uint4 shared[]; /* as much as the dispatch asks for */

static __device__ acc load(const void *array, uint32_t i, uint32_t affine) {
  return affine ? acc_from_aff(aff_load(array, i)) : acc_load(array, i);
}

/* Each block sums up to 128 neighbours of a group in shared memory, with a stride that doubles from one: the canonical
 * order of rp_tree_reduce. */
extern "C" __global__ void __launch_bounds__(128) tree_reduce(const rp_tree_reduce_args k) {
  acc *points = (acc *)shared;
  const uint32_t group = blockIdx.x / k.blocks, first = blockIdx.x % k.blocks * k.block;
  const uint32_t n = k.width - first < k.block ? k.width - first : k.block;
  acc sum = acc_zero();
  if (threadIdx.x < n) sum = load(k.in, group * k.width + first + threadIdx.x, k.affine);
  for (uint32_t d = 1; d < n; d *= 2) {
    if ((threadIdx.x & (2 * d - 1)) == d) points[threadIdx.x] = sum;
    __syncthreads();
    if ((threadIdx.x & (2 * d - 1)) == 0 && threadIdx.x + d < n) acc_add_to(&sum, &points[threadIdx.x + d]);
    __syncthreads();
  }
  if (threadIdx.x == 0) acc_store(k.out, blockIdx.x, sum);
}

/* The same tree for groups of up to SHARE times as many points, all levels in one dispatch: each thread sums up to
 * SHARE neighbours before the sums of threads are joined. FIXED: the group has exactly 128 * SHARE points, so that all
 * bounds are constants. */
template <uint32_t SHARE, bool FIXED> static __device__ void tree_of_shares(const rp_tree_reduce_args &k) {
  acc *points = (acc *)shared;
  constexpr uint32_t threads = 128;
  const uint32_t n = FIXED ? threads * SHARE : k.width, share = FIXED ? SHARE : (n + threads - 1) / threads;
  const uint32_t step = FIXED       ? SHARE
                        : share > 4 ? 8
                        : share > 2 ? 4
                                    : 2; /* a power of two, so that trees are aligned */
  const uint32_t first = threadIdx.x * step, live = (n + step - 1) / step;
  acc own[SHARE];
#pragma unroll 1
  for (uint32_t i = 0; i < step && first + i < n; i++) own[i] = load(k.in, blockIdx.x * n + first + i, k.affine);
#pragma unroll 1
  for (uint32_t d = 1; d < step; d *= 2)
#pragma unroll 1
    for (uint32_t i = 0; i + d < step && first + i + d < n; i += 2 * d) acc_add_to(&own[i], &own[i + d]);
  for (uint32_t d = 1; d < (FIXED ? threads : live); d *= 2) {
    if ((threadIdx.x & (2 * d - 1)) == d) points[threadIdx.x] = own[0];
    __syncthreads();
    if ((threadIdx.x & (2 * d - 1)) == 0 && (FIXED || threadIdx.x + d < live))
      acc_add_to(&own[0], &points[threadIdx.x + d]);
    __syncthreads();
  }
  if (threadIdx.x == 0) acc_store(k.out, blockIdx.x, own[0]);
}
extern "C" __global__ void __launch_bounds__(128) tree_reduce_wide(const rp_tree_reduce_args k) {
  tree_of_shares<8, false>(k);
}
extern "C" __global__ void __launch_bounds__(128) tree_reduce_w256(const rp_tree_reduce_args k) {
  tree_of_shares<2, true>(k);
}

static __device__ acc sum_of_pair(const rp_tree_reduce_args &k, uint32_t at, bool alone) {
  if (alone) return load(k.in, at, k.affine);
  acc sum;
  if (k.affine) {
    const aff a = aff_load(k.in, at), b = aff_load(k.in, at + 1);
    acc_of_two(&sum, &a, &b);
  } else {
    const acc a = acc_load(k.in, at + 1);
    sum = acc_load(k.in, at);
    acc_add_to(&sum, &a);
  }
  return sum;
}

/* The sum of the n points from `at` on, 1 <= n <= 16, as a tree. own[l] is a sum of 2^(l + 1) points that waits for the
 * sum of the next 2^(l + 1). */
static __device__ acc sum_of_share(const rp_tree_reduce_args &k, uint32_t at, uint32_t n) {
  acc own[4], sum;
  uint32_t pairs = (n + 1) / 2;
#pragma unroll 1
  for (uint32_t i = 0; i < pairs; i++) {
    uint32_t level = 0;
    sum = sum_of_pair(k, at + 2 * i, 2 * i + 1 == n);
#pragma unroll 1
    for (; i >> level & 1; level++) {
      acc_add_to(&own[level], &sum);
      sum = own[level];
    }
    own[level] = sum;
  }
  sum = own[__ffs(pairs) - 1];
#pragma unroll 1
  while (pairs &= pairs - 1) { /* the tree is not full: the sums that still wait */
    const uint32_t level = __ffs(pairs) - 1;
    acc_add_to(&own[level], &sum);
    sum = own[level];
  }
  return sum;
}

/* The same tree for long groups, in blocks of up to 4096 points. Each thread sums a share of at most 16 neighbours. The
 * m sums of a level are then in points[0] to points[m - 1]; points[s] is the node whose first leaf is s with its bits
 * reversed, so that s and s + m / 2 are neighbours in the tree, and busy lanes are not mixed with idle ones. The upper
 * levels have fewer sums than the block has lanes: quads compute them, four products deep instead of fourteen. */
#define QUADS_THREADS 256
extern "C" __global__ void __launch_bounds__(QUADS_THREADS) tree_reduce_quads(const rp_tree_reduce_args k) {
  acc *points = (acc *)shared; /* half as many points as threads */
  const uint32_t first = blockIdx.x % k.blocks * k.block, at = blockIdx.x / k.blocks * k.width + first;
  const uint32_t n = k.width - first < k.block ? k.width - first : k.block;
  const uint32_t t = threadIdx.x, quad = t / 4, shift = n > 2 ? __clz(n - 1) : 31, leaf = __brev(t) >> shift;
  uint32_t m = 0x80000000u >> shift; /* sums of the level */
  if (m > QUADS_THREADS / 4) {
    const uint32_t share = m > QUADS_THREADS ? m / (QUADS_THREADS / 2) : 2;
    acc sum = acc_zero();
    if (m > QUADS_THREADS) m = QUADS_THREADS;
    if (t < m && leaf < n) sum = sum_of_share(k, at + leaf, n - leaf < share ? n - leaf : share);
    if (m == QUADS_THREADS) {
      m /= 2;
      if (t >= m) points[t - m] = sum;
      __syncthreads();
      if (t < m && __brev(t + m) >> shift < n) acc_add_to(&sum, &points[t]);
    }
    if (t < m) points[t] = sum;
    m /= 2;
  } else if (t < 2 * m && leaf < n) {
    points[t] = load(k.in, at + leaf, k.affine);
  }
  for (; m; m /= 2) {
    __syncthreads();
    if (quad < m && __brev(quad + m) >> shift < n) quad_add_shared(&points[quad], &points[quad + m]);
  }
  if (t == 0) acc_store(k.out, blockIdx.x, points[0]);
}
