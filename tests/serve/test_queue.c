/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The queue of jobs by itself (cli/serve/queue.h): which job is next, how many may wait, and what happens to jobs that
 * wait and to jobs that run when their deadline passes or a client cancels them.
 */
#include "answer.h"
#include "queue.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

/* ---- In place of the service ------------------------------------------------------------------------------------- */

static uint64_t now;
static unsigned released, freed_bodies, told;
static const void *cancelled_task;

uint64_t cli_now_ns(void) { return now; }
void serve_job_release(serve_job *job) {
  if (--job->refs == 0) released++;
}
void serve_body_free(serve_body *body) { (void)body, freed_bodies++; }
void serve_job_cancelled(serve_job *job) {
  job->status = RP_ERR_CANCELLED;
  told++;
}
cli_resident_state cli_residents_state(cli_residents *residents, int64_t id) {
  (void)residents;
  return id % 2 ? CLI_RESIDENT_READY : CLI_RESIDENT_ABSENT;
}
void __wrap_rp_pool_cancel(rp_pool_task *task);
void __wrap_rp_pool_cancel(rp_pool_task *task) { cancelled_task = task; }

static serve_job jobs[8];
static serve_key keys[8];

static serve_queue begin(unsigned most_waiting) {
  now = 1000;
  released = freed_bodies = told = 0;
  cancelled_task = NULL;
  memset(jobs, 0, sizeof jobs);
  memset(keys, 0, sizeof keys);
  return (serve_queue){.most_waiting = most_waiting, .patience_ns = 100, .changed = PTHREAD_COND_INITIALIZER};
}

/* A job whose key is resident if its number is odd. */
static serve_put_result put(serve_queue *q, int number, int32_t priority) {
  keys[number].id = number;
  jobs[number] = (serve_job){.kind = SERVE_PROVE, .key = &keys[number], .priority = priority, .refs = 1};
  return serve_queue_put(q, &jobs[number]);
}

static void take(serve_queue *q, int number) {
  const serve_job *job = serve_queue_take(q, NULL);
  if (job != &jobs[number]) fail_msg("job %td comes in place of job %d", job ? job - jobs : -1, number);
  assert_int_equal(job->state, SERVE_RUNNING);
}

/* ---- Order and room ---------------------------------------------------------------------------------------------- */

static void older_jobs_first(void **state) {
  (void)state;
  serve_queue q = begin(5);
  assert_int_equal(put(&q, 1, 0), SERVE_PUT_OK);
  assert_int_equal(put(&q, 3, 0), SERVE_PUT_OK);
  assert_int_equal(put(&q, 5, 7), SERVE_PUT_OK);
  assert_int_equal(put(&q, 7, 7), SERVE_PUT_OK);
  assert_int_equal(put(&q, 0, -1), SERVE_PUT_OK);
  assert_int_equal(put(&q, 2, 9), SERVE_PUT_FULL);
  assert_int_equal(q.n_waiting, 5);
  assert_int_equal(q.counts.refused_full, 1);
  take(&q, 5);
  take(&q, 7);
  take(&q, 1);
  assert_int_equal(put(&q, 2, 9), SERVE_PUT_OK);
  take(&q, 2); /* its key is not resident, but jobs of lower priority do not overtake it */
  take(&q, 3);
  take(&q, 0);
  assert_null(serve_queue_take(&q, NULL));
  assert_int_equal(q.n_running, 6);
  q.is_stopping = 1;
  assert_int_equal(put(&q, 4, 0), SERVE_PUT_STOPPING);
}

/* Until its patience is over, a job whose key is absent lets those pass whose keys are resident. */
static void patience_ends(void **state) {
  (void)state;
  serve_queue q = begin(8);
  put(&q, 2, 0);
  for (int k = 1; k <= 5; k += 2) put(&q, k, 0);
  take(&q, 1);
  now += q.patience_ns - 1;
  take(&q, 3);
  now++;
  take(&q, 2);
  take(&q, 5);
}

/* ---- The end ----------------------------------------------------------------------------------------------------- */

static void deadlines_of_all(void **state) {
  (void)state;
  serve_queue q = begin(8);
  for (int k = 1; k <= 7; k += 2) {
    put(&q, k, 0);
    jobs[k].deadline_ns = k == 7 ? 0 : 2000;
  }
  take(&q, 1);
  take(&q, 3);
  jobs[1].task = (rp_pool_task *)&jobs[1];
  serve_queue_tick(&q, 1999);
  assert_int_equal(q.counts.late, 0);
  serve_queue_tick(&q, 2000);
  assert_int_equal(q.counts.late, 3);
  for (int k = 1; k <= 5; k += 2) assert_int_equal(jobs[k].ended_by, 504);
  assert_int_equal(jobs[7].ended_by, 0);
  assert_ptr_equal(cancelled_task, &jobs[1]);
  assert_int_equal(jobs[1].state, SERVE_RUNNING); /* until its worker ends it */
  assert_int_equal(jobs[5].state, SERVE_ENDED);
  assert_int_equal(told, 1);
  serve_queue_tick(&q, 3000); /* once for each job */
  assert_int_equal(q.counts.late, 3);
  assert_int_equal(q.n_waiting, 1);
  assert_int_equal(q.n_running, 2);
}

