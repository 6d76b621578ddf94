/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Witnesses that are refused, in every way to pass them: the message, that nothing is released, and that the run's
 * staging holds nothing afterwards. The witness is long enough to be copied in several pieces, by several threads.
 */
#include "common.h"

#include "groth16/prover/prover.h"

#include <stdio.h>
#include <unistd.h>

/* Makes a crew in memory of a context that only the crew keeps. */
static g16_crew *new_crew(uint32_t threads) {
  rp_context *context;
  assert_int_equal(rp_context_create(NULL, &context, NULL), RP_OK);
  g16_crew *crew = g16_crew_new(context, threads);
  rp_context_destroy(context);
  return crew;
}

enum { LOG_DOMAIN = 15, BYTES = 32, THREADS = 3 };
enum { WTNS_HEADER = 12 + 12 + 40 + 12 }; /* the values of a witness file begin here */

static made circuit;
static g16_crew *crew;
static size_t n_values;

typedef enum way { BY_VALUES, BY_BYTES, BY_FILE, BY_BATCH, WAYS } way;

static rp_groth16_prover *prover_on(bench *b, const rp_executor *executor) {
  const rp_groth16_prover_options options = {.struct_size = sizeof options, .executor = executor};
  return prover_with(b, &circuit.zkey, &options);
}

static rp_status prove_by(rp_groth16_prover *prover, way by, const blob *wtns, rp_groth16_proof *proof, rp_error *err) {
  const char *path = scratch_path("tried.wtns");
  rp_groth16_job job = {.struct_size = sizeof job, .wtns = wtns->data, .wtns_bytes = wtns->bytes, .proof = proof};
  if (by == BY_FILE) blob_write(path, wtns->data, wtns->bytes);
  switch (by) {
  case BY_VALUES:
    return rp_groth16_prove_values(prover, wtns->data + WTNS_HEADER, (wtns->bytes - WTNS_HEADER) / BYTES, proof, NULL,
                                   NULL, err);
  case BY_BYTES: return rp_groth16_prove(prover, wtns->data, wtns->bytes, proof, NULL, NULL, err);
  case BY_FILE: return rp_groth16_prove_file(prover, path, proof, NULL, NULL, err);
  default: return rp_groth16_prove_batch(prover, &job, 1, err);
  }
}

/* Takes the prover's only slot, whose staging must be clear for the next run. */
static void expect_clear_staging(rp_groth16_prover *prover) {
  rp_error err = {0};
  rp_run *run;
  EXPECT(RP_OK, rp_run_begin(prover->recording, 0, &run, &err), &err);
  const uint8_t *staging = rp_run_input(run, prover->graph.witness);
  assert_non_null(staging);
  const size_t n = (n_values + 2) * BYTES;
  if (staging[0] || memcmp(staging, staging + 1, n - 1) != 0) fail_msg("the staging has not been wiped");
  rp_run_end(run);
}

static void expect_refusal(rp_groth16_prover *prover, way by, const blob *wtns, rp_status expected, const char *text) {
  static const rp_groth16_proof none;
  rp_error err = {0};
  rp_groth16_proof proof;
  memset(&proof, 0x5a, sizeof proof);
  EXPECT(expected, prove_by(prover, by, wtns, &proof, &err), &err);
  if (!strstr(err.reason, text)) fail_msg("\"%s\" does not say \"%s\"", err.reason, text);
  assert_memory_equal(proof.a, none.a, sizeof proof.a);
  assert_memory_equal(proof.b, none.b, sizeof proof.b);
  assert_memory_equal(proof.c, none.c, sizeof proof.c);
  expect_clear_staging(prover);
}

static void expect_proof(rp_groth16_prover *prover, way by) {
  rp_error err = {0};
  rp_groth16_proof proof;
  EXPECT(RP_OK, prove_by(prover, by, &circuit.wtns, &proof, &err), &err);
  expect_clear_staging(prover);
}

static blob copy_of(const blob *b) {
  blob copy = {malloc(b->bytes), b->bytes};
  assert_non_null(copy.data);
  memcpy(copy.data, b->data, b->bytes);
  return copy;
}

