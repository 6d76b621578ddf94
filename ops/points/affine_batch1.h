/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Batches of affine additions in scalar arithmetic, two pairs at a time: every product of a pair waits for the one
 * before it, while those of two pairs do not wait for each other. Where 4p fits the limbs, values between products
 * stay below 2p without being reduced (fe_loose.h).
 * Included by affine_batch.h.
 */
#ifndef REPRISE_OPS_CPU_AFFINE_BATCH1_H
#define REPRISE_OPS_CPU_AFFINE_BATCH1_H

#include "arith/fields/fe_loose.h"

/* products[i] becomes the product of the denominators of every second pair after i, totals[k] that of the pairs whose
 * numbers are k modulo 2. */
static void pair_products(fe totals[2], point_pair *pairs, uint32_t n, const aff *points, fe *products) {
  fe runs[2];
  fe_one(&runs[0]);
  fe_one(&runs[1]);
  for (uint32_t i = n; i-- > 0;) {
    const aff *p = points + pairs[i].a, *q = points + pairs[i].b;
    fe den, *run = &runs[i & 1];
    uint32_t kind = PAIR_ADD;
    fe_sub_loose(&den, &q->x, &p->x);
    if (__builtin_expect(fe_equal(&q->x, &p->x) | fe_is_zero(&p->x) | fe_is_zero(&q->x), 0))
      kind = pair_classify(&den, p, q);
    pairs[i].kind = kind;
    if (__builtin_expect(kind > PAIR_DOUBLE, 0)) continue;
    products[i] = *run;
    fe_mul_loose(run, run, &den);
  }
  totals[0] = runs[0];
  totals[1] = runs[1];
}

/* Replaces both by their inverses. */
static void invert_two(fe t[2]) {
  fe both, first;
  fe_mul(&both, &t[0], &t[1]);
  fe_inv_var(&both, &both);
  fe_mul(&first, &both, &t[1]);
  fe_mul(&t[1], &both, &t[0]);
  t[0] = first;
}

/* Adds one pair of any kind. `run` is the inverse of the product of the denominators of this pair and of those that
 * `product` consists of; the pair takes its own out of it. */
static void pair_add_any(const point_pair *pair, const aff *points, aff *out, fe *run, const fe *product) {
  const aff *p = points + pair->a, *q = points + pair->b;
  fe den, inverse = *run; /* for pairs that need no inverse */
  if (pair->kind <= PAIR_DOUBLE) {
    if (pair->kind == PAIR_ADD) {
      fe_sub(&den, &q->x, &p->x);
    } else {
      fe_add(&den, &p->y, &p->y);
    }
    fe_mul(&inverse, run, product);
    fe_mul_loose(run, run, &den);
  }
  pair_finish(pair, points, out, &inverse);
}

/* Adds two pairs of different points, with different x. */
static inline void pair_add_two(const point_pair *pairs, const aff *points, aff *out, fe runs[2], const fe *products) {
  const aff *p[2] = {points + pairs[0].a, points + pairs[1].a}, *q[2] = {points + pairs[0].b, points + pairs[1].b};
  fe slope[2], den[2], t[2];
  aff sum[2];
  FP_UNROLL
  for (int k = 0; k < 2; k++) {
    fe_sub_loose(&den[k], &q[k]->x, &p[k]->x);
    fe_mul_loose(&t[k], &runs[k], &products[k]);
    fe_mul_loose(&runs[k], &runs[k], &den[k]);
  }
  FP_UNROLL
  for (int k = 0; k < 2; k++) {
    fe_sub_loose(&slope[k], &q[k]->y, &p[k]->y);
    fe_mul_loose(&slope[k], &slope[k], &t[k]);
  }
  FP_UNROLL
  for (int k = 0; k < 2; k++) {
    fe_mul(&t[k], &slope[k], &slope[k]);
    fe_sub(&t[k], &t[k], &p[k]->x);
    fe_sub(&sum[k].x, &t[k], &q[k]->x);
    fe_sub_loose(&t[k], &p[k]->x, &sum[k].x);
  }
  FP_UNROLL
  for (int k = 0; k < 2; k++) {
    fe_mul(&t[k], &t[k], &slope[k]);
    fe_sub(&sum[k].y, &t[k], &p[k]->y);
  }
  out[pairs[0].dst] = sum[0];
  out[pairs[1].dst] = sum[1];
}

/* Adds the n pairs of the memory in order. If `out` is `points`, the dst of a pair may be an operand of an earlier pair
 * or its own, but not of a later pair. */
static void pair_add_to(const pair_memory *m, uint32_t n, const aff *points, aff *out) {
  const point_pair *pairs = m->pairs;
  const fe *products = m->products;
  fe runs[2];
  uint32_t i = 0;
  if (!n) return;
  pair_products(runs, m->pairs, n, points, m->products);
  invert_two(runs);
  for (; i + 2 <= n; i += 2) {
    if (__builtin_expect((pairs[i].kind | pairs[i + 1].kind) == PAIR_ADD, 1)) {
      pair_add_two(&pairs[i], points, out, runs, &products[i]);
    } else {
      pair_add_any(&pairs[i], points, out, &runs[0], &products[i]);
      pair_add_any(&pairs[i + 1], points, out, &runs[1], &products[i + 1]);
    }
  }
  if (i < n) pair_add_any(&pairs[i], points, out, &runs[0], &products[i]);
}

#endif
