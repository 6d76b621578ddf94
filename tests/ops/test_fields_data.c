/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Every entry of tests/data/fields.json, which was computed independently, against the fields' functions and against
 * the constants derived at build time.
 */
#include "field_constants.h"
#include "vectors.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define CONSTANTS_OF_1(name) &rp_constants_##name,
#define CONSTANTS_OF_2(name)
#define CONSTANTS_OF(NAME, name, bytes, limbs, degree) CONSTANTS_OF_##degree(name)

static bool compared[RP_FIELD_COUNT]; /* with numbers that others publish, by the tests below */

static const field_constants *constants_of(const char *id) {
  static const field_constants *const all[] = {RP_FIELD_LIST(CONSTANTS_OF)};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (!strcmp(all[i]->name, id)) return all[i];
  fail_msg("no field %s", id);
  return NULL;
}

static const rp_field_host *field_of(const char *id) {
  rp_field field;
  assert_true(rp_type_is_field(rp_type_by_name(id), &field));
  compared[field] = true;
  return rp_field_get(field);
}

static void assert_hex(const void *le, size_t bytes, const char *hex) {
  uint8_t want[64];
  vectors_hex_le(hex, want, bytes);
  assert_memory_equal(le, want, bytes);
}

static void check_limbs(const json_t *e, const rp_field_host *f, const field_constants *c) {
  const json_t *l64 = vectors_get(e, "limbs64_le"), *l32 = vectors_get(e, "limbs32_le");
  assert_int_equal(json_array_size(l64), c->limbs);
  assert_int_equal(json_array_size(l32), 2 * c->limbs);
  for (uint32_t i = 0; i < c->limbs; i++) assert_hex(&c->modulus[i], 8, json_string_value(json_array_get(l64, i)));
  for (uint32_t i = 0; i < 2 * c->limbs; i++)
    assert_hex(&c->modulus_32[i], 4, json_string_value(json_array_get(l32, i)));
  assert_hex(f->modulus_le, f->canonical_bytes, vectors_text(e, "modulus"));
  assert_hex(c->minus_2, f->canonical_bytes, vectors_text(e, "p_minus_2_fermat_exponent"));
  assert_hex(c->half, f->canonical_bytes, vectors_text(e, "half_(p-1)/2"));
}

/* The Montgomery block: the memory form of 1 is R, that of R is R^2, that of R^2 is R^3; 1 in memory stands for
 * R^-1. */
static void check_montgomery(const json_t *e, const rp_field_host *f, const field_constants *c) {
  const json_t *m = vectors_get(e, "montgomery");
  uint64_t x[6], y[6];
  assert_hex(&c->n0, 8, vectors_text(m, "n0inv_64"));
  assert_hex(&c->n0_32, 4, vectors_text(m, "n0inv_32"));
  assert_int_equal(json_integer_value(vectors_get(m, "R_bits")), 8 * f->canonical_bytes);
  if (!c->montgomery) { /* canonical in memory: R belongs to another form, but the numbers must be consistent as well */
    vectors_element(f, vectors_get(m, "R_mod_p"), x);
    vectors_element(f, vectors_get(m, "R_inv_mod_p"), y);
    f->mul(y, x, y);
    f->one(x);
    assert_true(f->equal(x, y));
    return;
  }
  f->one(x);
  assert_hex(x, f->size_bytes, vectors_text(m, "R_mod_p"));
  assert_true(f->from_canonical(x, x));
  assert_hex(x, f->size_bytes, vectors_text(m, "R2_mod_p"));
  assert_true(f->from_canonical(x, x));
  assert_hex(x, f->size_bytes, vectors_text(m, "R3_mod_p"));
  memset(x, 0, sizeof x), x[0] = 1;
  f->to_canonical(y, x);
  assert_hex(y, f->size_bytes, vectors_text(m, "R_inv_mod_p"));
}

