/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The threads of the CPU device end when the pool is closed, also if one of them is telling others of a run's end.
 * Tasks that have nothing to do finish, without threads.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "backends/cpu/cpu.h"

#include <time.h>
#include <unistd.h>

static atomic_int telling;

/* Called by a thread of the pool, without its lock. The pool is closed meanwhile. */
static void tell(void *argument) {
  (void)argument;
  atomic_store(&telling, 1);
  nanosleep(&(struct timespec){0, 100000000}, NULL);
}

static rp_event_waiter waiter = {.reached = tell};

static void job_ended(cpu_pool *pool, cpu_job *job) {
  waiter.next = NULL;
  pool->reached = &waiter;
  atomic_store(&job->done, 1);
}

static void work(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *worker) {
  (void)args, (void)begin, (void)end, (void)worker;
}

static void closed_while_a_thread_tells(void **state) {
  (void)state;
  for (uint32_t workers = 1; workers <= 2; workers++) {
    uint32_t ready[1];
    cpu_task task = {.run = work, .items = 1, .path = 1};
    cpu_job job = {.tasks = &task, .n_tasks = 1, .ready = ready, .ended = job_ended};
    rp_context *context;
    cpu_pool pool;
    assert_int_equal(rp_context_create(NULL, &context, NULL), RP_OK);
    assert_int_equal(cpu_pool_open(&pool, context, workers, NULL, NULL), RP_OK);
    atomic_store(&telling, 0);
    cpu_pool_start(&pool, &job);
    while (!atomic_load(&telling)) usleep(100);
    alarm(30); /* a thread that sleeps for ever is joined for ever */
    cpu_pool_close(&pool);
    alarm(0);
    rp_context_destroy(context);
  }
}

/* Tasks that have nothing to do finish with the one before them, all of them, in one run and the next. */
static void tasks_without_work(void **state) {
  (void)state;
  enum { SIDES = 3, LAST = SIDES + 1, TASKS };
  static const uint64_t unbound = 0;
  const uint32_t sides[SIDES] = {1, 2, 3}, last[1] = {LAST};
  const rp_cpu_worker worker = {0};
  uint32_t ready[TASKS];
  cpu_task tasks[TASKS];
  tasks[0] = (cpu_task){.run = work, .items = 1, .path = 3, .succs = sides, .n_succs = SIDES};
  for (uint32_t i = 1; i < LAST; i++)
    tasks[i] =
        (cpu_task){.run = work, .items = 1, .word = &unbound, .path = 2, .succs = last, .n_succs = 1, .n_preds = 1};
  tasks[LAST] = (cpu_task){.run = work, .items = 1, .word = &unbound, .path = 1, .n_preds = SIDES};
  cpu_job job = {.tasks = tasks, .n_tasks = TASKS, .ready = ready};
  for (int run = 0; run < 2; run++) {
    cpu_visit visit;
    cpu_job_reset(&job, 1);
    assert_true(cpu_job_pick(&job, &visit) && visit.task == tasks);
    assert_true(cpu_job_visit(&visit, &worker, UINT64_MAX));
    cpu_job_finish(&job, visit.task, 1);
    assert_int_equal(job.unfinished, 0);
    assert_int_equal(atomic_load(&job.n_finished), TASKS);
    assert_int_equal(job.n_ready, 0);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(closed_while_a_thread_tells),
                                     cmocka_unit_test(tasks_without_work)};
  return cmocka_run_group_tests_name("cpu_pool", tests, NULL, NULL);
}
