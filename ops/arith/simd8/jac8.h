/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Eight points of a Weierstrass curve y^2 = x^3 + b in Jacobian coordinates, x = X/Z^2, y = Y/Z^3; zero has Z = 0. A
 * doubling takes seven products here and nine in XYZZ. Formulas are named after the Explicit-Formulas Database
 * (Bernstein, Lange), "Jacobian coordinates with a4=0".
 *
 * All coordinates are working values (fe8.h). X and Y are below p + 2^-14 p, Z is tight. Comments give bounds in
 * multiples of p. The product of values below A and B is below A B / 16 + 1 in a prime field, where p is below S / 16.
 * In an extension, where p is below S / 84, it is below the larger of A B / 42 + 1 and 3/2, and a square is below A (A
 * + 5) / 42 + 1.
 */
#ifndef REPRISE_OPS_CPU_JAC8_H
#define REPRISE_OPS_CPU_JAC8_H

#include "arith/simd8/steps8.h"

typedef struct jac8 {
  fe8 x, y, z;
} jac8;

/* Affine points: working values below p; zero is (0, 0) with all digits 0. */
typedef struct aff8 {
  fe8 x, y;
} aff8;

/* Loads memory[0], memory[stride], ... memory[7 stride]. */
static inline void aff8_load_strided(aff8 *r, const aff *memory, size_t stride) {
  const void *at[8];
  RP_UNROLL for (int i = 0; i < 8; i++) at[i] = &memory[i * stride].x;
  fe8_load_at(&r->x, at);
  RP_UNROLL for (int i = 0; i < 8; i++) at[i] = &memory[i * stride].y;
  fe8_load_at(&r->y, at);
}

/* Loads memory[0..7]. */
static inline void aff8_load(aff8 *r, const aff *memory) { aff8_load_strided(r, memory, 1); }

static inline void aff8_store(aff *memory, const aff8 *a) {
  void *at[8];
  RP_UNROLL for (int i = 0; i < 8; i++) at[i] = &memory[i].x;
  fe8_store_at(at, &a->x);
  RP_UNROLL for (int i = 0; i < 8; i++) at[i] = &memory[i].y;
  fe8_store_at(at, &a->y);
}

static inline m8 aff8_is_zero(const aff8 *a) { return fe8_is_clear(&a->x) & fe8_is_clear(&a->y); }

static inline void jac8_zero(jac8 *r) { fe8_zero(&r->x), fe8_zero(&r->y), fe8_zero(&r->z); }

static inline void jac8_cmov(jac8 *r, const jac8 *a, m8 mask) {
  fe8_cmov(&r->x, &a->x, mask), fe8_cmov(&r->y, &a->y, mask), fe8_cmov(&r->z, &a->z, mask);
}

/* r = a, or -a in the lanes of `minus`. */
static inline void jac8_from_aff(jac8 *r, const aff8 *a, m8 minus) {
  fe8 zero;
  fe8_zero(&zero);
  r->x = a->x;
  fe8_sub_signed(&r->y, &a->y, minus, &zero, 0, 1); /* 2 */
  fe8_reduce(&r->y);
  fe8_one(&r->z);
  fe8_cmov(&r->z, &zero, aff8_is_zero(a));
}

/* r = a - 8 b + 13p, for a below 3p and b at most (3/2 + 2^-14) p. */
static inline void jac8_minus_eight(fe8 *r, const fe8 *a, const fe8 *b) {
  fe8 t;
  fe8_add_lazy(&t, b, b);
  fe8_add_lazy(&t, &t, &t);
  fe8_add_lazy(&t, &t, &t);
  fe8_sub_plus(r, a, &t, 13);
  fe8_reduce(r);
}

/* dbl-2009-l, with X Y^2 as a product; zero gives zero, and so does a point with y = 0. */
static inline void jac8_dbl(jac8 *r, const jac8 *a) {
  fe8 xx, yy, yyyy, s, e, f, t;
  fe8_sqr(&xx, &a->x);
  fe8_sqr(&yy, &a->y);
  fe8_add_lazy(&t, &a->y, &a->y);
  fe8_carry(&t);
  fe8_mul(&r->z, &t, &a->z); /* 3/2 */
  fe8_mul(&s, &a->x, &yy);
  fe8_sqr(&yyyy, &yy);
  fe8_add_lazy(&e, &xx, &xx);
  fe8_add_lazy(&e, &e, &xx);
  fe8_carry(&e);   /* 3.5 */
  fe8_sqr(&f, &e); /* 1.8 */
  jac8_minus_eight(&r->x, &f, &s);
  fe8_add_lazy(&t, &s, &s);
  fe8_add_lazy(&t, &t, &t);
  fe8_sub_plus(&t, &t, &r->x, 2); /* 8 */
  fe8_mul(&t, &t, &e);            /* 2.3 */
  jac8_minus_eight(&r->y, &t, &yyyy);
}

