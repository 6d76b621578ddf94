/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The document of a graph, a recording and its runs: critical paths against all chains, reasons of edges, times, and no
 * value of any array.
 */
#include "watch.h"

#include "critical.h"

#include <reprise/view.h>

#include <jansson.h>
#include <stdlib.h>

enum { N = 128, STEPS = 9 };
static const uint64_t secret = 1234567890123456789u;

/* ---- Critical paths ---------------------------------------------------------------------------------------------- */

typedef struct random_steps {
  rp_step steps[STEPS];
  uint32_t preds[STEPS][STEPS];
  uint64_t ns[STEPS];
} random_steps;

/* Returns the length of the longest chain, found by trying all sets of steps; through `with` if that is below STEPS. */
static uint64_t longest(const random_steps *r, uint32_t with) {
  uint64_t best = 0;
  for (uint32_t set = 1; set < 1u << STEPS; set++) {
    uint64_t sum = 0;
    uint32_t last = STEPS;
    int chain = with >= STEPS || (set >> with & 1);
    for (uint32_t i = 0; i < STEPS && chain; i++) {
      if (!(set >> i & 1)) continue;
      int follows = last == STEPS;
      for (uint32_t p = 0; p < r->steps[i].n_preds; p++) follows |= r->preds[i][p] == last;
      chain = follows;
      sum += r->ns[i];
      last = i;
    }
    if (chain && sum > best) best = sum;
  }
  return best;
}

static void check_critical(random_steps *r) {
  rp_context *context;
  rp_arena arena;
  rp_critical c;
  assert_int_equal(rp_context_create(NULL, &context, NULL), RP_OK);
  rp_arena_init(&arena, context);
  assert_true(rp_critical_find(&arena, r->steps, STEPS, r->ns, &c));
  assert_int_equal(c.total_ns, longest(r, STEPS));
  uint64_t sum = 0;
  for (uint32_t i = 0; i < c.n_path; i++) sum += r->ns[c.path[i]];
  assert_int_equal(sum, c.total_ns);
  for (uint32_t i = 0; i < STEPS; i++) {
    const uint64_t ns = r->ns[i];
    assert_int_equal(c.slack_ns[i], c.total_ns - longest(r, i));
    r->ns[i] = 0;
    assert_int_equal(c.gain_ns[i], c.total_ns - longest(r, STEPS));
    r->ns[i] = ns;
  }
  rp_arena_free(&arena);
  rp_context_destroy(context);
}

static void slack_and_gain_are_exact(void **state) {
  (void)state;
  uint64_t seed = 1;
  for (int round = 0; round < 60; round++) {
    random_steps r = {0};
    for (uint32_t i = 0; i < STEPS; i++) {
      r.steps[i].preds = r.preds[i];
      for (uint32_t p = 0; p < i; p++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        if ((seed >> 33) % 4 == 0) r.preds[i][r.steps[i].n_preds++] = p;
      }
      r.ns[i] = (seed >> 40) % 16;
    }
    check_critical(&r);
  }
}

/* ---- The document ------------------------------------------------------------------------------------------------ */

typedef struct sink {
  size_t used;
  char text[1 << 18];
} sink;
static sink out;

static int keep(void *user, const char *text, size_t bytes) {
  sink *s = user;
  assert_true(s->used + bytes < sizeof s->text);
  memcpy(s->text + s->used, text, bytes);
  s->text[s->used += bytes] = 0;
  return 0;
}

static json_t *document(const rp_view_source *source) {
  json_error_t error;
  out.used = 0;
  assert_int_equal(rp_view_data(source, keep, &out, NULL), RP_OK);
  json_t *root = json_loads(out.text, JSON_REJECT_DUPLICATES, &error);
  if (!root) fail_msg("line %d: %s", error.line, error.text);
  assert_null(strstr(out.text, "1234567890123456789"));
  assert_string_equal(json_string_value(json_object_get(root, "kind")), "reprise-view");
  assert_int_equal(json_integer_value(json_object_get(root, "version")), RP_VIEW_VERSION);
  return root;
}

static json_int_t number_at(json_t *list, size_t i) { return json_integer_value(json_array_get(list, i)); }

/* Every wait has a reason, and some waits are for data. */
static void check_waits(json_t *steps) {
  size_t i, k, data = 0;
  json_t *step, *wait;
  json_array_foreach(steps, i, step) json_array_foreach(json_object_get(step, "waits"), k, wait) {
    json_t *why = json_object_get(wait, "why");
    assert_true(json_array_size(why) > 0);
    data += strcmp(json_string_value(json_object_get(json_array_get(why, 0), "kind")), "data") == 0;
  }
  assert_true(data > 0);
}

