/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Keys for tests, as a program makes them: proofs with them are good, and options that make no sense are refused.
 */
#include "scratch.h"

#include <reprise/graphs.h>
#include <reprise/setup.h>

#include <math.h>

typedef struct bench {
  rp_context *context;
  rp_device *device;
  char *folder, path[4][4200];
} bench;

static int begin(void **state) {
  static bench b;
  void *folder = NULL;
  if (scratch_begin(&folder) != 0) return -1;
  b.folder = folder;
  static const char *const names[] = {"key", "vkey", "witness", "r1cs"};
  for (int i = 0; i < 4; i++) snprintf(b.path[i], sizeof b.path[i], "%s/%s", b.folder, names[i]);
  *state = &b;
  const rp_device_options cpu = {.struct_size = sizeof cpu, .kind = RP_DEVICE_CPU};
  return rp_context_create(NULL, &b.context, NULL) == RP_OK && rp_device_open(b.context, &cpu, &b.device, NULL) == RP_OK
             ? 0
             : -1;
}

static int end(void **state) {
  bench *b = *state;
  void *folder = b->folder;
  rp_device_close(b->device);
  rp_context_destroy(b->context);
  return scratch_end(&folder);
}

static rp_insecure_setup usual(const bench *b) {
  return (rp_insecure_setup){.struct_size = sizeof(rp_insecure_setup),
                             .g1 = RP_CURVE_BN254_G1,
                             .log_domain = 5,
                             .n_public = 2,
                             .seed = 9,
                             .key_out = b->path[0],
                             .vkey_out = b->path[1],
                             .witness_out = b->path[2]};
}

static void expect(rp_status wanted, const bench *b, const rp_insecure_setup *setup) {
  rp_error err = {0};
  const rp_status status = rp_setup_insecure(b->device, setup, &err);
  if (status != wanted) fail_msg("%s, not %s: %s", rp_status_name(status), rp_status_name(wanted), err.reason);
}

static rp_file_info described(const char *path) {
  rp_file_info info = {.struct_size = sizeof info};
  rp_error err = {0};
  if (rp_file_describe(path, &info, &err) != RP_OK) fail_msg("%s", err.reason);
  return info;
}

static void every_protocol_has_its_files(void **state) {
  bench *b = *state;
  for (rp_protocol p = RP_PROTOCOL_NONE; p <= RP_PROTOCOL_FFLONK; p++) {
    rp_insecure_setup setup = usual(b);
    setup.protocol = p;
    expect(RP_OK, b, &setup);
    const rp_file_info key = described(b->path[0]), vkey = described(b->path[1]), witness = described(b->path[2]);
    const rp_protocol made = p == RP_PROTOCOL_NONE ? RP_PROTOCOL_GROTH16 : p;
    assert_true(key.kind == RP_FILE_ZKEY && key.protocol == made && key.n_public == 2 && key.domain == 32);
    assert_true(vkey.kind == RP_FILE_VKEY && vkey.protocol == made);
    assert_true(witness.kind == RP_FILE_WTNS && witness.n_vars + key.n_additions == key.n_vars);
  }
  rp_insecure_setup setup = usual(b);
  setup.gnark = 1;
  setup.g1 = RP_CURVE_BLS12_381_G1;
  expect(RP_OK, b, &setup);
  const rp_file_info key = described(b->path[0]), witness = described(b->path[2]);
  assert_true(key.kind == RP_FILE_GNARK_KEY && key.g1 == RP_CURVE_BLS12_381_G1 && key.n_public == 2);
  assert_true(witness.kind == RP_FILE_GNARK_SOLUTION && witness.n_vars + key.n_additions == key.n_vars);
}

