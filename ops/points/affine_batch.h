/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Many additions of affine points with one inversion (Montgomery's trick), at about six products each. Results are
 * exact for equal and opposite points and infinity. For Weierstrass curves y^2 = x^3 + b; included by templates.
 */
#ifndef REPRISE_OPS_CPU_AFFINE_BATCH_H
#define REPRISE_OPS_CPU_AFFINE_BATCH_H

#include <string.h>

#include "kernel/lanes.h"
#include "points/affine_batch_memory.h"
#include "arith/curve.h"

enum { PAIR_ADD = 0, PAIR_DOUBLE, PAIR_FIRST, PAIR_SECOND, PAIR_INFINITY };

/* out[dst] = points[a] + points[b]; callers need not set kind. */
typedef struct point_pair {
  uint32_t a, b, dst, kind;
} point_pair;

/* Memory for up to n pairs: the pairs, which the caller fills in, and the products of denominators. */
typedef struct pair_memory {
  void *products;
  point_pair *pairs;
} pair_memory;

_Static_assert(sizeof(point_pair) == RP_PAIR_BYTES, "rp_pair_memory_bytes");

/* Lays out the memory from `at`, which must be aligned to 64 bytes; returns its end. */
static void *pair_memory_map(pair_memory *m, void *at, uint32_t n) {
  m->products = at;
  m->pairs = (point_pair *)((char *)at + rp_pair_products_bytes(n, FE_BYTES));
  return (char *)at + rp_pair_memory_bytes(n, FE_BYTES);
}

/* Tells the kind of a pair, and the denominator of its slope if it has one. */
static uint32_t pair_classify(fe *den, const aff *p, const aff *q) {
  fe sum;
  if (aff_is_zero(p)) return PAIR_SECOND;
  if (aff_is_zero(q)) return PAIR_FIRST;
  fe_sub(den, &q->x, &p->x);
  if (!fe_is_zero(den)) return PAIR_ADD;
  fe_add(&sum, &p->y, &q->y);
  if (fe_is_zero(&sum)) return PAIR_INFINITY;
  *den = sum; /* the points are equal: 2 y */
  return PAIR_DOUBLE;
}

/* Adds one pair of any kind, given the inverse of its denominator. */
static inline void pair_finish(const point_pair *which, const aff *points, aff *out, const fe *inverse) {
  const aff *p = points + which->a, *q = points + which->b;
  aff *r = out + which->dst;
  fe slope, x, t;
  switch (which->kind) {
  case PAIR_ADD: fe_sub(&slope, &q->y, &p->y); break;
  case PAIR_DOUBLE: /* slope 3 x^2 / 2 y */
    fe_sqr(&t, &p->x);
    fe_add(&slope, &t, &t);
    fe_add(&slope, &slope, &t);
    break;
  case PAIR_FIRST: *r = *p; return;
  case PAIR_SECOND: *r = *q; return;
  case PAIR_INFINITY: aff_zero(r); return;
  default: return;
  }
  fe_mul(&slope, &slope, inverse);
  fe_sqr(&x, &slope);
  fe_sub(&x, &x, &p->x);
  fe_sub(&x, &x, &q->x);
  fe_sub(&t, &p->x, &x);
  fe_mul(&t, &t, &slope);
  fe_sub(&r->y, &t, &p->y); /* y is written before x, because r may be p */
  r->x = x;
}

#if RP_LANES
#include "points/affine_batch8.h"
#else

/* products[i] becomes the product of the denominators of the pairs after i; *total that of all pairs. */
static void pair_products(fe *total, point_pair *pairs, uint32_t n, const aff *points, fe *products) {
  fe run;
  fe_one(&run);
  for (uint32_t i = n; i-- > 0;) {
    const aff *p = points + pairs[i].a, *q = points + pairs[i].b;
    fe den;
    uint32_t kind = PAIR_ADD;
    fe_sub(&den, &q->x, &p->x);
    if (__builtin_expect(fe_is_zero(&den) | fe_is_zero(&p->x) | fe_is_zero(&q->x), 0)) kind = pair_classify(&den, p, q);
    pairs[i].kind = kind;
    if (__builtin_expect(kind > PAIR_DOUBLE, 0)) continue;
    products[i] = run;
    fe_mul(&run, &run, &den);
  }
  *total = run;
}

/* Adds the n pairs of the memory in order. If `out` is `points`, the dst of a pair may be an operand of an earlier pair
 * or its own, but not of a later pair. */
static void pair_add_to(const pair_memory *m, uint32_t n, const aff *points, aff *out) {
  point_pair *pairs = m->pairs;
  const fe *products = m->products;
  fe run, den, inverse;
  if (!n) return;
  pair_products(&run, pairs, n, points, m->products);
  fe_inv_var(&run, &run);
  inverse = run; /* for pairs that need no inverse */
  for (uint32_t i = 0; i < n; i++) {
    const aff *p = points + pairs[i].a, *q = points + pairs[i].b;
    if (__builtin_expect(pairs[i].kind <= PAIR_DOUBLE, 1)) {
      if (pairs[i].kind == PAIR_ADD) {
        fe_sub(&den, &q->x, &p->x);
      } else {
        fe_add(&den, &p->y, &p->y);
      }
      fe_mul(&inverse, &run, &products[i]);
      fe_mul(&run, &run, &den);
    }
    pair_finish(&pairs[i], points, out, &inverse);
  }
}
#endif

static inline void pair_add(const pair_memory *m, uint32_t n, aff *points) { pair_add_to(m, n, points, points); }

#endif
