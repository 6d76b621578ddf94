/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * tests/data/pedersen_banderwagon.json, commitments over BN254 G1 with the generators of PEDERSEN_SEEDED_GEN_V1: point
 * i is the hash of the seed and i. With n of them, the blinding's generator is point n.
 *
 * Not on lavapipe, for which its products are too large; msm has the same kernels.
 * op-test lavapipe:none
 */
#include "data.h"
#include "device.h"
#include "hash_to_g1.h"
#include "kat.h"
#include "points_data.h"

#include <openssl/sha.h>
#include <stdio.h>

typedef uint8_t bytes;

enum { SCALAR_BYTES = 32, AFFINE = 64, SEED_BYTES = 32, WIDTH_MAX = 256 };
static const rp_curve CURVE = RP_CURVE_BN254_G1;
static const char DST[] = "PEDERSEN_SEEDED_GEN_V1";

static bytes points[(WIDTH_MAX + 1) * AFFINE], values[(WIDTH_MAX + 1) * SCALAR_BYTES];

static const json *section(void) { return json_get(json_load("pedersen_banderwagon.json"), "pedersen_seeded_gen_v1"); }

static void seeded_point(const bytes seed[SEED_BYTES], uint64_t i, const char *dst, bytes *affine) {
  bytes message[SEED_BYTES + 8];
  memcpy(message, seed, SEED_BYTES);
  memcpy(message + SEED_BYTES, &i, 8);
  hash_to_g1(message, sizeof message, dst, affine);
}

static void counting_seed(bytes first, bytes seed[SEED_BYTES]) {
  for (int i = 0; i < SEED_BYTES; i++) seed[i] = (bytes)(first + i);
}

/* 64 bytes, x then y, most significant first; infinity is all zero. */
static void xy_be(const bytes *affine, bytes be[AFFINE]) {
  bytes le[32];
  memset(be, 0, AFFINE);
  if (rp_curve_get(CURVE)->is_identity(affine)) return;
  for (int half = 0; half < 2; half++) {
    rp_field_get(RP_FIELD_BN254_FP)->to_canonical(le, affine + 32 * half);
    for (int i = 0; i < 32; i++) be[32 * half + 31 - i] = le[i];
  }
}

static void assert_point(const bytes *affine, const json *want, const char *name) {
  bytes be[AFFINE], expected[AFFINE];
  assert_int_equal(json_bytes(want, expected, sizeof expected), AFFINE);
  xy_be(affine, be);
  if (memcmp(be, expected, AFFINE) != 0) fail_msg("%s on %s: another point", name, device_name());
}

static void assert_points_digest(uint64_t n, const json *hex, const char *name) {
  bytes *be = malloc(n * AFFINE);
  assert_non_null(be);
  for (uint64_t i = 0; i < n; i++) xy_be(points + i * AFFINE, be + i * AFFINE);
  kat_assert_digest(be, n * AFFINE, hex, name);
  free(be);
}

static void assert_commitment(uint64_t n, const json *want, const char *name) {
  bytes got[AFFINE];
  job j;
  job_begin(&j);
  rp_value s = job_input(&j, &RP_TYPE_U256, n, values), p = job_input(&j, rp_type_affine(CURVE), n, points);
  job_output(&j, rp_to_affine(j.graph, rp_msm(j.graph, s, p, NULL)), got);
  job_check(&j);
  assert_point(got, want, name);
}

/* SHA-256 of a label and some bytes as a scalar, which must be `listed` if that is given. */
static void derived(const char *label, const bytes *more, size_t n, const json *listed, bytes s[SCALAR_BYTES]) {
  bytes text[64], want[SCALAR_BYTES];
  uint64_t x[4];
  const size_t length = strlen(label);
  memcpy(text, label, length);
  memcpy(text + length, more, n);
  kat_hash(RP_FIELD_BN254_FR, text, length + n, x);
  rp_field_get(RP_FIELD_BN254_FR)->to_canonical(s, x);
  if (!listed) return;
  json_integer(listed, 1, want, SCALAR_BYTES);
  assert_memory_equal(s, want, SCALAR_BYTES);
}

