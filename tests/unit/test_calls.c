/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Graphs that call graphs. Random ones, with calls in calls, must have the results of the graph that is built by hand
 * and, if their bodies are short, its nodes and its plan. A refusal names the call that is wrong.
 */
#include "watch.h"

#include "called.h"

#include <reprise/call.h>
#include <reprise/view.h>

#include <stdio.h>

enum { GRAPHS = 150, LEN = 32, BODIES = 4, STEPS = 8, INPUTS = 2, RUNS = 2 };

static uint64_t seed;

static uint64_t next(uint64_t below) { /* splitmix64: Steele, Lea, Flood 2014 */
  uint64_t z = seed += 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return (z ^ z >> 31) % below;
}

/* ---- Random bodies ----------------------------------------------------------------------------------------------- */

typedef enum what { ADD, SCALE, TURN, TABLE, CONSTANT, AGAIN, CALL } what;
typedef struct step {
  what kind;
  uint32_t a, b; /* operands: values of the program, the inputs first */
  uint64_t factor;
  uint32_t callee;
} step;

/* Each step makes one value of LEN elements; the last two are outputs. */
typedef struct program {
  step steps[STEPS];
  uint64_t constant[LEN];
} program;

static void make_program(program *p, uint32_t callees) {
  for (uint32_t i = 0; i < LEN; i++) p->constant[i] = next(4) ? i : next(UINT64_MAX);
  for (uint32_t s = 0; s < STEPS; s++) {
    const uint32_t known = INPUTS + s;
    step *t = &p->steps[s];
    *t = (step){.kind = (what)next(callees ? CALL + 2 : CALL), .factor = 1 + next(LEN - 1)};
    if (t->kind > CALL) t->kind = CALL;
    t->a = next(2) ? known - 1 : (uint32_t)next(known);
    t->b = (uint32_t)next(known);
    t->callee = callees ? (uint32_t)next(callees) : 0;
  }
  p->steps[STEPS - 1].kind = ADD; /* an output is computed */
  if (p->steps[STEPS - 2].kind == CONSTANT) p->steps[STEPS - 2].kind = SCALE;
}

/* Calls a body, or adds the same nodes by hand. */
typedef void (*call_fn)(rp_graph *g, const char *name, uint32_t callee, const rp_value *in, rp_value *out);

static rp_value make_step(rp_graph *g, const program *p, uint32_t s, const rp_value *v, call_fn call) {
  const step *t = &p->steps[s];
  char name[32];
  rp_value out[2];
  snprintf(name, sizeof name, "step %u", s);
  switch (t->kind) {
  case ADD: return toy_add(g, v[t->a], v[t->b]);
  case SCALE: return toy_scale(g, v[t->a], t->factor);
  case TURN:
    return toy_concat(g, toy_slice(g, v[t->a], t->factor, LEN - t->factor), toy_slice(g, v[t->a], 0, t->factor));
  case TABLE: return toy_table(g, v[t->a]);
  case CONSTANT: return rp_graph_constant(g, name, &toy_u64, LEN, p->constant, 0);
  case AGAIN: /* in a scope, and not merged with others */
    rp_scope_begin(g, "again");
    rp_scope_title(g, "once more, step %u", s);
    rp_recompute_begin(g);
    out[0] = toy_scale(g, toy_scale(g, v[t->a], t->factor), t->factor);
    rp_recompute_end(g);
    rp_scope_end(g);
    return out[0];
  case CALL: call(g, name, t->callee, (rp_value[]){v[t->a], v[t->b]}, out); return t->factor % 2 ? out[0] : out[1];
  }
  return RP_NO_VALUE;
}

static void make_steps(rp_graph *g, const program *p, const rp_value *in, rp_value *out, call_fn call) {
  rp_value v[INPUTS + STEPS] = {in[0], in[1]};
  for (uint32_t s = 0; s < STEPS; s++) v[INPUTS + s] = make_step(g, p, s, v, call);
  out[0] = v[INPUTS + STEPS - 2];
  out[1] = v[INPUTS + STEPS - 1];
}

