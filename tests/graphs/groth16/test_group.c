/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Several proofs in one run: the same bytes as proofs that are made alone, one run for each group, and a witness that
 * fails, fails alone.
 */
#include "common.h"

#include "groth16/prover/group.h"

#include <pthread.h>

enum { BATCH = 4, JOBS = 10 };

static rp_groth16_prover *group_prover(bench *b, const blob *zkey, uint32_t batch, uint32_t in_flight, int no_verify) {
  const rp_groth16_prover_options options = {.struct_size = sizeof options,
                                             .max_in_flight = in_flight,
                                             .no_verify = (uint32_t)no_verify,
                                             .tables = 1,
                                             .batch = batch};
  return prover_with(b, zkey, &options);
}

/* A source with blinding values of its own. If `change` is not 0, one value of the witness is changed. */
typedef struct source {
  uint8_t r[32], s[32];
  uint8_t *values;
  size_t n;
} source;

static void make_source(source *s, const blob *wtns, uint8_t seed, int change) {
  const uint8_t *values = wtns_values(wtns, &s->n);
  memset(s->r, seed, 31);
  memset(s->s, seed ^ 0x55, 31);
  s->r[31] = s->s[31] = 0;
  s->values = malloc(s->n * 32);
  memcpy(s->values, values, s->n * 32);
  if (change) s->values[32 * (s->n - 1 - seed % (s->n - 1))] ^= (uint8_t)(1 + seed);
}

static void same_as_alone(bench *b, const blob *zkey, const blob *wtns) {
  static const uint32_t batches[] = {2, 3, 8};
  rp_error err = {0};
  for (int wrong = 0; wrong < 2; wrong++) { /* wrong witnesses differ from each other, and are not verified */
    rp_groth16_prover *alone = group_prover(b, zkey, 0, 1, wrong);
    for (size_t k = 0; k < sizeof batches / sizeof batches[0]; k++) {
      const uint32_t batch = batches[k];
      rp_groth16_prover *prover = group_prover(b, zkey, batch, 1, wrong);
      for (uint32_t n = batch == 8 ? 7 : 1; n <= batch; n++) {
        g16_group *group = calloc(1, sizeof *group);
        g16_source from[8] = {0};
        source sources[8];
        rp_groth16_proof got[8] = {0}, want;
        group->n = n;
        for (uint32_t i = 0; i < n; i++) {
          source *s = &sources[i];
          make_source(s, wtns, (uint8_t)(11 * n + i), wrong);
          from[i] = (g16_source){.witness = {.values = s->values, .n_values = s->n}, .r = s->r, .s = s->s};
          group->seats[i].proof = &got[i];
        }
        EXPECT(RP_OK, g16_group_start(prover, from, UINT64_MAX, group, &err), &err);
        EXPECT(RP_OK, g16_group_finish(group, &err), &err);
        for (uint32_t i = 0; i < n; i++) {
          const source *s = &sources[i];
          EXPECT(RP_OK, group->seats[i].status, &group->seats[i].error);
          EXPECT(RP_OK, rp_groth16_prove_unsafe_blinding(alone, s->values, s->n, s->r, s->s, &want, NULL, NULL, &err),
                 &err);
          assert_memory_equal(&got[i], &want, sizeof want);
          EXPECT(RP_OK, rp_groth16_prove_unsafe_blinding(prover, s->values, s->n, s->r, s->s, &want, NULL, NULL, &err),
                 &err);
          assert_memory_equal(&got[i], &want, sizeof want); /* with the other seats empty */
          free(s->values);
        }
        free(group);
      }
      rp_groth16_prover_destroy(prover);
    }
    rp_groth16_prover_destroy(alone);
  }
}

static void groups_are_bytes_of_single_proofs(void **state) {
  bench *b = *state;
  for (int i = 0; i < 2; i++) {
    made m = fixture_files(fixture_names[i]);
    same_as_alone(b, &m.zkey, &m.wtns);
    made_free(&m);
  }
  g16_shape shape;
  made m;
  g16_shape_preset(G16_PRESET_SHA256, 6, &shape);
  make_circuit(b, "group", "bn254", &shape, 0, &m);
  same_as_alone(b, &m.zkey, &m.wtns);
  made_free(&m);
}

