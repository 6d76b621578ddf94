/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Scalar multiplication of points (ops/points/scalar_mul.c).
 */
#include "kernel/kernel.glsl"

#include "points/scalar_mul_args.h"
#include "arith/curve.glsl"
#include "kernel/fault.glsl"
#include "arith/scalar.glsl"

#ifdef ENTRY_scalar_mul_quad
#include "arith/quad.glsl"
#define ADD quad_add
#define DOUBLE quad_double
#else
#define ADD acc_add
#define DOUBLE acc_dbl
#endif
#include "points/scalar_mul.glsl"

RP_ARGS(rp_scalar_mul_args)

/* One thread per product, or for few products one workgroup of four threads each (scalar_mul_quad). */
void main() {
#ifdef ENTRY_scalar_mul_quad
  const uint i = GROUP;
  const bool reports = THREAD == 0;
#else
  const uint i = INDEX;
  const bool reports = true;
#endif
  if (i >= k.n) return;
  uint s[8];
  if (!scalar_load(s, k.scalars, i * k.scalar_step)) {
    if (!reports) return;
    acc_store(k.out, i, acc_zero()); /* the scalar counts as zero */
    rp_fault(k.error, RP_FAULT_SCALAR_RANGE, k.site, i);
    return;
  }
  const acc r = multiply(s, aff_load(k.points, i * k.point_step));
  if (reports) acc_store(k.out, i, r);
}