static program programs[BODIES];
static rp_graph *bodies[BODIES];

static void by_hand(rp_graph *g, const char *name, uint32_t callee, const rp_value *in, rp_value *out) {
  char scope[64];
  static uint32_t n_root; /* calls of the outermost scope have one name, and are numbered */
  if (strcmp(name, "root") == 0) {
    if (g->n_nodes == 0) n_root = 0;
    snprintf(scope, sizeof scope, "root[%u]", n_root++);
  } else {
    snprintf(scope, sizeof scope, "%s[0]", name);
  }
  rp_scope_begin(g, scope);
  make_steps(g, &programs[callee], in, out, by_hand);
  rp_scope_end(g);
}

static void by_call(rp_graph *g, const char *name, uint32_t callee, const rp_value *in, rp_value *out) {
  const rp_call_port inputs[] = {{"y", in[1]}, {"x", in[0]}};
  rp_call_port outputs[] = {{"last", RP_NO_VALUE}, {"before", RP_NO_VALUE}};
  const rp_value first = rp_call(g, name, bodies[callee], inputs, 2, outputs, 2);
  assert_int_equal(first.id, outputs[0].value.id);
  out[0] = outputs[1].value;
  out[1] = outputs[0].value;
}

static rp_graph *make_body(uint32_t i) {
  rp_graph *g;
  rp_value out[2];
  make_program(&programs[i], i);
  assert_int_equal(rp_graph_create(the_watch.context, "body", &g, NULL), RP_OK);
  const rp_value in[] = {rp_graph_input(g, "x", &toy_u64, LEN, 0), rp_graph_input(g, "y", &toy_u64, LEN, 0)};
  make_steps(g, &programs[i], in, out, by_call);
  rp_graph_output(g, "before", out[0], 0);
  rp_graph_output(g, "last", out[1], 0);
  if (rp_graph_error(g)->status) fail_msg("body: %s", rp_graph_error(g)->reason);
  return g;
}

/* ---- One graph in two ways --------------------------------------------------------------------------------------- */

static void make_graph(rp_graph *g, uint32_t n, uint32_t callee, call_fn call) {
  rp_value v[2] = {rp_graph_input(g, "x", &toy_u64, LEN, RP_SECRET), rp_graph_input(g, "y", &toy_u64, LEN, 0)}, out[2];
  for (uint32_t i = 0; i < n; i++) {
    call(g, "root", (callee + i) % BODIES, v, out);
    v[0] = out[0];
    v[1] = out[1];
  }
  rp_graph_output(g, "a", v[0], 0);
  rp_graph_output(g, "b", v[1], 0);
  if (rp_graph_error(g)->status) fail_msg("%s", rp_graph_error(g)->reason);
}

static void run_graph(rp_recording *r, const uint64_t *x, const uint64_t *y, uint64_t *out) {
  rp_error err = {0};
  const rp_replay_input in[] = {{.name = "x", .data = x, .size_bytes = 8 * LEN},
                                {.name = "y", .data = y, .size_bytes = 8 * LEN}};
  const rp_replay_output outs[] = {{.name = "a", .data = out, .size_bytes = 8 * LEN},
                                   {.name = "b", .data = out + LEN, .size_bytes = 8 * LEN}};
  if (rp_replay(r, in, 2, outs, 2, &err)) fail_msg("%s", err.reason);
}

static void compare_graphs(const rp_graph *a, const rp_graph *b) {
  assert_int_equal(a->n_nodes, b->n_nodes);
  for (uint32_t n = 0; n < a->n_nodes; n++) {
    const rp_node *x = &a->nodes[n], *y = &b->nodes[n];
    assert_string_equal(x->name, y->name);
    assert_string_equal(x->scope->path, y->scope->path);
    assert_string_equal(x->scope->title ? x->scope->title : "", y->scope->title ? y->scope->title : "");
    assert_ptr_equal(x->op, y->op);
    assert_int_equal(x->section, y->section);
    assert_int_equal(a->values[x->out[0].id - 1].secret, b->values[y->out[0].id - 1].secret);
    assert_int_equal(a->values[x->out[0].id - 1].constant, b->values[y->out[0].id - 1].constant);
  }
}

