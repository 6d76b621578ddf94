/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Eight accumulators of a Weierstrass curve, in XYZZ coordinates as in memory (curves/weierstrass.h).
 *
 * All coordinates are working values (fe8.h). X and Y are below p + 2^-14 p, ZZ and ZZZ are tight; the bounds of
 * products are those of jac8.h.
 */
#ifndef REPRISE_OPS_CPU_ACC8_H
#define REPRISE_OPS_CPU_ACC8_H

#include "arith/simd8/fe8.h"
#include "arith/curve.h"

typedef struct acc8 {
  fe8 x, y, zz, zzz;
} acc8;

static inline void acc8_cmov(acc8 *r, const acc8 *a, m8 mask) {
  fe8_cmov(&r->x, &a->x, mask), fe8_cmov(&r->y, &a->y, mask);
  fe8_cmov(&r->zz, &a->zz, mask), fe8_cmov(&r->zzz, &a->zzz, mask);
}

/* Loads memory[0..7]. */
static inline void acc8_load(acc8 *r, const acc *memory) {
  const void *at[8];
  RP_UNROLL for (int i = 0; i < 8; i++) at[i] = &memory[i].x;
  fe8_load_at(&r->x, at);
  RP_UNROLL for (int i = 0; i < 8; i++) at[i] = &memory[i].y;
  fe8_load_at(&r->y, at);
  RP_UNROLL for (int i = 0; i < 8; i++) at[i] = &memory[i].zz;
  fe8_load_at(&r->zz, at);
  RP_UNROLL for (int i = 0; i < 8; i++) at[i] = &memory[i].zzz;
  fe8_load_at(&r->zzz, at);
}

static inline void acc8_store(acc *memory, const acc8 *a) {
  void *at[8];
  RP_UNROLL for (int i = 0; i < 8; i++) at[i] = &memory[i].x;
  fe8_store_at(at, &a->x);
  RP_UNROLL for (int i = 0; i < 8; i++) at[i] = &memory[i].y;
  fe8_store_at(at, &a->y);
  RP_UNROLL for (int i = 0; i < 8; i++) at[i] = &memory[i].zz;
  fe8_store_at(at, &a->zz);
  RP_UNROLL for (int i = 0; i < 8; i++) at[i] = &memory[i].zzz;
  fe8_store_at(at, &a->zzz);
}

/* The lanes that acc8_add does not cover: those with equal x are added one by one; where one operand is zero, the sum
 * is the other. */
static __attribute__((noinline)) void acc8_add_special(acc8 *normal, const acc8 *a, const acc8 *b, m8 same_x) {
  const m8 a_zero = fe8_is_zero(&a->zz), b_zero = fe8_is_zero(&b->zz);
  const m8 single = same_x & (m8) ~(a_zero | b_zero);
  if (single) {
    acc x[8], y[8], sum[8];
    acc8_store(x, a);
    acc8_store(y, b);
    acc8_store(sum, normal);
    for (int i = 0; i < 8; i++)
      if (single >> i & 1) pt_add(&sum[i], &x[i], &y[i]);
    acc8_load(normal, sum);
  }
  acc8_cmov(normal, a, b_zero);
  acc8_cmov(normal, b, a_zero);
}

/* r = a + b by add-2008-s. Complete. Comments give bounds in multiples of p. */
static inline void acc8_add(acc8 *r, const acc8 *a, const acc8 *b) {
  fe8 u1, s1, p, rr, pp, ppp, q, t;
  acc8 sum;
  fe8_mul(&u1, &a->x, &b->zz);
  fe8_mul(&p, &b->x, &a->zz);
  fe8_mul(&s1, &a->y, &b->zzz);
  fe8_mul(&rr, &b->y, &a->zzz);
  fe8_sub_plus(&p, &p, &u1, 2);   /* 7/2 */
  fe8_sub_plus(&rr, &rr, &s1, 2); /* 7/2 */
  const m8 same_x = fe8_may_be_zero(&p), special = same_x | fe8_may_be_zero(&a->zz) | fe8_may_be_zero(&b->zz);
  fe8_sqr(&pp, &p);
  fe8_mul(&ppp, &p, &pp);
  fe8_mul(&q, &u1, &pp);
  fe8_mul(&sum.zz, &a->zz, &b->zz);
  fe8_mul(&sum.zz, &sum.zz, &pp);
  fe8_mul(&sum.zzz, &a->zzz, &b->zzz);
  fe8_mul(&sum.zzz, &sum.zzz, &ppp);
  fe8_sqr(&sum.x, &rr); /* 1.8 */
  fe8_add_lazy(&t, &q, &q);
  fe8_add_lazy(&t, &t, &ppp);
  fe8_sub_plus(&sum.x, &sum.x, &t, 5);
  fe8_reduce(&sum.x);
  fe8_sub_plus(&q, &q, &sum.x, 2); /* 7/2 */
  fe8_mul(&q, &q, &rr);            /* 1.8 */
  fe8_mul(&t, &s1, &ppp);
  fe8_sub_plus(&sum.y, &q, &t, 2);
  fe8_reduce(&sum.y);
  if (__builtin_expect(special, 0)) acc8_add_special(&sum, a, b, same_x);
  *r = sum;
}

#endif
