/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Submitted proofs of PLONK and of FFLONK: the callback is called once, a proof is released only when it has been
 * verified, and a task can be cancelled while it waits. The code is that of rp_groth16_submit (graphs/tasks.h), whose
 * tests are not repeated here. A test includes the common.h of its proof system first.
 */
#ifndef REPRISE_TESTS_PLONK_TASKS_BODY_H
#define REPRISE_TESTS_PLONK_TASKS_BODY_H

#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <time.h>

enum { SIGNALS_AT_MOST = 4, IN_FLIGHT = 2 };
static const uint64_t FOREVER = UINT64_MAX;

/* A prover whose runs, while `held` is set, post `inside` when they are over and end when `open` is posted. */
typedef struct scene {
  bench *b;
  blob wtns;
  RP(_key) * key;
  RP(_prover) * prover;
  RP(_vkey) * vkey;
  size_t n_public;
  atomic_int held;
  sem_t inside, open;
  atomic_int calls, bad; /* of callbacks; bad: those that found something wrong */
  atomic_int left;       /* tasks that callbacks still submit */
  pthread_t submitter;
} scene;

/* The linker calls this in place of the library's function. */
static atomic_uint cancelled_runs;
void __real_rp_run_cancel(rp_run *run);
void __wrap_rp_run_cancel(rp_run *run);
void __wrap_rp_run_cancel(rp_run *run) {
  cancelled_runs++;
  __real_rp_run_cancel(run);
}

static void rest(void) {
  const struct timespec pause = {.tv_nsec = 200000000};
  nanosleep(&pause, NULL);
}

static void hold(void *user, const rp_run *run) {
  scene *s = user;
  (void)run;
  if (!s->held) return;
  sem_post(&s->inside);
  sem_wait(&s->open);
}

static void scene_open(scene *s, bench *b, uint32_t in_flight) {
  rp_error err = {0};
  *s = (scene){.b = b, .wtns = fixture_read(OWN(_fixture)[0], "witness.wtns"), .submitter = pthread_self()};
  sem_init(&s->inside, 0, 0);
  sem_init(&s->open, 0, 0);
  const RP(_prover_options)
      options = {.struct_size = sizeof options, .max_in_flight = in_flight, .inspect = hold, .inspect_user = s};
  EXPECT(RP_OK, RP(_key_open)(b->context, fixture_path(OWN(_fixture)[0], "circuit.zkey"), NULL, &s->key, &err), &err);
  EXPECT(RP_OK, RP(_prover_create)(b->device, s->key, &options, &s->prover, &err), &err);
  EXPECT(RP_OK, RP(_vkey_from_key)(s->key, &s->vkey, &err), &err);
  s->n_public = RP(_vkey_n_public)(s->vkey);
  assert_true(s->n_public > 0 && s->n_public <= SIGNALS_AT_MOST);
}

static void scene_close(scene *s) {
  RP(_prover_destroy)(s->prover);
  RP(_key_close)(s->key);
  RP(_vkey_destroy)(s->vkey);
  sem_destroy(&s->inside);
  sem_destroy(&s->open);
  blob_free(&s->wtns);
}

static RP(_request) request_of(scene *s, void (*done)(void *user, RP(_task) * task)) {
  return (RP(_request)){
      .struct_size = sizeof(RP(_request)), .wtns = s->wtns.data, .wtns_bytes = s->wtns.bytes, .done = done, .user = s};
}

static void count(void *user, RP(_task) * task) {
  scene *s = user;
  if (RP(_poll)(task) == RP_ERR_TIMEOUT || pthread_equal(pthread_self(), s->submitter)) s->bad++;
  s->calls++;
}

static void expect_proof(scene *s, RP(_task) * task) {
  rp_error err = {0};
  RP(_proof) proof;
  uint8_t signals[32 * SIGNALS_AT_MOST];
  EXPECT(RP_OK, RP(_result)(task, &proof, signals, NULL, &err), &err);
  EXPECT(RP_OK, RP(_verify)(s->vkey, &proof, signals, s->n_public, &err), &err);
}

