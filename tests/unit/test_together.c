/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Several runs in one submission (rp_runs_submit), on the CPU. Runs are held up by events, so that no test depends on
 * how long anything takes.
 */
#include "watch.h"

#include <reprise/host_program.h>

#include <unistd.h>

enum { N = 256, BYTES = 8 * N };

typedef struct line {
  rp_recording *recording;
  rp_value in, out;
} line;

static uint64_t data[N];

/* out = factor * in; an element that is not below the limit is a fault. */
static line make(uint64_t factor, uint64_t limit, uint32_t slots, uint32_t in_flags, uint32_t out_flags) {
  rp_graph *g = the_watch.graph;
  line p = {.in = rp_graph_input(g, "in", &toy_u64, N, in_flags)};
  p.out = toy_scale(g, toy_check(g, p.in, limit), factor);
  rp_graph_output(g, "out", p.out, out_flags);
  const rp_record_options o = {.struct_size = sizeof o, .max_in_flight = slots};
  assert_int_equal(rp_record(the_watch.device, g, &o, &p.recording, NULL), RP_OK);
  rp_graph_destroy(g);
  assert_int_equal(rp_graph_create(the_watch.context, "watched", &the_watch.graph, NULL), RP_OK);
  return p;
}

/* Begins a run with the input in staging, or in `from` if that is not NULL, and the output likewise. */
static rp_run *begin(const line *p, rp_buffer *from, rp_buffer *to) {
  rp_run *run;
  assert_int_equal(rp_run_begin(p->recording, UINT64_MAX, &run, NULL), RP_OK);
  if (from)
    assert_int_equal(rp_run_bind_input(run, p->in, from, 0), RP_OK);
  else
    assert_int_equal(rp_run_set_input(run, p->in, data, sizeof data), RP_OK);
  if (to) assert_int_equal(rp_run_bind_output(run, p->out, to, 0), RP_OK);
  return run;
}

static void submit(rp_run *const *runs, uint32_t n, rp_submit_options o) {
  rp_error err = {0};
  o.struct_size = sizeof o;
  if (rp_runs_submit(runs, n, &o, &err) != RP_OK) fail_msg("%s", err.reason);
}

static void check(rp_run *run, rp_value out, uint64_t factor) {
  assert_int_equal(rp_run_wait(run, UINT64_MAX), RP_OK);
  const uint64_t *got = rp_run_output(run, out);
  assert_non_null(got);
  for (uint64_t i = 0; i < N; i++) assert_int_equal(got[i], data[i] * factor);
}

static void ends_with(rp_run *run, rp_status want, const char *part) {
  assert_int_equal(rp_run_wait(run, UINT64_MAX), want);
  if (!strstr(rp_run_error(run)->reason, part)) fail_msg("%s", rp_run_error(run)->reason);
}

static void end_all(rp_run *const *runs, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) rp_run_end(runs[i]);
}

static rp_event *new_event(void) {
  rp_event *event;
  assert_int_equal(rp_event_create(the_watch.context, &event, NULL), RP_OK);
  return event;
}

static rp_buffer *new_buffer(void) {
  rp_buffer *buffer;
  assert_int_equal(rp_buffer_create(the_watch.device, BYTES, &buffer, NULL), RP_OK);
  return buffer;
}

static void open_cpu(void) {
  for (uint64_t i = 0; i < N; i++) data[i] = i * i + 1;
  watch_open(&rp_backend_cpu, 0);
}

/* ---- The order --------------------------------------------------------------------------------------------------- */

/* Three recordings, each reading what the one before has written. Nothing begins before the first event, and the second
 * event comes when the last run has finished. One call submits, one wait is enough, and nothing is allocated. */
