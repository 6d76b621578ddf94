/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Runs at the limits of what they take: buffers and runs of another device, ends of buffers, lists that are full, and
 * what a slot has left of the run before.
 */
#include "watch.h"

#include <reprise/host_program.h>

#include <unistd.h>

enum { N = 64, BYTES = 8 * N, SLOTS = RP_MOST_SYNCS + 1 };

typedef struct line {
  rp_recording *recording;
  rp_value in, out;
} line;

static uint64_t data[N];

/* out = 3 * in, with `slots` slots; the flags are those of both. */
static line make(rp_device *device, uint32_t slots, uint32_t flags) {
  rp_graph *g;
  assert_int_equal(rp_graph_create(the_watch.context, "line", &g, NULL), RP_OK);
  line p = {.in = rp_graph_input(g, "in", &toy_u64, N, flags)};
  p.out = toy_scale(g, p.in, 3);
  rp_graph_output(g, "out", p.out, flags);
  const rp_record_options o = {.struct_size = sizeof o, .max_in_flight = slots};
  assert_int_equal(rp_record(device, g, &o, &p.recording, NULL), RP_OK);
  rp_graph_destroy(g);
  return p;
}

static rp_run *begin(const line *p) {
  rp_run *run;
  assert_int_equal(rp_run_begin(p->recording, 0, &run, NULL), RP_OK);
  return run;
}

static rp_run *begin_with_data(const line *p) {
  rp_run *run = begin(p);
  assert_int_equal(rp_run_set_input(run, p->in, data, sizeof data), RP_OK);
  return run;
}

static void ends_well(rp_run *run, const line *p) {
  assert_int_equal(rp_run_wait(run, UINT64_MAX), RP_OK);
  const uint64_t *got = rp_run_output(run, p->out);
  assert_non_null(got);
  for (uint64_t i = 0; i < N; i++) assert_int_equal(got[i], 3 * data[i]);
  rp_run_end(run);
}

static void refused(rp_status got, rp_status want, rp_run *run, const char *part) {
  assert_int_equal(got, want);
  if (!strstr(rp_run_error(run)->reason, part)) fail_msg("%s", rp_run_error(run)->reason);
}

static rp_device *open_another(void) {
  const rp_device_options o = {.struct_size = sizeof o, .kind = RP_DEVICE_CPU, .cpu_threads = 1};
  rp_device *device;
  assert_int_equal(rp_device_open(the_watch.context, &o, &device, NULL), RP_OK);
  return device;
}

static void open_cpu(void) {
  for (uint64_t i = 0; i < N; i++) data[i] = i * i + 1;
  watch_open(&rp_backend_cpu, 0);
}

/* ---- Other devices, and ends ------------------------------------------------------------------------------------- */

static void buffers_are_of_the_device(void **state) {
  (void)state;
  rp_buffer *own, *other;
  open_cpu();
  rp_device *another = open_another();
  const line p = make(the_watch.device, 1, RP_RESIDENT);
  assert_int_equal(rp_buffer_create(the_watch.device, 2 * BYTES, &own, NULL), RP_OK);
  assert_int_equal(rp_buffer_create(another, 2 * BYTES, &other, NULL), RP_OK);
  rp_run *run = begin(&p);
  refused(rp_run_bind_input(run, p.in, other, 0), RP_ERR_MISMATCH, run, "the buffer is on another device");
  refused(rp_run_bind_output(run, p.out, other, 0), RP_ERR_MISMATCH, run, "the buffer is on another device");
  static const uint64_t beyond[] = {BYTES + 8, 2 * BYTES, 2 * BYTES + 8, UINT64_MAX - 7, UINT64_MAX - BYTES + 1};
  for (size_t i = 0; i < sizeof beyond / sizeof *beyond; i++) {
    refused(rp_run_bind_input(run, p.in, own, beyond[i]), RP_ERR_ARGUMENT, run, "do not fit");
    refused(rp_run_bind_output(run, p.out, own, beyond[i]), RP_ERR_ARGUMENT, run, "do not fit");
  }
  refused(rp_run_submit(run), RP_ERR_STATE, run, "input 'in' has not been given");
  assert_int_equal(rp_run_bind_input(run, p.in, own, 0), RP_OK);
  assert_int_equal(rp_run_bind_output(run, p.out, own, BYTES), RP_OK); /* up to the end */
  assert_int_equal(rp_run_submit(run), RP_OK);
  assert_int_equal(rp_run_wait(run, UINT64_MAX), RP_OK);
  rp_run_end(run);
  rp_recording_destroy(p.recording);
  rp_buffer_destroy(own);
  rp_buffer_destroy(other);
  rp_device_close(another);
  watch_close();
}

