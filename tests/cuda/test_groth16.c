/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Groth16 on the machine's GPU: with the same r and s it gives exactly the CPU's proof, for many different witnesses;
 * and between submission and completion there is one launch, one wait, no other call and no allocation.
 */
#include "bench.h"

#include <reprise/graphs.h>

#include <stdio.h>

static const char *const names[] = {"multiplier_bn254", "multiplier_bls12381", "poseidon_merkle"};
enum { FIXTURES = sizeof names / sizeof *names, WITNESSES = 40 };

static bench cuda, cpu;
static interposed seen;

/* Called when a run has finished and its slot has not been released yet. */
static void end_of_run(void *user, const rp_run *run) {
  (void)run;
  seen = interpose_end(user);
}

static rp_groth16_prover *prover_of(bench *b, const rp_groth16_key *key, int tables) {
  rp_error err = {0};
  rp_groth16_prover *prover;
  rp_groth16_prover_options options = {.struct_size = sizeof options, .no_verify = 1, .tables = (uint32_t)tables};
  if (b == &cuda) options.inspect = end_of_run, options.inspect_user = b->device;
  EXPECT(RP_OK, rp_groth16_prover_create(b->device, key, &options, &prover, &err), &err);
  return prover;
}

/* Values below the group order of either curve: full width, or mostly 0 and 1. */
static void make_witness(uint8_t *values, size_t n, uint64_t round) {
  uint64_t state = round * 0x9e3779b97f4a7c15u + 1;
  for (size_t i = 0; i < 32 * n; i++) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    values[i] = (uint8_t)(state >> 56);
    if (i % 32 == 31) values[i] &= 0x1f;
    if (round % 3 == 2) values[i] = i % 32 ? 0 : values[i] & 1;
    if (round % 3 == 1 && i / 32 % 5) values[i] = i % 32 ? 0 : values[i] & 1;
  }
  memset(values, 0, 32);
  values[0] = 1;
}

static void prove_both(const char *name, int tables) {
  rp_error err = {0};
  char path[512];
  rp_groth16_key *key;
  rp_groth16_key_info info = {.struct_size = sizeof info};
  snprintf(path, sizeof path, "%s/fixtures/%s/circuit.zkey", TEST_DATA_DIR, name);
  EXPECT(RP_OK, rp_groth16_key_open(cuda.context, path, NULL, &key, &err), &err);
  rp_groth16_key_get_info(key, &info);
  rp_groth16_prover *on_cuda = prover_of(&cuda, key, tables), *on_cpu = prover_of(&cpu, key, 0);
  uint8_t *values = malloc(info.n_vars * 32), *signals = malloc(info.n_public * 32 + 1), r[32] = {0}, s[32] = {0};
  for (uint64_t round = 0; round < WITNESSES; round++) {
    rp_groth16_proof expected, proof;
    rp_run_counters counters = {.struct_size = sizeof counters};
    make_witness(values, info.n_vars, round);
    r[0] = (uint8_t)(2 + round), s[0] = 3, s[30] = (uint8_t)round;
    EXPECT(RP_OK, rp_groth16_prove_unsafe_blinding(on_cpu, values, info.n_vars, r, s, &expected, signals, NULL, &err),
           &err);
    uint64_t allocations = interpose_allocations;
    interpose_begin(cuda.device);
    EXPECT(RP_OK,
           rp_groth16_prove_unsafe_blinding(on_cuda, values, info.n_vars, r, s, &proof, signals, &counters, &err),
           &err);
    assert_memory_equal(&proof, &expected, sizeof proof);
    assert_int_equal(seen.launches, 1);
    assert_int_equal(seen.waits, 1);
    assert_int_equal(seen.forbidden, 0);
    assert_int_equal(interpose_allocations, allocations);
    assert_int_equal(counters.submissions, 1);
    assert_int_equal(counters.waits, 1);
  }
  free(values);
  free(signals);
  rp_groth16_prover_destroy(on_cuda);
  rp_groth16_prover_destroy(on_cpu);
  rp_groth16_key_close(key);
}

static void proofs_equal_those_of_the_cpu(void **state) {
  (void)state;
  for (int i = 0; i < FIXTURES; i++) prove_both(names[i], 0);
}

static void with_tables_too(void **state) {
  (void)state;
  for (int i = 0; i < FIXTURES; i++) prove_both(names[i], 1);
}

int main(void) {
  rp_error err = {0};
  if (bench_try(&cuda, 0, 0, &err)) {
    printf("SKIP: %s\n", err.reason);
    return 77;
  }
  const rp_device_options host = {.struct_size = sizeof host, .kind = RP_DEVICE_CPU};
  cpu.context = cuda.context;
  if (rp_device_open(cpu.context, &host, &cpu.device, &err)) return 1;
  const struct CMUnitTest tests[] = {cmocka_unit_test(proofs_equal_those_of_the_cpu),
                                     cmocka_unit_test(with_tables_too)};
  int failed = cmocka_run_group_tests_name("cuda groth16", tests, NULL, NULL);
  rp_device_close(cpu.device);
  bench_close(&cuda);
  return failed;
}
