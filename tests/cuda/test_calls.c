/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Calls that are planned once, in a CUDA graph: the nodes of all calls have their own addresses, numbers and guards.
 */
#include "bench.h"
#include "recording.h"

#include <reprise/call.h>

#include <stdio.h>

#ifdef FAKE_CUDA
#include "fake_cuda.h"
#endif

enum { LONG = 20, CALLS = 5 };

/* x + LONG y, where no element of y is BAD. */
static rp_graph *make_body(const bench *b) {
  rp_graph *g;
  EXPECT(RP_OK, rp_graph_create(b->context, "body", &g, NULL), NULL);
  rp_value x = rp_graph_input(g, "x", &toy_u64, N, 0);
  const rp_value y = toy_check(g, rp_graph_input(g, "y", &toy_u64, N, 0), BAD);
  for (int i = 0; i < LONG; i++) x = toy_mix(g, x, y, 1);
  rp_graph_output(g, "x", x, 0);
  return g;
}

/* The last call is under a condition. */
static rp_recording *make_calls(const bench *b, rp_graph *g) {
  static char names[CALLS][4];
  rp_error err = {0};
  rp_recording *r;
  rp_graph *body = make_body(b);
  rp_value x = rp_graph_input(g, "x", &toy_u64, N, 0), before = x;
  const rp_value bit = rp_graph_input(g, "bit", &toy_u32, 1, 0);
  for (int i = 0; i < CALLS; i++) {
    snprintf(names[i], sizeof names[i], "y%d", i);
    const rp_value y = rp_graph_input(g, names[i], &toy_u64, N, 0);
    rp_call_port out = {"x", RP_NO_VALUE};
    before = x;
    if (i + 1 == CALLS) rp_condition_begin(g, bit, 1);
    rp_call(g, "call", body, (rp_call_port[]){{"x", x}, {"y", y}}, 2, &out, 1);
    if (i + 1 == CALLS) rp_condition_end(g);
    x = out.value;
  }
  rp_graph_output(g, "out", toy_select(g, bit, x, before), 0);
  EXPECT(RP_OK, rp_record(b->device, g, NULL, &r, &err), &err);
  rp_graph_destroy(body);
  return r;
}

/* Element e of x is e, and of y of call i it is i + 1, or `bad` in call `where`. */
static rp_status replay(rp_recording *r, uint32_t bit, int where, uint64_t *out, rp_error *err) {
  static uint64_t x[N], y[CALLS][N];
  static char names[CALLS][4];
  rp_replay_input in[CALLS + 2] = {{.name = "x", .data = x, .size_bytes = BYTES},
                                   {.name = "bit", .data = &bit, .size_bytes = sizeof bit}};
  for (int i = 0; i < CALLS; i++) {
    for (uint64_t e = 0; e < N; e++) x[e] = e, y[i][e] = i == where && e == 7 ? BAD : (uint64_t)i + 1;
    snprintf(names[i], sizeof names[i], "y%d", i);
    in[i + 2] = (rp_replay_input){.name = names[i], .data = y[i], .size_bytes = BYTES};
  }
  return rp_replay(r, in, CALLS + 2, &(rp_replay_output){.name = "out", .data = out, .size_bytes = BYTES}, 1, err);
}

static void calls(void **state) {
  (void)state;
  bench b;
  rp_graph *g;
  rp_error err = {0};
  static uint64_t out[N];
#ifdef FAKE_CUDA
  fake_reset();
  toy_register();
#endif
  bench_open(&b, 0, 0);
  EXPECT(RP_OK, rp_graph_create(b.context, "calls", &g, NULL), NULL);
  rp_recording *r = make_calls(&b, g);
  uint32_t called = 0;
  for (uint32_t i = 0; i < r->program.n_steps; i++) called += r->program.steps[i].call != NULL;
  assert_int_equal(called, CALLS * (LONG + 1));
  for (uint32_t bit = 0; bit < 2; bit++) {
    const uint64_t sum = bit ? CALLS * (CALLS + 1) / 2 : CALLS * (CALLS - 1) / 2;
    EXPECT(RP_OK, replay(r, bit, -1, out, &err), &err);
    for (uint64_t e = 0; e < N; e++) assert_int_equal(out[e], e + LONG * sum);
  }
  for (int i = 0; i < CALLS; i++) {
    char want[64];
    snprintf(want, sizeof want, "node call[%d]/toy_check", i);
    assert_int_equal(replay(r, 1, i, out, &err), RP_ERR_INPUT);
    if (!strstr(err.reason, want)) fail_msg("'%s' instead of '%s'", err.reason, want);
  }
  EXPECT(RP_OK, replay(r, 0, CALLS - 1, out, &err), &err); /* which does not run */
  rp_recording_destroy(r);
  rp_graph_destroy(g);
  bench_close(&b);
#ifdef FAKE_CUDA
  if (fake_violation()) fail_msg("%s", fake_violation());
#endif
}

int main(void) {
#ifndef FAKE_CUDA
  if (bench_absent()) return 77;
#endif
  const struct CMUnitTest tests[] = {cmocka_unit_test(calls)};
  return cmocka_run_group_tests_name("cuda calls", tests, NULL, NULL);
}
