/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Synthetic keys of gnark: what the files hold, and proofs that verify.
 */
#include "common.h"

#include "groth16/setup/gnark.h"

#include <reprise/gnark.h>

#include <stdio.h>

typedef struct files {
  char pkey[512], vkey[512], solution[512];
} files;

static files make(bench *b, const char *curve, uint32_t log_domain, uint32_t n_public, uint64_t seed) {
  files f;
  rp_error err = {0};
  snprintf(f.pkey, sizeof f.pkey, "%s", scratch_path("pk.dump"));
  snprintf(f.vkey, sizeof f.vkey, "%s", scratch_path("vk.raw"));
  snprintf(f.solution, sizeof f.solution, "%s", scratch_path("solution.mont"));
  const g16_gnark_setup setup = {.family = g16_family_by_name(curve),
                                 .log_domain = log_domain,
                                 .n_public = n_public,
                                 .seed = seed,
                                 .pkey_out = f.pkey,
                                 .vkey_out = f.vkey,
                                 .solution_out = f.solution};
  EXPECT(RP_OK, g16_gnark_setup_run(b->context, b->device, &setup, &err), &err);
  return f;
}

static void proofs_verify(bench *b, const char *curve, uint32_t log_domain, uint32_t n_public) {
  const files f = make(b, curve, log_domain, n_public, 3 + log_domain);
  rp_error err = {0};
  rp_groth16_vkey *vkey;
  rp_groth16_key *key;
  rp_groth16_prover *prover;
  rp_gnark_proof proof;
  rp_groth16_key_info info = {.struct_size = sizeof info};
  uint8_t *signals = malloc(32 * n_public + 1);
  blob text = blob_read(f.vkey);
  EXPECT(RP_OK, rp_gnark_vkey_from_bytes(b->context, text.data, text.bytes, &vkey, &err), &err);
  const rp_groth16_key_options options = {.struct_size = sizeof options, .check_points = 1, .vkey = vkey};
  EXPECT(RP_OK, rp_groth16_key_open(b->context, f.pkey, &options, &key, &err), &err);
  rp_groth16_key_get_info(key, &info);
  assert_int_equal(info.domain, (uint64_t)1 << log_domain);
  assert_int_equal(info.n_vars, g16_gnark_setup_wires(log_domain));
  assert_int_equal(info.n_public, n_public);
  EXPECT(RP_OK, rp_groth16_prover_create(b->device, key, NULL, &prover, &err), &err);
  EXPECT(RP_OK, rp_gnark_prove_file(prover, f.solution, &proof, signals, NULL, &err), &err);
  EXPECT(RP_OK, rp_gnark_verify(vkey, &proof, signals, n_public, &err), &err);
  /* Another value for one wire, which A and B do not fit. */
  blob solution = blob_read(f.solution);
  solution.data[8 + 32 * (info.n_vars - 1)] ^= 1;
  blob_write(f.solution, solution.data, solution.bytes);
  const rp_status status = rp_gnark_prove_file(prover, f.solution, &proof, NULL, NULL, &err);
  if (status != RP_ERR_VERIFY && status != RP_ERR_FORMAT) fail_msg("an altered solution: %s", rp_status_name(status));
  rp_groth16_prover_destroy(prover);
  rp_groth16_key_close(key);
  rp_groth16_vkey_destroy(vkey);
  blob_free(&solution), blob_free(&text);
  free(signals);
}

/* The sizes are on both sides of a block of points, and of the tables of powers. */
static void keys_of_many_sizes(void **state) {
  static const uint32_t logs[] = {2, 3, 6, 13, 15};
  const char *cap = getenv("REPRISE_TEST_MAX_LOG");
  const uint32_t most = cap ? (uint32_t)atoi(cap) : 15;
  for (size_t i = 0; i < sizeof logs / sizeof logs[0]; i++) {
    if (logs[i] > most && logs[i] > 6) continue;
    proofs_verify(*state, "bn254", logs[i], logs[i] == 6 ? 9 : 1);
    if (logs[i] <= 6) proofs_verify(*state, "bls12381", logs[i], logs[i] == 3 ? 0 : 2);
  }
}

/* The same seed gives the same files, and another seed gives others. */
static void the_seed_decides(void **state) {
  bench *b = *state;
  blob file[3];
  for (int i = 0; i < 3; i++) {
    const files f = make(b, "bn254", 4, 1, i < 2 ? 1 : 2);
    file[i] = blob_read(f.pkey);
  }
  assert_int_equal(file[0].bytes, file[2].bytes);
  assert_memory_equal(file[0].data, file[1].data, file[0].bytes);
  assert_memory_not_equal(file[0].data, file[2].data, file[0].bytes);
  for (int i = 0; i < 3; i++) blob_free(&file[i]);
}

static int stop(void *user, const char *what, uint64_t done, uint64_t total) {
  (void)what;
  assert_true(done <= total);
  return ++*(int *)user == 2;
}

static void wrong_sizes_and_cancelling(void **state) {
  bench *b = *state;
  rp_error err = {0};
  int calls = 0;
  g16_gnark_setup setup = {.family = g16_family_by_name("bn254"),
                           .log_domain = 1,
                           .seed = 1,
                           .pkey_out = scratch_path("none.dump"),
                           .vkey_out = scratch_path("none.raw"),
                           .solution_out = scratch_path("none.mont")};
  EXPECT(RP_ERR_ARGUMENT, g16_gnark_setup_run(b->context, b->device, &setup, &err), &err);
  setup.log_domain = 25;
  EXPECT(RP_ERR_ARGUMENT, g16_gnark_setup_run(b->context, b->device, &setup, &err), &err);
  setup.log_domain = 2;
  setup.n_public = (uint32_t)g16_gnark_setup_wires(2) - 1;
  EXPECT(RP_ERR_ARGUMENT, g16_gnark_setup_run(b->context, b->device, &setup, &err), &err);
  assert_non_null(strstr(err.reason, "no room for"));
  setup.n_public = 1;
  setup.progress = stop;
  setup.user = &calls;
  EXPECT(RP_ERR_CANCELLED, g16_gnark_setup_run(b->context, b->device, &setup, &err), &err);
  setup.progress = NULL;
  setup.vkey_out = scratch_path("none/vk.raw");
  EXPECT(RP_ERR_FILE, g16_gnark_setup_run(b->context, b->device, &setup, &err), &err);
  FILE *left = fopen(setup.pkey_out, "rb");
  assert_null(left);
}

static int remove_scratch(void **state) {
  scratch_remove();
  return group_closes_bench(state);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(keys_of_many_sizes),
      cmocka_unit_test(the_seed_decides),
      cmocka_unit_test(wrong_sizes_and_cancelling),
  };
  return cmocka_run_group_tests(tests, group_opens_bench, remove_scratch);
}
