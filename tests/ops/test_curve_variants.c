/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The host's curves in plain C and with MULX and ADX: the same bytes from every function of their tables.
 */
#include "arith/host/host.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#if defined(__x86_64__)
#include <cpuid.h>

enum { POINT = 24, ACCUMULATOR = 48, ROUNDS = 24 };

static int has_adx(void) {
  unsigned a, b, c, d;
  return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & bit_BMI2) && (b & bit_ADX);
}

/* 0, 1, r - 1, r, all ones, and pseudo-random scalars. */
static void scalar(const rp_curve_host *c, unsigned i, uint8_t k[32]) {
  memset(k, 0, 32);
  if (i < 2) {
    k[0] = (uint8_t)i;
  } else if (i < 4) {
    memcpy(k, c->order_le, 32);
    k[0] = (uint8_t)(k[0] - (i == 2));
  } else {
    for (unsigned b = 0; b < 32; b++) k[b] = (uint8_t)(i == 4 ? 0xff : i * 41 + b * 97 + i * b * 29 + (i * b >> 3));
  }
}

static void affine(const rp_curve_host *x, const rp_curve_host *y, const void *a, const void *b) {
  uint64_t acc_x[ACCUMULATOR], acc_y[ACCUMULATOR], other[POINT];
  const rp_field_host *f = rp_field_get(x->base);
  const size_t half = x->affine_bytes / 2;
  assert_memory_equal(a, b, x->affine_bytes);
  assert_true(x->equal(a, b) && y->equal(a, b));
  x->identity(other);
  assert_int_equal(x->equal(a, other), x->is_identity(a));
  assert_int_equal(y->equal(a, other), x->is_identity(a));
  x->neg(other, a);
  assert_int_equal(x->equal(a, other), x->is_identity(a) || !memcmp(a, other, x->affine_bytes));
  assert_int_equal(y->equal(a, other), x->equal(a, other));
  /* Both coordinates negated: on Banderwagon the same class, elsewhere another point. */
  f->neg(other, a), f->neg((uint8_t *)other + half, (const uint8_t *)a + half);
  assert_int_equal(x->equal(a, other), x->id == RP_CURVE_BANDERWAGON || !memcmp(a, other, 2 * half));
  assert_int_equal(y->equal(a, other), x->equal(a, other));
  x->acc_from_affine(acc_x, a), y->acc_from_affine(acc_y, b);
  assert_memory_equal(acc_x, acc_y, x->accumulator_bytes);
  assert_int_equal(x->on_curve(a), y->on_curve(b));
  assert_int_equal(x->in_subgroup(a), y->in_subgroup(b));
  assert_int_equal(x->is_identity(a), y->is_identity(b));
}

static void same(const rp_curve_host *x, const rp_curve_host *y) {
  uint64_t g[POINT], p[POINT], q[POINT], before[POINT], acc_x[ACCUMULATOR], acc_y[ACCUMULATOR];
  uint8_t k[32];
  assert_true(x->affine_bytes <= sizeof p && x->accumulator_bytes <= sizeof acc_x);
  x->generator(g), y->generator(q);
  assert_memory_equal(g, q, x->affine_bytes);
  x->acc_identity(acc_x), y->acc_identity(acc_y);
  x->identity(before);
  for (unsigned i = 0; i < ROUNDS; i++) {
    scalar(x, i, k);
    x->mul(p, g, k), y->mul(q, g, k);
    affine(x, y, p, q);
    x->mul_ct(p, g, k), y->mul_ct(q, g, k);
    affine(x, y, p, q);
    x->acc_add_affine(acc_x, acc_x, p), y->acc_add_affine(acc_y, acc_y, q);
    assert_memory_equal(acc_x, acc_y, x->accumulator_bytes);
    x->acc_double(acc_x, acc_x), y->acc_double(acc_y, acc_y);
    assert_memory_equal(acc_x, acc_y, x->accumulator_bytes);
    x->acc_add(acc_x, acc_x, acc_x), y->acc_add(acc_y, acc_y, acc_y);
    x->acc_to_affine(p, acc_x), y->acc_to_affine(q, acc_y);
    affine(x, y, p, q);
    x->add(p, p, before), y->add(q, q, before);
    x->neg(p, p), y->neg(q, q);
    affine(x, y, p, q);
    memcpy(before, p, sizeof before);
    p[0] ^= 2, q[0] ^= 2; /* hardly ever on the curve */
    assert_int_equal(x->on_curve(p), y->on_curve(q));
  }
}

static void both_variants(void **state) {
  (void)state;
  if (!has_adx()) {
    puts("SKIP: this processor has no ADX");
    skip();
  }
#define CURVE(NAME, name, base, scalar, weierstrass) same(&rp_curve_host_##name, &rp_curve_host_##name##_adx);
  RP_CURVE_LIST(CURVE)
#undef CURVE
}
#else
static void both_variants(void **state) {
  (void)state;
  puts("SKIP: the variants are for x86-64");
  skip();
}
#endif

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(both_variants)};
  return cmocka_run_group_tests_name("curve_variants", tests, NULL, NULL);
}
