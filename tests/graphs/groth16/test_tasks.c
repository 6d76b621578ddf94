/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Submitted proofs: their callback is called once, they are released only when they have been verified, and they can be
 * cancelled at any time.
 */
#include "gate.h"
#include "one_submission.h"

#include <pthread.h>
#include <stdatomic.h>

static blob zkey, wtns, vkey;
enum { N_PUBLIC = 1 };

/* Shared by the callbacks of a test. */
typedef struct watcher {
  atomic_int calls, bad; /* bad: number of calls that found something wrong */
  atomic_int left;       /* number of tasks that callbacks still submit */
  rp_groth16_prover *prover;
  pthread_t submitter;
} watcher;

static rp_groth16_request request_of(watcher *w, void (*done)(void *user, rp_groth16_task *task)) {
  return (rp_groth16_request){
      .struct_size = sizeof(rp_groth16_request), .wtns = wtns.data, .wtns_bytes = wtns.bytes, .done = done, .user = w};
}

static void count(void *user, rp_groth16_task *task) {
  watcher *w = user;
  if (rp_groth16_poll(task) == RP_ERR_TIMEOUT || pthread_equal(pthread_self(), w->submitter)) w->bad++;
  w->calls++;
}

static void expect_proof(bench *b, rp_groth16_task *task) {
  rp_error err = {0};
  rp_groth16_proof proof;
  uint8_t signals[32 * N_PUBLIC];
  EXPECT(RP_OK, rp_groth16_result(task, &proof, signals, NULL, &err), &err);
  expect_verifies(b, &vkey, &proof, signals, N_PUBLIC);
}

/* ---- The ordinary course ----------------------------------------------------------------------------------------- */

static void a_submitted_proof_verifies(void **state) {
  bench *b = *state;
  rp_error err = {0};
  size_t n;
  const uint8_t *values = wtns_values(&wtns, &n);
  rp_groth16_prover *prover = prover_of(b, &zkey, 2);
  watcher w = {.submitter = pthread_self()};
  rp_groth16_request ways[3] = {request_of(&w, count), request_of(&w, count), request_of(&w, count)};
  ways[1].wtns = ways[2].wtns = NULL;
  ways[1].values = values;
  ways[1].n_values = n;
  ways[2].wtns_path = fixture_path("multiplier_bn254", "witness.wtns");
  for (int i = 0; i < 3; i++) {
    rp_groth16_task *task = NULL;
    rp_run_counters counters = {.struct_size = sizeof counters};
    EXPECT(RP_OK, rp_groth16_submit(prover, &ways[i], UINT64_MAX, &task, &err), &err);
    assert_int_equal(rp_groth16_wait(task, UINT64_MAX), RP_OK);
    assert_int_equal(rp_groth16_poll(task), RP_OK);
    for (int twice = 0; twice < 2; twice++) expect_proof(b, task);
    EXPECT(RP_OK, rp_groth16_result(task, NULL, NULL, &counters, &err), &err);
    if (rp_group_size(b->device) == 1) assert_one_submission(b->device, counters.submissions);
    assert_int_equal(counters.waits, 1);
    rp_groth16_end(task);
    assert_int_equal(w.calls, i + 1); /* ending waits for the callback */
  }
  assert_int_equal(w.bad, 0);
  rp_groth16_prover_destroy(prover);
}

static void proofs_start_no_threads(void **state) {
  bench *b = *state;
  rp_error err = {0};
  enum { IN_FLIGHT = 3, ROUNDS = 12 };
  rp_groth16_prover *prover = prover_of(b, &zkey, IN_FLIGHT);
  watcher w = {.submitter = pthread_self()};
  const rp_groth16_request request = request_of(&w, count);
  const unsigned before = count_threads();
  rp_groth16_task *tasks[ROUNDS];
  for (int i = 0; i < ROUNDS; i++)
    EXPECT(RP_OK, rp_groth16_submit(prover, &request, UINT64_MAX, &tasks[i], &err), &err);
  assert_true(count_threads() <= before + IN_FLIGHT);
  for (int i = 0; i < ROUNDS; i++) {
    assert_int_equal(rp_groth16_wait(tasks[i], UINT64_MAX), RP_OK);
    expect_proof(b, tasks[i]);
    rp_groth16_end(tasks[i]);
  }
  assert_int_equal(w.calls, ROUNDS);
  rp_groth16_prover_destroy(prover);
  for (int i = 0; i < 1000 && count_threads() > before; i++)
    pause_ns(1000000); /* joined threads leave /proc a little later */
  assert_int_equal(count_threads(), before);
}

