/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Short Weierstrass curves y^2 = x^3 + b in XYZZ coordinates: x = X/ZZ, y = Y/ZZZ, ZZ^3 = ZZZ^2. Formulas by name from
 * the Explicit-Formulas Database (Bernstein, Lange), "XYZZ coordinates". Contracts: ops/arith/curve.h.
 */
#ifndef REPRISE_OPS_WEIERSTRASS_H
#define REPRISE_OPS_WEIERSTRASS_H

static inline void aff_zero(aff *r) { memset(r, 0, sizeof *r); }
static inline int aff_is_zero(const aff *a) { return fe_is_zero(&a->x) & fe_is_zero(&a->y); }

static inline void aff_generator(aff *r) {
  static const aff g = {CURVE_GENERATOR_X_64, CURVE_GENERATOR_Y_64};
  *r = g;
}

static inline int aff_equal(const aff *a, const aff *b) { return fe_equal(&a->x, &b->x) & fe_equal(&a->y, &b->y); }

static inline void aff_neg(aff *r, const aff *a) {
  r->x = a->x;
  fe_neg(&r->y, &a->y);
}

static inline void aff_yy(fe *r, const fe *x) {
  static const fe b = CURVE_B_64;
  fe t;
  fe_sqr(&t, x);
  fe_mul(&t, &t, x);
  fe_add(r, &t, &b);
}

static inline int aff_on_curve(const aff *a) {
  fe l, r;
  if (aff_is_zero(a)) return 1;
  aff_yy(&r, &a->x);
  fe_sqr(&l, &a->y);
  return fe_equal(&l, &r);
}

static inline void acc_zero(acc *r) { memset(r, 0, sizeof *r); }
static inline int acc_is_zero(const acc *a) { return fe_is_zero(&a->zz); }

static inline void acc_from_aff(acc *r, const aff *a) {
  if (aff_is_zero(a)) {
    acc_zero(r);
    return;
  }
  r->x = a->x, r->y = a->y;
  fe_one(&r->zz), fe_one(&r->zzz);
}

static inline void acc_neg(acc *r, const acc *a) {
  *r = *a;
  fe_neg(&r->y, &r->y);
}

/* dbl-2008-s-1 with a = 0; zero gives zero, and so does a point with y = 0. */
static inline void acc_dbl(acc *r, const acc *a) {
  fe u, v, w, s, m, t;
#define DOUBLE_X1 a->x
#define DOUBLE_Y1 a->y
#define DOUBLE_X r->x
#define DOUBLE_Y r->y
#include "arith/curves/steps/double.h"
  fe_mul(&r->zz, &v, &a->zz);
  fe_mul(&r->zzz, &w, &a->zzz);
}

/* mdbl-2008-s-1 */
static inline void acc_dbl_aff(acc *r, const aff *a) {
  fe u, v, w, s, m, t;
  const aff p = *a;
#define DOUBLE_X1 p.x
#define DOUBLE_Y1 p.y
#define DOUBLE_X r->x
#define DOUBLE_Y r->y
#include "arith/curves/steps/double.h"
  r->zz = v;
  r->zzz = w;
}

/* add-2008-s */
static inline void acc_add(acc *r, const acc *a, const acc *b) {
  fe x1, y1, u, d, zz, zzz, uu, uuu, v, w;
  if (acc_is_zero(a) || acc_is_zero(b)) {
    *r = acc_is_zero(a) ? *b : *a;
    return;
  }
  fe_mul(&x1, &a->x, &b->zz);
  fe_mul(&u, &b->x, &a->zz);
  fe_mul(&y1, &a->y, &b->zzz);
  fe_mul(&d, &b->y, &a->zzz);
  fe_sub(&u, &u, &x1);
  fe_sub(&d, &d, &y1);
  if (fe_is_zero(&u)) {
    if (fe_is_zero(&d))
      acc_dbl(r, a);
    else
      acc_zero(r);
    return;
  }
  fe_mul(&zz, &a->zz, &b->zz);
  fe_mul(&zzz, &a->zzz, &b->zzz);
#define ADD_X1 x1
#define ADD_Y1 y1
#define ADD_X r->x
#define ADD_Y r->y
#include "arith/curves/steps/add.h"
  fe_mul(&r->zz, &zz, &uu);
  fe_mul(&r->zzz, &zzz, &uuu);
}

