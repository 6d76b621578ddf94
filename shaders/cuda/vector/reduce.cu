/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Sums, products and running products (ops/vector/reduce.c). Each block joins `block` elements: every thread a
 * share of them, and the results of the threads in a tree.
 */
#include "kernel/kernel.cuh"

#include "vector/reduce_args.h"
#include "kernel/tree.cuh"

#define THREADS RP_SCAN_GROUP
#define AHEAD (small_elements ? 16 : 4) /* loads in flight at once */

static __device__ __forceinline__ uint32_t block_length(uint64_t first, uint32_t block, uint32_t n) {
  return n - first < block ? (uint32_t)(n - first) : block;
}

/* The thread's share of n elements, joined: those at distances of THREADS. */
template <typename JOIN> static __device__ __forceinline__ fe join_strided(const void *in, uint64_t first, uint32_t n) {
  fe r = JOIN::none();
  for (uint32_t i = threadIdx.x; i < n; i += AHEAD * THREADS) {
    fe x[AHEAD];
#pragma unroll
    for (uint32_t j = 0; j < AHEAD; j++)
      if (i + j * THREADS < n) x[j] = fe_load(in, first + i + j * THREADS);
#pragma unroll
    for (uint32_t j = 0; j < AHEAD; j++)
      if (i + j * THREADS < n) r = JOIN::call(r, x[j]);
  }
  return r;
}

template <typename JOIN> static __device__ void reduce(const rp_reduce_args &k) {
  const uint64_t first = (uint64_t)blockIdx.x * k.block;
  const fe r = join_all<JOIN, THREADS>(join_strided<JOIN>(k.in, first, block_length(first, k.block, k.n)));
  if (threadIdx.x == 0) fe_store(k.out, blockIdx.x, r);
}

extern "C" __global__ void __launch_bounds__(THREADS) reduce_sum(const rp_reduce_args k) { reduce<sum_of>(k); }
extern "C" __global__ void __launch_bounds__(THREADS) reduce_product(const rp_reduce_args k) { reduce<product_of>(k); }

/* The product of the elements of all threads before this one. *all gets the product over all threads, in thread 0. */
static __device__ fe product_before(fe x, fe *all) {
  const uint32_t t = threadIdx.x, lane = t % 32;
  if constexpr (small_elements) {
    __shared__ fe warps[THREADS / 32];
#pragma unroll
    for (uint32_t d = 1; d < 32; d *= 2) {
      const fe before = shuffle_up(x, d);
      if (lane >= d) x = fe_mul(x, before);
    }
    if (lane == 31) warps[t / 32] = x;
    x = fe_select(lane == 0, shuffle_up(x, 1), fe_one());
    __syncthreads();
    fe product = fe_one();
#pragma unroll
    for (uint32_t i = 0; i < THREADS / 32; i++) {
      if (i == t / 32) x = fe_mul(x, product);
      product = fe_mul(product, warps[i]);
    }
    *all = product;
    return x;
  } else { /* down a tree: before the right child of a node comes what is before the node, then the left child */
    __shared__ fe tree[2 * THREADS], before[2 * THREADS];
    tree_up<product_of, THREADS>(tree, x);
    if (t == 0) before[1] = fe_one(), *all = tree[1];
    __syncthreads();
    for (uint32_t d = 1; d < THREADS; d *= 2) {
      if (t < d) {
        before[2 * (d + t)] = before[d + t];
        before[2 * (d + t) + 1] = product_of::call(before[d + t], tree[2 * (d + t)]);
      }
      __syncthreads();
    }
    return before[THREADS + t];
  }
}

/* Running products in two launches, with two products per element: first within the shares of the threads, which are
 * consecutive elements; then each element is multiplied by the product of all shares before its own. */
static __device__ __forceinline__ fe share_products(const rp_gpu_prefix_args &k, uint64_t i) {
  const uint64_t end = i + k.share < k.n ? i + k.share : k.n;
  fe product = fe_one();
  if (i >= end) return product;
  fe next = fe_load(k.in, i);
  for (; i < end; i++) {
    const fe x = next;
    if (i + 1 < end) next = fe_load(k.in, i + 1);
    if (k.exclusive) fe_store(k.out, i, product);
    product = fe_mul(product, x);
    if (!k.exclusive) fe_store(k.out, i, product);
  }
  return product;
}

