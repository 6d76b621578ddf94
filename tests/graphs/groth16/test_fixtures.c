/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Real circuits: with snarkjs's key, witness, r and s, the proof is exactly snarkjs's.
 */
#include "common.h"
#include "one_submission.h"

static void prove_fixture(bench *b, const char *name) {
  rp_error err = {0};
  blob zkey = fixture_read(name, "circuit.zkey"), wtns = fixture_read(name, "witness.wtns");
  blob expected = fixture_read(name, "proof_r2_s3.json"), expected_public = fixture_read(name, "public.json");
  rp_groth16_prover *prover = prover_of(b, &zkey, 1);
  rp_groth16_proof proof;
  uint8_t r[32] = {2}, s[32] = {3}, signals[4 * 32];
  rp_run_counters counters = {.struct_size = sizeof counters};
  size_t n, n_public, length;
  const uint8_t *values = wtns_values(&wtns, &n);
  EXPECT(RP_OK,
         rp_groth16_public_from_json((char *)expected_public.data, expected_public.bytes, NULL, 0, &n_public, &err),
         &err);
  for (int round = 0; round < 2; round++) { /* a second run gives the same proof */
    memset(signals, 0, sizeof signals);
    EXPECT(RP_OK, rp_groth16_prove_unsafe_blinding(prover, values, n, r, s, &proof, signals, &counters, &err), &err);
    char text[4096];
    assert_true(proof_is(&proof, &expected));
    EXPECT(RP_OK, rp_groth16_public_to_json(signals, n_public, text, sizeof text, &length, &err), &err);
    assert_int_equal(length, expected_public.bytes);
    assert_memory_equal(text, expected_public.data, length);
    if (rp_group_size(b->device) == 1) assert_one_submission(b->device, counters.submissions);
    assert_int_equal(counters.waits, 1);
    if (rp_group_size(b->device) > 1) continue; /* counts what all pieces do */
    /* On a GPU, copying the error record is a step of its own. */
    rp_device_info info = {.struct_size = sizeof info};
    rp_device_get_info(b->device, &info);
    assert_int_equal(counters.uploads, 1 + !info.limits.host_visible);
    assert_int_equal(counters.downloads, 1 + !info.limits.host_visible);
  }
  rp_groth16_prover_destroy(prover);
  blob_free(&zkey);
  blob_free(&wtns);
  blob_free(&expected);
  blob_free(&expected_public);
}

static void fixtures_are_proved_as_by_snarkjs(void **state) {
  for (int i = 0; i < FIXTURE_COUNT; i++) prove_fixture(*state, fixture_names[i]);
}

/* Proofs that snarkjs made, with its random r and s. */
static void proofs_of_snarkjs_verify(void **state) {
  bench *b = *state;
  for (int i = 0; i < FIXTURE_COUNT; i++) {
    rp_error err = {0};
    blob vkey = fixture_read(fixture_names[i], "verification_key.json"),
         text = fixture_read(fixture_names[i], "proof.json"),
         public_text = fixture_read(fixture_names[i], "public.json");
    rp_groth16_proof proof;
    uint8_t signals[4 * 32];
    size_t n;
    EXPECT(RP_OK, rp_groth16_proof_from_json((char *)text.data, text.bytes, &proof, &err), &err);
    EXPECT(RP_OK, rp_groth16_public_from_json((char *)public_text.data, public_text.bytes, signals, 4, &n, &err), &err);
    expect_verifies(b, &vkey, &proof, signals, n);
    blob_free(&vkey);
    blob_free(&text);
    blob_free(&public_text);
  }
}

static void key_gives_its_verification_key(void **state) {
  bench *b = *state;
  for (int i = 0; i < FIXTURE_COUNT; i++) {
    rp_error err = {0};
    blob zkey = fixture_read(fixture_names[i], "circuit.zkey"), text = fixture_read(fixture_names[i], "proof.json"),
         public_text = fixture_read(fixture_names[i], "public.json"),
         theirs = fixture_read(fixture_names[i], "verification_key.json");
    rp_groth16_key *key;
    rp_groth16_vkey *vkey;
    rp_groth16_proof proof;
    uint8_t signals[4 * 32];
    char json[16384];
    size_t n;
    rp_groth16_key_options options = {.struct_size = sizeof options, .check_points = 1};
    EXPECT(RP_OK, rp_groth16_key_open_memory(b->context, zkey.data, zkey.bytes, &options, &key, &err), &err);
    EXPECT(RP_OK, rp_groth16_vkey_from_key(key, &vkey, &err), &err);
    EXPECT(RP_OK, rp_groth16_proof_from_json((char *)text.data, text.bytes, &proof, &err), &err);
    EXPECT(RP_OK, rp_groth16_public_from_json((char *)public_text.data, public_text.bytes, signals, 4, &n, &err), &err);
    EXPECT(RP_OK, rp_groth16_verify(vkey, &proof, signals, n, &err), &err);
    /* Byte for byte what snarkjs exports, e(alpha, beta) included. */
    EXPECT(RP_OK, rp_groth16_vkey_to_json(vkey, json, sizeof json, &n, &err), &err);
    assert_int_equal(n, theirs.bytes);
    assert_memory_equal(json, theirs.data, n);
    rp_groth16_vkey_destroy(vkey);
    rp_groth16_key_close(key);
    blob_free(&theirs);
    blob_free(&zkey);
    blob_free(&text);
    blob_free(&public_text);
  }
}

/* The numbers in the README of the fixtures. */
static void key_knows_its_shape(void **state) {
  bench *b = *state;
  rp_error err = {0};
  rp_groth16_key *key;
  rp_groth16_key_info info = {.struct_size = sizeof info};
  EXPECT(RP_OK, rp_groth16_key_open(b->context, fixture_path("poseidon_merkle", "circuit.zkey"), NULL, &key, &err),
         &err);
  rp_groth16_key_get_info(key, &info);
  assert_int_equal(info.n_vars, 5343);
  assert_int_equal(info.n_public, 2);
  assert_int_equal(info.domain, 8192);
  assert_int_equal(info.n_coefficients, 21231);
  assert_int_equal(info.infinities[0], 44);
  assert_int_equal(info.infinities[1], 1805);
  assert_int_equal(info.infinities[2], 1805);
  assert_int_equal(info.infinities[3], 0);
  rp_groth16_key_close(key);
}

int main(void) {
  bench b;
  bench_open(&b);
  void *state = &b;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_prestate(key_knows_its_shape, state),
      cmocka_unit_test_prestate(proofs_of_snarkjs_verify, state),
      cmocka_unit_test_prestate(key_gives_its_verification_key, state),
      cmocka_unit_test_prestate(fixtures_are_proved_as_by_snarkjs, state),
  };
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  bench_close(&b);
  return failed;
}
