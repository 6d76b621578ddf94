/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Calls of long bodies, which are one node in the graph and have one plan for all calls. Random bodies, with calls in
 * bodies, must give the results of the flattened graph, in random order and under the check of hazards, and no more
 * dispatches than it has. Faults name the node inside the call. What a call as one node would lose makes it the nodes
 * of its body.
 */
#include "call_chains.h"
#include "call_graphs.h"

#include <reprise/inspect.h>

enum { GRAPHS = 120, STEPS = 24 };

static uint64_t seed;

static uint64_t next(uint64_t below) { /* splitmix64: Steele, Lea, Flood 2014 */
  uint64_t z = seed += 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return (z ^ z >> 31) % below;
}

/* ---- Random bodies ----------------------------------------------------------------------------------------------- */

static rp_value in_scope(rp_graph *g, rp_value a) {
  rp_scope_begin(g, "part");
  const rp_value b = toy_scale(g, a, 7);
  rp_scope_end(g);
  return b;
}

/* One more value of LEN elements from those that there are, the latest of which is always used. */
static rp_value step(rp_graph *g, const rp_value *v, uint32_t n, const rp_graph *callee) {
  const rp_value a = v[n - 1], b = v[next(n)];
  const uint64_t at = 1 + next(LEN - 1);
  const uint64_t numbers[LEN] = {at, 2, at};
  rp_value both[2];
  switch (next(callee ? 10 : 9)) {
  case 0: return toy_add(g, a, b);
  case 1: return toy_scale(g, a, at);
  case 2: return toy_concat(g, toy_slice(g, a, at, LEN - at), toy_slice(g, b, 0, at));
  case 3: return toy_table(g, a);
  case 4: return toy_add(g, a, toy_scale(g, rp_graph_constant(g, "numbers", &toy_u64, LEN, numbers, 0), at));
  case 5: return toy_xor(g, a, b);
  case 6: return toy_linear(g, a, at, b, 3);
  case 7: toy_both(g, a, both); return toy_add(g, both[0], toy_scale(g, both[1], at));
  case 8:
    rp_recompute_begin(g);
    both[0] = toy_scale(g, a, at);
    rp_recompute_end(g);
    return toy_add(g, both[0], in_scope(g, b));
  default: return call(g, "inner", callee, a, toy_scale(g, b, at));
  }
}

static rp_graph *make_body(const rp_graph *callee) {
  rp_graph *g = new_graph("body");
  rp_value v[STEPS + 2] = {rp_graph_input(g, "x", &toy_u64, LEN, 0), rp_graph_input(g, "y", &toy_u64, LEN, 0)};
  for (uint32_t i = 0; i < STEPS; i++) v[i + 2] = step(g, v, i + 2, callee);
  rp_graph_output(g, "z", toy_add(g, v[STEPS + 1], v[0]), 0);
  must_be_good(g);
  return g;
}

/* x <- body(x, y scaled by i), CALLS times. */
static void make_calls(rp_graph *g, const rp_graph *body, uint32_t flags) {
  rp_value x = rp_graph_input(g, "x", &toy_u64, LEN, flags), y = rp_graph_input(g, "y", &toy_u64, LEN, 0);
  for (uint32_t i = 0; i < CALLS; i++) x = call(g, "loop", body, x, toy_scale(g, y, i + 2));
  rp_graph_output(g, "z", x, 0);
  must_be_good(g);
}

static rp_plan_info plan_of(const rp_recording *r) {
  rp_plan_info info = {.struct_size = sizeof info};
  rp_recording_get_plan(r, &info);
  return info;
}