/* Computes the lanes that jac8_add_aff does not cover; `normal` holds what it computed for all lanes. */
static __attribute__((noinline)) void jac8_add_special(jac8 *normal, const jac8 *a, const aff8 *b, m8 minus, m8 a_zero,
                                                       m8 same_x, m8 same_y) {
  jac8 other;
  jac8_zero(&other);
  jac8_cmov(normal, &other, same_x & (m8)~same_y);
  jac8_dbl(&other, a);
  jac8_cmov(normal, &other, same_x & same_y);
  jac8_cmov(normal, a, aff8_is_zero(b));
  jac8_from_aff(&other, b, minus);
  jac8_cmov(normal, &other, a_zero);
}

/* r = a + b; a - b in the lanes of `minus`; a in the lanes of `skip`. Complete. Formula madd-2004-hmv. */
static inline void jac8_add_aff(jac8 *r, const jac8 *a, const aff8 *b, m8 minus, m8 skip) {
  fe8 zz, zzz, u, d, uu, uuu, v, w;
  jac8 sum;
  fe8_sqr(&zz, &a->z);
  fe8_mul(&zzz, &zz, &a->z);
  fe8_mul(&u, &b->x, &zz);
  fe8_mul(&d, &b->y, &zzz);
  fe8_sub_plus(&u, &u, &a->x, 2);             /* 3.5 */
  fe8_sub_signed(&d, &d, minus, &a->y, 0, 3); /* 4.5, and at least 1/2 */
  const m8 special = (fe8_may_be_zero(&u) | fe8_may_be_zero(&a->z) | fe8_is_clear(&b->y)) & (m8)~skip;
  fe8_mul(&sum.z, &a->z, &u);
#define ADD_X1 a->x
#define ADD_Y1 a->y
#define ADD_X sum.x
#define ADD_Y sum.y
#include "arith/curves/steps/add.h"
  if (__builtin_expect(special, 0)) {
    fe8_reduce(&u);
    fe8_reduce(&d);
    jac8_add_special(&sum, a, b, minus, fe8_is_zero(&a->z), fe8_is_zero(&u), fe8_is_zero(&d));
  }
  jac8_cmov(&sum, a, skip);
  *r = sum;
}

/* Affine coordinates, given 1 / z; zero where `inverse` is zero. They need not be below p. */
static inline void jac8_scale(aff8 *r, const jac8 *a, const fe8 *inverse) {
  fe8 t;
  fe8_sqr(&t, inverse);
  fe8_mul(&r->x, &a->x, &t);
  fe8_mul(&t, &t, inverse);
  fe8_mul(&r->y, &a->y, &t);
}

/* Stores lane i as the accumulator at at[i]. */
static inline void jac8_store(acc *const at[8], const jac8 *a) {
  void *to[8];
  fe8 zz, zzz, x = a->x, y = a->y, nothing;
  const m8 zero = fe8_is_zero(&a->z);
  fe8_zero(&nothing);
  fe8_sqr(&zz, &a->z);
  fe8_mul(&zzz, &zz, &a->z);
  fe8_cmov(&x, &nothing, zero);
  fe8_cmov(&y, &nothing, zero);
  RP_UNROLL for (int i = 0; i < 8; i++) to[i] = &at[i]->x;
  fe8_store_at(to, &x);
  RP_UNROLL for (int i = 0; i < 8; i++) to[i] = &at[i]->y;
  fe8_store_at(to, &y);
  RP_UNROLL for (int i = 0; i < 8; i++) to[i] = &at[i]->zz;
  fe8_store_at(to, &zz);
  RP_UNROLL for (int i = 0; i < 8; i++) to[i] = &at[i]->zzz;
  fe8_store_at(to, &zzz);
}

#endif
