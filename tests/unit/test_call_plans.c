/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Plans of bodies that nodes call: which bodies have none, which outputs of calls count as needed, the sections of the
 * nodes inside, and what plans of many calls count.
 */
#include "call_graphs.h"
#include "template.h"

/* The calls have templates, and none if an allocation has at most so many bytes. Both compute the same. */
static void check_within(rp_graph *g, uint64_t allocation_bytes) {
  uint64_t x[LEN], y[LEN], got[LEN], want[LEN];
  for (uint32_t i = 0; i < LEN; i++) x[i] = (i + 1) * 0x9e3779b97f4a7c15u, y[i] = x[i] >> 7;
  rp_recording *whole = record(g, 1);
  assert_non_null(whole->plan->templates);
  replay(whole, x, y, want);
  rp_recording_destroy(whole);
  the_watch.device->info.limits.max_allocation_bytes = allocation_bytes;
  rp_recording *r = record(g, 1);
  assert_null(r->plan->templates);
  replay(r, x, y, got);
  assert_memory_equal(got, want, sizeof want);
  rp_recording_destroy(r);
}

/* A body whose values do not fit one block of the device has no frame: its nodes take the places of the calls. */
static void bodies_of_several_blocks(void **state) {
  (void)state;
  enum { ALIVE = 8 };
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
  check_within(g, 2 * LEN * sizeof(uint64_t));
  rp_graph_destroy(body);
  watch_close();
}

/* The same of one value that does not, and has the arena to itself: all others are results. */
static void body_with_a_long_value(void **state) {
  (void)state;
  enum { LONG = 8 * LEN, ENDS = 17 };
  static char names[ENDS][8];
  watch_open(&rp_backend_cpu, 0);
  rp_graph *body = new_graph("long"), *g = the_watch.graph;
  rp_value v = rp_graph_input(body, "x", &toy_u64, LEN, 0), w = rp_graph_input(body, "y", &toy_u64, LEN, 0);
  rp_call_port out[ENDS];
  const rp_value odd = toy_count_odd(body, toy_fill_segments(body, v, LONG));
  for (int i = 0; i < ENDS; i++) {
    snprintf(names[i], sizeof names[i], "z%d", i);
    out[i] = (rp_call_port){names[i], RP_NO_VALUE};
    if (i) v = toy_add(body, v, w);
    rp_graph_output(body, names[i], i ? v : odd, 0);
  }
  rp_value z = rp_graph_input(g, "x", &toy_u64, LEN, 0), factor = rp_graph_input(g, "y", &toy_u64, LEN, 0);
  for (uint64_t i = 0; i < CALLS; i++) {
    const rp_call_port in[] = {{"x", z}, {"y", toy_scale(g, factor, i + 2)}};
    rp_call(g, "loop", body, in, 2, out, ENDS);
    z = toy_fill_segments(g, out[0].value, LEN);
    for (int k = 1; k < ENDS; k++) z = toy_add(g, z, out[k].value);
  }
  rp_graph_output(g, "z", z, 0);
  must_be_good(g);
  assert_int_equal(g->n_calls, CALLS);
  check_within(g, 4 * LEN * sizeof(uint64_t));
  rp_graph_destroy(body);
  watch_close();
}

/* A body whose plan has a constant that the body itself does not have: an operation adds it when it is expanded. */
static rp_status add_own(rp_expand *x) {
  uint64_t numbers[LEN];
  for (uint32_t i = 0; i < LEN; i++) numbers[i] = i + 1;
  x->out[0] = toy_add(x->graph, x->in[0], rp_graph_constant(x->graph, "own", &toy_u64, LEN, numbers, 0));
  return RP_OK;
}

static rp_status like_operand(const rp_shape *s) {
  s->out_type[0] = s->in_type[0], s->out_len[0] = s->in_len[0];
  return RP_OK;
}

static const rp_op op_add_own = {
    .struct_size = sizeof(rp_op), .flags = RP_OP_PURE, .name = "add_own", .shape = like_operand, .expand = add_own};

