/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Membership in the subgroup of prime order r on Weierstrass curves, through endomorphisms where the curve has a fast
 * one (Scott, "A note on group membership tests for G1, G2 and GT on BLS pairing-friendly curves", ePrint 2021/1130; El
 * Housni, Guillevic, Piellard, ePrint 2022/352). Contracts: ops/arith/curve.h.
 */
#ifndef REPRISE_OPS_SUBGROUP_H
#define REPRISE_OPS_SUBGROUP_H

static inline int acc_equal_aff(const acc *a, const aff *b) {
  fe t;
  if (acc_is_zero(a) || aff_is_zero(b)) return acc_is_zero(a) & aff_is_zero(b);
  fe_mul(&t, &b->x, &a->zz);
  if (!fe_equal(&t, &a->x)) return 0;
  fe_mul(&t, &b->y, &a->zzz);
  return fe_equal(&t, &a->y);
}

#ifdef CURVE_PSI_X_64
/* psi: untwist, p-power Frobenius, twist. psi^2 - t psi + p = 0 on the whole twist. */
static inline void aff_psi(aff *r, const aff *a) {
  static const fe psi_x = CURVE_PSI_X_64, psi_y = CURVE_PSI_Y_64;
  fe_conjugate(&r->x, &a->x);
  fe_conjugate(&r->y, &a->y);
  fe_mul(&r->x, &r->x, &psi_x);
  fe_mul(&r->y, &r->y, &psi_y);
}
#endif

static inline int aff_in_subgroup(const aff *a) {
  if (!aff_on_curve(a)) return 0;
#if CURVE_COFACTOR_IS_ONE
  return 1;
#elif FE_DEGREE == 2 && CURVE_FAMILY_BN
  /* psi = t - 1 = 6 x^2: then 1 - t + p = r annihilates the point, as the curve over Fp has exactly r points. */
  const uint128 eigenvalue = (uint128)CURVE_X * CURVE_X * 6;
  const uint64_t k[2] = {(uint64_t)eigenvalue, (uint64_t)(eigenvalue >> 64)};
  acc t;
  aff p;
  acc_mul(&t, a, k, 2);
  aff_psi(&p, a);
  return acc_equal_aff(&t, &p);
#elif FE_DEGREE == 2 && CURVE_FAMILY_BLS12
  /* psi = x: then x^2 - t x + p = p - x = h1 r annihilates the point, and h1 has no factor in common with this twist's
   * cofactor. */
  const uint64_t k[1] = {CURVE_X};
  acc t;
  aff p;
  acc_mul(&t, a, k, 1);
  if (CURVE_X_IS_NEGATIVE) acc_neg(&t, &t);
  aff_psi(&p, a);
  return acc_equal_aff(&t, &p);
#elif CURVE_FAMILY_BLS12
  /* phi = -x^2 for phi = (beta x, y): phi^2 + phi + 1 = 0 makes it x^4 - x^2 + 1 = r. That holds for either cube root
   * of unity, of which one has this eigenvalue on the subgroup; so beta and beta^2 may both be tried. */
  static const fe beta = CURVE_BETA_64;
  const uint128 square = (uint128)CURVE_X * CURVE_X;
  const uint64_t k[2] = {(uint64_t)square, (uint64_t)(square >> 64)};
  acc t;
  aff p = *a;
  acc_mul(&t, a, k, 2);
  acc_neg(&t, &t);
  fe_mul(&p.x, &p.x, &beta);
  if (acc_equal_aff(&t, &p)) return 1;
  fe_mul(&p.x, &p.x, &beta);
  return acc_equal_aff(&t, &p);
#else
  static const uint64_t order[CURVE_SCALAR_LIMBS] = CURVE_ORDER_64;
  acc t;
  acc_mul(&t, a, order, CURVE_SCALAR_LIMBS);
  return acc_is_zero(&t);
#endif
}

#endif