static void check_run(json_t *run, size_t n_steps) {
  json_t *begin = json_object_get(run, "begin_ns"), *end = json_object_get(run, "end_ns");
  json_t *path = json_object_get(run, "path"), *slack = json_object_get(run, "slack_ns");
  assert_int_equal(json_array_size(begin), n_steps);
  assert_int_equal(json_array_size(json_object_get(run, "gain_ns")), n_steps);
  assert_true(json_array_size(json_object_get(run, "spans")) >= n_steps);
  assert_true(json_array_size(path) > 0);
  json_int_t sum = 0;
  for (size_t i = 0; i < json_array_size(path); i++) {
    const size_t s = (size_t)number_at(path, i);
    assert_int_equal(number_at(slack, s), 0);
    sum += number_at(end, s) - number_at(begin, s);
  }
  assert_int_equal(sum, json_integer_value(json_object_get(run, "path_ns")));
  assert_true(sum <= json_integer_value(json_object_get(run, "latency_ns")));
}

static rp_value build(rp_graph *g, rp_value *in) {
  *in = rp_graph_input(g, "witness", &toy_u64, N, RP_SECRET);
  rp_value halves[2];
  rp_scope_begin(g, "prove");
  rp_scope_title(g, "The proof of %d \"values\"", N);
  toy_split(g, toy_table(g, *in), halves);
  rp_value sum = toy_add(g, toy_sum(g, halves[0]), toy_sum(g, toy_scale(g, halves[1], 3)));
  rp_scope_end(g);
  rp_graph_output(g, "total", sum, 0);
  return sum;
}

static void check_ceilings(json_t *ceilings) {
  json_t *rates = json_object_get(ceilings, "products_per_s");
  assert_int_equal(json_integer_value(json_object_get(ceilings, "bytes_per_s")), 30000000000);
  assert_int_equal(json_object_size(rates), 2);
  assert_int_equal(json_integer_value(json_object_get(rates, "a \"field\"")), 1000000000000);
}

/* The plan that was taken comes first. Each later one takes less memory, and is not predicted to be faster. */
static void check_points(json_t *points, const rp_recording *r) {
  rp_plan_info info = {.struct_size = sizeof info};
  rp_recording_get_plan(r, &info);
  assert_true(json_array_size(points) > 0);
  json_int_t bytes = 0, ns = 0;
  for (size_t i = 0; i < json_array_size(points); i++) {
    json_t *p = json_array_get(points, i);
    const json_int_t of[2] = {json_integer_value(json_object_get(p, "total_bytes")),
                              json_integer_value(json_object_get(p, "predicted_ns"))};
    if (i == 0) {
      assert_int_equal(of[0], info.total_bytes);
    } else {
      assert_true(of[0] < bytes);
      assert_true(i < 2 || of[1] >= ns);
    }
    bytes = of[0], ns = of[1];
  }
}

/* The document of a run is the same from the text that rp_view_run gives as from the run itself. */
static void check_kept(rp_recording *r, const rp_run *run) {
  static sink texts[2];
  for (int i = 0; i < 2; i++) {
    texts[i].used = 0;
    assert_int_equal(rp_view_run(run, keep, &texts[i], NULL), RP_OK);
  }
  const char *kept[] = {texts[0].text, texts[1].text};
  const rp_run *held[] = {run};
  rp_view_source source = {
      .struct_size = sizeof source, .recording = r, .runs = held, .n_runs = 1, .kept = kept, .n_kept = 2};
  json_t *root = document(&source), *runs = json_object_get(root, "runs");
  assert_int_equal(json_array_size(runs), 3);
  assert_true(json_equal(json_array_get(runs, 0), json_array_get(runs, 2)));
  json_decref(root);
  kept[1] = NULL;
  assert_int_equal(rp_view_data(&source, keep, &out, NULL), RP_ERR_ARGUMENT);
  source.kept = NULL;
  assert_int_equal(rp_view_data(&source, keep, &out, NULL), RP_ERR_ARGUMENT);
  assert_int_equal(rp_view_run(NULL, keep, &out, NULL), RP_ERR_ARGUMENT);
}

