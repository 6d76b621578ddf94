/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The endomorphism (x, y) -> (beta x, y) of curves that have CURVE_ENDOMORPHISM (ops/arith/curves/endomorphism.h).
 */
#ifndef REPRISE_VULKAN_ENDOMORPHISM_GLSL
#define REPRISE_VULKAN_ENDOMORPHISM_GLSL

#include "arith/curve.glsl"

#if CURVE_ENDOMORPHISM
fe fe_mul_beta(fe a) {
  fp beta;
  [[unroll]] for (int i = 0; i < FP_N; i++) beta.v[i] = CURVE_BETA_32[i];
#if FE_DEGREE == 1
  return fe_mul(a, beta);
#else
  return fe(fp_mul(a.c0, beta), fp_mul(a.c1, beta));
#endif
}

/* beta^2 a, where `by_beta` is beta a: 1 + beta + beta^2 = 0. */
fe fe_mul_beta_again(fe by_beta, fe a) { return fe_neg(fe_add(by_beta, a)); }
#endif

#endif
