/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Eight accumulators of a Weierstrass curve, in XYZZ coordinates as in memory (curves/weierstrass.h).
 *
 * All coordinates are working values (fe8.h). X and Y are below p + 2^-14 p, ZZ and ZZZ are tight; the bounds of
 * products are those of jac8.h.
 */
#ifndef REPRISE_OPS_CPU_ACC8_H
#define REPRISE_OPS_CPU_ACC8_H

#include "arith/simd8/jac8.h"

typedef struct acc8 {
  fe8 x, y, zz, zzz;
} acc8;

static inline void acc8_cmov(acc8 *r, const acc8 *a, m8 mask) {
  fe8_cmov(&r->x, &a->x, mask), fe8_cmov(&r->y, &a->y, mask);
  fe8_cmov(&r->zz, &a->zz, mask), fe8_cmov(&r->zzz, &a->zzz, mask);
}

/* Loads memory[0], memory[stride], ... memory[7 stride]. */
static inline void acc8_load_strided(acc8 *r, const acc *memory, size_t stride) {
  const void *at[8];
  RP_UNROLL for (int i = 0; i < 8; i++) at[i] = &memory[i * stride].x;
  fe8_load_at(&r->x, at);
  RP_UNROLL for (int i = 0; i < 8; i++) at[i] = &memory[i * stride].y;
  fe8_load_at(&r->y, at);
  RP_UNROLL for (int i = 0; i < 8; i++) at[i] = &memory[i * stride].zz;
  fe8_load_at(&r->zz, at);
  RP_UNROLL for (int i = 0; i < 8; i++) at[i] = &memory[i * stride].zzz;
  fe8_load_at(&r->zzz, at);
}

/* Loads memory[0..7]. */
static inline void acc8_load(acc8 *r, const acc *memory) { acc8_load_strided(r, memory, 1); }

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
  fe8 x1, y1, u, d, uu, uuu, v, w;
  acc8 sum;
  fe8_mul(&x1, &a->x, &b->zz);
  fe8_mul(&u, &b->x, &a->zz);
  fe8_mul(&y1, &a->y, &b->zzz);
  fe8_mul(&d, &b->y, &a->zzz);
  fe8_sub_plus(&u, &u, &x1, 2); /* 7/2 */
  fe8_sub_plus(&d, &d, &y1, 2); /* 7/2 */
  const m8 same_x = fe8_may_be_zero(&u), special = same_x | fe8_may_be_zero(&a->zz) | fe8_may_be_zero(&b->zz);
#define ADD_X1 x1
#define ADD_Y1 y1
#define ADD_X sum.x
#define ADD_Y sum.y
#include "arith/curves/steps/add.h"
  fe8_mul(&sum.zz, &a->zz, &b->zz);
  fe8_mul(&sum.zz, &sum.zz, &uu);
  fe8_mul(&sum.zzz, &a->zzz, &b->zzz);
  fe8_mul(&sum.zzz, &sum.zzz, &uuu);
  if (__builtin_expect(special, 0)) acc8_add_special(&sum, a, b, same_x);
  *r = sum;
}

static inline void acc8_from_aff(acc8 *r, const aff8 *a) {
  fe8 zero;
  fe8_zero(&zero);
  r->x = a->x, r->y = a->y;
  fe8_one(&r->zz);
  fe8_cmov(&r->zz, &zero, aff8_is_zero(a));
  r->zzz = r->zz;
}

/* The lanes that acc8_add_two does not cover. */
static __attribute__((noinline)) void acc8_add_two_special(acc8 *normal, const aff8 *a, const aff8 *b, m8 same_x) {
  acc8 x, y;
  acc8_from_aff(&x, a);
  acc8_from_aff(&y, b);
  acc8_add_special(normal, &x, &y, same_x);
}

/* r = a + b with the coordinates that acc8_add gives, by mmadd-2008-s: six products in place of fourteen. Complete. */
static inline void acc8_add_two(acc8 *r, const aff8 *a, const aff8 *b) {
  fe8 u, d, uu, uuu, v, w;
  fe8_sub_plus(&u, &b->x, &a->x, 2); /* 3 */
  fe8_sub_plus(&d, &b->y, &a->y, 2); /* 3 */
  const m8 same_x = fe8_may_be_zero(&u), special = same_x | aff8_is_zero(a) | aff8_is_zero(b);
#define ADD_X1 a->x
#define ADD_Y1 a->y
#define ADD_X r->x
#define ADD_Y r->y
#include "arith/curves/steps/add.h"
  r->zz = uu;
  r->zzz = uuu;
  if (__builtin_expect(special, 0)) acc8_add_two_special(r, a, b, same_x);
}

#endif
