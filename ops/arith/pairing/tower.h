/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Fp6 = Fp2[v]/(v^3 - xi) with xi = PAIRING_XI_C0 + u, and Fp12 = Fp6[w]/(w^2 - v), over fe = Fp2 of ops/arith/field.h.
 * Results may alias operands. Functions may take variable time: pairings here work on public values.
 */
#ifndef REPRISE_OPS_TOWER_H
#define REPRISE_OPS_TOWER_H

#include "arith/curve.h"

typedef struct fp6 {
  fe c[3];
} fp6;

typedef struct fp12 {
  fp6 c[2];
} fp12;

/* r = xi a = (c0 + c1 u)(k + u) */
static inline void fe_mul_xi(fe *r, const fe *a) {
  const fe t = *a;
  fe s = t;
#if PAIRING_XI_C0 == 9
  fe_dbl(&s, &s);
  fe_dbl(&s, &s);
  fe_dbl(&s, &s);
  fe_add(&s, &s, &t);
#elif PAIRING_XI_C0 != 1
#error "xi = 1 + u or 9 + u"
#endif
  fp_sub(&r->c0, &s.c0, &t.c1);
  fp_add(&r->c1, &s.c1, &t.c0);
}

static inline void fp6_add(fp6 *r, const fp6 *a, const fp6 *b) {
  for (int i = 0; i < 3; i++) fe_add(&r->c[i], &a->c[i], &b->c[i]);
}

static inline void fp6_sub(fp6 *r, const fp6 *a, const fp6 *b) {
  for (int i = 0; i < 3; i++) fe_sub(&r->c[i], &a->c[i], &b->c[i]);
}

static inline void fp6_neg(fp6 *r, const fp6 *a) {
  for (int i = 0; i < 3; i++) fe_neg(&r->c[i], &a->c[i]);
}

static inline void fp6_mul_v(fp6 *r, const fp6 *a) {
  const fe t = a->c[2];
  r->c[2] = a->c[1];
  r->c[1] = a->c[0];
  fe_mul_xi(&r->c[0], &t);
}

/* r = (a0 + a1)(b0 + b1) - p - q: the cross term of a product whose outer terms are p = a0 b0 and q = a1 b1. */
static inline void fe_cross(fe *r, const fe *a0, const fe *a1, const fe *b0, const fe *b1, const fe *p, const fe *q) {
  fe s, t;
  fe_add(&s, a0, a1);
  fe_add(&t, b0, b1);
  fe_mul(&s, &s, &t);
  fe_sub(&s, &s, p);
  fe_sub(r, &s, q);
}

/* Karatsuba, with six products. */
static inline void fp6_mul(fp6 *r, const fp6 *a, const fp6 *b) {
  fe t0, t1, t2, x, y, z;
  fe_mul(&t0, &a->c[0], &b->c[0]);
  fe_mul(&t1, &a->c[1], &b->c[1]);
  fe_mul(&t2, &a->c[2], &b->c[2]);
  fe_cross(&x, &a->c[1], &a->c[2], &b->c[1], &b->c[2], &t1, &t2);
  fe_cross(&y, &a->c[0], &a->c[1], &b->c[0], &b->c[1], &t0, &t1);
  fe_cross(&z, &a->c[0], &a->c[2], &b->c[0], &b->c[2], &t0, &t2);
  fe_mul_xi(&x, &x);
  fe_add(&r->c[0], &t0, &x);
  fe_mul_xi(&t2, &t2);
  fe_add(&r->c[1], &y, &t2);
  fe_add(&r->c[2], &z, &t1);
}

/* r = a (b0 + b1 v), with five products. */
static inline void fp6_mul_01(fp6 *r, const fp6 *a, const fe *b0, const fe *b1) {
  fe t0, t1, x, y, z;
  fe_mul(&t0, &a->c[0], b0);
  fe_mul(&t1, &a->c[1], b1);
  fe_mul(&x, &a->c[2], b1);
  fe_cross(&y, &a->c[0], &a->c[1], b0, b1, &t0, &t1);
  fe_mul(&z, &a->c[2], b0);
  fe_mul_xi(&x, &x);
  fe_add(&r->c[0], &t0, &x);
  r->c[1] = y;
  fe_add(&r->c[2], &z, &t1);
}

/* By the norm to Fp2: with A = a0^2 - xi a1 a2, B = xi a2^2 - a0 a1, C = a1^2 - a0 a2 and F = a0 A + xi (a2 B + a1 C),
 * the inverse is (A, B, C) / F. */
static inline void fp6_inv(fp6 *r, const fp6 *a) {
  fe x, y, z, f, t;
  fe_sqr(&x, &a->c[0]);
  fe_mul(&t, &a->c[1], &a->c[2]);
  fe_mul_xi(&t, &t);
  fe_sub(&x, &x, &t);
  fe_sqr(&y, &a->c[2]);
  fe_mul_xi(&y, &y);
  fe_mul(&t, &a->c[0], &a->c[1]);
  fe_sub(&y, &y, &t);
  fe_sqr(&z, &a->c[1]);
  fe_mul(&t, &a->c[0], &a->c[2]);
  fe_sub(&z, &z, &t);
  fe_mul(&f, &a->c[2], &y);
  fe_mul(&t, &a->c[1], &z);
  fe_add(&f, &f, &t);
  fe_mul_xi(&f, &f);
  fe_mul(&t, &a->c[0], &x);
  fe_add(&f, &f, &t);
  fe_inv_var(&f, &f);
  fe_mul(&r->c[0], &x, &f);
  fe_mul(&r->c[1], &y, &f);
  fe_mul(&r->c[2], &z, &f);
}