static void constants_of_expansions(void **state) {
  (void)state;
  uint64_t x[LEN] = {0}, y[LEN] = {0}, z[LEN];
  watch_open(&rp_backend_cpu, 0);
  rp_graph *body = new_graph("own"), *g = the_watch.graph;
  rp_value v = rp_graph_input(body, "x", &toy_u64, LEN, 0), w = rp_graph_input(body, "y", &toy_u64, LEN, 0);
  for (int i = 0; i < 16; i++) v = toy_add(body, v, w);
  rp_graph_output(body, "z", rp_graph_node(body, &op_add_own, NULL, &v, 1, NULL, 1), 0);
  v = rp_graph_input(g, "x", &toy_u64, LEN, 0), w = rp_graph_input(g, "y", &toy_u64, LEN, 0);
  for (uint64_t i = 0; i < CALLS; i++) v = call(g, "loop", body, v, toy_scale(g, w, i + 2));
  rp_graph_output(g, "z", v, 0);
  must_be_good(g);
  assert_int_equal(g->n_calls, CALLS);
  rp_recording *r = record(g, 1);
  assert_null(r->plan->templates);
  replay(r, x, y, z);
  for (uint64_t i = 0; i < LEN; i++) assert_int_equal(z[i], CALLS * (i + 1));
  rp_recording_destroy(r);
  rp_graph_destroy(body);
  watch_close();
}

/* a + 7, where the operation fills a table for it. */
static rp_status fill_sevens(const void *user, void *dst, uint64_t len) {
  (void)user;
  for (uint64_t i = 0; i < len; i++) ((uint64_t *)dst)[i] = 7;
  return RP_OK;
}

static void add_kernel(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *worker) {
  const uint64_t *const *t = args; /* two operands, and the result */
  (void)worker;
  for (uint64_t i = begin; i < end; i++) ((uint64_t *)(uintptr_t)t[2])[i] = t[0][i] + t[1][i];
}

static const rp_kernel k_seven = {.struct_size = sizeof(rp_kernel),
                                  .name = "seven",
                                  .args_bytes = 24,
                                  .n_binds = 3,
                                  .n_cpu = 1,
                                  .cpu = &(const rp_cpu_variant){RP_ISA_C, add_kernel}};

static rp_status lower_seven(rp_lower *l) {
  const rp_value sevens = rp_lower_constant(l, "sevens", &toy_u64, LEN, fill_sevens, NULL, 0);
  const rp_bind binds[] = {RP_BIND(rp_lower_in(l, 0), RP_READ), RP_BIND(sevens, RP_READ),
                           RP_BIND(rp_lower_out(l, 0), RP_WRITE)};
  const uint64_t args[3] = {0};
  rp_lower_dispatch(
      l, &(rp_dispatch){
             .kernel = &k_seven, .groups = {LEN}, .binds = binds, .n_binds = 3, .args = args, .args_bytes = 24});
  return RP_OK;
}

static const rp_strategy seven_strategies[] = {{.name = "table", .devices = RP_ON_ANY, .lower = lower_seven}};
static const rp_op op_seven = {.struct_size = sizeof(rp_op),
                               .name = "seven",
                               .shape = like_operand,
                               .strategies = seven_strategies,
                               .n_strategies = 1};

/* What operations fill is there once for all calls, also inside of calls in bodies, and for the graph itself. Flags of
 * a body's inputs are for graphs that are recorded: in a call these are operands. */
