/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The elements of a block in a binary tree in shared memory: the leaves are nodes THREADS .. 2 THREADS - 1, node i
 * joins nodes 2i and 2i + 1, node 1 is the root. All threads of the block call together.
 */
#ifndef REPRISE_CUDA_TREE_CUH
#define REPRISE_CUDA_TREE_CUH

#include "arith/field.cuh"

/* With elements of up to 8 bytes a product is a few instructions, and most of the time is spent waiting for memory and
 * at barriers. */
static constexpr bool small_elements = sizeof(fe) <= 8;

static __device__ __noinline__ fe product_call(fe a, fe b) { return fe_mul(a, b); }

/* Called once per level, so that inlining the product of a larger element would cost more code than it is worth. */
struct product_of {
  static __device__ __forceinline__ fe none() { return fe_one(); }
  static __device__ __forceinline__ fe call(const fe &a, const fe &b) {
    if constexpr (small_elements)
      return fe_mul(a, b);
    else
      return product_call(a, b);
  }
};

struct sum_of {
  static __device__ __forceinline__ fe none() { return fe_zero(); }
  static __device__ __forceinline__ fe call(const fe &a, const fe &b) { return fe_add(a, b); }
};

template <typename JOIN, uint32_t THREADS> static __device__ void tree_up(fe *tree, const fe &leaf) {
  const uint32_t t = threadIdx.x;
  tree[THREADS + t] = leaf;
  __syncthreads();
  for (uint32_t d = THREADS / 2; d; d /= 2) {
    if (t < d) tree[d + t] = JOIN::call(tree[2 * (d + t)], tree[2 * (d + t) + 1]);
    __syncthreads();
  }
}

static __device__ __forceinline__ fe shuffle_down(const fe &x, uint32_t d) {
  fe r;
#pragma unroll
  for (uint32_t j = 0; j < sizeof(fe) / 4; j++)
    ((uint32_t *)&r)[j] = __shfl_down_sync(0xffffffff, ((const uint32_t *)&x)[j], d);
  return r;
}

static __device__ __forceinline__ fe shuffle_up(const fe &x, uint32_t d) {
  fe r;
#pragma unroll
  for (uint32_t j = 0; j < sizeof(fe) / 4; j++)
    ((uint32_t *)&r)[j] = __shfl_up_sync(0xffffffff, ((const uint32_t *)&x)[j], d);
  return r;
}

/* The elements of all threads joined; every thread gets the result. Small elements are joined by shuffles, which saves
 * a barrier per level; for large ones the tree, with fewer products, is faster. */
template <typename JOIN, uint32_t THREADS> static __device__ fe join_all(fe x) {
  if constexpr (small_elements) {
    __shared__ fe warps[THREADS / 32];
#pragma unroll
    for (uint32_t d = 16; d; d /= 2) x = JOIN::call(x, shuffle_down(x, d));
    if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = x;
    __syncthreads();
    x = warps[0];
#pragma unroll
    for (uint32_t i = 1; i < THREADS / 32; i++) x = JOIN::call(x, warps[i]);
    return x;
  } else {
    __shared__ fe tree[2 * THREADS];
    tree_up<JOIN, THREADS>(tree, x);
    return tree[1];
  }
}

#endif