static void same_results(void **state) {
  (void)state;
  uint32_t n_templates = 0, n_inner = 0;
  for (uint64_t n = 0; n < GRAPHS; n++) {
    uint64_t x[LEN], y[LEN], got[LEN], want[LEN];
    seed = n * 7919 + 11;
    watch_open(&rp_backend_cpu, 0);
    rp_graph *inner = make_body(NULL), *body = make_body(inner), *g = the_watch.graph;
    make_calls(g, body, n % 3 ? 0 : RP_SECRET);
    assert_int_equal(g->n_calls, CALLS);
    n_inner += body->n_calls != 0;
    rp_graph_destroy(inner), rp_graph_destroy(body); /* the graph keeps what it needs */
    const rp_graph *flat = rp_graph_flat(g);
    assert_int_equal(flat->n_calls, 0);
    rp_recording *a = record(g, n), *b = record(flat, n);
    n_templates += a->plan->templates != NULL;
    assert_null(b->plan->templates);
    for (int round = 0; round < 2; round++) {
      for (uint32_t i = 0; i < LEN; i++) x[i] = next(UINT64_MAX), y[i] = next(4) ? next(UINT64_MAX) : 0;
      replay(a, x, y, got);
      replay(b, x, y, want);
      assert_memory_equal(got, want, sizeof want);
    }
    /* Merging and fusing do not cross the borders of calls. */
    const uint32_t more = plan_of(b).dispatches + 3 * CALLS * (1 + CALLS);
    assert_true(plan_of(a).dispatches <= more && plan_of(a).host_bytes > 0);
    rp_recording_destroy(a), rp_recording_destroy(b);
    watch_close();
  }
  assert_true(n_templates == GRAPHS && n_inner > GRAPHS / 2);
}

/* Calls that give other outputs of the body, or the same in another order, have results of their own. */
static void outputs_of_each_call(void **state) {
  (void)state;
  uint64_t x[LEN], y[LEN], got[LEN], want[LEN];
  watch_open(&rp_backend_cpu, 0);
  rp_graph *body = new_graph("two"), *g = the_watch.graph;
  rp_value u = rp_graph_input(body, "x", &toy_u64, LEN, 0), v = rp_graph_input(body, "y", &toy_u64, LEN, 0);
  for (int i = 0; i < 10; i++) u = toy_add(body, u, v), v = toy_scale(body, toy_add(body, v, u), 5);
  rp_graph_output(body, "u", u, 0), rp_graph_output(body, "v", v, 0);
  u = rp_graph_input(g, "x", &toy_u64, LEN, 0), v = rp_graph_input(g, "y", &toy_u64, LEN, 0);
  rp_call_port of_u = {"u", RP_NO_VALUE}, of_v = {"v", RP_NO_VALUE},
               out[4][2] = {{of_u}, {of_v}, {of_u, of_v}, {of_v, of_u}};
  for (uint32_t i = 0; i < 4; i++) {
    rp_call(g, "loop", body, (rp_call_port[]){{"x", u}, {"y", toy_scale(g, v, 2 + i)}}, 2, out[i], i < 2 ? 1 : 2);
    u = i < 2 ? out[i][0].value : toy_add(g, toy_scale(g, out[i][0].value, 3), out[i][1].value);
  }
  rp_graph_output(g, "z", u, 0);
  must_be_good(g);
  assert_int_equal(g->n_calls, 4);
  rp_recording *a = record(g, 1), *b = record(rp_graph_flat(g), 1);
  assert_non_null(a->plan->templates);
  for (uint32_t i = 0; i < LEN; i++) x[i] = i + 1, y[i] = 1000 + i;
  replay(a, x, y, got), replay(b, x, y, want);
  assert_memory_equal(got, want, sizeof want);
  rp_recording_destroy(a), rp_recording_destroy(b);
  rp_graph_destroy(body);
  watch_close();
}

