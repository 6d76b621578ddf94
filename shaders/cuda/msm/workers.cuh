/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * What the kernels that reduce buckets share. The workers of a task are WORKERS quads of lanes, a power of two; a block
 * has as many or twice as many, and `shared` has room for one accumulator per worker of the task.
 */
#ifndef REPRISE_CUDA_WORKERS_CUH
#define REPRISE_CUDA_WORKERS_CUH

#include "arith/quad.cuh"

static __device__ __forceinline__ void publish(acc *slot, const acc &p) {
  if (threadIdx.x % 4 == 0) *slot = p;
}

/* *s becomes the sum of *s over this worker and all after it. All threads of the block call together. */
static __device__ void suffix_sums(acc *s, uint32_t worker, acc *shared) {
  for (uint32_t d = 1; d < WORKERS; d *= 2) {
    publish(&shared[worker], *s);
    __syncthreads();
    if (worker + d < WORKERS) quad_add(s, &shared[worker + d]);
    __syncthreads();
  }
}

/* *w of worker 0 becomes the sum over all workers. Those that are not `active` only take part in the barriers. */
static __device__ void tree_sum(acc *w, uint32_t worker, bool active, acc *shared) {
  for (uint32_t d = WORKERS / 2; d; d /= 2) {
    if (active && worker >= d && worker < 2 * d) publish(&shared[worker], *w);
    __syncthreads();
    if (active && worker < d) quad_add(w, &shared[worker + d]);
    __syncthreads();
  }
}

static __device__ void add_weighted(acc *w, acc s, uint32_t doublings) {
  for (uint32_t i = 0; i < doublings; i++) quad_double(&s);
  quad_add(w, &s);
}

#endif
