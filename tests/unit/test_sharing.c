/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Recordings of one device whose budget does not hold all of them: which calls wait for memory that runs of other
 * recordings hold, in which order, and which must not wait. Where a test needs a thread to wait, it looks into the line
 * itself. An alarm ends a call that never returns.
 */
#include "line.h"
#include "watch.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

enum { N = 512, ALARM_SECONDS = 500, MOST_THREADS = 8 };
static const uint64_t second_ns = 1000000000u;

static rp_value in, out;
static atomic_int gate_shut, gate_waits;

static void sleep_us(long us) { nanosleep(&(struct timespec){.tv_nsec = us * 1000}, NULL); }

/* ---- A graph whose recording takes as long to load as the test wants --------------------------------------------- */

static void gated_copy(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *worker) {
  uint64_t *const *a = args;
  (void)worker;
  for (uint64_t i = begin; i < end; i++) a[2][i] = a[0][i] + a[1][0];
}
static const rp_kernel k_gated = {.struct_size = sizeof(rp_kernel),
                                  .name = "gated",
                                  .args_bytes = 24,
                                  .n_binds = 3,
                                  .n_cpu = 1,
                                  .cpu = &(const rp_cpu_variant){RP_ISA_C, gated_copy}};

static rp_status gated_fill(const void *user, void *dst, uint64_t len) {
  (void)user;
  atomic_fetch_add(&gate_waits, 1);
  while (atomic_load(&gate_shut)) sleep_us(100);
  memset(dst, 0, len * sizeof(uint64_t));
  return RP_OK;
}

static rp_status gated_shape(const rp_shape *s) {
  s->out_type[0] = s->in_type[0];
  s->out_len[0] = s->in_len[0];
  return RP_OK;
}

static rp_status gated_lower(rp_lower *l) {
  const uint64_t args[3] = {0};
  const rp_value zeros = rp_lower_constant(l, "zeros", &toy_u64, N, gated_fill, NULL, 0);
  const rp_bind binds[] = {RP_BIND(rp_lower_in(l, 0), RP_READ), RP_BIND(zeros, RP_READ),
                           RP_BIND(rp_lower_out(l, 0), RP_WRITE)};
  rp_lower_dispatch(
      l, &(rp_dispatch){
             .kernel = &k_gated, .groups = {N}, .binds = binds, .n_binds = 3, .args = args, .args_bytes = sizeof args});
  return RP_OK;
}
static const rp_strategy gated_strategies[] = {{.name = "gated", .devices = RP_ON_ANY, .lower = gated_lower}};
static const rp_op op_gated = {.struct_size = sizeof(rp_op),
                               .name = "gated",
                               .shape = gated_shape,
                               .strategies = gated_strategies,
                               .n_strategies = 1};

/* Opens a device with memory for `halves` halves of a recording that has `slots` slots. */
static void open_for(uint64_t halves, uint32_t slots) {
  rp_plan_info info = {.struct_size = sizeof info};
  const rp_record_options options = {.struct_size = sizeof options, .max_in_flight = slots};
  alarm(ALARM_SECONDS);
  atomic_store(&gate_shut, 0);
  watch_open(&rp_backend_cpu, 0);
  in = rp_graph_input(the_watch.graph, "in", &toy_u64, N, 0);
  rp_value x = toy_scale(the_watch.graph, in, 3);
  out = rp_graph_node(the_watch.graph, &op_gated, NULL, &x, 1, NULL, 1);
  rp_graph_output(the_watch.graph, "out", out, 0);
  assert_int_equal(rp_plan_query(the_watch.device, the_watch.graph, &options, &info, NULL), RP_OK);
  rp_device_close(the_watch.device);
  assert_int_equal(watch_open_device(&rp_backend_cpu, info.total_bytes * halves / 2, NULL), RP_OK);
}

static void close_all(rp_recording **recordings, int n) {
  for (int i = 0; i < n; i++) rp_recording_destroy(recordings[i]);
  watch_close();
  alarm(0);
}

/* Returns 1 if the output is three times the input. */
static int replay(rp_run *run, uint64_t seed) {
  uint64_t data[N];
  for (uint64_t i = 0; i < N; i++) data[i] = seed * 1000003 + i;
  if (rp_run_set_input(run, in, data, sizeof data) || rp_run_submit(run) || rp_run_wait(run, UINT64_MAX)) return 0;
  const uint64_t *result = rp_run_output(run, out);
  for (uint64_t i = 0; result && i < N; i++)
    if (result[i] != 3 * data[i]) return 0;
  return result != NULL;
}

/* ---- Threads that begin one run each ----------------------------------------------------------------------------- */

typedef struct asker {
  rp_recording *recording;
  uint64_t timeout_ns;
  pthread_t thread;
  rp_recording *held; /* a run of this recording is begun first and ended last */
  rp_status status;
  int place; /* position in the order in which threads got their runs */
  rp_error err;
} asker;
static atomic_int places, holders;

