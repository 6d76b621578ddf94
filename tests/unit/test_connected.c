/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Runs connected to the program around them (reprise/host_program.h), on the CPU: the end of a run is told, runs wait
 * for events and signal them, and follow each other with no wait between. Runs are held up by events, so that no test
 * depends on how long anything takes.
 */
#include "watch.h"

#include <reprise/host_program.h>

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

enum { N = 256 };

typedef struct line {
  rp_recording *recording;
  rp_value in, out;
} line;

static uint64_t data[N];

static line make(uint64_t factor, uint64_t limit, uint32_t slots, uint32_t in_flags, uint32_t out_flags) {
  rp_graph *g = the_watch.graph;
  line p = {.in = rp_graph_input(g, "in", &toy_u64, N, in_flags)};
  p.out = toy_scale(g, toy_check(g, p.in, limit), factor);
  rp_graph_output(g, "out", p.out, out_flags);
  p.recording = watch_record(slots, 0);
  rp_graph_destroy(g);
  assert_int_equal(rp_graph_create(the_watch.context, "watched", &the_watch.graph, NULL), RP_OK);
  return p;
}

static rp_run *begin(const line *p) {
  rp_run *run;
  assert_int_equal(rp_run_begin(p->recording, UINT64_MAX, &run, NULL), RP_OK);
  return run;
}

static rp_run *begin_with_data(const line *p) {
  rp_run *run = begin(p);
  assert_int_equal(rp_run_set_input(run, p->in, data, sizeof data), RP_OK);
  return run;
}

static void submit(rp_run *run, rp_submit_options o, rp_status want) {
  o.struct_size = sizeof o;
  const rp_status status = rp_run_submit_with(run, &o);
  if (status != want) fail_msg("status %d: %s", (int)status, rp_run_error(run)->reason);
}

static void check(rp_run *run, rp_value out, uint64_t factor) {
  const uint64_t *got = rp_run_output(run, out);
  assert_non_null(got);
  for (uint64_t i = 0; i < N; i++) assert_int_equal(got[i], data[i] * factor);
}

static rp_event *new_event(void) {
  rp_event *event;
  assert_int_equal(rp_event_create(the_watch.context, &event, NULL), RP_OK);
  return event;
}

static void open_cpu(void) {
  for (uint64_t i = 0; i < N; i++) data[i] = i * i + 1;
  watch_open(&rp_backend_cpu, 0);
}

/* ---- Telling of the end ------------------------------------------------------------------------------------------ */

typedef struct told {
  _Atomic int calls, go_on;
  rp_status status;
  int ends; /* the callback ends the run */
  int waits;
  pthread_t thread;
} told;

static void tell(void *user, rp_run *run) {
  told *t = user;
  t->status = rp_run_poll(run);
  t->thread = pthread_self();
  if (t->ends) rp_run_end(run);
  while (t->waits && !atomic_load(&t->go_on)) usleep(1000);
  atomic_fetch_add(&t->calls, 1);
}

static uint64_t read_eventfd(int fd) {
  struct pollfd p = {.fd = fd, .events = POLLIN};
  uint64_t n = 0;
  assert_int_equal(poll(&p, 1, 300000), 1);
  assert_int_equal(read(fd, &n, sizeof n), sizeof n);
  return n;
}

static void a_descriptor_and_a_callback(void **state) {
  (void)state;
  open_cpu();
  const line p = make(3, UINT64_MAX, 2, 0, 0);
  const int fd = eventfd(0, EFD_CLOEXEC);
  uint64_t allocs = 0;
  for (int round = 0; round < 20; round++) {
    told t[2] = {{.calls = 0}, {.calls = 0}};
    rp_run *runs[2];
    for (int i = 0; i < 2; i++) runs[i] = begin_with_data(&p);
    if (round == 1) allocs = the_watch.allocs;
    for (int i = 0; i < 2; i++) submit(runs[i], (rp_submit_options){.done = tell, .user = &t[i], .done_fd = fd}, RP_OK);
    for (uint64_t n = 0; n < 2;) n += read_eventfd(fd); /* one descriptor for both */
    for (int i = 0; i < 2; i++) {
      assert_int_equal(t[i].calls, 1); /* called before the descriptor was written to */
      assert_int_equal(t[i].status, RP_OK);
      assert_false(pthread_equal(t[i].thread, pthread_self()));
      assert_int_equal(rp_run_poll(runs[i]), RP_OK);
      check(runs[i], p.out, 3);
      rp_run_end(runs[i]);
    }
  }
  assert_int_equal(the_watch.allocs, allocs); /* only the first submission of a slot starts a thread */
  assert_int_equal(close(fd), 0);
  rp_recording_destroy(p.recording);
  watch_close();
}