static void a_chain_of_recordings(void **state) {
  (void)state;
  open_cpu();
  const line one = make(2, UINT64_MAX, 1, 0, RP_RESIDENT), two = make(3, UINT64_MAX, 1, RP_RESIDENT, RP_RESIDENT),
             three = make(5, UINT64_MAX, 1, RP_BINDABLE, 0);
  rp_event *gate = new_event(), *end = new_event();
  rp_buffer *a = new_buffer(), *b = new_buffer();
  for (uint64_t round = 1; round <= 50; round++) {
    const rp_sync wait = {RP_SYNC_HOST, gate, round}, signal = {RP_SYNC_HOST, end, round};
    rp_run *runs[] = {begin(&one, NULL, a), begin(&two, a, b), begin(&three, b, NULL)};
    const uint64_t calls = the_watch.submissions_of_runs, singles = the_watch.submits, waits = the_watch.waits,
                   allocs = the_watch.allocs;
    submit(runs, 3, (rp_submit_options){.waits = &wait, .n_waits = 1, .signals = &signal, .n_signals = 1});
    assert_int_equal(the_watch.submissions_of_runs, calls + 1);
    assert_int_equal(the_watch.submits, singles);
    assert_int_equal(the_watch.waits, waits);
    assert_int_equal(rp_event_wait(end, round, 0), RP_ERR_TIMEOUT);
    for (int i = 0; i < 3; i++) assert_int_equal(rp_run_poll(runs[i]), RP_ERR_TIMEOUT);
    assert_int_equal(rp_event_signal(gate, round), RP_OK);
    assert_int_equal(rp_event_wait(end, round, UINT64_MAX), RP_OK);
    for (int i = 0; i < 3; i++) assert_int_equal(rp_run_poll(runs[i]), RP_OK); /* they are over when the event comes */
    check(runs[2], three.out, 30);
    assert_int_equal(the_watch.allocs, allocs);
    end_all(runs, 3);
  }
  for (int i = 0; i < 3; i++)
    rp_recording_destroy((rp_recording *[]){one.recording, two.recording, three.recording}[i]);
  rp_buffer_destroy(a);
  rp_buffer_destroy(b);
  rp_event_destroy(gate);
  rp_event_destroy(end);
  watch_close();
}

/* A later run overwrites what an earlier one reads: they keep their order, though neither reads the other's results. */
static void later_writes_come_later(void **state) {
  (void)state;
  open_cpu();
  const line reads = make(3, UINT64_MAX, 1, RP_RESIDENT, 0), writes = make(7, UINT64_MAX, 2, 0, RP_RESIDENT);
  rp_buffer *a = new_buffer();
  for (int round = 0; round < 200; round++) {
    rp_run *runs[] = {begin(&writes, NULL, a), begin(&reads, a, NULL), begin(&writes, NULL, a)};
    assert_int_equal(rp_buffer_write(a, 0, (uint64_t[N]){0}, BYTES, NULL), RP_OK);
    for (uint64_t i = 0; i < N; i++) data[i] += (uint64_t)round;
    assert_int_equal(rp_run_set_input(runs[0], writes.in, data, sizeof data), RP_OK);
    submit(runs, 3, (rp_submit_options){0});
    check(runs[1], reads.out, 21);
    end_all(runs, 3);
  }
  rp_recording_destroy(reads.recording);
  rp_recording_destroy(writes.recording);
  rp_buffer_destroy(a);
  watch_close();
}

static uint64_t seed;

static uint64_t next(uint64_t below) { /* splitmix64: Steele, Lea, Flood 2014 */
  uint64_t z = seed += 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return (z ^ z >> 31) % below;
}

/* Random lists of runs over four buffers give what the same runs give one by one. */
static void random_lists_match_single_runs(void **state) {
  (void)state;
  enum { BUFFERS = 4 };
  open_cpu();
  line lines[3];
  rp_buffer *buffers[BUFFERS];
  static uint64_t want[BUFFERS][N], got[N];
  for (uint64_t i = 0; i < 3; i++) lines[i] = make(3 + 2 * i, UINT64_MAX, RP_MOST_RUNS, RP_RESIDENT, RP_RESIDENT);
  for (uint64_t b = 0; b < BUFFERS; b++) {
    buffers[b] = new_buffer();
    for (uint64_t i = 0; i < N; i++) want[b][i] = data[i] + b;
    assert_int_equal(rp_buffer_write(buffers[b], 0, want[b], BYTES, NULL), RP_OK);
  }
  for (int round = 0; round < 100; round++) {
    rp_run *runs[RP_MOST_RUNS];
    const uint32_t n = 1 + (uint32_t)next(RP_MOST_RUNS);
    for (uint32_t r = 0; r < n; r++) {
      const uint64_t l = next(3), from = next(BUFFERS), to = (from + 1 + next(BUFFERS - 1)) % BUFFERS;
      runs[r] = begin(&lines[l], buffers[from], buffers[to]);
      for (uint64_t i = 0; i < N; i++) want[to][i] = (3 + 2 * l) * want[from][i];
    }
    submit(runs, n, (rp_submit_options){0});
    for (uint32_t r = n; r-- > 0;) assert_int_equal(rp_run_wait(runs[r], UINT64_MAX), RP_OK);
    end_all(runs, n);
    for (int b = 0; b < BUFFERS; b++) {
      assert_int_equal(rp_buffer_read(buffers[b], 0, got, BYTES, NULL), RP_OK);
      assert_memory_equal(got, want[b], BYTES);
    }
  }
  for (int b = 0; b < BUFFERS; b++) rp_buffer_destroy(buffers[b]);
  for (int i = 0; i < 3; i++) rp_recording_destroy(lines[i].recording);
  watch_close();
}

