/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Endomorphisms of curves: lambda, the lattice and the factors against GMP, omega P = lambda P with the arithmetic of
 * the host, the lengths of decomposed scalars, and the bases of digits.
 */
#include "msm/eisenstein.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <gmp.h>

typedef void omega_fn(void *r, const void *affine, bool again);
extern omega_fn rp_omega_bn254_g1, rp_omega_bn254_g2, rp_omega_bls12_381_g1, rp_omega_bls12_381_g2;

static const struct {
  rp_curve curve;
  omega_fn *omega;
} curves[] = {{RP_CURVE_BN254_G1, rp_omega_bn254_g1},
              {RP_CURVE_BN254_G2, rp_omega_bn254_g2},
              {RP_CURVE_BLS12_381_G1, rp_omega_bls12_381_g1},
              {RP_CURVE_BLS12_381_G2, rp_omega_bls12_381_g2}};
enum { CURVES = sizeof curves / sizeof *curves, POINT = 24, SHIFT = 320 };

typedef struct lattice {
  mpz_t r, lambda, a[2], b[2], g[2];
} lattice;

static void import_words(mpz_t x, const uint32_t *words, size_t n, bool is_signed) {
  mpz_import(x, n, -1, 4, 0, 0, words);
  if (!is_signed || !(words[n - 1] >> 31)) return;
  mpz_t power;
  mpz_init(power);
  mpz_setbit(power, 32 * n);
  mpz_sub(x, x, power);
  mpz_clear(power);
}

static void lattice_init(lattice *l, rp_curve curve) {
  const rp_endomorphism *e = rp_curve_endomorphism(curve);
  assert_non_null(e);
  mpz_inits(l->r, l->lambda, l->a[0], l->a[1], l->b[0], l->b[1], l->g[0], l->g[1], NULL);
  mpz_import(l->r, 32, -1, 1, 0, 0, rp_curve_get(curve)->order_le);
  import_words(l->a[0], e->a1, 5, true), import_words(l->b[0], e->b1, 5, true);
  import_words(l->a[1], e->a2, 5, true), import_words(l->b[1], e->b2, 5, true);
  import_words(l->g[0], e->g1, 7, false), import_words(l->g[1], e->g2, 7, false);
  assert_true(mpz_invert(l->lambda, l->b[0], l->r)); /* -a1 / b1 */
  mpz_mul(l->lambda, l->lambda, l->a[0]);
  mpz_neg(l->lambda, l->lambda);
  mpz_mod(l->lambda, l->lambda, l->r);
}

static void lattice_clear(lattice *l) {
  mpz_clears(l->r, l->lambda, l->a[0], l->a[1], l->b[0], l->b[1], l->g[0], l->g[1], NULL);
}

/* n = a^2 - a b + b^2, the norm of a + b omega */
static void norm(mpz_t n, const mpz_t a, const mpz_t b) {
  mpz_t t;
  mpz_init(t);
  mpz_sub(t, a, b);
  mpz_mul(n, t, a);
  mpz_addmul(n, b, b);
  mpz_clear(t);
}