static void *ask(void *arg) {
  asker *a = arg;
  rp_run *run = NULL, *held = NULL;
  if (a->held && rp_run_begin(a->held, UINT64_MAX, &held, NULL) != RP_OK) return NULL;
  if (a->held) atomic_fetch_add(&holders, 1);
  while (a->held && atomic_load(&holders) < 2) sleep_us(100);
  a->status = rp_run_begin(a->recording, a->timeout_ns, &run, &a->err);
  a->place = atomic_fetch_add(&places, 1);
  if (run && !replay(run, (uint64_t)a->place)) a->status = RP_ERR_INTERNAL;
  rp_run_end(run);
  rp_run_end(held);
  return NULL;
}

static uint32_t count_in_line(void) {
  rp_device *d = the_watch.device;
  uint32_t n = 0;
  pthread_mutex_lock(&d->gate);
  for (const rp_waiter *w = d->line; w; w = w->next[RP_LINE_MEMORY]) n++;
  pthread_mutex_unlock(&d->gate);
  return n;
}

/* Starts a thread that begins a run, and returns when `waiting` threads are in the line. */
static void start(asker *a, rp_recording *recording, uint64_t timeout_ns, uint32_t waiting) {
  *a = (asker){.recording = recording, .timeout_ns = timeout_ns};
  assert_int_equal(pthread_create(&a->thread, NULL, ask, a), 0);
  while (count_in_line() != waiting) sleep_us(100);
}

static void expect_ok(asker *a, int place) {
  pthread_join(a->thread, NULL);
  if (a->status != RP_OK) fail_msg("%s: %s", rp_status_name(a->status), a->err.reason);
  if (place >= 0) assert_int_equal(a->place, place);
}

/* ---- Waiting ----------------------------------------------------------------------------------------------------- */

static void first_come_first_served(void **state) {
  enum { RECORDINGS = 5 };
  (void)state;
  rp_recording *r[RECORDINGS];
  asker askers[RECORDINGS];
  rp_run *run;
  open_for(3, 1);
  for (int i = 0; i < RECORDINGS; i++) r[i] = watch_record(1, 0);
  assert_int_equal(rp_run_begin(r[0], UINT64_MAX, &run, NULL), RP_OK);
  atomic_store(&places, 0);
  for (int i = 1; i < RECORDINGS; i++) start(&askers[i], r[i], i % 2 ? UINT64_MAX : 90 * second_ns, (uint32_t)i);
  rp_run_end(run);
  for (int i = 1; i < RECORDINGS; i++) expect_ok(&askers[i], i - 1);
  close_all(r, RECORDINGS);
}

/* If newcomers could take the free slots of a loaded recording, it would be in use for ever. */
static void newcomers_do_not_overtake(void **state) {
  (void)state;
  rp_recording *r[2];
  asker other, late;
  rp_run *run, *mine, *none = NULL;
  rp_error err;
  open_for(3, 3);
  r[0] = watch_record(3, 0), r[1] = watch_record(3, 0);
  assert_int_equal(rp_run_begin(r[0], UINT64_MAX, &run, NULL), RP_OK);
  atomic_store(&places, 0);
  start(&other, r[1], UINT64_MAX, 1);
  start(&late, r[0], UINT64_MAX, 2);
  /* This thread holds a run that others wait for, so it does not wait in the line. */
  assert_int_equal(rp_run_begin(r[0], 0, &mine, NULL), RP_OK);
  rp_run_end(mine);
  rp_run_end(run);
  expect_ok(&other, 0);
  expect_ok(&late, 1);
  assert_int_equal(rp_run_begin(r[0], UINT64_MAX, &run, NULL), RP_OK);
  start(&other, r[1], UINT64_MAX, 1);
  atomic_store(&run->thread, 0); /* as if another thread held the run, and this one none */
  assert_int_equal(rp_run_begin(r[0], 0, &none, &err), RP_ERR_BUSY);
  assert_non_null(strstr(err.reason, "came first"));
  rp_run_end(run);
  expect_ok(&other, -1);
  close_all(r, 2);
}

