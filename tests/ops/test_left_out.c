/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * What a run leaves out of a graph with branches, as its profile and its faults tell, on every device that leaves out
 * anything; what plans and exports say of it.
 *
 * op-test lavapipe:quick
 */
#include "data.h"
#include "device.h"

#include <reprise/plans.h>
#include <reprise/subgraph.h>

#include <stdbool.h>
#include <stdio.h>

/* CUDA: the driver has conditional nodes from 12.4 on. */
static bool device_skips(void) {
  const char *serial = getenv("REPRISE_CUDA_SERIAL");
  rp_device_info info = {.struct_size = sizeof info};
  int major = 0, minor = 0;
  if (strncmp(device_name(), "cuda", 4)) return 1;
  rp_device_get_info(device_current(), &info);
  if (sscanf(info.driver, "CUDA %d.%d", &major, &minor) != 2) fail_msg("%s", info.driver);
  return (major > 12 || (major == 12 && minor >= 4)) && !(serial && !strcmp(serial, "1"));
}
static bool is_cpu(void) { return strncmp(device_name(), "cpu", 3) == 0; }

/* Running products of x, or a strict inverse of x. */
static rp_graph *one_body(uint64_t len, bool then) {
  enum { ROUNDS = 3 };
  rp_graph *body;
  assert_int_equal(rp_graph_create(device_context(), "body", &body, NULL), RP_OK);
  rp_value x = rp_graph_input(body, "x", rp_type_field(RP_FIELD_GOLDILOCKS), len, 0);
  const rp_batch_inverse_options strict = {.struct_size = sizeof strict, .zero = RP_ZERO_STRICT};
  for (int i = 0; then && i < ROUNDS; i++) x = rp_prefix_product(body, x, 0);
  rp_graph_output(body, "y", then ? x : rp_batch_inverse(body, x, &strict), 0);
  return body;
}

static rp_graph *one_branch(uint64_t len, uint32_t flags) {
  rp_graph *g, *then = one_body(len, 1), *other = one_body(len, 0);
  assert_int_equal(rp_graph_create(device_context(), "one", &g, NULL), RP_OK);
  const rp_call_port in = {"x", rp_graph_input(g, "x", rp_type_field(RP_FIELD_GOLDILOCKS), len, 0)};
  rp_call_port out = {"y", RP_NO_VALUE};
  const rp_value bit = rp_graph_input(g, "bit", &RP_TYPE_U32, 1, flags);
  assert_int_equal(rp_if(g, "branch", bit, then, other, &in, 1, &out, 1), 1);
  rp_graph_output(g, "y", out.value, 0);
  rp_graph_destroy(then), rp_graph_destroy(other);
  return g;
}

/* Counts dispatches under the condition, and of these the skipped ones, by the body that they are in. */
static void count(const rp_recording *r, uint32_t guarded[2], uint32_t skipped[2], uint64_t skipped_ns[2]) {
  rp_node_info nodes[64] = {{.struct_size = sizeof nodes[0]}};
  uint32_t n;
  assert_int_equal(rp_recording_nodes(r, nodes, 64, &n, NULL), RP_OK);
  assert_true(n <= 64);
  for (int b = 0; b < 2; b++) guarded[b] = skipped[b] = 0, skipped_ns[b] = 0;
  for (uint32_t i = 0; i < n; i++) {
    const int b = !strstr(nodes[i].name, "branch/then");
    assert_true(nodes[i].guarded >= nodes[i].skipped);
    if (nodes[i].guarded) assert_non_null(strstr(nodes[i].name, b ? "branch/else" : "branch/then"));
    guarded[b] += nodes[i].guarded;
    skipped[b] += nodes[i].skipped;
    if (nodes[i].skipped) skipped_ns[b] += nodes[i].end_ns - nodes[i].begin_ns;
  }
}

