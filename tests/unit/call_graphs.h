/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * What the tests of calls as nodes share: graphs with calls, and runs of them on the CPU.
 */
#ifndef REPRISE_TESTS_CALL_GRAPHS_H
#define REPRISE_TESTS_CALL_GRAPHS_H

#include "called.h"
#include "recording.h"
#include "watch.h"

#include <stdio.h>

enum { LEN = 32, CALLS = 5, LIMIT = 1000 };

static inline rp_graph *new_graph(const char *name) {
  rp_graph *g;
  assert_int_equal(rp_graph_create(the_watch.context, name, &g, NULL), RP_OK);
  return g;
}

static inline void must_be_good(const rp_graph *g) {
  if (rp_graph_error(g)->status) fail_msg("%s", rp_graph_error(g)->reason);
}

/* z of the body with inputs x and y. */
static inline rp_value call(rp_graph *g, const char *name, const rp_graph *body, rp_value x, rp_value y) {
  return rp_call(g, name, body, (rp_call_port[]){{"x", x}, {"y", y}}, 2, &(rp_call_port){"z", RP_NO_VALUE}, 1);
}

static inline rp_recording *record(const rp_graph *g, uint64_t order) {
  rp_recording *r;
  rp_error err = {0};
  const rp_record_options o = {
      .struct_size = sizeof o, .flags = RP_RECORD_RANDOM_ORDER | RP_RECORD_CHECK_HAZARDS, .order_seed = order};
  if (rp_record(the_watch.device, g, &o, &r, &err)) fail_msg("%s", err.reason);
  return r;
}

static inline void replay(rp_recording *r, const uint64_t *x, const uint64_t *y, uint64_t *z) {
  rp_error err = {0};
  const rp_replay_input in[] = {{.name = "x", .data = x, .size_bytes = 8 * LEN},
                                {.name = "y", .data = y, .size_bytes = 8 * LEN}};
  const rp_replay_output out = {.name = "z", .data = z, .size_bytes = 8 * LEN};
  if (rp_replay(r, in, 2, &out, 1, &err)) fail_msg("%s", err.reason);
}

/* Runs `loop` of the body, whose call number `bad` gets an element that is too large, and reads the reason. `look`: is
 * given the recording, and the input of which the calls get slices; or NULL. */
static inline void expect_words(const rp_graph *body, uint32_t bad, const char *words,
                                void (*look)(const rp_recording *r, rp_value all)) {
  uint64_t x[LEN] = {0}, y[CALLS * LEN] = {0}, z[LEN];
  rp_graph *g = new_graph("faults");
  rp_value v = rp_graph_input(g, "x", &toy_u64, LEN, 0), all = rp_graph_input(g, "all", &toy_u64, CALLS * LEN, 0);
  for (uint32_t i = 0; i < CALLS; i++)
    v = call(g, "loop", body, v,
             i + 1 == CALLS ? rp_graph_input(g, "last", &toy_u64, LEN, 0) : toy_slice(g, all, i * LEN, LEN));
  rp_graph_output(g, "z", v, 0);
  assert_int_equal(g->n_calls, CALLS);
  rp_recording *r = record(g, 1);
  assert_non_null(r->plan->templates);
  if (look) look(r, all);
  y[bad * LEN + 7] = LIMIT;
  const rp_replay_input in[] = {{.name = "x", .data = x, .size_bytes = sizeof x},
                                {.name = "all", .data = y, .size_bytes = sizeof y},
                                {.name = "last", .data = y + (CALLS - 1) * LEN, .size_bytes = 8 * LEN}};
  const rp_replay_output out = {.name = "z", .data = z, .size_bytes = sizeof z};
  rp_error err = {0};
  assert_int_equal(rp_replay(r, in, 3, &out, 1, &err), RP_ERR_INPUT);
  if (!strstr(err.reason, words)) fail_msg("'%s' instead of '%s'", err.reason, words);
  rp_recording_destroy(r);
  rp_graph_destroy(g);
}

#endif
