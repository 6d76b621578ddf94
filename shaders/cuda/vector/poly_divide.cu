/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Quotients by X - z (ops/vector/poly_divide.c): one block per block of coefficients, in which each thread has a
 * share of consecutive coefficients. A thread goes through its share twice: first for its value at z, then for the
 * quotient, which also depends on the shares above.
 */
#include "kernel/kernel.cuh"

#include "vector/poly_divide_args.h"
#include "kernel/tree.cuh"

#define THREADS RP_DIVIDE_GROUP
#define LOG_THREADS 7
static_assert(THREADS == 1 << LOG_THREADS, "the powers are found by squaring");

static __device__ __noinline__ fe mul_add_call(fe a, fe b, fe c) { return fe_add(fe_mul(a, b), c); }

/* The value at z of the coefficients of this share and all above it, given that of the share alone. power[i] is
 * z^(2^i share). All threads call together. */
static __device__ __forceinline__ fe value_from(fe value, const fe *power) {
  __shared__ fe values[2][THREADS];
  const uint32_t t = threadIdx.x;
#pragma unroll 1
  for (uint32_t i = 0; i < LOG_THREADS; i++) {
    values[i & 1][t] = value;
    __syncthreads(); /* every thread has arrived here, so none reads the other half any more */
    if (t + (1u << i) < THREADS) value = mul_add_call(values[i & 1][t + (1u << i)], power[i], value);
  }
  return value;
}

extern "C" __global__ void __launch_bounds__(THREADS) poly_divide(const rp_poly_divide_args k) {
  __shared__ fe power[LOG_THREADS + 1], above[THREADS + 1]; /* power[LOG_THREADS] is z */
  const uint32_t t = threadIdx.x, share = k.block / THREADS;
  const uint64_t first = (uint64_t)blockIdx.x * k.block, begin = first + (uint64_t)t * share;
  const uint64_t end = begin + share < k.n ? begin + share : k.n;
  if (t < 32) { /* one warp only: the multipliers are free for other blocks */
    fe z = fe_load(k.point, 0);
#pragma unroll 1
    for (uint32_t i = 0; i < k.squarings; i++) z = fe_sqr(z);
    if (t == 0) power[LOG_THREADS] = z;
#pragma unroll 1
    for (uint32_t i = 1; i < share; i *= 2) z = fe_sqr(z);
#pragma unroll 1
    for (uint32_t i = 0; i < LOG_THREADS; i++) {
      if (t == 0) power[i] = z;
      z = fe_sqr(z);
    }
  }
  const bool has_carry = k.has_carry && first + k.block < k.n;
  const fe carry = has_carry ? fe_load(k.carry, blockIdx.x) : fe_zero();
  __syncthreads();
  const fe z = power[LOG_THREADS];
  fe value = fe_zero();
#pragma unroll 1
  for (uint32_t pass = 0; pass < 2; pass++) {
    if (pass == 1) {
      if (t == THREADS - 1) value = mul_add_call(carry, power[0], value);
      above[t] = value_from(value, power);
      if (t == THREADS - 1) above[THREADS] = carry;
      __syncthreads();
      value = above[t + 1];
    }
    fe next = fe_zero();
    if (begin < end) next = fe_load(k.x, end - 1);
#pragma unroll 1
    for (uint64_t i = end; i > begin; i--) {
      const fe x = next;
      if (i - 1 > begin) next = fe_load(k.x, i - 2);
      value = fe_add(fe_mul(value, z), x);
      if (pass == 1 && i > 1) fe_store(k.out, i - 2, value);
    }
  }
}
