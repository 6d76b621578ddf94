/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Quotients by X - z (ops/vector/poly_divide.c): one workgroup per block of coefficients, in which each thread has
 * a share of consecutive coefficients. A thread goes through its share twice: first for its value at z, then for the
 * quotient, which also depends on the shares above.
 */
#include "kernel/kernel.glsl"

#include "vector/poly_divide_args.h"
#include "arith/field.glsl"

RP_ARGS(rp_poly_divide_args)

shared fe values[RP_DIVIDE_GROUP];

/* The value at z of the coefficients of this share and all above it, given that of the share alone; `power` is z^share.
 * All threads call together. */
fe value_from(fe value, fe power) {
  [[dont_unroll]] for (uint d = 1; d < THREADS; d *= 2) {
    values[THREAD] = value;
    barrier();
    if (THREAD + d < THREADS) value = fe_add(fe_mul(values[THREAD + d], power), value);
    power = fe_sqr(power);
    barrier();
  }
  return value;
}

void main() {
  const uint first = GROUP * k.block, n = min(k.n - first, k.block), share = k.block / THREADS;
  const uint begin = min(THREAD * share, n), end = min(begin + share, n);
  fe z = fe_load(k.point, 0);
  [[dont_unroll]] for (uint i = 0; i < k.squarings; i++) z = fe_sqr(z);
  fe power = z;
  [[dont_unroll]] for (uint i = 1; i < share; i *= 2) power = fe_sqr(power);
  fe carry = fe_zero();
  if (k.has_carry != 0 && k.n - first > k.block && THREAD == THREADS - 1) carry = fe_load(k.carry, GROUP);
  fe value = fe_zero();
  [[dont_unroll]] for (uint pass = 0; pass < 2; pass++) {
    if (pass == 1) {
      if (THREAD == THREADS - 1) value = fe_add(fe_mul(carry, power), value);
      values[THREAD] = value_from(value, power);
      barrier();
      value = carry;
      if (THREAD + 1 < THREADS) value = values[THREAD + 1];
    }
    [[dont_unroll]] for (uint i = first + end; i > first + begin; i--) {
      value = fe_add(fe_mul(value, z), fe_load(k.x, i - 1));
      if (pass == 1 && i > 1) fe_store(k.out, i - 2, value);
    }
  }
}