static void runs_follow_runs_of_the_device(void **state) {
  (void)state;
  open_cpu();
  rp_device *another = open_another();
  const line here = make(the_watch.device, 1, 0), there = make(another, 1, 0);
  rp_run *run = begin_with_data(&here), *earlier = begin_with_data(&there);
  const rp_submit_options o = {.struct_size = sizeof o, .after = &earlier, .n_after = 1};
  refused(rp_run_submit_with(run, &o), RP_ERR_MISMATCH, run, "is on another device");
  assert_int_equal(rp_run_submit(earlier), RP_OK);
  refused(rp_run_submit_with(run, &o), RP_ERR_MISMATCH, run, "is on another device");
  ends_well(earlier, &there);
  rp_run_end(run);
  rp_recording_destroy(here.recording);
  rp_recording_destroy(there.recording);
  rp_device_close(another);
  watch_close();
}

/* A run that has ended leaves no gap in the list of those that are followed. */
static void one_of_two_has_ended(void **state) {
  (void)state;
  rp_event *gate;
  open_cpu();
  const line p = make(the_watch.device, 3, 0);
  assert_int_equal(rp_event_create(the_watch.context, &gate, NULL), RP_OK);
  const rp_sync wait = {RP_SYNC_HOST, gate, 1};
  const rp_submit_options held = {.struct_size = sizeof held, .waits = &wait, .n_waits = 1};
  rp_run *after[2] = {begin_with_data(&p), begin_with_data(&p)}, *run = begin_with_data(&p);
  const rp_submit_options o = {.struct_size = sizeof o, .after = after, .n_after = 2};
  assert_int_equal(rp_run_submit(after[0]), RP_OK);
  assert_int_equal(rp_run_wait(after[0], UINT64_MAX), RP_OK);
  assert_int_equal(rp_run_submit_with(after[1], &held), RP_OK);
  assert_int_equal(rp_run_submit_with(run, &o), RP_OK);
  assert_int_equal(rp_run_wait(run, 20000000), RP_ERR_TIMEOUT);
  assert_int_equal(rp_event_signal(gate, 1), RP_OK);
  ends_well(run, &p);
  for (int i = 0; i < 2; i++) ends_well(after[i], &p);
  rp_event_destroy(gate);
  rp_recording_destroy(p.recording);
  watch_close();
}

/* ---- Full lists -------------------------------------------------------------------------------------------------- */

static void lists_may_be_full(void **state) {
  (void)state;
  rp_event *gate, *end;
  rp_sync waits[RP_MOST_SYNCS], signals[RP_MOST_SYNCS];
  rp_run *after[RP_MOST_SYNCS];
  open_cpu();
  const line p = make(the_watch.device, SLOTS, 0);
  assert_int_equal(rp_event_create(the_watch.context, &gate, NULL), RP_OK);
  assert_int_equal(rp_event_create(the_watch.context, &end, NULL), RP_OK);
  for (uint64_t i = 0; i < RP_MOST_SYNCS; i++) {
    waits[i] = (rp_sync){RP_SYNC_HOST, gate, i + 1};
    signals[i] = (rp_sync){RP_SYNC_HOST, end, i + 1};
    const rp_submit_options held = {.struct_size = sizeof held, .waits = waits, .n_waits = 1};
    after[i] = begin_with_data(&p);
    assert_int_equal(rp_run_submit_with(after[i], &held), RP_OK);
  }
  const rp_submit_options o = {.struct_size = sizeof o,
                               .waits = waits,
                               .signals = signals,
                               .after = after,
                               .n_waits = RP_MOST_SYNCS,
                               .n_signals = RP_MOST_SYNCS,
                               .n_after = RP_MOST_SYNCS};
  rp_run *run = begin_with_data(&p);
  assert_int_equal(rp_run_submit_with(run, &o), RP_OK);
  assert_int_equal(rp_event_signal(gate, RP_MOST_SYNCS - 1), RP_OK);
  for (int i = 0; i < RP_MOST_SYNCS; i++) assert_int_equal(rp_run_wait(after[i], UINT64_MAX), RP_OK);
  assert_int_equal(rp_run_poll(run), RP_ERR_TIMEOUT); /* the last of its waits is not over */
  assert_int_equal(rp_event_signal(gate, RP_MOST_SYNCS), RP_OK);
  ends_well(run, &p);
  assert_int_equal(rp_event_value(end), RP_MOST_SYNCS);
  for (int i = 0; i < RP_MOST_SYNCS; i++) ends_well(after[i], &p);
  rp_event_destroy(gate);
  rp_event_destroy(end);
  rp_recording_destroy(p.recording);
  watch_close();
}