/* The first reason stands, and a job that has ended is not cancelled. */
static void the_first_reason_stands(void **state) {
  (void)state;
  serve_queue q = begin(8);
  put(&q, 1, 0);
  put(&q, 3, 0);
  take(&q, 1);
  serve_queue_cancel(&q, &jobs[1], 499, "the client has gone");
  serve_queue_cancel(&q, &jobs[1], 504, "the deadline passed");
  assert_int_equal(jobs[1].ended_by, 499);
  now += 50;
  jobs[1].status = RP_ERR_CANCELLED;
  serve_queue_end(&q, &jobs[1]);
  assert_int_equal(jobs[1].ended_ns - jobs[1].begun_ns, 50);
  serve_queue_cancel(&q, &jobs[3], 499, "the client has gone");
  assert_int_equal(jobs[3].state, SERVE_ENDED);
  assert_int_equal(freed_bodies, 2);
  assert_int_equal(q.counts.ended[SERVE_PROVE][1], 2);
  serve_queue_cancel(&q, &jobs[3], 504, "the deadline passed");
  assert_int_equal(jobs[3].ended_by, 499);
  assert_int_equal(told, 1);
}

/* Ended jobs are kept until a client asks, and found by their id and by the key of their request. */
static void ended_jobs_are_found(void **state) {
  (void)state;
  serve_queue q = begin(8);
  for (int k = 1; k <= 5; k += 2) {
    put(&q, k, 0);
    jobs[k].id[0] = (char)('0' + k);
    jobs[k].idempotency[0] = (char)('a' + k);
    jobs[k].is_listed = k != 5;
  }
  take(&q, 1);
  serve_queue_end(&q, &jobs[1]);
  take(&q, 3);
  assert_ptr_equal(serve_queue_find(&q, "1"), &jobs[1]);
  assert_ptr_equal(serve_queue_find(&q, "3"), &jobs[3]);
  assert_null(serve_queue_find(&q, "5"));
  assert_ptr_equal(serve_queue_find_idempotent(&q, "b"), &jobs[1]);
  assert_ptr_equal(serve_queue_find_idempotent(&q, "d"), &jobs[3]);
  assert_null(serve_queue_find_idempotent(&q, "1"));
  assert_int_equal(q.n_ended, 1);
  assert_int_equal(jobs[1].refs, 2);
  serve_queue_close(&q);
  assert_int_equal(jobs[1].refs, 1);
  assert_null(serve_queue_find(&q, "1"));
}

/* What is kept of ended jobs has at most 64 MiB, and at least the newest; what is forgotten makes room. */
static void results_have_bounds(void **state) {
  (void)state;
  enum { LONG = 1 << 20, LONGS = 70, SHORTS = 100 };
  static serve_job made[LONGS + 1 + SHORTS];
  static char text[LONG + 1], longest[(65 << 20) + 1];
  serve_queue q = begin(1);
  memset(text, ' ', LONG);
  memset(longest, ' ', sizeof longest - 1);
  for (int k = 0; k <= LONGS + SHORTS; k++) {
    made[k] = (serve_job){.kind = SERVE_VERIFY, .refs = 1, .is_listed = 1};
    made[k].text = k < LONGS ? text : k == LONGS ? longest : NULL;
    assert_int_equal(serve_queue_put(&q, &made[k]), SERVE_PUT_OK);
    assert_ptr_equal(serve_queue_take(&q, NULL), &made[k]);
    serve_queue_end(&q, &made[k]);
    if (k < LONGS) assert_int_equal(q.n_ended, k < 64 ? k + 1 : 64);
    if (k == LONGS) assert_int_equal(q.n_ended, 1);
  }
  assert_int_equal(q.n_ended, SHORTS);
  assert_ptr_equal(q.newest, &made[LONGS + SHORTS]);
  assert_false(made[LONGS].is_listed);
  serve_queue_close(&q);
}

/* Proofs that failed are none, and jobs that run count for when a client is to come again. */
static void proofs_are_counted(void **state) {
  (void)state;
  serve_queue q = begin(8);
  for (int k = 1; k <= 7; k += 2) put(&q, k, 0);
  take(&q, 1);
  now += 1000000000;
  serve_queue_end(&q, &jobs[1]);
  take(&q, 3);
  now += 500000000;
  jobs[3].status = RP_ERR_VERIFY;
  serve_queue_end(&q, &jobs[3]);
  assert_int_equal(keys[1].n_proofs, 1);
  assert_int_equal(keys[3].n_proofs, 0);
  assert_int_equal(keys[3].n_failed, 1);
  assert_int_equal(keys[3].prove_ns, 0);
  assert_int_equal(q.counts.prove_ns, 1000000000);
  take(&q, 5);
  assert_int_equal(serve_queue_retry_after(&q, 1), 2); /* one job runs, and one waits */
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(older_jobs_first),     cmocka_unit_test(patience_ends),
                                     cmocka_unit_test(deadlines_of_all),     cmocka_unit_test(the_first_reason_stands),
                                     cmocka_unit_test(ended_jobs_are_found), cmocka_unit_test(results_have_bounds),
                                     cmocka_unit_test(proofs_are_counted)};
  return cmocka_run_group_tests_name("serve_queue", tests, NULL, NULL);
}