/* A fault in the branch that is not taken is not one, unless all branches are computed. */
static void skipped(void **unused) {
  (void)unused;
  enum { LEN = 100 };
  static uint64_t x[LEN], y[LEN]; /* zeros: the strict inverse fails */
  for (uint32_t i = 0; i < 12; i++) {
    const bool all = i % 3 == 1, secret = i % 3 == 2, none = all || secret || !device_skips();
    const uint32_t bit = i & 1 ? 0x80000000u : 0;
    rp_graph *g = one_branch(LEN, secret ? RP_SECRET : 0);
    rp_recording *r;
    rp_error err = {0};
    uint32_t guarded[2], left_out[2];
    uint64_t ns[2];
    const rp_record_options o = {.struct_size = sizeof o,
                                 .flags = RP_RECORD_PROFILE | (all ? RP_RECORD_ALL_BRANCHES : 0)};
    const rp_replay_output out = {.name = "y", .data = y, .size_bytes = sizeof y};
    if (rp_record(device_current(), g, &o, &r, &err)) fail_msg("%s", err.reason);
    for (int k = 0; k < 3; k++) { /* the last time with an x that has an inverse */
      const uint32_t now = k ? bit : !bit;
      const rp_replay_input in[] = {{.name = "x", .data = x, .size_bytes = sizeof x},
                                    {.name = "bit", .data = &now, .size_bytes = sizeof now}};
      for (int e = 0; e < LEN; e++) x[e] = k == 2;
      const rp_status want = k == 2 || (now && !none) ? RP_OK : RP_ERR_INPUT;
      assert_int_equal(rp_replay(r, in, 2, &out, 1, &err), want);
      for (int e = 0; e < LEN && want == RP_OK; e++) assert_int_equal(y[e], x[e]);
      if (want != RP_OK) continue;
      count(r, guarded, left_out, ns);
      for (int b = 0; b < 2; b++) {
        const bool taken = (b == 0) == (now != 0);
        assert_int_equal(guarded[b] != 0, !none);
        assert_int_equal(left_out[b], taken ? 0 : guarded[b]);
        if (is_cpu()) assert_int_equal(ns[b], 0);
      }
    }
    rp_recording_destroy(r);
    rp_graph_destroy(g);
  }
}

/* ---- Branches in branches ---------------------------------------------------------------------------------------- */

enum { NESTED_LEN = 33 };

static rp_graph *new_graph(const char *name) {
  rp_graph *g;
  assert_int_equal(rp_graph_create(device_context(), name, &g, NULL), RP_OK);
  return g;
}

/* Under `outer`: a strict inverse of x if `inner` is not 0, else x + x. Otherwise running products of x, or -x. */
static rp_graph *nested(void) {
  rp_graph *g = new_graph("nested"), *bodies[2];
  const rp_type *type = rp_type_field(RP_FIELD_GOLDILOCKS);
  const rp_batch_inverse_options strict = {.struct_size = sizeof strict, .zero = RP_ZERO_STRICT};
  for (int b = 0; b < 2; b++) {
    rp_graph *then = new_graph("then"), *other = new_graph("other");
    bodies[b] = new_graph("body");
    rp_value x = rp_graph_input(then, "x", type, NESTED_LEN, 0);
    rp_graph_output(then, "y", b ? rp_prefix_product(then, x, 0) : rp_batch_inverse(then, x, &strict), 0);
    x = rp_graph_input(other, "x", type, NESTED_LEN, 0);
    rp_graph_output(other, "y", b ? rp_neg(other, x) : rp_add(other, x, x), 0);
    const rp_call_port in = {"x", rp_graph_input(bodies[b], "x", type, NESTED_LEN, 0)};
    rp_call_port out = {"y", RP_NO_VALUE};
    const rp_value inner = rp_graph_input(bodies[b], "inner", &RP_TYPE_U32, 1, 0);
    assert_int_equal(rp_if(bodies[b], "inner", inner, then, other, &in, 1, &out, 1), 1);
    rp_graph_output(bodies[b], "y", out.value, 0);
    rp_graph_destroy(then), rp_graph_destroy(other);
  }
  const rp_value outer = rp_graph_input(g, "outer", &RP_TYPE_U32, 1, 0);
  const rp_call_port in[] = {{"x", rp_graph_input(g, "x", type, NESTED_LEN, 0)},
                             {"inner", rp_graph_input(g, "inner", &RP_TYPE_U32, 1, 0)}};
  rp_call_port out = {"y", RP_NO_VALUE};
  assert_int_equal(rp_if(g, "outer", outer, bodies[0], bodies[1], in, 2, &out, 1), 1);
  rp_graph_output(g, "y", out.value, 0);
  rp_graph_destroy(bodies[0]), rp_graph_destroy(bodies[1]);
  return g;
}

