/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Submitted proofs that several threads wait for, cancel and end at the same time, also in callbacks, and other
 * promises of graphs.h about them. The ordinary course is in test_tasks.c.
 */
#include "gate.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static blob zkey, wtns;

typedef void (*done_fn)(void *user, rp_groth16_task *task);

static rp_groth16_request request_of(done_fn done, void *user) {
  return (rp_groth16_request){.struct_size = sizeof(rp_groth16_request),
                              .wtns = wtns.data,
                              .wtns_bytes = wtns.bytes,
                              .done = done,
                              .user = user};
}

static rp_groth16_task *submit(rp_groth16_prover *prover, const rp_groth16_request *request) {
  rp_groth16_task *task = NULL;
  rp_error err = {0};
  EXPECT(RP_OK, rp_groth16_submit(prover, request, UINT64_MAX, &task, &err), &err);
  return task;
}

static void count(void *user, rp_groth16_task *task) {
  (void)task;
  atomic_fetch_add((atomic_int *)user, 1);
}

/* ---- Several threads --------------------------------------------------------------------------------------------- */

enum { WAITERS = 4 };

typedef struct waiter {
  pthread_t thread;
  rp_groth16_task *task;
  atomic_int *begun;
  rp_status waited, got;
  rp_groth16_proof proof;
  int reads; /* whether it reads the result, too */
} waiter;

static void *wait_main(void *arg) {
  waiter *w = arg;
  atomic_fetch_add(w->begun, 1);
  w->waited = rp_groth16_wait(w->task, UINT64_MAX);
  if (w->reads) w->got = rp_groth16_result(w->task, &w->proof, NULL, NULL, NULL);
  return NULL;
}

static void start_waiters(waiter *w, rp_groth16_task *task, int reads) {
  static atomic_int begun;
  atomic_store(&begun, 0);
  for (int i = 0; i < WAITERS; i++) {
    w[i] = (waiter){.task = task, .begun = &begun, .reads = reads};
    assert_int_equal(pthread_create(&w[i].thread, NULL, wait_main, &w[i]), 0);
  }
  while (atomic_load(&begun) < WAITERS) pause_ns(100000);
  pause_ns(50000000); /* until they wait, since a call that begins after rp_groth16_end is not allowed */
}

static void several_threads_ask(void **state) {
  bench *b = *state;
  gate g;
  waiter w[WAITERS];
  rp_groth16_prover *prover = gated_prover(b, &zkey, &g, 1);
  const rp_groth16_request request = request_of(NULL, NULL);
  rp_groth16_task *task = submit(prover, &request);
  start_waiters(w, task, 1);
  sem_post(&g.open);
  for (int i = 0; i < WAITERS; i++) {
    pthread_join(w[i].thread, NULL);
    assert_int_equal(w[i].waited, RP_OK);
    assert_int_equal(w[i].got, RP_OK);
    assert_memory_equal(&w[i].proof, &w[0].proof, sizeof w[0].proof);
  }
  assert_int_equal(w[0].proof.g1, RP_CURVE_BN254_G1);
  rp_groth16_cancel(task); /* a finished task does not change */
  assert_int_equal(rp_groth16_poll(task), RP_OK);
  rp_groth16_end(task);
  rp_groth16_prover_destroy(prover);
  gate_free(&g);
}

static void *open_soon(void *arg) {
  gate *g = arg;
  pause_ns(3000000);
  sem_post(&g->open);
  return NULL;
}

static void drop(void *user, rp_groth16_task *task) {
  rp_groth16_end(task);
  atomic_fetch_add((atomic_int *)user, 1);
}

/* The task is ended by another thread or by the callback: every waiting call returns before the task's memory is
 * freed. */
static void a_task_is_ended_while_others_wait(void **state) {
  bench *b = *state;
  enum { ROUNDS = 24 };
  gate g;
  atomic_int calls;
  rp_groth16_prover *prover = gated_prover(b, &zkey, &g, 1);
  atomic_init(&calls, 0);
  for (int i = 0; i < ROUNDS; i++) {
    const int by_callback = i % 2;
    waiter w[WAITERS];
    pthread_t opener;
    const rp_groth16_request request = request_of(by_callback ? drop : count, &calls);
    rp_groth16_task *task = submit(prover, &request);
    sem_wait(&g.inside); /* the run is over, so cancelling comes too late */
    start_waiters(w, task, 0);
    assert_int_equal(pthread_create(&opener, NULL, open_soon, &g), 0);
    if (!by_callback) rp_groth16_end(task);
    for (int k = 0; k < WAITERS; k++) {
      pthread_join(w[k].thread, NULL);
      assert_int_equal(w[k].waited, RP_OK);
    }
    pthread_join(opener, NULL);
  }
  rp_groth16_prover_destroy(prover);
  assert_int_equal(atomic_load(&calls), ROUNDS);
  gate_free(&g);
}

