/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Composite operations: what they become depends on the memory level; values keep their ids; results that only
 * composite operations can read; what expansions may not do; names and titles; no memory is lost when one fails.
 */
#include "watch.h"

#include "recording.h"

#include <reprise/view.h>

#include <stdio.h>

enum { LEN = 16 };

/* ---- Composite ops ----------------------------------------------------------------------------------------------- */

static rp_status same_shape(const rp_shape *s) {
  s->out_type[0] = s->in_type[0];
  s->out_len[0] = s->in_len[0];
  return RP_OK;
}

/* 4 a: one node at full memory, two at less, and more at lower levels, of which two give the result. */
static rp_status fourfold(rp_expand *x) {
  rp_value a = x->in[0];
  rp_expand_note(x, " at level %u", x->memory_level);
  assert_int_equal(x->n_in, 1);
  assert_int_equal(x->n_out, 1);
  assert_null(x->in_data[0]);
  assert_true(x->limits->max_allocation_bytes > 0);
  if (x->memory_level == RP_MEMORY_FULL) {
    x->out[0] = toy_scale(x->graph, a, 4);
  } else if (x->memory_level == RP_MEMORY_LESS) {
    x->out[0] = toy_scale(x->graph, toy_scale(x->graph, a, 2), 2);
  } else {
    const rp_value twice = toy_add(x->graph, a, a), four = toy_add(x->graph, twice, twice);
    x->out[0] = four;
    (void)toy_scale(x->graph, four, 5); /* this node reads the result, and nothing reads the node's own result */
    rp_scope_begin(x->graph, "inner");
    x->out[0] = toy_scale(x->graph, toy_scale(x->graph, four, 3), 1);
    x->out[0] = four;
    rp_scope_end(x->graph);
  }
  return RP_OK;
}
static const rp_op op_fourfold = {
    .struct_size = sizeof(rp_op), .flags = RP_OP_PURE, .name = "fourfold", .shape = same_shape, .expand = fourfold};
static rp_value make_fourfold(rp_graph *g, rp_value a) { return rp_graph_node(g, &op_fourfold, NULL, &a, 1, NULL, 1); }

/* A value without elements that stands for the two halves of a, and an operation that takes one of them. */
typedef struct halves {
  rp_value half[2];
} halves;

static rp_status cut(rp_expand *x) {
  halves *made = rp_expand_alloc(x, sizeof *made);
  if (!made) return RP_ERR_MEMORY;
  toy_split(x->graph, x->in[0], made->half);
  x->out_data[0] = made;
  return RP_OK;
}
static const rp_op op_cut = {.struct_size = sizeof(rp_op), .name = "cut", .shape = same_shape, .expand = cut};

static rp_status take_shape(const rp_shape *s) {
  s->out_type[0] = s->in_type[0];
  s->out_len[0] = s->in_len[0] / 2;
  return RP_OK;
}
static rp_status take(rp_expand *x) {
  const halves *made = x->in_data[0];
  const uint32_t which = *(const uint32_t *)x->params;
  if (!made) {
    rp_graph_fail(x->graph, RP_ERR_ARGUMENT, "it takes what cut gives");
    return RP_ERR_ARGUMENT;
  }
  x->out[0] = toy_scale(x->graph, made->half[which], 1);
  return RP_OK;
}
static const rp_op op_take = {.struct_size = sizeof(rp_op),
                              .name = "take",
                              .params_bytes = sizeof(uint32_t),
                              .shape = take_shape,
                              .expand = take};

static rp_value make_cut(rp_graph *g, rp_value a) { return rp_graph_node(g, &op_cut, NULL, &a, 1, NULL, 1); }
static rp_value make_take(rp_graph *g, rp_value of, uint32_t which) {
  return rp_graph_node(g, &op_take, &which, &of, 1, NULL, 1);
}