/* ---- Runs that fail ---------------------------------------------------------------------------------------------- */

/* A run fails if a run fails from which it reads, directly or through others, and in no other case. */
static void failures_reach_readers(void **state) {
  (void)state;
  open_cpu();
  const line bad = make(2, 1, 1, 0, RP_BINDABLE), copy = make(3, UINT64_MAX, 2, RP_RESIDENT, RP_RESIDENT),
             read = make(5, UINT64_MAX, 2, RP_RESIDENT, 0), alone = make(7, UINT64_MAX, 1, 0, 0);
  rp_buffer *a = new_buffer(), *b = new_buffer(), *c = new_buffer();
  assert_int_equal(rp_buffer_write(c, 0, data, BYTES, NULL), RP_OK);
  assert_int_equal(rp_buffer_write(a, 0, data, BYTES, NULL), RP_OK);
  rp_run *runs[] = {begin(&bad, NULL, a), begin(&copy, a, b), begin(&read, b, NULL), begin(&read, c, NULL),
                    begin(&alone, NULL, NULL)};
  submit(runs, 5, (rp_submit_options){0});
  ends_with(runs[2], RP_ERR_INPUT, "that it follows failed");
  assert_null(rp_run_output(runs[2], read.out));
  ends_with(runs[1], RP_ERR_INPUT, "that it follows failed");
  ends_with(runs[0], RP_ERR_INPUT, "element");
  check(runs[3], read.out, 5);
  check(runs[4], alone.out, 7);
  end_all(runs, 5);

  /* Every run of a list follows the runs that the list is submitted after. */
  rp_run *first = begin(&bad, NULL, a);
  rp_event *gate = new_event();
  const rp_sync wait = {RP_SYNC_HOST, gate, 1};
  const rp_submit_options held = {.struct_size = sizeof held, .waits = &wait, .n_waits = 1};
  assert_int_equal(rp_run_submit_with(first, &held), RP_OK);
  runs[0] = begin(&read, c, NULL), runs[1] = begin(&alone, NULL, NULL);
  submit(runs, 2, (rp_submit_options){.after = &first, .n_after = 1});
  assert_int_equal(rp_run_poll(runs[1]), RP_ERR_TIMEOUT);
  assert_int_equal(rp_event_signal(gate, 1), RP_OK);
  ends_with(runs[1], RP_ERR_INPUT, "that it follows failed");
  ends_with(runs[0], RP_ERR_INPUT, "that it follows failed");
  rp_run_end(first);
  end_all(runs, 2);
  for (int i = 0; i < 3; i++) rp_buffer_destroy((rp_buffer *[]){a, b, c}[i]);
  rp_event_destroy(gate);
  for (int i = 0; i < 4; i++)
    rp_recording_destroy((rp_recording *[]){bad.recording, copy.recording, read.recording, alone.recording}[i]);
  watch_close();
}

