/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The threads of the CPU device end when the pool is closed, also if one of them is telling others of a run's end.
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
    uint32_t ready[1], finished[1];
    cpu_task task = {.run = work, .items = 1, .path = 1};
    cpu_job job = {.tasks = &task, .n_tasks = 1, .ready = ready, .finished = finished, .ended = job_ended};
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

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(closed_while_a_thread_tells)};
  return cmocka_run_group_tests_name("cpu_pool", tests, NULL, NULL);
}