/* Expansions that each break another rule. */
enum {
  NO_RESULT,
  AN_OPERAND,
  OF_EARLIER, /* an operand that a node of the graph has computed */
  TOO_SHORT,
  NOT_SECRET,
  ONE_OF_TWO,
  COMPOSITE,
  ERROR_OF_GRAPH,
  STATUS_ALONE,
  TAKE_OF_OTHERS,
  WRONGS
};
static const struct {
  rp_status status;
  const char *reason;
} wrongs[WRONGS] = {{RP_ERR_UNSUPPORTED, "part/wrong: its expansion does not compute a result"},
                    {RP_ERR_UNSUPPORTED, "part/wrong: its expansion does not compute a result"},
                    {RP_ERR_UNSUPPORTED, "part/wrong: its expansion does not compute a result"},
                    {RP_ERR_UNSUPPORTED, "part/wrong: its expansion computes a result of another type or length"},
                    {RP_ERR_UNSUPPORTED, "part/wrong: its expansion computes a result of another type or length"},
                    {RP_ERR_UNSUPPORTED, "part/wrong: its expansion does not compute a result"},
                    {RP_ERR_UNSUPPORTED, "part/wrong: its expansion has an operation that is expanded itself"},
                    {RP_ERR_SHAPE, "part/wrong/toy_add: its operands differ in length"},
                    {RP_ERR_DEVICE_MEMORY, "part/wrong: "},
                    {RP_ERR_ARGUMENT, "part/take: it takes what cut gives"}};

static rp_value the_public; /* a value of the graph that the node does not read */

static rp_status wrong(rp_expand *x) {
  rp_value two[2];
  const rp_value a = x->in[0];
  switch (*(const int *)x->params) {
  case NO_RESULT: break;
  case AN_OPERAND:
  case OF_EARLIER: x->out[0] = a; break;
  case TOO_SHORT: x->out[0] = toy_sum(x->graph, a); break;
  case NOT_SECRET: x->out[0] = toy_scale(x->graph, the_public, 2); break;
  case ONE_OF_TWO:
    toy_split(x->graph, a, two);
    x->out[0] = two[0];
    break;
  case COMPOSITE: x->out[0] = make_fourfold(x->graph, a); break;
  case ERROR_OF_GRAPH: x->out[0] = toy_add(x->graph, a, toy_sum(x->graph, a)); break;
  default: return RP_ERR_DEVICE_MEMORY;
  }
  return RP_OK;
}
static const rp_op op_wrong = {
    .struct_size = sizeof(rp_op), .name = "wrong", .params_bytes = sizeof(int), .shape = same_shape, .expand = wrong};

/* ---- Tests ------------------------------------------------------------------------------------------------------- */

static uint64_t numbers[LEN];

static const uint64_t *result_of(rp_recording *r, rp_value in, rp_value out, rp_run **run) {
  *run = watch_run(r, in, numbers, sizeof numbers, RP_OK);
  return rp_run_output(*run, out);
}

static rp_recording *record_at(uint32_t level) {
  rp_recording *r = NULL;
  rp_error err = {0};
  const rp_record_options o = {
      .struct_size = sizeof o, .min_memory_level = level, .max_memory_level = level ? level : RP_MEMORY_LEVELS - 1};
  if (rp_record(the_watch.device, the_watch.graph, &o, &r, &err)) fail_msg("%s", err.reason);
  return r;
}

