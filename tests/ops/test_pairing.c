/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Pairings: bilinear, not degenerate, products as EIP-197 defines them, prepared lines, infinity; and the value itself
 * against the e(alpha, beta) that snarkjs writes into a verification key.
 */
#include "torsion.h"
#include "vectors.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <gmp.h>

typedef struct pairing_family {
  rp_curve g1, g2;
  const char *key;
} pairing_family;

static const pairing_family families[] = {
    {RP_CURVE_BN254_G1, RP_CURVE_BN254_G2, "fixtures/multiplier_bn254/verification_key.json"},
    {RP_CURVE_BLS12_381_G1, RP_CURVE_BLS12_381_G2, "fixtures/multiplier_bls12381/verification_key.json"},
};

static void scalar(uint8_t k[32], uint64_t x) {
  for (int i = 0; i < 32; i++) k[i] = (uint8_t)(x = x * 6364136223846793005u + 1442695040888963407u, x >> 56);
}

/* e(s P, Q) e(-P, s Q) = 1, but not with s + 1 */
static void test_bilinear(void **state) {
  (void)state;
  for (size_t i = 0; i < 2; i++) {
    const rp_curve_host *a = rp_curve_get(families[i].g1), *b = rp_curve_get(families[i].g2);
    uint64_t p[12], sp[12], n[12], q[24], sq[24], more[24];
    uint8_t k[32];
    a->generator(p), b->generator(q);
    a->neg(n, p);
    for (uint64_t round = 1; round < 4; round++) {
      scalar(k, round);
      a->mul(sp, p, k), b->mul(sq, q, k), b->add(more, sq, q);
      const void *const g1[] = {sp, n};
      assert_true(rp_pairing_product_is_one(families[i].g1, 2, g1, (const void *const[]){q, sq}));
      assert_false(rp_pairing_product_is_one(families[i].g1, 2, g1, (const void *const[]){q, more}));
      a->add(p, p, sp), a->neg(n, p); /* go on with other points */
    }
    assert_false(rp_pairing_product_is_one(families[i].g1, 1, (const void *const[]){p}, (const void *const[]){q}));
  }
}

/* EIP-197: the empty product, pairs with infinity, e(P, Q) e(-P, Q), and more pairs than one Miller loop takes. */
static void test_products(void **state) {
  (void)state;
  for (size_t i = 0; i < 2; i++) {
    const rp_curve family = families[i].g1;
    const rp_curve_host *a = rp_curve_get(family), *b = rp_curve_get(families[i].g2);
    uint64_t p[12], n[12], q[24], m[24], zero1[12], zero2[24];
    a->generator(p), a->neg(n, p), a->identity(zero1);
    b->generator(q), b->neg(m, q), b->identity(zero2);
    assert_true(rp_pairing_product_is_one(family, 0, NULL, NULL));
    assert_true(rp_pairing_product_is_one(family, 2, (const void *const[]){p, zero1}, (const void *const[]){zero2, q}));
    assert_true(rp_pairing_product_is_one(family, 2, (const void *const[]){p, n}, (const void *const[]){q, q}));
    assert_true(rp_pairing_product_is_one(family, 2, (const void *const[]){p, p}, (const void *const[]){q, m}));
    assert_false(rp_pairing_product_is_one(family, 2, (const void *const[]){p, p}, (const void *const[]){q, q}));
    const void *const g1[] = {p, n, zero1, p, p, n, p, n, n, p}, *const g2[] = {q, q, q, m, q, zero2, q, q, q, q};
    assert_false(rp_pairing_product_is_one(family, 9, g1, g2));
    assert_true(rp_pairing_product_is_one(family, 10, g1, g2));
    assert_false(rp_pairing_product_is_one(RP_CURVE_SECP256K1, 0, NULL, NULL));
  }
}

