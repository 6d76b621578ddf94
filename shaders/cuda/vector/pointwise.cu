/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Element-wise operations (ops/vector/pointwise_args.h).
 */
#include "kernel/kernel.cuh"

#include "vector/pointwise_args.h"
#include "arith/field.cuh"

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