static void levels_choose(void **state) {
  static const uint32_t nodes[RP_MEMORY_LEVELS] = {2, 3, 3, 3, 3};
  (void)state;
  for (uint32_t level = 0; level < RP_MEMORY_LEVELS; level++) {
    rp_run *run;
    watch_open(&rp_backend_cpu, 0);
    rp_graph *g = the_watch.graph;
    const rp_value in = rp_graph_input(g, "in", &toy_u64, LEN, RP_SECRET), out = toy_scale(g, make_fourfold(g, in), 10);
    rp_graph_output(g, "out", out, 0);
    assert_int_equal(rp_graph_n_nodes(g), 2);
    rp_recording *r = record_at(level);
    assert_int_equal(rp_graph_n_nodes(g), 2); /* the caller's graph stays as it is */
    assert_int_equal(r->plan->info.nodes, nodes[level]);
    rp_graph_destroy(g); /* the recording keeps it */
    the_watch.graph = NULL;
    const uint64_t *got = result_of(r, in, out, &run);
    for (uint64_t i = 0; i < LEN; i++) assert_int_equal(got[i], 40 * numbers[i]);
    rp_run_end(run);
    rp_recording_destroy(r);
    watch_close();
  }
}

/* Of equal composite nodes what they become is merged, unless one is in a section that recomputes. A result may be an
 * output, and depend on constants alone. */
static void passes_see_the_parts(void **state) {
  (void)state;
  for (int apart = 0; apart < 2; apart++) {
    rp_run *run;
    watch_open(&rp_backend_cpu, 0);
    rp_graph *g = the_watch.graph;
    const rp_value in = rp_graph_input(g, "in", &toy_u64, LEN, 0), a = make_fourfold(g, in);
    if (apart) rp_recompute_begin(g);
    const rp_value b = make_fourfold(g, in);
    if (apart) rp_recompute_end(g);
    const rp_value k = make_fourfold(g, rp_graph_constant(g, "k", &toy_u64, LEN, numbers, RP_BORROW));
    const rp_value out = toy_add(g, toy_add(g, a, b), k);
    rp_graph_output(g, "a", a, 0);
    rp_graph_output(g, "out", out, 0);
    rp_recording *r = record_at(RP_MEMORY_FULL);
    assert_int_equal(r->plan->info.dispatches, 3 + apart);
    assert_int_equal(r->plan->info.once_dispatches, 1);
    const uint64_t *got = result_of(r, in, out, &run), *four = rp_run_output(run, a);
    for (uint64_t i = 0; i < LEN; i++) assert_int_equal(got[i], 12 * numbers[i]);
    for (uint64_t i = 0; i < LEN; i++) assert_int_equal(four[i], 4 * numbers[i]);
    rp_run_end(run);
    rp_recording_destroy(r);
    watch_close();
  }
}

static void results_without_elements(void **state) {
  rp_run *run;
  (void)state;
  watch_open(&rp_backend_cpu, 0);
  rp_graph *g = the_watch.graph;
  const rp_value in = rp_graph_input(g, "in", &toy_u64, LEN, 0), both = make_cut(g, in);
  const rp_value out = toy_add(g, make_take(g, both, 0), toy_scale(g, make_take(g, both, 1), 100));
  rp_graph_output(g, "out", out, 0);
  rp_recording *r = record_at(RP_MEMORY_FULL);
  assert_int_equal(r->plan->info.nodes, 5); /* one split */
  const uint64_t *got = result_of(r, in, out, &run);
  for (uint64_t i = 0; i < LEN / 2; i++) assert_int_equal(got[i], numbers[i] + 100 * numbers[i + LEN / 2]);
  rp_run_end(run);
  rp_recording_destroy(r);
  watch_close();
}

static void refuse(rp_value out, rp_status status, const char *reason) {
  rp_recording *r = NULL;
  rp_error err = {0};
  rp_plan_info info = {.struct_size = sizeof info};
  rp_graph_output(the_watch.graph, "out", out, 0);
  assert_int_equal(rp_graph_error(the_watch.graph)->status, RP_OK);
  assert_int_equal(rp_record(the_watch.device, the_watch.graph, NULL, &r, &err), status);
  assert_null(r);
  assert_memory_equal(err.reason, reason, strlen(reason));
  assert_int_equal(rp_plan_query(the_watch.device, the_watch.graph, NULL, &info, NULL), status);
  assert_int_equal(rp_graph_error(the_watch.graph)->status, RP_OK); /* another device may accept it */
}