/* Of the guarded dispatches of a recording with both parts in their names: how many, and how many were skipped. */
static void count_named(const rp_recording *r, const char *a, const char *b, uint32_t *n, uint32_t *left_out) {
  rp_node_info nodes[64] = {{.struct_size = sizeof nodes[0]}};
  uint32_t all;
  assert_int_equal(rp_recording_nodes(r, nodes, 64, &all, NULL), RP_OK);
  *n = *left_out = 0;
  for (uint32_t i = 0; i < all; i++) {
    if (!nodes[i].guarded || !strstr(nodes[i].name, a) || !strstr(nodes[i].name, b)) continue;
    ++*n;
    *left_out += nodes[i].skipped;
  }
}

/* In each run, of the four innermost bodies all but one are left out; and so is the selection of the other branch. */
static void nested_branches(void **unused) {
  (void)unused;
  static uint64_t x[NESTED_LEN], y[NESTED_LEN];
  static const char *const outers[] = {"outer/else", "outer/then"}, *const inners[] = {"inner/else", "inner/then"};
  rp_graph *g = nested();
  rp_recording *r;
  rp_error err = {0};
  const rp_record_options o = {.struct_size = sizeof o, .flags = RP_RECORD_PROFILE};
  if (rp_record(device_current(), g, &o, &r, &err)) fail_msg("%s", err.reason);
  for (uint32_t bits = 0; bits < 9; bits++) {
    const uint32_t outer = bits >> 1 & 1, inner = bits & 1;
    const rp_replay_input in[] = {{.name = "x", .data = x, .size_bytes = sizeof x},
                                  {.name = "inner", .data = &inner, .size_bytes = sizeof inner},
                                  {.name = "outer", .data = &outer, .size_bytes = sizeof outer}};
    const rp_replay_output out = {.name = "y", .data = y, .size_bytes = sizeof y};
    for (int e = 0; e < NESTED_LEN; e++) x[e] = bits < 4 ? 0 : 1; /* 0: the strict inverse is a fault */
    const bool faults = bits < 4 && (!device_skips() || (outer && inner));
    assert_int_equal(rp_replay(r, in, 3, &out, 1, &err), faults ? RP_ERR_INPUT : RP_OK);
    if (faults) continue;
    const uint64_t want = bits < 4 || inner ? x[0] : outer ? 2 : UINT64_C(0xffffffff00000000);
    for (int e = 0; e < NESTED_LEN; e++) assert_true(y[e] == want);
    for (uint32_t a = 0; a < 2 && device_skips(); a++) {
      uint32_t n, left_out;
      count_named(r, outers[a], "/select", &n, &left_out);
      assert_int_equal(n, 1);
      assert_int_equal(left_out, a != outer);
      for (uint32_t b = 0; b < 2; b++) {
        count_named(r, outers[a], inners[b], &n, &left_out);
        assert_true(n > 0);
        assert_int_equal(left_out, a == outer && b == inner ? 0 : n);
      }
    }
  }
  rp_recording_destroy(r);
  rp_graph_destroy(g);
}

/* ---- Plans and exports ------------------------------------------------------------------------------------------- */