/* The first call computes constants of the body once, without its condition, under which it remains itself. */
static void constants_under_a_condition(void **state) {
  (void)state;
  const uint64_t numbers[LEN] = {1, 2};
  watch_open(&rp_backend_cpu, 0);
  rp_graph *body = new_graph("adds"), *g = the_watch.graph;
  rp_value x = rp_graph_input(body, "x", &toy_u64, LEN, 0), y = rp_graph_input(body, "y", &toy_u64, LEN, 0);
  for (int i = 0; i < 16; i++) x = toy_add(body, x, y);
  y = toy_scale(body, rp_graph_constant(body, "numbers", &toy_u64, LEN, numbers, 0), 3);
  rp_graph_output(body, "z", toy_add(body, x, y), 0);
  x = rp_graph_input(g, "x", &toy_u64, LEN, 0);
  rp_condition_begin(g, rp_graph_input(g, "if", &toy_u32, 1, 0), true);
  call(g, "a", body, x, toy_scale(g, x, 3));
  rp_condition_end(g);
  must_be_good(g);
  assert_int_equal(g->n_calls, 1);
  assert_int_equal(g->nodes[g->n_nodes - 1].condition, 1);
  rp_graph_destroy(body);
  watch_close();
}

/* ---- What exports and faults say --------------------------------------------------------------------------------- */

/* A chain of 20 nodes, with a check in the middle. */
static rp_graph *checking_body(const rp_graph *inner) {
  rp_graph *g = new_graph("checks");
  rp_value x = rp_graph_input(g, "x", &toy_u64, LEN, 0), y = rp_graph_input(g, "y", &toy_u64, LEN, 0);
  for (int i = 0; i < 16; i++) x = toy_add(g, x, y);
  rp_scope_begin(g, "part");
  x = inner ? call(g, "deep", inner, x, y) : toy_add(g, x, toy_check(g, y, LIMIT));
  rp_scope_end(g);
  rp_graph_output(g, "z", toy_add(g, x, y), 0);
  must_be_good(g);
  return g;
}

/* How many accesses of the value begin at this element. */
static uint32_t accesses_at(const rp_recording *r, rp_value value, uint64_t first) {
  const rp_part *part = &r->plan->parts[RP_PART_RUN];
  uint32_t n = 0;
  for (uint32_t s = 0; s < part->n_dispatches; s++) {
    const rp_plan_dispatch d = rp_dispatch_of(part, s);
    for (uint32_t i = 0; i < rp_n_touches(&d); i++) {
      const rp_touch t = rp_touch_at(&d, i);
      n += t.value == value.id - 1 && t.first == first;
    }
  }
  return n;
}

static void each_slice_is_read(const rp_recording *r, rp_value all) {
  for (uint32_t i = 0; i + 1 < CALLS; i++) assert_true(accesses_at(r, all, (uint64_t)i * LEN) > 1);
}

static void faults(void **state) {
  (void)state;
  watch_open(&rp_backend_cpu, 0);
  rp_graph *body = checking_body(NULL), *outer = checking_body(body);
  assert_int_equal(outer->n_calls, 1);
  expect_words(body, 0, "element 7 (node loop[0]/part/toy_check)", each_slice_is_read);
  expect_words(body, 2, "element 7 (node loop[2]/part/toy_check)", each_slice_is_read);
  expect_words(body, CALLS - 1, "last element 7 (node loop[4]/part/toy_check)", each_slice_is_read);
  expect_words(outer, 3, "element 7 (node loop[3]/part/deep[0]/part/toy_check)", each_slice_is_read);
  rp_graph_destroy(body), rp_graph_destroy(outer);
  watch_close();
}

