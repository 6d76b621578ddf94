/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Every entry of tests/data/batch_inversion.json.
 *
 * op-test lavapipe:slow label:sources
 */
#include <stdio.h>

#include "data.h"
#include "device.h"
#include "kat.h"

static json *file;

/* The field that has this name in the file. There, BLS12-381 Fr has a second name, as the base field of Banderwagon. */
static rp_field field_of(const char *name) {
  if (!strcmp(name, "banderwagon_fp")) return RP_FIELD_BLS12_381_FR;
  rp_field field;
  if (!rp_type_is_field(rp_type_by_name(name), &field)) fail_msg("no field %s", name);
  return field;
}

/* Blocked, constant-time and serial must agree; the result goes to out, the mask to mask (may be NULL). */
static void invert(rp_field field, const void *x, uint64_t n, void *out, uint8_t *mask) {
  uint32_t size = rp_field_get(field)->size_bytes;
  void *other[3];
  job j;
  job_begin(&j);
  rp_value v = job_input(&j, rp_type_field(field), n, x), zeros;
  rp_batch_inverse_options o = {.struct_size = sizeof o, .zero_mask = mask ? &zeros : NULL};
  job_output(&j, rp_batch_inverse(j.graph, v, &o), out);
  if (mask) job_output(&j, zeros, mask);
  for (uint32_t i = 0; i < 3; i++) {
    rp_batch_inverse_options p = {.struct_size = sizeof p, .constant_time = i != 1, .serial = i != 0};
    other[i] = malloc(n * size);
    job_output(&j, rp_batch_inverse(j.graph, v, &p), other[i]);
  }
  job_check(&j);
  for (int i = 0; i < 3; i++) {
    data_assert_equal(field, other[i], out, n, "variants of the inverse");
    free(other[i]);
  }
}

/* The digest is of x R mod p for every field, even those whose memory form is the plain integer. */
static void assert_montgomery_digest(rp_field field, const void *x, uint64_t n, const json *digest) {
  uint32_t size = rp_field_get(field)->size_bytes;
  void *out = malloc(n * size);
  job j;
  job_begin(&j);
  rp_value m = rp_to_montgomery(j.graph, job_input(&j, rp_type_field(field), n, x));
  job_output(&j, rp_slice(j.graph, m, 0, n), out);
  job_check(&j);
  kat_assert_digest(out, n * size, digest, "Montgomery form");
  free(out);
}

static void independent(void **state) {
  (void)state;
  static const char *const keys[] = {"KAT_independent_secp256k1_fp", "KAT_independent_secp256k1_fn"};
  for (int k = 0; k < 2; k++) {
    rp_field field = k ? RP_FIELD_SECP256K1_FN : RP_FIELD_SECP256K1_FP;
    const json *list = json_get(file, keys[k]);
    uint8_t *x = malloc(list->n * 32), *want = malloc(list->n * 32), *got = malloc(list->n * 32);
    size_t n = 0;
    for (const json *i = list->item; i; i = i->next, n++) {
      kat_element(field, json_get(i, "x"), x + 32 * n);
      kat_element(field, json_get(i, "inv"), want + 32 * n);
    }
    assert_int_equal(n, k ? 37 : 46);
    invert(field, x, n, got, NULL);
    data_assert_equal(field, got, want, n, keys[k]);
    free(x), free(want), free(got);
  }
}

static void hashed_inputs(const char *name, rp_field field, uint32_t n, uint8_t *x) {
  const rp_field_host *f = rp_field_get(field);
  for (uint32_t i = 0; i < n; i++) {
    uint8_t m[96];
    size_t at = (size_t)snprintf((char *)m, sizeof m, "binv-v1|%s|", name);
    at = kat_put_u32be(m, kat_put_u32be(m, at, n), i);
    kat_hash_wide(field, m, at, x + i * f->size_bytes);
    if (f->is_zero(x + i * f->size_bytes)) f->one(x + i * f->size_bytes);
  }
}

