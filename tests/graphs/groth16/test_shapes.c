/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Keys of every shape: the setup tool makes a key, and its proofs are verified with the verification key that it wrote.
 */
#include "common.h"

#include <stdio.h>

static g16_shape shape_of(g16_preset preset, uint32_t log_domain, uint32_t n_public) {
  g16_shape shape;
  g16_shape_preset(preset, log_domain, &shape);
  shape.n_public = n_public;
  return shape;
}

static void prove_made(bench *b, const made *m, uint64_t n_public, uint64_t domain) {
  rp_error err = {0};
  rp_groth16_key *key;
  rp_groth16_prover *prover;
  rp_groth16_proof proof;
  rp_groth16_key_info info = {.struct_size = sizeof info};
  rp_groth16_key_options options = {.struct_size = sizeof options, .check_points = 1};
  EXPECT(RP_OK, rp_groth16_key_open_memory(b->context, m->zkey.data, m->zkey.bytes, &options, &key, &err), &err);
  rp_groth16_key_get_info(key, &info);
  assert_int_equal(info.n_public, n_public);
  assert_int_equal(info.domain, domain);
  EXPECT(RP_OK, rp_groth16_prover_create(b->device, key, NULL, &prover, &err), &err);
  uint8_t *signals = malloc(n_public * 32 + 1);
  EXPECT(RP_OK, rp_groth16_prove(prover, m->wtns.data, m->wtns.bytes, &proof, signals, NULL, &err), &err);
  expect_verifies(b, &m->vkey, &proof, signals, n_public);
  if (n_public) { /* a wrong last signal is found too */
    rp_groth16_vkey *vkey;
    EXPECT(RP_OK, rp_groth16_vkey_from_key(key, &vkey, &err), &err);
    signals[32 * (n_public - 1)] ^= 1;
    EXPECT(RP_ERR_VERIFY, rp_groth16_verify(vkey, &proof, signals, n_public, &err), &err);
    rp_groth16_vkey_destroy(vkey);
  }
  free(signals);
  rp_groth16_prover_destroy(prover);
  rp_groth16_key_close(key);
}

static void one(bench *b, const char *curve, g16_preset preset, uint32_t log_domain, uint32_t n_public,
                int uncontributed) {
  g16_shape shape = shape_of(preset, log_domain, n_public);
  made m;
  make_circuit(b, "shape", curve, &shape, uncontributed, &m);
  prove_made(b, &m, n_public, (uint64_t)1 << log_domain);
  made_free(&m);
}

static void no_public_signals(void **state) {
  one(*state, "bn128", G16_PRESET_FULL, 5, 0, 0);
  one(*state, "bls12381", G16_PRESET_SHA256, 5, 0, 0);
  char text[8];
  size_t length, n = 9;
  assert_int_equal(rp_groth16_public_to_json(NULL, 0, text, sizeof text, &length, NULL), RP_OK);
  assert_string_equal(text, "[\n]");
  assert_int_equal(rp_groth16_public_from_json("[]", 2, NULL, 0, &n, NULL), RP_OK);
  assert_int_equal(n, 0);
}

static void thousands_of_public_signals(void **state) { one(*state, "bn128", G16_PRESET_FULL, 13, 3000, 0); }
static void key_without_contribution(void **state) {
  one(*state, "bn128", G16_PRESET_SHA256, 8, 3, 1);
  one(*state, "bls12381", G16_PRESET_FULL, 6, 1, 1);
}
static void both_presets_on_both_curves(void **state) {
  one(*state, "bn128", G16_PRESET_SHA256, 11, 1, 0);
  one(*state, "bn128", G16_PRESET_FULL, 10, 1, 0);
  one(*state, "bls12381", G16_PRESET_FULL, 9, 2, 0);
}

/* The smallest circuits, for which windows, rows and domains are degenerate. */
static void tiny_domains(void **state) {
  for (uint32_t log_domain = 2; log_domain < 5; log_domain++) one(*state, "bn128", G16_PRESET_FULL, log_domain, 1, 0);
}

static void shares_are_as_asked(void **state) {
  bench *b = *state;
  rp_error err = {0};
  g16_shape shape = shape_of(G16_PRESET_SHA256, 12, 1);
  made m;
  make_circuit(b, "shares", "bn128", &shape, 0, &m);
  rp_groth16_key *key;
  rp_groth16_key_info info = {.struct_size = sizeof info};
  EXPECT(RP_OK, rp_groth16_key_open_memory(b->context, m.zkey.data, m.zkey.bytes, NULL, &key, &err), &err);
  rp_groth16_key_get_info(key, &info);
  double n = (double)info.n_vars;
  assert_true((double)info.infinities[0] > 0.33 * n && (double)info.infinities[0] < 0.39 * n);
  assert_true((double)info.infinities[1] > 0.61 * n && (double)info.infinities[1] < 0.67 * n);
  assert_int_equal(info.infinities[1], info.infinities[2]);
  assert_true((double)info.infinities[3] < 0.01 * n);
  size_t count, zeros = 0, ones = 0;
  const uint8_t *values = wtns_values(&m.wtns, &count);
  static const uint8_t zero[32] = {0}, unit[32] = {1};
  for (size_t i = 0; i < count; i++) {
    zeros += memcmp(values + 32 * i, zero, 32) == 0;
    ones += memcmp(values + 32 * i, unit, 32) == 0;
  }
  assert_int_equal(count, info.n_vars);
  assert_true((double)zeros > 0.55 * n && (double)zeros < 0.61 * n);
  assert_true((double)(zeros + ones) > 0.99 * n);
  rp_groth16_key_close(key);
  made_free(&m);
}

/* Another key for the constraints of a real circuit: with its witness, another proof and the same public signals. */
static void real_circuit(void **state) {
  bench *b = *state;
  rp_error err = {0};
  char r1cs[512], wtns[512];
  snprintf(r1cs, sizeof r1cs, "%s", fixture_path("poseidon_merkle", "circuit.r1cs"));
  snprintf(wtns, sizeof wtns, "%s", fixture_path("poseidon_merkle", "witness.wtns"));
  const char *path[3] = {scratch_path("real.zkey"), scratch_path("real.wtns"), scratch_path("real.json")};
  g16_setup setup = {
      .r1cs_path = r1cs, .wtns_path = wtns, .seed = 1, .zkey_out = path[0], .wtns_out = path[1], .vkey_out = path[2]};
  EXPECT(RP_OK, g16_setup_run(b->context, b->device, &setup, &err), &err);
  made m = {blob_read(path[0]), blob_read(path[1]), blob_read(path[2])};
  blob original = blob_read(wtns), zkey = fixture_read("poseidon_merkle", "circuit.zkey");
  assert_int_equal(m.wtns.bytes, original.bytes);
  assert_memory_equal(m.wtns.data, original.data, original.bytes);
  prove_made(b, &m, 2, 8192);
  blob_free(&original);
  blob_free(&zkey);
  made_free(&m);
}

int main(void) {
  bench b;
  bench_open(&b);
  void *state = &b;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_prestate(tiny_domains, state),
      cmocka_unit_test_prestate(no_public_signals, state),
      cmocka_unit_test_prestate(thousands_of_public_signals, state),
      cmocka_unit_test_prestate(key_without_contribution, state),
      cmocka_unit_test_prestate(both_presets_on_both_curves, state),
      cmocka_unit_test_prestate(shares_are_as_asked, state),
      cmocka_unit_test_prestate(real_circuit, state),
  };
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  scratch_remove();
  bench_close(&b);
  return failed;
}
