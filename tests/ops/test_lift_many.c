/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Points from their x: every variant, in lanes and one by one, gives the root that the field's plain square root and
 * the order of integers give, for any number of points and for x without a point.
 */
#include "arith/host/host.h"
#include "lift_roots.h"

#include <reprise/op.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef void lift_fn(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *worker);
#define DECLARE(id) \
  lift_fn rp_lift_many_##id, rp_lift_many_##id##_twin, rp_lift_many_##id##_adx, rp_lift_many_##id##_ifma
DECLARE(bn254_g1);
DECLARE(bn254_g2);
DECLARE(bls12_381_g1);
DECLARE(bls12_381_g2);

enum { POINTS = 203, WORDS = 24, VARIANTS = 4 };

typedef struct subject {
  rp_curve curve;
  lift_fn *variant[VARIANTS];
  uint32_t (*const *roots)(const void *elements, void *out);
} subject;

static bool has_ifma(void) {
#if defined(__x86_64__)
  return __builtin_cpu_supports("avx512ifma") && __builtin_cpu_supports("avx512vl") &&
         __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq");
#else
  return 0;
#endif
}

#if defined(__x86_64__)
#define WITH_IFMA(id) , has_ifma() ? rp_lift_many_##id##_adx : NULL, has_ifma() ? rp_lift_many_##id##_ifma : NULL
#else
#define WITH_IFMA(id)
#endif
#define SUBJECT(NAME, id)                                                                             \
  {                                                                                                   \
    .curve = RP_CURVE_##NAME, .variant = {rp_lift_many_##id, rp_lift_many_##id##_twin WITH_IFMA(id)}, \
    .roots = &rp_lift_roots_##id##_twin                                                               \
  }

static uint64_t next(uint64_t *state) {
  *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return *state ^ *state >> 29;
}

/* Elements whose canonical coefficients are small, just below p, random, or such that one of the two is 0. */
static void make_x(const rp_field_host *f, uint32_t i, uint64_t *state, void *x) {
  const uint32_t each = f->size_bytes / f->degree;
  uint64_t le[12] = {0};
  for (uint32_t c = 0; c < f->degree; c++) {
    uint64_t *to = le + c * each / 8;
    const uint32_t kind = f->degree == 2 ? i >> 2 * c & 3 : i & 3;
    for (uint32_t w = 0; w < each / 8 && kind == 3; w++) to[w] = next(state);
    if (kind == 3) to[each / 8 - 1] >>= 8;
    if (kind == 2) memcpy(to, f->modulus_le, each), to[0] -= 1 + i / 16;
    if (kind == 1) to[0] = i / 4;
  }
  assert_true(f->from_canonical(x, le));
}

static bool is_larger(const rp_field_host *f, const void *y) {
  uint64_t minus[12];
  uint8_t a[96], b[96];
  f->neg(minus, y);
  f->to_canonical(a, y);
  f->to_canonical(b, minus);
  for (uint32_t i = f->canonical_bytes; i-- > 0;)
    if (a[i] != b[i]) return a[i] > b[i];
  return 0;
}

/* x^3 + b, with b from the generator. */
static void right_side(const rp_curve_host *c, const rp_field_host *f, const void *x, void *out) {
  uint64_t g[WORDS], b[12], t[12];
  c->generator(g);
  f->sqr(t, g), f->mul(t, t, g);
  f->sqr(b, (const uint8_t *)g + f->size_bytes);
  f->sub(b, b, t);
  f->sqr(t, x), f->mul(t, t, x);
  f->add(out, t, b);
}

static uint32_t want(const rp_curve_host *c, const rp_field_host *f, uint8_t larger, uint8_t *point) {
  uint64_t square[12], y[12];
  right_side(c, f, point, square);
  memset(point + f->size_bytes, 0, f->size_bytes);
  if (!f->sqrt(y, square)) return 0;
  if (is_larger(f, y) != (larger != 0)) f->neg(y, y);
  memcpy(point + f->size_bytes, y, f->size_bytes);
  return 1;
}