/* This also holds while the device is busy loading for another thread. */
static void without_a_timeout_nothing_is_waited_for(void **state) {
  (void)state;
  rp_recording *r[2];
  asker loader;
  rp_run *run = NULL;
  rp_error err;
  open_for(5, 1);
  r[0] = watch_record(1, 0), r[1] = watch_record(1, 0);
  assert_int_equal(rp_recording_evict(r[0], NULL), RP_OK);
  assert_int_equal(rp_recording_evict(r[1], NULL), RP_OK);
  const int waits = atomic_load(&gate_waits);
  assert_int_equal(rp_run_begin(r[0], 0, &run, &err), RP_ERR_BUSY); /* there is memory, but loading takes time */
  assert_string_equal(
      err.reason,
      "watched was evicted, so that it has no device memory: a call that may wait (timeout_ns) loads it again");
  assert_int_equal(atomic_load(&gate_waits), waits);
  atomic_store(&gate_shut, 1);
  start(&loader, r[0], UINT64_MAX, 1);
  while (atomic_load(&gate_waits) == waits) sleep_us(100);
  assert_int_equal(rp_run_begin(r[0], 0, &run, NULL), RP_ERR_BUSY);
  assert_int_equal(rp_run_begin(r[1], 0, &run, NULL), RP_ERR_BUSY);
  assert_int_equal(rp_run_begin(r[1], 1000000, &run, NULL), RP_ERR_BUSY);
  assert_null(run);
  atomic_store(&gate_shut, 0);
  expect_ok(&loader, -1);
  close_all(r, 2);
}

static void time_is_over_in_the_line(void **state) {
  (void)state;
  rp_recording *r[3];
  asker first, second;
  rp_run *run;
  open_for(3, 1);
  for (int i = 0; i < 3; i++) r[i] = watch_record(1, 0);
  assert_int_equal(rp_run_begin(r[0], UINT64_MAX, &run, NULL), RP_OK);
  start(&first, r[1], 2 * second_ns, 1); /* long enough for both to join the line */
  start(&second, r[2], UINT64_MAX, 2);
  pthread_join(first.thread, NULL);
  assert_int_equal(first.status, RP_ERR_BUSY);
  assert_non_null(strstr(first.err.reason, "runs of others held"));
  assert_int_equal(count_in_line(), 1);
  rp_run_end(run);
  expect_ok(&second, -1);
  close_all(r, 3);
}

/* Otherwise a caller that waits in short steps would be overtaken again and again. */
static void a_call_that_gave_up_leaves_its_place(void **state) {
  (void)state;
  rp_recording *r[3];
  asker other, again;
  rp_run *run, *none;
  open_for(3, 1);
  for (int i = 0; i < 3; i++) r[i] = watch_record(1, 0);
  assert_int_equal(rp_run_begin(r[0], UINT64_MAX, &run, NULL), RP_OK);
  assert_int_equal(rp_run_begin(r[2], 1000000, &none, NULL), RP_ERR_BUSY);
  atomic_store(&places, 0);
  start(&other, r[1], UINT64_MAX, 1);
  start(&again, r[2], UINT64_MAX, 2);
  rp_run_end(run);
  expect_ok(&again, 0);
  expect_ok(&other, 1);
  close_all(r, 3);
}

/* An idle recording is not evicted if its memory would not be enough. */
static void nothing_is_evicted_in_vain(void **state) {
  (void)state;
  rp_recording *r[3];
  rp_run *run, *none;
  open_for(4, 1); /* memory for two recordings and nothing else */
  for (int i = 0; i < 3; i++) r[i] = watch_record(1, 0);
  assert_int_equal(rp_run_begin(r[1], UINT64_MAX, &run, NULL), RP_OK);
  assert_true(r[1]->usable && r[2]->usable && !r[0]->usable);
  the_watch.device->info.memory_budget_bytes -= rp_recording_kept_bytes(r[2]) / 2; /* as if r[0] were larger */
  assert_int_equal(rp_run_begin(r[0], 1000000, &none, NULL), RP_ERR_BUSY);
  assert_true(r[2]->usable);
  rp_run_end(run);
  close_all(r, 3);
}

/* ---- Nobody could release the memory ----------------------------------------------------------------------------- */

/* Wakes the waiting threads for no reason, more often than a thread checks whether it waits in vain. */
static atomic_int quiet;
static void *send_news(void *device) {
  for (; !atomic_load(&quiet); sleep_us(20000)) rp_device_news(device);
  return NULL;
}

static void a_thread_does_not_wait_for_itself(void **state) {
  (void)state;
  rp_recording *r[2];
  rp_run *run, *none = NULL;
  rp_error err;
  pthread_t thread;
  open_for(3, 1);
  r[0] = watch_record(1, 0), r[1] = watch_record(1, 0);
  assert_int_equal(rp_run_begin(r[0], UINT64_MAX, &run, NULL), RP_OK);
  assert_int_equal(rp_run_begin(r[1], UINT64_MAX, &none, &err), RP_ERR_BUDGET);
  assert_null(none);
  assert_non_null(strstr(err.reason, "this one among them"));
  atomic_store(&quiet, 0);
  assert_int_equal(pthread_create(&thread, NULL, send_news, the_watch.device), 0);
  const rp_status status = rp_run_begin(r[1], 30 * second_ns, &none, &err);
  atomic_store(&quiet, 1);
  pthread_join(thread, NULL);
  assert_int_equal(status, RP_ERR_BUDGET);
  rp_run_end(run);
  assert_int_equal(rp_run_begin(r[1], UINT64_MAX, &run, NULL), RP_OK);
  rp_run_end(run);
  close_all(r, 2);
}