/* The callback is also called for runs that fail or are cancelled, but not when a submission fails. */
static void a_callback_however_a_run_ends(void **state) {
  (void)state;
  open_cpu();
  const line p = make(3, 1, 1, 0, 0);
  told t = {.calls = 0};
  rp_run *run = begin_with_data(&p);
  submit(run, (rp_submit_options){.done = tell, .user = &t}, RP_OK);
  assert_int_equal(rp_run_wait(run, UINT64_MAX), RP_ERR_INPUT);
  assert_null(rp_run_output(run, p.out));
  rp_run_end(run); /* returns when the callback has */
  assert_int_equal(t.calls, 1);
  assert_int_equal(t.status, RP_ERR_INPUT);

  rp_event *never = new_event();
  const rp_sync wait = {RP_SYNC_HOST, never, 1};
  t.calls = 0;
  run = begin_with_data(&p);
  submit(run, (rp_submit_options){.done = tell, .user = &t, .waits = &wait, .n_waits = 1}, RP_OK);
  assert_int_equal(rp_run_poll(run), RP_ERR_TIMEOUT);
  assert_int_equal(rp_run_wait(run, 1000000), RP_ERR_TIMEOUT);
  rp_run_end(run);
  assert_int_equal(t.calls, 1);
  assert_int_equal(t.status, RP_ERR_CANCELLED);

  t.calls = 0;
  run = begin(&p); /* without its input */
  submit(run, (rp_submit_options){.done = tell, .user = &t}, RP_ERR_STATE);
  rp_run_cancel(run);
  assert_int_equal(rp_run_set_input(run, p.in, data, sizeof data), RP_OK);
  submit(run, (rp_submit_options){.done = tell, .user = &t}, RP_ERR_CANCELLED);
  rp_run_end(run);
  assert_int_equal(t.calls, 0);
  rp_recording_destroy(p.recording);
  rp_event_destroy(never);
  watch_close();
}

/* The callback may end the run, whose slot is free at once. The callback of the slot's next run comes after it. */
static void ended_in_the_callback(void **state) {
  (void)state;
  open_cpu();
  const line p = make(3, UINT64_MAX, 1, 0, 0);
  told first = {.ends = 1, .waits = 1}, second = {.calls = 0};
  submit(begin_with_data(&p), (rp_submit_options){.done = tell, .user = &first}, RP_OK);
  rp_run *run = begin_with_data(&p); /* waits until the callback has ended the first */
  submit(run, (rp_submit_options){.done = tell, .user = &second}, RP_OK);
  assert_int_equal(first.calls, 0);
  atomic_store(&first.go_on, 1);
  rp_run_end(run); /* cancels the run unless it is done, and returns after its callback */
  assert_int_equal(first.calls, 1);
  assert_int_equal(second.calls, 1);
  rp_recording_destroy(p.recording);
  watch_close();
}

static void parallel(void *user, uint32_t n, void (*task)(void *arg, uint32_t i), void *arg) {
  (void)user;
  for (uint32_t i = 0; i < n; i++) task(arg, i);
}

