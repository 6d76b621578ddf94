/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Element-wise operations and powers (ops/args/pointwise.h, powers.h).
 */
#include "kernel.cuh"

#include "args/pointwise.h"
#include "args/powers.h"
#include "field.cuh"

#define INDEX (blockIdx.x * blockDim.x + threadIdx.x)

extern "C" __global__ void __launch_bounds__(256) vec_add(const rp_binary_args k) {
  const uint32_t i = INDEX;
  if (i < k.n) fe_store(k.out, i, fe_add(fe_load(k.a, i * k.a_step), fe_load(k.b, i * k.b_step)));
}

extern "C" __global__ void __launch_bounds__(256) vec_sub(const rp_binary_args k) {
  const uint32_t i = INDEX;
  if (i < k.n) fe_store(k.out, i, fe_sub(fe_load(k.a, i * k.a_step), fe_load(k.b, i * k.b_step)));
}

extern "C" __global__ void __launch_bounds__(256) vec_mul(const rp_binary_args k) {
  const uint32_t i = INDEX;
  if (i < k.n) fe_store(k.out, i, fe_mul(fe_load(k.a, i * k.a_step), fe_load(k.b, i * k.b_step)));
}

extern "C" __global__ void __launch_bounds__(256) vec_neg(const rp_unary_args k) {
  const uint32_t i = INDEX;
  if (i < k.n) fe_store(k.out, i, fe_neg(fe_load(k.a, i)));
}

extern "C" __global__ void __launch_bounds__(256) vec_mul_sub(const rp_ternary_args k) {
  const uint32_t i = INDEX;
  if (i >= k.n) return;
  fe product = fe_mul(fe_load(k.a, i * k.a_step), fe_load(k.b, i * k.b_step));
  fe_store(k.out, i, fe_sub(product, fe_load(k.c, i * k.c_step)));
}

static __device__ __noinline__ fe power(fe base, uint32_t e) {
  fe r = fe_one();
  for (int bit = 31 - __clz(e | 1); bit >= 0; bit--) {
    r = fe_sqr(r);
    if (e >> bit & 1) r = fe_mul(r, base);
  }
  return r;
}

/* The power of a thread's element costs twice its bits in products: shared by a block, whose threads then differ by the
 * power of their own index alone. */
static __device__ fe power_of_index(const void *base_at, const void *scale, uint32_t has_scale, uint32_t i) {
  __shared__ fe block_power;
  fe base = fe_load(base_at, 0);
  if (threadIdx.x == 0) {
    block_power = power(base, i);
    if (has_scale) block_power = fe_mul(block_power, fe_load(scale, 0));
  }
  __syncthreads();
  return fe_mul(block_power, power(base, threadIdx.x));
}

extern "C" __global__ void __launch_bounds__(256) powers(const rp_powers_args k) {
  const uint32_t i = INDEX;
  fe p = power_of_index(k.base, k.scale, k.has_scale, i);
  if (i < k.n) fe_store(k.out, i, p);
}

extern "C" __global__ void __launch_bounds__(256) mul_powers(const rp_mul_powers_args k) {
  const uint32_t i = INDEX;
  fe p = power_of_index(k.base, k.scale, k.has_scale, i);
  if (i < k.n) fe_store(k.out, i, fe_mul(fe_load(k.x, i), p));
}
