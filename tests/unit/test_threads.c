/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * What reprise.h promises about threads: "a context, a device and a recording may be used from several threads at
 * once". The test is made to run under ThreadSanitizer: what matters is that the calls overlap. Several runs of one
 * recording at once, and cancelling, are in test_slots.c.
 */
#include "watch.h"

#include <time.h>

enum { THREADS = 4, N = 500 };

typedef struct part {
  rp_context *context;
  rp_device *device;
  rp_recording *recording;
  rp_value in, out;
  uint64_t id;
  pthread_barrier_t *start;
  _Atomic uint32_t *running; /* number of threads that still replay */
  const char *wrong;         /* what failed, or NULL; cmocka's assertions may be used in the first thread only */
} part;

#define CHECK(p, condition)                                   \
  do {                                                        \
    if (!(condition) && !(p)->wrong) (p)->wrong = #condition; \
  } while (0)

static void in_threads(void *(*const body[THREADS])(void *), part parts[THREADS]) {
  pthread_t thread[THREADS];
  pthread_barrier_t start;
  assert_int_equal(pthread_barrier_init(&start, NULL, THREADS), 0);
  for (uint64_t i = 0; i < THREADS; i++) {
    parts[i].id = i;
    parts[i].start = &start;
    assert_int_equal(pthread_create(&thread[i], NULL, body[i], &parts[i]), 0);
  }
  for (int i = 0; i < THREADS; i++) pthread_join(thread[i], NULL);
  for (int i = 0; i < THREADS; i++)
    if (parts[i].wrong) fail_msg("thread %d: %s", i, parts[i].wrong);
  pthread_barrier_destroy(&start);
}

static void in_all_threads(void *(*body)(void *), part parts[THREADS]) {
  in_threads((void *(*const[THREADS])(void *)){body, body, body, body}, parts);
}

/* out = in + in + a table that is computed when the graph is recorded. */
static rp_graph *graph_of(rp_context *context, part *p) {
  rp_graph *graph;
  if (rp_graph_create(context, "threads", &graph, NULL) != RP_OK) return NULL;
  p->in = rp_graph_input(graph, "in", &toy_u64, N, RP_SECRET);
  p->out = toy_table(graph, toy_add(graph, p->in, p->in));
  rp_graph_output(graph, "out", p->out, 0);
  return graph;
}

static void replay(part *p, rp_recording *recording, uint64_t seed) {
  rp_run *run;
  uint64_t in[N];
  for (uint64_t i = 0; i < N; i++) in[i] = seed * 1000003 + i;
  /* Waits while runs of other recordings hold all memory. */
  const rp_status status = rp_run_begin(recording, UINT64_MAX, &run, NULL);
  CHECK(p, status == RP_OK);
  if (status != RP_OK) return;
  CHECK(p, rp_run_set_input(run, p->in, in, sizeof in) == RP_OK);
  CHECK(p, rp_run_submit(run) == RP_OK && rp_run_wait(run, UINT64_MAX) == RP_OK);
  const uint64_t *out = rp_run_output(run, p->out);
  CHECK(p, out != NULL);
  for (uint64_t i = 0; out && i < N; i++) CHECK(p, out[i] == 2 * in[i] + 2 * (i % 16) * (i % 16));
  rp_run_end(run);
}

static void count_message(void *user, rp_log_level level, const char *message) {
  (void)level;
  atomic_fetch_add((_Atomic uint64_t *)user, *message != 0);
}

/* ---- A context: lists and opens devices, each of which records and runs ------------------------------------------ */

static void *use_context(void *arg) {
  part *p = arg;
  pthread_barrier_wait(p->start);
  for (int round = 0; round < 4; round++) {
    rp_device_info infos[16] = {{.struct_size = sizeof *infos}};
    rp_device *device;
    rp_recording *recording;
    uint32_t n;
    rp_device_options options = {.struct_size = sizeof options, .kind = RP_DEVICE_CPU, .cpu_threads = 2};
    CHECK(p, rp_devices(p->context, infos, 16, &n, NULL) == RP_OK && n >= 2);
    rp_graph *graph = graph_of(p->context, p);
    CHECK(p, graph && rp_device_open(p->context, &options, &device, NULL) == RP_OK);
    if (p->wrong) return NULL;
    CHECK(p, rp_record(device, graph, NULL, &recording, NULL) == RP_OK);
    rp_graph_destroy(graph);
    if (!p->wrong) replay(p, recording, p->id);
    rp_recording_destroy(recording);
    rp_device_close(device);
  }
  return NULL;
}