/* A pool without threads of its own works while somebody waits; the watcher, which waits for the end, is enough. */
static void with_an_executor(void **state) {
  (void)state;
  const rp_executor executor = {.workers = 1, .parallel = parallel};
  const rp_device_options o = {.struct_size = sizeof o, .kind = RP_DEVICE_CPU, .executor = &executor};
  watch_open_context();
  assert_int_equal(rp_device_open(the_watch.context, &o, &the_watch.device, NULL), RP_OK);
  const line p = make(3, UINT64_MAX, 2, 0, 0);
  const int fd = eventfd(0, EFD_CLOEXEC);
  rp_run *run = begin_with_data(&p);
  submit(run, (rp_submit_options){.done_fd = fd}, RP_OK);
  assert_int_equal(read_eventfd(fd), 1);
  assert_int_equal(rp_run_poll(run), RP_OK);
  check(run, p.out, 3);
  rp_run_end(run);
  rp_run *later = begin_with_data(&p),
         *earlier = begin_with_data(&p); /* the waiting thread runs what the later one follows */
  assert_int_equal(rp_run_submit(earlier), RP_OK);
  submit(later, (rp_submit_options){.after = &earlier, .n_after = 1}, RP_OK);
  assert_int_equal(rp_run_wait(later, UINT64_MAX), RP_OK);
  check(later, p.out, 3);
  rp_run_end(later);
  rp_run_end(earlier);
  assert_int_equal(close(fd), 0);
  rp_recording_destroy(p.recording);
  watch_close();
}

/* ---- One run after another --------------------------------------------------------------------------------------- */

/* The second recording reads what the first has written into a buffer. The first is held up until both have been
 * submitted, and one wait is all that the host does. */
static void chained_with_one_wait(void **state) {
  (void)state;
  open_cpu();
  const line one = make(2, UINT64_MAX, 1, 0, RP_RESIDENT), two = make(5, UINT64_MAX, 1, RP_RESIDENT, 0);
  rp_event *gate = new_event(), *end = new_event();
  rp_buffer *between;
  assert_int_equal(rp_buffer_create(the_watch.device, sizeof data, &between, NULL), RP_OK);
  for (uint64_t round = 1; round <= 50; round++) {
    rp_run_counters c[2] = {{.struct_size = sizeof *c}, {.struct_size = sizeof *c}};
    const rp_sync wait = {RP_SYNC_HOST, gate, round}, signal = {RP_SYNC_HOST, end, round};
    rp_run *first = begin_with_data(&one), *second = begin(&two);
    assert_int_equal(rp_run_bind_output(first, one.out, between, 0), RP_OK);
    assert_int_equal(rp_run_bind_input(second, two.in, between, 0), RP_OK);
    uint64_t waits = the_watch.waits, submits = the_watch.submits, allocs = the_watch.allocs;
    submit(first, (rp_submit_options){.waits = &wait, .n_waits = 1}, RP_OK);
    submit(second, (rp_submit_options){.after = &first, .n_after = 1, .signals = &signal, .n_signals = 1}, RP_OK);
    assert_int_equal(rp_event_wait(end, round, 0), RP_ERR_TIMEOUT);
    assert_int_equal(the_watch.waits, waits);
    assert_int_equal(rp_event_signal(gate, round), RP_OK);
    assert_int_equal(rp_event_wait(end, round, UINT64_MAX), RP_OK); /* raised by the device */
    assert_int_equal(rp_run_wait(second, UINT64_MAX), RP_OK);
    check(second, two.out, 10);
    rp_run_get_counters(first, &c[0]);
    rp_run_get_counters(second, &c[1]);
    assert_int_equal(c[0].waits + c[1].waits, 1);
    assert_int_equal(the_watch.submits - submits, 2);
    assert_int_equal(the_watch.allocs, allocs);
    assert_int_equal(rp_run_poll(first), RP_OK); /* its result is known, and it is not asked for again */
    rp_run_end(first);
    rp_run_end(second);
  }
  rp_buffer_destroy(between);
  rp_recording_destroy(one.recording);
  rp_recording_destroy(two.recording);
  rp_event_destroy(gate);
  rp_event_destroy(end);
  watch_close();
}