static void as_many_runs_together(void **state) {
  (void)state;
  rp_run *runs[RP_MOST_RUNS];
  rp_error err = {0};
  open_cpu();
  const line p = make(the_watch.device, RP_MOST_RUNS, 0);
  for (int i = 0; i < RP_MOST_RUNS; i++) runs[i] = begin_with_data(&p);
  if (rp_runs_submit(runs, RP_MOST_RUNS, NULL, &err) != RP_OK) fail_msg("%s", err.reason);
  for (int i = 0; i < RP_MOST_RUNS; i++) ends_well(runs[i], &p);
  rp_recording_destroy(p.recording);
  watch_close();
}

static unsigned recorded;
static rp_status record_into(void *state, rp_program *program, const uint64_t *words, uint32_t n_words,
                             const rp_into *into, rp_error *err) {
  (void)state, (void)program, (void)words, (void)n_words, (void)into, (void)err;
  recorded++;
  return RP_OK;
}

/* What is recorded into a program's commands is executed without another look at its inputs. */
static void resident_inputs_are_given_before(void **state) {
  (void)state;
  int handle;
  rp_backend table = rp_backend_null;
  table.record_into = record_into;
  watch_open(&table, 0);
  const line p = make(the_watch.device, 1, RP_RESIDENT);
  rp_run *run = begin(&p);
  const rp_into into = {.struct_size = sizeof into, .handle = &handle};
  refused(rp_run_record_into(run, &into), RP_ERR_STATE, run, "input 'in' has not been given");
  assert_int_equal(recorded, 0);
  rp_run_end(run);
  rp_recording_destroy(p.recording);
  watch_close();
}

/* ---- What is left of before -------------------------------------------------------------------------------------- */

static void errors_do_not_stay(void **state) {
  (void)state;
  open_cpu();
  const line p = make(the_watch.device, 1, 0);
  rp_run *run = begin(&p);
  refused(rp_run_submit(run), RP_ERR_STATE, run, "has not been given");
  refused(rp_run_set_input(run, p.in, data, 8), RP_ERR_SHAPE, run, "not 8");
  assert_int_equal(rp_run_set_input(run, p.in, data, sizeof data), RP_OK);
  assert_int_equal(rp_run_submit(run), RP_OK);
  assert_int_equal(rp_run_wait(run, UINT64_MAX), RP_OK);
  assert_int_equal(rp_run_error(run)->status, RP_OK);
  assert_string_equal(rp_run_error(run)->reason, "");
  ends_well(run, &p);
  rp_recording_destroy(p.recording);
  watch_close();
}

static void counters_begin_at_zero(void **state) {
  (void)state;
  static const rp_run_counters none = {.struct_size = sizeof none};
  rp_run_counters c = {.struct_size = sizeof c};
  open_cpu();
  const line p = make(the_watch.device, 1, 0);
  rp_run *run = begin_with_data(&p);
  assert_int_equal(rp_run_submit(run), RP_OK);
  ends_well(run, &p);
  run = begin_with_data(&p);
  rp_run_get_counters(run, &c);
  assert_memory_equal(&c, &none, sizeof c);
  rp_run_cancel(run);
  assert_int_equal(rp_run_submit(run), RP_ERR_CANCELLED);
  rp_run_get_counters(run, &c); /* it was never handed to the device */
  assert_memory_equal(&c, &none, sizeof c);
  rp_run_end(run);
  rp_recording_destroy(p.recording);
  watch_close();
}

