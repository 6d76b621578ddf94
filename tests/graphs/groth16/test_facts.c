/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * What can be asked of keys without proving: the verification part of a zkey, its facts, the plans of a proving key.
 */
#include "common.h"

#include <reprise/gnark.h>

#include <stdio.h>

enum { ROOM = 1 << 16, MOST_POINTS = 64 };

static char *text_of(const rp_groth16_vkey *vkey) {
  rp_error err = {0};
  size_t bytes = 0;
  char *text = malloc(ROOM);
  assert_non_null(text);
  EXPECT(RP_OK, rp_groth16_vkey_to_json(vkey, text, ROOM, &bytes, &err), &err);
  return text;
}

static rp_groth16_vkey *vkey_of_json(bench *b, const char *json, size_t bytes) {
  rp_error err = {0};
  rp_groth16_vkey *vkey = NULL;
  EXPECT(RP_OK, rp_groth16_vkey_from_json(b->context, json, bytes, &vkey, &err), &err);
  return vkey;
}

static rp_groth16_vkey_info info_of(const rp_groth16_vkey *vkey) {
  rp_groth16_vkey_info info = {.struct_size = sizeof info};
  rp_groth16_vkey_get_info(vkey, &info);
  return info;
}

static void a_zkey_gives_the_key_that_snarkjs_exports(void **state) {
  bench *b = *state;
  for (int i = 0; i < FIXTURE_COUNT; i++) {
    rp_error err = {0};
    rp_groth16_vkey *vkey = NULL;
    blob json = fixture_read(fixture_names[i], "verification_key.json");
    EXPECT(RP_OK, rp_groth16_vkey_from_zkey(b->context, fixture_path(fixture_names[i], "circuit.zkey"), &vkey, &err),
           &err);
    char *text = text_of(vkey);
    assert_int_equal(strlen(text), json.bytes);
    assert_memory_equal(text, json.data, json.bytes);
    const rp_groth16_vkey_info info = info_of(vkey);
    assert_int_equal(info.n_public, rp_groth16_vkey_n_public(vkey));
    assert_true(info.g2 == info.g1 + 1 && info.n_commitments == 0 && info.forgeable == 0);
    assert_int_equal(info.g1 == RP_CURVE_BLS12_381_G1, strcmp(fixture_names[i], "multiplier_bls12381") == 0);
    free(text);
    blob_free(&json);
    rp_groth16_vkey_destroy(vkey);
  }
}

/* The offset of the bytes of a section of a .zkey; SECTIONS follow "zkey", a version and their number. */
static size_t section_at(const blob *zkey, uint32_t wanted) {
  for (size_t at = 12; at + 12 <= zkey->bytes;) {
    uint32_t id;
    uint64_t bytes;
    memcpy(&id, zkey->data + at, sizeof id);
    memcpy(&bytes, zkey->data + at + 4, sizeof bytes);
    if (id == wanted) return at + 12;
    at += 12 + (size_t)bytes;
  }
  fail_msg("no section %u", wanted);
  return 0;
}

static void other_files_are_refused(void **state) {
  bench *b = *state;
  rp_error err = {0};
  rp_groth16_vkey *vkey = (void *)b; /* becomes NULL */
  EXPECT(RP_ERR_FORMAT,
         rp_groth16_vkey_from_zkey(b->context, TEST_DATA_DIR "/plonk/multiplier/circuit.zkey", &vkey, &err), &err);
  assert_null(vkey);
  assert_non_null(strstr(err.reason, "plonk"));
  EXPECT(RP_ERR_FILE, rp_groth16_vkey_from_zkey(b->context, scratch_path("nothing"), &vkey, &err), &err);
  EXPECT(RP_ERR_ARGUMENT, rp_groth16_vkey_from_zkey(b->context, NULL, &vkey, &err), &err);
  EXPECT(RP_ERR_ARGUMENT, rp_groth16_vkey_from_zkey(NULL, "x", &vkey, &err), &err);

  blob zkey = fixture_read("multiplier_bn254", "circuit.zkey");
  const char *path = scratch_path("changed.zkey");
  blob_write(path, zkey.data, zkey.bytes / 2);
  EXPECT(RP_ERR_FORMAT, rp_groth16_vkey_from_zkey(b->context, path, &vkey, &err), &err);
  zkey.data[section_at(&zkey, 3)] ^= 1; /* the first point of IC */
  blob_write(path, zkey.data, zkey.bytes);
  EXPECT(RP_ERR_FORMAT, rp_groth16_vkey_from_zkey(b->context, path, &vkey, &err), &err);
  assert_non_null(strstr(err.reason, "(IC), point 0"));
  assert_null(vkey);
  zkey.data[section_at(&zkey, 3)] ^= 1;
  zkey.data[section_at(&zkey, 6)] ^= 1; /* of B1, which is not read */
  blob_write(path, zkey.data, zkey.bytes);
  EXPECT(RP_OK, rp_groth16_vkey_from_zkey(b->context, path, &vkey, &err), &err);
  rp_groth16_vkey_destroy(vkey);
  blob_free(&zkey);
}

/* The member with delta gets the value of the one with gamma. */
static void a_forgeable_key_says_so(void **state) {
  bench *b = *state;
  blob json = fixture_read("multiplier_bn254", "verification_key.json");
  char *text = calloc(1, json.bytes + 1), *changed = calloc(1, 2 * json.bytes);
  assert_true(text && changed);
  memcpy(text, json.data, json.bytes);
  char *gamma = strstr(text, "\"vk_gamma_2\""), *delta = strstr(text, "\"vk_delta_2\"");
  assert_true(gamma && delta && gamma < delta);
  const char *after = strstr(delta + 1, "\"IC\"");
  assert_non_null(after);
  memcpy(changed, text, (size_t)(delta - text) + 12);
  strncat(changed, gamma + 12, (size_t)(delta - gamma) - 12);
  strcat(changed, after);
  rp_groth16_vkey *vkey = vkey_of_json(b, changed, strlen(changed));
  assert_int_equal(info_of(vkey).forgeable, 1);
  rp_groth16_vkey_destroy(vkey);
  free(text);
  free(changed);
  blob_free(&json);
}

