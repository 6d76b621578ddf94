/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The optimal ate pairing (Vercauteren, ePrint 2008/096) with prepared lines, on BN and BLS12 curves.
 *
 * Lines are taken in affine form: through T with slope s, evaluated at P = (x, y) and divided by y, in terms of
 *   slope = s,  offset = s x_T - y_T,  and P's  neg_x_over_y = -x/y,  inv_y = 1/y:
 *   D-twist (x' w^2, y' w^3):   1 + s (-x/y) w + offset (1/y) w^3
 *   M-twist (x'/w^2, y'/w^3):   offset (1/y) + s (-x/y) w^2 + w^3      (times w^3, which the final exponentiation
 * kills, since it lies in Fp4)
 */
#ifndef REPRISE_OPS_ATE_H
#define REPRISE_OPS_ATE_H

#include "arith/pairing/tower.h"

#define PAIRING_LINES (PAIRING_LOOP_DOUBLINGS + PAIRING_LOOP_ADDITIONS + 2 * CURVE_FAMILY_BN)

static const int8_t pairing_loop[PAIRING_LOOP_DOUBLINGS] = PAIRING_LOOP;

typedef struct line {
  fe slope, offset;
} line;

/* Plain data: may be copied and stored. */
typedef struct prepared {
  uint64_t infinite;
  line line[(PAIRING_LINES + 1) / 2 * 2]; /* the odd one is zero: two are evaluated at a time (lanes.h) */
} prepared;

typedef struct evaluator {
  fp neg_x_over_y, inv_y;
} evaluator;

/* The line through t and q (tangent if q is NULL), and t := t + q. No vertical line occurs: the multiples of a point of
 * prime order r met in the loop are far from r. */
static inline void line_step(line *l, aff *t, const aff *q) {
  fe n, d;
  aff s;
  if (q) {
    fe_sub(&n, &q->y, &t->y);
    fe_sub(&d, &q->x, &t->x);
  } else {
    fe_sqr(&d, &t->x);
    fe_dbl(&n, &d);
    fe_add(&n, &n, &d);
    fe_dbl(&d, &t->y);
  }
  fe_inv_var(&d, &d);
  fe_mul(&l->slope, &n, &d);
  fe_mul(&l->offset, &l->slope, &t->x);
  fe_sub(&l->offset, &l->offset, &t->y);
  fe_sqr(&s.x, &l->slope);
  fe_sub(&s.x, &s.x, &t->x);
  fe_sub(&s.x, &s.x, q ? &q->x : &t->x);
  fe_mul(&s.y, &l->slope, &s.x); /* y = s (x_T - x) - y_T = offset - s x */
  fe_sub(&s.y, &l->offset, &s.y);
  *t = s;
}

static inline void pairing_prepare(prepared *r, const aff *q) {
  memset(r, 0, sizeof *r);
  r->infinite = (uint64_t)aff_is_zero(q);
  if (r->infinite) return;
  aff t = *q, minus;
  line *l = r->line;
  aff_neg(&minus, q);
  for (int i = 0; i < PAIRING_LOOP_DOUBLINGS; i++) {
    line_step(l++, &t, NULL);
    if (pairing_loop[i]) line_step(l++, &t, pairing_loop[i] > 0 ? q : &minus);
  }
#if CURVE_FAMILY_BN
  aff q1, q2;
  aff_psi(&q1, q);
  aff_psi(&q2, &q1);
  aff_neg(&q2, &q2);
  line_step(l++, &t, &q1);
  line_step(l++, &t, &q2);
#endif
}

static inline void line_mul(fp12 *f, const line *l, const evaluator *e) {
  fe a, b;
  fp6 s, t;
  fe_mul_fp(&a, &l->slope, &e->neg_x_over_y);
  fe_mul_fp(&b, &l->offset, &e->inv_y);
#if PAIRING_M_TWIST
  fp6 u;
  fp6_mul_01(&s, &f->c[0], &b, &a);
  fp6_mul_01(&t, &f->c[1], &b, &a);
  fp6_mul_v(&u, &f->c[1]);
  fp6_mul_v(&u, &u);
  fp6_mul_v(&f->c[1], &f->c[0]);
  fp6_add(&f->c[0], &s, &u);
  fp6_add(&f->c[1], &f->c[1], &t);
#else
  fp6_mul_01(&s, &f->c[1], &a, &b);
  fp6_mul_v(&s, &s);
  fp6_mul_01(&t, &f->c[0], &a, &b);
  fp6_add(&f->c[0], &f->c[0], &s);
  fp6_add(&f->c[1], &f->c[1], &t);
#endif
}

/* Product of n Miller loops with shared squarings. No point is infinite. */
static inline void miller_loop(fp12 *f, const evaluator *p, const prepared *const *q, int n) {
  fp12_one(f);
  int l = 0;
  for (int i = 0; i < PAIRING_LOOP_DOUBLINGS; i++) {
    fp12_sqr(f, f);
    const int steps = pairing_loop[i] ? 2 : 1;
    for (int s = 0; s < steps; s++, l++)
      for (int k = 0; k < n; k++) line_mul(f, &q[k]->line[l], &p[k]);
  }
  for (; l < PAIRING_LINES; l++)
    for (int k = 0; k < n; k++) line_mul(f, &q[k]->line[l], &p[k]);
  if (CURVE_X_IS_NEGATIVE) fp12_conjugate(f, f);
}

#endif