/* ---- Cancelling -------------------------------------------------------------------------------------------------- */

static void *prove_held(void *prover) {
  rp_groth16_proof proof;
  const rp_status status = rp_groth16_prove(prover, wtns.data, wtns.bytes, &proof, NULL, NULL, NULL);
  return status == RP_OK ? prover : NULL;
}

/* Another call holds the only slot until the end of the test. */
static void a_cancelled_task_waits_for_no_slot(void **state) {
  bench *b = *state;
  gate g;
  pthread_t thread;
  void *proved;
  rp_error err = {0};
  rp_groth16_prover *prover = gated_prover(b, &zkey, &g, 1);
  assert_int_equal(pthread_create(&thread, NULL, prove_held, prover), 0);
  sem_wait(&g.inside);
  const rp_groth16_request request = request_of(NULL, NULL);
  rp_groth16_task *task = submit(prover, &request);
  assert_int_equal(rp_groth16_wait(task, 50000000), RP_ERR_TIMEOUT);
  rp_groth16_cancel(task);
  assert_int_equal(rp_groth16_wait(task, 300000000000u), RP_ERR_CANCELLED);
  EXPECT(RP_ERR_CANCELLED, rp_groth16_result(task, NULL, NULL, NULL, &err), &err);
  assert_string_equal(err.reason, "The proof was cancelled before it began.");
  rp_groth16_end(task);
  sem_post(&g.open);
  pthread_join(thread, &proved);
  assert_non_null(proved);
  rp_groth16_prover_destroy(prover);
  gate_free(&g);
}

static rp_groth16_prover *least_prover(bench *b, const blob *file) {
  rp_error err = {0};
  rp_groth16_key *key;
  rp_groth16_prover *prover;
  rp_plan_info plan = {.struct_size = sizeof plan};
  rp_groth16_prover_options options = {.struct_size = sizeof options, .memory_budget_bytes = 1};
  EXPECT(RP_OK, rp_groth16_key_open_memory(b->context, file->data, file->bytes, NULL, &key, &err), &err);
  EXPECT(RP_ERR_BUDGET, rp_groth16_plan(b->device, key, &options, &plan, &err), &err);
  options.memory_budget_bytes = plan.total_bytes;
  EXPECT(RP_OK, rp_groth16_prover_create(b->device, key, &options, &prover, &err), &err);
  rp_groth16_key_close(key);
  return prover;
}

/* Streamed points come in many chunks; once the task is cancelled, no more are sent. */
static void streamed_points_stop_between_chunks(void **state) {
  bench *b = *state;
  blob key = fixture_read("poseidon_merkle", "circuit.zkey"), witness = fixture_read("poseidon_merkle", "witness.wtns");
  rp_groth16_prover *prover = least_prover(b, &key);
  rp_groth16_request request = request_of(NULL, NULL);
  rp_run_counters whole = {.struct_size = sizeof whole};
  rp_error err = {0};
  uint32_t stopped = 0;
  request.wtns = witness.data;
  request.wtns_bytes = witness.bytes;
  const uint64_t begin = clock_ns();
  rp_groth16_task *task = submit(prover, &request);
  assert_int_equal(rp_groth16_wait(task, UINT64_MAX), RP_OK);
  const uint64_t took = clock_ns() - begin;
  EXPECT(RP_OK, rp_groth16_result(task, NULL, NULL, &whole, &err), &err);
  rp_groth16_end(task);
  assert_true(whole.submissions > 10);
  for (uint64_t i = 0; i < 30 && stopped == 0; i++) {
    rp_run_counters some = {.struct_size = sizeof some};
    rp_groth16_proof proof, zero = {0};
    task = submit(prover, &request);
    pause_ns(took * (1 + i % 6) / 8);
    rp_groth16_cancel(task);
    const rp_status status = rp_groth16_wait(task, UINT64_MAX);
    if (status != RP_OK) {
      EXPECT(RP_ERR_CANCELLED, rp_groth16_result(task, &proof, NULL, &some, &err), &err);
      assert_memory_equal(&proof, &zero, sizeof proof);
      stopped += some.submissions > 1 && some.submissions < whole.submissions;
    }
    rp_groth16_end(task);
  }
  assert_int_equal(stopped, 1);
  rp_groth16_prover_destroy(prover);
  blob_free(&key), blob_free(&witness);
}