/* g generates the whole multiplicative group: g^((p-1)/q) is not 1 for any prime factor q of p - 1 that is given. */
static void check_generators(const json_t *e, const rp_field_host *f, const field_constants *c) {
  const json_t *sources = vectors_get(e, "multiplicative_generator_by_source"), *source;
  uint64_t g[6], one[6], t[6], minus[6];
  const char *name;
  f->one(one);
  f->neg(minus, one);
  assert_int_equal(json_integer_value(vectors_get(e, "smallest_quadratic_nonresidue")), c->nonresidue);
  for (uint32_t x = 2; x <= c->nonresidue; x++) { /* Euler's criterion, up to the first that is no square */
    uint8_t le[4] = {(uint8_t)x};
    f->from_bytes_reduce(g, le, sizeof le);
    f->pow(t, g, (const uint8_t *)c->half, f->canonical_bytes);
    assert_true(f->equal(t, x == c->nonresidue ? minus : one));
    assert_int_equal(f->sqrt(t, g), x != c->nonresidue);
  }
  json_object_foreach((json_t *)sources, name, source) {
    uint8_t le[4] = {(uint8_t)json_integer_value(vectors_get(source, "generator"))};
    f->from_bytes_reduce(g, le, sizeof le);
    f->pow(t, g, (const uint8_t *)c->half, f->canonical_bytes);
    assert_int_equal(f->equal(t, minus), json_is_true(vectors_get(source, "is_quadratic_nonresidue")));
  }
}

static void check_roots(const json_t *e, const rp_field_host *f, const field_constants *c) {
  static const struct {
    const char *prefix;
    rp_root root;
  } known[] = {
      {"ffjavascript_snarkjs", RP_ROOT_SNARKJS}, {"arkworks (", RP_ROOT_ARKWORKS}, {"halo2curves (", RP_ROOT_HALO2}};
  const json_t *roots = vectors_get(e, "roots_of_unity"), *r;
  const char *name;
  uint64_t root[6], t[6], one[6];
  uint8_t odd[48] = {0};
  f->one(one);
  vectors_hex_le(vectors_text(e, "odd_part_t"), odd, f->canonical_bytes);
  assert_int_equal(json_integer_value(vectors_get(e, "two_adicity_s")), f->two_adicity);
  assert_int_equal(f->two_adicity, c->two_adicity);
  json_object_foreach((json_t *)roots, name, r) {
    const json_t *base = vectors_get(r, "base");
    vectors_element(f, vectors_get(r, "root_of_order_2^s"), root);
    memcpy(t, root, sizeof t);
    for (uint32_t i = 0; i < f->two_adicity; i++) { /* of order exactly 2^s */
      assert_false(f->equal(t, one));
      f->sqr(t, t);
    }
    assert_true(f->equal(t, one));
    if (json_is_integer(base)) {
      uint8_t le[4] = {(uint8_t)json_integer_value(base)};
      f->from_bytes_reduce(t, le, sizeof le);
      f->pow(t, t, odd, f->canonical_bytes);
      assert_true(f->equal(t, root));
    }
    for (size_t i = 0; i < 3; i++) {
      if (strncmp(name, known[i].prefix, strlen(known[i].prefix))) continue;
      assert_true(f->root(t, known[i].root, f->two_adicity));
      assert_true(f->equal(t, root));
      assert_true(f->root(t, known[i].root, 0));
      assert_true(f->equal(t, one));
      assert_false(f->root(t, known[i].root, f->two_adicity + 1));
    }
  }
  assert_false(f->root(t, RP_ROOT_NONE, 1));
}

