/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Plans of bodies that nodes call: which bodies have none, which outputs of calls count as needed, the sections of the
 * nodes inside, and what faults say of these.
 */
#include "call_graphs.h"

/* A body whose values do not fit one block of the device has no frame: its nodes take the places of the calls. */
static void bodies_of_several_blocks(void **state) {
  (void)state;
  enum { ALIVE = 8 };
  uint64_t x[LEN], y[LEN], got[LEN], want[LEN];
  watch_open(&rp_backend_cpu, 0);
  rp_graph *body = new_graph("wide"), *g = the_watch.graph;
  rp_value v[ALIVE];
  const rp_value in = rp_graph_input(body, "x", &toy_u64, LEN, 0), other = rp_graph_input(body, "y", &toy_u64, LEN, 0);
  for (uint64_t i = 0; i < ALIVE; i++) v[i] = toy_xor(body, in, toy_scale(body, other, i + 2));
  rp_value sum = other;
  for (int i = 0; i < ALIVE; i++) sum = toy_add(body, toy_scale(body, sum, 3), v[i]);
  rp_graph_output(body, "z", sum, 0);
  rp_value z = rp_graph_input(g, "x", &toy_u64, LEN, 0), factor = rp_graph_input(g, "y", &toy_u64, LEN, 0);
  for (uint64_t i = 0; i < CALLS; i++) z = call(g, "loop", body, z, toy_scale(g, factor, i + 2));
  rp_graph_output(g, "z", z, 0);
  assert_int_equal(g->n_calls, CALLS);
  for (uint32_t i = 0; i < LEN; i++) x[i] = (i + 1) * 0x9e3779b97f4a7c15u, y[i] = x[i] >> 7;
  rp_recording *whole = record(g, 1);
  assert_non_null(whole->plan->templates);
  replay(whole, x, y, want);
  rp_recording_destroy(whole);
  the_watch.device->info.limits.max_allocation_bytes = 2 * sizeof x;
  rp_recording *r = record(g, 1);
  assert_null(r->plan->templates);
  replay(r, x, y, got);
  assert_memory_equal(got, want, sizeof want);
  rp_recording_destroy(r);
  rp_graph_destroy(body);
  watch_close();
}

/* Two chains, of which the second may need the first, and the first a node with two results. */
static rp_graph *two_chains(bool crossed, bool by_second_result) {
  rp_graph *g = new_graph("chains");
  rp_value u = rp_graph_input(g, "u", &toy_u64, LEN, 0), v = rp_graph_input(g, "v", &toy_u64, LEN, 0), both[2];
  toy_both(g, u, both);
  if (by_second_result) u = both[1];
  if (crossed) v = toy_add(g, v, u);
  for (int i = 0; i < 10; i++) u = toy_scale(g, u, 3), v = toy_scale(g, v, 5);
  rp_graph_output(g, "u", u, 0), rp_graph_output(g, "v", v, 0);
  must_be_good(g);
  return g;
}

static void call_both(rp_graph *g, const rp_graph *body, rp_value u, rp_value v, rp_value out[2]) {
  rp_call_port to[] = {{"u", RP_NO_VALUE}, {"v", RP_NO_VALUE}};
  rp_call(g, "loop", body, (rp_call_port[]){{"u", u}, {"v", v}}, 2, to, 2);
  out[0] = to[0].value, out[1] = to[1].value;
}

/* Few calls whose outputs are not all needed: the others are known to need theirs, and stay nodes. */
static void few_unused_outputs(void **state) {
  (void)state;
  enum { CASES = 3, CHAIN = 20 };
  for (int i = 0; i < CASES; i++) {
    watch_open(&rp_backend_null, 0);
    rp_graph *body = two_chains(i == 1, i == 2), *g = the_watch.graph;
    const rp_value a = rp_graph_input(g, "a", &toy_u64, LEN, 0), b = rp_graph_input(g, "b", &toy_u64, LEN, 0);
    rp_value at[2] = {a, b}, one[2] = {a, b};
    for (int k = 0; k < CHAIN; k++) {
      call_both(g, body, at[0], at[1], at);
      if (i == 0 && k == CHAIN / 2) { /* what this call is given and does not need, the next one needs */
        call_both(g, body, at[1], toy_scale(g, b, 3), one);
        rp_graph_output(g, "one", one[1], 0);
      }
    }
    if (i == 1) { /* comes last: it needs less than the calls before it */
      call_both(g, body, toy_scale(g, a, 3), toy_scale(g, b, 3), one);
      rp_graph_output(g, "one", one[0], 0);
    }
    rp_graph_output(g, "u", at[0], 0), rp_graph_output(g, "v", at[1], 0);
    must_be_good(g);
    assert_int_equal(g->n_calls, i < 2 ? CHAIN + 1 : CHAIN);
    rp_recording *r = record(g, 1);
    if (!r->plan->templates) fail_msg("case %d", i);
    rp_recording_destroy(r);
    rp_graph_destroy(body);
    watch_close();
  }
}

