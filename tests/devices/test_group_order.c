/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The order of pieces: which piece follows which, which come first on their devices, that values stay on a device until
 * the last piece has read them, a run that is cancelled while its last piece is started, and graphs with a piece that
 * reads from more pieces than a submission can name.
 */
#include "parts.h"

#include "group/group.h"

static const part_kind two[] = {PART_CPU, PART_CPU}, strange_first[] = {PART_STRANGE, PART_CPU},
                       strange[] = {PART_STRANGE, PART_STRANGE}, reaching[] = {PART_REACHING, PART_REACHING};
static const part_kind *const kinds[] = {two, strange_first, strange, reaching};
enum { KINDS = 4 };

typedef struct graph {
  rp_value in, out;
  rp_recording *recording;
} graph;

static void run(const graph *l, uint64_t times) {
  for (uint64_t first = 3; first < 2000; first += 900) {
    uint64_t data[LOOP_N];
    rp_run *r;
    for (uint64_t i = 0; i < LOOP_N; i++) data[i] = first + i;
    assert_int_equal(rp_run_begin(l->recording, UINT64_MAX, &r, NULL), RP_OK);
    assert_int_equal(rp_run_set_input(r, l->in, data, sizeof data), RP_OK);
    assert_int_equal(rp_run_submit(r), RP_OK);
    if (rp_run_wait(r, UINT64_MAX)) fail_msg("%s", rp_run_error(r)->reason);
    const uint64_t *out = rp_run_output(r, l->out);
    assert_non_null(out);
    for (uint64_t i = 0; i < LOOP_N; i++) assert_int_equal(out[i], data[i] * times);
    rp_run_end(r);
  }
}

/* Gives a run any input. */
static void fill(const graph *l, rp_run *r) {
  static const uint64_t data[LOOP_N];
  assert_int_equal(rp_run_set_input(r, l->in, data, sizeof data), RP_OK);
}

static const rp_pieces *pieces_of(const graph *l) { return l->recording->plan->pieces; }

static int follows(const rp_piece *p, uint32_t earlier) {
  for (uint32_t i = 0; i < p->n_after; i++)
    if (p->after[i] == earlier) return 1;
  return 0;
}

/* ---- What the linker calls in place of the library's functions --------------------------------------------------- */

enum { MOST_SEEN = 64 };
static struct {
  const rp_recording *recording;
  int32_t priority;
} begun[MOST_SEEN];
static uint32_t n_begun;
static rp_run *to_cancel; /* is cancelled when a run of this recording is about to be submitted */
static const rp_recording *submitted;
static const rp_run *submitted_run;
static uint32_t n_cancelled; /* calls of rp_run_cancel for that run */

rp_status __real_rp_run_begin_with(rp_recording *recording, const rp_begin_options *o, rp_run **run, rp_error *err);
rp_status __wrap_rp_run_begin_with(rp_recording *recording, const rp_begin_options *o, rp_run **run, rp_error *err);
rp_status __wrap_rp_run_begin_with(rp_recording *recording, const rp_begin_options *o, rp_run **run, rp_error *err) {
  if (n_begun < MOST_SEEN) {
    begun[n_begun].recording = recording;
    begun[n_begun++].priority = o->priority;
  }
  return __real_rp_run_begin_with(recording, o, run, err);
}

void __real_rp_run_cancel(rp_run *run);
void __wrap_rp_run_cancel(rp_run *run);
void __wrap_rp_run_cancel(rp_run *run) {
  n_cancelled += run && run == submitted_run;
  __real_rp_run_cancel(run);
}

rp_status __real_rp_run_submit_with(rp_run *run, const rp_submit_options *o);
rp_status __wrap_rp_run_submit_with(rp_run *run, const rp_submit_options *o);
rp_status __wrap_rp_run_submit_with(rp_run *run, const rp_submit_options *o) {
  if (to_cancel && run->recording == submitted) {
    submitted_run = run;
    rp_run_cancel(to_cancel);
  }
  return __real_rp_run_submit_with(run, o);
}

/* ---- Beside ------------------------------------------------------------------------------------------------------ */

/* Device 0 computes 2 in, for which device 1 waits, and 7 in. When device 1 has sent 6 in, device 0 computes 12 in,
 * which needs nothing else, and adds 7 in. */
static graph beside(void) {
  graph l;
  rp_graph *g = parts_graph("beside");
  l.in = rp_graph_input(g, "in", &toy_u64, LOOP_N, RP_SECRET);
  const rp_value sent = toy_scale(g, l.in, 2), rest = toy_scale(g, l.in, 7);
  (void)rp_on(g, 1);
  const rp_value back = toy_scale(g, rp_copy_to(g, sent, 1), 3);
  (void)rp_on(g, 0);
  l.out = toy_add(g, toy_scale(g, rp_copy_to(g, back, 0), 2), rest);
  rp_graph_output(g, "out", l.out, 0);
  l.recording = parts_record(g, NULL);
  return l;
}

