/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Reduction of the buckets of Eisenstein digits (msm/eisenstein_reduce_gpu.c), for which latency determines the time:
 * each worker is a quad of lanes, as in bucket_reduce.cu.
 */
#define RP_CUDA_SMALL_CODE
#include "kernel/kernel.cuh"

#include "msm/eisenstein_reduce_gpu_args.h"
#include "msm/eisenstein_grid.h"
#define WORKERS RP_EISENSTEIN_WORKERS
#include "arith/endomorphism.cuh"
#include "msm/workers.cuh"

/* *p = zeta *p for a point of the subgroup: zeta = -omega^2. */
static __device__ __forceinline__ void acc_zeta(acc *p) {
  p->x = fe_mul_beta_again(fe_mul_beta(p->x), p->x);
  p->y = fe_neg(p->y);
}

/* *p = n *p, n >= 1. */
static __device__ void quad_multiply(acc *p, uint32_t n) {
  const acc base = *p;
#pragma unroll 1
  for (int bit = 30 - __clz(n); bit >= 0; bit--) {
    quad_double(p);
    if (n >> bit & 1) quad_add(p, &base);
  }
}

/* Part blockIdx.x of column blockIdx.y. Worker t goes down `items` rows with a running sum, which gives their plain sum
 * S_t and their sum W_t with weights from 0. Row y counts y times:
 *   sum over t of (W_t + (blockIdx.x * WORKERS + t) * items * S_t)
 *     = sum of W_t + items * (sum over t of (blockIdx.x * S + (the suffix sum of S from t on, if t >= 1))). */
extern "C" __global__ void __launch_bounds__(4 * WORKERS) eisenstein_columns(const rp_gpu_eisenstein_args k) {
  extern __shared__ uint4 memory[];
  const uint32_t part = blockIdx.x, column = blockIdx.y;
  const uint32_t rows = rp_eisenstein_reach(k.columns, (column << k.log_run) + 1) + 1;
  if (part << k.log_part >= rows) return;
  acc *shared = (acc *)memory, s = acc_zero(), w = acc_zero(), plain = acc_zero();
  const uint32_t worker = threadIdx.x / 4, first = (part * WORKERS + worker) * k.items;
#pragma unroll 1
  for (uint32_t j = k.items; j-- > 0;) {
    if (first + j < rows) {
      const uint32_t row = first + j;
      quad_add(&w, &s); /* before s is added to, so that weights count from 0 */
      const uint64_t pair = 2 * ((uint64_t)column * (k.columns + 1) + row);
      acc b = acc_load(k.in, k.log_run ? pair + 1 : (uint64_t)row * k.columns + column);
      quad_add(&s, &b);
      if (k.log_run) {
        b = acc_load(k.in, pair);
        quad_add(&plain, &b);
      }
    }
    __syncwarp();
  }
  if (!k.log_run) plain = s;
  suffix_sums(&s, worker, shared);
  acc weigh = worker ? s : acc_zero();
  if (part) {
    if (worker == 0) publish(shared, s);
    __syncthreads();
    acc all = *shared;
    quad_multiply(&all, part);
    quad_add(&weigh, &all);
  }
  add_weighted(&w, weigh, 31 - __clz(k.items));
  acc_zeta(&w);
  quad_add(&plain, &w);
  tree_sum(&plain, worker, true, shared);
  if (threadIdx.x) return;
  const uint64_t out = 2 * ((uint64_t)column * k.parts + part);
  acc_store(k.out, out, plain);
  acc_store(k.out, out + 1, s);
}

/* Half of the workers add up the first points of the pairs, the other half weigh the second ones with 2^log_run times
 * the index of their column. One block. */
extern "C" __global__ void __launch_bounds__(8 * WORKERS) eisenstein_fold(const rp_gpu_eisenstein_args k) {
  extern __shared__ uint4 memory[];
  const bool weigh = threadIdx.x >= 4 * WORKERS;
  acc *shared = (acc *)memory + (weigh ? WORKERS : 0), s = acc_zero(), w = acc_zero();
  const uint32_t worker = threadIdx.x / 4 % WORKERS;
#pragma unroll 1
  for (uint32_t j = k.items; j-- > 0;) {
    const uint32_t column = worker * k.items + j, x = (column << k.log_run) + 1;
    if (x <= k.columns) {
      if (weigh) quad_add(&w, &s); /* before s is added to, so that weights count from 0 */
      const uint32_t parts = (rp_eisenstein_reach(k.columns, x) >> k.log_part) + 1;
#pragma unroll 1
      for (uint32_t p = 0; p < parts; p++) {
        const acc b = acc_load(k.in, 2 * ((uint64_t)column * k.parts + p) + weigh);
        quad_add(&s, &b);
      }
    }
    __syncwarp();
  }
  suffix_sums(&s, worker, shared);
  if (weigh && worker) add_weighted(&w, s, 31 - __clz(k.items));
  tree_sum(&w, worker, weigh, shared);
  if (!weigh && worker == 0) publish(shared, s);
  __syncthreads();
  if (!weigh || worker) return;
  for (uint32_t i = 0; i < k.log_run; i++) quad_double(&w);
  quad_add(&w, (const acc *)memory);
  if (threadIdx.x % 4 == 0) acc_store(k.out, 0, w);
}