/* e(P, Q) e(P, 2Q) = e(3P, Q), through prepared lines that were copied. */
static void test_prepared(void **state) {
  (void)state;
  for (size_t i = 0; i < 2; i++) {
    const rp_curve family = families[i].g1;
    const rp_curve_host *a = rp_curve_get(family), *b = rp_curve_get(families[i].g2);
    uint64_t p[12], p3[12], q[24], q2[24], zero[24];
    const uint32_t bytes = rp_pairing_prepared_bytes(family), value_bytes = rp_pairing_value_bytes(family);
    rp_pairing_prepared *l = malloc(bytes), *copy = malloc(bytes), *l2 = malloc(bytes), *l0 = malloc(bytes);
    rp_pairing_value *x = malloc(value_bytes), *y = malloc(value_bytes);
    assert_true(l && copy && l2 && l0 && x && y);
    a->generator(p), a->add(p3, p, p), a->add(p3, p3, p);
    b->generator(q), b->add(q2, q, q), b->identity(zero);
    assert_int_equal(rp_pairing_prepare(family, q, l), RP_OK);
    assert_int_equal(rp_pairing_prepare(family, q2, l2), RP_OK);
    assert_int_equal(rp_pairing_prepare(family, zero, l0), RP_OK);
    memcpy(copy, l, bytes);
    const void *const g1[] = {p, p, p3};
    const rp_pairing_prepared *const g2[] = {copy, l2, l0};
    assert_int_equal(rp_pairing_product(family, 3, g1, g2, x), RP_OK);
    assert_int_equal(rp_pairing_product(family, 1, g1 + 2, g2, y), RP_OK);
    assert_true(rp_pairing_value_equal(family, x, y));
    assert_false(rp_pairing_value_is_one(family, x));
    assert_int_equal(rp_pairing_product(family, 1, g1, g2, y), RP_OK);
    assert_false(rp_pairing_value_equal(family, x, y));
    assert_int_equal(rp_pairing_product(family, 1, g1, g2 + 2, y), RP_OK);
    assert_true(rp_pairing_value_is_one(family, y));
    assert_int_equal(rp_pairing_prepare(RP_CURVE_E97, q, l), RP_ERR_ARGUMENT);
    assert_int_equal(rp_pairing_product(family, 1, NULL, g2, y), RP_ERR_ARGUMENT);
    free(l), free(copy), free(l2), free(l0), free(x), free(y);
  }
}

/* A point off the curve or of another order is refused by every entry point, even next to an infinity that would hide
 * it, and lines that were prepared from it give no value. */
static void test_refused(void **state) {
  (void)state;
  enum { POINTS = 10 };
  for (size_t i = 0; i < 2; i++) {
    const rp_curve family = families[i].g1;
    const rp_curve_host *a = rp_curve_get(family), *b = rp_curve_get(families[i].g2);
    const uint32_t bytes = rp_pairing_prepared_bytes(family);
    rp_pairing_prepared *lines[POINTS];
    rp_pairing_value *x = malloc(rp_pairing_value_bytes(family));
    uint64_t p[12], zero[12], q[POINTS][24];
    const void *g2[POINTS];
    uint8_t valid[POINTS];
    assert_non_null(x);
    a->generator(p), a->identity(zero);
    for (unsigned k = 0; k < POINTS; k++) {
      b->generator(q[k]);
      g2[k] = q[k];
      lines[k] = malloc(bytes);
      assert_non_null(lines[k]);
    }
    q[2][0] ^= 1;                         /* off the curve */
    torsion_any(families[i].g2, 7, q[5]); /* of another order */
    torsion_any(families[i].g2, 8, q[9]);
    b->add(q[9], q[9], q[0]);
    b->identity(q[7]);
    assert_int_equal(rp_pairing_prepare_many(family, POINTS, g2, lines, valid), RP_OK);
    for (unsigned k = 0; k < POINTS; k++) {
      const int good = k != 2 && k != 5 && k != 9;
      const void *const at_p[] = {p, p}, *const at_zero[] = {zero, zero}, *const twice[] = {q[k], q[k]};
      const rp_pairing_prepared *const l[] = {lines[k], lines[k]};
      assert_int_equal(valid[k], good);
      assert_int_equal(rp_pairing_product(family, 2, at_p, l, x), good ? RP_OK : RP_ERR_INPUT);
      assert_int_equal(rp_pairing_product(family, 1, at_zero, l, x), good ? RP_OK : RP_ERR_INPUT);
      assert_int_equal(rp_pairing_prepare(family, q[k], lines[k]), good ? RP_OK : RP_ERR_INPUT);
      assert_int_equal(rp_pairing_product(family, 2, at_p, l, x), good ? RP_OK : RP_ERR_INPUT);
      assert_int_equal(rp_pairing_product_is_one(family, 2, at_zero, twice), good);
      memset(lines[k], 0, bytes);
      assert_int_equal(rp_pairing_product(family, 1, at_p, l, x), RP_ERR_INPUT);
    }
    assert_int_equal(rp_pairing_prepare_many(family, 0, NULL, NULL, NULL), RP_OK);
    assert_int_equal(rp_pairing_prepare_many(family, 1, NULL, lines, valid), RP_ERR_ARGUMENT);
    assert_int_equal(rp_pairing_prepare_many(RP_CURVE_SECP256K1, 1, g2, lines, valid), RP_ERR_ARGUMENT);
    for (unsigned k = 0; k < POINTS; k++) free(lines[k]);
    free(x);
  }
}