/* A run that is cancelled ends in its turn: the others keep their order, and the event comes after the last of them. */
static void cancelled_in_its_turn(void **state) {
  (void)state;
  open_cpu();
  const line p = make(5, UINT64_MAX, 3, 0, 0);
  rp_event *gate = new_event(), *end = new_event();
  for (uint64_t round = 1; round <= 3; round++) {
    const rp_sync wait = {RP_SYNC_HOST, gate, round}, signal = {RP_SYNC_HOST, end, round};
    rp_run *runs[3];
    for (int i = 0; i < 3; i++) runs[i] = begin(&p, NULL, NULL);
    submit(runs, 3, (rp_submit_options){.waits = &wait, .n_waits = 1, .signals = &signal, .n_signals = 1});
    rp_run_cancel(runs[round - 1]); /* the first, one between, the last */
    for (int i = 0; i < 3; i++) assert_int_equal(rp_run_poll(runs[i]), RP_ERR_TIMEOUT);
    assert_int_equal(rp_event_wait(end, round, 0), RP_ERR_TIMEOUT);
    assert_int_equal(rp_event_signal(gate, round), RP_OK);
    assert_int_equal(rp_event_wait(end, round, UINT64_MAX), RP_OK);
    for (uint64_t i = 0; i < 3; i++) {
      if (i == round - 1)
        ends_with(runs[i], RP_ERR_CANCELLED, "cancelled");
      else
        check(runs[i], p.out, 5);
    }
    end_all(runs, 3);
  }
  /* A run that was cancelled before the call is over, and the others can still be submitted. */
  rp_run *runs[] = {begin(&p, NULL, NULL), begin(&p, NULL, NULL), begin(&p, NULL, NULL)};
  rp_error err = {0};
  rp_run_cancel(runs[1]);
  assert_int_equal(rp_runs_submit(runs, 3, NULL, &err), RP_ERR_CANCELLED);
  assert_non_null(strstr(err.reason, "runs[1]: watched: the run was cancelled"));
  assert_int_equal(rp_run_poll(runs[1]), RP_ERR_CANCELLED);
  submit((rp_run *[]){runs[0], runs[2]}, 2, (rp_submit_options){0});
  check(runs[0], p.out, 5);
  check(runs[2], p.out, 5);
  end_all(runs, 3);
  rp_recording_destroy(p.recording);
  rp_event_destroy(gate);
  rp_event_destroy(end);
  watch_close();
}

/* Runs may be ended in any order, while others still work. */
static void ended_in_any_order(void **state) {
  (void)state;
  open_cpu();
  const line p = make(5, UINT64_MAX, 4, 0, 0);
  for (int round = 0; round < 100; round++) {
    rp_run *runs[4];
    for (int i = 0; i < 4; i++) runs[i] = begin(&p, NULL, NULL);
    submit(runs, 4, (rp_submit_options){0});
    if (round % 3 == 0) check(runs[3], p.out, 5);
    for (int i = 0; i < 4; i++) rp_run_end(runs[(i * 3 + round) % 4]);
  }
  rp_recording_destroy(p.recording);
  watch_close();
}

/* ---- The callback ------------------------------------------------------------------------------------------------ */

typedef struct told {
  _Atomic int calls;
  rp_run *const *runs;
  rp_run *got;
  rp_status results[3];
} told;

static void tell(void *user, rp_run *run) {
  told *t = user;
  t->got = run;
  for (int i = 0; i < 3; i++) t->results[i] = rp_run_poll(t->runs[i]);
  atomic_fetch_add(&t->calls, 1);
}

static void one_callback_for_all_runs(void **state) {
  (void)state;
  open_cpu();
  const line p = make(5, UINT64_MAX, 3, 0, 0);
  for (int round = 0; round < 20; round++) {
    rp_run *runs[3];
    for (int i = 0; i < 3; i++) runs[i] = begin(&p, NULL, NULL);
    told t = {.runs = runs};
    submit(runs, 3, (rp_submit_options){.done = tell, .user = &t});
    rp_run_end(runs[2]); /* returns when the callback has; it cancels the run unless the run is done */
    assert_int_equal(t.calls, 1);
    assert_ptr_equal(t.got, runs[2]);
    for (int i = 0; i < 2; i++) assert_int_equal(t.results[i], RP_OK);
    assert_true(t.results[2] == RP_OK || t.results[2] == RP_ERR_CANCELLED);
    end_all(runs, 2);
  }
  rp_recording_destroy(p.recording);
  watch_close();
}

static void parallel(void *user, uint32_t n, void (*task)(void *arg, uint32_t i), void *arg) {
  (void)user;
  for (uint32_t i = 0; i < n; i++) task(arg, i);
}