static void check_halo2(const json_t *e, const rp_field_host *f) {
  const json_t *zeta = json_object_get(e, "halo2curves_zeta_cube_root_of_unity");
  const json_t *delta = json_object_get(e, "halo2curves_delta_generator^(2^s)");
  const json_t *shift = json_object_get(e, "ffjavascript_coset_shift_nqr^2");
  uint64_t x[6], t[6], one[6];
  f->one(one);
  if (zeta) {
    vectors_element(f, zeta, x);
    assert_false(f->equal(x, one));
    f->sqr(t, x), f->mul(t, t, x);
    assert_true(f->equal(t, one));
  }
  if (delta) {
    const json_t *source = vectors_get(vectors_get(e, "multiplicative_generator_by_source"), "halo2curves");
    uint8_t le[4] = {(uint8_t)json_integer_value(vectors_get(source, "generator"))};
    f->from_bytes_reduce(t, le, sizeof le);
    for (uint32_t i = 0; i < f->two_adicity; i++) f->sqr(t, t);
    vectors_assert_element(f, t, delta);
  }
  if (shift) {
    uint8_t le[4] = {(uint8_t)json_integer_value(vectors_get(e, "smallest_quadratic_nonresidue"))};
    f->from_bytes_reduce(t, le, sizeof le);
    f->sqr(t, t);
    vectors_assert_element(f, t, shift);
  }
}

/* The roots of two conventions are the same up to the size that the data gives, and not beyond it. */
static void check_agreement(const json_t *e, const rp_field_host *f, rp_root other, uint32_t last_same) {
  uint64_t a[6], b[6];
  assert_non_null(json_object_get(e, "root_agreement"));
  for (uint32_t k = 0; k <= f->two_adicity; k++) {
    assert_true(f->root(a, RP_ROOT_SNARKJS, k) && f->root(b, other, k));
    assert_int_equal(f->equal(a, b), k <= last_same);
  }
}

static void test_fields(void **state) {
  (void)state;
  json_t *root = vectors_load("fields.json"), *e;
  const json_t *fields = vectors_get(root, "fields");
  size_t i;
  assert_int_equal(json_array_size(fields), 8);
  json_array_foreach(fields, i, e) {
    const char *id = vectors_text(e, "id");
    const rp_field_host *f = field_of(id);
    const field_constants *c = constants_of(id);
    assert_string_equal(f->name, id);
    assert_int_equal(json_integer_value(vectors_get(e, "bits")), f->modulus_bits);
    assert_int_equal(json_integer_value(vectors_get(e, "canonical_bytes")), f->canonical_bytes);
    check_limbs(e, f, c);
    check_montgomery(e, f, c);
    check_generators(e, f, c);
    check_roots(e, f, c);
    check_halo2(e, f);
    if (!strcmp(id, "bn254_fr")) check_agreement(e, f, RP_ROOT_HALO2, 5);
    if (!strcmp(id, "bls12_381_fr")) check_agreement(e, f, RP_ROOT_ARKWORKS, 2);
  }
  json_decref(root);
}

static void test_extensions(void **state) {
  (void)state;
  json_t *root = vectors_load("fields.json"), *e;
  const json_t *fields = vectors_get(root, "extension_fields");
  size_t i;
  assert_int_equal(json_array_size(fields), 2);
  json_array_foreach(fields, i, e) {
    const rp_field_host *f = field_of(vectors_text(e, "id"));
    const json_t *test = vectors_get(e, "test");
    uint64_t a[12], t[12];
    assert_int_equal(f->degree, 2);
    assert_int_equal(json_integer_value(vectors_get(e, "nonresidue")), -1);
    vectors_element(f, vectors_get(test, "a"), a);
    f->sqr(t, a);
    vectors_assert_element(f, t, vectors_get(test, "a_squared"));
    f->mul(t, a, a);
    vectors_assert_element(f, t, vectors_get(test, "a_squared"));
    f->inv(t, a);
    vectors_assert_element(f, t, vectors_get(test, "a_inverse"));
    f->inv_ct(t, a);
    vectors_assert_element(f, t, vectors_get(test, "a_inverse"));
  }
  json_decref(root);
}

/* Fields of 4-byte elements, with the numbers that Plonky3 has for them (crates baby-bear, koala-bear): 2^32 and 2^64
 * modulo p, the generator's root of unity, and the product that its tests compute. */
