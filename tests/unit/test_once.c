/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The one-time part on a device that the host cannot see into, for which a null device stands: what needs a long
 * constant starts when that is there, in programs that follow each other, and staging is made before it is waited for.
 */
#include "watch.h"

#include <reprise/source.h>

#include <stdio.h>

enum { LONG = 32 << 20, SHORT = 1 << 20, EVENTS = 64 };

/* ---- The device -------------------------------------------------------------------------------------------------- */

/* What happened: 's' the last piece of a long constant is there, 'w' a write, 'p' a program of so many steps starts
 * (behind another one: 'f'), 'i' the staging of the inputs, 'e' the wait for the end of a program. */
static struct {
  rp_backend table;
  char events[EVENTS];
  uint32_t n_events, steps[EVENTS], n_steps, created;
  _Atomic uint64_t sent;
  uint64_t staging; /* of the inputs */
  bool refuses;     /* the next program */
} seen;

static void note(char event) {
  assert_true(seen.n_events + 1 < EVENTS);
  seen.events[seen.n_events++] = event;
}

static rp_status alloc(void *state, rp_memory_kind kind, uint64_t bytes, rp_memory *memory, rp_error *err) {
  if (kind == RP_MEMORY_STAGING_UP && bytes == seen.staging) note('i');
  return rp_backend_null.memory_alloc(state, kind, bytes, memory, err);
}

static rp_status write_memory(void *state, rp_memory *memory, uint64_t offset, const void *data, uint64_t bytes,
                              rp_error *err) {
  (void)state, (void)memory, (void)offset, (void)data, (void)bytes, (void)err;
  note('w');
  return RP_OK;
}

static rp_status send(void *state, rp_memory *memory, uint64_t offset, const rp_memory *staging,
                      uint64_t staging_offset, uint64_t bytes, rp_error *err) {
  (void)state, (void)memory, (void)offset, (void)staging, (void)staging_offset, (void)err;
  if ((seen.sent += bytes) % LONG == 0) note('s');
  return RP_OK;
}

static rp_status create(void *state, const rp_program_desc *desc, const rp_program_memory *memory, rp_program **program,
                        rp_error *err) {
  if (seen.refuses) return rp_fail(err, RP_ERR_UNSUPPORTED, "refused");
  if (desc->once) {
    assert_true(seen.n_events == 0); /* loading kernels may wait for what runs */
    for (uint32_t i = 0; i < desc->n_steps; i++) {
      const rp_step *s = &desc->steps[i];
      assert_true(s->level < desc->n_levels && s->level <= (i ? desc->steps[i - 1].level + 1 : 0));
      for (uint32_t p = 0; p < s->n_preds; p++) assert_true(s->preds[p] < i);
      for (uint32_t p = 0; p < s->n_succs; p++) assert_true(s->succs[p] > i && s->succs[p] < desc->n_steps);
    }
    seen.created++;
  }
  seen.steps[seen.n_steps++] = desc->n_steps;
  return rp_backend_null.program_create(state, desc, memory, program, err);
}

static rp_status submit(void *state, rp_program *program, const uint64_t *words, uint32_t n, const rp_links *links,
                        rp_error *err) {
  note(links && links->n_after == 1 ? 'f' : 'p');
  return rp_backend_null.submit(state, program, words, n, links, err);
}

static rp_status await(void *state, rp_program *program, uint64_t timeout_ns, rp_error_record *fault, rp_error *err) {
  note('e');
  return rp_backend_null.wait(state, program, timeout_ns, fault, err);
}

static const rp_backend *ordered_device(void) {
  memset(&seen, 0, sizeof seen);
  seen.table = rp_backend_null;
  seen.table.memory_alloc = alloc;
  seen.table.memory_write = write_memory;
  seen.table.memory_send = send;
  seen.table.program_create = create;
  seen.table.submit = submit;
  seen.table.wait = await;
  return &seen.table;
}

/* ---- Graphs ------------------------------------------------------------------------------------------------------ */