static rp_recording *record(rp_graph *g, uint64_t order) {
  rp_recording *r;
  rp_error err = {0};
  const rp_record_options o = {
      .struct_size = sizeof o, .flags = RP_RECORD_RANDOM_ORDER | RP_RECORD_CHECK_HAZARDS, .order_seed = order};
  if (rp_record(the_watch.device, g, &o, &r, &err)) fail_msg("%s", err.reason);
  return r;
}

static void same_as_by_hand(void **state) {
  (void)state;
  uint32_t shared = 0, as_nodes = 0;
  for (uint64_t n = 0; n < GRAPHS; n++) {
    rp_graph *flat;
    uint64_t x[LEN], y[LEN], want[2 * LEN], got[2 * LEN];
    seed = n * 7919 + 3;
    watch_open(&rp_backend_cpu, 0);
    for (uint32_t i = 0; i < BODIES; i++) bodies[i] = make_body(i);
    const uint32_t calls = 1 + (uint32_t)next(12), callee = (uint32_t)next(BODIES);
    assert_int_equal(rp_graph_create(the_watch.context, "flat", &flat, NULL), RP_OK);
    make_graph(flat, calls, callee, by_hand);
    make_graph(the_watch.graph, calls, callee, by_call);
    for (uint32_t i = 0; i < BODIES; i++) rp_graph_destroy(bodies[i]); /* the graph keeps what it needs */
    /* Calls of long bodies are nodes (test_call_nodes.c); flattened, they have what is constant once. */
    const rp_graph *all = rp_graph_flat(the_watch.graph);
    if (!the_watch.graph->n_calls) compare_graphs(flat, all);
    as_nodes += the_watch.graph->n_calls != 0;
    shared += the_watch.graph->n_values < flat->n_values;
    rp_recording *a = record(flat, n), *b = record(the_watch.graph, n);
    rp_plan_info one = {.struct_size = sizeof one}, two = one;
    rp_recording_get_plan(a, &one);
    rp_recording_get_plan(b, &two);
    if (!the_watch.graph->n_calls) {
      assert_int_equal(one.dispatches, two.dispatches);
      assert_int_equal(one.levels, two.levels);
      assert_int_equal(one.arena_bytes, two.arena_bytes);
    }
    for (int round = 0; round < RUNS; round++) {
      for (uint32_t i = 0; i < LEN; i++) x[i] = next(UINT64_MAX), y[i] = next(UINT64_MAX);
      run_graph(a, x, y, want);
      run_graph(b, x, y, got);
      assert_memory_equal(got, want, sizeof want);
    }
    rp_recording_destroy(a);
    rp_recording_destroy(b);
    rp_graph_destroy(flat);
    watch_close();
  }
  assert_true(as_nodes > GRAPHS / 4 && as_nodes < GRAPHS - GRAPHS / 4);
  assert_true(shared > GRAPHS / 4); /* bodies with constants are called several times */
}

/* ---- What is refused --------------------------------------------------------------------------------------------- */

static rp_graph *new_graph(rp_context *context) {
  rp_graph *g;
  assert_int_equal(rp_graph_create(context, "other", &g, NULL), RP_OK);
  return g;
}

/* x + y, scaled. */
static rp_graph *simple_body(rp_context *context, uint32_t flags) {
  rp_graph *g = new_graph(context);
  const rp_value x = rp_graph_input(g, "x", &toy_u64, LEN, flags), y = rp_graph_input(g, "y", &toy_u64, LEN, 0);
  rp_graph_output(g, "sum", toy_scale(g, toy_add(g, x, y), 3), 0);
  return g;
}

static void must_fail(rp_graph *g, rp_status status, const char *words) {
  const rp_error *e = rp_graph_error(g);
  if (e->status != status || !strstr(e->reason, words))
    fail_msg("status %d, '%s' instead of '%s'", e->status, e->reason, words);
  rp_graph_destroy(g);
}

