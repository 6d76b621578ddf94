/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Membership in the subgroup of order r through endomorphisms, against plain multiplication by r: on points of every
 * small order that the cofactors have, of large orders, mixed with points of the subgroup, and infinity. Also computes
 * the resultants in ops/arith/curves/subgroup.h, which show that no other point can pass.
 */
#include "torsion.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>
#include <gmp.h>

static const rp_curve curves[] = {RP_CURVE_BLS12_381_G1, RP_CURVE_BLS12_381_G2, RP_CURVE_BN254_G2, RP_CURVE_BN254_G1};
enum { CURVES = sizeof curves / sizeof *curves, POINT = 24, SEEDS = 24 };

/* Checks that the fast test says the same as r P = 0, and returns it. */
static int verdict(const rp_curve_host *c, const uint64_t *point) {
  uint64_t multiple[POINT];
  assert_true(c->on_curve(point));
  torsion_multiple(c->id, point, c->order_le, 32, multiple);
  const int inside = c->is_identity(multiple);
  assert_int_equal(c->in_subgroup(point), inside);
  return inside;
}

static void inside(const rp_curve_host *c, uint64_t seed, uint64_t *point) {
  uint8_t k[32] = {0};
  memcpy(k, &seed, sizeof seed);
  memcpy(k + 11, &seed, sizeof seed);
  c->generator(point);
  c->mul(point, point, k);
}

static void points_inside_and_outside(void **state) {
  (void)state;
  for (int i = 0; i < CURVES; i++) {
    const rp_curve_host *c = rp_curve_get(curves[i]);
    uint64_t p[POINT], q[POINT];
    c->identity(p);
    assert_true(verdict(c, p));
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
      inside(c, seed * 0x9e3779b97f4a7c15u, p);
      assert_true(verdict(c, p));
      c->neg(p, p);
      assert_true(verdict(c, p));
      if (!torsion_cofactor(c->id)) continue;
      torsion_any(c->id, seed, q);
      assert_false(verdict(c, q));
      c->add(q, q, p);
      assert_false(verdict(c, q));
    }
    ((uint8_t *)p)[0] ^= 1;
    assert_false(c->in_subgroup(p));
  }
}

static void points_of_every_small_order(void **state) {
  (void)state;
  for (int i = 0; i < CURVES; i++) {
    const rp_curve_host *c = rp_curve_get(curves[i]);
    uint64_t t[POINT], p[POINT], multiple[POINT];
    for (const uint64_t *prime = torsion_primes(c->id);; prime++) {
      if (!torsion_cofactor(c->id)) break;
      for (uint64_t seed = 1; seed <= 3; seed++) { /* *prime is TORSION_ALL in the end */
        torsion_point(c->id, *prime, 5 * seed, t);
        assert_false(c->is_identity(t));
        if (*prime) {
          torsion_multiple(c->id, t, (const uint8_t *)prime, sizeof *prime, multiple);
          assert_true(c->is_identity(multiple));
        }
        assert_false(verdict(c, t));
        inside(c, seed, p);
        c->add(p, p, t);
        assert_false(verdict(c, p));
      }
      if (!*prime) break;
    }
  }
}

/* u^2 + u v t + v^2 n, the resultant of u + v z and z^2 - t z + n. */
static void resultant(mpz_t r, const mpz_t u, const mpz_t v, const mpz_t t, const mpz_t n) {
  mpz_t s;
  mpz_init(s);
  mpz_mul(r, u, u);
  mpz_mul(s, u, v);
  mpz_addmul(r, s, t);
  mpz_mul(s, v, v);
  mpz_addmul(r, s, n);
  mpz_clear(s);
}

/* Checks that gcd(number, h r) = r: a point that `number` annihilates is in the subgroup of order r, since the order h
 * r of the group annihilates every point. */