static void expect_nothing(RP(_task) * task, rp_status expected) {
  static const RP(_proof) none;
  rp_error err = {0};
  RP(_proof) proof;
  uint8_t signals[32 * SIGNALS_AT_MOST];
  memset(&proof, 0x5a, sizeof proof);
  memset(signals, 0x5a, sizeof signals);
  EXPECT(expected, RP(_wait)(task, FOREVER), &err);
  EXPECT(expected, RP(_result)(task, &proof, signals, NULL, &err), &err);
  assert_int_equal(err.status, expected);
  assert_true(err.reason[0] != 0);
  assert_memory_equal(&proof, &none, sizeof none);
  assert_int_equal(signals[0], 0x5a); /* not written */
}

static void a_submitted_proof_verifies(void **state) {
  scene s;
  rp_error err = {0};
  size_t n;
  scene_open(&s, *state, IN_FLIGHT);
  const uint8_t *values = wtns_values(&s.wtns, &n);
  char *path = strdup(fixture_path(OWN(_fixture)[0], "witness.wtns"));
  RP(_request) ways[3] = {request_of(&s, count), request_of(&s, count), request_of(&s, count)};
  ways[1].wtns = ways[2].wtns = NULL;
  ways[1].values = values;
  ways[1].n_values = n;
  ways[2].wtns_path = path;
  for (int i = 0; i < 3; i++) {
    RP(_task) *task = NULL;
    rp_run_counters counters = {.struct_size = sizeof counters};
    EXPECT(RP_OK, RP(_submit)(s.prover, &ways[i], FOREVER, &task, &err), &err);
    if (i == 2) memset(path, 'x', strlen(path)); /* the path is copied */
    assert_int_equal(RP(_wait)(task, FOREVER), RP_OK);
    assert_int_equal(RP(_poll)(task), RP_OK);
    for (int twice = 0; twice < 2; twice++) expect_proof(&s, task);
    EXPECT(RP_OK, RP(_result)(task, NULL, NULL, &counters, &err), &err);
    assert_int_equal(counters.waits, 1);
    RP(_end)(task);
    assert_int_equal(s.calls, i + 1); /* ending waits for the callback */
  }
  assert_int_equal(s.bad, 0);
  free(path);
  scene_close(&s);
}

static void wrong_requests_are_refused(void **state) {
  scene s;
  rp_error err = {0};
  scene_open(&s, *state, 1);
  RP(_task) *task = (RP(_task) *)&s;
  RP(_request) request = request_of(&s, NULL);
  EXPECT(RP_ERR_ARGUMENT, RP(_submit)(NULL, &request, 0, &task, &err), &err);
  assert_null(task);
  EXPECT(RP_ERR_ARGUMENT, RP(_submit)(s.prover, NULL, 0, &task, &err), &err);
  EXPECT(RP_ERR_ARGUMENT, RP(_submit)(s.prover, &request, 0, NULL, &err), &err);
  request.values = s.wtns.data;
  EXPECT(RP_ERR_ARGUMENT, RP(_submit)(s.prover, &request, 0, &task, &err), &err);
  assert_non_null(strstr(err.reason, "exactly one of"));
  assert_null(task);
  EXPECT(RP_ERR_ARGUMENT, RP(_result)(NULL, NULL, NULL, NULL, &err), &err);
  assert_int_equal(RP(_poll)(NULL), RP_ERR_ARGUMENT);
  RP(_cancel)(NULL);
  RP(_end)(NULL);
  scene_close(&s);
}

/* The last value of the witness is another one, so that the proof does not verify. */
static void a_wrong_witness_gives_no_proof(void **state) {
  scene s;
  rp_error err = {0};
  scene_open(&s, *state, 1);
  RP(_task) *task = NULL;
  s.wtns.data[s.wtns.bytes - 32] ^= 1;
  RP(_request) request = request_of(&s, count);
  EXPECT(RP_OK, RP(_submit)(s.prover, &request, 0, &task, &err), &err);
  expect_nothing(task, RP_ERR_VERIFY);
  RP(_end)(task);
  request.wtns_bytes = 5;
  EXPECT(RP_OK, RP(_submit)(s.prover, &request, 0, &task, &err), &err);
  expect_nothing(task, RP_ERR_FORMAT);
  RP(_end)(task);
  assert_int_equal(s.calls, 2);
  scene_close(&s);
}

typedef struct caller {
  scene *s;
  rp_status status;
} caller;

static void *prove_beside(void *user) {
  caller *c = user;
  rp_error err = {0};
  RP(_proof) proof;
  c->status = RP(_prove)(c->s->prover, c->s->wtns.data, c->s->wtns.bytes, &proof, NULL, NULL, &err);
  return NULL;
}