static void refusals(void **state) {
  (void)state;
  watch_open(&rp_backend_cpu, 0);
  rp_context *context = the_watch.context, *elsewhere;
  rp_graph *body = simple_body(context, 0), *secret = simple_body(context, RP_SECRET);
  assert_int_equal(rp_context_create(NULL, &elsewhere, NULL), RP_OK);
  rp_graph *foreign = simple_body(elsewhere, 0), *broken = new_graph(context);
  rp_graph_output(broken, "nothing", RP_NO_VALUE, 0);
  enum { CASES = 19 };
  for (int i = 0; i < CASES; i++) {
    rp_graph *g = new_graph(context);
    const rp_value x = rp_graph_input(g, "x", &toy_u64, LEN, 0), shorter = rp_graph_input(g, "s", &toy_u64, LEN / 2, 0),
                   longer = rp_graph_input(g, "l", &toy_u64, 2 * LEN, 0),
                   narrow = rp_graph_input(g, "n", &toy_u32, LEN, 0);
    const rp_value other = rp_graph_input(the_watch.graph, (char[]){(char)('a' + i), 0}, &toy_u64, LEN, 0);
    rp_call_port in[] = {{"x", x}, {"y", x}, {"x", x}}, out[] = {{"sum", x}, {"difference", x}};
    uint32_t n_in = 2, n_out = 1;
    const rp_graph *called = body;
    const char *words = "", *name = "step";
    rp_status status = RP_ERR_ARGUMENT;
    rp_call_port *outs = out;
    switch (i) {
    case 0: in[1].value = shorter, status = RP_ERR_SHAPE, words = "'y' has 32 elements, and the value has 16"; break;
    case 1: in[0].value = narrow, status = RP_ERR_TYPE, words = "input 'x' has elements of"; break;
    case 2: n_in = 1, words = "call 'step': input 'y' is not given"; break;
    case 3: n_in = 3, words = "input 'x' is given twice"; break;
    case 4: in[1].name = "z", words = "no input 'z'"; break;
    case 5: in[1].name = NULL, words = "no input '(NULL)'"; break;
    case 6: n_out = 2, words = "no output 'difference'"; break;
    case 7: out[0].name = NULL, words = "no output '(NULL)'"; break;
    case 8: n_out = 0, words = "at least one output"; break;
    case 9: outs = NULL, words = "at least one output"; break;
    case 10: called = NULL, words = "the body is NULL"; break;
    case 11: called = g, words = "its own body"; break;
    case 12: called = foreign, words = "another context"; break;
    case 13: called = broken, words = "its body: output 'nothing'"; break;
    case 14: in[0].value = other, words = "value of another graph"; break;
    case 15: in[0].value = RP_NO_VALUE, words = "not a value of this graph"; break;
    case 16: called = secret, words = "input 'x' is secret"; break;
    case 17: name = "50%", words = "scope '50%[0]'"; break;
    case 18: in[1].value = longer, status = RP_ERR_SHAPE, words = "'y' has 32 elements, and the value has 64"; break;
    }
    assert_int_equal(rp_call(g, name, called, in, n_in, outs, n_out).id, 0);
    for (uint32_t o = 0; outs && o < n_out; o++) assert_int_equal(out[o].value.id, 0);
    must_fail(g, status, words);
  }
  assert_int_equal(rp_call(NULL, "x", body, NULL, 0, NULL, 0).id, 0);
  rp_graph_destroy(body), rp_graph_destroy(secret), rp_graph_destroy(foreign), rp_graph_destroy(broken);
  rp_context_destroy(elsewhere);
  watch_close();
}

