/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A prover's thread that looks for the next proof without sleeping (support_watch, of which this program counts the
 * calls): only where proofs are submitted promptly, and no task is left to a thread that sleeps.
 */
#include "gate.h"
#include "threads/parallel.h"
#include "threads/watch.h"

#include <pthread.h>
#include <stdio.h>

static blob zkey, wtns;

enum { MILLISECOND = 1000000, WATCH_IS_OVER = 5 * MILLISECOND };
#define PATIENCE ((uint64_t)30 * 1000 * MILLISECOND) /* longer than anything here takes */

static atomic_uint watches, found; /* calls of support_watch, and those that saw a change */
static atomic_bool held;           /* the threads of provers return from it when they may */
static sem_t watching, may_return;

bool __real_support_watch(const atomic_uint *counter, unsigned seen, uint64_t timeout_ns);
bool __wrap_support_watch(const atomic_uint *counter, unsigned seen, uint64_t timeout_ns);
bool __wrap_support_watch(const atomic_uint *counter, unsigned seen, uint64_t timeout_ns) {
  watches++;
  if (atomic_exchange(&held, 0)) {
    sem_post(&watching);
    sem_wait(&may_return);
  }
  const bool changed = __real_support_watch(counter, seen, timeout_ns);
  found += changed;
  return changed;
}

/* sem_wait that fails the test instead of waiting for ever. */
static void await(sem_t *semaphore) {
  for (const uint64_t until = clock_ns() + PATIENCE; sem_trywait(semaphore) != 0; pause_ns(MILLISECOND / 10))
    assert_true(clock_ns() < until);
}

static rp_groth16_task *submit(rp_groth16_prover *prover) {
  const rp_groth16_request request = {.struct_size = sizeof request, .wtns = wtns.data, .wtns_bytes = wtns.bytes};
  rp_groth16_task *task = NULL;
  rp_error err = {0};
  EXPECT(RP_OK, rp_groth16_submit(prover, &request, UINT64_MAX, &task, &err), &err);
  return task;
}

static void take(rp_groth16_task *task) {
  assert_int_equal(rp_groth16_wait(task, PATIENCE), RP_OK);
  rp_groth16_end(task);
}

/* One proof after another, each submitted when the one before is finished, until one has been found by the thread that
 * made the one before. */
static void prove_promptly(rp_groth16_prover *prover) {
  const unsigned before = found;
  const uint64_t until = clock_ns() + PATIENCE;
  while (found == before && clock_ns() < until) take(submit(prover));
  assert_true(found > before);
}

/* ---- support_watch ----------------------------------------------------------------------------------------------- */

static void *change_later(void *arg) {
  pause_ns(2 * MILLISECOND);
  atomic_fetch_add((atomic_uint *)arg, 1);
  return NULL;
}

static void watching_ends_with_a_change_or_the_time(void **state) {
  atomic_uint counter = 7;
  pthread_t thread;
  (void)state;
  const uint64_t begin = clock_ns();
  assert_false(__real_support_watch(&counter, 7, 3 * MILLISECOND));
  assert_true(clock_ns() - begin >= 3 * MILLISECOND);
  assert_true(__real_support_watch(&counter, 6, UINT64_MAX));
  assert_true(__real_support_watch(&counter, 8, MILLISECOND)); /* the counter has begun again from 0 */
  assert_int_equal(pthread_create(&thread, NULL, change_later, &counter), 0);
  assert_true(__real_support_watch(&counter, 7, UINT64_MAX));
  pthread_join(thread, NULL);
}

/* ---- Provers ----------------------------------------------------------------------------------------------------- */

static void only_prompt_programs_are_watched_for(void **state) {
  rp_groth16_prover *prover = prover_of(*state, &zkey, 2);
  const unsigned before = watches;
  for (int i = 0; i < 5; i++) {
    take(submit(prover));
    pause_ns(WATCH_IS_OVER);
  }
  assert_int_equal(watches, before);
  prove_promptly(prover);
  pause_ns(WATCH_IS_OVER); /* the thread sleeps again, and is woken */
  const unsigned prompt = watches;
  take(submit(prover));
  pause_ns(WATCH_IS_OVER);
  assert_int_equal(watches, prompt);
  rp_groth16_prover_destroy(prover);
}

static void prove_through(rp_groth16_prover *prover, gate *g) {
  sem_post(&g->open);
  take(submit(prover));
  await(&g->inside);
}

/* Until a thread of the prover has begun to watch, and is held. */
static void hold_a_thread(rp_groth16_prover *prover, gate *g) {
  const uint64_t until = clock_ns() + PATIENCE;
  for (bool holds = 0; !holds; assert_true(clock_ns() < until)) {
    prove_through(prover, g);
    held = 1;
    prove_through(prover, g); /* promptly, unless this thread was kept from running */
    pause_ns(WATCH_IS_OVER);
    holds = !atomic_exchange(&held, 0);
  }
  await(&watching);
}

/* Of two tasks, one is for the thread that watches, and the other one for a thread that is woken. */
static void the_second_task_wakes_a_thread(void **state) {
  gate g;
  rp_groth16_task *tasks[2];
  rp_groth16_prover *prover = gated_prover(*state, &zkey, &g, 2);
  for (int round = 0; round < 3; round++) {
    for (int i = 0; i < 2; i++) tasks[i] = submit(prover);
    for (int i = 0; i < 2; i++) await(&g.inside); /* both threads have one */
    for (int i = 0; i < 2; i++) sem_post(&g.open);
    for (int i = 0; i < 2; i++) take(tasks[i]);
    pause_ns(WATCH_IS_OVER);
    hold_a_thread(prover, &g);
    const unsigned before = found;
    for (int i = 0; i < 2; i++) tasks[i] = submit(prover);
    await(&g.inside); /* by the other thread, while the first one is held */
    sem_post(&may_return);
    await(&g.inside);
    assert_int_equal(found, before + 1);
    for (int i = 0; i < 2; i++) sem_post(&g.open);
    for (int i = 0; i < 2; i++) take(tasks[i]);
  }
  rp_groth16_prover_destroy(prover);
  gate_free(&g);
}

static void a_prover_is_destroyed_while_its_thread_watches(void **state) {
  for (int i = 0; i < 10; i++) {
    rp_groth16_prover *prover = prover_of(*state, &zkey, 1 + (uint32_t)i % 3);
    prove_promptly(prover);
    rp_groth16_task *last = submit(prover);
    assert_int_equal(rp_groth16_wait(last, PATIENCE), RP_OK);
    rp_groth16_prover_destroy(prover);
    assert_int_equal(rp_groth16_poll(last), RP_OK);
    rp_groth16_end(last);
  }
}

int main(void) {
  if (support_processors() < 2) {
    puts("SKIP: with one processor no thread watches");
    return 77;
  }
  bench b;
  bench_open(&b);
  void *state = &b;
  sem_init(&watching, 0, 0);
  sem_init(&may_return, 0, 0);
  made files = fixture_files("multiplier_bn254");
  zkey = files.zkey, wtns = files.wtns;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(watching_ends_with_a_change_or_the_time),
      cmocka_unit_test_prestate(only_prompt_programs_are_watched_for, state),
      cmocka_unit_test_prestate(the_second_task_wakes_a_thread, state),
      cmocka_unit_test_prestate(a_prover_is_destroyed_while_its_thread_watches, state),
  };
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  made_free(&files);
  sem_destroy(&watching), sem_destroy(&may_return);
  bench_close(&b);
  return failed;
}