/* Small elements go through shared memory, one cache line per lane at a time (half a line of 4-byte elements, of which
 * more would take too many registers), so that the warp reads and writes whole lines. A row of the tile has one element
 * more than a line, against bank conflicts. */
#define LINE (sizeof(fe) == 4 ? 16 : 128 / sizeof(fe))
static __device__ __forceinline__ fe share_products_by_lines(const rp_gpu_prefix_args &k, uint64_t begin) {
  __shared__ fe tiles[THREADS / 32][32 * (LINE + 1)];
  constexpr uint32_t rows = 32 / LINE; /* per access of the warp */
  const uint32_t lane = threadIdx.x % 32, row = lane / LINE, column = lane % LINE;
  fe *tile = tiles[threadIdx.x / 32], product = fe_one();
  uint64_t first = begin - (uint64_t)lane * k.share + (uint64_t)row * k.share + column;
  for (uint32_t done = 0; done < k.share; done += LINE, begin += LINE, first += LINE) {
    const bool whole = done + column < k.share;
    fe x[LINE];
#pragma unroll
    for (uint32_t j = 0; j < LINE; j++) {
      const uint64_t i = first + (uint64_t)(rows * j) * k.share;
      if (whole && i < k.n) x[j] = fe_load(k.in, i);
    }
#pragma unroll
    for (uint32_t j = 0; j < LINE; j++) tile[(rows * j + row) * (LINE + 1) + column] = x[j];
    __syncwarp();
#pragma unroll
    for (uint32_t c = 0; c < LINE; c++) {
      fe &own = tile[lane * (LINE + 1) + c];
      const fe after = fe_mul(product, own);
      own = k.exclusive ? product : after;
      if (done + c < k.share && begin + c < k.n) product = after;
    }
    __syncwarp();
#pragma unroll
    for (uint32_t j = 0; j < LINE; j++) {
      const uint64_t i = first + (uint64_t)(rows * j) * k.share;
      if (whole && i < k.n) fe_store(k.out, i, tile[(rows * j + row) * (LINE + 1) + column]);
    }
    __syncwarp();
  }
  return product;
}

extern "C" __global__ void __launch_bounds__(THREADS) prefix_shares(const rp_gpu_prefix_args k) {
  const uint64_t thread = (uint64_t)blockIdx.x * THREADS + threadIdx.x;
  fe product, all;
  if constexpr (small_elements)
    product = share_products_by_lines(k, thread * k.share);
  else
    product = share_products(k, thread * k.share);
  product = product_before(product, &all);
  fe_store(k.before, thread, product);
  if (threadIdx.x == 0) fe_store(k.products, blockIdx.x, all);
}

/* Neighbouring threads take neighbouring elements here, wherever the shares begin. */
extern "C" __global__ void __launch_bounds__(THREADS) prefix_join(const rp_gpu_prefix_args k) {
  __shared__ fe before[THREADS];
  const uint32_t t = threadIdx.x;
  const uint64_t first = (uint64_t)blockIdx.x * THREADS * k.share;
  const uint32_t n = block_length(first, THREADS * k.share, k.n);
  fe x[AHEAD];
#pragma unroll
  for (uint32_t j = 0; j < AHEAD; j++)
    if (t + j * THREADS < n) x[j] = fe_load(k.out, first + t + j * THREADS);
  const fe own = fe_load(k.before, (uint64_t)blockIdx.x * THREADS + t);
  before[t] = product_of::call(join_all<product_of, THREADS>(join_strided<product_of>(k.products, 0, blockIdx.x)), own);
  __syncthreads();
  const uint32_t step = THREADS / k.share, rest = THREADS % k.share;
  uint32_t share = t / k.share, within = t % k.share;
  for (uint32_t i = t; i < n; i += AHEAD * THREADS) {
#pragma unroll
    for (uint32_t j = 0; j < AHEAD; j++) {
      if (i + j * THREADS < n) fe_store(k.out, first + i + j * THREADS, fe_mul(before[share], x[j]));
      share += step, within += rest;
      if (within >= k.share) within -= k.share, share++;
    }
#pragma unroll
    for (uint32_t j = 0; j < AHEAD; j++)
      if (i + (AHEAD + j) * THREADS < n) x[j] = fe_load(k.out, first + i + (AHEAD + j) * THREADS);
  }
}
