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
#include "points/affine_batch1.h"
#endif

static inline void pair_add(const pair_memory *m, uint32_t n, aff *points) { pair_add_to(m, n, points, points); }

#endif
