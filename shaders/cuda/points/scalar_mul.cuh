/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A point times a scalar in one thread.
 */
#ifndef REPRISE_CUDA_POINTS_SCALAR_MUL_CUH
#define REPRISE_CUDA_POINTS_SCALAR_MUL_CUH

#include "arith/glv.cuh"
#include "arith/scalar.cuh"
#include "points/points.cuh"

/* *r = scalar * p, four bits per step. False, with *r unchanged, if the scalar is not below the order. */
static __device__ bool multiply(acc *r, const uint64_t *scalar, const aff &p) {
  uint32_t s[8];
  if (!scalar_load(s, scalar)) return false;
#if CURVE_GLV
  const half_scalar half[2] = {scalar_half(s, false), scalar_half(s, true)};
  acc table[8];
  table[0] = acc_from_aff(p);
  for (int j = 1; j < 8; j++) {
    table[j] = table[j - 1];
    acc_add_to(&table[j], &table[0]);
  }
  *r = acc_zero();
  for (int digit = GLV_DIGITS - 1; digit >= 0; digit--) {
    for (int j = 0; j < 4 && !acc_is_zero(*r); j++) acc_double(r);
    for (int h = 0; h < 2; h++) {
      const int d = half_digit(half[h], digit);
      if (!d) continue;
      acc q = table[abs(d) - 1];
      if (h) q.x = fe_mul(q.x, curve_beta());
      if (half[h].negative != (d < 0)) q.y = fe_neg(q.y);
      acc_add_to(r, &q);
    }
  }
#else
  acc table[15];
  table[0] = acc_from_aff(p);
  for (int j = 1; j < 15; j++) {
    table[j] = table[j - 1];
    acc_add_to(&table[j], &table[0]);
  }
  *r = acc_zero();
  for (int digit = 63; digit >= 0; digit--) {
    for (int j = 0; j < 4; j++) acc_double(r);
    uint32_t d = s[digit / 8] >> digit % 8 * 4 & 15;
    if (d) acc_add_to(r, &table[d - 1]);
  }
#endif
  return true;
}

#endif
