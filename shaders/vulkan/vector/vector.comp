/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Element-wise operations and powers (ops/vector/pointwise_args.h, powers.h).
 */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "kernel/kernel.glsl"

#include "vector/pointwise_args.h"
#include "vector/powers_args.h"
#include "arith/field.glsl"

#if defined(ENTRY_vec_add) || defined(ENTRY_vec_sub) || defined(ENTRY_vec_mul)
RP_ARGS(rp_binary_args)
void main() {
  const uint i = INDEX;
  if (i >= k.n) return;
  const fe a = fe_load(k.a, i * k.a_step), b = fe_load(k.b, i * k.b_step);
#if defined(ENTRY_vec_add)
  fe_store(k.out, i, fe_add(a, b));
#elif defined(ENTRY_vec_sub)
  fe_store(k.out, i, fe_sub(a, b));
#else
  fe_store(k.out, i, fe_mul(a, b));
#endif
}
#endif

#ifdef ENTRY_vec_neg
RP_ARGS(rp_unary_args)
void main() {
  const uint i = INDEX;
  if (i < k.n) fe_store(k.out, i, fe_neg(fe_load(k.a, i)));
}
#endif

#ifdef ENTRY_vec_mul_sub
RP_ARGS(rp_ternary_args)
void main() {
  const uint i = INDEX;
  if (i >= k.n) return;
  const fe product = fe_mul(fe_load(k.a, i * k.a_step), fe_load(k.b, i * k.b_step));
  fe_store(k.out, i, fe_sub(product, fe_load(k.c, i * k.c_step)));
}
#endif

#if defined(ENTRY_powers) || defined(ENTRY_mul_powers)
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

/* The power of a thread's element costs twice its bits in products: shared by a workgroup, whose threads then differ by
 * the power of their own index alone. */
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
#endif
