/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The order of pieces: which piece follows which, that values stay on a device until the last piece has read them, and
 * graphs with a piece that reads from more pieces than a submission can name.
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

static const rp_pieces *pieces_of(const graph *l) { return l->recording->plan->pieces; }

static int follows(const rp_piece *p, uint32_t earlier) {
  for (uint32_t i = 0; i < p->n_after; i++)
    if (p->after[i] == earlier) return 1;
  return 0;
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
                                     cmocka_unit_test(many_sources_are_followed_in_line)};
  return cmocka_run_group_tests_name("the order of pieces", tests, NULL, NULL);
}
