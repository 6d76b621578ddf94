/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Eight accumulators of a twisted Edwards curve, in extended coordinates as in memory (curves/edwards.h). The addition
 * law is complete, so that no lane needs another one, and its results have the coordinates of those of acc_add.
 *
 * All coordinates are tight working values (fe8.h). Comments give bounds in multiples of p.
 */
#ifndef REPRISE_OPS_CPU_EDW8_H
#define REPRISE_OPS_CPU_EDW8_H

#include "arith/simd8/fe8.h"
#include "arith/curve.h"

#include "arith/curves/steps/none.h"

/* What is subtracted is tight. */
#define STEP_MUL(r, a, b) fe8_mul(&(r), &(a), &(b))
#define STEP_SQR(r, a) fe8_sqr(&(r), &(a))
#define STEP_DBL(r, a) fe8_dbl(&(r), &(a))
#define STEP_ADD(r, a, b) (fe8_add_lazy(&(r), &(a), &(b)), fe8_carry(&(r)))
#define STEP_SUB(r, a, b) fe8_sub_plus(&(r), &(a), &(b), 2)
#define STEP_MUL_A(r, x) fe8_mul_a(&(r), &(x))

/* The product of values below A p and B p is below (A B / 32 + 1) p, because p is below S / 32. */
_Static_assert(FE_DEGREE == 1 && FP_LIMBS == 4 && FP_BITS <= 255, "the bounds of edw8_finish");
_Static_assert(CURVE_MINUS_A <= 6, "the bounds of fe8_mul_a");

typedef struct edw8 {
  fe8 x, y, t, z;
} edw8;

/* r = a x, where a is the curve's coefficient: below p + 2^-14 p. */
static inline void fe8_mul_a(fe8 *r, const fe8 *x) {
  fe8 zero, t = *x;
  fe8_zero(&zero);
  for (int i = 1; i < CURVE_MINUS_A; i++) fe8_add_lazy(&t, &t, x);
  fe8_sub_plus(r, &zero, &t, 2 * CURVE_MINUS_A + 1); /* 2 a + 1, at most 13 */
  fe8_reduce(r);
}

/* The curve's coefficient d, which the additions take. */
static inline void edw8_coefficient(fe8 *d) {
  static const fe coefficient = CURVE_D_64;
  fe8_set1(d, &coefficient);
}

static inline void edw8_zero(edw8 *r) {
  fe8_zero(&r->x), fe8_one(&r->y), fe8_zero(&r->t);
  r->z = r->y;
}

static inline void edw8_cmov(edw8 *r, const edw8 *a, m8 mask) {
  fe8_cmov(&r->x, &a->x, mask), fe8_cmov(&r->y, &a->y, mask);
  fe8_cmov(&r->t, &a->t, mask), fe8_cmov(&r->z, &a->z, mask);
}

static inline void edw8_load_at(edw8 *r, const acc *const from[8]) {
  const void *at[8];
  RP_UNROLL for (int i = 0; i < 8; i++) at[i] = &from[i]->x;
  fe8_load_at(&r->x, at);
  RP_UNROLL for (int i = 0; i < 8; i++) at[i] = &from[i]->y;
  fe8_load_at(&r->y, at);
  RP_UNROLL for (int i = 0; i < 8; i++) at[i] = &from[i]->t;
  fe8_load_at(&r->t, at);
  RP_UNROLL for (int i = 0; i < 8; i++) at[i] = &from[i]->z;
  fe8_load_at(&r->z, at);
}

static inline void edw8_store_at(acc *const to[8], const edw8 *a) {
  void *at[8];
  RP_UNROLL for (int i = 0; i < 8; i++) at[i] = &to[i]->x;
  fe8_store_at(at, &a->x);
  RP_UNROLL for (int i = 0; i < 8; i++) at[i] = &to[i]->y;
  fe8_store_at(at, &a->y);
  RP_UNROLL for (int i = 0; i < 8; i++) at[i] = &to[i]->t;
  fe8_store_at(at, &a->t);
  RP_UNROLL for (int i = 0; i < 8; i++) at[i] = &to[i]->z;
  fe8_store_at(at, &a->z);
}

/* Affine points as accumulators with z = 1; their negatives in the lanes of `minus`. */
static inline void edw8_load_affine(edw8 *r, const aff *const from[8], m8 minus) {
  const void *at[8];
  RP_UNROLL for (int i = 0; i < 8; i++) at[i] = &from[i]->x;
  fe8_load_at(&r->x, at);
  RP_UNROLL for (int i = 0; i < 8; i++) at[i] = &from[i]->y;
  fe8_load_at(&r->y, at);
  if (minus) {
    fe8 negative;
    fe8_neg(&negative, &r->x);
    fe8_cmov(&r->x, &negative, minus);
  }
  fe8_mul(&r->t, &r->x, &r->y);
  fe8_one(&r->z);
}

/* The common end of addition and doubling (acc_finish). */
static inline void edw8_finish(edw8 *r, const fe8 *e, const fe8 *f, const fe8 *g, const fe8 *h) {
  fe8_mul(&r->x, e, f);
  fe8_mul(&r->y, g, h);
  fe8_mul(&r->t, e, h);
  fe8_mul(&r->z, f, g);
}

/* r = 2 p */
static inline void edw8_dbl(edw8 *r, const edw8 *p) {
  fe8 a, b, c, e, f, g, h;
#define DOUBLE_X1 p->x
#define DOUBLE_Y1 p->y
#define DOUBLE_Z1 p->z
#include "arith/curves/steps/edwards_double.h"
  edw8_finish(r, &e, &f, &g, &h); /* 6, 5, 3 and 3 */
}

/* r = p + q, given d T1 T2 and Z1 Z2. */
static inline void edw8_add_given(edw8 *r, const edw8 *p, const edw8 *q, const fe8 *product_t, const fe8 *product_z) {
  const fe8 c = *product_t, d = *product_z;
  fe8 a, b, e, f, g, h;
#define ADD_X1 p->x
#define ADD_Y1 p->y
#define ADD_X2 q->x
#define ADD_Y2 q->y
#include "arith/curves/steps/edwards_add.h"
  edw8_finish(r, &e, &f, &g, &h); /* 6, 4, 4 and 4 */
}

/* r = p + q; `d` from edw8_coefficient. */
static inline void edw8_add(edw8 *r, const edw8 *p, const edw8 *q, const fe8 *d) {
  fe8 t, z;
  fe8_mul(&t, &p->t, &q->t);
  fe8_mul(&t, &t, d);
  fe8_mul(&z, &p->z, &q->z);
  edw8_add_given(r, p, q, &t, &z);
}

/* The same where every z of q is 1. */
static inline void edw8_add_affine(edw8 *r, const edw8 *p, const edw8 *q, const fe8 *d) {
  fe8 t;
  fe8_mul(&t, &p->t, &q->t);
  fe8_mul(&t, &t, d);
  edw8_add_given(r, p, q, &t, &p->z);
}

#endif
