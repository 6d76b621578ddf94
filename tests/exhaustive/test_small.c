/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Tests with small parameters, for which everything can be tried: every pair of elements of F97 and F79, every pair of
 * points of E97 and every multiple, compared with tables that are made by counting.
 */
#include <reprise/host.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void check_field(rp_field id, uint64_t p) {
  const rp_field_host *f = rp_field_get(id);
  uint64_t e[97], r, c;
  int roots = 0;
  for (uint64_t i = 0; i < p; i++) {
    assert_true(f->from_canonical(&e[i], &i));
    assert_true(e[i] < p);
    f->to_canonical(&c, &e[i]), assert_int_equal(c, i);
    for (uint64_t j = 0; j < i; j++) assert_int_not_equal(e[i], e[j]);
  }
  for (uint64_t i = p; i < 300; i++) assert_false(f->from_canonical(&r, &i));
  for (uint64_t i = 0; i < p; i++) {
    uint64_t inverse = 0, root = p, power = 1;
    for (uint64_t j = 0; j < p; j++) {
      f->add(&r, &e[i], &e[j]), assert_int_equal(r, e[(i + j) % p]);
      f->sub(&r, &e[i], &e[j]), assert_int_equal(r, e[(i + p - j) % p]);
      f->mul(&r, &e[i], &e[j]), assert_int_equal(r, e[i * j % p]);
      const uint8_t exponent = (uint8_t)j;
      f->pow(&r, &e[i], &exponent, 1), assert_int_equal(r, e[power]);
      power = power * i % p;
      if (i * j % p == 1) inverse = j;
      if (j * j % p == i) root = j;
    }
    f->neg(&r, &e[i]), assert_int_equal(r, e[(p - i) % p]);
    f->sqr(&r, &e[i]), assert_int_equal(r, e[i * i % p]);
    f->inv(&r, &e[i]), assert_int_equal(r, e[inverse]);
    f->inv_ct(&r, &e[i]), assert_int_equal(r, e[inverse]);
    assert_int_equal(f->sqrt(&r, &e[i]), root < p);
    if (root < p) assert_true(r == e[root] || r == e[(p - root) % p]);
    roots += root < p;
  }
  assert_int_equal(roots, (p + 1) / 2);
}

static void test_fields(void **state) {
  (void)state;
  check_field(RP_FIELD_F97, 97);
  check_field(RP_FIELD_F79, 79);
}

/* All 79 points are found by trial. The group is computed as multiples of the generator, by chords and tangents on
 * plain integers. */
enum { P = 97, R = 79 };

typedef struct point {
  int x, y, infinite;
} point;

static int inverse(int a) {
  for (int i = 1; i < P; i++)
    if (a * i % P == 1) return i;
  return 0;
}

static point sum(point a, point b) {
  if (a.infinite) return b;
  if (b.infinite) return a;
  if (a.x == b.x && (a.y + b.y) % P == 0) return (point){0, 0, 1};
  const int s =
      a.x == b.x ? 3 * a.x * a.x % P * inverse(2 * a.y % P) % P : (b.y - a.y + P) * inverse((b.x - a.x + P) % P) % P;
  const int x = (s * s + 2 * P - a.x - b.x) % P;
  return (point){x, (s * (a.x - x + P) + P - a.y) % P, 0};
}

static void to_affine(uint64_t r[2], point p) {
  const rp_field_host *f = rp_field_get(RP_FIELD_F97);
  const uint64_t x = (uint64_t)p.x, y = (uint64_t)p.y;
  memset(r, 0, 16);
  if (!p.infinite) assert_true(f->from_canonical(&r[0], &x) && f->from_canonical(&r[1], &y));
}

static void test_curve(void **state) {
  (void)state;
  const rp_curve_host *c = rp_curve_get(RP_CURVE_E97);
  uint64_t multiple[R][2], r[2], s[2], acc[4], acc2[4];
  int on_curve = 0;
  for (int x = 0; x < P; x++)
    for (int y = 0; y < P; y++) {
      const int want = (y * y - x * x % P * x - 5) % P == 0;
      to_affine(r, (point){x, y, 0});
      if (x | y) assert_int_equal(c->on_curve(r), want);
      on_curve += want;
    }
  assert_int_equal(on_curve + 1, R);
  point p = {0, 0, 1};
  for (int i = 0; i < R; i++) {
    to_affine(multiple[i], p);
    p = sum(p, (point){1, 43, 0});
    for (int j = 0; j < i; j++) assert_memory_not_equal(multiple[i], multiple[j], 16);
  }
  assert_true(p.infinite);
  c->generator(r), assert_memory_equal(r, multiple[1], 16);
  for (int i = 0; i < R; i++) {
    c->neg(r, multiple[i]), assert_memory_equal(r, multiple[(R - i) % R], 16);
    assert_true(c->in_subgroup(multiple[i]));
    for (int j = 0; j < R; j++) {
      c->add(r, multiple[i], multiple[j]), assert_memory_equal(r, multiple[(i + j) % R], 16);
      /* Makes both accumulators have ZZ other than 1. */
      c->acc_from_affine(acc, multiple[i]), c->acc_double(acc, acc);
      c->acc_from_affine(acc2, multiple[j]), c->acc_double(acc2, acc2);
      c->acc_add_affine(acc2, acc2, multiple[1]);
      c->acc_add(acc, acc, acc2), c->acc_to_affine(r, acc);
      assert_memory_equal(r, multiple[(2 * i + 2 * j + 1) % R], 16);
      c->acc_from_affine(acc, multiple[i]), c->acc_double(acc, acc), c->acc_add_affine(acc, acc, multiple[j]);
      c->acc_to_affine(r, acc), assert_memory_equal(r, multiple[(2 * i + j) % R], 16);
      const uint8_t k[32] = {(uint8_t)(3 * j)};
      c->mul(r, multiple[i], k), assert_memory_equal(r, multiple[3 * j * i % R], 16);
      c->mul_ct(s, multiple[i], k), assert_memory_equal(s, r, 16);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_fields), cmocka_unit_test(test_curve)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
