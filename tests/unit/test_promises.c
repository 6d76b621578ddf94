/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Promises of the engine that can be broken without any other test noticing: constants that the host writes early,
 * waiting times, cancelling in the middle of the last step, the peak of the one-time part, and fractions of a
 * microsecond in traces.
 */
#include "watch.h"

#include <stdio.h>
#include <time.h>

enum { N = 64 };

/* ---- The one-time part ------------------------------------------------------------------------------------------- */

static uint64_t numbers[N], large[1 << 16];

/* A constant that an op fills is on the device before the first dispatch. So no other value may use its bytes, even one
 * whose last use precedes the first read of the constant. */
static void filled_constants_are_there_from_the_start(void **state) {
  (void)state;
  uint64_t data[N];
  watch_open(&rp_backend_cpu, 0);
  for (uint64_t i = 0; i < N; i++) numbers[i] = i + 1, data[i] = 100 * i;
  rp_value key = rp_graph_constant(the_watch.graph, "key", &toy_u64, N, numbers, 0), scaled = key;
  for (int i = 0; i < 4; i++) scaled = toy_scale(the_watch.graph, scaled, 3);
  rp_value in = rp_graph_input(the_watch.graph, "in", &toy_u64, N, 0);
  rp_value out = toy_table(the_watch.graph, toy_add(the_watch.graph, in, scaled));
  rp_graph_output(the_watch.graph, "out", out, 0);
  rp_recording *r = watch_record(1, RP_RECORD_CHECK_HAZARDS);
  for (int round = 0; round < 2; round++) {
    for (uint64_t i = 0; i < N; i++) data[i] += (uint64_t)round;
    rp_run *run = watch_run(r, in, data, sizeof data, RP_OK);
    const uint64_t *got = rp_run_output(run, out);
    assert_non_null(got);
    for (uint64_t i = 0; i < N; i++) assert_int_equal(got[i], data[i] + 81 * numbers[i] + 2 * (i % 16) * (i % 16));
    rp_run_end(run);
  }
  rp_recording_destroy(r);
  watch_close();
}

static void the_peak_counts_constants(void **state) {
  (void)state;
  rp_plan_info p = {.struct_size = sizeof p};
  watch_open(&rp_backend_null, 0);
  rp_value key = rp_graph_constant(the_watch.graph, "key", &toy_u64, 1 << 16, large, RP_BORROW);
  rp_value once = toy_sum(the_watch.graph, toy_scale(the_watch.graph, toy_scale(the_watch.graph, key, 2), 3));
  rp_value in = rp_graph_input(the_watch.graph, "in", &toy_u64, 1, 0);
  rp_graph_output(the_watch.graph, "out", toy_add(the_watch.graph, in, once), 0);
  assert_int_equal(rp_plan_query(the_watch.device, the_watch.graph, NULL, &p, NULL), RP_OK);
  assert_true(p.constant_bytes > 0 && p.once_bytes > p.arena_bytes + p.io_bytes + p.parameter_bytes);
  assert_int_equal(p.total_bytes, p.constant_bytes + p.once_bytes);
  watch_close();
}

/* ---- Secrets ----------------------------------------------------------------------------------------------------- */

/* Secret and public intermediates share a block, in which the public one is placed last: the secret one is still
 * wiped. */
static void secrets_beside_public_values_are_wiped(void **state) {
  (void)state;
  const uint64_t pattern = 0x5ec2e75ec2e75ec3u;
  uint64_t data[N];
  for (int i = 0; i < N; i++) data[i] = pattern;
  watch_open(&rp_backend_cpu, 0);
  rp_value hidden = rp_graph_input(the_watch.graph, "hidden", &toy_u64, N, RP_SECRET), seen[2];
  rp_value open = rp_graph_input(the_watch.graph, "open", &toy_u64, 2, 0);
  seen[0] = toy_sum(the_watch.graph, toy_scale(the_watch.graph, hidden, 3));
  seen[1] = toy_scale(the_watch.graph, toy_scale(the_watch.graph, open, 3), 5);
  rp_graph_output(the_watch.graph, "sum", seen[0], 0);
  rp_graph_output(the_watch.graph, "open", seen[1], 0);
  the_watch.device->takes_turns = 0;
  rp_recording *r = watch_record(1, 0);
  rp_run *run;
  assert_int_equal(rp_run_begin(r, 0, &run, NULL), RP_OK);
  assert_int_equal(rp_run_set_input(run, hidden, data, sizeof data), RP_OK);
  assert_int_equal(rp_run_set_input(run, open, (uint64_t[]){1, 2}, 16), RP_OK);
  assert_int_equal(rp_run_submit(run), RP_OK);
  assert_int_equal(rp_run_wait(run, UINT64_MAX), RP_OK);
  assert_true(watch_find(3 * pattern) > 0);
  rp_run_end(run);
  assert_true(watch_is_wiped(3 * pattern));
  rp_recording_destroy(r);
  watch_close();
}

