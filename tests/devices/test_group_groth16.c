/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Groth16 over one to four devices: with the same blinding values the proofs are byte for byte those of one device,
 * wherever the points are cut, and for circuits of snarkjs, those of snarkjs.
 */
#include "devices/group.h"

#include "graphs/groth16/common.h"

enum { VALUES = 32 };

static group the_group;

static rp_groth16_prover *prover_on(rp_device *device, const blob *zkey, uint32_t slots, uint32_t percent) {
  bench b = {.context = the_group.context, .device = device};
  const rp_groth16_prover_options o = {
      .struct_size = sizeof o, .max_in_flight = slots, .tables = 1, .first_percent = percent};
  return prover_with(&b, zkey, &o);
}

static void prove(rp_groth16_prover *prover, const blob *wtns, uint8_t r, uint8_t s, rp_groth16_proof *proof) {
  const uint8_t r_le[VALUES] = {r}, s_le[VALUES] = {s};
  rp_error err = {0};
  size_t n;
  const uint8_t *values = wtns_values(wtns, &n);
  EXPECT(RP_OK, rp_groth16_prove_unsafe_blinding(prover, values, n, r_le, s_le, proof, NULL, NULL, &err), &err);
}

/* ---- Circuits of snarkjs ----------------------------------------------------------------------------------------- */

static void proofs_are_those_of_snarkjs(void **state) {
  (void)state;
  for (uint32_t n = 1; n <= 4; n++) {
    group_open(&the_group, n);
    for (int i = 0; i < FIXTURE_COUNT && the_group.n == n; i++) {
      blob zkey = fixture_read(fixture_names[i], "circuit.zkey"), wtns = fixture_read(fixture_names[i], "witness.wtns"),
           expected = fixture_read(fixture_names[i], "proof_r2_s3.json");
      rp_groth16_prover *prover = prover_on(the_group.all, &zkey, 1, 0);
      rp_groth16_proof proof;
      for (int round = 0; round < 2; round++) {
        prove(prover, &wtns, 2, 3, &proof);
        assert_true(proof_is(&proof, &expected));
      }
      rp_groth16_prover_destroy(prover);
      blob_free(&zkey), blob_free(&wtns), blob_free(&expected);
    }
    group_close(&the_group);
  }
}

/* ---- Larger circuits --------------------------------------------------------------------------------------------- */

static void check_circuit(g16_preset preset, const char *curve, uint32_t log_domain) {
  static const uint32_t percents[] = {0, 1, 37, 100};
  bench b = {.context = the_group.context, .device = the_group.devices[0]};
  g16_shape shape;
  made m;
  rp_groth16_proof want[2], got;
  g16_shape_preset(preset, log_domain, &shape);
  make_circuit(&b, "wide", curve, &shape, 0, &m);
  rp_groth16_prover *one = prover_on(the_group.devices[0], &m.zkey, 1, 0);
  for (uint8_t i = 0; i < 2; i++) prove(one, &m.wtns, 5, i, &want[i]);
  rp_groth16_prover_destroy(one);
  for (size_t k = 0; k < sizeof percents / sizeof *percents; k++) {
    rp_groth16_prover *many = prover_on(the_group.all, &m.zkey, 1, percents[k]);
    for (uint8_t i = 0; i < 2; i++) {
      prove(many, &m.wtns, 5, i, &got);
      assert_memory_equal(&got, &want[i], sizeof got);
    }
    rp_groth16_prover_destroy(many);
  }
  made_free(&m);
}

static void proofs_are_those_of_one_device(void **state) {
  (void)state;
  for (uint32_t n = 2; n <= 4; n++) {
    group_open(&the_group, n);
    if (the_group.n == n) {
      check_circuit(G16_PRESET_FULL, "bn254", 8);
      check_circuit(G16_PRESET_SHA256, n == 3 ? "bls12381" : "bn254", n == 2 ? 11 : 7);
    }
    group_close(&the_group);
  }
}