/* Dispatches have the names and operations of the body's nodes. Who reads the graph node by node sees all of them. */
static void names(void **state) {
  (void)state;
  watch_open(&rp_backend_cpu, 0);
  rp_graph *body = checking_body(NULL), *g = the_watch.graph;
  make_calls(g, body, 0);
  rp_recording *r = record(g, 1);
  rp_node_info nodes[256] = {{.struct_size = sizeof *nodes}};
  uint32_t n = 0, found = 0;
  assert_int_equal(rp_recording_nodes(r, nodes, 256, &n, NULL), RP_OK);
  for (uint32_t i = 0; i < n; i++)
    found += !strcmp(nodes[i].name, "loop[3]/part/toy_check/toy_check") && !strcmp(nodes[i].op, "toy_check") &&
             !strcmp(nodes[i].strategy, "plain");
  assert_int_equal(found, 1);
  const uint32_t all = rp_graph_n_nodes(g);
  assert_int_equal(all, CALLS + CALLS * body->n_nodes);
  rp_graph_node_info info = {.struct_size = sizeof info};
  assert_int_equal(rp_graph_get_node(g, 1, &info, NULL), RP_OK);
  assert_string_equal(info.name, "loop[0]/toy_add");
  toy_scale(g, g->nodes[0].out[0], 2); /* the graph goes on */
  assert_int_equal(rp_graph_n_nodes(g), all + 1);
  rp_graph_output(g, "one more", g->nodes[0].out[0], 0);
  assert_int_equal(rp_graph_flat(g)->n_outputs, 2);
  rp_recording_destroy(r);
  rp_graph_destroy(body);
  watch_close();
}

/* ---- What is not a node ------------------------------------------------------------------------------------------ */

static void not_nodes(void **state) {
  (void)state;
  const uint64_t numbers[LEN] = {1};
  enum { CASES = 7 };
  for (int i = 0; i < CASES; i++) {
    watch_open(&rp_backend_cpu, 0);
    rp_graph *body = checking_body(NULL), *g = the_watch.graph, *copies = new_graph("copies");
    const rp_value x = rp_graph_input(g, "x", &toy_u64, LEN, 0), y = rp_graph_input(g, "y", &toy_u64, LEN, 0);
    const rp_value s = rp_graph_input(g, "s", &toy_u64, LEN, RP_SECRET);
    rp_call_port twice[] = {{"z", RP_NO_VALUE}, {"z", RP_NO_VALUE}};
    rp_value z = call(g, "a", body, x, y);
    uint32_t want = 1;
    switch (i) {
    case 0: z = call(g, "a", body, z, toy_scale(g, y, 2)), want = 2; break;
    case 1: z = call(g, "a", body, z, rp_graph_constant(g, "c", &toy_u64, LEN, numbers, 0)); break;
    case 2: z = call(g, "a", body, z, y); break; /* would check y again */
    case 3:
      z = rp_call(g, "a", body, (rp_call_port[]){{"x", z}, {"y", x}}, 2, twice, 2);
      assert_int_equal(twice[0].value.id, twice[1].value.id);
      want = 2;
      break;
    case 4: { /* a secret that one of the outputs does not depend on */
      const rp_value a = rp_graph_input(copies, "x", &toy_u64, LEN, 0),
                     b = rp_graph_input(copies, "y", &toy_u64, LEN, 0);
      rp_value u = a, v = b;
      for (int k = 0; k < 10; k++) u = toy_scale(copies, u, 3), v = toy_scale(copies, v, 5);
      rp_graph_output(copies, "u", u, 0), rp_graph_output(copies, "v", v, 0);
      rp_call_port outs[] = {{"u", RP_NO_VALUE}, {"v", RP_NO_VALUE}};
      rp_call(g, "b", copies, (rp_call_port[]){{"x", toy_scale(g, s, 2)}, {"y", toy_scale(g, s, 3)}}, 2, outs, 2);
      want = 2;
      z = rp_call(g, "b", copies, (rp_call_port[]){{"x", s}, {"y", z}}, 2, outs, 2);
      assert_false(rp_graph_value_of(g, outs[1].value)->secret);
      assert_true(rp_graph_value_of(g, outs[0].value)->secret);
      break;
    }
    case 5: /* conditions of the calling graph are no hindrance */
      rp_condition_begin(g, rp_graph_input(g, "if", &toy_u32, 1, 0), true);
      call(g, "a", body, z, toy_scale(g, y, 3));
      rp_condition_end(g);
      want = 2;
      break;
    case 6: { /* would check again what the second of many calls has checked */
      const rp_value again = toy_scale(g, y, 2);
      for (uint64_t k = 0; k < 20; k++) z = call(g, "a", body, z, k ? toy_scale(g, y, 2 + k) : again);
      z = call(g, "a", body, z, again), want = 21;
      break;
    }
    }
    must_be_good(g);
    assert_int_equal(g->n_calls, want);
    rp_graph_destroy(body), rp_graph_destroy(copies);
    watch_close();
  }
}

