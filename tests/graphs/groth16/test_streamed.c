/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A key that does not fit the budget: its points are streamed, and the proofs do not change.
 */
#include "common.h"

#include <pthread.h>

static rp_groth16_prover_options options_of(uint64_t budget) {
  return (rp_groth16_prover_options){
      .struct_size = sizeof(rp_groth16_prover_options), .max_in_flight = 2, .memory_budget_bytes = budget};
}

static rp_plan_info plan_within(bench *b, const rp_groth16_key *key, uint64_t budget) {
  rp_plan_info plan = {.struct_size = sizeof plan};
  rp_error err = {0};
  const rp_groth16_prover_options options = options_of(budget);
  EXPECT(RP_OK, rp_groth16_plan(b->device, key, &options, &plan, &err), &err);
  assert_true(!budget || plan.total_bytes <= budget);
  return plan;
}

/* Returns the largest budget for which the points are streamed. Plans for that one, and for the whole plan's size times
 * the powers of 5/6, are within their budgets. */
static uint64_t tight_budget(bench *b, const rp_groth16_key *key) {
  const rp_groth16_prover_options options = options_of(0);
  const uint64_t tight = streamed_budget(b->device, key, &options);
  for (uint64_t budget = plan_within(b, key, 0).total_bytes; budget > tight; budget = budget * 5 / 6)
    (void)plan_within(b, key, budget);
  assert_int_equal(plan_within(b, key, tight).memory_level, RP_MEMORY_STREAMED);
  return tight;
}

typedef struct task {
  rp_groth16_prover *prover;
  const uint8_t *values;
  size_t n;
  const blob *expected;
  int good;
} task;

static void *prove(void *arg) {
  task *t = arg;
  t->good = 1;
  for (int i = 0; i < 3 && t->good; i++) {
    const uint8_t r[32] = {2}, s[32] = {3};
    rp_groth16_proof proof;
    rp_run_counters counters = {.struct_size = sizeof counters};
    t->good =
        rp_groth16_prove_unsafe_blinding(t->prover, t->values, t->n, r, s, &proof, NULL, &counters, NULL) == RP_OK &&
        proof_is(&proof, t->expected) &&
        counters.submissions > 5; /* the quotient, and at least one chunk of each product */
  }
  return NULL;
}

static void same_proofs(void **state) {
  bench *b = *state;
  for (int i = 0; i < FIXTURE_COUNT; i++) {
    blob zkey = fixture_read(fixture_names[i], "circuit.zkey"), wtns = fixture_read(fixture_names[i], "witness.wtns"),
         expected = fixture_read(fixture_names[i], "proof_r2_s3.json");
    rp_groth16_key *key;
    rp_groth16_prover *prover;
    rp_error err = {0};
    task tasks[2];
    pthread_t threads[2];
    size_t n;
    const uint8_t *values = wtns_values(&wtns, &n);
    EXPECT(RP_OK, rp_groth16_key_open_memory(b->context, zkey.data, zkey.bytes, NULL, &key, &err), &err);
    const rp_groth16_prover_options options = options_of(tight_budget(b, key));
    EXPECT(RP_OK, rp_groth16_prover_create(b->device, key, &options, &prover, &err), &err);
    for (int k = 0; k < 2; k++) {
      tasks[k] = (task){.prover = prover, .values = values, .n = n, .expected = &expected};
      assert_int_equal(pthread_create(&threads[k], NULL, prove, &tasks[k]), 0);
    }
    for (int k = 0; k < 2; k++) pthread_join(threads[k], NULL);
    assert_true(tasks[0].good && tasks[1].good);
    rp_groth16_prover_destroy(prover);
    rp_groth16_key_close(key);
    blob_free(&zkey), blob_free(&wtns), blob_free(&expected);
  }
}

/* ---- What is left in memory -------------------------------------------------------------------------------------- */

/* The linker calls these functions in place of the library's. They recognise the memory for the sums of a proof's
 * five products by its size; the thread that proves allocates and frees it. */