/* ---- What a callback may do -------------------------------------------------------------------------------------- */

/* Submits the next task, for which the end of this one has made room, and ends this one. */
static void submit_next(void *user, rp_groth16_task *task) {
  watcher *w = user;
  rp_error err = {0};
  rp_groth16_proof proof;
  if (rp_groth16_result(task, &proof, NULL, NULL, &err) != RP_OK || proof.g1 != RP_CURVE_BN254_G1) w->bad++;
  if (w->left-- > 0) {
    rp_groth16_task *next = NULL;
    const rp_groth16_request request = request_of(w, submit_next);
    if (rp_groth16_submit(w->prover, &request, UINT64_MAX, &next, &err) != RP_OK) w->bad++;
    if (rp_groth16_wait(next, UINT64_MAX) != RP_ERR_STATE) w->bad++; /* refused, since it would wait for this thread */
    if (rp_groth16_poll(next) != RP_ERR_TIMEOUT) w->bad++;
  }
  w->calls++;
  rp_groth16_end(task);
}

static void a_callback_submits_the_next(void **state) {
  bench *b = *state;
  rp_error err = {0};
  rp_groth16_task *task = NULL;
  watcher w = {.left = 7, .prover = prover_of(b, &zkey, 1)};
  const rp_groth16_request request = request_of(&w, submit_next);
  EXPECT(RP_OK, rp_groth16_submit(w.prover, &request, 0, &task, &err), &err);
  while (w.calls < 8) pause_ns(1000000);
  rp_groth16_prover_destroy(w.prover);
  assert_int_equal(w.calls, 8);
  assert_int_equal(w.bad, 0);
}

typedef struct full_house {
  rp_groth16_prover *prover;
  sem_t inside, taken;
  rp_status status;
} full_house;

/* When it submits, another task has taken the place, and that task needs this thread. */
static void submit_too_late(void *user, rp_groth16_task *task) {
  full_house *h = user;
  rp_error err = {0};
  rp_groth16_task *none = NULL;
  const rp_groth16_request request = {.struct_size = sizeof request, .wtns = wtns.data, .wtns_bytes = wtns.bytes};
  (void)task;
  sem_post(&h->inside);
  sem_wait(&h->taken);
  h->status = rp_groth16_submit(h->prover, &request, UINT64_MAX, &none, &err);
}

static void a_callback_does_not_wait_for_a_place(void **state) {
  bench *b = *state;
  rp_error err = {0};
  rp_groth16_task *first = NULL, *second = NULL;
  full_house h = {.prover = prover_of(b, &zkey, 1), .status = RP_OK};
  sem_init(&h.inside, 0, 0);
  sem_init(&h.taken, 0, 0);
  rp_groth16_request request = {
      .struct_size = sizeof request, .wtns = wtns.data, .wtns_bytes = wtns.bytes, .done = submit_too_late, .user = &h};
  EXPECT(RP_OK, rp_groth16_submit(h.prover, &request, 0, &first, &err), &err);
  sem_wait(&h.inside);
  request.done = NULL;
  EXPECT(RP_OK, rp_groth16_submit(h.prover, &request, 0, &second, &err), &err);
  sem_post(&h.taken);
  assert_int_equal(rp_groth16_wait(second, UINT64_MAX), RP_OK);
  assert_int_equal(h.status, RP_ERR_BUSY);
  rp_groth16_end(first);
  rp_groth16_end(second);
  rp_groth16_prover_destroy(h.prover);
  sem_destroy(&h.inside), sem_destroy(&h.taken);
}

/* ---- Back-pressure ----------------------------------------------------------------------------------------------- */