/* If calls would compute what nothing reads, the plan is that of the nodes. */
static void unused_outputs(void **state) {
  (void)state;
  watch_open(&rp_backend_null, 0);
  rp_graph *body = new_graph("two"), *g = the_watch.graph;
  rp_value u = rp_graph_input(body, "u", &toy_u64, LEN, 0), v = rp_graph_input(body, "v", &toy_u64, LEN, 0);
  for (int i = 0; i < 10; i++) u = toy_scale(body, u, 3), v = toy_scale(body, v, 5);
  rp_graph_output(body, "u", u, 0), rp_graph_output(body, "v", v, 0);
  rp_call_port x[] = {{"u", rp_graph_input(g, "u", &toy_u64, LEN, 0)}, {"v", rp_graph_input(g, "v", &toy_u64, LEN, 0)}};
  for (int i = 0; i < CALLS; i++) {
    rp_call_port out[] = {{"u", RP_NO_VALUE}, {"v", RP_NO_VALUE}};
    rp_call(g, "loop", body, x, 2, out, 2);
    x[0].value = out[0].value, x[1].value = out[1].value;
  }
  rp_graph_output(g, "u", x[0].value, 0);
  assert_int_equal(g->n_calls, CALLS);
  rp_recording *r = record(g, 1);
  assert_null(r->plan->templates);
  assert_int_equal(plan_of(r).dispatches, 10 * CALLS);
  rp_recording_destroy(r);
  rp_graph_output(g, "v", x[1].value, 0);
  r = record(g, 1);
  assert_non_null(r->plan->templates);
  assert_int_equal(plan_of(r).dispatches, 20 * CALLS);
  rp_recording_destroy(r);
  rp_graph_destroy(body);
  watch_close();
}

/* More outputs than their set has bits. */
static void many_outputs(void **state) {
  (void)state;
  enum { OUTS = 70 };
  static char names[OUTS][8];
  watch_open(&rp_backend_cpu, 0);
  rp_graph *body = new_graph("many"), *g = the_watch.graph;
  const rp_value v = rp_graph_input(body, "x", &toy_u64, LEN, 0), x = rp_graph_input(g, "x", &toy_u64, LEN, 0);
  rp_call_port out[OUTS];
  for (int i = 0; i < OUTS; i++) {
    snprintf(names[i], sizeof names[i], "z%d", i);
    rp_graph_output(body, names[i], toy_scale(body, v, (uint64_t)i + 2), 0);
    out[i] = (rp_call_port){names[i], RP_NO_VALUE};
  }
  rp_call(g, "call", body, &(rp_call_port){"x", x}, 1, out, OUTS);
  const rp_value sum = toy_add(g, out[0].value, out[OUTS - 1].value);
  rp_graph_output(g, "sum", sum, 0);
  assert_int_equal(g->n_calls, 1);
  rp_recording *r = record(g, 1);
  uint64_t numbers[LEN], sums[LEN];
  for (uint64_t i = 0; i < LEN; i++) numbers[i] = i + 1;
  const rp_replay_input in = {.name = "x", .data = numbers, .size_bytes = sizeof numbers};
  const rp_replay_output to = {.name = "sum", .data = sums, .size_bytes = sizeof sums};
  assert_int_equal(rp_replay(r, &in, 1, &to, 1, NULL), RP_OK);
  for (uint64_t i = 0; i < LEN; i++) assert_int_equal(sums[i], numbers[i] * (2 + OUTS + 1));
  rp_recording_destroy(r);
  rp_graph_destroy(body);
  watch_close();
}