/* ---- Times ------------------------------------------------------------------------------------------------------- */

static void begin_waits_as_long_as_it_says(void **state) {
  (void)state;
  rp_run *first, *second;
  rp_error err;
  watch_open(&rp_backend_cpu, 0);
  rp_value in = rp_graph_input(the_watch.graph, "in", &toy_u64, N, 0);
  rp_graph_output(the_watch.graph, "out", toy_scale(the_watch.graph, in, 3), 0);
  rp_recording *r = watch_record(1, 0);
  assert_int_equal(rp_run_begin(r, 0, &first, NULL), RP_OK);
  const uint64_t before = rp_now_ns();
  assert_int_equal(rp_run_begin(r, 200000000, &second, &err), RP_ERR_BUSY);
  const uint64_t waited = rp_now_ns() - before;
  assert_true(waited >= 199000000 && waited < 20000000000);
  rp_run_end(first);
  rp_recording_destroy(r);
  watch_close();
}

/* ---- Cancelling -------------------------------------------------------------------------------------------------- */

static _Atomic int reached, go_on;

static void stop_kernel(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *worker) {
  uint64_t *const *a = args;
  (void)worker;
  for (uint64_t i = begin; i < end; i++) a[1][i] = a[0][i];
  atomic_store(&reached, 1);
  while (!atomic_load(&go_on)) nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
}

static const rp_kernel k_stop = {.struct_size = sizeof(rp_kernel),
                                 .name = "stop",
                                 .args_bytes = 16,
                                 .n_binds = 2,
                                 .n_cpu = 1,
                                 .cpu = &(const rp_cpu_variant){RP_ISA_C, stop_kernel}};

static rp_status stop_shape(const rp_shape *s) {
  s->out_type[0] = s->in_type[0];
  s->out_len[0] = s->in_len[0];
  return RP_OK;
}

static rp_status stop_lower(rp_lower *l) {
  uint64_t args[2] = {0};
  rp_bind binds[2] = {RP_BIND(rp_lower_in(l, 0), RP_READ), RP_BIND(rp_lower_out(l, 0), RP_WRITE)};
  rp_lower_dispatch(l, &(rp_dispatch){.kernel = &k_stop,
                                      .groups = {1 << 16},
                                      .grain = 1,
                                      .binds = binds,
                                      .n_binds = 2,
                                      .args = args,
                                      .args_bytes = sizeof args});
  return RP_OK;
}

static const rp_strategy stop_strategies[] = {{.name = "stop", .devices = RP_ON_ANY, .lower = stop_lower}};
static const rp_op op_stop = {.struct_size = sizeof(rp_op),
                              .name = "stop",
                              .shape = stop_shape,
                              .strategies = stop_strategies,
                              .n_strategies = 1};

static void *cancel_when_reached(void *argument) {
  while (!atomic_load(&reached)) nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
  rp_run_cancel(argument);
  atomic_store(&go_on, 1);
  return NULL;
}

/* The run is cancelled while its only step is far from finished, so the output is incomplete. */
static void cancelled_inside_the_last_step(void **state) {
  (void)state;
  enum { MANY = 1 << 16 };
  rp_run *run;
  pthread_t thread;
  uint64_t *data = calloc(MANY, sizeof *data);
  watch_open(&rp_backend_cpu, 0);
  rp_value in = rp_graph_input(the_watch.graph, "in", &toy_u64, MANY, 0);
  rp_value out = rp_graph_node(the_watch.graph, &op_stop, NULL, &in, 1, NULL, 1);
  rp_graph_output(the_watch.graph, "out", out, 0);
  rp_recording *r = watch_record(1, 0);
  assert_int_equal(rp_run_begin(r, 0, &run, NULL), RP_OK);
  assert_int_equal(rp_run_set_input(run, in, data, MANY * sizeof *data), RP_OK);
  assert_int_equal(rp_run_submit(run), RP_OK);
  assert_int_equal(pthread_create(&thread, NULL, cancel_when_reached, run), 0);
  assert_int_equal(rp_run_wait(run, UINT64_MAX), RP_ERR_CANCELLED);
  assert_null(rp_run_output(run, out));
  pthread_join(thread, NULL);
  rp_run_end(run);
  rp_recording_destroy(r);
  watch_close();
  free(data);
}