/* Each thread holds what the other needs: one of them gets an error, and then the other gets its run. */
static void two_threads_do_not_wait_for_each_other(void **state) {
  (void)state;
  rp_recording *r[4];
  asker pair[2];
  open_for(4, 1);
  for (int i = 0; i < 4; i++) r[i] = watch_record(1, 0);
  for (int i = 0; i < 2; i++) pair[i] = (asker){.recording = r[2 + i], .held = r[i], .timeout_ns = UINT64_MAX};
  atomic_store(&holders, 0);
  for (int i = 0; i < 2; i++) assert_int_equal(pthread_create(&pair[i].thread, NULL, ask, &pair[i]), 0);
  for (int i = 0; i < 2; i++) pthread_join(pair[i].thread, NULL);
  const int refused = (pair[0].status == RP_ERR_BUDGET) + (pair[1].status == RP_ERR_BUDGET);
  for (int i = 0; i < 2; i++) assert_true(pair[i].status == RP_OK || pair[i].status == RP_ERR_BUDGET);
  assert_int_equal(refused, 1);
  close_all(r, 4);
}

/* ---- Random load ------------------------------------------------------------------------------------------------- */

enum { LOAD_RECORDINGS = 5, LOAD_THREADS = 6, ROUNDS = 60 };

typedef struct user {
  rp_recording **recordings;
  uint64_t random, wrong, busy, took_ns;
} user;

static uint64_t next(uint64_t *x) { /* xorshift */
  *x ^= *x << 13, *x ^= *x >> 7, *x ^= *x << 17;
  return *x;
}

static void *use(void *arg) {
  user *u = arg;
  for (int round = 0; round < ROUNDS; round++) {
    const uint64_t pick = next(&u->random);
    const uint64_t timeout = pick >> 8 & 3 ? UINT64_MAX : pick >> 10 & 1 ? 0 : 20000;
    rp_recording *r = u->recordings[pick % LOAD_RECORDINGS];
    rp_run *run = NULL;
    const rp_status status = rp_run_begin(r, timeout, &run, NULL);
    u->busy += status == RP_ERR_BUSY;
    if (status != RP_OK && (status != RP_ERR_BUSY || timeout == UINT64_MAX)) u->wrong++;
    if (run && (pick >> 12 & 7) && !replay(run, pick % 1000)) u->wrong++;
    if (pick >> 16 & 1) sleep_us((long)(pick >> 20 & 255));
    rp_run_end(run);
    if ((pick >> 32 & 31) == 0) {
      const rp_status evicted = rp_recording_evict(r, NULL);
      u->wrong += evicted != RP_OK && evicted != RP_ERR_BUSY;
    }
  }
  return NULL;
}

/* Five recordings, and memory for two: no call fails except by its timeout. */
static void random_load(void **state) {
  (void)state;
  rp_recording *r[LOAD_RECORDINGS];
  pthread_t threads[LOAD_THREADS];
  user users[LOAD_THREADS];
  open_for(5, 2);
  const uint64_t budget = the_watch.device->info.memory_budget_bytes;
  for (int i = 0; i < LOAD_RECORDINGS; i++) r[i] = watch_record(2, 0);
  for (uint64_t t = 0; t < LOAD_THREADS; t++) {
    users[t] = (user){.recordings = r, .random = 0x9e3779b97f4a7c15u * (t + 1)};
    assert_int_equal(pthread_create(&threads[t], NULL, use, &users[t]), 0);
  }
  uint64_t busy = 0;
  for (int t = 0; t < LOAD_THREADS; t++) {
    pthread_join(threads[t], NULL);
    assert_int_equal(users[t].wrong, 0);
    busy += users[t].busy;
  }
  assert_true(busy > 0 && busy < LOAD_THREADS * ROUNDS / 2);
  assert_int_equal(count_in_line(), 0);
  assert_null(the_watch.device->taken);
  assert_true(the_watch.peak_bytes <= budget);
  close_all(r, LOAD_RECORDINGS);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(first_come_first_served),
      cmocka_unit_test(newcomers_do_not_overtake),
      cmocka_unit_test(without_a_timeout_nothing_is_waited_for),
      cmocka_unit_test(time_is_over_in_the_line),
      cmocka_unit_test(a_call_that_gave_up_leaves_its_place),
      cmocka_unit_test(nothing_is_evicted_in_vain),
      cmocka_unit_test(a_thread_does_not_wait_for_itself),
      cmocka_unit_test(two_threads_do_not_wait_for_each_other),
      cmocka_unit_test(random_load),
  };
  return cmocka_run_group_tests_name("sharing", tests, NULL, NULL);
}