/* Kernels access the caller's memory itself: the plan has no memory for the graph's resident values. */
static void resident_values(void **state) {
  (void)state;
  static uint64_t mine[4 * N + 1];
  rp_buffer *buffer;
  open_cpu();
  rp_graph *g = the_watch.graph;
  const rp_value in = rp_graph_input(g, "in", &toy_u64, N, RP_RESIDENT), out = toy_scale(g, in, 5);
  const rp_value kept = rp_graph_input(g, "kept", &toy_u64, N, RP_BINDABLE), more = toy_scale(g, kept, 2);
  rp_graph_output(g, "out", out, RP_RESIDENT);
  rp_graph_output(g, "more", more, RP_BINDABLE);
  rp_recording *r = watch_record(1, RP_RECORD_CHECK_HAZARDS);
  rp_plan_info plan = {.struct_size = sizeof plan};
  rp_recording_get_plan(r, &plan);
  assert_int_equal(plan.dispatches, 4); /* two are copies of what is bindable */
  assert_int_equal(plan.arena_bytes, 0);
  assert_int_equal(plan.staging_bytes, 2 * sizeof data);
  assert_int_equal(rp_buffer_wrap(the_watch.device, mine, sizeof mine, &buffer, NULL), RP_OK);
  for (uint64_t round = 0; round < 4; round++) {
    const uint64_t at = 8 * (round % 2); /* the alignment of the type suffices */
    uint64_t *const from = mine + at / 8, *const to = mine + 3 * N;
    memcpy(from, data, sizeof data);
    rp_run *run;
    assert_int_equal(rp_run_begin(r, 0, &run, NULL), RP_OK);
    assert_int_equal(rp_run_bind_input(run, in, buffer, at), RP_OK);
    assert_int_equal(rp_run_bind_input(run, kept, buffer, at), RP_OK); /* two inputs may be the same memory */
    assert_int_equal(rp_run_bind_output(run, out, buffer, at), RP_OK);
    assert_int_equal(rp_run_submit(run), RP_ERR_ARGUMENT);
    assert_string_equal(rp_run_error(run)->reason, "watched: output 'out' is bound to memory that input 'in' is bound "
                                                   "to: bind them to different bytes");
    assert_int_equal(rp_run_bind_output(run, out, buffer, 3 * sizeof data), RP_OK);
    assert_int_equal(rp_run_bind_output(run, more, buffer, 2 * sizeof data + 8), RP_OK);
    assert_int_equal(rp_run_submit(run), RP_ERR_ARGUMENT);
    assert_non_null(strstr(rp_run_error(run)->reason, "output 'more' is bound to memory that output 'out' is"));
    assert_int_equal(rp_run_bind_output(run, more, buffer, at), RP_OK);
    assert_int_equal(rp_run_submit(run), RP_ERR_ARGUMENT); /* `in` is read there when `more` is written */
    assert_non_null(strstr(rp_run_error(run)->reason, "output 'more' is bound to memory that input 'in' is"));
    assert_int_equal(rp_run_bind_output(run, more, buffer, sizeof data + at), RP_OK);
    assert_int_equal(rp_run_submit(run), RP_OK);
    assert_int_equal(rp_run_wait(run, UINT64_MAX), RP_OK);
    for (uint64_t i = 0; i < N; i++) assert_int_equal(to[i], 5 * data[i]);
    for (uint64_t i = 0; i < N; i++) assert_int_equal(from[N + i], 2 * data[i]);
    rp_run_end(run);
  }
  rp_buffer_destroy(buffer);
  rp_recording_destroy(r);
  watch_close();
}