static rp_status read_nothing(void *user, uint64_t offset, uint64_t bytes, void *to, rp_error *err) {
  (void)user, (void)offset, (void)err;
  memset(to, 0, bytes);
  return RP_OK;
}

/* Constants whose names lie at different places are different. */
static rp_value constant(const char *name, uint64_t bytes) {
  const rp_constant_source s = {.struct_size = sizeof s, .read = read_nothing, .user = (void *)(uintptr_t)name};
  return rp_graph_constant_from(the_watch.graph, name, &toy_u64, bytes / 8, &s);
}

static void output(const char *name, rp_value v) {
  char in[16];
  snprintf(in, sizeof in, "in %s", name);
  const rp_value input = rp_graph_input(the_watch.graph, in, &toy_u64, rp_value_len(the_watch.graph, v), 0);
  seen.staging += rp_value_len(the_watch.graph, v) * 8;
  rp_graph_output(the_watch.graph, name, toy_add(the_watch.graph, v, input), 0);
}

static void expect_events(const char *events) { assert_string_equal(seen.events, events); }

/* ---- Tests ------------------------------------------------------------------------------------------------------- */

static void programs_start_with_their_constants(void **state) {
  static const char data[SHORT];
  (void)state;
  watch_open(ordered_device(), 0);
  rp_graph *g = the_watch.graph;
  const rp_value a = constant("a", LONG), b = constant("b", LONG), c = constant("c", LONG),
                 d = rp_graph_constant(g, "d", &toy_u64, SHORT / 8, data, 0);
  const rp_value of_a = toy_scale(g, toy_scale(g, a, 3), 5), of_c = toy_scale(g, c, 7);
  output("both", toy_add(g, of_c, of_a)); /* c comes last, and `both` in its program */
  output("b", b);                         /* nothing is computed of it */
  output("d", toy_scale(g, d, 3));
  rp_recording *r = watch_record(1, 0);
  expect_events("wpsfssfieee");
  assert_int_equal(seen.created, 3);
  assert_int_equal(seen.steps[0], 1);
  assert_int_equal(seen.steps[1], 2);
  assert_int_equal(seen.steps[2], 2);
  assert_int_equal(rp_recording_evict(r, NULL), RP_OK);
  rp_recording_destroy(r);
  watch_close();
}

/* Constants that are a little shorter go up before everything, and one program computes. */
static void shorter_constants_have_one_program(void **state) {
  (void)state;
  watch_open(ordered_device(), 0);
  rp_graph *g = the_watch.graph;
  const rp_value a = constant("a", LONG - 8), b = constant("b", LONG - 8);
  output("out", toy_add(g, toy_scale(g, a, 3), toy_scale(g, b, 3)));
  rp_recording *r = watch_record(1, 0);
  expect_events("pie");
  assert_int_equal(seen.created, 1);
  assert_int_equal(seen.steps[0], 3);
  rp_recording_destroy(r);
  watch_close();
}

/* More constants than programs: the last program waits for all of them. */
static void the_last_program_takes_the_rest(void **state) {
  (void)state;
  enum { CONSTANTS = 17 };
  static char names[CONSTANTS][4];
  char events[EVENTS] = "";
  watch_open(ordered_device(), 0);
  for (int i = 0; i < CONSTANTS; i++) {
    snprintf(names[i], sizeof names[i], "%d", i);
    const rp_value big = constant(names[i], LONG);
    rp_graph_output(the_watch.graph, names[i], toy_sum(the_watch.graph, toy_scale(the_watch.graph, big, 3)), 0);
    strcat(events, i == 0 ? "sp" : i < 14 || i + 1 == CONSTANTS ? "sf" : "s");
  }
  strcat(events, "eeeeeeeeeeeeeee");
  rp_recording *r = watch_record(1, 0);
  expect_events(events);
  assert_int_equal(seen.created, 15);
  rp_recording_destroy(r);
  watch_close();
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(programs_start_with_their_constants),
                                     cmocka_unit_test(shorter_constants_have_one_program),
                                     cmocka_unit_test(the_last_program_takes_the_rest)};
  return cmocka_run_group_tests_name("once", tests, NULL, NULL);
}