static void what_expansions_must_not_do(void **state) {
  (void)state;
  for (int i = 0; i < WRONGS; i++) {
    watch_open(&rp_backend_cpu, 0);
    rp_graph *g = the_watch.graph;
    const rp_value given = rp_graph_input(g, "in", &toy_u64, LEN, i == NOT_SECRET ? RP_SECRET : 0);
    const rp_value in = i == OF_EARLIER ? toy_scale(g, given, 3) : given;
    the_public = rp_graph_input(g, "public", &toy_u64, LEN, 0);
    rp_scope_begin(g, "part");
    const rp_value out = i == TAKE_OF_OTHERS ? make_take(g, in, 0) : rp_graph_node(g, &op_wrong, &i, &in, 1, NULL, 1);
    rp_scope_end(g);
    refuse(out, wrongs[i].status, wrongs[i].reason);
    watch_close();
  }
}

static void only_expanded_operations_read_values_without_elements(void **state) {
  (void)state;
  for (int i = 0; i < 2; i++) {
    watch_open(&rp_backend_cpu, 0);
    rp_graph *g = the_watch.graph;
    const rp_value both = make_cut(g, rp_graph_input(g, "in", &toy_u64, LEN, 0));
    refuse(i ? toy_scale(g, both, 2) : both, RP_ERR_UNSUPPORTED,
           i ? "toy_scale: it reads a value that only operations which are expanded can read"
             : "cut: its result is an output of the graph, and no node computes it");
    watch_close();
  }
}

static void an_op_needs_a_way(void **state) {
  const rp_op none = {.struct_size = sizeof none, .name = "none", .shape = same_shape};
  const rp_op old = {
      .struct_size = offsetof(rp_op, expand), .name = "old", .shape = same_shape, .expand = fourfold}; /* not read */
  (void)state;
  for (int i = 0; i < 2; i++) {
    watch_open(&rp_backend_cpu, 0);
    const rp_value in = rp_graph_input(the_watch.graph, "in", &toy_u64, LEN, 0);
    assert_int_equal(rp_graph_node(the_watch.graph, i ? &old : &none, NULL, &in, 1, NULL, 1).id, 0);
    assert_int_equal(rp_graph_error(the_watch.graph)->status, RP_ERR_ARGUMENT);
    watch_close();
  }
  assert_null(rp_expand_alloc(NULL, 8));
  rp_expand_note(NULL, "nothing");
}

/* ---- Names ------------------------------------------------------------------------------------------------------- */

static char shown[1 << 16];
static size_t n_shown;

static int show(void *user, const char *text, size_t bytes) {
  (void)user;
  assert_true(n_shown + bytes < sizeof shown);
  memcpy(shown + n_shown, text, bytes);
  n_shown += bytes;
  shown[n_shown] = 0;
  return 0;
}

static void names_and_titles(void **state) {
  (void)state;
  watch_open(&rp_backend_cpu, 0);
  rp_graph *g = the_watch.graph;
  const rp_value in = rp_graph_input(g, "in", &toy_u64, LEN, 0), other = rp_graph_input(g, "other", &toy_u64, LEN, 0);
  rp_scope_begin(g, "part");
  rp_scope_title(g, "Four times");
  const rp_value a = make_fourfold(g, in), b = make_fourfold(g, other);
  rp_scope_end(g);
  rp_graph_output(g, "out", toy_add(g, a, b), 0);
  rp_recording *r = record_at(RP_MEMORY_LESS);
  n_shown = 0;
  assert_int_equal(rp_recording_export(r, RP_EXPORT_JSON, show, NULL, NULL), RP_OK);
  assert_non_null(strstr(shown, "part/fourfold/toy_scale#2"));
  assert_non_null(strstr(shown, "part/fourfold#2/toy_scale"));
  rp_view_source view = {.struct_size = sizeof view, .recording = r};
  n_shown = 0;
  assert_int_equal(rp_view_data(&view, show, NULL, NULL), RP_OK);
  assert_non_null(strstr(shown, "\"Four times at level 2\"")); /* once, though two nodes say so */
  view = (rp_view_source){.struct_size = sizeof view, .graph = g};
  n_shown = 0;
  assert_int_equal(rp_view_data(&view, show, NULL, NULL), RP_OK);
  assert_non_null(strstr(shown, "\"Four times\"")); /* the caller's graph has the caller's title */
  rp_recording_destroy(r);
  watch_close();
}

