/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Prime fields against GMP: every function on adversarial operands (borders, powers of two, long runs of equal bits),
 * and extensions against their definition over the prime field. Also checks the factorisations in fields.json.
 */
#include "vectors.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <gmp.h>

static uint64_t seed = 0x9e3779b97f4a7c15ull;

static uint64_t next(void) { /* splitmix64 */
  uint64_t z = seed += 0x9e3779b97f4a7c15ull;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ z >> 27) * 0x94d049bb133111ebull;
  return z ^ z >> 31;
}

static void modulus_of(mpz_t p, const rp_field_host *f) {
  mpz_import(p, f->size_bytes / f->degree, -1, 1, 0, 0, f->modulus_le);
}

/* Operands below p: 0, p - 1 and values next to them, 2^k - 1 and 2^k at every limb border of 29, 32, 52 and 64 bits,
 * runs of ones and zeros, random values. */
static void operand(mpz_t r, const mpz_t p, unsigned i) {
  static const unsigned width[] = {29, 32, 52, 64};
  const unsigned bits = (unsigned)mpz_sizeinbase(p, 2);
  mpz_set_ui(r, 0);
  if (i < 4)
    mpz_set_ui(r, i);
  else if (i < 8)
    mpz_sub_ui(r, p, i - 3);
  else if (i < 10)
    mpz_sub_ui(r, p, 1), mpz_fdiv_q_2exp(r, r, 1), mpz_add_ui(r, r, i - 8);
  else if (i < 60) {
    mpz_setbit(r, width[i % 4] * ((i - 10) / 8 + 1));
    if (i & 4) mpz_sub_ui(r, r, 1);
  } else if (i % 2) {
    for (unsigned bit = 0; bit < bits;) {
      const unsigned run = 1 + (unsigned)(next() % 96), one = (unsigned)(next() & 1);
      for (unsigned k = 0; k < run && bit < bits; k++, bit++)
        if (one) mpz_setbit(r, bit);
    }
  } else {
    for (unsigned bit = 0; bit < bits; bit++)
      if (next() & 1) mpz_setbit(r, bit);
  }
  mpz_mod(r, r, p);
}

static void to_field(const rp_field_host *f, void *r, const mpz_t x) {
  uint64_t le[6] = {0};
  mpz_export(le, NULL, -1, 1, 0, 0, x);
  assert_true(f->from_canonical(r, le));
}

static void assert_value(const rp_field_host *f, const void *got, const mpz_t want, const char *what) {
  uint64_t le[6] = {0}, canonical[6] = {0}, again[6];
  mpz_export(le, NULL, -1, 1, 0, 0, want);
  f->to_canonical(canonical, got);
  if (memcmp(le, canonical, f->canonical_bytes)) fail_msg("%s: %s differs", f->name, what);
  assert_true(f->from_canonical(again, le)); /* the memory form is unique */
  assert_memory_equal(again, got, f->size_bytes);
}

static void check_pair(const rp_field_host *f, const mpz_t p, const mpz_t a, const mpz_t b) {
  uint64_t x[6], y[6], r[6];
  mpz_t t;
  mpz_init(t);
  to_field(f, x, a), to_field(f, y, b);
  f->add(r, x, y), mpz_add(t, a, b), mpz_mod(t, t, p), assert_value(f, r, t, "add");
  f->sub(r, x, y), mpz_sub(t, a, b), mpz_mod(t, t, p), assert_value(f, r, t, "sub");
  f->mul(r, x, y), mpz_mul(t, a, b), mpz_mod(t, t, p), assert_value(f, r, t, "mul");
  memcpy(r, x, f->size_bytes), f->mul(r, r, y), assert_value(f, r, t, "mul in place of a");
  memcpy(r, y, f->size_bytes), f->mul(r, x, r), assert_value(f, r, t, "mul in place of b");
  assert_int_equal(f->equal(x, y), mpz_cmp(a, b) == 0);
  mpz_clear(t);
}