/* The key is in memory once, and everything else once for each proof. On a GPU, for which the null device stands,
 * proofs do not wait for each other. */
static void constants_are_shared(void **state) {
  bench *b = *state;
  rp_error err = {0};
  made m = fixture_files("poseidon_merkle");
  rp_plan_info plans[2];
  rp_groth16_key *key;
  EXPECT(RP_OK, rp_groth16_key_open_memory(b->context, m.zkey.data, m.zkey.bytes, NULL, &key, &err), &err);
  for (uint32_t i = 0; i < 2; i++) {
    const rp_groth16_prover_options options = {.struct_size = sizeof options, .batch = 1 + 7 * i};
    plans[i] = (rp_plan_info){.struct_size = sizeof plans[i]};
    EXPECT(RP_OK, rp_groth16_plan(b->device, key, &options, &plans[i], &err), &err);
  }
  assert_int_equal(plans[1].constant_bytes, plans[0].constant_bytes);
  assert_int_equal(plans[1].borrowed_bytes, plans[0].borrowed_bytes);
  assert_int_equal(plans[1].dispatches, 8 * plans[0].dispatches);
  assert_true(plans[1].staging_bytes > 7 * plans[0].staging_bytes);
  const rp_device_options null = {.struct_size = sizeof null, .kind = RP_DEVICE_NULL};
  rp_device *device;
  EXPECT(RP_OK, rp_device_open(b->context, &null, &device, &err), &err);
  for (uint32_t i = 0; i < 2; i++) {
    const rp_groth16_prover_options options = {.struct_size = sizeof options, .tables = 1, .batch = 1 + 15 * i};
    EXPECT(RP_OK, rp_groth16_plan(device, key, &options, &plans[i], &err), &err);
  }
  assert_int_equal(plans[1].levels, plans[0].levels);
  assert_int_equal(plans[1].dispatches, 16 * plans[0].dispatches);
  rp_device_close(device);
  rp_groth16_key_close(key);
  made_free(&m);
}

static void count_run(void *user, const rp_run *run) {
  rp_run_counters c = {.struct_size = sizeof c};
  rp_run_get_counters(run, &c);
  assert_int_equal(c.submissions, 1);
  ++*(int *)user;
}

