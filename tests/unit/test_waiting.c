/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Threads wait for a slot of a recording, but none becomes free: the device is lost, or the recording loses its memory
 * to another one. Each thread gets an error, or a slot in the end; a thread that is forgotten waits until its timeout.
 * test_sharing.c tests waiting for memory that runs hold.
 */
#include "recording.h"
#include "watch.h"

#include <time.h>

enum { WAITERS = 3, N = 4096, ATTEMPTS = 100 };
/* Both times are far from each other, and from the time that a call usually takes. */
static const uint64_t long_ns = 60000000000u, soon_ns = 30000000000u;

typedef struct waiter {
  rp_recording *recording;
  rp_status status;
  uint64_t took_ns;
} waiter;

/* Begins a run, and ends it if it was begun. */
static void *wait_main(void *arg) {
  waiter *w = arg;
  rp_run *run;
  const uint64_t begin = rp_now_ns();
  w->status = rp_run_begin(w->recording, long_ns, &run, NULL);
  w->took_ns = rp_now_ns() - begin;
  rp_run_end(run);
  return NULL;
}

/* Starts the waiters, and returns when all of them wait. */
static void begin_waiting(waiter waiters[WAITERS], pthread_t threads[WAITERS], rp_recording *recording) {
  for (int i = 0; i < WAITERS; i++) {
    waiters[i] = (waiter){.recording = recording};
    assert_int_equal(pthread_create(&threads[i], NULL, wait_main, &waiters[i]), 0);
  }
  for (uint32_t n = 0; n < WAITERS;) {
    nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
    pthread_mutex_lock(&recording->lock);
    n = recording->n_waiting;
    pthread_mutex_unlock(&recording->lock);
  }
}

static rp_value in, out;

static void build(void) {
  in = rp_graph_input(the_watch.graph, "in", &toy_u64, N, 0);
  out = toy_table(the_watch.graph, toy_scale(the_watch.graph, in, 3));
  rp_graph_output(the_watch.graph, "out", out, 0);
}

static void a_lost_device_is_reported_to_all(void **state) {
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

/* A slot that is released wakes one thread. Before that thread takes it, another recording may take the memory; then
 * the threads wait for memory, and each gets its turn. */
static void memory_that_is_gone_comes_back(void **state) {
  (void)state;
  rp_plan_info info = {.struct_size = sizeof info};
  waiter waiters[WAITERS];
  pthread_t threads[WAITERS];
  watch_open(&rp_backend_cpu, 0);
  build();
  assert_int_equal(rp_plan_query(the_watch.device, the_watch.graph, NULL, &info, NULL), RP_OK);
  rp_device_close(the_watch.device);
  assert_int_equal(watch_open_device(&rp_backend_cpu, info.total_bytes * 3 / 2, NULL), RP_OK);
  rp_recording *a = watch_record(1, 0), *b = watch_record(1, 0);
  for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
    rp_run *run, *other;
    assert_int_equal(rp_run_begin(a, UINT64_MAX, &run, NULL), RP_OK);
    begin_waiting(waiters, threads, a);
    rp_run_end(run);
    assert_int_equal(rp_run_begin(b, UINT64_MAX, &other, NULL), RP_OK);
    rp_run_end(other);
    for (int i = 0; i < WAITERS; i++) {
      pthread_join(threads[i], NULL);
      assert_int_equal(waiters[i].status, RP_OK);
      assert_true(waiters[i].took_ns < soon_ns);
    }
  }
  assert_true(the_watch.peak_bytes <= info.total_bytes * 3 / 2);
  rp_recording_destroy(a);
  rp_recording_destroy(b);
  watch_close();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_lost_device_is_reported_to_all),
      cmocka_unit_test(memory_that_is_gone_comes_back),
  };
  return cmocka_run_group_tests_name("waiting", tests, NULL, NULL);
}