/* A run that follows a failed one gives no outputs; a run that is cancelled stops waiting for the one it follows. */
static void failures_are_passed_on(void **state) {
  (void)state;
  open_cpu();
  const line bad = make(2, 1, 1, 0, 0), good = make(5, UINT64_MAX, 3, 0, 0);
  rp_event *gate = new_event();
  const rp_sync wait = {RP_SYNC_HOST, gate, 7};
  rp_run *first = begin_with_data(&bad), *second = begin_with_data(&good), *third = begin_with_data(&good);
  submit(first, (rp_submit_options){.waits = &wait, .n_waits = 1}, RP_OK);
  submit(second, (rp_submit_options){.after = &first, .n_after = 1}, RP_OK);
  submit(third, (rp_submit_options){.after = &second, .n_after = 1}, RP_OK);
  assert_int_equal(rp_event_signal(gate, 100), RP_OK);
  assert_int_equal(rp_run_wait(third, UINT64_MAX), RP_ERR_INPUT);
  assert_non_null(strstr(rp_run_error(third)->reason, "that it follows failed"));
  assert_non_null(strstr(rp_run_error(third)->reason, "element"));
  assert_null(rp_run_output(third, good.out));
  assert_int_equal(rp_run_wait(second, 0), RP_ERR_INPUT);
  assert_int_equal(rp_run_wait(first, 0), RP_ERR_INPUT);
  rp_run *late = begin_with_data(&good);
  submit(late, (rp_submit_options){.after = &first, .n_after = 1}, RP_ERR_STATE);
  rp_run_end(late);
  rp_run_end(first);
  rp_run_end(second);
  rp_run_end(third);

  rp_event *never = new_event();
  const rp_sync in_vain = {RP_SYNC_HOST, never, 1};
  first = begin_with_data(&good), second = begin_with_data(&good);
  submit(first, (rp_submit_options){.waits = &in_vain, .n_waits = 1}, RP_OK);
  submit(second, (rp_submit_options){.after = &first, .n_after = 1}, RP_OK);
  rp_run_cancel(second);
  assert_int_equal(rp_run_wait(second, UINT64_MAX), RP_ERR_CANCELLED);
  assert_int_equal(rp_run_poll(first), RP_ERR_TIMEOUT);
  rp_run_end(first);
  rp_run_end(second);
  rp_recording_destroy(bad.recording);
  rp_recording_destroy(good.recording);
  rp_event_destroy(gate);
  rp_event_destroy(never);
  watch_close();
}

/* rp_run_end of an earlier run waits for the runs that follow it, so that what they refer to still exists. */
static void ended_in_the_wrong_order(void **state) {
  (void)state;
  open_cpu();
  const line p = make(5, UINT64_MAX, 3, 0, 0);
  for (int round = 0; round < 20; round++) {
    rp_run *runs[3];
    for (int i = 0; i < 3; i++) {
      runs[i] = begin_with_data(&p);
      submit(runs[i], (rp_submit_options){.after = runs, .n_after = (uint32_t)i}, RP_OK);
    }
    rp_run_end(runs[0]);
    for (int i = 1; i < 3; i++) {
      const rp_status status = rp_run_poll(runs[i]); /* the first may have been cancelled in time */
      assert_true(status == RP_OK || status == RP_ERR_CANCELLED);
    }
    rp_run_end(runs[1]);
    rp_run_end(runs[2]);
  }
  rp_recording_destroy(p.recording);
  watch_close();
}

/* Many runs wait for one event, with several values, while another thread raises it. */
static void *raise_slowly(void *event) {
  for (uint64_t v = 1; v <= 8; v++) {
    usleep(500);
    if (rp_event_signal(event, v) != RP_OK) return event;
  }
  return NULL;
}

static void an_event_of_many(void **state) {
  (void)state;
  enum { SLOTS = 8 };
  open_cpu();
  const line p = make(5, UINT64_MAX, SLOTS, 0, 0);
  rp_event *gate = new_event();
  rp_run *runs[SLOTS];
  pthread_t thread;
  void *wrong;
  for (uint64_t i = 0; i < SLOTS; i++) {
    const rp_sync waits[2] = {{RP_SYNC_HOST, gate, i + 1}, {RP_SYNC_HOST, gate, SLOTS - i}};
    runs[i] = begin_with_data(&p);
    submit(runs[i], (rp_submit_options){.waits = waits, .n_waits = 2}, RP_OK);
  }
  assert_int_equal(pthread_create(&thread, NULL, raise_slowly, gate), 0);
  assert_int_equal(rp_event_wait(gate, 8, UINT64_MAX), RP_OK);
  assert_int_equal(rp_event_value(gate), 8);
  assert_int_equal(rp_event_wait(gate, 9, 1000), RP_ERR_TIMEOUT);
  for (int i = 0; i < SLOTS; i++) {
    assert_int_equal(rp_run_wait(runs[i], UINT64_MAX), RP_OK);
    check(runs[i], p.out, 5);
    rp_run_end(runs[i]);
  }
  assert_int_equal(pthread_join(thread, &wrong), 0);
  assert_null(wrong);
  rp_recording_destroy(p.recording);
  rp_event_destroy(gate);
  watch_close();
}