static void check_one(const rp_field_host *f, const mpz_t p, const mpz_t a, const mpz_t e) {
  uint64_t x[6], r[6], s[6];
  uint8_t le[64] = {0};
  mpz_t t;
  mpz_init(t);
  to_field(f, x, a);
  assert_value(f, x, a, "to and from canonical");
  assert_int_equal(f->is_zero(x), mpz_sgn(a) == 0);
  f->neg(r, x), mpz_neg(t, a), mpz_mod(t, t, p), assert_value(f, r, t, "neg");
  f->sqr(r, x), mpz_mul(t, a, a), mpz_mod(t, t, p), assert_value(f, r, t, "sqr");
  if (!mpz_invert(t, a, p)) mpz_set_ui(t, 0);
  f->inv(r, x), assert_value(f, r, t, "inv");
  f->inv_ct(r, x), assert_value(f, r, t, "inv_ct");
  mpz_export(le, NULL, -1, 1, 0, 0, e);
  f->pow(r, x, le, sizeof le), mpz_powm(t, a, e, p), assert_value(f, r, t, "pow");
  assert_int_equal(f->sqrt(r, x), mpz_legendre(a, p) >= 0);
  if (mpz_legendre(a, p) >= 0) f->sqr(s, r), assert_value(f, s, a, "sqrt");
  mpz_clear(t);
}

/* Integers at and above the modulus are refused; any length is reduced. */
static void check_ranges(const rp_field_host *f, const mpz_t p) {
  uint64_t le[6] = {0}, r[6], before[6];
  mpz_t t, n;
  mpz_inits(t, n, NULL);
  f->one(before);
  for (unsigned i = 0; i < 3; i++) {
    memset(le, 0xff, sizeof le);
    mpz_add_ui(t, p, i);
    if (i < 2 && mpz_sizeinbase(t, 2) <= 8 * f->canonical_bytes) {
      memset(le, 0, sizeof le);
      mpz_export(le, NULL, -1, 1, 0, 0, t);
    }
    f->one(r);
    assert_false(f->from_canonical(r, le));
    assert_memory_equal(r, before, f->size_bytes);
  }
  for (size_t bytes = 0; bytes <= 130; bytes++) {
    uint8_t data[130];
    for (size_t i = 0; i < bytes; i++) data[i] = bytes % 3 ? (uint8_t)next() : 0xff;
    mpz_import(n, bytes, -1, 1, 0, 0, data);
    mpz_mod(t, n, p);
    f->from_bytes_reduce(r, data, bytes);
    assert_value(f, r, t, "from_bytes_reduce");
  }
  mpz_clears(t, n, NULL);
}

static void check_field(const rp_field_host *f) {
  mpz_t p, a[160], e;
  mpz_inits(p, e, NULL);
  modulus_of(p, f);
  assert_int_equal(mpz_sizeinbase(p, 2), f->modulus_bits);
  for (unsigned i = 0; i < 160; i++) mpz_init(a[i]), operand(a[i], p, i);
  for (int i = 0; i < 160; i++) {
    for (int j = 0; j < 160; j += i < 80 ? 1 : 7) check_pair(f, p, a[i], a[j]);
    mpz_mul(e, a[(i + 61) % 160], a[i % 3]);
    mpz_fdiv_r_2exp(e, e, 512);
    check_one(f, p, a[i], e);
  }
  check_ranges(f, p);
  for (int i = 0; i < 160; i++) mpz_clear(a[i]);
  mpz_clears(p, e, NULL);
}

static void test_prime_fields(void **state) {
  (void)state;
  for (int id = 0; id < RP_FIELD_COUNT; id++) {
    const rp_field_host *f = rp_field_get((rp_field)id);
    if (f->degree == 1) check_field(f);
  }
}

#if defined(__x86_64__)
#include "adx_fields.h" /* ADX_FIELDS(X), made by CMakeLists.txt */

#include <cpuid.h>

/* The same source compiled for MULX and ADX. */
#define ADX_DECLARE(id) extern const rp_field_host rp_field_host_##id##_adx;
ADX_FIELDS(ADX_DECLARE)
ADX_DECLARE(bn254_fp2)
ADX_DECLARE(bls12_381_fp2)

static bool has_adx(void) {
  unsigned a, b, c, d;
  return __get_cpuid_count(7, 0, &a, &b, &c, &d) && b & bit_BMI2 && b & bit_ADX;
}

