/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * One inversion per block of RP_GPU_INVERSE_BLOCK threads: while one thread inverts, the multiprocessor works for other
 * blocks.
 */
#ifndef REPRISE_CUDA_BLOCK_INVERSE_CUH
#define REPRISE_CUDA_BLOCK_INVERSE_CUH

#include "vector/batch_inverse_gpu_args.h"
#include "kernel/tree.cuh"

/* The inverse of the thread's x, which must not be zero. All threads of the block call together. Products go up a tree;
 * after the root's inversion inverses go down: that of a node is its parent's inverse times its sibling's product. */
static __device__ fe block_inverse(const fe &x) {
  constexpr uint32_t THREADS = RP_GPU_INVERSE_BLOCK;
  __shared__ fe tree[2 * THREADS];
  const uint32_t t = threadIdx.x;
  tree_up<product_of, THREADS>(tree, x);
  if (t == 0) tree[1] = fe_inv(tree[1]);
  __syncthreads();
  for (uint32_t d = 2; d <= THREADS; d *= 2) {
    fe r;
    if (t < d) r = product_of::call(tree[(d + t) / 2], tree[(d + t) ^ 1]);
    __syncthreads();
    if (t < d) tree[d + t] = r;
    __syncthreads();
  }
  return tree[THREADS + t];
}

#endif