/* ---- Refusals ---------------------------------------------------------------------------------------------------- */

static void refused(rp_run *run, rp_submit_options o, rp_status want, const char *part) {
  submit(run, o, want);
  if (!strstr(rp_run_error(run)->reason, part)) fail_msg("%s", rp_run_error(run)->reason);
}

static void what_is_refused(void **state) {
  (void)state;
  open_cpu();
  const line p = make(5, UINT64_MAX, 2, 0, 0);
  rp_event *event = new_event();
  rp_sync syncs[RP_MOST_SYNCS + 1] = {{RP_SYNC_CUDA_EVENT, event, 0}};
  rp_run *run = begin_with_data(&p), *other = begin_with_data(&p), *none = NULL;
  refused(run, (rp_submit_options){.waits = syncs, .n_waits = 1}, RP_ERR_UNSUPPORTED, "entry 0 of `waits` has kind 2");
  refused(run, (rp_submit_options){.signals = syncs, .n_signals = 1}, RP_ERR_UNSUPPORTED, "`signals`");
  syncs[0] = (rp_sync){RP_SYNC_HOST, NULL, 0};
  refused(run, (rp_submit_options){.waits = syncs, .n_waits = 1}, RP_ERR_ARGUMENT, "no handle");
  refused(run, (rp_submit_options){.waits = syncs, .n_waits = RP_MOST_SYNCS + 1}, RP_ERR_ARGUMENT, "more than 16");
  refused(run, (rp_submit_options){.n_signals = 1}, RP_ERR_ARGUMENT, "`signals` is NULL");
  refused(run, (rp_submit_options){.n_after = 1}, RP_ERR_ARGUMENT, "`after` is NULL");
  refused(run, (rp_submit_options){.after = &none, .n_after = 1}, RP_ERR_ARGUMENT, "is NULL");
  refused(run, (rp_submit_options){.after = &run, .n_after = 1}, RP_ERR_ARGUMENT, "this one");
  refused(run, (rp_submit_options){.after = &other, .n_after = 1}, RP_ERR_STATE, "has not been submitted");
  refused(run, (rp_submit_options){.stream = event}, RP_ERR_UNSUPPORTED, "cpu devices have no streams");
  refused(run, (rp_submit_options){.done_fd = -1}, RP_ERR_ARGUMENT, "done_fd is -1");
  const rp_submit_options no_size = {.done_fd = 1};
  assert_int_equal(rp_run_submit_with(run, &no_size), RP_ERR_ARGUMENT);
  assert_int_equal(rp_run_submit_with(NULL, NULL), RP_ERR_ARGUMENT);
  assert_int_equal(rp_run_submit_with(run, NULL), RP_OK); /* and none of this has harmed the run */
  assert_int_equal(rp_run_submit_with(run, NULL), RP_ERR_STATE);
  assert_int_equal(rp_run_wait(run, UINT64_MAX), RP_OK);
  check(run, p.out, 5);
  rp_run_end(run);
  rp_run_end(other);
  assert_int_equal(rp_event_signal(NULL, 1), RP_ERR_ARGUMENT);
  assert_int_equal(rp_event_wait(NULL, 1, 0), RP_ERR_ARGUMENT);
  rp_event *nothing;
  assert_int_equal(rp_event_create(NULL, &nothing, NULL), RP_ERR_ARGUMENT);
  assert_null(nothing);
  rp_event_destroy(NULL);
  rp_event_destroy(event);
  rp_recording_destroy(p.recording);
  watch_close();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_descriptor_and_a_callback),
      cmocka_unit_test(a_callback_however_a_run_ends),
      cmocka_unit_test(ended_in_the_callback),
      cmocka_unit_test(with_an_executor),
      cmocka_unit_test(chained_with_one_wait),
      cmocka_unit_test(resident_values),
      cmocka_unit_test(failures_are_passed_on),
      cmocka_unit_test(ended_in_the_wrong_order),
      cmocka_unit_test(an_event_of_many),
      cmocka_unit_test(what_is_refused),
  };
  alarm(30); /* a run that is never finished ends the test */
  return cmocka_run_group_tests_name("connected", tests, NULL, NULL);
}
