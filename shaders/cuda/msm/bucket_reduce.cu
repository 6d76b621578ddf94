/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Bucket reduction: for each set the sum of (i + 1) * bucket[i]. There are too few buckets to keep a GPU busy with one
 * thread per bucket, so latency determines the time, and each worker is a quad of lanes. Worker t goes down `items`
 * buckets with a running sum, which gives their plain sum S_t and their weighted sum W_t; then
 *   sum over workers t of (W_t + t * items * S_t) = sum of W_t + items * (sum over t >= 1 of the suffix sums of S),
 * so that the block needs two trees and log2(items) doublings.
 */
#define RP_CUDA_SMALL_CODE
#include "kernel/kernel.cuh"

#include "msm/bucket_reduce_gpu_args.h"
#define WORKERS RP_GPU_REDUCE_WORKERS
#include "msm/workers.cuh"

extern "C" __global__ void __launch_bounds__(4 * WORKERS) bucket_reduce(const rp_gpu_reduce_args k) {
  extern __shared__ uint4 memory[];
  acc *shared = (acc *)memory, s = acc_zero(), w = acc_zero();
  const uint32_t worker = threadIdx.x / 4, first = (blockIdx.x * WORKERS + worker) * k.items;
  for (uint32_t j = k.items; j-- > 0;) {
    if (first + j < k.buckets) {
      acc b = acc_load(k.in, (uint64_t)blockIdx.y * k.buckets + first + j);
      /* s += bucket, then w += s: a loop, so that the code of an addition appears once. */
#pragma unroll 1
      for (int half = 0; half < 2; half++) {
        quad_add(half ? &w : &s, &b);
        b = s;
      }
    }
    __syncwarp();
  }
  suffix_sums(&s, worker, shared);
  if (worker) add_weighted(&w, s, 31 - __clz(k.items));
  tree_sum(&w, worker, true, shared);
  if (threadIdx.x) return;
  const uint64_t part = (uint64_t)blockIdx.y * gridDim.x + blockIdx.x;
  acc_store(k.out, 2 * part, w);
  acc_store(k.out, 2 * part + 1, s);
}

/* The same for runs of 2^log_scale buckets, whose pairs (W_r, S_r) bucket_runs has stored: sum of W_r + 2^log_scale *
 * sum of r * S_r. */
extern "C" __global__ void __launch_bounds__(4 * WORKERS) bucket_reduce_runs(const rp_gpu_reduce_args k) {
  extern __shared__ uint4 memory[];
  acc *shared = (acc *)memory, s = acc_zero(), w = acc_zero(), plain = acc_zero();
  const uint32_t worker = threadIdx.x / 4, first = (blockIdx.x * WORKERS + worker) * k.items;
#pragma unroll 1
  for (uint32_t j = k.items; j-- > 0;) {
    if (first + j < k.buckets) {
      const uint64_t run = 2 * ((uint64_t)blockIdx.y * k.buckets + first + j);
      quad_add(&w, &s); /* before s is added to, so that weights count from 0 */
      acc b = acc_load(k.in, run + 1);
      quad_add(&s, &b);
      b = acc_load(k.in, run);
      quad_add(&plain, &b);
    }
    __syncwarp();
  }
  suffix_sums(&s, worker, shared);
  if (worker) add_weighted(&w, s, 31 - __clz(k.items));
  add_weighted(&plain, w, k.log_scale);
  tree_sum(&plain, worker, true, shared);
  if (threadIdx.x) return;
  const uint64_t part = (uint64_t)blockIdx.y * gridDim.x + blockIdx.x;
  acc_store(k.out, 2 * part, plain);
  acc_store(k.out, 2 * part + 1, s);
}

/* Joins the parts of a set: sum of W_p + 2^log_scale * sum of p * S_p. One block per set: half of its workers add up
 * the W_p, the other half compute the weighted sum of the S_p. */
extern "C" __global__ void __launch_bounds__(8 * WORKERS) bucket_fold(const rp_gpu_reduce_args k) {
  extern __shared__ uint4 memory[];
  const bool weigh = threadIdx.x >= 4 * WORKERS;
  acc *shared = (acc *)memory + (weigh ? WORKERS : 0), s = acc_zero(), w = acc_zero();
  const uint32_t worker = threadIdx.x / 4 % WORKERS, first = worker * k.items;
  for (uint32_t j = k.items; j-- > 0;) {
    if (first + j < k.buckets) {
      const acc b = acc_load(k.in, 2 * ((uint64_t)blockIdx.x * k.buckets + first + j) + weigh);
      if (weigh) quad_add(&w, &s); /* before s is added to, so that weights count from 0 */
      quad_add(&s, &b);
    }
    __syncwarp();
  }
  suffix_sums(&s, worker, shared);
  if (weigh && worker) add_weighted(&w, s, 31 - __clz(k.items));
  tree_sum(&w, worker, weigh, shared);
  if (!weigh && worker == 0) publish(shared, s);
  __syncthreads();
  if (!weigh || worker) return;
  for (uint32_t i = 0; i < k.log_scale; i++) quad_double(&w);
  quad_add(&w, (const acc *)memory);
  if (threadIdx.x % 4 == 0) acc_store(k.out, blockIdx.x, w);
}

/* Horner's rule over the windows, by one quad: the chain of doublings is as long as the scalar. */
extern "C" __global__ void __launch_bounds__(4) window_reduce(const rp_gpu_window_args k) {
  acc r = acc_load(k.windows, k.n - 1);
  for (uint32_t i = k.n - 1; i-- > 0;) {
    for (uint32_t j = 0; j < k.doublings; j++) quad_double(&r);
    acc b = acc_load(k.windows, i);
    quad_add(&r, &b);
  }
  if (threadIdx.x == 0) acc_store(k.result, 0, r);
}