/* Another call has the only slot, and keeps it. */
static void a_task_that_waits_is_cancelled(void **state) {
  scene s;
  rp_error err = {0};
  pthread_t thread;
  scene_open(&s, *state, 1);
  caller beside = {.s = &s};
  RP(_task) *task = NULL, *none = NULL;
  s.held = 1;
  assert_int_equal(pthread_create(&thread, NULL, prove_beside, &beside), 0);
  sem_wait(&s.inside);
  const RP(_request) request = request_of(&s, count);
  EXPECT(RP_OK, RP(_submit)(s.prover, &request, 0, &task, &err), &err);
  EXPECT(RP_ERR_BUSY, RP(_submit)(s.prover, &request, 0, &none, &err), &err);
  assert_null(none);
  assert_int_equal(RP(_poll)(task), RP_ERR_TIMEOUT);
  EXPECT(RP_ERR_TIMEOUT, RP(_result)(task, NULL, NULL, NULL, &err), &err);
  rest(); /* so that it waits for the slot */
  RP(_cancel)(task);
  expect_nothing(task, RP_ERR_CANCELLED);
  RP(_end)(task);
  s.held = 0;
  sem_post(&s.open);
  pthread_join(thread, NULL);
  assert_int_equal(beside.status, RP_OK);
  assert_int_equal(s.calls, 1);
  scene_close(&s);
}

/* The task's run is over and held up by the test: the result stands, and cancelling does not touch the run, which may
 * belong to another proof by then. */
static void a_finished_run_is_not_lost(void **state) {
  scene s;
  rp_error err = {0};
  RP(_task) *task = NULL;
  scene_open(&s, *state, 1);
  s.held = 1;
  const RP(_request) request = request_of(&s, count);
  EXPECT(RP_OK, RP(_submit)(s.prover, &request, 0, &task, &err), &err);
  sem_wait(&s.inside);
  const unsigned before = cancelled_runs;
  RP(_cancel)(task);
  assert_int_equal(cancelled_runs, before);
  sem_post(&s.open);
  assert_int_equal(RP(_wait)(task, FOREVER), RP_OK);
  expect_proof(&s, task);
  RP(_prover_destroy)(s.prover);
  s.prover = NULL;
  expect_proof(&s, task); /* tasks outlive their prover */
  RP(_end)(task);
  scene_close(&s);
}

static void submit_next(void *user, RP(_task) * task) {
  scene *s = user;
  rp_error err = {0};
  RP(_proof) proof;
  if (RP(_result)(task, &proof, NULL, NULL, &err) != RP_OK || proof.g1 != RP_CURVE_BN254_G1) s->bad++;
  if (s->left-- > 0) {
    RP(_task) *next = NULL;
    const RP(_request) request = request_of(s, submit_next);
    if (RP(_submit)(s->prover, &request, FOREVER, &next, &err) != RP_OK) s->bad++;
    if (RP(_wait)(next, FOREVER) != RP_ERR_STATE) s->bad++; /* it would wait for this thread */
  } else {
    sem_post(&s->inside);
    rest(); /* the prover is destroyed meanwhile, which must wait */
  }
  s->calls++;
  RP(_end)(task);
}

static void a_callback_submits_the_next(void **state) {
  scene s;
  rp_error err = {0};
  RP(_task) *task = NULL;
  scene_open(&s, *state, 1);
  s.left = 2;
  const RP(_request) request = request_of(&s, submit_next);
  EXPECT(RP_OK, RP(_submit)(s.prover, &request, 0, &task, &err), &err);
  sem_wait(&s.inside);
  RP(_prover_destroy)(s.prover); /* waits for the callback */
  s.prover = NULL;
  assert_int_equal(s.calls, 3);
  assert_int_equal(s.bad, 0);
  scene_close(&s);
}

static int run_all(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_submitted_proof_verifies),     cmocka_unit_test(wrong_requests_are_refused),
      cmocka_unit_test(a_wrong_witness_gives_no_proof), cmocka_unit_test(a_task_that_waits_is_cancelled),
      cmocka_unit_test(a_finished_run_is_not_lost),     cmocka_unit_test(a_callback_submits_the_next),
  };
  return cmocka_run_group_tests(tests, group_opens_bench, group_closes_bench);
}

#endif