/* ---- Threads and memory ------------------------------------------------------------------------------------------ */

static void threads_are_begun_when_they_are_needed(void **state) {
  bench *b = *state;
  enum { MOST = 64, IN_FLIGHT = MOST + 3 };
  gate g;
  rp_groth16_task *tasks[IN_FLIGHT];
  rp_groth16_prover *prover = gated_prover(b, &zkey, &g, IN_FLIGHT);
  const rp_groth16_request request = request_of(NULL, NULL);
  const unsigned before = count_threads();
  for (int i = 0; i < 3; i++) { /* tasks that run one after another need one thread */
    tasks[0] = submit(prover, &request);
    sem_wait(&g.inside);
    assert_int_equal(count_threads(), before + 1);
    sem_post(&g.open);
    rp_groth16_end(tasks[0]);
  }
  for (int i = 0; i < IN_FLIGHT; i++) tasks[i] = submit(prover, &request);
  for (int i = 0; i < MOST; i++) sem_wait(&g.inside);
  assert_int_equal(count_threads(), before + MOST);
  for (int i = 0; i < IN_FLIGHT; i++) sem_post(&g.open);
  for (int i = 0; i < IN_FLIGHT; i++) {
    assert_int_equal(rp_groth16_wait(tasks[i], UINT64_MAX), RP_OK);
    rp_groth16_end(tasks[i]);
  }
  rp_groth16_prover_destroy(prover);
  gate_free(&g);
}

/* The path in the caller's memory is overwritten before the task reads the file. */
static void the_path_is_copied(void **state) {
  bench *b = *state;
  char path[512];
  gate g;
  rp_groth16_prover *prover = gated_prover(b, &zkey, &g, 1);
  pthread_t thread;
  assert_int_equal(pthread_create(&thread, NULL, prove_held, prover), 0);
  sem_wait(&g.inside);
  snprintf(path, sizeof path, "%s", fixture_path("multiplier_bn254", "witness.wtns"));
  rp_groth16_task *task =
      submit(prover, &(rp_groth16_request){.struct_size = sizeof(rp_groth16_request), .wtns_path = path});
  memset(path, 'x', sizeof path - 1);
  sem_post(&g.open);
  sem_post(&g.open);
  assert_int_equal(rp_groth16_wait(task, UINT64_MAX), RP_OK);
  rp_groth16_end(task);
  pthread_join(thread, NULL);
  rp_groth16_prover_destroy(prover);
  gate_free(&g);
}

/* The request of a program that was compiled with an older header is shorter, and with a newer header longer. */
static void requests_of_any_length(void **state) {
  bench *b = *state;
  rp_groth16_prover *prover = prover_of(b, &zkey, 1);
  struct {
    rp_groth16_request known;
    uint64_t unknown[4];
  } newer = {request_of(NULL, NULL), {1, 2, 3, 4}};
  newer.known.struct_size = sizeof newer;
  rp_groth16_request older = request_of(count, NULL); /* its `done` is not read */
  older.struct_size = offsetof(rp_groth16_request, done);
  const rp_groth16_request *both[] = {&newer.known, &older};
  for (int i = 0; i < 2; i++) {
    rp_groth16_task *task = submit(prover, both[i]);
    assert_int_equal(rp_groth16_wait(task, UINT64_MAX), RP_OK);
    rp_groth16_end(task);
  }
  rp_groth16_prover_destroy(prover);
}

/* ---- Callbacks --------------------------------------------------------------------------------------------------- */

typedef struct seen {
  rp_groth16_task *task, *other; /* as rp_groth16_submit returned them */
  sem_t told;
  int right;
} seen;

/* A request that fails at once, so that its callback comes as early as possible. */
static rp_groth16_request short_request(done_fn done, void *user) {
  rp_groth16_request r = request_of(done, user);
  r.values = r.wtns;
  r.n_values = 1;
  r.wtns = NULL;
  return r;
}

static void find_itself(void *user, rp_groth16_task *task) {
  seen *s = user;
  s->right = s->task == task;
  sem_post(&s->told);
}