static void test_hash_to_g1(void **state) {
  const json *s = json_get(section(), "hash_to_g1_KAT_independent");
  (void)state;
  for (const json *e = json_get(s, "cases")->item; e; e = e->next) {
    const char *message = json_text(json_get(e, "msg"));
    uint64_t got[8], want[4];
    hash_to_g1((const bytes *)message, strlen(message), json_text(json_get(s, "dst")), got);
    for (size_t half = 0; half < 2; half++) {
      kat_element(RP_FIELD_BN254_FP, json_at(json_get(e, "P"), half), want);
      assert_memory_equal(got + 4 * half, want, 32);
    }
  }
}

static void test_generators(void **state) {
  const json *s = section(), *old = json_get(s, "archived_pre_rename");
  bytes seed[SEED_BYTES], listed[SEED_BYTES], want[32], got[32], other[AFFINE];
  (void)state;
  counting_seed(0, seed);
  assert_int_equal(json_bytes(json_get(s, "golden_seed_hex"), listed, SEED_BYTES), SEED_BYTES);
  assert_memory_equal(seed, listed, SEED_BYTES);
  for (uint64_t i = 0; i <= WIDTH_MAX; i++) seeded_point(seed, i, DST, points + i * AFFINE);
  const json *first = json_get(s, "generators_seed_00_1f_xy_be_first_9");
  for (size_t i = 0; i < first->n; i++) assert_point(points + i * AFFINE, json_at(first, i), "generator");
  assert_points_digest(WIDTH_MAX + 1, json_get(s, "sha256_of_G0_to_G255_then_P256_xy_be (python)"), "generators");
  for (uint64_t i = 0; i < 2; i++) {
    json_bytes(json_get(s, i ? "golden_H_gnark_compressed" : "golden_G_gnark_compressed"), want, sizeof want);
    assert_int_equal(rp_point_compress(CURVE, points + i * AFFINE, got), RP_OK);
    assert_memory_equal(got, want, sizeof want);
    /* Another tag gives other points. */
    seeded_point(seed, i, json_text(json_get(old, "DST")), other);
    json_bytes(json_get(old, i ? "H" : "G"), want, sizeof want);
    assert_memory_not_equal(got, want, sizeof want);
    assert_int_equal(rp_point_compress(CURVE, other, got), RP_OK);
    assert_memory_equal(got, want, sizeof want);
  }
}

static void test_vector_commitments(void **state) {
  const json *s = json_get(section(), "vector_commit_KAT_independent");
  const uint64_t width = json_u64(json_get(s, "width"));
  bytes seed[SEED_BYTES];
  char label[40];
  (void)state;
  counting_seed(0, seed);
  for (uint64_t i = 0; i <= width; i++) seeded_point(seed, i, DST, points + i * AFFINE);
  for (const json *r = json_get(s, "rounds")->item; r; r = r->next) {
    const int round = (int)json_u64(json_get(r, "round"));
    snprintf(label, sizeof label, "pedersen-kat-scalars-r%d", round);
    for (bytes i = 0; i < width; i++)
      derived(label, &i, 1, json_at(json_get(r, "scalars_be"), i), values + i * SCALAR_BYTES);
    snprintf(label, sizeof label, "pedersen-kat-blinding-r%d", round);
    derived(label, (const bytes[]){0}, 1, json_get(r, "blinding_be"), values + width * SCALAR_BYTES);
    assert_commitment(width + 1, json_get(r, "commitment_xy_be"), "vector commitment");
  }
}

static void test_scalar_commitments(void **state) {
  const json *s = json_get(section(), "scalar_commit_KAT_independent");
  char label[64];
  bytes seed[SEED_BYTES];
  (void)state;
  assert_int_equal(sscanf(json_text(json_get(s, "seed")), "SHA256(\"%63[^\"]\")", label), 1);
  SHA256((const bytes *)label, strlen(label), seed);
  for (uint64_t i = 0; i < 2; i++) seeded_point(seed, i, DST, points + i * AFFINE);
  for (const json *e = json_get(s, "cases")->item; e; e = e->next) {
    json_integer(json_get(e, "m"), 0, values, SCALAR_BYTES);
    json_integer(json_get(e, "r"), 0, values + SCALAR_BYTES, SCALAR_BYTES);
    assert_commitment(2, json_get(e, "xy_be"), "m G + r H");
  }
}