static inline void fp12_one(fp12 *r) {
  memset(r, 0, sizeof *r);
  fe_one(&r->c[0].c[0]);
}

static inline int fp12_equal(const fp12 *a, const fp12 *b) { return memcmp(a, b, sizeof *a) == 0; }

static inline void fp12_mul(fp12 *r, const fp12 *a, const fp12 *b) {
  fp6 t0, t1, s, t;
  fp6_mul(&t0, &a->c[0], &b->c[0]);
  fp6_mul(&t1, &a->c[1], &b->c[1]);
  fp6_add(&s, &a->c[0], &a->c[1]);
  fp6_add(&t, &b->c[0], &b->c[1]);
  fp6_mul(&s, &s, &t);
  fp6_sub(&s, &s, &t0);
  fp6_sub(&r->c[1], &s, &t1);
  fp6_mul_v(&t1, &t1);
  fp6_add(&r->c[0], &t0, &t1);
}

/* (a0 + a1)(a0 + v a1) - m - v m + 2 m w, where m = a0 a1. */
static inline void fp12_sqr(fp12 *r, const fp12 *a) {
  fp6 m, s, t;
  fp6_mul(&m, &a->c[0], &a->c[1]);
  fp6_add(&s, &a->c[0], &a->c[1]);
  fp6_mul_v(&t, &a->c[1]);
  fp6_add(&t, &t, &a->c[0]);
  fp6_mul(&s, &s, &t);
  fp6_sub(&s, &s, &m);
  fp6_mul_v(&t, &m);
  fp6_sub(&r->c[0], &s, &t);
  fp6_add(&r->c[1], &m, &m);
}

/* The p^6-power Frobenius. After the first step of the final exponentiation it is the inverse. */
static inline void fp12_conjugate(fp12 *r, const fp12 *a) {
  r->c[0] = a->c[0];
  fp6_neg(&r->c[1], &a->c[1]);
}

static inline void fp12_inv(fp12 *r, const fp12 *a) {
  fp6 s, t;
  fp6_mul(&s, &a->c[0], &a->c[0]);
  fp6_mul(&t, &a->c[1], &a->c[1]);
  fp6_mul_v(&t, &t);
  fp6_sub(&s, &s, &t);
  fp6_inv(&s, &s);
  fp6_mul(&r->c[0], &a->c[0], &s);
  fp6_mul(&t, &a->c[1], &s);
  fp6_neg(&r->c[1], &t);
}

/* Entry i is xi^(i (p - 1) / 6); entry 0, which would be 1, is not used. */
static const fe fp12_frobenius_power[6] = {{{{0}}, {{0}}},         PAIRING_FROBENIUS_1_64, PAIRING_FROBENIUS_2_64,
                                           PAIRING_FROBENIUS_3_64, PAIRING_FROBENIUS_4_64, PAIRING_FROBENIUS_5_64};

/* r = a^p: the coefficient of w^i (v = w^2) is conjugated and multiplied by xi^(i (p - 1) / 6). */
static inline void fp12_frobenius(fp12 *r, const fp12 *a) {
  for (int i = 0; i < 6; i++) {
    fe *to = &r->c[i % 2].c[i / 2];
    fe_conjugate(to, &a->c[i % 2].c[i / 2]);
    if (i) fe_mul(to, to, &fp12_frobenius_power[i]);
  }
}

/* r0 + r1 s = (a + b s)^2 in Fp2[s]/(s^2 - xi) */
static inline void fp4_sqr(fe *r0, fe *r1, const fe *a, const fe *b) {
  fe t0, t1, s;
  fe_sqr(&t0, a);
  fe_sqr(&t1, b);
  fe_add(&s, a, b);
  fe_sqr(&s, &s);
  fe_sub(&s, &s, &t0);
  fe_sub(r1, &s, &t1);
  fe_mul_xi(&t1, &t1);
  fe_add(r0, &t0, &t1);
}

/* r = 3 t + 2 a, or 3 t - 2 a if `minus` */
static inline void fe_triple_and_twice(fe *r, const fe *t, const fe *a, int minus) {
  fe s;
  if (minus)
    fe_sub(&s, t, a);
  else
    fe_add(&s, t, a);
  fe_dbl(&s, &s);
  fe_add(r, &s, t);
}

/* The square of an element of the cyclotomic subgroup (Granger, Scott, ePrint 2009/565, section 3.2). */
static inline void fp12_cyclotomic_sqr(fp12 *r, const fp12 *a) {
  fe t0, t1, t2, t3, t4, t5;
  fp4_sqr(&t0, &t1, &a->c[0].c[0], &a->c[1].c[1]);
  fp4_sqr(&t2, &t3, &a->c[1].c[0], &a->c[0].c[2]);
  fp4_sqr(&t4, &t5, &a->c[0].c[1], &a->c[1].c[2]);
  fe_mul_xi(&t5, &t5);
  fe_triple_and_twice(&r->c[0].c[0], &t0, &a->c[0].c[0], 1);
  fe_triple_and_twice(&r->c[1].c[1], &t1, &a->c[1].c[1], 0);
  fe_triple_and_twice(&r->c[0].c[1], &t2, &a->c[0].c[1], 1);
  fe_triple_and_twice(&r->c[1].c[2], &t3, &a->c[1].c[2], 0);
  fe_triple_and_twice(&r->c[0].c[2], &t4, &a->c[0].c[2], 1);
  fe_triple_and_twice(&r->c[1].c[0], &t5, &a->c[1].c[0], 0);
}

#endif