static void pieces_follow_what_they_read(void **state) {
  (void)state;
  for (int k = 0; k < KINDS; k++) {
    parts_open(kinds[k], 2);
    const graph l = beside();
    const rp_pieces *p = pieces_of(&l);
    enum { SENT, REST, OTHER, BESIDE, LAST };
    assert_int_equal(p->n, 5);
    for (uint32_t i = 0; i < p->n; i++) assert_int_equal(p->items[i].device, i == OTHER);
    assert_int_equal(p->items[REST].n_after, 0);
    assert_int_equal(p->items[OTHER].n_after, 0);
    assert_false(follows(&p->items[BESIDE], REST));
    assert_true(follows(&p->items[LAST], REST));
    assert_true(follows(&p->items[LAST], BESIDE));
    for (uint32_t i = 0; i < p->n; i++) assert_int_equal(p->items[i].n_waits, k == 0 && (i == OTHER || i == BESIDE));
    run(&l, 19);
    rp_recording_destroy(l.recording);
    parts_close();
  }
}

/* Pieces that another device waits for have a priority that is larger by one than that of the others. */
static void pieces_for_others_come_first(void **state) {
  static const int32_t more[] = {1, 0, 1, 0, 0};
  (void)state;
  for (int k = 0; k < KINDS; k++) {
    const rp_begin_options o = {.struct_size = sizeof o, .timeout_ns = UINT64_MAX, .priority = 5};
    parts_open(kinds[k], 2);
    const graph l = beside();
    const rp_pieces *p = pieces_of(&l);
    rp_run *r;
    assert_int_equal(rp_run_begin_with(l.recording, &o, &r, NULL), RP_OK);
    fill(&l, r);
    n_begun = 0;
    assert_int_equal(rp_run_submit(r), RP_OK);
    assert_int_equal(rp_run_wait(r, UINT64_MAX), RP_OK);
    rp_run_end(r);
    assert_int_equal(n_begun, p->n);
    for (uint32_t i = 0; i < p->n; i++)
      for (uint32_t at = 0; at < n_begun; at++)
        if (begun[at].recording == p->items[i].recording) assert_int_equal(begun[at].priority, 5 + more[i]);
    rp_recording_destroy(l.recording);
    parts_close();
  }
}

/* The last piece gets a value through the host, and is therefore started by the thread that waits, when all others are
 * done. The run is cancelled after that thread has looked whether it is, and before the piece has been submitted. */
static void a_piece_that_is_being_started_is_cancelled(void **state) {
  (void)state;
  const loop l = loop_open(strange, 2, UINT64_MAX, 1);
  const rp_pieces *p = l.recording->plan->pieces;
  rp_run *r = loop_begin(&l, 7);
  assert_int_equal(rp_run_submit(r), RP_OK);
  submitted = p->items[p->n - 1].recording;
  to_cancel = r;
  n_cancelled = 0;
  const rp_status status = rp_run_wait(r, UINT64_MAX);
  assert_true(status == RP_OK || status == RP_ERR_CANCELLED);
  to_cancel = NULL;
  assert_non_null(submitted_run);
  assert_true(n_cancelled > 0);
  submitted_run = NULL;
  rp_run_end(r);
  loop_run(&l, 19); /* the next one is not */
  loop_close(&l);
}

/* ---- More than a submission can name ----------------------------------------------------------------------------- */

/* A value goes back and forth between two devices. In the end, the first device adds up all values that it had. */
static graph ladder(uint32_t steps) {
  graph l;
  rp_graph *g = parts_graph("ladder");
  l.in = rp_graph_input(g, "in", &toy_u64, LOOP_N, RP_SECRET);
  rp_value x = l.in, had[64];
  assert_true(steps <= 64);
  for (uint32_t i = 0; i < steps; i++) {
    (void)rp_on(g, 0);
    had[i] = toy_scale(g, i ? rp_copy_to(g, x, 0) : x, 1);
    (void)rp_on(g, 1);
    x = toy_scale(g, rp_copy_to(g, had[i], 1), 1);
  }
  (void)rp_on(g, 0);
  rp_value sum = rp_copy_to(g, x, 0);
  for (uint32_t i = 0; i < steps; i++) sum = toy_add(g, sum, had[i]);
  l.out = sum;
  rp_graph_output(g, "out", l.out, 0);
  l.recording = parts_record(g, NULL);
  return l;
}

static void many_sources_are_followed_in_line(void **state) {
  (void)state;
  for (int k = 0; k < KINDS; k++)
    for (uint32_t steps = RP_MOST_SYNCS - 1; steps < RP_MOST_SYNCS + 3; steps++) {
      parts_open(kinds[k], 2);
      const graph l = ladder(steps);
      const rp_pieces *p = pieces_of(&l);
      assert_int_equal(p->n, 2 * steps + 1);
      const uint32_t most = p->items[p->n - 1].n_after;
      assert_int_equal(most, steps <= RP_MOST_SYNCS ? steps : 1);
      run(&l, 1 + steps);
      rp_recording_destroy(l.recording);
      parts_close();
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(pieces_follow_what_they_read),
                                     cmocka_unit_test(pieces_for_others_come_first),
                                     cmocka_unit_test(a_piece_that_is_being_started_is_cancelled),
                                     cmocka_unit_test(many_sources_are_followed_in_line)};
  return cmocka_run_group_tests_name("the order of pieces", tests, NULL, NULL);
}