/* ---- Memory ------------------------------------------------------------------------------------------------------ */

/* A call of a body of 100 nodes takes a small part of what its nodes take: per dispatch, what differs from call to
 * call, and on the CPU a task with its arguments. The arena does not grow. */
static void memory(void **state) {
  (void)state;
  const rp_backend *backends[] = {&rp_backend_null, &rp_backend_cpu};
  static const uint64_t most_bytes[] = {88, 252}; /* per dispatch, where 16 calls and their template are known */
  for (int i = 0; i < 2; i++) {
    const chain_cost few = chain_measure(backends[i], 100, 16, 1), many = chain_measure(backends[i], 100, 512, 1);
    const chain_cost by_hand = chain_measure(backends[i], 100, 512, 0);
    assert_int_equal(many.dispatches, by_hand.dispatches);
    assert_int_equal(many.arena_bytes, few.arena_bytes);
    assert_true(20 * many.graph_bytes < by_hand.graph_bytes);
    const uint64_t calls = many.graph_bytes + many.recording_bytes,
                   nodes = by_hand.graph_bytes + by_hand.recording_bytes;
    assert_true((i ? 4 : 10) * calls < nodes);
    const uint64_t more = many.recording_bytes - few.recording_bytes, n = many.dispatches - few.dispatches;
    assert_true(more < most_bytes[i] * n);
  }
}

static void out_of_memory(void **state) {
  (void)state;
  int failed = 0;
  for (int64_t at = 0, good = 0; !good; at += 1 + at / 64) {
    watch_open(&rp_backend_cpu, 0);
    rp_graph *body = checking_body(NULL), *g = the_watch.graph;
    rp_recording *r = NULL;
    rp_value x = rp_graph_input(g, "x", &toy_u64, LEN, 0), y = rp_graph_input(g, "y", &toy_u64, LEN, 0);
    atomic_store(&the_watch.fail_host_at, at);
    for (uint32_t i = 0; i < 40; i++) x = call(g, "loop", body, x, toy_scale(g, y, i + 2));
    rp_graph_output(g, "z", x, 0);
    rp_error err = {0};
    const rp_status status = rp_record(the_watch.device, g, NULL, &r, &err);
    const uint32_t all = rp_graph_n_nodes(g);
    good = atomic_load(&the_watch.fail_host_at) >= 0;
    atomic_store(&the_watch.fail_host_at, -1);
    if (r ? status != RP_OK : status != RP_ERR_MEMORY && status != RP_ERR_DEVICE_MEMORY)
      fail_msg("%d at %d: %s", status, (int)at, err.reason);
    assert_true(all > 0 || rp_graph_error(g)->status);
    failed += status != RP_OK;
    rp_recording_destroy(r);
    rp_graph_destroy(body);
    watch_close();
  }
  assert_true(failed > 30);
}

/* "table": what calls cost, on the null device and the CPU, instead of the tests. */
int main(int argc, char **argv) {
  if (argc == 2 && !strcmp(argv[1], "table")) {
    chain_table(&rp_backend_null);
    chain_table(&rp_backend_cpu);
    return 0;
  }
  const struct CMUnitTest tests[] = {cmocka_unit_test(same_results),
                                     cmocka_unit_test(outputs_of_each_call),
                                     cmocka_unit_test(constants_under_a_condition),
                                     cmocka_unit_test(faults),
                                     cmocka_unit_test(names),
                                     cmocka_unit_test(not_nodes),
                                     cmocka_unit_test(unused_outputs),
                                     cmocka_unit_test(many_outputs),
                                     cmocka_unit_test(memory),
                                     cmocka_unit_test(out_of_memory)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
