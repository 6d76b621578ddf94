/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The endomorphism (x, y) -> (beta x, y) of curves y^2 = x^3 + b that have CURVE_ENDOMORPHISM; beta^3 = 1. On points of
 * the subgroup of order r it multiplies by a number (msm/eisenstein.h). Include arith/curve.h first.
 */
#ifndef REPRISE_OPS_ENDOMORPHISM_H
#define REPRISE_OPS_ENDOMORPHISM_H

#if CURVE_ENDOMORPHISM
/* r = beta a. r may be a. */
static inline void fe_mul_beta(fe *r, const fe *a) {
  static const fp beta = CURVE_BETA_64;
#if FE_DEGREE == 1
  fp_mul(r, a, &beta);
#else
  fe_mul_fp(r, a, &beta);
#endif
}

/* r = beta^2 a, where `by_beta` is beta a: 1 + beta + beta^2 = 0. r may be either. */
static inline void fe_mul_beta_again(fe *r, const fe *by_beta, const fe *a) {
  fe_add(r, by_beta, a);
  fe_neg(r, r);
}
#endif

#endif
