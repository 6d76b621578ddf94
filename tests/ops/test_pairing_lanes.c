/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Pairings over lanes, in plain C and with IFMA where the processor has it, against those over single coefficients: the
 * same bytes for products of any number of pairs, and for points with extreme coordinates.
 */
#include "arith/host/host.h"
#include "torsion.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

extern const rp_pairing_host rp_pairing_host_bn254_g2_twin, rp_pairing_host_bls12_381_g2_twin;

enum { PAIRS = 35, POINT = 24 };

typedef struct family {
  rp_curve g1, g2;
  const rp_pairing_host *plain, *lanes[2];
} family;

static void with(const family *f, const rp_pairing_host *lanes, uint32_t n, const void *const *p,
                 const void *const *q) {
  uint8_t want[12 * 48], got[12 * 48];
  assert_int_equal(lanes->prepared_bytes, f->plain->prepared_bytes);
  assert_true(f->plain->value_bytes <= sizeof want);
  assert_true(f->plain->product(want, n, p, q));
  assert_true(lanes->product(got, n, p, q));
  assert_memory_equal(got, want, f->plain->value_bytes);
}

/* Multiples of the generators by small numbers, by r - 1, and by pseudo-random scalars. */
static void multiple(const rp_curve_host *c, unsigned i, void *point) {
  uint64_t k[4] = {i};
  uint8_t bytes[32];
  memcpy(bytes, k, sizeof bytes);
  if (i % 5 == 4) memcpy(bytes, c->order_le, sizeof bytes), bytes[0]--;
  if (i > 12)
    for (int b = 0; b < 31; b++) bytes[b] = (uint8_t)(i * 37 + (unsigned)b * 101 + i * (unsigned)b * 13);
  c->generator(point);
  c->mul(point, point, bytes);
}

static void same_values(const family *f) {
  const rp_curve_host *a = rp_curve_get(f->g1), *b = rp_curve_get(f->g2);
  uint64_t p[PAIRS][POINT], q[POINT];
  const void *g1[PAIRS], *g2[PAIRS];
  void *lines[PAIRS];
  for (unsigned i = 0; i < PAIRS; i++) {
    multiple(a, i, p[i]); /* the first is infinity */
    multiple(b, i == 3 ? 0 : i + 1, q);
    lines[i] = malloc(f->plain->prepared_bytes);
    assert_non_null(lines[i]);
    assert_true(f->plain->prepare(lines[i], q));
    g1[i] = p[i], g2[i] = lines[i];
  }
  for (int v = 0; v < 2; v++) {
    if (!f->lanes[v]) continue;
    for (uint32_t n = 0; n <= 5; n++) with(f, f->lanes[v], n, g1, g2);
    for (uint32_t i = 1; i < PAIRS; i++) with(f, f->lanes[v], 1, g1 + i, g2 + i);
    with(f, f->lanes[v], 16, g1 + 4, g2 + 4);
    with(f, f->lanes[v], 17, g1 + 4, g2 + 4);
    with(f, f->lanes[v], PAIRS, g1, g2);
  }
  for (unsigned i = 0; i < PAIRS; i++) free(lines[i]);
}

/* The lines of many points have the same bytes as those of each point alone, for any number of points. Points off the
 * curve, points of small order, and members of the subgroup with such a point added are told apart from the members
 * around them. */
static void same_lines(const family *f, const rp_pairing_host *many) {
  enum { POINTS = 29 };
  const rp_curve_host *curve = rp_curve_get(f->g2);
  const uint64_t *primes = torsion_primes(f->g2);
  uint64_t q[POINTS][POINT];
  const void *from[POINTS];
  void *one[POINTS], *lines[POINTS];
  uint8_t want[POINTS], got[POINTS];
  unsigned n_primes = 0;
  while (primes[n_primes]) n_primes++;
  assert_true(n_primes > 0);
  for (unsigned i = 0; i < POINTS; i++) {
    uint64_t small[POINT];
    multiple(curve, i % 7 == 6 ? 0 : i, q[i]);
    if (i % 3 == 1) {
      torsion_point(f->g2, primes[i % n_primes], i, small);
      if (i % 2)
        memcpy(q[i], small, sizeof small);
      else
        curve->add(q[i], q[i], small);
    }
    if (i == 15 || i == 27) q[i][0] ^= 1; /* off the curve */
    from[i] = q[i];
    one[i] = malloc(many->prepared_bytes), lines[i] = malloc(many->prepared_bytes);
    assert_non_null(one[i]);
    assert_non_null(lines[i]);
    want[i] = (uint8_t)f->plain->prepare(one[i], q[i]);
    assert_int_equal(want[i], curve->on_curve(q[i]) && curve->in_subgroup(q[i]));
  }
  for (uint32_t n = 0; n <= POINTS; n++) {
    for (unsigned i = 0; i < POINTS; i++) memset(lines[i], 0xa5, many->prepared_bytes), got[i] = 0xa5;
    assert_true(many->prepare_many(n, lines, from, got));
    for (uint32_t i = 0; i < n; i++) {
      assert_int_equal(got[i], want[i]);
      assert_memory_equal(lines[i], one[i], many->prepared_bytes);
    }
    for (uint32_t i = n; i < POINTS; i++) assert_int_equal(got[i], 0xa5);
  }
  for (unsigned i = 0; i < POINTS; i++) free(one[i]), free(lines[i]);
}

/* The IFMA variant is in the library; on a processor without IFMA only its twin in plain C is tested. */
static void both_families(void **state) {
  (void)state;
  family bn = {RP_CURVE_BN254_G1, RP_CURVE_BN254_G2, &rp_pairing_host_bn254_g2, {&rp_pairing_host_bn254_g2_twin}};
  family bls = {RP_CURVE_BLS12_381_G1,
                RP_CURVE_BLS12_381_G2,
                &rp_pairing_host_bls12_381_g2,
                {&rp_pairing_host_bls12_381_g2_twin}};
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512ifma") && __builtin_cpu_supports("avx512vl") &&
      __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq")) {
    bn.lanes[1] = &rp_pairing_host_bn254_g2_ifma;
    bls.lanes[1] = &rp_pairing_host_bls12_381_g2_ifma;
  }
#endif
  same_values(&bn);
  same_values(&bls);
  for (int v = 0; v < 2; v++) {
    if (bn.lanes[v]) same_lines(&bn, bn.lanes[v]), same_lines(&bls, bls.lanes[v]);
  }
  same_lines(&bn, bn.plain);
  same_lines(&bls, bls.plain);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(both_families)};
  return cmocka_run_group_tests_name("pairing_lanes", tests, NULL, NULL);
}
