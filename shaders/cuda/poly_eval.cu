/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Polynomial values (ops/args/poly_eval.h): a workgroup a chunk. Thread t takes the coefficients t, t + THREADS, ..., a
 * polynomial in z^THREADS; what the threads have is a polynomial in z again, and is halved with z^(THREADS / 2) down to z.
 */
#include "kernel.cuh"

#include "args/poly_eval.h"
#include "field.cuh"

#define THREADS RP_POLY_GROUP
#define LOG_THREADS 7
static_assert(THREADS == 1 << LOG_THREADS, "the powers are found by squaring");

static __device__ __noinline__ fe mul_add(fe a, fe b, fe c) { return fe_add(fe_mul(a, b), c); }

/* The value in thread 0. */
static __device__ fe value_at(const void *x, uint64_t first, uint32_t n, fe z) {
  __shared__ fe power[LOG_THREADS + 1], value[THREADS / 2]; /* z^(2^i) */
  const uint32_t t = threadIdx.x;
  if (t < 32) { /* one warp, so that the others' share of the multiplier is free for other workgroups */
#pragma unroll 1
    for (int i = 0; i <= LOG_THREADS; i++) {
      if (t == 0) power[i] = z;
      if (i < LOG_THREADS) z = fe_sqr(z);
    }
  }
  __syncthreads();
  z = power[LOG_THREADS];
  fe sum = fe_zero();
  if (t < n) {
    uint32_t i = t + (n - 1 - t) / THREADS * THREADS;
    sum = fe_load(x, first + i);
    for (; i > t; i -= THREADS) sum = mul_add(sum, z, fe_load(x, first + i - THREADS));
  }
#pragma unroll 1
  for (int i = LOG_THREADS - 1; i >= 0; i--) {
    const uint32_t half = 1u << i;
    if (t >= half && t < 2 * half) value[t - half] = sum;
    __syncthreads();
    if (t < half) sum = mul_add(value[t], power[i], sum);
    __syncthreads();
  }
  return sum;
}

extern "C" __global__ void __launch_bounds__(THREADS) poly_chunks(const rp_poly_chunks_args k) {
  const uint32_t chunk = blockIdx.x % k.chunks, point = blockIdx.x / k.chunks;
  const uint64_t first = (uint64_t)chunk * k.chunk;
  const fe r =
      value_at(k.x, first, k.n - first < k.chunk ? (uint32_t)(k.n - first) : k.chunk, fe_load(k.points, point));
  if (threadIdx.x == 0) fe_store(k.partial, blockIdx.x, r);
}

extern "C" __global__ void __launch_bounds__(THREADS) poly_join(const rp_poly_join_args k) {
  fe power = fe_load(k.points, blockIdx.x);
  for (uint32_t i = k.chunk; i > 1; i /= 2) power = fe_sqr(power);
  const fe r = value_at(k.partial, (uint64_t)blockIdx.x * k.chunks, k.chunks, power);
  if (threadIdx.x == 0) fe_store(k.out, blockIdx.x, r);
}
