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
  fe_dbl(&u, &a->y);
  fe_sqr(&v, &u);
  fe_mul(&w, &u, &v);
  fe_mul(&s, &a->x, &v);
  fe_sqr(&t, &a->x);
  fe_dbl(&m, &t);
  fe_add(&m, &m, &t);
  fe_mul(&t, &w, &a->y);
  fe_mul(&r->zz, &v, &a->zz);
  fe_mul(&r->zzz, &w, &a->zzz);
  fe_sqr(&r->x, &m);
  fe_sub(&r->x, &r->x, &s);
  fe_sub(&r->x, &r->x, &s);
  fe_sub(&s, &s, &r->x);
  fe_mul(&s, &m, &s);
  fe_sub(&r->y, &s, &t);
}

/* mdbl-2008-s-1 */
static inline void acc_dbl_aff(acc *r, const aff *a) {
  fe u, w, s, m, t;
  const aff p = *a;
  fe_dbl(&u, &p.y);
  fe_sqr(&r->zz, &u);
  fe_mul(&w, &u, &r->zz);
  r->zzz = w;
  fe_mul(&s, &p.x, &r->zz);
  fe_sqr(&t, &p.x);
  fe_dbl(&m, &t);
  fe_add(&m, &m, &t);
  fe_sqr(&r->x, &m);
  fe_sub(&r->x, &r->x, &s);
  fe_sub(&r->x, &r->x, &s);
  fe_sub(&s, &s, &r->x);
  fe_mul(&s, &m, &s);
  fe_mul(&t, &w, &p.y);
  fe_sub(&r->y, &s, &t);
}

/* The common end of both additions, from P = U2 - U1, R = S2 - S1, U1, S1, ZZ1 ZZ2 and ZZZ1 ZZZ2. */
static inline void acc_add_finish(acc *r, const fe *p, const fe *rr, const fe *u1, const fe *s1, const fe *zz,
                                  const fe *zzz) {
  fe pp, ppp, q, t;
  fe_sqr(&pp, p);
  fe_mul(&ppp, p, &pp);
  fe_mul(&q, u1, &pp);
  fe_mul(&t, s1, &ppp);
  fe_mul(&r->zz, zz, &pp);
  fe_mul(&r->zzz, zzz, &ppp);
  fe_sqr(&r->x, rr);
  fe_sub(&r->x, &r->x, &ppp);
  fe_sub(&r->x, &r->x, &q);
  fe_sub(&r->x, &r->x, &q);
  fe_sub(&q, &q, &r->x);
  fe_mul(&q, rr, &q);
  fe_sub(&r->y, &q, &t);
}

/* add-2008-s */
static inline void acc_add(acc *r, const acc *a, const acc *b) {
  fe u1, u2, s1, s2, zz, zzz;
  if (acc_is_zero(a) || acc_is_zero(b)) {
    *r = acc_is_zero(a) ? *b : *a;
    return;
  }
  fe_mul(&u1, &a->x, &b->zz);
  fe_mul(&u2, &b->x, &a->zz);
  fe_mul(&s1, &a->y, &b->zzz);
  fe_mul(&s2, &b->y, &a->zzz);
  fe_sub(&u2, &u2, &u1);
  fe_sub(&s2, &s2, &s1);
  if (fe_is_zero(&u2)) {
    if (fe_is_zero(&s2))
      acc_dbl(r, a);
    else
      acc_zero(r);
    return;
  }
  fe_mul(&zz, &a->zz, &b->zz);
  fe_mul(&zzz, &a->zzz, &b->zzz);
  acc_add_finish(r, &u2, &s2, &u1, &s1, &zz, &zzz);
}

/* madd-2008-s */
static inline void acc_add_aff(acc *r, const acc *a, const aff *b) {
  fe u, s;
  if (aff_is_zero(b)) {
    *r = *a;
    return;
  }
  if (acc_is_zero(a)) {
    acc_from_aff(r, b);
    return;
  }
  fe_mul(&u, &b->x, &a->zz);
  fe_mul(&s, &b->y, &a->zzz);
  fe_sub(&u, &u, &a->x);
  fe_sub(&s, &s, &a->y);
  if (fe_is_zero(&u)) {
    if (fe_is_zero(&s))
      acc_dbl_aff(r, b);
    else
      acc_zero(r);
    return;
  }
  const acc p = *a;
  acc_add_finish(r, &u, &s, &p.x, &p.y, &p.zz, &p.zzz);
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