static void test_small_fields(void **state) {
  (void)state;
  static const struct {
    rp_field field;
    uint32_t p, one, r2, n0, two_adicity, root, product;
  } known[] = {{RP_FIELD_BABYBEAR, 0x78000001, 0x0ffffffe, 0x45dddde3, 0x77ffffff, 27, 0x1a427a41, 0x1b5c8046},
               {RP_FIELD_KOALABEAR, 0x7f000001, 0x01fffffe, 0x17f7efe4, 0x7effffff, 24, 0x6ac49f88, 0x54b46b81}};
  static const uint32_t a = 0x34167c58, b = 0x61f3207b;
  for (size_t i = 0; i < 2; i++) {
    const rp_field_host *f = rp_field_get(known[i].field);
    const rp_type *type = rp_type_field(known[i].field);
    uint32_t x[2] = {0, 0xdeadbeef}, y, t;
    compared[known[i].field] = true;
    assert_true(f->size_bytes == 4 && f->canonical_bytes == 4 && type->size_bytes == 4 && type->align_bytes == 4);
    assert_ptr_equal(rp_type_canonical(known[i].field), &RP_TYPE_U32);
    assert_memory_equal(f->modulus_le, &known[i].p, 4);
    assert_int_equal(constants_of(f->name)->n0_32, known[i].n0);
    f->one(x);
    assert_int_equal(x[0], known[i].one);
    assert_true(f->from_canonical(x, x));
    assert_int_equal(x[0], known[i].r2);
    assert_int_equal(f->two_adicity, known[i].two_adicity);
    assert_true(f->root(x, RP_ROOT_PLONKY3, f->two_adicity));
    f->to_canonical(&t, x);
    assert_int_equal(t, known[i].root);
    assert_true(f->from_canonical(x, &a) && f->from_canonical(&y, &b));
    f->mul(x, x, &y);
    f->to_canonical(x, x);
    assert_int_equal(x[0], known[i].product);
    assert_int_equal(x[1], 0xdeadbeef); /* nothing is written behind an element */
    assert_false(f->root(x, RP_ROOT_ARKWORKS, 1));
  }
}

/* R, and the primitive root of unity of the largest order, as others publish them: what a field needs that is not in
 * fields.json. */
static void test_published(void **state) {
  (void)state;
  static const struct {
    rp_field field;
    const char *r;      /* 2^(8 * size_bytes) modulo p */
    rp_root convention; /* RP_ROOT_NONE for fields whose users have no transforms */
    const char *root;
  } known[] = {
      /* zkcrypto/bls12_381, src/scalar.rs: R, ROOT_OF_UNITY */
      {RP_FIELD_BLS12_381_FR, "0x1824b159acc5056f998c4fefecbc4ff55884b7fa0003480200000001fffffffe", RP_ROOT_HALO2,
       "0x16a2a19edfe81f20d09b681922c813b4b63683508c2280b93829971f439f0d2b"},
  };
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    const rp_field_host *f = rp_field_get(known[i].field);
    uint64_t x[6];
    compared[known[i].field] = true;
    f->one(x);
    assert_hex(x, f->size_bytes, known[i].r);
    if (known[i].convention == RP_ROOT_NONE) continue;
    assert_true(f->root(x, known[i].convention, f->two_adicity));
    f->to_canonical(x, x);
    assert_hex(x, f->canonical_bytes, known[i].root);
  }
}

/* Only the fields of exhaustive tests, with less than 128 elements, are compared with nothing that others publish. */
static void test_every_field(void **state) {
  (void)state;
  for (int id = 0; id < RP_FIELD_COUNT; id++) {
    const rp_field_host *f = rp_field_get((rp_field)id);
    if (f->modulus_bits > 7 && !compared[id]) fail_msg("test_published has no numbers for %s", f->name);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_fields), cmocka_unit_test(test_extensions),
                                     cmocka_unit_test(test_small_fields), cmocka_unit_test(test_published),
                                     cmocka_unit_test(test_every_field)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