static void as_many_are_unfinished_as_can_be_in_flight(void **state) {
  bench *b = *state;
  gate g;
  rp_error err = {0};
  rp_groth16_task *first = NULL, *second = NULL;
  rp_groth16_proof proof;
  rp_groth16_prover *prover = gated_prover(b, &zkey, &g, 1);
  const rp_groth16_request request = {
      .struct_size = sizeof request, .wtns = wtns.data, .wtns_bytes = wtns.bytes}; /* without a callback */
  EXPECT(RP_OK, rp_groth16_submit(prover, &request, 0, &first, &err), &err);
  sem_wait(&g.inside);
  assert_int_equal(rp_groth16_poll(first), RP_ERR_TIMEOUT); /* the run is over, but nothing has been verified */
  assert_int_equal(rp_groth16_wait(first, 1000000), RP_ERR_TIMEOUT);
  memset(&proof, 0x5a, sizeof proof);
  EXPECT(RP_ERR_TIMEOUT, rp_groth16_result(first, &proof, NULL, NULL, &err), &err);
  assert_int_equal(proof.a[0], 0);
  EXPECT(RP_ERR_BUSY, rp_groth16_submit(prover, &request, 0, &second, &err), &err);
  assert_null(second);
  assert_string_equal(err.reason, "1 proofs are unfinished, as many as the prover's max_in_flight allows.");
  EXPECT(RP_ERR_BUSY, rp_groth16_submit(prover, &request, 2000000, &second, &err), &err);
  sem_post(&g.open);
  EXPECT(RP_OK, rp_groth16_submit(prover, &request, UINT64_MAX, &second, &err), &err);
  sem_post(&g.open);
  assert_int_equal(rp_groth16_wait(second, UINT64_MAX), RP_OK);
  expect_proof(b, first);
  expect_proof(b, second);
  rp_groth16_end(first);
  rp_groth16_end(second);
  rp_groth16_prover_destroy(prover);
  gate_free(&g);
}

/* ---- What goes wrong --------------------------------------------------------------------------------------------- */

static void a_wrong_witness_is_the_tasks_failure(void **state) {
  bench *b = *state;
  rp_error err = {0};
  size_t n;
  const uint8_t *values = wtns_values(&wtns, &n);
  uint8_t *wrong = malloc(n * 32), *large = malloc(n * 32);
  memcpy(wrong, values, n * 32);
  memcpy(large, values, n * 32);
  wrong[(n - 1) * 32] ^= 1;
  memset(large + (n - 1) * 32, 0xff, 32);
  const struct {
    const char *path;
    const void *values;
    size_t n;
    rp_status status;
    const char *says;
  } cases[] = {{NULL, wrong, n, RP_ERR_VERIFY, "witness"},
               {NULL, large, n, RP_ERR_INPUT, "not below the group order"},
               {NULL, values, n - 1, RP_ERR_MISMATCH, "the circuit has"},
               {"/nowhere/witness.wtns", NULL, 0, RP_ERR_FILE, "/nowhere/witness.wtns"}};
  rp_groth16_prover *prover = prover_of(b, &zkey, 1);
  watcher w = {.submitter = pthread_self()};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    rp_groth16_request request = request_of(&w, count);
    rp_groth16_task *task = NULL;
    rp_groth16_proof proof, zero = {0};
    uint8_t signals[32] = {77};
    request.wtns = NULL;
    request.wtns_path = cases[i].path;
    request.values = cases[i].values;
    request.n_values = cases[i].n;
    EXPECT(RP_OK, rp_groth16_submit(prover, &request, UINT64_MAX, &task, &err), &err);
    assert_int_equal(rp_groth16_wait(task, UINT64_MAX), cases[i].status);
    memset(&proof, 0x5a, sizeof proof);
    EXPECT(cases[i].status, rp_groth16_result(task, &proof, signals, NULL, &err), &err);
    assert_non_null(strstr(err.reason, cases[i].says));
    assert_memory_equal(&proof, &zero, sizeof proof);
    assert_int_equal(signals[0], 77);
    rp_groth16_end(task);
    assert_int_equal(w.calls, i + 1);
  }
  rp_groth16_prover_destroy(prover);
  free(wrong), free(large);
}

static void misuse_is_refused(void **state) {
  bench *b = *state;
  rp_error err = {0};
  rp_groth16_task *task = NULL;
  rp_groth16_prover *prover = prover_of(b, &zkey, 1);
  rp_groth16_request request = {.struct_size = sizeof request};
  EXPECT(RP_ERR_ARGUMENT, rp_groth16_submit(prover, &request, 0, &task, &err), &err);
  assert_string_equal(err.reason,
                      "rp_groth16_submit: exactly one of wtns_path, wtns and values must give the witness.");
  request.wtns = request.values = wtns.data;
  EXPECT(RP_ERR_ARGUMENT, rp_groth16_submit(prover, &request, 0, &task, &err), &err);
  request.values = NULL;
  EXPECT(RP_ERR_ARGUMENT, rp_groth16_submit(NULL, &request, 0, &task, &err), &err);
  EXPECT(RP_ERR_ARGUMENT, rp_groth16_submit(prover, NULL, 0, &task, &err), &err);
  EXPECT(RP_ERR_ARGUMENT, rp_groth16_submit(prover, &request, 0, NULL, &err), &err);
  request.struct_size = 0;
  EXPECT(RP_ERR_ARGUMENT, rp_groth16_submit(prover, &request, 0, &task, &err), &err);
  assert_null(task);
  assert_int_equal(rp_groth16_poll(NULL), RP_ERR_ARGUMENT);
  assert_int_equal(rp_groth16_wait(NULL, 0), RP_ERR_ARGUMENT);
  EXPECT(RP_ERR_ARGUMENT, rp_groth16_result(NULL, NULL, NULL, NULL, &err), &err);
  rp_groth16_cancel(NULL);
  rp_groth16_end(NULL);
  rp_groth16_prover_destroy(prover);
}