/* A product of points, which is composite, or the first point. */
static rp_graph *product_branch(void) {
  enum { POINTS = 4 };
  rp_graph *g = new_graph("product"), *then = new_graph("then"), *other = new_graph("other");
  const rp_type *points = rp_type_affine(RP_CURVE_BN254_G1);
  rp_graph *const bodies[] = {then, other};
  for (int b = 0; b < 2; b++) {
    const rp_value p = rp_graph_input(bodies[b], "points", points, POINTS, 0);
    const rp_value s = rp_graph_input(bodies[b], "scalars", &RP_TYPE_U256, POINTS, 0);
    rp_graph_output(bodies[b], "y", b ? rp_from_affine(other, rp_slice(other, p, 0, 1)) : rp_msm(then, s, p, NULL), 0);
  }
  const rp_call_port in[] = {{"points", rp_graph_input(g, "points", points, POINTS, 0)},
                             {"scalars", rp_graph_input(g, "scalars", &RP_TYPE_U256, POINTS, 0)}};
  rp_call_port out = {"y", RP_NO_VALUE};
  const rp_value bit = rp_graph_input(g, "bit", &RP_TYPE_U32, 1, 0);
  assert_int_equal(rp_if(g, "branch", bit, then, other, in, 2, &out, 1), 1);
  rp_graph_output(g, "y", out.value, 0);
  rp_graph_destroy(then), rp_graph_destroy(other);
  return g;
}

/* What a composite node becomes is under its condition. */
static void plans(void **unused) {
  (void)unused;
  if (!is_cpu()) return; /* only what is planned; nothing runs */
  rp_graph *g = product_branch();
  rp_recording *r;
  rp_error err = {0};
  rp_node_info nodes[64] = {{.struct_size = sizeof nodes[0]}};
  uint32_t n, in_body = 0;
  if (rp_record(device_current(), g, NULL, &r, &err)) fail_msg("%s", err.reason);
  assert_int_equal(rp_recording_nodes(r, nodes, 64, &n, NULL), RP_OK);
  for (uint32_t i = 0; i < n; i++) {
    if (!strstr(nodes[i].name, "branch/then") && !strstr(nodes[i].name, "branch/else")) continue;
    if (!nodes[i].guarded && !nodes[i].once) fail_msg("%s always runs", nodes[i].name);
    in_body += strstr(nodes[i].name, "branch/then[0]/msm/") != NULL;
  }
  assert_true(in_body > 0);
  rp_recording_destroy(r);
  uint64_t ns[2];
  for (uint32_t all = 0; all < 2; all++) {
    const rp_record_options o = {.struct_size = sizeof o, .flags = all ? RP_RECORD_ALL_BRANCHES : 0};
    rp_plan_point point = {.struct_size = sizeof point};
    assert_int_equal(rp_plan_points(device_current(), g, &o, &point, 1, &n, &err), RP_OK);
    ns[all] = point.predicted_ns;
  }
  assert_true(ns[0] > 0 && ns[0] < ns[1] + 10000); /* a guard, for a slice and a conversion of a point */
  rp_graph_destroy(g);
}

/* Running products in both branches, as often as asked for; the two have no equal nodes. */
static uint64_t predicted(uint32_t then_rounds, uint32_t other_rounds, uint32_t flags) {
  enum { LEN = 1 << 16 };
  rp_graph *g = new_graph("cost"), *bodies[2];
  const rp_type *type = rp_type_field(RP_FIELD_GOLDILOCKS);
  for (int b = 0; b < 2; b++) {
    bodies[b] = new_graph("body");
    rp_value x = rp_graph_input(bodies[b], "x", type, LEN, 0);
    for (uint32_t i = 0; i < (b ? other_rounds : then_rounds); i++) x = rp_prefix_product(bodies[b], x, b);
    rp_graph_output(bodies[b], "y", x, 0);
  }
  const rp_call_port in = {"x", rp_graph_input(g, "x", type, LEN, 0)};
  rp_call_port out = {"y", RP_NO_VALUE};
  assert_int_equal(
      rp_if(g, "branch", rp_graph_input(g, "bit", &RP_TYPE_U32, 1, 0), bodies[0], bodies[1], &in, 1, &out, 1), 1);
  rp_graph_output(g, "y", out.value, 0);
  const rp_record_options o = {.struct_size = sizeof o, .flags = flags};
  rp_plan_point point = {.struct_size = sizeof point};
  uint32_t n;
  assert_int_equal(rp_plan_points(device_current(), g, &o, &point, 1, &n, NULL), RP_OK);
  rp_graph_destroy(g), rp_graph_destroy(bodies[0]), rp_graph_destroy(bodies[1]);
  return point.predicted_ns;
}