/* A body that is called is complete, so that no two graphs can call each other. */
static void complete_bodies(void **state) {
  (void)state;
  for (int i = 0; i < 4; i++) {
    watch_open(&rp_backend_cpu, 0);
    rp_graph *body = simple_body(the_watch.context, 0), *g = the_watch.graph;
    const rp_value x = rp_graph_input(g, "x", &toy_u64, LEN, 0);
    rp_call_port out = {"sum", RP_NO_VALUE};
    const rp_value sum = rp_call(g, NULL, body, (rp_call_port[]){{"x", x}, {"y", x}}, 2, &out, 1);
    rp_graph_output(g, "sum", sum, 0);
    assert_string_equal(g->nodes[g->n_nodes - 1].name, "[0]/toy_scale");
    const rp_value bx = body->inputs[0], bs = body->nodes[0].out[0];
    if (i == 0) rp_graph_input(body, "late", &toy_u64, LEN, 0);
    if (i == 1) toy_scale(body, bx, 2);
    if (i == 2) rp_graph_output(body, "late", bs, 0);
    if (i == 3) rp_call(body, "back", g, (rp_call_port[]){{"x", bx}}, 1, &(rp_call_port){"sum", RP_NO_VALUE}, 1);
    assert_int_equal(rp_graph_error(g)->status, RP_OK);
    must_fail(body, RP_ERR_STATE, "complete");
    watch_close();
  }
}

/* ---- Many calls -------------------------------------------------------------------------------------------------- */

/* Plans a graph that computes x <- 3 (x + y) n times, by calls or by hand. */
static rp_plan_info plan_chain(uint32_t n, int by_hand_too) {
  rp_plan_info info = {.struct_size = sizeof info};
  rp_error err = {0};
  rp_graph *body = simple_body(the_watch.context, 0), *g = new_graph(the_watch.context);
  const rp_value y = rp_graph_input(g, "y", &toy_u64, LEN, 0);
  rp_value x = y;
  for (uint32_t i = 0; i < n; i++)
    x = by_hand_too
            ? toy_scale(g, toy_add(g, x, y), 3)
            : rp_call(g, "step", body, (rp_call_port[]){{"x", x}, {"y", y}}, 2, &(rp_call_port){"sum", RP_NO_VALUE}, 1);
  rp_graph_output(g, "x", x, 0);
  if (rp_plan_query(the_watch.device, g, NULL, &info, &err)) fail_msg("%s", err.reason);
  rp_graph_destroy(g);
  rp_graph_destroy(body);
  return info;
}

static uint32_t given_constants(const rp_graph *g) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < rp_graph_n_values(g); i++) {
    rp_value_info v = {.struct_size = sizeof v};
    assert_int_equal(rp_graph_get_value(g, i, &v, NULL), RP_OK);
    n += v.storage == RP_STORAGE_CONSTANT;
  }
  return n;
}

/* Loop-carried values take the same memory however often the body is called; plans grow with the number of calls. */
static void many_calls(void **state) {
  (void)state;
  watch_open(&rp_backend_null, 0);
  const rp_plan_info few = plan_chain(10, 0), some = plan_chain(1000, 0), many = plan_chain(10000, 0);
  const rp_plan_info flat = plan_chain(10000, 1);
  assert_int_equal(many.dispatches, 20000);
  assert_int_equal(some.arena_bytes, few.arena_bytes);
  assert_int_equal(many.arena_bytes, few.arena_bytes);
  assert_true(many.arena_bytes <= 3 * 8 * LEN);
  assert_true(many.host_bytes < 12 * some.host_bytes);
  assert_true(many.host_bytes < flat.host_bytes + flat.host_bytes / 4); /* the names of called nodes are longer */
  /* Graphs that call a body have each of its constants once; those that it has copied take memory once. */
  enum { MANY = 100000 };
  rp_graph *body = new_graph(the_watch.context), *outer = new_graph(the_watch.context), *g = the_watch.graph;
  uint64_t *numbers = calloc(MANY, 8);
  rp_plan_info info = {.struct_size = sizeof info};
  rp_graph_output(body, "k", toy_scale(body, rp_graph_constant(body, "k", &toy_u64, MANY, numbers, 0), 2), 0);
  free(numbers);
  rp_call_port out = {"k", RP_NO_VALUE};
  rp_graph_output(outer, "k", toy_add(outer, rp_call(outer, "a", body, NULL, 0, &out, 1), out.value), 0);
  for (int i = 0; i < 3; i++) rp_call(g, "b", outer, NULL, 0, &out, 1);
  assert_int_equal(given_constants(g), 1);
  rp_graph_output(g, "k", out.value, 0);
  if (rp_plan_query(the_watch.device, g, NULL, &info, NULL)) fail_msg("%s", rp_graph_error(g)->reason);
  assert_true(info.host_bytes > 8 * MANY && info.host_bytes < 16 * MANY);
  rp_graph_destroy(body), rp_graph_destroy(outer);
  watch_close();
}

