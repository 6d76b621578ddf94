/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The progress of a run, as another thread sees it. A kernel in the middle of the graph waits for the test.
 */
#include "recording.h"
#include "watch.h"

#include <time.h>
#include <unistd.h>

enum { N = 64, ALARM_SECONDS = 500 };

static atomic_int shut, arrived;
static rp_value in, out;

static void gated_copy(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *worker) {
  uint64_t *const *a = args;
  (void)worker;
  if (begin == 0) atomic_fetch_add(&arrived, 1);
  while (atomic_load(&shut)) nanosleep(&(struct timespec){.tv_nsec = 50000}, NULL);
  for (uint64_t i = begin; i < end; i++) a[1][i] = a[0][i];
}
static const rp_kernel k_gated = {.struct_size = sizeof(rp_kernel),
                                  .name = "gated",
                                  .args_bytes = 16,
                                  .n_binds = 2,
                                  .n_cpu = 1,
                                  .cpu = &(const rp_cpu_variant){RP_ISA_C, gated_copy}};

static rp_status gated_shape(const rp_shape *s) {
  s->out_type[0] = s->in_type[0];
  s->out_len[0] = s->in_len[0];
  return RP_OK;
}

static rp_status gated_lower(rp_lower *l) {
  const uint64_t args[2] = {0};
  const rp_bind binds[] = {RP_BIND(rp_lower_in(l, 0), RP_READ), RP_BIND(rp_lower_out(l, 0), RP_WRITE)};
  rp_lower_dispatch(
      l, &(rp_dispatch){
             .kernel = &k_gated, .groups = {N}, .binds = binds, .n_binds = 2, .args = args, .args_bytes = sizeof args});
  return RP_OK;
}
static const rp_strategy gated_strategies[] = {{.name = "gated", .devices = RP_ON_ANY, .lower = gated_lower}};
static const rp_op op_gated = {.struct_size = sizeof(rp_op),
                               .name = "gated",
                               .shape = gated_shape,
                               .strategies = gated_strategies,
                               .n_strategies = 1};

/* Two steps, the one that waits, and two more. */
static rp_recording *open_all(void) {
  rp_graph *g;
  alarm(ALARM_SECONDS);
  atomic_store(&shut, 1), atomic_store(&arrived, 0);
  watch_open(&rp_backend_cpu, 0);
  g = the_watch.graph;
  in = rp_graph_input(g, "in", &toy_u64, N, 0);
  rp_value x = toy_scale(g, toy_scale(g, in, 3), 5);
  out = toy_scale(g, toy_scale(g, rp_graph_node(g, &op_gated, NULL, &x, 1, NULL, 1), 7), 2);
  rp_graph_output(g, "out", out, 0);
  return watch_record(1, 0);
}

static void close_all(rp_recording *r) {
  rp_recording_destroy(r);
  watch_close();
  alarm(0);
}

static rp_run *begin(rp_recording *r) {
  uint64_t data[N];
  rp_run *run;
  for (uint64_t i = 0; i < N; i++) data[i] = i;
  assert_int_equal(rp_run_begin(r, UINT64_MAX, &run, NULL), RP_OK);
  assert_int_equal(rp_run_set_input(run, in, data, sizeof data), RP_OK);
  return run;
}

static uint32_t done_of(const rp_run *run) {
  uint32_t all = 99;
  const uint32_t done = rp_run_progress(run, &all);
  assert_int_equal(all, run ? 5 : 0);
  assert_in_range(rp_run_progress(run, NULL), done, all); /* the run goes on meanwhile */
  return done;
}

static void wait_for_the_gate(int n) {
  while (atomic_load(&arrived) < n) nanosleep(&(struct timespec){.tv_nsec = 50000}, NULL);
}

static void steps_are_counted(void **state) {
  (void)state;
  rp_recording *r = open_all();
  rp_run *run = begin(r);
  assert_int_equal(done_of(NULL), 0);
  assert_int_equal(done_of(run), 0);
  assert_int_equal(rp_run_submit(run), RP_OK);
  wait_for_the_gate(1);
  assert_int_equal(done_of(run), 2);
  atomic_store(&shut, 0);
  assert_int_equal(rp_run_wait(run, UINT64_MAX), RP_OK);
  assert_int_equal(done_of(run), 5);
  assert_int_equal(((const uint64_t *)rp_run_output(run, out))[1], 210);
  rp_run_end(run);
  run = begin(r); /* the next run begins with no step done */
  assert_int_equal(done_of(run), 0);
  assert_int_equal(rp_run_submit(run), RP_OK);
  while (done_of(run) != 5) nanosleep(&(struct timespec){.tv_nsec = 50000}, NULL); /* nobody waits for it */
  rp_run_end(run);
  close_all(r);
}

/* Steps that are left out because of the cancellation do not count as done. */
static void cancelled_steps_do_not_count(void **state) {
  (void)state;
  rp_recording *r = open_all();
  rp_run *run = begin(r);
  assert_int_equal(rp_run_submit(run), RP_OK);
  wait_for_the_gate(1);
  rp_run_cancel(run);
  atomic_store(&shut, 0);
  while (rp_run_poll(run) == RP_ERR_TIMEOUT) assert_in_range(done_of(run), 2, 3);
  assert_int_equal(rp_run_wait(run, UINT64_MAX), RP_ERR_CANCELLED);
  assert_int_equal(done_of(run), 0);
  rp_run_end(run);
  close_all(r);
}

/* A run that waits for an event has done nothing, whatever the run before did. */
static void waiting_is_no_progress(void **state) {
  (void)state;
  rp_recording *r = open_all();
  rp_event *event;
  atomic_store(&shut, 0);
  assert_int_equal(rp_event_create(the_watch.context, &event, NULL), RP_OK);
  for (uint64_t round = 1; round <= 2; round++) {
    rp_run *run = begin(r);
    const rp_sync wait = {RP_SYNC_HOST, event, round};
    const rp_submit_options o = {.struct_size = sizeof o, .waits = &wait, .n_waits = 1};
    assert_int_equal(rp_run_submit_with(run, &o), RP_OK);
    assert_int_equal(done_of(run), 0);
    assert_int_equal(rp_event_signal(event, round), RP_OK);
    assert_int_equal(rp_run_wait(run, UINT64_MAX), RP_OK);
    assert_int_equal(done_of(run), 5);
    rp_run_end(run);
  }
  rp_event_destroy(event);
  close_all(r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(steps_are_counted),
      cmocka_unit_test(cancelled_steps_do_not_count),
      cmocka_unit_test(waiting_is_no_progress),
  };
  return cmocka_run_group_tests_name("progress", tests, NULL, NULL);
}