static void leaves_only_r(const mpz_t number, rp_curve curve) {
  mpz_t order, r, g;
  mpz_inits(order, r, g, NULL);
  mpz_import(r, 32, -1, 1, 0, 0, rp_curve_get(curve)->order_le);
  assert_int_equal(mpz_set_str(order, torsion_cofactor(curve), 10), 0);
  mpz_mul(order, order, r);
  mpz_gcd(g, number, order);
  assert_int_equal(mpz_cmp(g, r), 0);
  mpz_clears(order, r, g, NULL);
}

/* u + v z = c0 + c1 z + c2 z^2 + c3 z^3 modulo z^2 - t z + p, where c_i = linear[i] x + constant[i]. */
static void cubic(mpz_t u, mpz_t v, const int linear[4], const int constant[4], const mpz_t x, const mpz_t t,
                  const mpz_t p) {
  mpz_t zu, zv, s;
  mpz_inits(zu, zv, s, NULL);
  mpz_set_ui(zu, 1);
  mpz_set_ui(u, 0), mpz_set_ui(v, 0);
  for (int i = 0; i < 4; i++) {
    mpz_mul_si(s, x, linear[i]);
    if (constant[i] < 0) mpz_sub_ui(s, s, (unsigned)-constant[i]);
    if (constant[i] > 0) mpz_add_ui(s, s, (unsigned)constant[i]);
    mpz_addmul(u, s, zu);
    mpz_addmul(v, s, zv);
    mpz_mul(s, zv, t), mpz_add(s, s, zu); /* z (zu + zv z) = -p zv + (zu + t zv) z */
    mpz_mul(zu, zv, p), mpz_neg(zu, zu);
    mpz_set(zv, s);
  }
  mpz_clears(zu, zv, s, NULL);
}

static void resultants_leave_nothing_else(void **state) {
  (void)state;
  mpz_t x, t, p, u, v, n;
  mpz_inits(x, t, p, u, v, n, NULL);
  /* BN254: t = 6 x^2 + 1; modulo z^2 - t z + p */
  mpz_set_str(x, "4965661367192848881", 10);
  mpz_import(p, 32, -1, 1, 0, 0, rp_field_get(RP_FIELD_BN254_FP)->modulus_le);
  mpz_mul(t, x, x), mpz_mul_ui(t, t, 6), mpz_add_ui(t, t, 1);
  cubic(u, v, (int[]){1, 1, 1, -2}, (int[]){1, 0, 0, 0}, x, t, p); /* x + 1 + x z + x z^2 - 2 x z^3 */
  resultant(n, u, v, t, p);
  leaves_only_r(n, RP_CURVE_BN254_G2);
  cubic(u, v, (int[]){6, 0, 0, 0}, (int[]){2, 1, -1, 1}, x, t, p); /* 6x + 2 + z - z^2 + z^3, of the Miller loop */
  resultant(n, u, v, t, p);
  leaves_only_r(n, RP_CURVE_BN254_G2);
  /* BLS12-381 G2: t = x + 1; -x + z modulo z^2 - t z + p */
  mpz_set_str(x, "-15132376222941642752", 10);
  mpz_import(p, 48, -1, 1, 0, 0, rp_field_get(RP_FIELD_BLS12_381_FP)->modulus_le);
  mpz_add_ui(t, x, 1), mpz_neg(u, x), mpz_set_ui(v, 1);
  resultant(n, u, v, t, p);
  leaves_only_r(n, RP_CURVE_BLS12_381_G2);
  /* BLS12-381 G1: x^2 + z modulo z^2 + z + 1 */
  mpz_mul(u, x, x), mpz_set_si(t, -1), mpz_set_ui(p, 1);
  resultant(n, u, v, t, p);
  leaves_only_r(n, RP_CURVE_BLS12_381_G1);
  mpz_clears(x, t, p, u, v, n, NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(points_inside_and_outside),
                                     cmocka_unit_test(points_of_every_small_order),
                                     cmocka_unit_test(resultants_leave_nothing_else)};
  return cmocka_run_group_tests_name("subgroup", tests, NULL, NULL);
}