enum { PRODUCTS = 5, SUM_BYTES = 384 };
static _Thread_local void *sums;
static _Thread_local unsigned wiped, left;

void *__real_rp_context_alloc(rp_context *context, size_t bytes);
void *__wrap_rp_context_alloc(rp_context *context, size_t bytes);
void *__wrap_rp_context_alloc(rp_context *context, size_t bytes) {
  void *memory = __real_rp_context_alloc(context, bytes);
  if (bytes == (size_t)PRODUCTS * SUM_BYTES) sums = memory;
  return memory;
}

void __real_rp_context_free(void *memory);
void __wrap_rp_context_free(void *memory);
void __wrap_rp_context_free(void *memory) {
  if (memory && memory == sums) {
    unsigned any = 0;
    for (size_t i = 0; i < (size_t)PRODUCTS * SUM_BYTES; i++) any |= ((uint8_t *)memory)[i];
    if (any)
      left++;
    else
      wiped++;
    sums = NULL;
  }
  __real_rp_context_free(memory);
}

/* All but two of these sums depend on the witness alone, and every streamed proof computes them. */
static void sums_are_wiped(void **state) {
  bench *b = *state;
  blob zkey = fixture_read("multiplier_bn254", "circuit.zkey"), wtns = fixture_read("multiplier_bn254", "witness.wtns");
  rp_groth16_key *key;
  rp_groth16_prover *prover;
  rp_groth16_proof proof;
  rp_error err = {0};
  EXPECT(RP_OK, rp_groth16_key_open_memory(b->context, zkey.data, zkey.bytes, NULL, &key, &err), &err);
  const rp_groth16_prover_options options = options_of(tight_budget(b, key));
  EXPECT(RP_OK, rp_groth16_prover_create(b->device, key, &options, &prover, &err), &err);
  wiped = left = 0;
  EXPECT(RP_OK, rp_groth16_prove(prover, wtns.data, wtns.bytes, &proof, NULL, NULL, &err), &err);
  assert_int_equal(wiped, 1);
  assert_int_equal(left, 0);
  rp_groth16_prover_destroy(prover);
  rp_groth16_key_close(key);
  blob_free(&zkey), blob_free(&wtns);
}

/* A witness that does not satisfy the circuit gives no proof here either. A budget that is too small is refused with
 * both sizes. */
static void refusals(void **state) {
  bench *b = *state;
  blob zkey = fixture_read("poseidon_merkle", "circuit.zkey"), wtns = fixture_read("poseidon_merkle", "witness.wtns");
  rp_groth16_key *key;
  rp_groth16_prover *prover;
  rp_groth16_proof proof, nothing;
  rp_error err = {0};
  size_t n;
  memset(&nothing, 0, sizeof nothing);
  EXPECT(RP_OK, rp_groth16_key_open_memory(b->context, zkey.data, zkey.bytes, NULL, &key, &err), &err);
  rp_groth16_prover_options options = options_of(tight_budget(b, key));
  EXPECT(RP_OK, rp_groth16_prover_create(b->device, key, &options, &prover, &err), &err);
  uint8_t *values = (uint8_t *)(uintptr_t)wtns_values(&wtns, &n);
  values[32 * (n - 1)] ^= 1;
  EXPECT(RP_ERR_VERIFY, rp_groth16_prove_values(prover, values, n, &proof, NULL, NULL, &err), &err);
  assert_memory_equal(&proof, &nothing, sizeof proof);
  rp_groth16_prover_destroy(prover);
  options = options_of(10000);
  EXPECT(RP_ERR_BUDGET, rp_groth16_prover_create(b->device, key, &options, &prover, &err), &err);
  assert_non_null(strstr(err.reason, "10000"));
  rp_groth16_key_close(key);
  blob_free(&zkey), blob_free(&wtns);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(same_proofs), cmocka_unit_test(sums_are_wiped),
                                     cmocka_unit_test(refusals)};
  return cmocka_run_group_tests_name("groth16_streamed", tests, group_opens_bench, group_closes_bench);
}