static void a_document_holds_graph_recording_and_runs(void **state) {
  (void)state;
  uint64_t data[N] = {secret};
  rp_value in;
  watch_open(&rp_backend_cpu, 0);
  build(the_watch.graph, &in);
  rp_view_source source = {.struct_size = sizeof source, .label = "a <b>", .graph = the_watch.graph};
  json_t *root = document(&source), *scopes = json_object_get(json_object_get(root, "graph"), "scopes");
  assert_true(json_is_null(json_object_get(root, "recording")));
  assert_string_equal(json_string_value(json_object_get(json_array_get(scopes, 1), "title")),
                      "The proof of 128 \"values\"");
  json_decref(root);
  rp_recording *r = watch_record(1, RP_RECORD_PROFILE);
  rp_run *run = watch_run(r, in, data, sizeof data, RP_OK);
  source =
      (rp_view_source){.struct_size = sizeof source, .recording = r, .runs = (const rp_run *const *)&run, .n_runs = 1};
  const rp_view_ceilings ceilings = {.struct_size = sizeof ceilings,
                                     .n_rates = 2,
                                     .bytes_per_s = 3e10,
                                     .rates = {{"toy", 4.5e8}, {"a \"field\"", 1e12}}};
  source.ceilings = &ceilings;
  root = document(&source);
  check_ceilings(json_object_get(root, "ceilings"));
  check_points(json_object_get(root, "points"), r);
  json_t *steps = json_object_get(json_object_get(root, "recording"), "steps");
  check_waits(steps);
  size_t i, n_run = 0;
  json_t *step;
  json_array_foreach(steps, i, step) n_run += strcmp(json_string_value(json_object_get(step, "part")), "run") == 0;
  check_run(json_array_get(json_object_get(root, "runs"), 0), n_run);
  json_decref(root);
  check_kept(r, run);
  rp_run_end(run);
  rp_recording_destroy(r);
  watch_close();
}

/* ---- Nodes as in the document ------------------------------------------------------------------------------------ */

/* A table that is made once, two branches of which one runs, and an output in a caller's buffer, if one is bound. */
static rp_recording *branches(rp_value *in, rp_value *condition) {
  rp_graph *g = the_watch.graph;
  *in = rp_graph_input(g, "in", &toy_u64, N, RP_BINDABLE);
  *condition = rp_graph_input(g, "condition", &toy_u32, 1, 0);
  rp_value branch[2];
  const rp_value table = toy_table(g, *in);
  for (int i = 0; i < 2; i++) {
    rp_condition_begin(g, *condition, i);
    branch[i] = toy_scale(g, table, 3 + (uint64_t)i);
    rp_condition_end(g);
  }
  rp_graph_output(g, "out", toy_add(g, branch[0], branch[1]), 0);
  return watch_record(1, RP_RECORD_PROFILE);
}

static void same_text(const char *member, json_t *step, const char *name) {
  json_t *found = json_object_get(step, name);
  assert_string_equal(member, found ? json_string_value(found) : "");
}

static void compare_node(const rp_node_info *node, json_t *step, json_t *run) {
  json_t *groups = json_object_get(step, "groups"), *skipped = json_object_get(step, "skipped"), *left;
  same_text(node->name, step, "label");
  same_text(node->op, step, "op");
  same_text(node->strategy, step, "strategy");
  same_text(node->kernel, step, "kernel");
  assert_int_equal(node->once, strcmp(json_string_value(json_object_get(step, "part")), "once") == 0);
  assert_int_equal(node->level, json_integer_value(json_object_get(step, "level")));
  assert_int_equal(node->groups, number_at(groups, 0) * number_at(groups, 1) * number_at(groups, 2));
  assert_int_equal(node->guarded, json_object_get(step, "if") != NULL);
  assert_int_equal(skipped != NULL, node->guarded);
  if (skipped) assert_int_equal(node->skipped, json_is_true(skipped));
  if (node->once) {
    assert_true(!node->begin_ns && !node->end_ns && !node->skipped);
    return;
  }
  const size_t number = (size_t)json_integer_value(json_object_get(step, "step"));
  assert_int_equal(node->begin_ns, number_at(json_object_get(run, "begin_ns"), number));
  assert_int_equal(node->end_ns, number_at(json_object_get(run, "end_ns"), number));
  uint32_t times = 0;
  size_t i;
  json_array_foreach(json_object_get(run, "skipped"), i, left) times += (size_t)json_integer_value(left) == number;
  assert_int_equal(node->skipped, times);
}

