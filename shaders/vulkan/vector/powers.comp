/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Powers of an element (ops/vector/powers.c).
 */
#include "kernel/kernel.glsl"

#include "vector/powers_args.h"
#include "arith/field.glsl"

#ifdef ENTRY_powers
RP_ARGS(rp_powers_args)
#else
RP_ARGS(rp_mul_powers_args)
#endif

fe power(fe base, uint e) {
  fe r = fe_one();
  for (int bit = findMSB(e); bit >= 0; bit--) {
    r = fe_sqr(r);
    if ((e >> bit & 1) != 0) r = fe_mul(r, base);
  }
  return r;
}

/* The power of the workgroup's first element. Computing a power takes up to two products per bit of the exponent; with
 * this one shared, a thread computes only the power of its own index in the workgroup. */
shared fe group_power;

void main() {
  const uint i = INDEX;
  const fe base = fe_load(k.base, 0);
  if (THREAD == 0) {
    fe p = power(base, i);
    if (k.has_scale != 0) p = fe_mul(p, fe_load(k.scale, 0));
    group_power = p;
  }
  barrier();
  fe r = fe_mul(group_power, power(base, THREAD));
  if (i >= k.n) return;
#ifdef ENTRY_mul_powers
  r = fe_mul(fe_load(k.x, i), r);
#endif
  fe_store(k.out, i, r);
}