static void one_case(const json *c) {
  const char *name = json_get(c, "field")->text, *kind = json_get(c, "kind")->text;
  rp_field field = field_of(name);
  const rp_field_host *f = rp_field_get(field);
  uint64_t n = json_u64(json_get(c, "N"));
  size_t size = f->size_bytes;
  uint8_t *x = kat_elements(field, json_get(c, "in")), *got = malloc(n * size), *mask = malloc(n);
  uint8_t *hashed = malloc(n * size);
  assert_int_equal(json_get(c, "in")->n, n);
  invert(field, x, n, got, mask);
  const json *out = json_find(c, "out"), *zero_stays = json_find(c, "out_zero_stays_zero");
  assert_true(out || zero_stays);
  if (out) kat_assert(field, got, n, out, kind);
  if (zero_stays) kat_assert(field, got, n, zero_stays, kind);
  if (json_find(c, "sha256_in_mont_le")) assert_montgomery_digest(field, x, n, json_get(c, "sha256_in_mont_le"));
  if (json_find(c, "sha256_out_mont_le")) assert_montgomery_digest(field, got, n, json_get(c, "sha256_out_mont_le"));
  for (uint64_t i = 0; i < n; i++) assert_int_equal(mask[i], f->is_zero(x + i * size));
  if (json_find(c, "zero_positions"))
    for (const json *i = json_get(c, "zero_positions")->item; i; i = i->next) assert_int_equal(mask[json_u64(i)], 1);
  if (!strcmp(kind, "nonzero")) {
    hashed_inputs(name, field, (uint32_t)n, hashed);
    data_assert_equal(field, x, hashed, n, "input rule");
  }
  /* An unchecked algorithm would give zeros everywhere; here only the inverses of zeros are zero. */
  const json *unchecked = json_find(c, "out_of_unchecked_algorithm");
  if (unchecked) {
    assert_string_equal(unchecked->text, "all zero");
    for (uint64_t i = 0; i < n; i++) assert_int_equal(f->is_zero(got + i * size), mask[i]);
  }
  free(x), free(got), free(mask), free(hashed);
}

static void cases(void **state) {
  (void)state;
  size_t n = 0;
  for (const json *c = json_get(file, "cases")->item; c; c = c->next, n++) one_case(c);
  assert_int_equal(n, 99);
}

static void large(void **state) {
  (void)state;
  size_t count = 0;
  for (const json *c = json_get(file, "large_digests")->item; c; c = c->next, count++) {
    const char *name = json_get(c, "field")->text;
    rp_field field = field_of(name);
    size_t size = rp_field_get(field)->size_bytes;
    uint32_t n = (uint32_t)json_u64(json_get(c, "N"));
    uint8_t *x = malloc(n * size), *got = malloc(n * size);
    hashed_inputs(name, field, n, x);
    kat_assert(field, x, n, json_get(c, "sha256_in_canonical_le"), "large input");
    assert_montgomery_digest(field, x, n, json_get(c, "sha256_in_mont_le"));
    invert(field, x, n, got, NULL);
    kat_assert(field, got, n, json_get(c, "sha256_out_canonical_le"), "large output");
    assert_montgomery_digest(field, got, n, json_get(c, "sha256_out_mont_le"));
    assert_true(kat_equals(field, got, json_get(c, "out_0")));
    assert_true(kat_equals(field, got + (n - 1) * size, json_get(c, "out_last")));
    for (uint32_t i = 3; i < n; i += 5) memset(x + i * size, 0, size);
    invert(field, x, n, got, NULL);
    kat_assert(field, got, n, json_get(c, "sha256_out_with_zeros_i%5==3_canonical_le"), "large output with zeros");
    free(x), free(got);
  }
  assert_int_equal(count, 27);
}

/* Random inputs of every published size, a hundred each: the product of input and output is one. */
static void published_sizes(void **state) {
  (void)state;
  const json *lists = json_get(json_get(file, "_meta"), "published_test_sizes");
  for (const json *list = lists->item; list; list = list->next)
    for (const json *size = list->item; size; size = size->next) {
      uint64_t n = json_u64(size), batch = 100 * n;
      void *x = data_field_nonzero(RP_FIELD_BN254_FR, DATA_RANDOM, n, batch), *out = malloc(batch * 32);
      uint64_t one[4];
      rp_field_get(RP_FIELD_BN254_FR)->one(one);
      job j;
      job_begin(&j);
      rp_value v = job_input(&j, rp_type_field(RP_FIELD_BN254_FR), batch, x);
      job_output(&j, rp_mul(j.graph, v, rp_batch_inverse(j.graph, v, NULL)), out);
      job_check(&j);
      for (uint64_t i = 0; i < batch; i++) assert_memory_equal((uint8_t *)out + 32 * i, one, 32);
      free(x), free(out);
    }
}

/* The tests have read everything in the file except its prose. */
static void test_consumed(void **state) {
  static const char *const except[] = {"_meta", "KAT_independent_source", NULL};
  (void)state;
  json_assert_consumed("batch_inversion.json", except);
}

int main(void) {
  file = json_load("batch_inversion.json");
  const struct CMUnitTest tests[] = {cmocka_unit_test(independent), cmocka_unit_test(cases), cmocka_unit_test(large),
                                     cmocka_unit_test(published_sizes), cmocka_unit_test(test_consumed)};
  int failures = device_run_tests("batch_inversion.json", tests, sizeof tests / sizeof tests[0]);
  json_unload();
  return failures;
}