static void the_task_is_set_before_its_callback(void **state) {
  bench *b = *state;
  rp_groth16_prover *prover = prover_of(b, &zkey, 1);
  seen s = {0};
  const rp_groth16_request request = short_request(find_itself, &s);
  sem_init(&s.told, 0, 0);
  for (int i = 0; i < 20; i++) {
    rp_error err = {0};
    EXPECT(RP_OK, rp_groth16_submit(prover, &request, UINT64_MAX, &s.task, &err), &err);
    sem_wait(&s.told);
    assert_true(s.right);
    rp_groth16_end(s.task);
  }
  rp_groth16_prover_destroy(prover);
  sem_destroy(&s.told);
}

static void end_the_other(void *user, rp_groth16_task *task) {
  seen *s = user;
  (void)task;
  s->right = rp_groth16_poll(s->other) == RP_ERR_TIMEOUT && rp_groth16_wait(s->other, UINT64_MAX) == RP_ERR_STATE;
  rp_groth16_end(s->other);
  sem_post(&s->told);
}

/* rp_groth16_end does not wait here, although the other task is unfinished, and the other's callback is still
 * called. */
static void a_callback_ends_another_task(void **state) {
  bench *b = *state;
  gate g;
  seen s = {0};
  atomic_int calls;
  rp_groth16_prover *prover = gated_prover(b, &zkey, &g, 2);
  const rp_groth16_request held = request_of(count, &calls), first = short_request(end_the_other, &s);
  atomic_init(&calls, 0);
  sem_init(&s.told, 0, 0);
  s.other = submit(prover, &held);
  sem_wait(&g.inside);
  s.task = submit(prover, &first);
  sem_wait(&s.told);
  assert_true(s.right);
  assert_int_equal(atomic_load(&calls), 0);
  rp_groth16_end(s.task);
  sem_post(&g.open);
  rp_groth16_prover_destroy(prover);
  assert_int_equal(atomic_load(&calls), 1);
  sem_destroy(&s.told);
  gate_free(&g);
}

typedef struct chain {
  rp_groth16_prover *second;
  rp_groth16_task *task; /* a task of the second prover */
  atomic_int calls;
  sem_t told;
  rp_status submitted, polled;
} chain;

/* A callback may make calls to another prover if they do not wait. */
static void submit_to_the_second(void *user, rp_groth16_task *task) {
  chain *c = user;
  (void)task;
  const rp_groth16_request request = request_of(count, &c->calls);
  c->submitted = rp_groth16_submit(c->second, &request, 0, &c->task, NULL);
  c->polled = rp_groth16_poll(c->task);
  sem_post(&c->told);
}

static void a_callback_submits_to_another_prover(void **state) {
  bench *b = *state;
  gate g;
  rp_groth16_prover *prover = prover_of(b, &zkey, 1);
  chain c = {.second = gated_prover(b, &zkey, &g, 1)};
  const rp_groth16_request request = request_of(submit_to_the_second, &c);
  atomic_init(&c.calls, 0);
  sem_init(&c.told, 0, 0);
  rp_groth16_task *task = submit(prover, &request);
  sem_wait(&c.told);
  assert_int_equal(c.submitted, RP_OK);
  assert_int_equal(c.polled, RP_ERR_TIMEOUT);
  sem_post(&g.open);
  assert_int_equal(rp_groth16_wait(c.task, UINT64_MAX), RP_OK);
  rp_groth16_end(c.task);
  assert_int_equal(atomic_load(&c.calls), 1);
  rp_groth16_end(task);
  rp_groth16_prover_destroy(prover);
  rp_groth16_prover_destroy(c.second);
  sem_destroy(&c.told);
  gate_free(&g);
}

int main(void) {
  zkey = fixture_read("multiplier_bn254", "circuit.zkey");
  wtns = fixture_read("multiplier_bn254", "witness.wtns");
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(several_threads_ask),
      cmocka_unit_test(a_task_is_ended_while_others_wait),
      cmocka_unit_test(a_cancelled_task_waits_for_no_slot),
      cmocka_unit_test(streamed_points_stop_between_chunks),
      cmocka_unit_test(threads_are_begun_when_they_are_needed),
      cmocka_unit_test(the_path_is_copied),
      cmocka_unit_test(requests_of_any_length),
      cmocka_unit_test(the_task_is_set_before_its_callback),
      cmocka_unit_test(a_callback_ends_another_task),
      cmocka_unit_test(a_callback_submits_to_another_prover),
  };
  const int failed = cmocka_run_group_tests_name("groth16_task_ends", tests, group_opens_bench, group_closes_bench);
  blob_free(&zkey);
  blob_free(&wtns);
  return failed;
}