static void what_fails_fails_alone(void **state) {
  bench *b = *state;
  made m = fixture_files("multiplier_bn254");
  for (uint32_t in_flight = 1; in_flight <= 3; in_flight += 2) {
    int n_runs = 0;
    rp_error err = {0};
    const rp_groth16_prover_options options = {.struct_size = sizeof options,
                                               .max_in_flight = in_flight,
                                               .inspect = count_run,
                                               .inspect_user = &n_runs,
                                               .batch = BATCH};
    rp_groth16_prover *prover = prover_with(b, &m.zkey, &options);
    static const rp_groth16_proof nothing;
    rp_groth16_proof proofs[JOBS], none[BATCH];
    uint8_t signals[JOBS][32], zero[32] = {0};
    blob wrong = {malloc(m.wtns.bytes), m.wtns.bytes};
    memcpy(wrong.data, m.wtns.data, m.wtns.bytes);
    wrong.data[wrong.bytes - 32] ^= 1; /* in range, but no solution */
    rp_groth16_job jobs[JOBS];
    memset(proofs, 0x5a, sizeof proofs);
    memset(signals, 0, sizeof signals);
    for (int i = 0; i < JOBS; i++)
      jobs[i] = (rp_groth16_job){.struct_size = sizeof jobs[i],
                                 .wtns = m.wtns.data,
                                 .wtns_bytes = m.wtns.bytes,
                                 .proof = &proofs[i],
                                 .public_signals = i % 2 ? signals[i] : NULL,
                                 .status = RP_ERR_INTERNAL};
    static const rp_status want[JOBS] = {
        [1] = RP_ERR_VERIFY, [4] = RP_ERR_FORMAT, [5] = RP_ERR_ARGUMENT, [8] = RP_ERR_FILE, [9] = RP_ERR_VERIFY};
    jobs[1].wtns = jobs[9].wtns = wrong.data;
    jobs[4].wtns_bytes = 17; /* others follow in its run */
    jobs[5].wtns = NULL;
    jobs[8].wtns = NULL, jobs[8].wtns_path = scratch_path("none.wtns");
    EXPECT(RP_ERR_VERIFY, rp_groth16_prove_batch(prover, jobs, JOBS, &err), &err);
    for (int i = 0; i < JOBS; i++) {
      EXPECT(want[i], jobs[i].status, &jobs[i].error);
      assert_int_equal(jobs[i].error.status, want[i]);
      assert_int_equal(jobs[i].error.reason[0] != 0, want[i] != RP_OK);
      if (want[i] != RP_OK) assert_memory_equal(&proofs[i], &nothing, sizeof nothing);
      if (want[i] != RP_OK) assert_memory_equal(signals[i], zero, 32);
      if (want[i] == RP_OK && i % 2) expect_verifies(b, &m.vkey, &proofs[i], signals[i], 1);
    }
    assert_int_equal(n_runs, 3); /* 4, 4 and 2 jobs */
    assert_memory_not_equal(proofs[0].a, proofs[2].a, 64);
    /* A run of which no witness can be read does not begin. */
    for (int i = 0; i < BATCH; i++)
      jobs[i] = (rp_groth16_job){
          .struct_size = sizeof jobs[i], .wtns = m.wtns.data, .wtns_bytes = 20, .proof = &none[i], .status = RP_OK};
    EXPECT(RP_ERR_FORMAT, rp_groth16_prove_batch(prover, jobs, BATCH, &err), &err);
    for (int i = 0; i < BATCH; i++) assert_int_equal(jobs[i].status, RP_ERR_FORMAT);
    assert_int_equal(n_runs, 3);
    EXPECT(RP_OK, rp_groth16_prove_batch(prover, jobs, 0, &err), &err);
    jobs[2].struct_size = 8;
    EXPECT(RP_ERR_ARGUMENT, rp_groth16_prove_batch(prover, jobs, BATCH, &err), &err);
    free(wrong.data);
    rp_groth16_prover_destroy(prover);
  }
  made_free(&m);
}

typedef struct shares {
  uint32_t most; /* tasks of one call */
} shares;

typedef struct errand {
  void (*task)(void *arg, uint32_t i);
  void *arg;
  uint32_t i;
} errand;

static void *run_errand(void *arg) {
  const errand *e = arg;
  e->task(e->arg, e->i);
  return NULL;
}

/* An executor with a thread for each task. */
static void run_tasks(void *user, uint32_t n, void (*task)(void *arg, uint32_t i), void *arg) {
  enum { MOST = 8 };
  shares *s = user;
  pthread_t threads[MOST];
  errand errands[MOST];
  assert_true(n <= MOST);
  if (n > s->most) s->most = n;
  for (uint32_t i = 0; i < n; i++) {
    errands[i] = (errand){task, arg, i};
    assert_int_equal(pthread_create(&threads[i], NULL, run_errand, &errands[i]), 0);
  }
  for (uint32_t i = 0; i < n; i++) pthread_join(threads[i], NULL);
}

/* With the caller's threads, the proofs of a run are verified in shares; what is wrong in one does not harm others. */
static void verified_in_shares(void **state) {
  enum { N = 14 };
  bench *b = *state;
  made m = fixture_files("multiplier_bn254");
  rp_error err = {0};
  shares s = {0};
  const rp_executor executor = {.user = &s, .workers = 3, .parallel = run_tasks};
  const rp_groth16_prover_options options = {.struct_size = sizeof options, .batch = N, .executor = &executor};
  rp_groth16_prover *prover = prover_with(b, &m.zkey, &options);
  rp_groth16_proof proofs[N];
  uint8_t signals[N][32];
  rp_groth16_job jobs[N];
  blob wrong = {malloc(m.wtns.bytes), m.wtns.bytes};
  memcpy(wrong.data, m.wtns.data, m.wtns.bytes);
  wrong.data[wrong.bytes - 32] ^= 1;
  for (int only = -1; only < N; only++) { /* all are right; then one is wrong */
    for (int i = 0; i < N; i++)
      jobs[i] = (rp_groth16_job){.struct_size = sizeof jobs[i],
                                 .wtns = i == only ? wrong.data : m.wtns.data,
                                 .wtns_bytes = m.wtns.bytes,
                                 .proof = &proofs[i],
                                 .public_signals = signals[i],
                                 .status = RP_ERR_INTERNAL};
    s = (shares){0};
    EXPECT(only < 0 ? RP_OK : RP_ERR_VERIFY, rp_groth16_prove_batch(prover, jobs, N, &err), &err);
    assert_int_equal(s.most, 3);
    for (int i = 0; i < N; i++) {
      EXPECT(i == only ? RP_ERR_VERIFY : RP_OK, jobs[i].status, &jobs[i].error);
      if (i != only) expect_verifies(b, &m.vkey, &proofs[i], signals[i], 1);
    }
  }
  free(wrong.data);
  rp_groth16_prover_destroy(prover);
  made_free(&m);
}

