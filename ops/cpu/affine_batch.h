/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Many additions of affine points with one inversion (Montgomery's trick): about six products each. Equal points,
 * opposite points and infinity are exact. For Weierstrass curves y^2 = x^3 + b; included by templates.
 */
#ifndef RP_CPU_AFFINE_BATCH_H
#define RP_CPU_AFFINE_BATCH_H

#include "curve.h"

enum { PAIR_ADD = 0, PAIR_DOUBLE, PAIR_FIRST, PAIR_SECOND, PAIR_INFINITY };

/* points[dst] = points[a] + points[b] */
typedef struct pair {
  uint32_t a, b, dst, kind;
} pair;

/* What the pair is when its x are equal or zero, and the denominator of its slope. */
static uint32_t pair_classify(fe *den, const aff *p, const aff *q) {
  fe sum;
  if (aff_is_zero(p)) return PAIR_SECOND;
  if (aff_is_zero(q)) return PAIR_FIRST;
  if (!fe_is_zero(den)) return PAIR_ADD;
  fe_add(&sum, &p->y, &q->y);
  if (fe_is_zero(&sum)) return PAIR_INFINITY;
  *den = sum; /* the points are equal: 2 y */
  return PAIR_DOUBLE;
}

/* products[i] becomes the product of the denominators after pair i. Returns the product of all. */
static void pair_products(fe *total, pair *pairs, uint32_t n, const aff *points, fe *products) {
  fe run;
  fe_one(&run);
  for (uint32_t i = n; i-- > 0;) {
    const aff *p = points + pairs[i].a, *q = points + pairs[i].b;
    fe den;
    uint32_t kind = PAIR_ADD;
    fe_sub(&den, &q->x, &p->x);
    if (__builtin_expect(fe_is_zero(&den) | fe_is_zero(&p->x) | fe_is_zero(&q->x), 0)) {
      kind = pair_classify(&den, p, q);
    }
    pairs[i].kind = kind;
    if (__builtin_expect(kind > PAIR_DOUBLE, 0)) continue;
    products[i] = run;
    fe_mul(&run, &run, &den);
  }
  *total = run;
}

/* Adds all pairs. They are worked through in order, so that a pair's dst may be an operand of a pair before it, or its own.
 * products: n elements. */
static void pair_add(pair *pairs, uint32_t n, aff *points, fe *products) {
  fe run;
  pair_products(&run, pairs, n, points, products);
  fe_inv_var(&run, &run);
  for (uint32_t i = 0; i < n; i++) {
    const aff *p = points + pairs[i].a, *q = points + pairs[i].b;
    aff *r = points + pairs[i].dst;
    fe den, inverse, slope, x, t;
    switch (pairs[i].kind) {
    case PAIR_ADD:
      fe_sub(&den, &q->x, &p->x);
      fe_sub(&slope, &q->y, &p->y);
      break;
    case PAIR_DOUBLE: /* slope 3 x^2 / 2 y */
      fe_add(&den, &p->y, &p->y);
      fe_sqr(&t, &p->x);
      fe_add(&slope, &t, &t);
      fe_add(&slope, &slope, &t);
      break;
    case PAIR_FIRST: *r = *p; continue;
    case PAIR_SECOND: *r = *q; continue;
    default: aff_zero(r); continue;
    }
    fe_mul(&inverse, &run, &products[i]);
    fe_mul(&run, &run, &den);
    fe_mul(&slope, &slope, &inverse);
    fe_sqr(&x, &slope);
    fe_sub(&x, &x, &p->x);
    fe_sub(&x, &x, &q->x);
    fe_sub(&t, &p->x, &x);
    fe_mul(&t, &t, &slope);
    fe_sub(&r->y, &t, &p->y); /* y before x: r may be p */
    r->x = x;
  }
}

#endif