/* ---- Stopping ---------------------------------------------------------------------------------------------------- */

/* Whenever a task is cancelled, it ends once, with a proof that verifies or without a proof. */
static void a_task_is_cancelled_at_any_time(void **state) {
  bench *b = *state;
  rp_error err = {0};
  enum { ROUNDS = 60, IN_FLIGHT = 3 };
  rp_groth16_prover *prover = prover_of(b, &zkey, IN_FLIGHT);
  watcher w = {.submitter = pthread_self()};
  const rp_groth16_request request = request_of(&w, count);
  uint32_t random = 1, cancelled = 0;
  for (int i = 0; i < ROUNDS; i++) {
    rp_groth16_task *tasks[IN_FLIGHT];
    for (int k = 0; k < IN_FLIGHT; k++)
      EXPECT(RP_OK, rp_groth16_submit(prover, &request, UINT64_MAX, &tasks[k], &err), &err);
    random = random * 1664525u + 1013904223u;
    if (i % 4) pause_ns((long)(random >> 12) * 4); /* up to 4 ms, about as long as a proof takes */
    for (int k = 0; k < IN_FLIGHT; k++)
      if (k != i % IN_FLIGHT) rp_groth16_cancel(tasks[k]);
    for (int k = 0; k < IN_FLIGHT; k++) {
      const rp_status status = rp_groth16_wait(tasks[k], UINT64_MAX);
      rp_groth16_proof proof, zero = {0};
      if (status == RP_OK) {
        if (i % 8 == 0) expect_proof(b, tasks[k]);
      } else {
        assert_int_equal(status, RP_ERR_CANCELLED);
        assert_int_not_equal(k, i % IN_FLIGHT);
        EXPECT(RP_ERR_CANCELLED, rp_groth16_result(tasks[k], &proof, NULL, NULL, &err), &err);
        assert_memory_equal(&proof, &zero, sizeof proof);
        cancelled++;
      }
      rp_groth16_end(tasks[k]);
    }
    assert_int_equal(w.calls, (i + 1) * IN_FLIGHT);
  }
  assert_true(cancelled > 0);
  assert_int_equal(w.bad, 0);
  rp_groth16_prover_destroy(prover);
}

/* Ending an unfinished task cancels it; its callback is still called. */
static void ending_cancels(void **state) {
  bench *b = *state;
  rp_error err = {0};
  rp_groth16_prover *prover = prover_of(b, &zkey, 2);
  watcher w = {.submitter = pthread_self()};
  const rp_groth16_request request = request_of(&w, count);
  for (int i = 1; i <= 10; i++) {
    rp_groth16_task *task = NULL;
    EXPECT(RP_OK, rp_groth16_submit(prover, &request, UINT64_MAX, &task, &err), &err);
    rp_groth16_end(task);
    assert_int_equal(w.calls, i);
  }
  rp_groth16_prover_destroy(prover);
}

static void a_prover_is_destroyed_with_proofs_in_flight(void **state) {
  bench *b = *state;
  rp_error err = {0};
  enum { ROUNDS = 8, IN_FLIGHT = 4 };
  for (int i = 0; i < ROUNDS; i++) {
    rp_groth16_prover *prover = prover_of(b, &zkey, IN_FLIGHT);
    watcher w = {.submitter = pthread_self()};
    const rp_groth16_request request = request_of(&w, count);
    rp_groth16_task *tasks[IN_FLIGHT];
    for (int k = 0; k < IN_FLIGHT; k++)
      EXPECT(RP_OK, rp_groth16_submit(prover, &request, UINT64_MAX, &tasks[k], &err), &err);
    pause_ns(i * 400000L);
    rp_groth16_prover_destroy(prover);
    assert_int_equal(w.calls, IN_FLIGHT);
    for (int k = 0; k < IN_FLIGHT; k++) { /* results remain after the prover is destroyed */
      const rp_status status = rp_groth16_poll(tasks[k]);
      if (status == RP_OK)
        expect_proof(b, tasks[k]);
      else
        assert_int_equal(status, RP_ERR_CANCELLED);
      rp_groth16_cancel(tasks[k]);
      rp_groth16_end(tasks[k]);
    }
  }
}

