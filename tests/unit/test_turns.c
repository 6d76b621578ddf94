/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The order in which calls that wait for a slot or for memory are served (reprise/host_program.h): by priority,
 * deadline and arrival, and so that each is served in the end. Also work on the CPU by priority, and pinned recordings.
 */
#include "backends/cpu/cpu.h"
#include "line.h"
#include "watch.h"

#include <reprise/host_program.h>

#include <unistd.h>

enum { N = 4096, MOST = 24 };

static uint64_t data[N];
static rp_value in, out;

static rp_graph *new_graph(const char *name, uint64_t factor) {
  rp_graph *g;
  assert_int_equal(rp_graph_create(the_watch.context, name, &g, NULL), RP_OK);
  in = rp_graph_input(g, "in", &toy_u64, N, 0);
  out = toy_table(g, toy_scale(g, in, factor));
  rp_graph_output(g, "out", out, 0);
  return g;
}

static rp_recording *record(rp_graph *g) {
  rp_recording *r = NULL;
  assert_int_equal(rp_record(the_watch.device, g, NULL, &r, NULL), RP_OK);
  return r;
}

/* ---- Callers ----------------------------------------------------------------------------------------------------- */

typedef struct caller {
  rp_recording *recording;
  rp_begin_options options;
  pthread_t thread;
  uint32_t served; /* how many callers were served before */
  rp_status status;
} caller;

static _Atomic uint32_t n_served;

static void *call(void *argument) {
  caller *c = argument;
  rp_run *run = NULL;
  c->options.struct_size = sizeof c->options;
  c->options.timeout_ns = UINT64_MAX;
  c->status = rp_run_begin_with(c->recording, &c->options, &run, NULL);
  c->served = atomic_fetch_add(&n_served, 1);
  rp_run_end(run);
  return NULL;
}

static uint32_t waiting_for_slot(const caller *c) {
  pthread_mutex_lock(&c->recording->lock);
  const uint32_t n = c->recording->n_waiting;
  pthread_mutex_unlock(&c->recording->lock);
  return n;
}

static uint32_t waiting_for_memory(const caller *c) {
  rp_device *d = c->recording->device;
  uint32_t n = 0;
  pthread_mutex_lock(&d->gate);
  for (const rp_waiter *w = d->line; w; w = w->next[RP_LINE_MEMORY]) n++;
  pthread_mutex_unlock(&d->gate);
  return n;
}

/* Starts the callers one after another, each when the one before it waits. */
static void start(caller *callers, uint32_t n, uint32_t (*waiting)(const caller *)) {
  for (uint32_t i = 0; i < n; i++) {
    const uint32_t before = waiting(&callers[i]);
    assert_int_equal(pthread_create(&callers[i].thread, NULL, call, &callers[i]), 0);
    while (waiting(&callers[i]) == before) usleep(200);
  }
}

static void expect(caller *callers, uint32_t n, const uint32_t *order) {
  for (uint32_t i = 0; i < n; i++) {
    assert_int_equal(pthread_join(callers[i].thread, NULL), 0);
    assert_int_equal(callers[i].status, RP_OK);
  }
  for (uint32_t i = 0; i < n; i++)
    if (callers[order[i]].served != i) fail_msg("%u was served as number %u", order[i], callers[order[i]].served);
}

static void slots_in_order(void **state) {
  (void)state;
  watch_open(&rp_backend_cpu, 0);
  rp_graph *g = new_graph("one", 3);
  rp_recording *r = record(g);
  rp_run *run;
  const uint64_t hour = 3600000000000u;
  caller callers[] = {{.recording = r},
                      {.recording = r, .options = {.deadline_ns = 2 * hour}},
                      {.recording = r, .options = {.priority = -1, .deadline_ns = 1}},
                      {.recording = r, .options = {.priority = 2}},
                      {.recording = r},
                      {.recording = r, .options = {.deadline_ns = hour}},
                      {.recording = r, .options = {.priority = 2, .deadline_ns = UINT64_MAX}}};
  static const uint32_t order[] = {3, 6, 5, 1, 0, 4, 2};
  n_served = 0;
  assert_int_equal(rp_run_begin(r, 0, &run, NULL), RP_OK);
  start(callers, 7, waiting_for_slot);
  rp_run *none;
  assert_int_equal(rp_run_begin(r, 1000000, &none, NULL), RP_ERR_BUSY);
  rp_run_end(run);
  expect(callers, 7, order);
  rp_recording_destroy(r);
  rp_graph_destroy(g);
  watch_close();
}