static void constants_that_operations_fill(void **state) {
  (void)state;
  uint64_t x[LEN], y[LEN] = {0}, z[LEN];
  watch_open(&rp_backend_cpu, 0);
  rp_graph *g = the_watch.graph, *body[2] = {new_graph("inner"), new_graph("outer")};
  for (int b = 0; b < 2; b++) {
    rp_value v = rp_graph_input(body[b], "x", &toy_u64, LEN, RP_BINDABLE),
             w = rp_graph_input(body[b], "y", &toy_u64, LEN, RP_RESIDENT);
    for (int i = 0; i < 16; i++) v = toy_add(body[b], v, w);
    v = b ? call(body[b], "loop", body[0], v, w) : v;
    rp_graph_output(body[b], "z", rp_graph_node(body[b], &op_seven, NULL, &v, 1, NULL, 1), 0);
    must_be_good(body[b]);
  }
  rp_value v = rp_graph_input(g, "x", &toy_u64, LEN, 0), w = rp_graph_input(g, "y", &toy_u64, LEN, 0);
  for (uint64_t i = 0; i < CALLS; i++) v = call(g, "loop", body[1], v, toy_scale(g, w, i + 2));
  rp_graph_output(g, "z", rp_graph_node(g, &op_seven, NULL, &v, 1, NULL, 1), 0);
  must_be_good(g);
  assert_int_equal(g->n_calls, CALLS);
  rp_recording *r = record(g, 1);
  assert_non_null(r->plan->templates);
  for (uint64_t i = 0; i < LEN; i++) x[i] = i << 32;
  replay(r, x, y, z);
  for (uint64_t i = 0; i < LEN; i++) assert_int_equal(z[i], x[i] + 7 * (2 * CALLS + 1));
  uint32_t filled = 0;
  for (uint32_t i = 0; i < r->plan->n_values; i++) filled += r->plan->values[i].origin == RP_ORIGIN_FILLED;
  assert_int_equal(filled, 1);
  rp_recording_destroy(r);
  rp_graph_destroy(body[0]), rp_graph_destroy(body[1]);
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

/* ---- Plans of many calls ----------------------------------------------------------------------------------------- */

/* x <- body(x, y scaled by i), `calls` times, of a body that is a chain of `nodes`. */
static rp_graph *call_chain(rp_graph *g, uint32_t nodes, uint32_t calls) {
  rp_graph *body = new_graph("chain");
  rp_value x = rp_graph_input(body, "x", &toy_u64, LEN, 0), y = rp_graph_input(body, "y", &toy_u64, LEN, 0);
  for (uint32_t i = 0; i < nodes; i++) x = i == 1 ? toy_xor(body, x, toy_check(body, y, LIMIT)) : toy_add(body, x, y);
  rp_graph_output(body, "z", x, 0);
  x = rp_graph_input(g, "x", &toy_u64, LEN, 0), y = rp_graph_input(g, "y", &toy_u64, LEN, 0);
  for (uint64_t i = 0; i < calls; i++) x = call(g, "loop", body, x, toy_scale(g, y, i + 2));
  if (!g->condition) rp_graph_output(g, "z", x, 0);
  return body;
}

/* The dispatches of calls count like others. */
static void too_many_dispatches(void **state) {
  (void)state;
  enum { NODES = 8192 };
  rp_recording *r = NULL;
  rp_error err = {0};
  watch_open(&rp_backend_null, 0);
  rp_graph *body = call_chain(the_watch.graph, NODES, RP_DISPATCHES_MAX / NODES);
  must_be_good(the_watch.graph);
  assert_int_equal(the_watch.graph->n_calls, RP_DISPATCHES_MAX / NODES);
  assert_int_equal(rp_record(the_watch.device, the_watch.graph, NULL, &r, &err), RP_ERR_UNSUPPORTED);
  assert_non_null(strstr(err.reason, "RP_DISPATCHES_MAX"));
  assert_null(r);
  rp_graph_destroy(body);
  watch_close();
}

/* What the plan says that it takes of the host's memory, with the templates: at least half of this recording. */
static void bytes_of_templates(void **state) {
  (void)state;
  enum { NODES = 1000 };
  rp_plan_info info = {.struct_size = sizeof info};
  watch_open(&rp_backend_null, 0);
  rp_graph *body = call_chain(the_watch.graph, NODES, 1);
  const uint64_t before = atomic_load(&the_watch.live_bytes);
  rp_recording *r = record(the_watch.graph, 1);
  const uint64_t bytes = atomic_load(&the_watch.live_bytes) - before;
  assert_non_null(r->plan->templates);
  rp_recording_get_plan(r, &info);
  if (info.host_bytes < bytes - bytes / 8)
    fail_msg("%llu of %llu", (unsigned long long)info.host_bytes, (unsigned long long)bytes);
  rp_recording_destroy(r);
  rp_graph_destroy(body);
  watch_close();
}

/* If memory does not suffice for a template, or for a graph without calls, nothing else is tried. */
static void out_of_memory(void **state) {
  (void)state;
  uint32_t failed[2] = {0};
  for (int64_t at = 0, good = 0; !good; at++) {
    rp_recording *r = NULL;
    const rp_graph *flat = NULL;
    watch_open(&rp_backend_null, 0);
    rp_graph *g = the_watch.graph, *body = call_chain(g, 20, 3);
    atomic_store(&the_watch.fail_host_at, at);
    const rp_status status = rp_record(the_watch.device, g, NULL, &r, NULL);
    good = atomic_load(&the_watch.fail_host_at) >= 0;
    if (r) assert_non_null(r->plan->templates);
    assert_int_equal(r != NULL, status == RP_OK);
    failed[0] += r == NULL;
    rp_recording_destroy(r);
    atomic_store(&the_watch.fail_host_at, at);
    rp_error err = {0};
    const rp_status flattened = rp_graph_flatten(g, &flat, &err);
    good &= atomic_load(&the_watch.fail_host_at) >= 0;
    atomic_store(&the_watch.fail_host_at, -1);
    assert_int_equal(flat != NULL, flattened == RP_OK);
    assert_int_equal(flattened, err.status);
    if (flat) assert_int_equal(flat->n_nodes, 3 + 3 * body->n_nodes);
    failed[1] += flat == NULL;
    if (flat) rp_graph_release(flat);
    rp_graph_destroy(body);
    watch_close();
  }
  assert_true(failed[0] > 30 && failed[1] > 5);
}

/* The guard of a call's dispatch is a touch of the calling plan, behind those of the body's, which are in elements. */
static void guards_of_calls(void **state) {
  (void)state;
  watch_open(&rp_backend_cpu, 0);
  rp_graph *g = the_watch.graph;
  rp_condition_begin(g, rp_graph_input(g, "if", &toy_u32, 1, 0), true);
  rp_graph *body = call_chain(g, 20, 2);
  rp_condition_end(g);
  const rp_value z = g->nodes[g->n_nodes - 1].out[0];
  rp_graph_output(g, "out", toy_add(g, z, g->inputs[1]), 0); /* stands for a selection */
  must_be_good(g);
  assert_int_equal(g->n_calls, 2);
  rp_recording *r = record(g, 1);
  const rp_plan *p = r->plan;
  assert_non_null(p->templates);
  uint32_t found = 0;
  for (uint32_t s = 0; s < p->parts[RP_PART_RUN].n_dispatches; s++) {
    const rp_plan_dispatch d = rp_dispatch_of(&p->parts[RP_PART_RUN], s);
    if (!d.pattern->inner) continue;
    const rp_type *type = NULL;
    const rp_touch guard = rp_dispatch_touch(p, &d, rp_n_touches(&d) - 1, &type);
    assert_int_equal(guard.value, p->guard_value);
    assert_string_equal(type->name, "u64");
    for (uint32_t i = 0; i + 1 < rp_n_touches(&d) && strcmp(d.pattern->step.kernel->name, "toy_check"); i++) {
      const rp_touch operand = rp_dispatch_touch(p, &d, i, &type);
      assert_true(type == &toy_u64 && operand.count == LEN);
    }
    found++;
  }
  assert_int_equal(found, 2 * body->n_nodes);
  rp_recording_destroy(r);
  rp_graph_destroy(body);
  watch_close();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bodies_of_several_blocks),
      cmocka_unit_test(body_with_a_long_value),
      cmocka_unit_test(constants_of_expansions),
      cmocka_unit_test(constants_that_operations_fill),
      cmocka_unit_test(few_unused_outputs),
      cmocka_unit_test(sections_of_calls),
      cmocka_unit_test(too_many_dispatches),
      cmocka_unit_test(bytes_of_templates),
      cmocka_unit_test(out_of_memory),
      cmocka_unit_test(guards_of_calls),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