/* madd-2008-s */
static inline void acc_add_aff(acc *r, const acc *a, const aff *b) {
  fe u, d, uu, uuu, v, w;
  if (aff_is_zero(b)) {
    *r = *a;
    return;
  }
  if (acc_is_zero(a)) {
    acc_from_aff(r, b);
    return;
  }
  fe_mul(&u, &b->x, &a->zz);
  fe_mul(&d, &b->y, &a->zzz);
  fe_sub(&u, &u, &a->x);
  fe_sub(&d, &d, &a->y);
  if (fe_is_zero(&u)) {
    if (fe_is_zero(&d))
      acc_dbl_aff(r, b);
    else
      acc_zero(r);
    return;
  }
#define ADD_X1 a->x
#define ADD_Y1 a->y
#define ADD_X r->x
#define ADD_Y r->y
#include "arith/curves/steps/add.h"
  fe_mul(&r->zz, &a->zz, &uu);
  fe_mul(&r->zzz, &a->zzz, &uuu);
}

/* r = a in affine form, given 1/ZZZ: 1/ZZ = (ZZ / ZZZ)^2, because ZZZ^2 = ZZ^3. */
static inline void acc_scale(aff *r, const acc *a, const fe *inv_zzz) {
  fe t;
  fe_mul(&t, inv_zzz, &a->zz);
  fe_sqr(&t, &t);
  fe_mul(&r->y, &a->y, inv_zzz);
  fe_mul(&r->x, &a->x, &t);
}

static inline const fe *acc_denominator(const acc *a) { return &a->zzz; }

/* ---- Constant time ----------------------------------------------------------------------------------------------- */

/* Homogeneous coordinates x = X/Z, y = Y/Z; zero is (0, 1, 0). */
typedef struct hom {
  fe x, y, z;
} hom;

static inline void hom_zero(hom *r) { fe_zero(&r->x), fe_one(&r->y), fe_zero(&r->z); }

static inline void hom_from_aff_ct(hom *r, const aff *a) {
  hom zero;
  hom_zero(&zero);
  const int infinite = aff_is_zero(a);
  r->x = a->x, r->y = a->y;
  fe_one(&r->z);
  fe_cmov(&r->y, &zero.y, infinite);
  fe_cmov(&r->z, &zero.z, infinite);
}

/* Complete on curves of odd order, without branches: Renes, Costello, Batina, "Complete addition formulas for prime
 * order elliptic curves" (2015), algorithm 7 (a = 0). */
static inline void hom_add_ct(hom *r, const hom *a, const hom *b) {
  static const fe b3 = CURVE_3B_64;
  fe t0, t1, t2, t3, t4, s, x3, y3, z3;
  fe_mul(&t0, &a->x, &b->x);
  fe_mul(&t1, &a->y, &b->y);
  fe_mul(&t2, &a->z, &b->z);
  fe_add(&t3, &a->x, &a->y);
  fe_add(&s, &b->x, &b->y);
  fe_mul(&t3, &t3, &s);
  fe_add(&s, &t0, &t1);
  fe_sub(&t3, &t3, &s); /* X1 Y2 + X2 Y1 */
  fe_add(&t4, &a->y, &a->z);
  fe_add(&s, &b->y, &b->z);
  fe_mul(&t4, &t4, &s);
  fe_add(&s, &t1, &t2);
  fe_sub(&t4, &t4, &s); /* Y1 Z2 + Y2 Z1 */
  fe_add(&x3, &a->x, &a->z);
  fe_add(&s, &b->x, &b->z);
  fe_mul(&x3, &x3, &s);
  fe_add(&s, &t0, &t2);
  fe_sub(&y3, &x3, &s); /* X1 Z2 + X2 Z1 */
  fe_dbl(&s, &t0);
  fe_add(&t0, &t0, &s); /* 3 X1 X2 */
  fe_mul(&t2, &t2, &b3);
  fe_add(&z3, &t1, &t2);
  fe_sub(&t1, &t1, &t2);
  fe_mul(&y3, &y3, &b3);
  fe_mul(&x3, &t3, &t1);
  fe_mul(&s, &t4, &y3);
  fe_sub(&x3, &x3, &s);
  fe_mul(&y3, &y3, &t0);
  fe_mul(&s, &t1, &z3);
  fe_add(&y3, &y3, &s);
  fe_mul(&t0, &t0, &t3);
  fe_mul(&z3, &z3, &t4);
  fe_add(&z3, &z3, &t0);
  r->x = x3, r->y = y3, r->z = z3;
}

static inline void hom_cmov(hom *r, const hom *a, int choose) {
  fe_cmov(&r->x, &a->x, choose), fe_cmov(&r->y, &a->y, choose), fe_cmov(&r->z, &a->z, choose);
}

/* ZZ = Z^2, ZZZ = Z^3. */
static inline void hom_to_acc_ct(acc *r, const hom *a) {
  const hom p = *a;
  fe_sqr(&r->zz, &p.z);
  fe_mul(&r->zzz, &r->zz, &p.z);
  fe_mul(&r->x, &p.x, &p.z);
  fe_mul(&r->y, &p.y, &r->zz);
}

#endif