static void test_lattice(void **state) {
  (void)state;
  for (int c = 0; c < CURVES; c++) {
    lattice l;
    mpz_t t, n;
    lattice_init(&l, curves[c].curve);
    mpz_inits(t, n, NULL);
    mpz_mul(t, l.lambda, l.lambda), mpz_add(t, t, l.lambda), mpz_add_ui(t, t, 1);
    assert_true(mpz_divisible_p(t, l.r));
    for (int v = 0; v < 2; v++) {
      mpz_mul(t, l.b[v], l.lambda), mpz_add(t, t, l.a[v]);
      assert_true(mpz_divisible_p(t, l.r));
      assert_true(mpz_sizeinbase(l.a[v], 2) < 129 && mpz_sizeinbase(l.b[v], 2) < 129);
      /* The least norm that a vector can have, so that the two are at 60 or 120 degrees. */
      norm(n, l.a[v], l.b[v]);
      assert_int_equal(mpz_cmp(n, l.r), 0);
    }
    mpz_mul(t, l.a[0], l.b[1]), mpz_submul(t, l.a[1], l.b[0]);
    assert_int_equal(mpz_cmpabs(t, l.r), 0);
    for (int v = 0; v < 2; v++) { /* |g r - 2^320 |b|| <= r / 2, with b of the other vector */
      mpz_abs(t, l.b[1 - v]), mpz_mul_2exp(t, t, SHIFT);
      mpz_submul(t, l.g[v], l.r), mpz_mul_2exp(t, t, 1);
      assert_true(mpz_cmpabs(t, l.r) <= 0);
    }
    mpz_clears(t, n, NULL);
    lattice_clear(&l);
  }
}

static void test_curves(void **state) {
  (void)state;
  assert_null(rp_curve_endomorphism(RP_CURVE_SECP256K1));
  assert_null(rp_curve_endomorphism(RP_CURVE_BANDERWAGON));
  assert_null(rp_curve_endomorphism(RP_CURVE_E97));
  assert_null(rp_curve_endomorphism(RP_CURVE_COUNT));
  for (int c = 0; c < CURVES; c += 2) {
    const rp_endomorphism *g1 = rp_curve_endomorphism(curves[c].curve),
                          *g2 = rp_curve_endomorphism(curves[c + 1].curve);
    assert_memory_equal(g1, g2, offsetof(rp_endomorphism, all_points));
    assert_int_equal(g1->all_points, curves[c].curve == RP_CURVE_BN254_G1);
    assert_false(g2->all_points);
  }
}

static void test_omega(void **state) {
  gmp_randstate_t random;
  (void)state;
  gmp_randinit_default(random);
  for (int i = 0; i < CURVES; i++) {
    const rp_curve_host *c = rp_curve_get(curves[i].curve);
    lattice l;
    mpz_t k;
    uint8_t scalar[32], lambda[32] = {0};
    uint64_t p[POINT], want[POINT], got[POINT];
    lattice_init(&l, c->id);
    mpz_init(k);
    mpz_export(lambda, NULL, -1, 1, 0, 0, l.lambda);
    for (int round = 0; round < 40; round++) {
      mpz_urandomm(k, random, l.r);
      memset(scalar, 0, sizeof scalar);
      if (round) mpz_export(scalar, NULL, -1, 1, 0, 0, k); /* infinity first */
      c->generator(p);
      c->mul(p, p, scalar);
      c->mul(want, p, lambda);
      curves[i].omega(got, p, false);
      assert_memory_equal(got, want, c->affine_bytes);
      c->mul(want, want, lambda);
      curves[i].omega(got, p, true);
      assert_memory_equal(got, want, c->affine_bytes);
    }
    mpz_clear(k);
    lattice_clear(&l);
  }
  gmp_randclear(random);
}

/* k = k1 + k2 lambda mod r, and the norm of k1 + k2 omega is at most 3/4 r: rounding leaves at most half of each
 * vector, and the farthest corners of that parallelogram are at sqrt(3)/2 sqrt(r). The factors are right to 2^-65. */
static void check_scalar(const lattice *l, const mpz_t k) {
  mpz_t half[2], t;
  mpz_inits(half[0], half[1], t, NULL);
  mpz_set(half[0], k);
  for (int v = 0; v < 2; v++) {
    mpz_mul(t, k, l->g[v]);
    mpz_fdiv_q_2exp(t, t, SHIFT - 1), mpz_add_ui(t, t, 1), mpz_fdiv_q_2exp(t, t, 1);
    mpz_submul(half[0], t, l->a[v]);
    mpz_submul(half[1], t, l->b[v]);
  }
  mpz_mul(t, half[1], l->lambda), mpz_add(t, t, half[0]), mpz_sub(t, t, k);
  assert_true(mpz_divisible_p(t, l->r));
  norm(t, half[0], half[1]);
  mpz_mul_2exp(t, t, 2), mpz_submul_ui(t, l->r, 3); /* 4 times the norm - 3 r */
  mpz_mul_2exp(t, t, 60);
  assert_true(mpz_cmp(t, l->r) <= 0);
  mpz_clears(half[0], half[1], t, NULL);
}

