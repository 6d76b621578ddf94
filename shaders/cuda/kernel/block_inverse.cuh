/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * One inversion a workgroup of RP_GPU_INVERSE_BLOCK threads: while one thread inverts, the multiprocessor works for
 * others.
 */
#ifndef REPRISE_CUDA_BLOCK_INVERSE_CUH
#define REPRISE_CUDA_BLOCK_INVERSE_CUH

#include "vector/batch_inverse_gpu_args.h"
#include "kernel/tree.cuh"

/* The inverse of the thread's x, none of them zero: the root's goes down, to each node its parent's times its
 * sibling. */
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
