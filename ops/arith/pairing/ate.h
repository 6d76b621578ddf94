/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The optimal ate pairing (Vercauteren, ePrint 2008/096) with prepared lines, on BN and BLS12 curves.
 *
 * Lines are in affine form: the line through T with slope s, evaluated at P = (x, y) and divided by y. With
 *   slope = s,  offset = s x_T - y_T,  and for P  neg_x_over_y = -x/y,  inv_y = 1/y,
 * it is
 *   D-twist (x' w^2, y' w^3):  1 + s (-x/y) w + offset (1/y) w^3
 *   M-twist (x'/w^2, y'/w^3):  offset (1/y) + s (-x/y) w^2 + w^3
 * The M-twist's line is multiplied by w^3, which lies in Fp4, so that the final exponentiation removes it.
 */
#ifndef REPRISE_OPS_ATE_H
#define REPRISE_OPS_ATE_H

#include "arith/pairing/tower.h"

/* The points that chords go through: Q, and on BN curves two images of Q under psi. */
#define PAIRING_POINTS (1 + 2 * CURVE_FAMILY_BN)
#define PAIRING_LINES (PAIRING_LOOP_DOUBLINGS + PAIRING_LOOP_ADDITIONS + PAIRING_POINTS - 1)

static const int8_t pairing_loop[PAIRING_LOOP_DOUBLINGS] = PAIRING_LOOP;

typedef struct line {
  fe slope, offset;
} line;

/* The state of a `prepared`. All zero means refused: lines of zeros would otherwise pair to one with any point. */
enum { PREPARED_REFUSED, PREPARED_LINES, PREPARED_INFINITY };

/* Plain data that may be copied and stored. */
typedef struct prepared {
  uint64_t what;
  line line[(PAIRING_LINES + 1) / 2 * 2]; /* padded to an even count: lanes.h evaluates two lines at a time */
} prepared;

typedef struct evaluator {
  fp neg_x_over_y, inv_y;
} evaluator;

#define LINES_FE fe
#include "arith/pairing/lines.h"

/* Q and, on BN curves, psi Q and -psi^2 Q; `end` is the point where the walk must end if Q has order r. */
static inline void pairing_points(const aff *q, fe x[PAIRING_POINTS], fe y[PAIRING_POINTS], aff *end) {
  aff p = *q;
  for (int k = 0; k < PAIRING_POINTS; k++) {
    x[k] = p.x, y[k] = p.y;
    aff_psi(&p, &p);
  }
  if (PAIRING_POINTS == 3) fe_neg(&y[2], &y[2]);
  *end = p;
  if (PAIRING_POINTS == 3 || CURVE_X_IS_NEGATIVE) fe_neg(&end->y, &end->y);
}

/* inverse[i] = 1 / z[i] with one inversion (Montgomery's trick). No z[i] may be zero. */
static inline void invert_all(fe *inverse, const fe *z, int n) {
  fe u, t;
  inverse[0] = z[0];
  for (int i = 1; i < n; i++) fe_mul(&inverse[i], &inverse[i - 1], &z[i]);
  fe_inv_var(&u, &inverse[n - 1]);
  for (int i = n - 1; i > 0; i--) {
    fe_mul(&t, &u, &inverse[i - 1]);
    fe_mul(&u, &u, &z[i]);
    inverse[i] = t;
  }
  inverse[0] = u;
}

/* Returns 1, with the lines in r, if q is on the curve and in the subgroup; else 0, with r all zero. */
static inline int pairing_prepare(prepared *r, const aff *q) {
  lines_fe l;
  multiple_fe t;
  fe x[PAIRING_POINTS], y[PAIRING_POINTS], inverse[PAIRING_LINES];
  aff end;
  memset(r, 0, sizeof *r);
  if (aff_is_zero(q)) {
    r->what = PREPARED_INFINITY;
    return 1;
  }
  if (!aff_on_curve(q)) return 0;
  pairing_points(q, x, y, &end);
  walk_fe(&l, &t, x, y);
  if (!(ends_at_fe(&t, &end.x, &end.y) & 1)) return 0;
  invert_all(inverse, l.z, l.n);
  for (int i = 0; i < l.n; i++) line_at_fe(&r->line[i].slope, &r->line[i].offset, &l, inverse, i);
  r->what = PREPARED_LINES;
  return 1;
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

/* The product of n Miller loops with shared squarings. No point may be infinite. */
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
