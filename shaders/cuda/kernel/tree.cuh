/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A workgroup's elements in a binary tree in shared memory: leaves are nodes THREADS .. 2 THREADS - 1, node i joins
 * nodes 2i and 2i + 1, node 1 is the root. All threads call together.
 */
#ifndef REPRISE_CUDA_TREE_CUH
#define REPRISE_CUDA_TREE_CUH

#include "arith/field.cuh"

/* Elements of 8 bytes: a product is a few instructions, and what costs is to wait, for memory and at barriers. */
static constexpr bool small_elements = sizeof(fe) == 8;

static __device__ __noinline__ fe product_call(fe a, fe b) { return fe_mul(a, b); }

/* Once a level: not worth the code of a larger product in every place. */
struct product_of {
  static __device__ __forceinline__ fe none() { return fe_one(); }
  static __device__ __forceinline__ fe call(const fe &a, const fe &b) {
    if constexpr (small_elements) return fe_mul(a, b);
    else return product_call(a, b);
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

/* All threads' elements joined, in every thread. Small elements take no barrier a level; of large ones a tree makes
 * fewer products. */
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
