/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Bucket reduction: per set the sum of (i + 1) * bucket[i]. A thread runs down a few buckets with a running sum; then
 *   sum over threads t of (W_t + t * items * S_t) = sum of W_t + items * (sum over t >= 1 of the suffix sums of S),
 * so that the block needs two trees and log2(items) doublings.
 */
#define RP_CUDA_SMALL_CODE
#include "kernel.cuh"

#include "args/gpu_buckets.h"
#include "quad.cuh"

#define BLOCK 128

static __device__ __noinline__ void acc_add_to(acc *a, const acc *b) { *a = acc_add(*a, *b); }
static __device__ __noinline__ void acc_double(acc *a) { *a = acc_dbl(*a); }

/* W and S of all threads to thread 0: W = sum (W_t + t * 2^log_items * S_t), S = sum S_t. */
static __device__ void block_reduce(acc *w, acc *s, uint32_t log_items, acc *shared) {
  acc suffix = *s;
  for (uint32_t d = 1; d < BLOCK; d *= 2) {
    shared[threadIdx.x] = suffix;
    __syncthreads();
    if (threadIdx.x + d < BLOCK) acc_add_to(&suffix, &shared[threadIdx.x + d]);
    __syncthreads();
  }
  *s = suffix; /* thread 0: all */
  if (threadIdx.x) {
    for (uint32_t i = 0; i < log_items; i++) acc_double(&suffix);
    acc_add_to(w, &suffix);
  }
  for (uint32_t d = BLOCK / 2; d; d /= 2) {
    if (threadIdx.x >= d && threadIdx.x < 2 * d) shared[threadIdx.x] = *w;
    __syncthreads();
    if (threadIdx.x < d) acc_add_to(w, &shared[threadIdx.x + d]);
    __syncthreads();
  }
}

extern "C" __global__ void __launch_bounds__(BLOCK) bucket_reduce(const rp_gpu_reduce_args k) {
  extern __shared__ uint4 shared[];
  const uint32_t first = (blockIdx.x * BLOCK + threadIdx.x) * k.items;
  /* Two additions a bucket, s += bucket and w += s, from one piece of code; w waits in shared memory. */
  acc *waiting = (acc *)shared + threadIdx.x, s = acc_zero();
  *waiting = acc_zero();
  for (uint32_t j = k.items; j-- > 0;) {
    if (first + j >= k.buckets) continue;
#pragma unroll 1
    for (int half = 0; half < 2; half++) {
      const acc *at = half ? waiting : (const acc *)k.in + (uint64_t)blockIdx.y * k.buckets + first + j;
      acc sum = acc_add(s, *at);
      if (half) *waiting = sum;
      else s = sum;
    }
  }
  acc w = *waiting;
  __syncthreads();
  block_reduce(&w, &s, 31 - __clz(k.items), (acc *)shared);
  if (threadIdx.x) return;
  const uint64_t part = (uint64_t)blockIdx.y * gridDim.x + blockIdx.x;
  acc_store(k.out, 2 * part, w);
  acc_store(k.out, 2 * part + 1, s);
}

/* Parts of a set: W = sum of W_p + 2^log_scale * sum of p * S_p. One block a set. */
extern "C" __global__ void __launch_bounds__(BLOCK) bucket_fold(const rp_gpu_reduce_args k) {
  extern __shared__ uint4 shared[];
  acc w = acc_zero(), s = acc_zero(), plain = acc_zero();
  const uint32_t first = threadIdx.x * k.items;
  for (uint32_t j = k.items; j-- > 0;) {
    if (first + j >= k.buckets) continue;
    const uint64_t part = (uint64_t)blockIdx.x * k.buckets + first + j;
    acc b = acc_load(k.in, 2 * part);
    acc_add_to(&plain, &b);
    b = acc_load(k.in, 2 * part + 1);
    acc_add_to(&w, &s); /* before: counts from 0 */
    acc_add_to(&s, &b);
  }
  block_reduce(&w, &s, 31 - __clz(k.items), (acc *)shared);
  if (threadIdx.x == 0)
    for (uint32_t i = 0; i < k.log_scale; i++) acc_double(&w);
  __syncthreads();
  acc *all = (acc *)shared;
  for (uint32_t d = BLOCK / 2; d; d /= 2) {
    if (threadIdx.x >= d && threadIdx.x < 2 * d) all[threadIdx.x] = plain;
    __syncthreads();
    if (threadIdx.x < d) acc_add_to(&plain, &all[threadIdx.x + d]);
    __syncthreads();
  }
  if (threadIdx.x) return;
  acc_add_to(&w, &plain);
  acc_store(k.out, blockIdx.x, w);
}

/* Horner's rule over the windows; the chain of doublings is as long as the scalar. One quad. */
extern "C" __global__ void __launch_bounds__(4) window_reduce(const rp_gpu_window_args k) {
  acc r = acc_load(k.windows, k.n - 1);
  for (uint32_t i = k.n - 1; i-- > 0;) {
    for (uint32_t j = 0; j < k.doublings; j++) quad_double(&r);
    acc b = acc_load(k.windows, i);
    quad_add(&r, &b);
  }
  if (threadIdx.x == 0) acc_store(k.result, 0, r);
}
