/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Threads that wait for a slot of a recording, and the slot comes to nothing: the device is lost, or the recording
 * gives its memory to another and cannot have it back. All of them are told; one that was forgotten would wait for
 * ever.
 */
#include "watch.h"

#include <time.h>

enum { WAITERS = 3, N = 4096, ATTEMPTS = 200 };
static const uint64_t long_ns = 5000000000u, soon_ns = 2000000000u;

typedef struct waiter {
  rp_recording *recording;
  _Atomic int begun;
  rp_status status;
  uint64_t took_ns;
} waiter;

/* Begins a run, and ends it if there is one. */
static void *wait_main(void *arg) {
  waiter *w = arg;
  rp_run *run;
  const uint64_t begin = rp_now_ns();
  atomic_store(&w->begun, 1);
  w->status = rp_run_begin(w->recording, long_ns, &run, NULL);
  w->took_ns = rp_now_ns() - begin;
  rp_run_end(run);
  return NULL;
}

static void begin_waiting(waiter waiters[WAITERS], pthread_t threads[WAITERS], rp_recording *recording) {
  for (int i = 0; i < WAITERS; i++) {
    waiters[i] = (waiter){.recording = recording};
    assert_int_equal(pthread_create(&threads[i], NULL, wait_main, &waiters[i]), 0);
  }
  for (int i = 0; i < WAITERS; i++)
    while (!atomic_load(&waiters[i].begun)) nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
  nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL); /* all of them sleep by now; if not, nothing is tried */
}

static rp_value in, out;

static void build(void) {
  in = rp_graph_input(the_watch.graph, "in", &toy_u64, N, 0);
  out = toy_table(the_watch.graph, toy_scale(the_watch.graph, in, 3));
  rp_graph_output(the_watch.graph, "out", out, 0);
}

static void a_lost_device_is_told_to_all(void **state) {
  (void)state;
  static const uint64_t data[N] = {1};
  waiter waiters[WAITERS];
  pthread_t threads[WAITERS];
  rp_run *run;
  watch_open(&rp_backend_cpu, 0);
  build();
  rp_recording *r = watch_record(1, 0);
  assert_int_equal(rp_run_begin(r, 0, &run, NULL), RP_OK);
  begin_waiting(waiters, threads, r);
  the_watch.lose_device_at_wait = 1;
  assert_int_equal(rp_run_set_input(run, in, data, sizeof data), RP_OK);
  assert_int_equal(rp_run_submit(run), RP_OK);
  assert_int_equal(rp_run_wait(run, UINT64_MAX), RP_ERR_DEVICE_LOST);
  rp_run_end(run);
  for (int i = 0; i < WAITERS; i++) {
    pthread_join(threads[i], NULL);
    assert_int_equal(waiters[i].status, RP_ERR_DEVICE_LOST);
    assert_true(waiters[i].took_ns < soon_ns);
  }
  rp_recording_destroy(r);
  watch_close();
}

/* The slot that is given back wakes one thread. Before it has it, another recording takes the memory. That one is
 * refused, and the others must be too, or have a slot once there is memory. */
static void memory_that_is_gone_is_told_to_all(void **state) {
  (void)state;
  rp_plan_info info = {.struct_size = sizeof info};
  waiter waiters[WAITERS];
  pthread_t threads[WAITERS];
  int refused = 0;
  watch_open(&rp_backend_cpu, 0);
  build();
  assert_int_equal(rp_plan_query(the_watch.device, the_watch.graph, NULL, &info, NULL), RP_OK);
  rp_device_close(the_watch.device);
  assert_int_equal(watch_open_device(&rp_backend_cpu, info.total_bytes * 3 / 2, NULL), RP_OK);
  rp_recording *a = watch_record(1, 0), *b = watch_record(1, 0);
  for (int attempt = 0; attempt < ATTEMPTS && !refused; attempt++) {
    rp_run *run, *other;
    assert_int_equal(rp_run_begin(a, 0, &run, NULL), RP_OK);
    begin_waiting(waiters, threads, a);
    rp_run_end(run);
    rp_status taken = rp_run_begin(b, 0, &other, NULL); /* refused where the thread that was woken was faster */
    assert_true(taken == RP_OK || taken == RP_ERR_BUDGET);
    nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
    rp_run_end(other);
    for (int i = 0; i < WAITERS; i++) {
      pthread_join(threads[i], NULL);
      assert_true(waiters[i].status == RP_OK || waiters[i].status == RP_ERR_BUDGET);
      assert_true(waiters[i].took_ns < soon_ns);
      refused += waiters[i].status == RP_ERR_BUDGET;
    }
  }
  assert_true(refused > 0); /* or the test has tried nothing */
  assert_true(the_watch.peak_bytes <= info.total_bytes * 3 / 2);
  rp_recording_destroy(a);
  rp_recording_destroy(b);
  watch_close();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_lost_device_is_told_to_all),
      cmocka_unit_test(memory_that_is_gone_is_told_to_all),
  };
  return cmocka_run_group_tests_name("waiting", tests, NULL, NULL);
}
