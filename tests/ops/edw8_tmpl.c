/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Tests of eight accumulators of a twisted Edwards curve, compiled with and without IFMA: sums and doubles have the
 * coordinates that ops/arith/curve.h gives, for any field elements as coordinates, since both compute the same
 * polynomials; also if the registers hold elements that are not reduced.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "arith/simd8/edw8.h"
#include "kernel/tmpl.h"
#include "edw8_test.h"

static uint64_t seed;

static uint64_t next_random(void) { /* splitmix64 */
  uint64_t z = seed += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

/* 0, 1, slightly less than the modulus as a memory word, or anything. */
static void draw(fe *r) {
  const uint64_t kind = next_random() % 6;
  fe_zero(r);
  if (kind == 0) return;
  if (kind == 1) {
    fe_one(r);
    return;
  }
  for (int i = 0; i < FP_LIMBS; i++) r->v[i] = kind < 4 ? fp_modulus[i] : next_random();
  if (kind < 4) {
    r->v[0] -= 1 + next_random() % 3;
  } else {
    r->v[FP_LIMBS - 1] %= fp_modulus[FP_LIMBS - 1];
  }
}

static void draw_acc(acc *r) { draw(&r->x), draw(&r->y), draw(&r->t), draw(&r->z); }

/* Adds p in every lane: still tight, since what is loaded is below p + 2^-14 p. */
static void add_modulus(fe8 *r) {
  RP_UNROLL for (int i = 0; i < FP8_N; i++) r->v[i] = v8_add(r->v[i], v8_set1(fp8_modulus[i]));
  fe8_carry(r);
}

static void raise(edw8 *r, uint64_t which) {
  if (which & 1) add_modulus(&r->x);
  if (which & 2) add_modulus(&r->y);
  if (which & 4) add_modulus(&r->t);
  if (which & 8) add_modulus(&r->z);
}

static void check(const edw8 *got, const acc want[8]) {
  acc out[8], *to[8];
  for (int i = 0; i < 8; i++) to[i] = &out[i];
  edw8_store_at(to, got);
  assert_memory_equal(out, want, sizeof out);
}

static void one_round(void) {
  acc a[8], b[8], want[8];
  aff point[8];
  const acc *a_at[8], *b_at[8];
  const aff *at[8];
  edw8 p, q, r;
  fe8 d;
  const uint64_t which = next_random(), minus = next_random() & 0xff;
  edw8_coefficient(&d);
  for (int i = 0; i < 8; i++) {
    draw_acc(&a[i]), draw_acc(&b[i]);
    draw(&point[i].x), draw(&point[i].y);
    a_at[i] = &a[i], b_at[i] = &b[i], at[i] = &point[i];
  }
  edw8_load_at(&p, a_at);
  edw8_load_at(&q, b_at);
  raise(&p, which), raise(&q, which >> 4);
  edw8_add(&r, &p, &q, &d);
  for (int i = 0; i < 8; i++) acc_add(&want[i], &a[i], &b[i]);
  check(&r, want);
  edw8_dbl(&r, &p);
  for (int i = 0; i < 8; i++) acc_dbl(&want[i], &a[i]);
  check(&r, want);
  edw8_load_affine(&q, at, (m8)minus);
  edw8_add_affine(&r, &p, &q, &d);
  for (int i = 0; i < 8; i++) {
    if (minus >> i & 1) aff_neg(&point[i], &point[i]);
    acc_add_aff(&want[i], &a[i], &point[i]);
  }
  check(&r, want);
  edw8_cmov(&r, &p, (m8)minus);
  for (int i = 0; i < 8; i++)
    if (minus >> i & 1) want[i] = a[i];
  check(&r, want);
  edw8_zero(&r);
  for (int i = 0; i < 8; i++) acc_zero(&want[i]);
  check(&r, want);
}

void RP_FN(test_edw8)(unsigned rounds) {
  seed = 1;
  for (unsigned i = 0; i < rounds; i++) one_round();
}