/* ---- Traces ------------------------------------------------------------------------------------------------------ */

static uint32_t odd_timings(void *state, const rp_program *program, rp_timing *timings, uint32_t capacity) {
  (void)state, (void)program;
  if (capacity) timings[0] = (rp_timing){.step = 0, .begin_ns = 3007, .end_ns = 5030};
  return 1;
}

typedef struct sink {
  size_t used;
  char text[1 << 14];
} sink;

static int keep(void *user, const char *text, size_t bytes) {
  sink *s = user;
  assert_true(s->used + bytes < sizeof s->text);
  memcpy(s->text + s->used, text, bytes);
  s->text[s->used += bytes] = 0;
  return 0;
}

static void a_trace_has_thousandths(void **state) {
  (void)state;
  static sink got;
  uint64_t data[N] = {0};
  rp_backend odd = rp_backend_null;
  odd.timings = odd_timings;
  watch_open(&odd, 0);
  rp_value in = rp_graph_input(the_watch.graph, "in", &toy_u64, N, 0);
  rp_graph_output(the_watch.graph, "out", toy_scale(the_watch.graph, in, 3), 0);
  rp_recording *r = watch_record(1, RP_RECORD_PROFILE);
  rp_run *run = watch_run(r, in, data, sizeof data, RP_OK);
  assert_int_equal(rp_run_trace(run, keep, &got, NULL), RP_OK);
  assert_non_null(strstr(got.text, "\"ts\": 3.007, \"dur\": 2.023"));
  rp_run_end(run);
  rp_recording_destroy(r);
  watch_close();
}

/* ---- Profiles ---------------------------------------------------------------------------------------------------- */

static uint64_t step_ns;

/* A step in three parts, of which the second begins first and the third ends last. */
static uint32_t timings_of_parts(void *state, const rp_program *program, rp_timing *timings, uint32_t capacity) {
  (void)state, (void)program;
  assert_true(capacity >= 3);
  timings[0] = (rp_timing){.step = 0, .begin_ns = 1050, .end_ns = 1070};
  timings[1] = (rp_timing){.step = 0, .begin_ns = 1000, .end_ns = 1060};
  timings[2] = (rp_timing){.step = 0, .begin_ns = 1080, .end_ns = 1000 + step_ns};
  return 3;
}

static void a_step_is_the_span_of_its_parts(void **state) {
  (void)state;
  static const uint64_t spans[] = {100, 900, 300, 200, 800};
  static sink got;
  uint64_t data[N] = {0};
  uint32_t count;
  rp_node_info node = {.struct_size = sizeof node};
  rp_backend parts = rp_backend_null;
  parts.timings = timings_of_parts;
  watch_open(&parts, 0);
  rp_value in = rp_graph_input(the_watch.graph, "in", &toy_u64, N, 0);
  rp_graph_output(the_watch.graph, "out", toy_scale(the_watch.graph, in, 3), 0);
  rp_recording *r = watch_record(1, RP_RECORD_PROFILE);
  for (size_t i = 0; i < sizeof spans / sizeof *spans; i++) {
    step_ns = spans[i];
    rp_run_end(watch_run(r, in, data, sizeof data, RP_OK));
    assert_int_equal(rp_recording_nodes(r, &node, 1, &count, NULL), RP_OK);
    assert_int_equal(node.begin_ns, 1000);
    assert_int_equal(node.end_ns, 1000 + spans[i]);
  }
  got.used = 0;
  assert_int_equal(rp_recording_export(r, RP_EXPORT_JSON, keep, &got, NULL), RP_OK);
  assert_non_null(strstr(got.text, "\"median_ns\": 300"));
  rp_recording_destroy(r);
  watch_close();
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(filled_constants_are_there_from_the_start),
                                     cmocka_unit_test(the_peak_counts_constants),
                                     cmocka_unit_test(secrets_beside_public_values_are_wiped),
                                     cmocka_unit_test(begin_waits_as_long_as_it_says),
                                     cmocka_unit_test(cancelled_inside_the_last_step),
                                     cmocka_unit_test(a_trace_has_thousandths),
                                     cmocka_unit_test(a_step_is_the_span_of_its_parts)};
  return cmocka_run_group_tests_name("promises", tests, NULL, NULL);
}