/* The sections of rp_recompute_begin that the nodes of calls belong to are what they are where calls add nodes: those
 * of a call in a section have that one, and a section of a body is none that there was before. */
static void sections_of_calls(void **state) {
  (void)state;
  watch_open(&rp_backend_null, 0);
  rp_graph *body = new_graph("sections"), *g = the_watch.graph;
  rp_value x = rp_graph_input(body, "x", &toy_u64, LEN, 0), y = rp_graph_input(body, "y", &toy_u64, LEN, 0);
  for (int i = 0; i < 16; i++) x = toy_add(body, x, y);
  rp_recompute_begin(body);
  x = toy_scale(body, x, 3);
  rp_recompute_end(body);
  rp_graph_output(body, "z", toy_add(body, x, y), 0);
  x = rp_graph_input(g, "x", &toy_u64, LEN, 0), y = rp_graph_input(g, "y", &toy_u64, LEN, 0);
  rp_recompute_begin(g);
  x = call(g, "inside", body, x, y);
  rp_recompute_end(g);
  rp_recompute_begin(g);
  x = toy_scale(g, x, 5);
  rp_recompute_end(g);
  for (uint64_t i = 0; i < 2; i++) x = call(g, "outside", body, x, toy_scale(g, y, i + 2));
  rp_graph_output(g, "z", x, 0);
  must_be_good(g);
  assert_int_equal(g->n_calls, 3);
  const rp_graph *flat = rp_graph_flat(g);
  uint32_t own[3] = {0}, n_inside = 0;
  for (uint32_t n = 0; n < flat->n_nodes; n++) {
    const rp_node *node = &flat->nodes[n];
    const char *path = node->scope->path;
    const bool inside = !strcmp(path, "inside[0]"), scales = strstr(node->name, "toy_scale") != NULL;
    if (inside) assert_int_equal(node->section, 1);
    n_inside += inside;
    if (!scales || inside || !*path) continue;
    own[strcmp(path, "outside[0]") ? 1 : 0] = node->section;
  }
  assert_int_equal(n_inside, 18);
  assert_true(own[0] > 2 && own[1] > own[0]);
  rp_graph_destroy(body);
  watch_close();
}

/* ---- Faults ------------------------------------------------------------------------------------------------------ */

/* The first node checks y, or the second one what the first has made of it. */
static rp_graph *early_body(bool of_inner) {
  rp_graph *g = new_graph("early");
  rp_value x = rp_graph_input(g, "x", &toy_u64, LEN, 0), y = rp_graph_input(g, "y", &toy_u64, LEN, 0);
  y = toy_check(g, of_inner ? toy_xor(g, y, x) : y, LIMIT);
  for (int i = 0; i < 16; i++) x = toy_xor(g, x, y);
  rp_graph_output(g, "z", x, 0);
  must_be_good(g);
  return g;
}

static void early_faults(void **state) {
  (void)state;
  watch_open(&rp_backend_cpu, 0);
  rp_graph *body = early_body(false), *outer = early_body(true);
  expect_words(body, 0, ": element 7 (node loop[0]/toy_check)", NULL);
  expect_words(body, 3, ": element 7 (node loop[3]/toy_check)", NULL);
  expect_words(body, CALLS - 1, "last element 7 (node loop[4]/toy_check)", NULL);
  expect_words(outer, 0, ": element 7 (node loop[0]/toy_check)", NULL); /* what it checks is not given */
  rp_graph_destroy(body), rp_graph_destroy(outer);
  watch_close();
}

/* What names a node inside of calls in calls is cut where the room for it ends. */
static void long_names(void **state) {
  (void)state;
  enum { DEEP = 4 };
  char name[201], words[64];
  memset(name, 'n', sizeof name - 1), name[sizeof name - 1] = 0;
  watch_open(&rp_backend_cpu, 0);
  rp_graph *body = early_body(false);
  for (int i = 0; i < DEEP; i++) {
    rp_graph *outer = new_graph("outer");
    rp_value x = rp_graph_input(outer, "x", &toy_u64, LEN, 0), y = rp_graph_input(outer, "y", &toy_u64, LEN, 0);
    x = call(outer, name, body, x, y);
    for (int k = 0; k < 16; k++) x = toy_xor(outer, x, y);
    rp_graph_output(outer, "z", x, 0);
    must_be_good(outer);
    assert_int_equal(outer->n_calls, 1);
    rp_graph_destroy(body);
    body = outer;
  }
  snprintf(words, sizeof words, ": element 7 (node loop[1]/%.20s", name);
  expect_words(body, 1, words, NULL);
  rp_graph_destroy(body);
  watch_close();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bodies_of_several_blocks),
      cmocka_unit_test(few_unused_outputs),
      cmocka_unit_test(sections_of_calls),
      cmocka_unit_test(early_faults),
      cmocka_unit_test(long_names),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