/* A pool without threads of its own works while somebody waits: who waits for the last run executes all of them. */
static void with_an_executor(void **state) {
  (void)state;
  const rp_executor executor = {.workers = 1, .parallel = parallel};
  const rp_device_options o = {.struct_size = sizeof o, .kind = RP_DEVICE_CPU, .executor = &executor};
  watch_open_context();
  assert_int_equal(rp_device_open(the_watch.context, &o, &the_watch.device, NULL), RP_OK);
  const line p = make(5, UINT64_MAX, 4, 0, 0);
  rp_event *end = new_event();
  const rp_sync signal = {RP_SYNC_HOST, end, 1};
  rp_run *runs[4];
  for (int i = 0; i < 4; i++) runs[i] = begin(&p, NULL, NULL);
  submit(runs, 4, (rp_submit_options){.signals = &signal, .n_signals = 1});
  check(runs[0], p.out, 5);
  assert_int_equal(rp_event_value(end), 0); /* only the first has run */
  for (int i = 3; i >= 0; i--) check(runs[i], p.out, 5);
  assert_int_equal(rp_event_value(end), 1);
  end_all(runs, 4);
  rp_event_destroy(end);
  rp_recording_destroy(p.recording);
  watch_close();
}

/* ---- Refusals ---------------------------------------------------------------------------------------------------- */

static void refused(rp_run *const *runs, uint32_t n, const rp_submit_options *o, rp_status want, const char *part) {
  rp_error err = {0};
  assert_int_equal(rp_runs_submit(runs, n, o, &err), want);
  assert_int_equal(rp_runs_submit(runs, n, o, NULL), want);
  if (!strstr(err.reason, part)) fail_msg("%s", err.reason);
}

static void what_is_refused(void **state) {
  (void)state;
  open_cpu();
  const line p = make(5, UINT64_MAX, RP_MOST_RUNS + 1, 0, 0), small = make(5, 9, 1, RP_BINDABLE, RP_RESIDENT);
  rp_run *runs[RP_MOST_RUNS + 1], *twice[3], *none[2];
  for (int i = 0; i <= RP_MOST_RUNS; i++) runs[i] = begin(&p, NULL, NULL);
  const rp_sync cuda = {RP_SYNC_CUDA_EVENT, runs, 0};
  const rp_submit_options wrong = {.struct_size = sizeof wrong, .signals = &cuda, .n_signals = 1}, no_size = {0},
                          self = {.struct_size = sizeof self, .after = &runs[1], .n_after = 1};
  memcpy(twice, (rp_run *[]){runs[0], runs[1], runs[0]}, sizeof twice);
  memcpy(none, (rp_run *[]){runs[0], NULL}, sizeof none);
  refused(NULL, 1, NULL, RP_ERR_ARGUMENT, "1 to 16 entries");
  refused(runs, 0, NULL, RP_ERR_ARGUMENT, "1 to 16 entries");
  refused(runs, RP_MOST_RUNS + 1, NULL, RP_ERR_ARGUMENT, "1 to 16 entries");
  refused(none, 2, NULL, RP_ERR_ARGUMENT, "runs[1] is NULL");
  refused(twice, 3, NULL, RP_ERR_ARGUMENT, "runs[0] and runs[2] are the same run of watched");
  refused(runs, 2, &no_size, RP_ERR_ARGUMENT, "struct_size");
  refused(runs, 2, &wrong, RP_ERR_UNSUPPORTED, "runs[0]: watched: entry 0 of `signals`");
  refused(runs, 2, &self, RP_ERR_STATE, "in `after` has not been submitted");

  rp_run *other;
  assert_int_equal(rp_run_begin(small.recording, 0, &other, NULL), RP_OK);
  rp_run *with[] = {runs[0], other};
  refused(with, 2, NULL, RP_ERR_STATE, "runs[1]: watched: input 'in' has not been given");
  assert_int_equal(rp_run_set_input(other, small.in, data, sizeof data), RP_OK);
  refused(with, 2, NULL, RP_ERR_STATE, "output 'out' is resident");
  rp_run_end(other);

  assert_int_equal(rp_run_submit(runs[RP_MOST_RUNS]), RP_OK);
  refused((rp_run *[]){runs[0], runs[RP_MOST_RUNS]}, 2, NULL, RP_ERR_STATE, "runs[1]: watched: the run was submitted");
  submit(runs, RP_MOST_RUNS, (rp_submit_options){0}); /* none of this has harmed them */
  for (int i = RP_MOST_RUNS; i >= 0; i--) check(runs[i], p.out, 5);
  end_all(runs, RP_MOST_RUNS + 1);

  rp_device *second;
  const rp_device_options o = {.struct_size = sizeof o, .kind = RP_DEVICE_CPU};
  assert_int_equal(rp_device_open(the_watch.context, &o, &second, NULL), RP_OK);
  rp_device *first = the_watch.device;
  the_watch.device = second;
  const line far = make(5, UINT64_MAX, 1, 0, 0);
  the_watch.device = first;
  rp_run *apart[] = {begin(&p, NULL, NULL), begin(&far, NULL, NULL)};
  refused(apart, 2, NULL, RP_ERR_MISMATCH, "runs[1] of watched is on another device than runs[0]");
  end_all(apart, 2);
  rp_recording_destroy(far.recording);
  rp_device_close(second);
  rp_recording_destroy(p.recording);
  rp_recording_destroy(small.recording);
  watch_close();
}