static void of_curve(const subject *s) {
  const rp_curve_host *c = rp_curve_get(s->curve);
  const rp_field_host *f = rp_field_get(c->base);
  const size_t bytes = c->affine_bytes;
  uint8_t *expected = aligned_alloc(64, 64 * bytes * 4), *points = aligned_alloc(64, 64 * bytes * 4);
  uint8_t larger[POINTS], good[POINTS], valid[POINTS + 1];
  uint64_t state = s->curve + 1;
  uint32_t n_good = 0;
  assert_non_null(expected);
  assert_non_null(points);
  for (uint32_t i = 0; i < POINTS; i++) {
    make_x(f, i, &state, expected + i * bytes);
    larger[i] = (uint8_t)(next(&state) % 3); /* any byte that is not 0 is a yes */
    n_good += good[i] = (uint8_t)want(c, f, larger[i], expected + i * bytes);
    assert_int_equal(good[i], good[i] && c->on_curve(expected + i * bytes));
  }
  assert_true(n_good > POINTS / 4 && n_good < POINTS - POINTS / 4);
  for (int v = -1; v < VARIANTS; v++) { /* -1: the public function */
    if (v >= 0 && !s->variant[v]) continue;
    for (uint32_t n = 0; n <= POINTS; n += n < 40 ? 1 : POINTS - 40) {
      const rp_lift_args args = {.larger = larger, .points = points, .valid = valid};
      memset(valid, 0xa5, sizeof valid);
      memcpy(points, expected, POINTS * bytes);
      for (uint32_t i = 0; i < POINTS; i++) memset(points + i * bytes + bytes / 2, 0x11, bytes / 2);
      if (v < 0)
        assert_int_equal(rp_point_lift_many(s->curve, n, larger, points, valid), RP_OK);
      else
        s->variant[v](&args, 0, n, NULL);
      assert_memory_equal(points, expected, n * bytes);
      assert_memory_equal(valid, good, n);
      for (uint32_t i = n; i < POINTS; i++) assert_int_equal(points[i * bytes + bytes / 2], 0x11);
      for (uint32_t i = n; i <= POINTS; i++) assert_int_equal(valid[i], 0xa5);
    }
  }
  free(expected);
  free(points);
}

/* Every pair of coefficients of few values, with 0 among them: in an extension, elements of the prime field that have
 * no root there have one that is a multiple of u. */
static void extreme_roots(const subject *s) {
  const rp_field_host *f = rp_field_get(rp_curve_get(s->curve)->base);
  uint64_t a[LIFT_ROOTS][12], r[12];
  uint8_t in[LIFT_ROOTS * 96], out[LIFT_ROOTS * 96];
  for (uint32_t i = 0; i < LIFT_ROOTS; i++) {
    const uint32_t each = f->size_bytes / f->degree / 8;
    memset(a[i], 0, sizeof a[i]);
    for (uint32_t c = 0; c < f->degree; c++) {
      const uint32_t value = c ? i / 4 : f->degree == 2 ? i % 4 : i;
      if (value % 2) memcpy(a[i] + c * each, f->modulus_le, 8 * (size_t)each);
      a[i][c * each] += value % 2 ? UINT64_MAX - value / 2 : value / 2; /* -1, -2, ... */
    }
    assert_true(f->from_canonical(a[i], a[i]));
    memcpy(in + i * f->size_bytes, a[i], f->size_bytes);
  }
  const uint32_t good = (*s->roots)(in, out);
  for (uint32_t i = 0; i < LIFT_ROOTS; i++) {
    assert_int_equal(good >> i & 1, f->sqrt(r, a[i]) != 0);
    memcpy(r, out + i * f->size_bytes, f->size_bytes);
    f->sqr(r, r);
    assert_int_equal(good >> i & 1, f->equal(r, a[i]));
  }
}

static void all_curves(void **state) {
  (void)state;
  const subject subjects[] = {SUBJECT(BN254_G1, bn254_g1), SUBJECT(BN254_G2, bn254_g2),
                              SUBJECT(BLS12_381_G1, bls12_381_g1), SUBJECT(BLS12_381_G2, bls12_381_g2)};
  for (int i = 0; i < 4; i++) {
    of_curve(&subjects[i]);
    extreme_roots(&subjects[i]);
  }
}

static void arguments(void **state) {
  uint64_t point[WORDS] = {0};
  uint8_t byte = 0;
  (void)state;
  assert_int_equal(rp_point_lift_many(RP_CURVE_BN254_G1, 0, NULL, NULL, NULL), RP_OK);
  assert_int_equal(rp_point_lift_many(RP_CURVE_BN254_G1, 1, NULL, point, &byte), RP_ERR_ARGUMENT);
  assert_int_equal(rp_point_lift_many(RP_CURVE_BN254_G1, 1, &byte, NULL, &byte), RP_ERR_ARGUMENT);
  assert_int_equal(rp_point_lift_many(RP_CURVE_BN254_G1, 1, &byte, point, NULL), RP_ERR_ARGUMENT);
  assert_int_equal(rp_point_lift_many(RP_CURVE_SECP256K1, 1, &byte, point, &byte), RP_ERR_UNSUPPORTED);
  assert_int_equal(rp_point_lift_many(RP_CURVE_COUNT, 1, &byte, point, &byte), RP_ERR_ARGUMENT);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(all_curves), cmocka_unit_test(arguments)};
  return cmocka_run_group_tests_name("lift_many", tests, NULL, NULL);
}