static void decimal(const rp_field_host *f, const json_t *text, void *r) {
  uint64_t le[6] = {0};
  mpz_t x;
  mpz_init(x);
  assert_int_equal(mpz_set_str(x, json_string_value(text), 10), 0);
  mpz_export(le, NULL, -1, 1, 0, 0, x);
  assert_true(f->from_canonical(r, le));
  mpz_clear(x);
}

/* snarkjs raises to the same multiple of (p^12 - 1) / r, so that the values are equal. */
static void test_snarkjs_value(void **state) {
  (void)state;
  for (size_t i = 0; i < 2; i++) {
    const rp_field base = rp_curve_base_field(families[i].g1), extension = rp_curve_base_field(families[i].g2);
    const rp_field_host *f1 = rp_field_get(base), *f2 = rp_field_get(extension);
    const size_t n1 = f1->size_bytes / 8, n2 = 2 * n1;
    json_t *key = vectors_load(families[i].key);
    const json_t *alpha = vectors_get(key, "vk_alpha_1"), *beta = vectors_get(key, "vk_beta_2");
    const json_t *want = vectors_get(key, "vk_alphabeta_12");
    uint64_t p[12], q[24], theirs[6 * 12], got[6 * 12];
    for (size_t c = 0; c < 2; c++) {
      decimal(f1, json_array_get(alpha, c), p + c * n1);
      for (size_t d = 0; d < 2; d++) decimal(f1, json_array_get(json_array_get(beta, c), d), q + c * n2 + d * n1);
    }
    for (size_t j = 0; j < 2; j++)
      for (size_t v = 0; v < 3; v++)
        for (size_t d = 0; d < 2; d++) {
          const json_t *x = json_array_get(json_array_get(json_array_get(want, j), v), d);
          decimal(f1, x, theirs + (3 * j + v) * n2 + d * n1);
        }
    rp_pairing_prepared *lines = malloc(rp_pairing_prepared_bytes(families[i].g1));
    assert_non_null(lines);
    assert_int_equal(rp_pairing_prepare(families[i].g1, q, lines), RP_OK);
    const rp_pairing_prepared *const g2[] = {lines};
    assert_true(rp_pairing_value_bytes(families[i].g1) <= sizeof got);
    assert_int_equal(rp_pairing_product(families[i].g1, 1, (const void *const[]){p}, g2, (rp_pairing_value *)got),
                     RP_OK);
    assert_memory_equal(got, theirs, 6 * f2->size_bytes);
    free(lines);
    json_decref(key);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_bilinear), cmocka_unit_test(test_products),
                                     cmocka_unit_test(test_prepared), cmocka_unit_test(test_refused),
                                     cmocka_unit_test(test_snarkjs_value)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