static void test_decomposition(void **state) {
  gmp_randstate_t random;
  (void)state;
  gmp_randinit_default(random);
  for (int i = 0; i < CURVES; i += 2) {
    lattice l;
    mpz_t k, at;
    lattice_init(&l, curves[i].curve);
    mpz_inits(k, at, NULL);
    for (int round = 0; round < 3000; round++) {
      if (round % 2)
        mpz_urandomm(k, random, l.r);
      else
        mpz_rrandomb(k, random, mpz_sizeinbase(l.r, 2)), mpz_mod(k, k, l.r);
      check_scalar(&l, k);
    }
    /* 0, 1, r - 1, r / 2, lambda, r - lambda and what is nearest to half of a vector, with their neighbours. */
    for (int edge = 0; edge < 7; edge++) {
      mpz_set_ui(at, edge == 1);
      if (edge == 2) mpz_sub_ui(at, l.r, 1);
      if (edge == 3) mpz_fdiv_q_2exp(at, l.r, 1);
      if (edge == 4) mpz_set(at, l.lambda);
      if (edge == 5) mpz_sub(at, l.r, l.lambda);
      if (edge == 6) {
        mpz_fdiv_q_2exp(at, l.a[0], 1), mpz_fdiv_q_2exp(k, l.b[0], 1);
        mpz_addmul(at, k, l.lambda), mpz_mod(at, at, l.r);
      }
      for (int near = -2; near <= 2; near++) {
        mpz_set_si(k, near), mpz_add(k, k, at), mpz_mod(k, k, l.r);
        check_scalar(&l, k);
      }
    }
    mpz_clears(k, at, NULL);
    lattice_clear(&l);
  }
  gmp_randclear(random);
}

/* base^windows > 2^bits */
static bool exceeds(uint32_t base, uint32_t windows, uint32_t bits) {
  mpz_t power, bound;
  mpz_inits(power, bound, NULL);
  mpz_ui_pow_ui(power, base, windows);
  mpz_setbit(bound, bits);
  const bool above = mpz_cmp(power, bound) > 0;
  mpz_clears(power, bound, NULL);
  return above;
}

static void test_bases(void **state) {
  (void)state;
  for (int c = 0; c < CURVES; c++)
    for (uint32_t windows = RP_EISENSTEIN_WINDOWS_LEAST; windows <= RP_EISENSTEIN_WINDOWS_MOST; windows++) {
      const rp_eisenstein e = rp_eisenstein_of(curves[c].curve, windows);
      uint32_t least = 2, fewest = 32;
      while (!exceeds(least, windows, c < 2 ? 128 : 129)) least++;
      for (uint32_t b = least; 50 * b <= 51 * least; b++)
        if ((uint32_t)__builtin_popcount(b) < fewest) fewest = (uint32_t)__builtin_popcount(b);
      assert_int_equal(e.windows, windows);
      assert_true(e.base >= least && 50 * e.base <= 51 * least);
      assert_int_equal(__builtin_popcount(e.base), fewest);
      assert_int_equal(e.rows, e.base / 2 + 1);
      assert_int_equal(e.columns, e.base / 2);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_lattice), cmocka_unit_test(test_curves),
                                     cmocka_unit_test(test_omega), cmocka_unit_test(test_decomposition),
                                     cmocka_unit_test(test_bases)};
  return cmocka_run_group_tests_name("endomorphism", tests, NULL, NULL);
}