static void a_context_in_several_threads(void **state) {
  (void)state;
  _Atomic uint64_t messages = 0;
  rp_context *context;
  rp_context_options options = {
      .struct_size = sizeof options, .log_level = RP_LOG_DEBUG, .log = count_message, .log_user = &messages};
  part parts[THREADS] = {0};
  assert_int_equal(rp_context_create(&options, &context, NULL), RP_OK);
  for (int i = 0; i < THREADS; i++) parts[i].context = context;
  in_all_threads(use_context, parts);
  assert_true(atomic_load(&messages) >= THREADS); /* each device that was opened is logged */
  rp_context_destroy(context);
}

/* ---- A device: plans, recordings, buffers, under a budget that makes recordings evict each other ----------------- */

static void *use_device(void *arg) {
  part *p = arg;
  pthread_barrier_wait(p->start);
  for (uint64_t round = 0; round < 8 && !p->wrong; round++) {
    rp_plan_info plan = {.struct_size = sizeof plan};
    rp_recording *recording = NULL;
    rp_buffer *buffer;
    rp_device_info info = {.struct_size = sizeof info};
    uint64_t word = p->id + round, back = 0;
    rp_device_get_info(p->device, &info);
    CHECK(p, info.kind == RP_DEVICE_CPU && !rp_device_is_lost(p->device));
    rp_graph *graph = graph_of(p->context, p);
    CHECK(p, graph);
    rp_status status =
        rp_plan_query(p->device, graph, NULL, &plan, NULL); /* refused while runs of other recordings hold all memory */
    CHECK(p, status == RP_OK || status == RP_ERR_BUDGET);
    status = rp_record(p->device, graph, NULL, &recording, NULL);
    CHECK(p, status == RP_OK || status == RP_ERR_BUDGET);
    rp_graph_destroy(graph);
    if (recording) {
      replay(p, recording, round);
      CHECK(p, rp_recording_evict(recording, NULL) == RP_OK);
      replay(p, recording, round + 1);
    }
    CHECK(p, rp_buffer_create(p->device, sizeof word, &buffer, NULL) == RP_OK);
    if (p->wrong) return NULL;
    CHECK(p, rp_buffer_write(buffer, 0, &word, sizeof word, NULL) == RP_OK);
    CHECK(p, rp_buffer_read(buffer, 0, &back, sizeof back, NULL) == RP_OK && back == word);
    rp_buffer_destroy(buffer);
    rp_recording_destroy(recording);
  }
  return NULL;
}

static void a_device_in_several_threads(void **state) {
  (void)state;
  part parts[THREADS] = {0};
  rp_plan_info plan = {.struct_size = sizeof plan};
  watch_open(&rp_backend_cpu, 0);
  rp_graph *graph = graph_of(the_watch.context, &parts[0]);
  assert_int_equal(rp_plan_query(the_watch.device, graph, NULL, &plan, NULL), RP_OK);
  rp_graph_destroy(graph);
  rp_device_close(the_watch.device);
  assert_int_equal(watch_open_device(&rp_backend_cpu, plan.total_bytes * 5 / 2, NULL), RP_OK);
  for (int i = 0; i < THREADS; i++) {
    parts[i].context = the_watch.context;
    parts[i].device = the_watch.device;
  }
  in_all_threads(use_device, parts);
  /* The last term is the buffers. */
  assert_true(the_watch.peak_bytes <= plan.total_bytes * 5 / 2 + THREADS * sizeof(uint64_t));
  watch_close();
}

/* ---- A recording: runs, and every query meanwhile ---------------------------------------------------------------- */

static void *use_recording(void *arg) {
  part *p = arg;
  pthread_barrier_wait(p->start);
  for (uint64_t round = 0; round < 40; round++) replay(p, p->recording, 100 * p->id + round);
  atomic_fetch_sub(p->running, 1);
  return NULL;
}