/* Every member of rp_node_info is in the document of the latest run. */
static void nodes_as_in_the_document(void **state) {
  (void)state;
  const uint64_t data[N] = {0};
  const uint32_t one = 1;
  rp_node_info nodes[32];
  rp_value in, condition;
  rp_run *run;
  uint32_t n, once = 0, guarded = 0, skipped = 0, timed = 0;
  watch_open(&rp_backend_cpu, 0);
  rp_recording *r = branches(&in, &condition);
  assert_int_equal(rp_run_begin(r, UINT64_MAX, &run, NULL), RP_OK);
  assert_int_equal(rp_run_set_input(run, in, data, sizeof data), RP_OK);
  assert_int_equal(rp_run_set_input(run, condition, &one, sizeof one), RP_OK);
  assert_int_equal(rp_run_submit(run), RP_OK);
  assert_int_equal(rp_run_wait(run, UINT64_MAX), RP_OK);
  const rp_view_source source = {
      .struct_size = sizeof source, .recording = r, .runs = (const rp_run *const *)&run, .n_runs = 1};
  json_t *root = document(&source), *step;
  json_t *steps = json_object_get(json_object_get(root, "recording"), "steps");
  memset(nodes, 0xee, sizeof nodes); /* every member is written */
  nodes[0].struct_size = sizeof *nodes;
  assert_int_equal(rp_recording_nodes(r, nodes, 32, &n, NULL), RP_OK);
  assert_int_equal(n, json_array_size(steps));
  size_t i;
  json_array_foreach(steps, i, step) {
    assert_int_equal(nodes[i].struct_size, sizeof *nodes);
    compare_node(&nodes[i], step, json_array_get(json_object_get(root, "runs"), 0));
    once += nodes[i].once;
    guarded += nodes[i].guarded;
    skipped += nodes[i].skipped;
    timed += nodes[i].end_ns > nodes[i].begin_ns;
  }
  assert_int_equal(guarded, 2);
  assert_int_equal(skipped, 1);
  assert_true(once > 0 && timed > 0);
  json_decref(root);
  rp_run_end(run);
  rp_recording_destroy(r);
  watch_close();
}

/* What is in no scope belongs to the graph. */
static void a_graph_has_a_title(void **state) {
  (void)state;
  for (int titled = 0; titled < 2; titled++) {
    watch_open(&rp_backend_cpu, 0);
    rp_graph *g = the_watch.graph;
    rp_value in = rp_graph_input(g, "x", &toy_u64, N, 0);
    if (titled) rp_scope_title(g, "%d thrice", N);
    rp_graph_output(g, "thrice", toy_scale(g, in, 3), 0);
    rp_scope_begin(g, "sum");
    rp_graph_output(g, "total", toy_sum(g, in), 0);
    rp_recording *r = watch_record(1, 0);
    const rp_view_source source = {.struct_size = sizeof source, .recording = r};
    json_t *root = document(&source), *scopes = json_object_get(json_object_get(root, "graph"), "scopes");
    json_t *title = json_object_get(json_array_get(scopes, 0), "title");
    assert_true(titled ? !strcmp(json_string_value(title), "128 thrice") : json_is_null(title));
    json_decref(root);
    rp_node_info nodes[8] = {{.struct_size = sizeof *nodes}};
    uint32_t n;
    assert_int_equal(rp_recording_nodes(r, nodes, 8, &n, NULL), RP_OK);
    assert_true(n >= 2 && n <= 8);
    for (uint32_t i = 0; i < n; i++) {
      const bool scaled = !strcmp(nodes[i].op, "toy_scale");
      assert_string_equal(rp_view_phase(r, i), scaled ? (titled ? "128 thrice" : "") : "sum");
    }
    rp_recording_destroy(r);
    watch_close();
  }
}

static void wrong_sources_are_refused(void **state) {
  (void)state;
  uint64_t data[N] = {0};
  rp_value in;
  rp_error err = {0};
  watch_open(&rp_backend_cpu, 0);
  build(the_watch.graph, &in);
  rp_recording *r = watch_record(1, 0);
  rp_run *run = watch_run(r, in, data, sizeof data, RP_OK);
  rp_view_source s = {.recording = r, .runs = (const rp_run *const *)&run, .n_runs = 1};
  assert_int_equal(rp_view_data(&s, keep, &out, &err), RP_ERR_ARGUMENT);
  s.struct_size = sizeof s;
  assert_int_equal(rp_view_data(&s, keep, &out, &err), RP_ERR_STATE);
  assert_non_null(strstr(err.reason, "RP_RECORD_PROFILE"));
  assert_int_equal(rp_view_run(run, keep, &out, &err), RP_ERR_STATE);
  assert_non_null(strstr(err.reason, "rp_view_run"));
  const rp_view_ceilings many = {.struct_size = sizeof many, .n_rates = RP_VIEW_RATES + 1};
  s.ceilings = &many;
  assert_int_equal(rp_view_data(&s, keep, &out, &err), RP_ERR_ARGUMENT);
  assert_non_null(strstr(err.reason, "17 rates"));
  s.ceilings = NULL;
  s.recording = NULL;
  assert_int_equal(rp_view_data(&s, keep, &out, &err), RP_ERR_ARGUMENT);
  rp_run_end(run);
  rp_recording_destroy(r);
  watch_close();
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(slack_and_gain_are_exact),
                                     cmocka_unit_test(a_document_holds_graph_recording_and_runs),
                                     cmocka_unit_test(nodes_as_in_the_document), cmocka_unit_test(a_graph_has_a_title),
                                     cmocka_unit_test(wrong_sources_are_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
