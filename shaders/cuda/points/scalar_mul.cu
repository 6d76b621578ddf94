/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Scalar multiplication of points (ops/points/scalar_mul.c).
 */
#define RP_CUDA_SMALL_CODE
#include "kernel/kernel.cuh"

#include "points/scalar_mul_args.h"
#include "kernel/fault.cuh"
#include "arith/quad.cuh"
#include "points/scalar_mul.cuh"

#define INDEX (blockIdx.x * blockDim.x + threadIdx.x)

/* A scalar that is not below the order is a fault and counts as zero, so that no later dispatch reads memory that was
 * never written. */
extern "C" __global__ void __launch_bounds__(128) scalar_mul(const rp_scalar_mul_args k) {
  const uint32_t i = INDEX;
  if (i >= k.n) return;
  acc r;
  if (!multiply(&r, k.scalars + (uint64_t)i * k.scalar_step * 4, aff_load(k.points, (uint64_t)i * k.point_step))) {
    r = acc_zero();
    rp_fault(k.error, RP_FAULT_SCALAR_RANGE, k.site, i);
  }
  acc_store(k.out, i, r);
}

/* With few products, each gets one quad, which processes four bits per step. */
extern "C" __global__ void __launch_bounds__(32) scalar_mul_quad(const rp_scalar_mul_args k) {
  const uint32_t i = INDEX / 4;
  if (i >= k.n) return;
  uint32_t s[8];
  if (!scalar_load(s, k.scalars + (uint64_t)i * k.scalar_step * 4)) {
    if ((threadIdx.x & 3) == 0) {
      acc_store(k.out, i, acc_zero());
      rp_fault(k.error, RP_FAULT_SCALAR_RANGE, k.site, i);
    }
    return;
  }
  acc table[15], r = acc_zero();
  table[0] = acc_from_aff(aff_load(k.points, (uint64_t)i * k.point_step));
  for (int j = 1; j < 15; j++) {
    table[j] = table[j - 1];
    quad_add(&table[j], &table[0]);
  }
  for (int digit = 63; digit >= 0; digit--) {
    for (int j = 0; j < 4 && !acc_is_zero(r); j++) quad_double(&r);
    const uint32_t d = s[digit / 8] >> digit % 8 * 4 & 15;
    if (d) quad_add(&r, &table[d - 1]);
  }
  if ((threadIdx.x & 3) == 0) acc_store(k.out, i, r);
}

#if CURVE_GLV
/* With even fewer products, each half-scalar gets one quad. */
extern "C" __global__ void __launch_bounds__(32) scalar_mul_glv(const rp_scalar_mul_args k) {
  const uint32_t i = INDEX / 8;
  if (i >= k.n) return;
  uint32_t s[8];
  if (!scalar_load(s, k.scalars + (uint64_t)i * k.scalar_step * 4)) {
    if ((threadIdx.x & 7) == 0) {
      acc_store(k.out, i, acc_zero());
      rp_fault(k.error, RP_FAULT_SCALAR_RANGE, k.site, i);
    }
    return;
  }
  const bool second = threadIdx.x & 4;
  const half_scalar half = scalar_half(s, second);
  acc table[8], r = acc_zero();
  table[0] = acc_from_aff(aff_load(k.points, (uint64_t)i * k.point_step));
  if (second) table[0].x = fe_mul(table[0].x, curve_beta());
  if (half.negative) table[0].y = fe_neg(table[0].y);
  for (int j = 1; j < 8; j++) {
    table[j] = table[j & 1 ? j / 2 : j - 1];
    if (j & 1)
      quad_double(&table[j]);
    else
      quad_add(&table[j], &table[0]);
  }
  for (int digit = GLV_DIGITS - 1; digit >= 0; digit--) {
    __syncwarp(); /* quads whose digits differ run in step again */
    for (int j = 0; j < 4 && !acc_is_zero(r); j++) quad_double(&r);
    const int d = half_digit(half, digit);
    if (!d) continue;
    acc q = table[abs(d) - 1];
    if (d < 0) q.y = fe_neg(q.y);
    quad_add(&r, &q);
  }
  acc other;
  __syncwarp();
  for (uint32_t j = 0; j < sizeof(acc) / 4; j++)
    ((uint32_t *)&other)[j] = __shfl_xor_sync(0xffu << (threadIdx.x & 24), ((const uint32_t *)&r)[j], 4);
  quad_add(&r, &other);
  if ((threadIdx.x & 7) == 0) acc_store(k.out, i, r);
}
#endif