static void costs(void **unused) {
  (void)unused;
  if (!is_cpu()) return;
  const uint64_t one = predicted(10, 1, 0), other = predicted(1, 10, 0), both = predicted(10, 10, 0);
  const uint64_t all = predicted(10, 10, RP_RECORD_ALL_BRANCHES);
  assert_true(one == other);
  assert_true(both >= one && both < one + one / 10);
  assert_true(all > both + both / 2);
}

static int append(void *user, const char *text, size_t bytes) {
  char *all = user;
  strncat(all, text, bytes);
  return 0;
}

static void exports(void **unused) {
  (void)unused;
  static char text[1 << 16];
  rp_graph *g = nested();
  rp_recording *r;
  if (rp_record(device_current(), g, NULL, &r, NULL)) fail();
  text[0] = 0;
  assert_int_equal(rp_graph_export(g, RP_EXPORT_JSON, append, text, NULL), RP_OK);
  assert_non_null(strstr(text, "\"if\": [{\"value\": 3, \"is\": \"0\"}, {\"value\": 1, \"is\": \"not 0\"}]}"));
  assert_non_null(strstr(text, "\"if\": [{\"value\": 1, \"is\": \"0\"}]}"));
  text[0] = 0;
  assert_int_equal(rp_graph_export(g, RP_EXPORT_DOT, append, text, NULL), RP_OK);
  assert_non_null(strstr(text, "if inner is not 0"));
  text[0] = 0;
  assert_int_equal(rp_recording_export(r, RP_EXPORT_JSON, append, text, NULL), RP_OK);
  assert_true(device_skips() == (strstr(text, "\"if\": [{\"value\": 3, \"is\": \"0\"}, {\"value\": 1") != NULL));
  assert_null(strstr(text, "skipped")); /* nothing has run */
  rp_recording_destroy(r);
  rp_graph_destroy(g);
}

static void refusals(void **unused) {
  (void)unused;
  static const char *const words[] = {"rp_condition_end without", "the condition is 2 elements of u32, not one u32",
                                      "not a value of this graph", "runs only under a condition"};
  static const rp_status statuses[] = {RP_ERR_STATE, RP_ERR_TYPE, RP_ERR_ARGUMENT, RP_ERR_ARGUMENT};
  for (int i = 0; i < 4; i++) {
    rp_graph *g;
    assert_int_equal(rp_graph_create(device_context(), "refused", &g, NULL), RP_OK);
    const rp_value x = rp_graph_input(g, "x", &RP_TYPE_U32, 2, 0), bit = rp_graph_input(g, "bit", &RP_TYPE_U32, 1, 0);
    if (i) rp_condition_begin(g, i == 1 ? x : i == 2 ? RP_NO_VALUE : bit, 1);
    if (i == 3) rp_graph_output(g, "y", rp_slice(g, x, 0, 1), 0);
    rp_condition_end(g);
    assert_int_equal(rp_graph_error(g)->status, statuses[i]);
    if (!strstr(rp_graph_error(g)->reason, words[i])) fail_msg("'%s', not '%s'", rp_graph_error(g)->reason, words[i]);
    rp_graph_destroy(g);
  }
  rp_condition_begin(NULL, RP_NO_VALUE, 1);
  rp_condition_end(NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(skipped), cmocka_unit_test(nested_branches),
                                     cmocka_unit_test(plans),   cmocka_unit_test(costs),
                                     cmocka_unit_test(exports), cmocka_unit_test(refusals)};
  return device_run_tests("left_out", tests, sizeof tests / sizeof tests[0]);
}
