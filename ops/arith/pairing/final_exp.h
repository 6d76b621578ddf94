/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The final exponentiation, written once: over fp12, or over lanes12 if RP_PAIRING_LANES is defined.
 */
#ifndef REPRISE_OPS_FINAL_EXP_H
#define REPRISE_OPS_FINAL_EXP_H

#include "arith/pairing/tower.h"

/* gt: an element of the cyclotomic subgroup. Results may alias operands. */
#if defined(RP_PAIRING_LANES)
#include "arith/pairing/lanes.h"
typedef lanes12 gt;
static inline void gt_mul(gt *r, const gt *a, const gt *b) { lanes_mul(r, a, b); }
static inline void gt_sqr(gt *r, const gt *a) { lanes_cyclotomic_sqr(r, a); }
static inline void gt_conjugate(gt *r, const gt *a) { lanes_conjugate(r, a); }
static inline void gt_frobenius(gt *r, const gt *a) { lanes_frobenius(r, a); }
#else
typedef fp12 gt;
static inline void gt_mul(gt *r, const gt *a, const gt *b) { fp12_mul(r, a, b); }
static inline void gt_sqr(gt *r, const gt *a) { fp12_cyclotomic_sqr(r, a); }
static inline void gt_conjugate(gt *r, const gt *a) { fp12_conjugate(r, a); }
static inline void gt_frobenius(gt *r, const gt *a) { fp12_frobenius(r, a); }
#endif

/* r = a^x for the family's parameter x; a and r must not alias. */
static inline void gt_pow_x(gt *r, const gt *a) {
#if CURVE_FAMILY_BN
  /* Signed digits 0, +-1, +-3, +-5, +-7; at least three zeros follow each nonzero digit. An inverse is a conjugate. */
  gt odd[4], t;
  int8_t digit[65];
  int n = 0;
  for (uint64_t x = CURVE_X; x; x >>= 1, n++) {
    digit[n] = (int8_t)(x & 1 ? (int)(x & 15) - (x & 8 ? 16 : 0) : 0);
    x -= (uint64_t)(int64_t)digit[n];
  }
  odd[0] = *a;
  gt_sqr(&t, a);
  for (int i = 1; i < 4; i++) gt_mul(&odd[i], &odd[i - 1], &t);
  *r = odd[digit[n - 1] / 2]; /* the top digit is positive */
  for (int i = n - 1; i-- > 0;) {
    gt_sqr(r, r);
    if (digit[i] > 0) gt_mul(r, r, &odd[digit[i] / 2]);
    if (digit[i] < 0) gt_conjugate(&t, &odd[-digit[i] / 2]), gt_mul(r, r, &t);
  }
#else /* only six bits of x are 1 */
  *r = *a;
  for (int i = 62 - __builtin_clzll(CURVE_X); i >= 0; i--) {
    gt_sqr(r, r);
    if (CURVE_X >> i & 1) gt_mul(r, r, a);
  }
#endif
  if (CURVE_X_IS_NEGATIVE) gt_conjugate(r, r);
}

/* f^((p^6 - 1)(p^2 + 1)), into the cyclotomic subgroup. */
static inline void easy_part(fp12 *f) {
  fp12 t, m;
  fp12_conjugate(&t, f); /* p^6 - 1 */
  fp12_inv(&m, f);
  fp12_mul(&m, &t, &m);
  fp12_frobenius(&t, &m); /* p^2 + 1 */
  fp12_frobenius(&t, &t);
  fp12_mul(f, &t, &m);
}

/* r = m^(c (p^4 - p^2 + 1) / r), where c is a constant prime to r that makes the exponent short. r and m must not
 * alias. */
static inline void hard_part(gt *r, const gt *m) {
  gt t;
#if CURVE_FAMILY_BN
  /* Fuentes-Castaneda, Knapp, Rodriguez-Henriquez, "Faster hashing to G2" (2011), section 5: the exponent is 2x (6x^2 +
   * 3x + 1) (p^4 - p^2 + 1) / r. Its coefficients are
   *   of 1:    1 + 6x + 12x^2 + 12x^3
   *   of p:    4x + 6x^2 + 12x^3
   *   of p^2:  6x + 6x^2 + 12x^3
   *   of p^3:  -1 + 4x + 6x^2 + 12x^3 */
  gt x1, x2, x3, y, u;
  gt_pow_x(&t, m);
  gt_sqr(&x1, &t); /* 2x */
  gt_sqr(&t, &x1);
  gt_mul(&x2, &t, &x1); /* 6x */
  gt_pow_x(&x3, &x2);   /* 6x^2 */
  gt_sqr(&t, &x3);
  gt_pow_x(&y, &t); /* 12x^3 */
  gt_mul(&u, &y, &x3);
  gt_mul(&u, &u, &x2); /* 12x^3 + 6x^2 + 6x */
  gt_conjugate(&t, &x1);
  gt_mul(&y, &u, &t);   /* 12x^3 + 6x^2 + 4x */
  gt_mul(&x3, &u, &x3); /* 12x^3 + 12x^2 + 6x */
  gt_mul(&x3, &x3, m);  /* ... + 1 */
  gt_frobenius(&t, &y);
  gt_mul(&x3, &x3, &t);
  gt_frobenius(&t, &u);
  gt_frobenius(&t, &t);
  gt_mul(&x3, &x3, &t);
  gt_conjugate(&t, m);
  gt_mul(&y, &y, &t);
  for (int i = 0; i < 3; i++) gt_frobenius(&y, &y);
  gt_mul(r, &x3, &y);
#else
  /* 3 (p^4 - p^2 + 1) / r = (x - 1)^2 (x + p) (x^2 + p^2 - 1) + 3 (Hayashida, Hayasaka, Teruya, ePrint 2020/875) */
  gt y, u;
  gt_pow_x(&t, m);
  gt_conjugate(&u, m);
  gt_mul(&y, &t, &u);
  gt_pow_x(&t, &y);
  gt_conjugate(&u, &y);
  gt_mul(&y, &t, &u); /* (x - 1)^2 */
  gt_pow_x(&t, &y);
  gt_frobenius(&u, &y);
  gt_mul(&y, &t, &u); /* x + p */
  gt_pow_x(&u, &y);
  gt_pow_x(&t, &u);
  gt_frobenius(&u, &y);
  gt_frobenius(&u, &u);
  gt_mul(&t, &t, &u);
  gt_conjugate(&u, &y);
  gt_mul(&y, &t, &u); /* x^2 + p^2 - 1 */
  gt_sqr(&t, m);
  gt_mul(&t, &t, m);
  gt_mul(r, &y, &t);
#endif
}

#endif
