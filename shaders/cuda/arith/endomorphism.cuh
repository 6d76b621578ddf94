/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The endomorphism (x, y) -> (beta x, y) of curves that have CURVE_ENDOMORPHISM (ops/arith/curves/endomorphism.h).
 */
#ifndef REPRISE_CUDA_ENDOMORPHISM_CUH
#define REPRISE_CUDA_ENDOMORPHISM_CUH

#include "arith/curve.cuh"

#if CURVE_ENDOMORPHISM
RP_DEV fe fe_mul_beta(const fe &a) {
  constexpr fp beta = CURVE_BETA_32;
#if FE_DEGREE == 1
  return fe_mul(a, beta);
#else
  return fe{fp_mul_call(a.c0, beta), fp_mul_call(a.c1, beta)};
#endif
}

/* beta^2 a, where `by_beta` is beta a: 1 + beta + beta^2 = 0. */
RP_DEV fe fe_mul_beta_again(const fe &by_beta, const fe &a) { return fe_neg(fe_add(by_beta, a)); }
#endif

#endif