/* Puts r, r + 1 and 2^256 - 1 at the ends and where pieces and blocks of values meet. */
static void out_of_range(bench *b, const rp_executor *executor) {
  const size_t at[] = {0, 2047, 2048, n_values / 2 - 1, n_values / 2, n_values - 1};
  const uint8_t *order = rp_field_get(RP_FIELD_BN254_FR)->modulus_le;
  rp_groth16_prover *prover = prover_on(b, executor);
  blob wtns = copy_of(&circuit.wtns);
  for (int by = 0; by < WAYS; by++) {
    for (size_t k = 0; k < sizeof at / sizeof *at; k++) {
      uint8_t *value = wtns.data + WTNS_HEADER + at[k] * BYTES;
      char text[64];
      if (by == BY_VALUES)
        snprintf(text, sizeof text, "Value %zu of the witness is not below the group order r", at[k]);
      else
        snprintf(text, sizeof text, "value %zu at byte %zu is not below", at[k], WTNS_HEADER + at[k] * BYTES);
      for (int kind = 0; kind < 3; kind++) {
        memcpy(value, order, BYTES);
        if (kind == 1) value[0]++;
        if (kind == 2) memset(value, 0xff, BYTES);
        expect_refusal(prover, (way)by, &wtns, by == BY_VALUES ? RP_ERR_INPUT : RP_ERR_FORMAT, text);
      }
      memcpy(value, circuit.wtns.data + WTNS_HEADER + at[k] * BYTES, BYTES);
    }
    uint8_t *first = wtns.data + WTNS_HEADER;
    first[0] = 2;
    expect_refusal(prover, (way)by, &wtns, by == BY_VALUES ? RP_ERR_INPUT : RP_ERR_FORMAT, "not ");
    first[0] = 1;
    expect_proof(prover, (way)by); /* the prover still works */
  }
  blob_free(&wtns);
  rp_groth16_prover_destroy(prover);
}

static void the_witness_takes_several_pieces(void **state) {
  (void)state;
  assert_true(n_values >= 2 * 8192);
}

static void out_of_range_is_refused(void **state) { out_of_range(*state, NULL); }
static void out_of_range_is_refused_by_several_threads(void **state) { out_of_range(*state, g16_crew_executor(crew)); }

static void wrong_lengths_are_refused(void **state) {
  rp_groth16_prover *prover = prover_on(*state, g16_crew_executor(crew));
  for (int by = 0; by < WAYS; by++) {
    blob shorter = {circuit.wtns.data, circuit.wtns.bytes - BYTES}, cut = {circuit.wtns.data, circuit.wtns.bytes - 7};
    if (by == BY_VALUES) {
      expect_refusal(prover, BY_VALUES, &shorter, RP_ERR_MISMATCH, "values; the circuit has");
      continue;
    }
    expect_refusal(prover, (way)by, &shorter, RP_ERR_FORMAT, "cut short");
    expect_refusal(prover, (way)by, &cut, RP_ERR_FORMAT, "cut short");
    expect_proof(prover, (way)by);
  }
  rp_groth16_prover_destroy(prover);
}

/* An executor of the caller's does the work, in whatever way a witness is passed. */
static void counted(void *user, uint32_t n, void (*task)(void *arg, uint32_t i), void *arg) {
  ++*(int *)user;
  g16_crew_executor(crew)->parallel(crew, n, task, arg);
}

static void a_callers_executor_is_used(void **state) {
  int calls = 0;
  const rp_executor executor = {.user = &calls, .workers = THREADS + 1, .parallel = counted};
  rp_groth16_prover *prover = prover_on(*state, &executor);
  for (int by = 0; by < WAYS; by++) {
    expect_proof(prover, (way)by);
    assert_int_equal(calls, by + 1);
  }
  rp_groth16_prover_destroy(prover);
}

/* The run is cancelled after its witness has been copied and before it is submitted: the caller gets nothing. */
static void cancels(void *user, uint32_t n, void (*task)(void *arg, uint32_t i), void *arg) {
  rp_run *const *run = user;
  g16_crew_executor(crew)->parallel(crew, n, task, arg);
  rp_run_cancel(*run);
}