static void proofs_with_such_a_key_are_good(void **state) {
  bench *b = *state;
  rp_circuit_shape shape = {.struct_size = sizeof shape};
  rp_circuit_shape_of(RP_CIRCUIT_SHA256, &shape);
  assert_true(shape.zeros > 0.5 && shape.ones > 0.4 && shape.infinity_b > shape.infinity_a);
  rp_insecure_setup setup = usual(b);
  setup.shape = &shape;
  setup.r1cs_out = b->path[3];
  setup.uncontributed = 1;
  expect(RP_OK, b, &setup);
  rp_error err = {0};
  rp_groth16_key *key = NULL;
  rp_groth16_prover *prover = NULL;
  rp_groth16_proof proof;
  rp_groth16_key_info info = {.struct_size = sizeof info};
  if (rp_groth16_key_open(b->context, b->path[0], NULL, &key, &err) != RP_OK ||
      rp_groth16_prover_create(b->device, key, NULL, &prover, &err) != RP_OK ||
      rp_groth16_prove_file(prover, b->path[2], &proof, NULL, NULL, &err) != RP_OK)
    fail_msg("%s", err.reason);
  rp_groth16_key_get_info(key, &info);
  assert_int_equal(info.forgeable, 1);
  rp_groth16_prover_destroy(prover);
  rp_groth16_key_close(key);

  setup = usual(b); /* the circuit again, from its file */
  setup.r1cs_path = b->path[3];
  setup.witness_out = NULL;
  setup.log_domain = setup.n_public = 0;
  expect(RP_OK, b, &setup);
  assert_int_equal(described(b->path[0]).n_vars, described(b->path[3]).n_vars);
}

static int stop(void *user, const char *what, uint64_t done, uint64_t total) {
  (void)what, (void)done, (void)total;
  ++*(int *)user;
  return 1;
}

static void what_makes_no_sense_is_refused(void **state) {
  bench *b = *state;
  rp_insecure_setup setup = usual(b);
  rp_circuit_shape shape = {.struct_size = sizeof shape};
  int calls = 0;
  setup.progress = stop;
  setup.user = &calls;
  expect(RP_ERR_CANCELLED, b, &setup);
  assert_int_equal(calls, 1);
  const double wrong[] = {-0.1, 1.1, NAN};
  for (int i = 0; i < 12; i++) {
    rp_circuit_shape_of(RP_CIRCUIT_FULL, &shape);
    *(i < 3 ? &shape.zeros : i < 6 ? &shape.ones : i < 9 ? &shape.infinity_a : &shape.row_means[1]) = wrong[i % 3];
    shape.has_row_means = i >= 9;
    if (i == 10) shape.row_means[1] = 2e6;
    setup = usual(b);
    setup.shape = &shape;
    expect(RP_ERR_ARGUMENT, b, &setup);
  }
  rp_circuit_shape_of(RP_CIRCUIT_FULL, &shape);
  shape.zeros = shape.ones = 0.6;
  expect(RP_ERR_ARGUMENT, b, &setup);
  setup = usual(b);
  setup.protocol = RP_PROTOCOL_PLONK;
  setup.shape = &shape;
  expect(RP_ERR_ARGUMENT, b, &setup);
  setup = usual(b);
  setup.gnark = 1;
  setup.witness_out = NULL;
  expect(RP_ERR_ARGUMENT, b, &setup);
  setup.protocol = RP_PROTOCOL_FFLONK;
  expect(RP_ERR_ARGUMENT, b, &setup);
  setup = usual(b);
  setup.protocol = RP_PROTOCOL_FFLONK;
  setup.g1 = RP_CURVE_BLS12_381_G1;
  expect(RP_ERR_UNSUPPORTED, b, &setup);
  setup = usual(b);
  setup.g1 = RP_CURVE_SECP256K1;
  expect(RP_ERR_ARGUMENT, b, &setup);
  setup = usual(b);
  setup.log_domain = 1;
  expect(RP_ERR_ARGUMENT, b, &setup);
  setup.log_domain = 28;
  expect(RP_ERR_ARGUMENT, b, &setup);
  setup = usual(b);
  setup.protocol = (rp_protocol)9;
  expect(RP_ERR_ARGUMENT, b, &setup);
  setup.struct_size = 0;
  expect(RP_ERR_ARGUMENT, b, &setup);
  expect(RP_ERR_ARGUMENT, b, NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_protocol_has_its_files),
      cmocka_unit_test(proofs_with_such_a_key_are_good),
      cmocka_unit_test(what_makes_no_sense_is_refused),
  };
  return cmocka_run_group_tests(tests, begin, end);
}
