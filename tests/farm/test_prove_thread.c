/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The thread that proves (cli/farm/prove_thread.h): batches come out in their order, one waits while another is proved,
 * the time per job is an average that follows slowly, and whatever is left at the end is freed. Batches have answers
 * without rows, and the program counts the answers that are cleared.
 */
#include "prove_thread.h"

#include <semaphore.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>
#include <cmocka.h>

static atomic_uint cleared;
void __real_PQclear(PGresult *rows);
void __wrap_PQclear(PGresult *rows);
void __wrap_PQclear(PGresult *rows) {
  cleared++;
  __real_PQclear(rows);
}

static sem_t begun, may_end;
static long takes_ms;

static void prove(void *self, farm_batch *batch) {
  (void)self, (void)batch;
  sem_post(&begun);
  nanosleep(&(struct timespec){.tv_nsec = takes_ms * 1000000}, NULL);
  sem_wait(&may_end);
}
static const farm_prover prover = {.prove = prove};

static farm_batch *batch_of(int n) {
  farm_batch *b = farm_batch_of(PQmakeEmptyPGresult(NULL, PGRES_TUPLES_OK));
  assert_non_null(b);
  b->n = n;
  free(b->jobs);
  b->jobs = calloc((size_t)n, sizeof *b->jobs);
  assert_non_null(b->jobs);
  return b;
}

static farm_batch *next(farm_prove_thread *t) {
  farm_batch *b = NULL;
  while (!(b = farm_prove_thread_take(t))) nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
  return b;
}

static void in_their_order(void **state) {
  farm_prove_thread t;
  rp_error err = {0};
  farm_batch *b[3] = {batch_of(1), batch_of(1), batch_of(1)};
  (void)state;
  takes_ms = 0;
  assert_int_equal(farm_prove_thread_begin(&t, &prover, &err), RP_OK);
  assert_true(farm_prove_thread_has_room(&t) && farm_prove_thread_is_empty(&t));
  farm_prove_thread_put(&t, b[0]);
  sem_wait(&begun);
  assert_true(farm_prove_thread_has_room(&t));
  farm_prove_thread_put(&t, b[1]);
  assert_false(farm_prove_thread_has_room(&t));
  sem_post(&may_end);
  sem_wait(&begun);
  farm_prove_thread_put(&t, b[2]);
  assert_ptr_equal(farm_prove_thread_recall(&t), b[2]);
  assert_null(farm_prove_thread_recall(&t));
  sem_post(&may_end);
  for (int i = 0; i < 2; i++) assert_ptr_equal(next(&t), b[i]);
  assert_true(farm_prove_thread_is_empty(&t));
  farm_prove_thread_end(&t);
  for (int i = 0; i < 3; i++) farm_batch_free(b[i]);
}

static void one(farm_prove_thread *t, int n, long ms) {
  takes_ms = ms;
  farm_prove_thread_put(t, batch_of(n));
  sem_wait(&begun);
  sem_post(&may_end);
  farm_batch_free(next(t));
}

static void the_time_follows_slowly(void **state) {
  farm_prove_thread t;
  rp_error err = {0};
  (void)state;
  assert_int_equal(farm_prove_thread_begin(&t, &prover, &err), RP_OK);
  one(&t, 2, 200);
  const double first = t.seconds_per_job;
  assert_true(first >= 0.1);
  one(&t, 1, 0);
  assert_true(t.seconds_per_job >= 0.69 * first);
  one(&t, 1, 0);
  assert_true(t.seconds_per_job >= 0.48 * first);
  farm_prove_thread_end(&t);
}

/* One batch that is done, one that is proved when the end is asked for, and one that waits. */
static void what_is_left_is_freed(void **state) {
  farm_prove_thread t;
  rp_error err = {0};
  (void)state;
  takes_ms = 0;
  cleared = 0;
  assert_int_equal(farm_prove_thread_begin(&t, &prover, &err), RP_OK);
  farm_prove_thread_put(&t, batch_of(1));
  sem_wait(&begun);
  farm_prove_thread_put(&t, batch_of(1));
  sem_post(&may_end);
  sem_wait(&begun);
  farm_prove_thread_put(&t, batch_of(1));
  t.has_ended = 1; /* the call says so under the lock, and waits for the proof */
  sem_post(&may_end);
  farm_prove_thread_end(&t);
  assert_int_equal(cleared, 3);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(in_their_order), cmocka_unit_test(the_time_follows_slowly),
                                     cmocka_unit_test(what_is_left_is_freed)};
  sem_init(&begun, 0, 0);
  sem_init(&may_end, 0, 0);
  return cmocka_run_group_tests_name("farm_prove_thread", tests, NULL, NULL);
}