/* A run of `small` holds the memory, and no recording of `large` fits beside it. */
static void memory_in_order(void **state) {
  (void)state;
  watch_open_context();
  assert_int_equal(watch_open_device(&rp_backend_cpu, 0, NULL), RP_OK);
  rp_graph *g = new_graph("small", 3);
  rp_plan_info info = {.struct_size = sizeof info};
  assert_int_equal(rp_plan_query(the_watch.device, g, NULL, &info, NULL), RP_OK);
  rp_device_close(the_watch.device);
  assert_int_equal(watch_open_device(&rp_backend_cpu, info.total_bytes * 3 / 2, NULL), RP_OK);
  rp_recording *small = record(g), *large[3];
  for (int i = 0; i < 3; i++) large[i] = record(g); /* each evicts the one before */
  caller callers[] = {{.recording = large[0]},
                      {.recording = large[1], .options = {.priority = 1}},
                      {.recording = large[2], .options = {.deadline_ns = 1}}};
  static const uint32_t order[] = {1, 2, 0};
  rp_run *run;
  n_served = 0;
  assert_int_equal(rp_run_begin(small, UINT64_MAX, &run, NULL), RP_OK);
  start(callers, 3, waiting_for_memory);
  rp_run_end(run);
  expect(callers, 3, order);
  for (int i = 0; i < 3; i++) rp_recording_destroy(large[i]);
  rp_recording_destroy(small);
  rp_graph_destroy(g);
  watch_close();
}

/* Sixteen calls of higher priority are served before the first call, and the others after it. */
static void no_call_starves(void **state) {
  (void)state;
  watch_open(&rp_backend_cpu, 0);
  rp_graph *g = new_graph("one", 3);
  rp_recording *r = record(g);
  rp_run *run;
  caller callers[MOST] = {{.recording = r}};
  uint32_t order[MOST];
  for (uint32_t i = 1; i < MOST; i++) callers[i] = (caller){.recording = r, .options = {.priority = 1}};
  for (uint32_t i = 0; i < MOST; i++) order[i] = i < 16 ? i + 1 : i == 16 ? 0 : i;
  n_served = 0;
  assert_int_equal(rp_run_begin(r, 0, &run, NULL), RP_OK);
  start(callers, MOST, waiting_for_slot);
  rp_run_end(run);
  expect(callers, MOST, order);
  rp_recording_destroy(r);
  rp_graph_destroy(g);
  watch_close();
}

/* ---- Work on the CPU --------------------------------------------------------------------------------------------- */

static void parallel(void *user, uint32_t n, void (*task)(void *arg, uint32_t i), void *arg) {
  (void)user;
  for (uint32_t i = 0; i < n; i++) task(arg, i);
}

/* The pool keeps its jobs in the order of their priorities. With an executor nothing runs before somebody waits. */
static void urgent_work_first(void **state) {
  (void)state;
  const rp_executor executor = {.workers = 1, .parallel = parallel};
  const rp_device_options o = {.struct_size = sizeof o, .kind = RP_DEVICE_CPU, .executor = &executor};
  static const int32_t priorities[3] = {0, 5, -5};
  watch_open_context();
  assert_int_equal(rp_device_open(the_watch.context, &o, &the_watch.device, NULL), RP_OK);
  rp_graph *g = new_graph("one", 3);
  const rp_record_options three = {.struct_size = sizeof three, .max_in_flight = 3};
  rp_recording *r = NULL;
  assert_int_equal(rp_record(the_watch.device, g, &three, &r, NULL), RP_OK);
  rp_run *runs[3];
  for (int i = 0; i < 3; i++) {
    const rp_begin_options begin = {.struct_size = sizeof begin, .priority = priorities[i]};
    assert_int_equal(rp_run_begin_with(r, &begin, &runs[i], NULL), RP_OK);
    assert_int_equal(rp_run_set_input(runs[i], in, data, sizeof data), RP_OK);
    assert_int_equal(rp_run_submit(runs[i]), RP_OK);
  }
  const cpu_pool *pool = &((cpu_device *)the_watch.device->state)->pool;
  const cpu_job *job = pool->first;
  static const int32_t want[3] = {5, 0, -5};
  for (int i = 0; i < 3; i++, job = job->next) assert_int_equal(job->priority, want[i]);
  assert_null(job);
  for (int i = 0; i < 3; i++) {
    assert_int_equal(rp_run_wait(runs[i], UINT64_MAX), RP_OK);
    rp_run_end(runs[i]);
  }
  rp_recording_destroy(r);
  rp_graph_destroy(g);
  watch_close();
}

