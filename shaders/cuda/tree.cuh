/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A workgroup's elements in a binary tree in shared memory: leaves are nodes THREADS .. 2 THREADS - 1, node i joins nodes
 * 2i and 2i + 1, node 1 is the root. All threads call together.
 */
#ifndef REPRISE_CUDA_TREE_CUH
#define REPRISE_CUDA_TREE_CUH

#include "field.cuh"

/* Once a level: not worth code in every place. */
struct product_of {
  static __device__ __forceinline__ fe none() { return fe_one(); }
  static __device__ __noinline__ fe call(fe a, fe b) { return fe_mul(a, b); }
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

#endif