/* A check inside. */
static rp_status expand_guarded(rp_expand *x) {
  x->out[0] = toy_check(x->graph, x->in[0], 5);
  return RP_OK;
}
static const rp_op op_guarded = {
    .struct_size = sizeof(rp_op), .name = "guarded", .shape = same_shape, .expand = expand_guarded};

static void faults_name_the_part(void **state) {
  (void)state;
  watch_open(&rp_backend_cpu, 0);
  rp_graph *g = the_watch.graph;
  const rp_value in = rp_graph_input(g, "in", &toy_u64, LEN, 0);
  rp_scope_begin(g, "part");
  rp_graph_output(g, "out", rp_graph_node(g, &op_guarded, NULL, &in, 1, NULL, 1), 0);
  rp_scope_end(g);
  rp_recording *r = record_at(RP_MEMORY_FULL);
  rp_run *run = watch_run(r, in, numbers, sizeof numbers, RP_ERR_INPUT);
  assert_non_null(strstr(rp_run_error(run)->reason, "part/guarded/toy_check"));
  rp_run_end(run);
  rp_recording_destroy(r);
  watch_close();
}

/* ---- Memory ------------------------------------------------------------------------------------------------------ */

static rp_status live(rp_error *err) {
  rp_graph *g = the_watch.graph;
  rp_recording *r = NULL;
  const rp_value in = rp_graph_input(g, "in", &toy_u64, LEN, 0);
  rp_scope_begin(g, "part");
  rp_scope_title(g, "Title");
  const rp_value four = make_fourfold(g, in), both = make_cut(g, four);
  rp_graph_output(g, "out", toy_add(g, make_take(g, both, 0), make_take(g, both, 1)), 0);
  rp_scope_end(g);
  rp_status status = watch_open_device(&rp_backend_null, 0, err);
  if (!status) status = rp_record(the_watch.device, g, NULL, &r, err);
  rp_recording_destroy(r);
  return status;
}

static void every_allocation_fails_once(void **state) {
  int failures = 0;
  (void)state;
  for (int64_t n = 0;; n++) {
    rp_error err = {0};
    watch_open_context();
    atomic_store(&the_watch.fail_host_at, n);
    const rp_status status = live(&err);
    const int burnt = atomic_load(&the_watch.fail_host_at) < 0;
    watch_close();
    if (status == RP_OK && !burnt) break;
    if (status == RP_OK) continue;
    assert_true(status == RP_ERR_MEMORY || status == RP_ERR_DEVICE_MEMORY);
    assert_true(err.reason[0] != 0);
    failures++;
  }
  assert_true(failures > 30);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(levels_choose),
      cmocka_unit_test(passes_see_the_parts),
      cmocka_unit_test(results_without_elements),
      cmocka_unit_test(what_expansions_must_not_do),
      cmocka_unit_test(only_expanded_operations_read_values_without_elements),
      cmocka_unit_test(an_op_needs_a_way),
      cmocka_unit_test(names_and_titles),
      cmocka_unit_test(faults_name_the_part),
      cmocka_unit_test(every_allocation_fails_once),
  };
  for (uint64_t i = 0; i < LEN; i++) numbers[i] = 3 * i + 1;
  return cmocka_run_group_tests_name("expand", tests, NULL, NULL);
}