/* Calls for one proof take a whole run, and tasks may be submitted beside groups. */
static void single_proofs(void **state) {
  bench *b = *state;
  rp_error err = {0};
  made m = fixture_files("multiplier_bls12381");
  rp_groth16_prover *prover = group_prover(b, &m.zkey, BATCH, 2, 0);
  const rp_groth16_request request = {.struct_size = sizeof request, .wtns = m.wtns.data, .wtns_bytes = m.wtns.bytes};
  rp_groth16_task *task;
  rp_groth16_proof proof;
  uint8_t signals[32];
  EXPECT(RP_OK, rp_groth16_submit(prover, &request, UINT64_MAX, &task, &err), &err);
  EXPECT(RP_OK, rp_groth16_prove(prover, m.wtns.data, m.wtns.bytes, &proof, signals, NULL, &err), &err);
  expect_verifies(b, &m.vkey, &proof, signals, 1);
  EXPECT(RP_OK, rp_groth16_wait(task, UINT64_MAX), NULL);
  EXPECT(RP_OK, rp_groth16_result(task, &proof, signals, NULL, &err), &err);
  expect_verifies(b, &m.vkey, &proof, signals, 1);
  rp_groth16_end(task);
  rp_groth16_prover_destroy(prover);
  made_free(&m);
}

static void refusals(void **state) {
  bench *b = *state;
  made m = fixture_files("multiplier_bn254");
  rp_groth16_key *key;
  rp_groth16_prover *prover;
  rp_error err = {0};
  rp_plan_info info = {.struct_size = sizeof info};
  rp_groth16_prover_options options = {.struct_size = sizeof options, .batch = G16_BATCH_MAX + 1};
  EXPECT(RP_OK, rp_groth16_key_open_memory(b->context, m.zkey.data, m.zkey.bytes, NULL, &key, &err), &err);
  EXPECT(RP_ERR_ARGUMENT, rp_groth16_prover_create(b->device, key, &options, &prover, &err), &err);
  assert_non_null(strstr(err.reason, "at most 32 proofs"));
  EXPECT(RP_ERR_ARGUMENT, rp_groth16_plan(b->device, key, &options, &info, &err), &err);
  /* Too little memory for eight proofs is refused with what they need, and that is accepted. */
  options.batch = 8;
  EXPECT(RP_OK, rp_groth16_plan(b->device, key, &options, &info, &err), &err);
  options.memory_budget_bytes = 1;
  EXPECT(RP_ERR_BUDGET, rp_groth16_plan(b->device, key, &options, &info, &err), &err);
  options.memory_budget_bytes = info.total_bytes;
  EXPECT(RP_OK, rp_groth16_prover_create(b->device, key, &options, &prover, &err), &err);
  rp_groth16_prover_destroy(prover);
  rp_groth16_key_close(key);
  made_free(&m);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(groups_are_bytes_of_single_proofs),
                                     cmocka_unit_test(constants_are_shared),
                                     cmocka_unit_test(what_fails_fails_alone),
                                     cmocka_unit_test(verified_in_shares),
                                     cmocka_unit_test(single_proofs),
                                     cmocka_unit_test(refusals)};
  const int failures = cmocka_run_group_tests_name("groups of proofs", tests, group_opens_bench, group_closes_bench);
  scratch_remove();
  return failures;
}
