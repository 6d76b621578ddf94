/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Membership in the subgroup of prime order r on Weierstrass curves, through endomorphisms where the curve has a fast
 * one (Scott, "A note on group membership tests for G1, G2 and GT on BLS pairing-friendly curves", ePrint 2021/1130; El
 * Housni, Guillevic, Piellard, ePrint 2022/352; Dai, Lin, Zhao, Zhou, ePrint 2022/348). Contracts: ops/arith/curve.h.
 *
 * Why each test is exact. Let e be an endomorphism with e^2 - t e + n = 0 on the whole group. A point that a(e)
 * annihilates is also annihilated by the resultant of a(z) and z^2 - t z + n. Each resultant below is a multiple of r
 * whose cofactor is coprime to the group order, so that only points of order r, and infinity, pass. All points of order
 * r do pass, because e acts on them as a root of a(z) modulo r. tests/ops/test_subgroup.c computes the resultants.
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

static inline void acc_psi(acc *r, const acc *a) {
  aff p = {a->x, a->y};
  aff_psi(&p, &p);
  r->x = p.x, r->y = p.y;
  fe_conjugate(&r->zz, &a->zz);
  fe_conjugate(&r->zzz, &a->zzz);
}
#endif

#if CURVE_FAMILY_BN || CURVE_FAMILY_BLS12
/* r = x a for the family's parameter x. */
static inline void acc_mul_x(acc *r, const acc *a) {
  acc sum = *a;
  for (int i = 62 - __builtin_clzll(CURVE_X); i >= 0; i--) {
    acc_dbl(&sum, &sum);
    if (CURVE_X >> i & 1) acc_add(&sum, &sum, a);
  }
  if (CURVE_X_IS_NEGATIVE) acc_neg(&sum, &sum);
  *r = sum;
}
#endif

static inline int aff_in_subgroup(const aff *a) {
  if (!aff_on_curve(a)) return 0;
#if CURVE_COFACTOR_IS_ONE
  return 1;
#elif FE_DEGREE == 2 && CURVE_FAMILY_BN
  /* x + 1 + x psi + x psi^2 - 2 x psi^3 annihilates the point (2022/348). */
  static const uint64_t x[1] = {CURVE_X};
  acc xa, sum, image;
  acc_mul(&xa, a, x, 1);
  acc_add_aff(&sum, &xa, a);
  acc_psi(&image, &xa);
  acc_add(&sum, &sum, &image);
  acc_psi(&image, &image);
  acc_add(&sum, &sum, &image);
  acc_psi(&image, &image);
  acc_dbl(&image, &image);
  acc_neg(&image, &image);
  acc_add(&sum, &sum, &image);
  return acc_is_zero(&sum);
#elif FE_DEGREE == 2 && CURVE_FAMILY_BLS12
  /* psi - x annihilates the point. The resultant is p - x = h1 r, where h1 is the cofactor of the curve over Fp, which
   * is coprime to this twist's (2021/1130, section 4). */
  acc t;
  aff p;
  acc_from_aff(&t, a);
  acc_mul_x(&t, &t);
  aff_psi(&p, a);
  return acc_equal_aff(&t, &p);
#elif CURVE_FAMILY_BLS12
  /* phi + x^2 annihilates the point, where phi = (beta x, y) and phi^2 + phi + 1 = 0: the resultant is x^4 - x^2 + 1 =
   * r (2021/1130, section 3). That holds for both primitive cube roots of unity, of which one has this eigenvalue on
   * the subgroup, so beta and beta^2 may both be tried. */
  static const fe beta = CURVE_BETA_64;
  acc t;
  aff p = *a;
  acc_from_aff(&t, a);
  acc_mul_x(&t, &t);
  acc_mul_x(&t, &t);
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