/* Bodies that are complete may be called in several threads at once. */
static rp_graph *shared_bodies[2];

static void *build_and_run(void *arg) {
  uint64_t x[LEN], got[LEN];
  rp_error err = {0};
  rp_recording *r;
  rp_graph *g = new_graph(the_watch.context);
  rp_value v = rp_graph_input(g, "x", &toy_u64, LEN, 0), y = v;
  for (uint32_t i = 0; i < 50; i++)
    v = rp_call(g, "step", shared_bodies[i % 2], (rp_call_port[]){{"x", v}, {"y", y}}, 2,
                &(rp_call_port){"sum", RP_NO_VALUE}, 1);
  rp_graph_output(g, "v", v, 0);
  for (uint32_t i = 0; i < LEN; i++) x[i] = i + (uintptr_t)arg;
  const rp_replay_input in = {.name = "x", .data = x, .size_bytes = sizeof x};
  const rp_replay_output out = {.name = "v", .data = got, .size_bytes = sizeof got};
  if (rp_record(the_watch.device, g, NULL, &r, &err)) return "not recorded";
  if (rp_replay(r, &in, 1, &out, 1, &err)) return "not run";
  rp_recording_destroy(r);
  rp_graph_destroy(g);
  for (uint32_t i = 0; i < LEN; i++) {
    uint64_t want = x[i];
    for (uint32_t k = 0; k < 50; k++) want = 3 * (want + x[i]);
    if (got[i] != want) return "another result";
  }
  return NULL;
}

static void bodies_in_threads(void **state) {
  (void)state;
  enum { THREADS = 4 };
  pthread_t threads[THREADS];
  watch_open(&rp_backend_cpu, 0);
  for (int i = 0; i < 2; i++) shared_bodies[i] = simple_body(the_watch.context, 0);
  for (uintptr_t i = 0; i < THREADS; i++)
    assert_int_equal(pthread_create(&threads[i], NULL, build_and_run, (void *)(i << 20)), 0);
  for (int i = 0; i < THREADS; i++) {
    void *problem;
    pthread_join(threads[i], &problem);
    if (problem) fail_msg("%s", (const char *)problem);
  }
  for (int i = 0; i < 2; i++) rp_graph_destroy(shared_bodies[i]);
  watch_close();
}

/* A call in which memory runs out leaves an error and nothing else. */
static void out_of_memory(void **state) {
  (void)state;
  int failed = 0;
  for (int64_t at = 0;; at++) {
    watch_open(&rp_backend_cpu, 0);
    rp_graph *body = simple_body(the_watch.context, 0), *g = the_watch.graph;
    const rp_value x = rp_graph_input(g, "x", &toy_u64, LEN, 0);
    rp_value sum = x;
    atomic_store(&the_watch.fail_host_at, at);
    for (int i = 0; i < 400 && sum.id; i++) /* more than one chunk of an arena, and more than one table */
      sum = rp_call(g, "step", body, (rp_call_port[]){{"x", x}, {"y", sum}}, 2, &(rp_call_port){"sum", RP_NO_VALUE}, 1);
    atomic_store(&the_watch.fail_host_at, -1);
    const rp_status status = rp_graph_error(g)->status;
    assert_int_equal(status, sum.id ? RP_OK : RP_ERR_MEMORY);
    failed += status == RP_ERR_MEMORY;
    rp_graph_destroy(body);
    watch_close();
    if (!status) break;
  }
  assert_true(failed > 10);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(same_as_by_hand),   cmocka_unit_test(refusals),
                                     cmocka_unit_test(complete_bodies),   cmocka_unit_test(many_calls),
                                     cmocka_unit_test(bodies_in_threads), cmocka_unit_test(out_of_memory)};
  return cmocka_run_group_tests_name("calls", tests, NULL, NULL);
}