/* While the prover is being destroyed, a callback cannot submit anything. */
static void submit_more(void *user, rp_groth16_task *task) {
  watcher *w = user;
  rp_error err = {0};
  rp_groth16_task *next = NULL;
  const rp_groth16_request request = request_of(w, submit_more);
  const rp_status status = rp_groth16_submit(w->prover, &request, 0, &next, &err);
  if (status != RP_OK && status != RP_ERR_STATE && status != RP_ERR_BUSY) w->bad++;
  if (status == RP_OK) w->left++;
  w->calls++;
  rp_groth16_end(task);
}

static void a_prover_is_destroyed_while_callbacks_submit(void **state) {
  bench *b = *state;
  rp_error err = {0};
  for (int i = 0; i < 4; i++) {
    watcher w = {.prover = prover_of(b, &zkey, 2)};
    const rp_groth16_request request = request_of(&w, submit_more);
    for (int k = 0; k < 2; k++) {
      rp_groth16_task *task = NULL;
      const rp_status status = rp_groth16_submit(w.prover, &request, UINT64_MAX, &task, &err);
      assert_true(status == RP_OK);
    }
    pause_ns(10000000);
    rp_groth16_prover_destroy(w.prover);
    assert_int_equal(w.calls, 2 + w.left);
    assert_int_equal(w.bad, 0);
  }
}

/* ---- Beside other calls ------------------------------------------------------------------------------------------ */

static void *prove_beside(void *arg) {
  watcher *w = arg;
  for (int i = 0; i < 6; i++) {
    rp_groth16_proof proof;
    if (rp_groth16_prove(w->prover, wtns.data, wtns.bytes, &proof, NULL, NULL, NULL) != RP_OK) w->bad++;
  }
  return NULL;
}

static void tasks_and_calls_share_the_slots(void **state) {
  bench *b = *state;
  rp_error err = {0};
  watcher w = {.submitter = pthread_self(), .prover = prover_of(b, &zkey, 2)};
  const rp_groth16_request request = request_of(&w, count);
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) assert_int_equal(pthread_create(&threads[i], NULL, prove_beside, &w), 0);
  for (int i = 0; i < 8; i++) {
    rp_groth16_task *task = NULL;
    EXPECT(RP_OK, rp_groth16_submit(w.prover, &request, UINT64_MAX, &task, &err), &err);
    assert_int_equal(rp_groth16_wait(task, UINT64_MAX), RP_OK);
    rp_groth16_end(task);
  }
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  assert_int_equal(w.bad, 0);
  rp_groth16_prover_destroy(w.prover);
}

int main(void) {
  bench b;
  bench_open(&b);
  void *state = &b;
  made files = fixture_files("multiplier_bn254");
  zkey = files.zkey, wtns = files.wtns, vkey = files.vkey;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_prestate(a_submitted_proof_verifies, state),
      cmocka_unit_test_prestate(proofs_start_no_threads, state),
      cmocka_unit_test_prestate(a_callback_submits_the_next, state),
      cmocka_unit_test_prestate(a_callback_does_not_wait_for_a_place, state),
      cmocka_unit_test_prestate(as_many_are_unfinished_as_can_be_in_flight, state),
      cmocka_unit_test_prestate(a_wrong_witness_is_the_tasks_failure, state),
      cmocka_unit_test_prestate(misuse_is_refused, state),
      cmocka_unit_test_prestate(a_task_is_cancelled_at_any_time, state),
      cmocka_unit_test_prestate(ending_cancels, state),
      cmocka_unit_test_prestate(a_prover_is_destroyed_with_proofs_in_flight, state),
      cmocka_unit_test_prestate(a_prover_is_destroyed_while_callbacks_submit, state),
      cmocka_unit_test_prestate(tasks_and_calls_share_the_slots, state),
  };
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  made_free(&files);
  bench_close(&b);
  return failed;
}