/* All runs are submitted or none: when the backend refuses, all are over, and their slots serve as before. */
static void a_device_that_refuses(void **state) {
  (void)state;
  open_cpu();
  const line p = make(5, UINT64_MAX, 3, RP_SECRET, 0);
  rp_run *runs[3];
  rp_error err = {0};
  told t = {.runs = runs};
  const rp_submit_options o = {.struct_size = sizeof o, .done = tell, .user = &t};
  for (int i = 0; i < 3; i++) runs[i] = begin(&p, NULL, NULL);
  the_watch.refuse_runs = 1;
  assert_int_equal(rp_runs_submit(runs, 3, &o, &err), RP_ERR_DEVICE_MEMORY);
  assert_non_null(strstr(err.reason, "watched and 2 more runs: refused (injected)"));
  for (int i = 0; i < 3; i++) {
    assert_int_equal(rp_run_poll(runs[i]), RP_ERR_DEVICE_MEMORY);
    assert_null(rp_run_output(runs[i], p.out));
    assert_string_equal(rp_run_error(runs[i])->reason, "refused (injected)");
  }
  end_all(runs, 3);
  assert_int_equal(t.calls, 0);
  the_watch.refuse_runs = 0;
  for (int i = 0; i < 3; i++) runs[i] = begin(&p, NULL, NULL);
  submit(runs, 3, (rp_submit_options){0});
  for (int i = 0; i < 3; i++) check(runs[i], p.out, 5);
  end_all(runs, 3);
  rp_recording_destroy(p.recording);
  watch_close();
}

/* A signal with a smaller value than the event has changes nothing, for those who wait and those who come later. */
static void an_event_never_falls(void **state) {
  (void)state;
  rp_event *e;
  watch_open(&rp_backend_cpu, 0);
  assert_int_equal(rp_event_create(the_watch.context, &e, NULL), RP_OK);
  assert_int_equal(rp_event_signal(e, 5), RP_OK);
  assert_int_equal(rp_event_signal(e, 3), RP_OK);
  assert_int_equal(rp_event_value(e), 5);
  assert_int_equal(rp_event_wait(e, 5, 0), RP_OK);
  assert_int_equal(rp_event_wait(e, 6, 0), RP_ERR_TIMEOUT);
  rp_event_destroy(e);
  watch_close();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_event_never_falls),    cmocka_unit_test(a_chain_of_recordings),
      cmocka_unit_test(later_writes_come_later), cmocka_unit_test(random_lists_match_single_runs),
      cmocka_unit_test(failures_reach_readers),  cmocka_unit_test(cancelled_in_its_turn),
      cmocka_unit_test(ended_in_any_order),      cmocka_unit_test(one_callback_for_all_runs),
      cmocka_unit_test(with_an_executor),        cmocka_unit_test(what_is_refused),
      cmocka_unit_test(a_device_that_refuses),
  };
  alarm(60); /* a run that is never finished ends the test */
  return cmocka_run_group_tests_name("together", tests, NULL, NULL);
}