static void test_adx(void **state) {
  (void)state;
  if (!has_adx()) skip();
#define ADX_CHECK(id) check_field(&rp_field_host_##id##_adx);
  ADX_FIELDS(ADX_CHECK)
}
#endif

/* (a0 + a1 u)(b0 + b1 u) with u^2 = -1, coefficient by coefficient; inverses, roots and powers by their definitions. */
static void check_extension(const rp_field_host *f, const rp_field_host *base, const uint64_t *a, const uint64_t *b) {
  const size_t n = base->size_bytes / 8;
  uint64_t r[12], s[12], t[6], one[12], zero[12];
  const uint8_t three = 3;
  f->one(one), f->zero(zero);
  f->mul(r, a, b);
  base->mul(s, a, b), base->mul(t, a + n, b + n), base->sub(s, s, t);
  base->mul(s + n, a, b + n), base->mul(t, a + n, b), base->add(s + n, s + n, t);
  assert_true(f->equal(r, s));
  f->sqr(r, a), f->mul(s, a, a), assert_true(f->equal(r, s));
  assert_int_equal(f->sqrt(s, r), 1);
  f->sqr(s, s), assert_true(f->equal(r, s));
  f->mul(r, r, a), f->pow(s, a, &three, 1), assert_true(f->equal(r, s));
  f->inv(r, a), f->inv_ct(s, a), assert_true(f->equal(r, s));
  f->mul(s, r, a), assert_true(f->equal(s, f->is_zero(a) ? zero : one));
  f->add(r, a, b), f->sub(r, r, b), assert_true(f->equal(r, a));
  f->neg(s, a), f->add(s, s, a), assert_true(f->is_zero(s));
}

static void check_extension_field(const rp_field_host *f, const rp_field_host *base) {
  const size_t n = base->size_bytes / 8;
  uint64_t a[12], b[12];
  mpz_t p, x;
  int squares = 0;
  mpz_inits(p, x, NULL);
  modulus_of(p, base);
  for (unsigned i = 0; i < 400; i++) {
    const unsigned pick[4] = {i % 20, i / 20, (unsigned)(next() % 90), (unsigned)(next() % 90)};
    for (int c = 0; c < 2; c++) {
      operand(x, p, pick[c]), to_field(base, a + c * (int)n, x);
      operand(x, p, pick[c + 2]), to_field(base, b + c * (int)n, x);
    }
    check_extension(f, base, a, b);
    squares += f->sqrt(b, b);
  }
  assert_in_range(squares, 120, 280); /* half of random elements are squares */
  mpz_clears(p, x, NULL);
}

static void test_extensions(void **state) {
  (void)state;
  check_extension_field(rp_field_get(RP_FIELD_BN254_FP2), rp_field_get(RP_FIELD_BN254_FP));
  check_extension_field(rp_field_get(RP_FIELD_BLS12_381_FP2), rp_field_get(RP_FIELD_BLS12_381_FP));
}

#if defined(__x86_64__)
static void test_adx_extensions(void **state) {
  (void)state;
  if (!has_adx()) skip();
  check_extension_field(&rp_field_host_bn254_fp2_adx, rp_field_get(RP_FIELD_BN254_FP));
  check_extension_field(&rp_field_host_bls12_381_fp2_adx, rp_field_get(RP_FIELD_BLS12_381_FP));
}
#endif

