/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Element-wise operations (ops/vector/pointwise_args.h).
 */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "kernel/kernel.glsl"

#include "vector/pointwise_args.h"
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