static int drop_text(void *user, const char *text, size_t bytes) {
  (void)text;
  *(size_t *)user += bytes;
  return 0;
}

static void *ask_recording(void *arg) {
  part *p = arg;
  pthread_barrier_wait(p->start);
  do {
    rp_node_info nodes[16] = {{.struct_size = sizeof *nodes}};
    rp_plan_info plan = {.struct_size = sizeof plan};
    uint32_t n;
    size_t bytes = 0;
    rp_recording_get_plan(p->recording, &plan);
    CHECK(p, plan.slots == 3);
    CHECK(p, rp_recording_nodes(p->recording, nodes, 16, &n, NULL) == RP_OK && n >= 2);
    CHECK(p, rp_recording_export(p->recording, RP_EXPORT_JSON, drop_text, &bytes, NULL) == RP_OK && bytes > 100);
    CHECK(p, rp_recording_export(p->recording, RP_EXPORT_DOT, drop_text, &bytes, NULL) == RP_OK);
    rp_status status = rp_recording_evict(p->recording, NULL);
    CHECK(p, status == RP_OK || status == RP_ERR_BUSY || status == RP_ERR_STATE);
  } while (atomic_load(p->running));
  return NULL;
}

static void a_recording_in_several_threads(void **state) {
  (void)state;
  part parts[THREADS] = {0}, shape;
  _Atomic uint32_t running = THREADS - 1;
  rp_recording *recording;
  watch_open(&rp_backend_cpu, 0);
  rp_graph *graph = graph_of(the_watch.context, &shape);
  rp_record_options options = {.struct_size = sizeof options, .max_in_flight = 3, .flags = RP_RECORD_PROFILE};
  assert_int_equal(rp_record(the_watch.device, graph, &options, &recording, NULL), RP_OK);
  rp_graph_destroy(graph);
  for (int i = 0; i < THREADS; i++)
    parts[i] = (part){.recording = recording, .in = shape.in, .out = shape.out, .running = &running};
  in_threads((void *(*const[THREADS])(void *)){use_recording, use_recording, use_recording, ask_recording}, parts);
  rp_recording_destroy(recording);
  watch_close();
}

/* ---- An error record: the first fault stays ---------------------------------------------------------------------- */

typedef struct reporter {
  rp_error_record *record;
  pthread_barrier_t *start;
  uint32_t id;
} reporter;

/* Code, node and index of a report follow from each other. */
static void report(rp_error_record *record, uint32_t id) {
  rp_fault_report(record, RP_FAULT_USER + id, 100 + id, (uint64_t)id << 32 | (1000 + id));
}

static uint32_t reported(const rp_error_record *record) {
  const uint32_t id = record->code - RP_FAULT_USER;
  assert_int_equal(record->node, 100 + id);
  assert_int_equal(record->index_hi, id);
  assert_int_equal(record->index_lo, 1000 + id);
  return id;
}

static void *report_twice(void *arg) {
  const reporter *r = arg;
  (void)pthread_barrier_wait(r->start);
  report(r->record, r->id);
  report(r->record, r->id + THREADS);
  return NULL;
}

static void the_first_fault_stays(void **state) {
  (void)state;
  rp_error_record record = {0};
  for (uint32_t id = 7; id < 10; id++) report(&record, id);
  assert_int_equal(reported(&record), 7);
  for (int round = 0; round < 200; round++) {
    pthread_t thread[THREADS];
    pthread_barrier_t start;
    reporter reporters[THREADS];
    record = (rp_error_record){0};
    assert_int_equal(pthread_barrier_init(&start, NULL, THREADS), 0);
    for (uint32_t i = 0; i < THREADS; i++) {
      reporters[i] = (reporter){&record, &start, i};
      assert_int_equal(pthread_create(&thread[i], NULL, report_twice, &reporters[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) pthread_join(thread[i], NULL);
    pthread_barrier_destroy(&start);
    assert_true(reported(&record) < THREADS); /* the second report of a thread is never the first of all */
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_context_in_several_threads),
      cmocka_unit_test(a_device_in_several_threads),
      cmocka_unit_test(a_recording_in_several_threads),
      cmocka_unit_test(the_first_fault_stays),
  };
  return cmocka_run_group_tests_name("threads", tests, NULL, NULL);
}