/* p - 1 is the product of the factors given, and generators called primitive are. */
static void test_factorisations(void **state) {
  (void)state;
  json_t *root = vectors_load("fields.json"), *e, *q;
  size_t i, k;
  mpz_t p, rest, factor, exponent, g;
  mpz_inits(p, rest, factor, exponent, g, NULL);
  json_array_foreach(vectors_get(root, "fields"), i, e) {
    const json_t *factors = vectors_get(e, "p_minus_1_factorization"), *least = vectors_get(e, "least_primitive_root"),
                 *source;
    const char *name;
    assert_int_equal(mpz_set_str(p, vectors_text(e, "modulus_dec"), 10), 0);
    if (!json_is_array(factors)) continue; /* BLS12-381 Fp: not factored completely */
    mpz_sub_ui(rest, p, 1);
    json_array_foreach(factors, k, q) {
      assert_int_equal(mpz_set_str(factor, json_string_value(q), 10), 0);
      assert_true(mpz_divisible_p(rest, factor));
      mpz_divexact(rest, rest, factor);
      mpz_sub_ui(exponent, p, 1);
      mpz_divexact(exponent, exponent, factor);
      mpz_set_ui(g, (unsigned long)json_integer_value(least));
      mpz_powm(g, g, exponent, p);
      assert_true(mpz_cmp_ui(g, 1));
      json_object_foreach(vectors_get(e, "multiplicative_generator_by_source"), name, source) {
        assert_true(json_is_true(vectors_get(source, "is_primitive_root")));
        mpz_set_ui(g, (unsigned long)json_integer_value(vectors_get(source, "generator")));
        mpz_powm(g, g, exponent, p);
        assert_true(mpz_cmp_ui(g, 1));
      }
    }
    assert_int_equal(mpz_cmp_ui(rest, 1), 0);
  }
  mpz_clears(p, rest, factor, exponent, g, NULL);
  json_decref(root);
}

/* A root is the same number in hexadecimal and in decimal digits. */
static void test_decimal_roots(void **state) {
  (void)state;
  json_t *root = vectors_load("fields.json"), *e, *r;
  const char *name;
  size_t i;
  mpz_t hex, decimal;
  mpz_inits(hex, decimal, NULL);
  json_array_foreach(vectors_get(root, "fields"), i, e) {
    json_object_foreach(vectors_get(e, "roots_of_unity"), name, r) {
      assert_int_equal(mpz_set_str(hex, vectors_text(r, "root_of_order_2^s"), 0), 0);
      assert_int_equal(mpz_set_str(decimal, vectors_text(r, "root_dec"), 10), 0);
      assert_int_equal(mpz_cmp(hex, decimal), 0);
    }
  }
  mpz_clears(hex, decimal, NULL);
  json_decref(root);
}

/* xi, whose sixth root defines the tower over the quadratic extension, is neither a square nor a cube in it. */
static void test_sextic_nonresidues(void **state) {
  (void)state;
  json_t *root = vectors_load("fields.json"), *e;
  size_t i;
  mpz_t p, exponent;
  mpz_inits(p, exponent, NULL);
  json_array_foreach(vectors_get(root, "extension_fields"), i, e) {
    rp_field id;
    assert_true(rp_type_is_field(rp_type_by_name(vectors_text(e, "id")), &id));
    const rp_field_host *f = rp_field_get(id);
    const json_t *xi = vectors_get(e, "fp6_nonresidue_xi");
    uint64_t x[12], power[12], one[12];
    uint8_t canonical[96] = {0}, bytes[96];
    canonical[0] = (uint8_t)json_integer_value(vectors_get(xi, "c0"));
    canonical[f->canonical_bytes / 2] = (uint8_t)json_integer_value(vectors_get(xi, "c1"));
    assert_true(f->from_canonical(x, canonical));
    f->one(one);
    mpz_import(p, f->canonical_bytes / 2, -1, 1, 0, 0, f->modulus_le);
    for (unsigned long k = 2; k <= 3; k++) {
      mpz_mul(exponent, p, p);
      mpz_sub_ui(exponent, exponent, 1);
      assert_int_equal(mpz_fdiv_q_ui(exponent, exponent, k), 0);
      memset(bytes, 0, sizeof bytes);
      mpz_export(bytes, NULL, -1, 1, 0, 0, exponent);
      f->pow(power, x, bytes, sizeof bytes);
      assert_false(f->equal(power, one));
    }
  }
  mpz_clears(p, exponent, NULL);
  json_decref(root);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_prime_fields),
#if defined(__x86_64__)
    cmocka_unit_test(test_adx),
#endif
    cmocka_unit_test(test_extensions),
#if defined(__x86_64__)
    cmocka_unit_test(test_adx_extensions),
#endif
    cmocka_unit_test(test_factorisations),
    cmocka_unit_test(test_decimal_roots),
    cmocka_unit_test(test_sextic_nonresidues)
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