static void forgeable_proving_keys_say_so(void **state) {
  bench *b = *state;
  rp_error err = {0};
  const char *path = scratch_path("uncontributed.zkey");
  g16_shape shape;
  g16_shape_preset(G16_PRESET_FULL, 4, &shape);
  g16_setup setup = {.family = g16_family_by_name("bn254"), .shape = &shape, .seed = 7, .zkey_out = path};
  for (int uncontributed = 0; uncontributed < 2; uncontributed++) {
    rp_groth16_key *key = NULL;
    rp_groth16_key_info info = {.struct_size = sizeof info};
    setup.uncontributed = uncontributed;
    EXPECT(RP_OK, g16_setup_run(b->context, b->device, &setup, &err), &err);
    EXPECT(RP_OK, rp_groth16_key_open(b->context, path, NULL, &key, &err), &err);
    rp_groth16_key_get_info(key, &info);
    assert_int_equal(info.forgeable, uncontributed);
    rp_groth16_key_close(key);
  }
}

static void keys_of_gnark_tell_their_commitments(void **state) {
  bench *b = *state;
  rp_error err = {0};
  rp_groth16_vkey *vkey = NULL;
  blob bytes = blob_read(TEST_DATA_DIR "/gnark/bn254/twocommit/vk.bin");
  EXPECT(RP_OK, rp_gnark_vkey_from_bytes(b->context, bytes.data, bytes.bytes, &vkey, &err), &err);
  const rp_groth16_vkey_info info = info_of(vkey), none = info_of(NULL);
  assert_true(info.g1 == RP_CURVE_BN254_G1 && info.n_commitments == 2 && info.n_public == 2 && !info.forgeable);
  assert_int_equal(none.n_public + none.n_commitments, 0);
  rp_groth16_vkey_destroy(vkey);
  blob_free(&bytes);

  rp_groth16_key *key = NULL; /* without its verification part */
  rp_groth16_key_info of_key = {.struct_size = sizeof of_key};
  EXPECT(RP_OK, rp_groth16_key_open(b->context, TEST_DATA_DIR "/gnark/bn254/cubic/pk.raw", NULL, &key, &err), &err);
  rp_groth16_key_get_info(key, &of_key);
  assert_true(of_key.gnark == 1 && of_key.forgeable == 0);
  rp_groth16_key_close(key);
}

/* Each point is what a prover gets whose budget is its total. */
static void points_are_plans_that_provers_get(void **state) {
  bench *b = *state;
  rp_error err = {0};
  rp_groth16_key *key = NULL;
  rp_plan_point points[MOST_POINTS] = {{.struct_size = sizeof *points}};
  uint32_t n = 0, with_tables = 0, of_two = 0;
  EXPECT(RP_OK, rp_groth16_key_open(b->context, fixture_path("poseidon_merkle", "circuit.zkey"), NULL, &key, &err),
         &err);
  rp_groth16_prover_options options = {.struct_size = sizeof options};
  EXPECT(RP_OK, rp_groth16_plan_points(b->device, key, &options, points, MOST_POINTS, &n, &err), &err);
  assert_in_range(n, 1, MOST_POINTS);
  for (uint32_t i = 0; i < n; i++) {
    rp_plan_info info = {.struct_size = sizeof info};
    if (i) assert_true(points[i].total_bytes < points[i - 1].total_bytes);
    options.memory_budget_bytes = points[i].total_bytes;
    EXPECT(RP_OK, rp_groth16_plan(b->device, key, &options, &info, &err), &err);
    assert_int_equal(info.total_bytes, points[i].total_bytes);
  }
  const uint64_t usual = points[0].total_bytes;
  options = (rp_groth16_prover_options){.struct_size = sizeof options, .tables = 1};
  EXPECT(RP_OK, rp_groth16_plan_points(b->device, key, &options, points, MOST_POINTS, &with_tables, &err), &err);
  assert_true(points[0].total_bytes >= usual);
  options = (rp_groth16_prover_options){.struct_size = sizeof options, .batch = 2};
  EXPECT(RP_OK, rp_groth16_plan_points(b->device, key, &options, points, MOST_POINTS, &of_two, &err), &err);
  assert_true(points[0].total_bytes > usual);
  uint32_t asked = 0;
  EXPECT(RP_OK, rp_groth16_plan_points(b->device, key, NULL, NULL, 0, &asked, &err), &err);
  assert_int_equal(asked, n);
  EXPECT(RP_ERR_ARGUMENT, rp_groth16_plan_points(b->device, NULL, NULL, NULL, 0, &asked, &err), &err);
  assert_int_equal(asked, 0);
  EXPECT(RP_ERR_ARGUMENT, rp_groth16_plan_points(b->device, key, NULL, points, 1, NULL, &err), &err);
  rp_groth16_key_close(key);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_zkey_gives_the_key_that_snarkjs_exports),
      cmocka_unit_test(other_files_are_refused),
      cmocka_unit_test(a_forgeable_key_says_so),
      cmocka_unit_test(forgeable_proving_keys_say_so),
      cmocka_unit_test(keys_of_gnark_tell_their_commitments),
      cmocka_unit_test(points_are_plans_that_provers_get),
  };
  const int failed = cmocka_run_group_tests(tests, group_opens_bench, group_closes_bench);
  scratch_remove();
  return failed;
}
