/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Polynomial values (ops/vector/poly_eval.c): one block per chunk. Thread t evaluates the polynomial in z^THREADS
 * that has the coefficients t, t + THREADS, ...; the values of the threads are the coefficients of a polynomial in z,
 * which is halved with z^(THREADS / 2), and so on down to z.
 */
#include "kernel/kernel.cuh"

#include "vector/poly_eval_args.h"
#include "kernel/tree.cuh"

#define THREADS RP_POLY_GROUP
#define LOG_THREADS 7
static_assert(THREADS == 1 << LOG_THREADS, "the powers are found by squaring");

#define AHEAD (small_elements ? 16 : 4) /* loads in flight at once */

static __device__ __noinline__ fe mul_add_call(fe a, fe b, fe c) { return fe_add(fe_mul(a, b), c); }
static __device__ __forceinline__ fe mul_add(const fe &a, const fe &b, const fe &c) {
  if constexpr (small_elements)
    return fe_add(fe_mul(a, b), c);
  else
    return mul_add_call(a, b, c);
}

/* x[j] = coefficient i - j * THREADS of those from `first` on, as far as there are any. */
static __device__ __forceinline__ void load_down(fe *x, const void *from, uint64_t first, int32_t i) {
#pragma unroll
  for (int j = 0; j < AHEAD; j++)
    if (i >= j * THREADS) x[j] = fe_load(from, first + i - j * THREADS);
}

/* The value of the n coefficients from `first` on at z^(2^squarings), in thread 0. */
static __device__ fe value_at(const void *from, uint64_t first, uint32_t n, const void *z_at, uint32_t squarings) {
  __shared__ fe power[LOG_THREADS + 1], value[THREADS / 2]; /* z^(2^squarings 2^i) */
  const int32_t t = threadIdx.x;
  int32_t i = t + ((int32_t)n - 1 - t) / THREADS * THREADS;
  fe x[AHEAD], sum = fe_zero();
  if (t < n)
    sum = fe_load(from, first + i);
  else
    i = -1;
  i -= THREADS;
  load_down(x, from, first, i);
  if (t < 32) { /* one warp only: the multipliers are free for other blocks */
    fe z = fe_load(z_at, 0);
#pragma unroll 1
    for (; squarings; squarings--) z = fe_sqr(z);
#pragma unroll 1
    for (int p = 0; p <= LOG_THREADS; p++) {
      if (t == 0) power[p] = z;
      if (p < LOG_THREADS) z = fe_sqr(z);
    }
  }
  __syncthreads();
  const fe z = power[LOG_THREADS];
  while (i >= 0) {
#pragma unroll
    for (int j = 0; j < AHEAD; j++)
      if (i >= j * THREADS) sum = fe_add(fe_mul(sum, z), x[j]);
    i -= AHEAD * THREADS;
    load_down(x, from, first, i);
  }
#pragma unroll 1
  for (int p = LOG_THREADS - 1; p >= 5; p--) {
    const int half = 1 << p;
    if (t >= half && t < 2 * half) value[t - half] = sum;
    __syncthreads();
    if (t < half) sum = mul_add(value[t], power[p], sum);
    __syncthreads();
  }
  if (t < 32) { /* what the upper lanes get is not used */
#pragma unroll 1
    for (int p = 4; p >= 0; p--) sum = mul_add(shuffle_down(sum, 1u << p), power[p], sum);
  }
  return sum;
}

extern "C" __global__ void __launch_bounds__(THREADS) poly_chunks(const rp_poly_chunks_args k) {
  const uint32_t chunk = blockIdx.x % k.chunks, point = blockIdx.x / k.chunks;
  const uint64_t first = (uint64_t)chunk * k.chunk;
  const uint32_t n = k.n - first < k.chunk ? (uint32_t)(k.n - first) : k.chunk;
  const fe r = value_at(k.x, first, n, (const fe *)k.points + point, 0);
  if (threadIdx.x == 0) fe_store(k.partial, blockIdx.x, r);
}

extern "C" __global__ void __launch_bounds__(THREADS) poly_join(const rp_poly_join_args k) {
  const fe r = value_at(k.partial, (uint64_t)blockIdx.x * k.chunks, k.chunks, (const fe *)k.points + blockIdx.x,
                        31 - __clz(k.chunk));
  if (threadIdx.x == 0) fe_store(k.out, blockIdx.x, r);
}
