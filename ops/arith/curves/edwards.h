/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Twisted Edwards curves a x^2 + y^2 = 1 + d x^2 y^2 in extended coordinates: x = X/Z, y = Y/Z, X Y = Z T (Hisil, Wong,
 * Carter, Dawson, "Twisted Edwards curves revisited", 2008). Neither a nor d need be a square here: the addition law is
 * complete on the subgroup of order 2r that the points stand in. Contracts: ops/arith/curve.h.
 */
#ifndef REPRISE_OPS_EDWARDS_H
#define REPRISE_OPS_EDWARDS_H

static inline void aff_zero(aff *r) { fe_zero(&r->x), fe_one(&r->y); }

static inline int aff_equal(const aff *a, const aff *b) { return fe_equal(&a->x, &b->x) & fe_equal(&a->y, &b->y); }

static inline int aff_is_zero(const aff *a) {
  aff zero;
  aff_zero(&zero);
  return aff_equal(a, &zero);
}

static inline void aff_generator(aff *r) {
  static const aff g = {CURVE_GENERATOR_X_64, CURVE_GENERATOR_Y_64};
  *r = g;
}

static inline void aff_neg(aff *r, const aff *a) {
  fe_neg(&r->x, &a->x);
  r->y = a->y;
}

/* Banderwagon: (x, y) and (-x, -y) stand for one element, so x1 y2 = x2 y1. */
static inline int aff_same_class(const aff *a, const aff *b) {
  fe s, t;
  fe_mul(&s, &a->x, &b->y);
  fe_mul(&t, &b->x, &a->y);
  return fe_equal(&s, &t);
}

/* r = a x, where a is the curve's coefficient, a small negative integer. */
static inline void fe_mul_a(fe *r, const fe *x) {
  fe t = *x;
  for (int i = 1; i < CURVE_MINUS_A; i++) fe_add(&t, &t, x);
  fe_neg(r, &t);
}

static inline int aff_on_curve(const aff *a) {
  static const fe d = CURVE_D_64;
  fe xx, yy, l, r;
  fe_sqr(&xx, &a->x);
  fe_sqr(&yy, &a->y);
  fe_mul_a(&l, &xx);
  fe_add(&l, &l, &yy);
  fe_mul(&r, &xx, &yy);
  fe_mul(&r, &r, &d);
  fe one;
  fe_one(&one);
  fe_add(&r, &r, &one);
  return fe_equal(&l, &r);
}

/* y^2 = (1 - a x^2) / (1 - d x^2); the denominator is not 0, because d is not a square. */
static inline void aff_yy(fe *yy, const fe *x) {
  static const fe d = CURVE_D_64;
  fe xx, t, one;
  fe_one(&one);
  fe_sqr(&xx, x);
  fe_mul(&t, &xx, &d);
  fe_sub(&t, &one, &t);
  fe_inv_var(&t, &t);
  fe_mul_a(&xx, &xx);
  fe_sub(&xx, &one, &xx);
  fe_mul(yy, &xx, &t);
}

/* The points whose class belongs to Banderwagon are those where 1 - a x^2 is a nonzero square (ePrint 2021/1152; the
 * Verkle specification's subgroup check). */
static inline int aff_in_subgroup(const aff *a) {
  fe t, one;
  if (!aff_on_curve(a)) return 0;
  fe_sqr(&t, &a->x);
  fe_mul_a(&t, &t);
  fe_one(&one);
  fe_sub(&t, &one, &t);
  return !fe_is_zero(&t) && fe_sqrt_var(&t, &t);
}

static inline void acc_zero(acc *r) { fe_zero(&r->x), fe_one(&r->y), fe_zero(&r->t), fe_one(&r->z); }
static inline int acc_is_zero(const acc *a) { return fe_is_zero(&a->x) & fe_equal(&a->y, &a->z); }

static inline void acc_from_aff(acc *r, const aff *a) {
  const aff p = *a;
  r->x = p.x, r->y = p.y;
  fe_mul(&r->t, &p.x, &p.y);
  fe_one(&r->z);
}

static inline void acc_neg(acc *r, const acc *a) {
  *r = *a;
  fe_neg(&r->x, &r->x);
  fe_neg(&r->t, &r->t);
}

/* x = E F, y = G H, t = E H, z = F G: the common end of addition and doubling. */
static inline void acc_finish(acc *r, const fe *e, const fe *f, const fe *g, const fe *h) {
  fe_mul(&r->x, e, f);
  fe_mul(&r->y, g, h);
  fe_mul(&r->t, e, h);
  fe_mul(&r->z, f, g);
}

/* Unified. */
static inline void acc_add(acc *r, const acc *p, const acc *q) {
  static const fe coefficient = CURVE_D_64;
  fe a, b, c, d, e, f, g, h;
  fe_mul(&c, &p->t, &q->t);
  fe_mul(&c, &c, &coefficient);
  fe_mul(&d, &p->z, &q->z);
#define ADD_X1 p->x
#define ADD_Y1 p->y
#define ADD_X2 q->x
#define ADD_Y2 q->y
#include "arith/curves/steps/edwards_add.h"
  acc_finish(r, &e, &f, &g, &h);
}

static inline void acc_add_aff(acc *r, const acc *p, const aff *q) {
  static const fe coefficient = CURVE_D_64;
  fe a, b, c, d = p->z, e, f, g, h;
  fe_mul(&c, &q->x, &q->y);
  fe_mul(&c, &c, &p->t);
  fe_mul(&c, &c, &coefficient);
#define ADD_X1 p->x
#define ADD_Y1 p->y
#define ADD_X2 q->x
#define ADD_Y2 q->y
#include "arith/curves/steps/edwards_add.h"
  acc_finish(r, &e, &f, &g, &h);
}

static inline void acc_dbl(acc *r, const acc *p) {
  fe a, b, c, e, f, g, h;
#define DOUBLE_X1 p->x
#define DOUBLE_Y1 p->y
#define DOUBLE_Z1 p->z
#include "arith/curves/steps/edwards_double.h"
  acc_finish(r, &e, &f, &g, &h);
}

static inline void acc_scale(aff *r, const acc *a, const fe *inv_z) {
  fe_mul(&r->x, &a->x, inv_z);
  fe_mul(&r->y, &a->y, inv_z);
}

static inline const fe *acc_denominator(const acc *a) { return &a->z; }

/* ---- Constant time: the addition law above has no branches ------------------------------------------------------- */

typedef acc hom;

static inline void hom_zero(hom *r) { acc_zero(r); }
static inline void hom_from_aff_ct(hom *r, const aff *a) { acc_from_aff(r, a); }
static inline void hom_add_ct(hom *r, const hom *a, const hom *b) { acc_add(r, a, b); }
static inline void hom_to_acc_ct(acc *r, const hom *a) { *r = *a; }
static inline void hom_cmov(hom *r, const hom *a, int choose) {
  fe_cmov(&r->x, &a->x, choose), fe_cmov(&r->y, &a->y, choose);
  fe_cmov(&r->t, &a->t, choose), fe_cmov(&r->z, &a->z, choose);
}

#endif