static void a_run_that_is_not_submitted_leaves_nothing(void **state) {
  static const rp_groth16_proof none;
  static const uint8_t zero[BYTES];
  rp_error err = {0};
  rp_groth16_proof proof;
  uint8_t signals[BYTES];
  rp_run *run = NULL;
  const rp_executor executor = {.user = &run, .workers = THREADS + 1, .parallel = cancels};
  rp_groth16_prover *prover = prover_on(*state, &executor);
  /* The prover has one slot, so its next run is this one. */
  EXPECT(RP_OK, rp_run_begin(prover->recording, 0, &run, &err), &err);
  rp_run_end(run);
  memset(&proof, 0x5a, sizeof proof), memset(signals, 0x5a, sizeof signals);
  EXPECT(RP_ERR_CANCELLED, rp_groth16_prove(prover, circuit.wtns.data, circuit.wtns.bytes, &proof, signals, NULL, &err),
         &err);
  assert_memory_equal(&proof, &none, sizeof proof);
  assert_memory_equal(signals, zero, sizeof signals);
  expect_clear_staging(prover);
  rp_groth16_prover_destroy(prover);
}

static void an_executor_without_a_function_is_refused(void **state) {
  bench *b = *state;
  rp_error err = {0};
  rp_groth16_key *key;
  rp_groth16_prover *prover;
  const rp_executor executor = {.workers = 1};
  const rp_groth16_prover_options options = {.struct_size = sizeof options, .executor = &executor};
  EXPECT(RP_OK, rp_groth16_key_open_memory(b->context, circuit.zkey.data, circuit.zkey.bytes, NULL, &key, &err), &err);
  EXPECT(RP_ERR_ARGUMENT, rp_groth16_prover_create(b->device, key, &options, &prover, &err), &err);
  assert_null(prover);
  rp_groth16_key_close(key);
}

/* A value that is out of range can pass the host's check only if the caller changes it meanwhile; the kernels then
 * refuse it. Here the values are written into the staging directly, without the host's check. */
static void kernels_refuse_what_the_host_has_not_seen(void **state) {
  rp_error err = {0};
  rp_groth16_prover *prover = prover_on(*state, NULL);
  const size_t at[] = {1, n_values / 2, n_values - 1};
  for (int k = 0; k < 3; k++) {
    rp_run *run;
    EXPECT(RP_OK, rp_run_begin(prover->recording, 0, &run, &err), &err);
    uint8_t *staging = rp_run_input(run, prover->graph.witness);
    memcpy(staging, circuit.wtns.data + WTNS_HEADER, n_values * BYTES);
    memset(staging + n_values * BYTES, 0, (size_t)2 * BYTES);
    memcpy(staging + at[k] * BYTES, rp_field_get(RP_FIELD_BN254_FR)->modulus_le, BYTES);
    EXPECT(RP_OK, rp_run_submit(run), rp_run_error(run));
    EXPECT(RP_ERR_INPUT, rp_run_wait(run, UINT64_MAX), rp_run_error(run));
    assert_null(rp_run_output(run, prover->graph.pi_a));
    rp_run_end(run);
    expect_clear_staging(prover);
  }
  rp_groth16_prover_destroy(prover);
}

int main(void) {
  bench b;
  bench_open(&b);
  g16_shape shape;
  g16_shape_preset(G16_PRESET_FULL, LOG_DOMAIN, &shape);
  make_circuit(&b, "long", "bn128", &shape, 0, &circuit);
  wtns_values(&circuit.wtns, &n_values);
  crew = new_crew(THREADS);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_witness_takes_several_pieces),
      cmocka_unit_test_prestate(out_of_range_is_refused, &b),
      cmocka_unit_test_prestate(out_of_range_is_refused_by_several_threads, &b),
      cmocka_unit_test_prestate(wrong_lengths_are_refused, &b),
      cmocka_unit_test_prestate(a_callers_executor_is_used, &b),
      cmocka_unit_test_prestate(a_run_that_is_not_submitted_leaves_nothing, &b),
      cmocka_unit_test_prestate(an_executor_without_a_function_is_refused, &b),
      cmocka_unit_test_prestate(kernels_refuse_what_the_host_has_not_seen, &b),
  };
  int failed = cmocka_run_group_tests_name("groth16_witness", tests, NULL, NULL);
  g16_crew_destroy(crew);
  made_free(&circuit);
  scratch_remove();
  bench_close(&b);
  return failed;
}