/* Another thread may cancel a run while it is submitted: the device is told when it has it. */
static void cancelled_while_it_is_submitted(void **state) {
  (void)state;
  open_cpu();
  const line p = make(the_watch.device, 1, 0);
  rp_run *run = begin_with_data(&p);
  the_watch.cancel_in_submit = run;
  assert_int_equal(rp_run_submit(run), RP_OK);
  the_watch.cancel_in_submit = NULL;
  assert_int_equal(the_watch.cancels, 1);
  const rp_status status = rp_run_wait(run, UINT64_MAX);
  assert_true(status == RP_OK || status == RP_ERR_CANCELLED); /* it may have finished before */
  rp_run_end(run);
  rp_recording_destroy(p.recording);
  watch_close();
}

/* An output that may be bound, and is not, is where it always is, although the run before had bound it. */
static void what_was_bound_is_forgotten(void **state) {
  (void)state;
  static uint64_t mine[2 * N], others[N];
  rp_buffer *buffer;
  open_cpu();
  const line p = make(the_watch.device, 1, RP_BINDABLE);
  assert_int_equal(rp_buffer_wrap(the_watch.device, mine, sizeof mine, &buffer, NULL), RP_OK);
  for (uint64_t i = 0; i < N; i++) mine[i] = others[i] = 1000 + i;
  rp_run *run = begin(&p);
  assert_int_equal(rp_run_bind_input(run, p.in, buffer, 0), RP_OK);
  assert_int_equal(rp_run_bind_output(run, p.out, buffer, BYTES), RP_OK);
  assert_int_equal(rp_run_submit(run), RP_OK);
  assert_int_equal(rp_run_wait(run, UINT64_MAX), RP_OK);
  for (uint64_t i = 0; i < N; i++) assert_int_equal(mine[N + i], 3 * others[i]);
  rp_run_end(run);
  memset(mine + N, 0, BYTES);
  run = begin_with_data(&p);
  assert_int_equal(rp_run_submit(run), RP_OK);
  ends_well(run, &p);
  for (uint64_t i = 0; i < N; i++) assert_int_equal(mine[N + i], 0);
  rp_buffer_destroy(buffer);
  rp_recording_destroy(p.recording);
  watch_close();
}

/* ---- Priorities -------------------------------------------------------------------------------------------------- */

static void priorities_reach_the_device(void **state) {
  (void)state;
  const rp_submit_options o = {.struct_size = sizeof o};
  open_cpu();
  const line p = make(the_watch.device, 2, 0);
  for (int32_t priority = -1; priority <= 2; priority++)
    for (int way = 0; way < 3; way++) {
      const rp_begin_options b = {.struct_size = sizeof b, .priority = priority};
      rp_run *run;
      assert_int_equal(rp_run_begin_with(p.recording, &b, &run, NULL), RP_OK);
      assert_int_equal(rp_run_set_input(run, p.in, data, sizeof data), RP_OK);
      the_watch.priority = 77;
      assert_int_equal(way == 0   ? rp_run_submit(run)
                       : way == 1 ? rp_run_submit_with(run, &o)
                                  : rp_runs_submit(&run, 1, &o, NULL),
                       RP_OK);
      assert_int_equal(the_watch.priority, priority);
      ends_well(run, &p);
    }
  rp_recording_destroy(p.recording);
  watch_close();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(buffers_are_of_the_device),
      cmocka_unit_test(runs_follow_runs_of_the_device),
      cmocka_unit_test(resident_inputs_are_given_before),
      cmocka_unit_test(lists_may_be_full),
      cmocka_unit_test(as_many_runs_together),
      cmocka_unit_test(errors_do_not_stay),
      cmocka_unit_test(counters_begin_at_zero),
      cmocka_unit_test(cancelled_while_it_is_submitted),
      cmocka_unit_test(one_of_two_has_ended),
      cmocka_unit_test(what_was_bound_is_forgotten),
      cmocka_unit_test(priorities_reach_the_device),
  };
  alarm(30); /* a run that is never finished ends the test */
  return cmocka_run_group_tests_name("run_limits", tests, NULL, NULL);
}