/* ---- Pinning ----------------------------------------------------------------------------------------------------- */

static void pinned_recordings_stay(void **state) {
  (void)state;
  rp_error err = {0};
  rp_plan_info info = {.struct_size = sizeof info};
  watch_open(&rp_backend_cpu, 0);
  rp_graph *g = new_graph("one", 3);
  assert_int_equal(rp_plan_query(the_watch.device, g, NULL, &info, NULL), RP_OK);
  rp_device_close(the_watch.device);
  assert_int_equal(watch_open_device(&rp_backend_cpu, info.total_bytes * 3 / 2, NULL), RP_OK);
  rp_recording *first = record(g), *second = record(g);
  assert_false(first->loaded);
  assert_int_equal(rp_recording_pin(first, &err), RP_OK); /* loads it, and evicts the second */
  assert_true(first->loaded);
  assert_false(second->loaded);
  assert_int_equal(rp_recording_pin(second, &err), RP_ERR_BUDGET);
  rp_run *run = NULL;
  const uint64_t begin = rp_now_ns();
  assert_int_equal(rp_run_begin(second, 60000000000u, &run, &err), RP_ERR_BUDGET); /* waiting would be in vain */
  assert_true(rp_now_ns() - begin < 40000000000u);
  assert_int_equal(rp_recording_evict(first, &err), RP_ERR_STATE);
  assert_non_null(strstr(err.reason, "pinned"));
  rp_run_end(watch_run(first, in, data, sizeof data, RP_OK));
  rp_recording_unpin(first);
  assert_int_equal(rp_run_begin(second, UINT64_MAX, &run, &err), RP_OK);
  assert_false(first->loaded);
  rp_run_end(run);
  assert_int_equal(rp_recording_pin(NULL, &err), RP_ERR_ARGUMENT);
  rp_recording_unpin(NULL);
  rp_recording_destroy(first);
  rp_recording_destroy(second);
  rp_graph_destroy(g);
  watch_close();
}

static void what_is_refused(void **state) {
  (void)state;
  rp_error err = {0};
  rp_run *run = NULL;
  const rp_begin_options no_size = {.priority = 1};
  watch_open(&rp_backend_cpu, 0);
  rp_graph *g = new_graph("one", 3);
  rp_recording *r = record(g);
  assert_int_equal(rp_run_begin_with(r, &no_size, &run, &err), RP_ERR_ARGUMENT);
  assert_int_equal(rp_run_begin_with(NULL, NULL, &run, &err), RP_ERR_ARGUMENT);
  assert_int_equal(rp_run_begin_with(r, NULL, NULL, &err), RP_ERR_ARGUMENT);
  assert_int_equal(rp_run_begin_with(r, NULL, &run, &err), RP_OK);
  rp_run *none = run;
  assert_int_equal(rp_run_begin_with(r, NULL, &none, &err), RP_ERR_BUSY);
  assert_null(none);
  rp_run_end(run);
  rp_recording_destroy(r);
  rp_graph_destroy(g);
  watch_close();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(slots_in_order),    cmocka_unit_test(memory_in_order),        cmocka_unit_test(no_call_starves),
      cmocka_unit_test(urgent_work_first), cmocka_unit_test(pinned_recordings_stay), cmocka_unit_test(what_is_refused),
  };
  alarm(30); /* a call that is never served ends the test */
  return cmocka_run_group_tests_name("turns", tests, NULL, NULL);
}