static void test_width_256(void **state) {
  const json *fixture = json_get(section(), "width256_fixture_python");
  bytes seed[SEED_BYTES];
  (void)state;
  counting_seed(0, seed);
  for (uint64_t i = 0; i <= WIDTH_MAX; i++) seeded_point(seed, i, DST, points + i * AFFINE);
  for (const json *e = json_get(section(), "width256_simple_python")->item; e; e = e->next) {
    const char *name = json_text(json_get(e, "name"));
    assert_string_equal(json_text(json_get(e, "seed")), "00..1f");
    memset(values, 0, sizeof values);
    for (int i = 0; i < WIDTH_MAX; i++) values[i * SCALAR_BYTES] = !strcmp(name, "ones") ? 1 : (bytes)i;
    values[WIDTH_MAX * SCALAR_BYTES] = (bytes)json_u64(json_get(e, "blinding"));
    assert_commitment(WIDTH_MAX + 1, json_get(e, "commitment_xy_be"), name);
  }
  counting_seed(0xa0, seed);
  for (uint64_t i = 0; i <= WIDTH_MAX; i++) seeded_point(seed, i, DST, points + i * AFFINE);
  assert_points_digest(WIDTH_MAX + 1, json_get(fixture, "sha256_of_257_generators_xy_be"), "257 generators");
  for (const json *e = json_get(fixture, "entries")->item; e; e = e->next) {
    const uint64_t round = json_u64(json_get(e, "round")), m = json_u64(json_get(e, "m"));
    for (int i = 0; i < WIDTH_MAX; i++) {
      const bytes more[] = {(bytes)round, (bytes)(round >> 8), (bytes)m, (bytes)i, (bytes)(i >> 8)};
      const json *listed = i == 0 ? json_get(e, "scalar_0_be") : i == 255 ? json_get(e, "scalar_255_be") : NULL;
      derived("pedersen-metal-kat-scalars", more, sizeof more, listed, values + i * SCALAR_BYTES);
      if (i == 0)
        derived("pedersen-metal-kat-blinding", more, 3, json_get(e, "blinding_be"), values + WIDTH_MAX * SCALAR_BYTES);
    }
    assert_commitment(WIDTH_MAX + 1, json_get(e, "commitment_xy_be"), "fixture entry");
  }
}

/* The tests have read everything in the section except its prose; test_pedersen_data.c reads the other sections. */
static void test_consumed(void **state) {
  static const char *const except[] = {"_meta",
                                       "generators_256",
                                       "generator_sha_counter_of_each",
                                       "published_sha256_of_256_compressed_generators",
                                       "published_first",
                                       "published_last",
                                       "generators_256_to_1023_python",
                                       "sha256_of_first_n_generators",
                                       "KAT_independent",
                                       "KAT_python",
                                       "KAT_python_custom_generators",
                                       "width_plan",
                                       "status",
                                       "curve",
                                       "derivation",
                                       "index_rule",
                                       "deterministic_generators",
                                       "meaning_of_G[0..31]",
                                       "formula",
                                       "scalar_rule",
                                       "note",
                                       "source",
                                       "provenance",
                                       NULL};
  (void)state;
  json_assert_consumed("pedersen_banderwagon.json", except);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_hash_to_g1),         cmocka_unit_test(test_generators),
      cmocka_unit_test(test_vector_commitments), cmocka_unit_test(test_scalar_commitments),
      cmocka_unit_test(test_width_256),          cmocka_unit_test(test_consumed),
  };
  int failures = device_run_tests("pedersen_seeded", tests, sizeof tests / sizeof *tests);
  json_unload();
  return failures;
}
