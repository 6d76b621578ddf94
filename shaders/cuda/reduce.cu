/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Sums, products and running products (ops/args/scan.h): a workgroup a block, each thread a share of it, and the shares in
 * a tree.
 */
#include "kernel.cuh"

#include "args/scan.h"
#include "tree.cuh"

#define THREADS RP_SCAN_GROUP
#define AHEAD 4 /* loads under way at once */

static __device__ __forceinline__ uint32_t block_length(uint64_t first, uint32_t block, uint32_t n) {
  return n - first < block ? (uint32_t)(n - first) : block;
}

template <typename JOIN> static __device__ void reduce(const rp_reduce_args &k) {
  __shared__ fe tree[2 * THREADS];
  const uint64_t first = (uint64_t)blockIdx.x * k.block;
  const uint32_t n = block_length(first, k.block, k.n);
  fe r = JOIN::none();
  for (uint32_t i = threadIdx.x; i < n; i += AHEAD * THREADS) {
    fe x[AHEAD];
#pragma unroll
    for (uint32_t j = 0; j < AHEAD; j++)
      if (i + j * THREADS < n) x[j] = fe_load(k.in, first + i + j * THREADS);
#pragma unroll
    for (uint32_t j = 0; j < AHEAD; j++)
      if (i + j * THREADS < n) r = JOIN::call(r, x[j]);
  }
  tree_up<JOIN, THREADS>(tree, r);
  if (threadIdx.x == 0) fe_store(k.out, blockIdx.x, tree[1]);
}

extern "C" __global__ void __launch_bounds__(THREADS) reduce_sum(const rp_reduce_args k) { reduce<sum_of>(k); }
extern "C" __global__ void __launch_bounds__(THREADS) reduce_product(const rp_reduce_args k) { reduce<product_of>(k); }

/* The product of all threads' elements before the thread's: a node's right child begins where its left one ends. *all gets
 * the product of all, in thread 0. */
static __device__ fe product_before(const fe &x, fe *all) {
  __shared__ fe tree[2 * THREADS], before[2 * THREADS];
  const uint32_t t = threadIdx.x;
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

/* A thread's share are neighbours, and it goes over them twice. */
extern "C" __global__ void __launch_bounds__(THREADS) scan_product(const rp_scan_product_args k) {
  const uint64_t first = (uint64_t)blockIdx.x * k.block;
  const uint32_t n = block_length(first, k.block, k.n), share = (k.block + THREADS - 1) / THREADS;
  const uint32_t begin = threadIdx.x * share < n ? threadIdx.x * share : n, end = n - begin < share ? n : begin + share;
  fe product = fe_one(), all;
  for (uint32_t i = begin; i < end; i++) product = fe_mul(product, fe_load(k.in, first + i));
  product = product_before(product, &all);
  if (k.has_offset && begin < end) product = product_of::call(fe_load(k.offset, blockIdx.x), product);
  for (uint32_t i = begin; i < end; i++) {
    const fe x = fe_load(k.in, first + i);
    if (k.exclusive) fe_store(k.out, first + i, product);
    product = fe_mul(product, x);
    if (!k.exclusive) fe_store(k.out, first + i, product);
  }
}

/* Running products in two launches, two products an element: within the threads' shares, which are neighbours, and then
 * what stands before a share, to all of it. */
extern "C" __global__ void __launch_bounds__(THREADS) prefix_shares(const rp_gpu_prefix_args k) {
  const uint64_t thread = (uint64_t)blockIdx.x * THREADS + threadIdx.x;
  uint64_t i = thread * k.share;
  const uint64_t end = i + k.share < k.n ? i + k.share : k.n;
  fe product = fe_one(), all;
  if (i < end) {
    fe next = fe_load(k.in, i);
    for (; i < end; i++) {
      const fe x = next;
      if (i + 1 < end) next = fe_load(k.in, i + 1);
      if (k.exclusive) fe_store(k.out, i, product);
      product = fe_mul(product, x);
      if (!k.exclusive) fe_store(k.out, i, product);
    }
  }
  product = product_before(product, &all);
  fe_store(k.before, thread, product);
  if (threadIdx.x == 0) fe_store(k.products, blockIdx.x, all);
}

extern "C" __global__ void __launch_bounds__(THREADS) prefix_join(const rp_gpu_prefix_args k) {
  __shared__ fe tree[2 * THREADS];
  const uint64_t thread = (uint64_t)blockIdx.x * THREADS + threadIdx.x;
  fe before = fe_one();
  for (uint32_t b = threadIdx.x; b < blockIdx.x; b += THREADS) before = product_of::call(before, fe_load(k.products, b));
  tree_up<product_of, THREADS>(tree, before);
  before = product_of::call(tree[1], fe_load(k.before, thread));
  uint64_t i = thread * k.share;
  const uint64_t end = i + k.share < k.n ? i + k.share : k.n;
  for (; i < end; i += AHEAD) {
    fe x[AHEAD];
#pragma unroll
    for (uint32_t j = 0; j < AHEAD; j++)
      if (i + j < end) x[j] = fe_load(k.out, i + j);
#pragma unroll
    for (uint32_t j = 0; j < AHEAD; j++)
      if (i + j < end) fe_store(k.out, i + j, fe_mul(before, x[j]));
  }
}