/* Several proofs in flight, each with random blinding, which the prover verifies before it releases them. */
static void batches_verify(void **state) {
  enum { JOBS = 5 };
  made m = fixture_files("multiplier_bn254");
  rp_groth16_proof proof[JOBS];
  rp_groth16_job jobs[JOBS];
  rp_error err = {0};
  (void)state;
  group_open(&the_group, 3);
  rp_groth16_prover *prover = prover_on(the_group.all, &m.zkey, 2, 0);
  for (int i = 0; i < JOBS; i++)
    jobs[i] = (rp_groth16_job){
        .struct_size = sizeof *jobs, .wtns = m.wtns.data, .wtns_bytes = m.wtns.bytes, .proof = &proof[i]};
  EXPECT(RP_OK, rp_groth16_prove_batch(prover, jobs, JOBS, &err), &err);
  assert_memory_not_equal(&proof[0], &proof[1], sizeof *proof);
  rp_groth16_prover_destroy(prover);
  group_close(&the_group);
  made_free(&m);
}

/* The first device has the quotient and each device has its points, so no device has all of the key. */
static void keys_are_divided(void **state) {
  bench b;
  g16_shape shape;
  made m;
  (void)state;
  group_open(&the_group, 2);
  if (the_group.n == 2) {
    b = (bench){.context = the_group.context, .device = the_group.devices[0]};
    g16_shape_preset(G16_PRESET_FULL, 8, &shape);
    make_circuit(&b, "divided", "bn254", &shape, 0, &m);
    rp_groth16_prover *one = prover_on(the_group.devices[0], &m.zkey, 1, 0),
                      *two = prover_on(the_group.all, &m.zkey, 1, 50);
    rp_plan_info whole = {.struct_size = sizeof whole}, part[2] = {{.struct_size = sizeof *part}};
    rp_group_plan plan = {.struct_size = sizeof plan, .devices = part};
    rp_recording_get_plan(rp_groth16_prover_recording(one), &whole);
    assert_int_equal(rp_recording_get_group_plan(rp_groth16_prover_recording(two), &plan, NULL), RP_OK);
    const uint64_t all = whole.constant_bytes + whole.borrowed_bytes,
                   second = part[1].constant_bytes + part[1].borrowed_bytes;
    /* Half of the points. GPUs also keep multiples of points, and a few more of them where there are fewer points. */
    assert_true(second < all * 7 / 10 && second > all * 3 / 10);
    rp_groth16_prover_destroy(one);
    rp_groth16_prover_destroy(two);
    made_free(&m);
  }
  group_close(&the_group);
}

static void percent_is_checked(void **state) {
  made m = fixture_files("multiplier_bn254");
  const rp_groth16_prover_options o = {.struct_size = sizeof o, .first_percent = 101};
  rp_groth16_key *key;
  rp_groth16_prover *prover;
  rp_error err = {0};
  (void)state;
  group_open(&the_group, 2);
  EXPECT(RP_OK, rp_groth16_key_open_memory(the_group.context, m.zkey.data, m.zkey.bytes, NULL, &key, &err), &err);
  EXPECT(RP_ERR_ARGUMENT, rp_groth16_prover_create(the_group.all, key, &o, &prover, &err), &err);
  assert_non_null(strstr(err.reason, "first_percent"));
  rp_groth16_key_close(key);
  group_close(&the_group);
  made_free(&m);
}

static int clean(void **state) {
  (void)state;
  scratch_remove();
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(proofs_are_those_of_snarkjs),
                                     cmocka_unit_test(proofs_are_those_of_one_device), cmocka_unit_test(batches_verify),
                                     cmocka_unit_test(keys_are_divided), cmocka_unit_test(percent_is_checked)};
  return cmocka_run_group_tests_name("Groth16 over several devices", tests, NULL, clean);
}
