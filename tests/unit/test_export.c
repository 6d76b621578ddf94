/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Exports and traces: valid JSON with the right contents, DOT that Graphviz accepts, times after profiled runs, and no
 * value of any array in any of it.
 */
#include "export.h"
#include "watch.h"

#include <reprise/view.h>

#include <jansson.h>
#include <stdio.h>

enum { N = 128 };
static const uint64_t secret = 1234567890123456789u;

typedef struct sink {
  size_t used;
  char text[1 << 18];
} sink;

static int keep(void *user, const char *text, size_t bytes) {
  sink *s = user;
  assert_true(s->used + bytes < sizeof s->text);
  memcpy(s->text + s->used, text, bytes);
  s->text[s->used += bytes] = 0;
  return 0;
}

static int refuse(void *user, const char *text, size_t bytes) {
  (void)user, (void)text, (void)bytes;
  return 1;
}

static sink out;

static json_t *parse(void) {
  json_error_t error;
  json_t *root = json_loads(out.text, JSON_REJECT_DUPLICATES, &error);
  if (!root) fail_msg("line %d: %s", error.line, error.text);
  assert_null(strstr(out.text, "1234567890123456789"));
  out.used = 0;
  return root;
}

static void must_be_dot(void) {
  FILE *dot = popen("dot -Tcanon >/dev/null", "w");
  assert_non_null(dot);
  assert_int_equal(fwrite(out.text, 1, out.used, dot), out.used);
  assert_int_equal(pclose(dot), 0);
  assert_null(strstr(out.text, "1234567890123456789"));
  out.used = 0;
}

static const char *text_of(json_t *object, const char *key) { return json_string_value(json_object_get(object, key)); }
static json_int_t number_of(json_t *object, const char *key) {
  return json_integer_value(json_object_get(object, key));
}

static rp_value build(rp_graph *g, rp_value *in) {
  static uint64_t key[16] = {1234567890123456789u};
  *in = rp_graph_input(g, "witness", &toy_u64, N, RP_SECRET);
  rp_value k = rp_graph_constant(g, "key", &toy_u64, 16, key, 0), halves[2];
  rp_scope_begin(g, "prove");
  rp_scope_begin(g, "msm_a");
  toy_split(g, toy_table(g, *in), halves);
  rp_scope_end(g);
  rp_value sum = toy_add(g, toy_sum(g, halves[0]), toy_sum(g, toy_scale(g, k, 3)));
  rp_scope_end(g);
  rp_graph_output(g, "total", sum, RP_BINDABLE);
  return sum;
}

static void a_graph_exports(void **state) {
  (void)state;
  rp_value in;
  watch_open(&rp_backend_null, 0);
  build(the_watch.graph, &in);
  assert_int_equal(rp_graph_export(the_watch.graph, RP_EXPORT_JSON, keep, &out, NULL), RP_OK);
  json_t *root = parse(), *values = json_object_get(root, "values"), *nodes = json_object_get(root, "nodes");
  assert_string_equal(text_of(root, "kind"), "graph");
  assert_int_equal(json_array_size(nodes), 7);
  assert_int_equal(json_array_size(values), 10);
  assert_string_equal(text_of(json_array_get(nodes, 1), "name"), "prove/msm_a/toy_table");
  assert_string_equal(text_of(json_array_get(nodes, 5), "name"), "prove/toy_sum#2");
  assert_string_equal(text_of(json_array_get(values, 0), "storage"), "input");
  assert_true(json_is_true(json_object_get(json_array_get(values, 0), "secret")));
  assert_int_equal(number_of(json_array_get(values, 0), "bytes"), 8 * N);
  assert_string_equal(text_of(json_array_get(values, 1), "storage"), "constant");
  assert_string_equal(text_of(json_array_get(values, 9), "output"), "total");
  json_t *scopes = json_object_get(root, "scopes");
  const size_t n_scopes = json_array_size(scopes);
  json_t *inner = json_array_get(scopes, n_scopes - 1), *around = json_array_get(scopes, n_scopes - 2);
  assert_string_equal(text_of(inner, "name"), "msm_a");
  assert_string_equal(text_of(around, "name"), "prove");
  assert_int_equal(number_of(inner, "parent"), number_of(around, "id"));
  json_decref(root);
  assert_int_equal(rp_graph_export(the_watch.graph, RP_EXPORT_DOT, keep, &out, NULL), RP_OK);
  assert_non_null(strstr(out.text, "subgraph cluster_2"));
  must_be_dot();
  assert_int_equal(rp_graph_export(the_watch.graph, RP_EXPORT_DOT, refuse, NULL, NULL), RP_ERR_CANCELLED);
  assert_int_equal(rp_graph_export(the_watch.graph, (rp_export_format)9, keep, &out, NULL), RP_ERR_ARGUMENT);
  watch_close();
}

static void check_steps(json_t *root, const rp_plan_info *info, int timed) {
  json_t *steps = json_object_get(root, "steps"), *step;
  size_t i, run = 0;
  json_array_foreach(steps, i, step) {
    const int runs = strcmp(text_of(step, "part"), "run") == 0;
    run += (size_t)runs;
    assert_int_equal(json_object_get(step, "median_ns") != NULL, timed && runs);
    assert_true(json_array_size(json_object_get(step, "touches")) > 0);
  }
  assert_int_equal(run, info->dispatches);
  assert_int_equal(json_array_size(steps) - run, info->once_dispatches);
  assert_int_equal(number_of(json_object_get(root, "plan"), "total_bytes"), info->total_bytes);
}

static void a_recording_names_what_others_stand_for(void **state) {
  (void)state;
  watch_open(&rp_backend_cpu, 0);
  rp_value in = rp_graph_input(the_watch.graph, "in", &toy_u64, N, 0), scaled[2];
  for (int i = 0; i < 2; i++) scaled[i] = toy_scale(the_watch.graph, in, 3);
  rp_graph_output(the_watch.graph, "out", toy_add(the_watch.graph, scaled[0], scaled[1]), 0);
  rp_recording *r = watch_record(1, 0);
  assert_int_equal(rp_recording_export(r, RP_EXPORT_JSON, keep, &out, NULL), RP_OK);
  json_t *root = parse(), *aliases = json_object_get(root, "aliases");
  assert_int_equal(json_array_size(aliases), 1);
  assert_string_equal(text_of(json_array_get(aliases, 0), "name"), "toy_scale#2");
  assert_int_equal(number_of(json_array_get(aliases, 0), "id"), scaled[1].id);
  assert_int_equal(number_of(json_array_get(aliases, 0), "of"), scaled[0].id);
  json_decref(root);
  rp_recording_destroy(r);
  watch_close();
}

static void a_recording_exports(void **state) {
  (void)state;
  const rp_backend *const backends[] = {&rp_backend_null, &rp_backend_cpu};
  for (int b = 0; b < 2; b++) {
    uint64_t data[N] = {secret};
    rp_value in;
    rp_plan_info info = {.struct_size = sizeof info};
    watch_open(backends[b], 0);
    build(the_watch.graph, &in);
    rp_recording *r = watch_record(1, RP_RECORD_PROFILE);
    rp_recording_get_plan(r, &info);
    for (int timed = 0; timed < 2; timed++) {
      assert_int_equal(rp_recording_export(r, RP_EXPORT_JSON, keep, &out, NULL), RP_OK);
      json_t *root = parse();
      check_steps(root, &info, timed);
      json_decref(root);
      assert_int_equal(rp_recording_export(r, RP_EXPORT_DOT, keep, &out, NULL), RP_OK);
      assert_non_null(strstr(out.text, "label=\"prove/msm_a\""));
      assert_non_null(strstr(out.text, "label=\"toy add\\nlevel "));
      assert_null(strstr(out.text, " 1 groups"));
      assert_null(strstr(out.text, "label=\"toy_add"));
      must_be_dot();
      for (int round = 0; round < 5; round++) rp_run_end(watch_run(r, in, data, sizeof data, RP_OK));
    }
    rp_recording_destroy(r);
    watch_close();
  }
}

static void nodes_as_data(void **state) {
  (void)state;
  rp_node_info nodes[32] = {{.struct_size = sizeof *nodes}};
  uint32_t n;
  uint64_t data[N] = {secret};
  rp_value in;
  watch_open(&rp_backend_null, 0);
  build(the_watch.graph, &in);
  rp_recording *r = watch_record(1, RP_RECORD_PROFILE);
  assert_int_equal(rp_recording_nodes(r, NULL, 0, &n, NULL), RP_OK);
  rp_run_end(watch_run(r, in, data, sizeof data, RP_OK));
  uint32_t again;
  assert_int_equal(rp_recording_nodes(r, nodes, 32, &again, NULL), RP_OK);
  assert_int_equal(n, again);
  uint32_t once = 0;
  for (uint32_t i = 0; i < n; i++) once += nodes[i].once;
  assert_int_equal(once, 4); /* the table, scale, and the sum of the constant in two steps */
  uint32_t table = 0;
  while (table < n && strcmp(nodes[table].name, "prove/msm_a/toy_squares/double")) table++;
  assert_true(table < once);
  assert_string_equal(nodes[table].op, "toy_squares");
  assert_string_equal(rp_view_phase(r, table), "prove");
  assert_string_equal(rp_view_phase(r, n), "");
  assert_string_equal(rp_view_phase(NULL, 0), "");
  assert_string_equal(nodes[table].strategy, "squares");
  assert_string_equal(nodes[table].kernel, "toy_scale");
  assert_int_equal(nodes[n - 1].end_ns, (uint64_t)(n - once) * 1000); /* by the clock of the null device */
  assert_string_equal(nodes[n - 1].name, "bind out total");
  rp_recording_destroy(r);
  watch_close();
}

/* The reasons of a step in the document, which are those of rp_view_waits in the same order. */
static uint32_t compare_waits(const rp_recording *r, uint32_t index, json_t *list) {
  static const char *const kinds[] = {"data", "order", "memory"};
  rp_wait_info waits[64] = {{.struct_size = sizeof *waits}};
  uint32_t n = 0, count;
  json_t *of, *why;
  size_t i, k;
  assert_int_equal(rp_view_waits(r, index, waits, 64, &count, NULL), RP_OK);
  json_array_foreach(list, i, of) {
    json_array_foreach(json_object_get(of, "why"), k, why) {
      assert_true(n < count);
      assert_int_equal(waits[n].pred, number_of(of, "for"));
      assert_string_equal(kinds[waits[n].kind], text_of(why, "kind"));
      assert_int_equal(waits[n].value, number_of(why, "value"));
      assert_int_equal(waits[n].other, number_of(why, "other"));
      n++;
    }
  }
  assert_int_equal(n, count);
  return n;
}

/* What the step reads or writes, by its list of ranges and the list of values. */
static uint64_t touched_bytes(json_t *root, json_t *step, char access) {
  json_t *values = json_object_get(json_object_get(root, "recording"), "values"), *touch, *value;
  uint64_t sum = 0;
  size_t i, k;
  json_array_foreach(json_object_get(step, "touches"), i, touch) {
    if (!strchr(text_of(touch, "access"), access)) continue;
    json_array_foreach(values, k, value) {
      if (number_of(value, "id") != number_of(touch, "value")) continue;
      sum += (uint64_t)(number_of(touch, "count") * number_of(value, "bytes") / number_of(value, "len"));
    }
  }
  return sum;
}

/* A kernel that counts its products says how many of which field; of others nothing is known. A copy has none. */
static void compare_products(const rp_step_info *s, json_t *step) {
  json_t *products = json_object_get(step, "products");
  const char *kernel = text_of(step, "kernel"), *field = text_of(step, "field");
  assert_int_equal(products != NULL, s->products >= 0);
  if (products) assert_true(json_number_value(products) == s->products);
  if (s->field) assert_string_equal(s->field, field);
  assert_int_equal(s->field != NULL, field != NULL);
  if (!kernel) {
    assert_true(s->products == 0);
  } else if (strcmp(kernel, "toy_scale") == 0) {
    assert_true(s->products == (s->once ? 32 : 0)); /* those of a run multiply by 1 */
    assert_true(s->once ? strcmp(field, "toy \"field\"") == 0 : !field);
  } else {
    assert_true(s->products < 0);
  }
}

/* Which blocks hold secrets, and which accesses are atomic; returns how many of those there are. */
static uint32_t compare_plan(const rp_recording *r, json_t *root) {
  json_t *recording = json_object_get(root, "recording"), *block, *step, *touch;
  size_t i, k;
  uint32_t secrets = 0, atomics = 0;
  json_array_foreach(json_object_get(recording, "blocks"), i, block) {
    assert_int_equal(json_is_true(json_object_get(block, "secret")), r->plan->blocks[i].block.secret);
    secrets += r->plan->blocks[i].block.secret;
  }
  assert_int_equal(i, r->plan->n_blocks);
  json_array_foreach(json_object_get(recording, "steps"), i, step) {
    const int part = strcmp(text_of(step, "part"), "once") == 0 ? RP_PART_ONCE : RP_PART_RUN;
    const rp_plan_dispatch dispatch = rp_export_dispatch(r->plan, part, (uint32_t)number_of(step, "step")),
                           *d = &dispatch;
    json_array_foreach(json_object_get(step, "touches"), k, touch) {
      const bool atomic = rp_touch_at(d, k).access & RP_ATOMIC;
      assert_int_equal(strchr(text_of(touch, "access"), 'a') != NULL, atomic);
      atomics += atomic;
    }
    assert_int_equal(k, rp_n_touches(d));
  }
  assert_true(secrets > 0);
  return atomics;
}

static void atomic_accesses_are_told(void **state) {
  (void)state;
  watch_open(&rp_backend_null, 0);
  rp_graph *g = the_watch.graph;
  rp_graph_output(g, "odd", toy_count_odd(g, rp_graph_input(g, "in", &toy_u64, N, RP_SECRET)), 0);
  rp_recording *r = watch_record(1, 0);
  const rp_view_source source = {.struct_size = sizeof source, .recording = r};
  assert_int_equal(rp_view_data(&source, keep, &out, NULL), RP_OK);
  json_t *root = parse();
  assert_true(compare_plan(r, root) > 0);
  json_decref(root);
  rp_recording_destroy(r);
  watch_close();
}

static void steps_as_in_the_document(void **state) {
  (void)state;
  rp_step_info steps[32] = {{.struct_size = sizeof *steps}};
  uint32_t n, again, waits = 0, i_run = 0, counted = 0;
  uint64_t data[N] = {secret};
  rp_value in;
  watch_open(&rp_backend_null, 0);
  build(the_watch.graph, &in);
  rp_recording *r = watch_record(1, RP_RECORD_PROFILE);
  rp_run_end(watch_run(r, in, data, sizeof data, RP_OK));
  const rp_view_source source = {.struct_size = sizeof source, .recording = r};
  assert_int_equal(rp_view_data(&source, keep, &out, NULL), RP_OK);
  json_t *root = parse(), *list = json_object_get(json_object_get(root, "recording"), "steps"), *step;
  json_t *slack = json_object_get(json_object_get(root, "predicted"), "slack_ns");
  assert_int_equal(rp_view_steps(r, NULL, 0, &n, NULL), RP_OK);
  assert_int_equal(rp_view_steps(r, steps, 32, &again, NULL), RP_OK);
  assert_true(n == again && n == json_array_size(list));
  size_t i;
  uint64_t all_slack = 0, all_median = 0;
  json_array_foreach(list, i, step) {
    const rp_step_info *s = &steps[i];
    assert_int_equal(s->struct_size, sizeof *s);
    assert_int_equal(s->once, strcmp(text_of(step, "part"), "once") == 0);
    assert_int_equal(s->step, number_of(step, "step"));
    if (json_object_get(step, "node_id"))
      assert_int_equal(s->node_id, number_of(step, "node_id"));
    else
      assert_int_equal(s->node_id, UINT32_MAX);
    assert_int_equal(s->level, number_of(step, "level"));
    assert_int_equal(s->epoch, number_of(step, "epoch"));
    assert_int_equal(s->n_preds, json_array_size(json_object_get(step, "preds")));
    assert_int_equal(s->read_bytes, number_of(step, "read_bytes"));
    assert_int_equal(s->written_bytes, number_of(step, "written_bytes"));
    if (text_of(step, "kernel")) { /* a binding also reads the run's record of faults, which is not in the list */
      assert_int_equal(s->read_bytes, touched_bytes(root, step, 'r'));
      assert_int_equal(s->written_bytes, touched_bytes(root, step, 'w'));
    }
    assert_int_equal(s->predicted_ns, number_of(step, "predicted_ns"));
    if (!s->once) assert_int_equal(s->median_ns, number_of(step, "median_ns"));
    if (!s->once) assert_int_equal(s->slack_ns, json_integer_value(json_array_get(slack, i_run++)));
    assert_int_equal(s->n_waits, compare_waits(r, (uint32_t)i, json_object_get(step, "waits")));
    compare_products(s, step);
    counted += s->products > 0;
    waits += s->n_waits;
    all_slack += s->slack_ns;
    all_median += s->median_ns;
  }
  assert_int_equal(compare_plan(r, root), 0);
  assert_true(waits > 0 && all_slack > 0 && all_median > 0);
  assert_int_equal(counted, 2);
  rp_error err = {0};
  rp_step_info unset = {0};
  assert_int_equal(rp_view_waits(r, n, NULL, 0, &again, &err), RP_ERR_ARGUMENT);
  assert_non_null(strstr(err.reason, "none with index"));
  assert_int_equal(rp_view_steps(r, &unset, 1, &again, &err), RP_ERR_ARGUMENT);
  assert_int_equal(rp_view_steps(NULL, NULL, 0, &again, &err), RP_ERR_ARGUMENT);
  json_decref(root);
  rp_recording_destroy(r);
  watch_close();
}

static void a_trace_has_every_dispatch(void **state) {
  (void)state;
  uint64_t data[N] = {secret};
  rp_value in;
  rp_plan_info info = {.struct_size = sizeof info};
  rp_error err;
  watch_open(&rp_backend_cpu, 0);
  build(the_watch.graph, &in);
  rp_recording *r = watch_record(1, RP_RECORD_PROFILE), *plain = watch_record(1, 0);
  rp_recording_get_plan(r, &info);
  rp_run *run = watch_run(r, in, data, sizeof data, RP_OK);
  assert_int_equal(rp_run_trace(run, keep, &out, NULL), RP_OK);
  json_t *root = parse(), *event;
  size_t i;
  uint64_t seen = 0;
  json_array_foreach(json_object_get(root, "traceEvents"), i, event) {
    const char *phase = text_of(event, "ph");
    assert_true(strcmp(phase, "X") == 0 || strcmp(phase, "M") == 0);
    if (strcmp(phase, "X")) continue;
    assert_true(json_number_value(json_object_get(event, "dur")) >= 0);
    json_t *args = json_object_get(event, "args");
    if (args) seen |= 1ull << number_of(args, "step");
  }
  seen |= 1ull << (info.dispatches - 1); /* the last step copies to a bound buffer, and none was bound */
  assert_int_equal(seen, (1ull << info.dispatches) - 1);
  json_decref(root);
  rp_run_end(run);
  run = watch_run(plain, in, data, sizeof data, RP_OK);
  assert_int_equal(rp_run_trace(run, keep, &out, &err), RP_ERR_STATE);
  assert_non_null(strstr(err.reason, "RP_RECORD_PROFILE"));
  rp_run_end(run);
  rp_recording_destroy(r);
  rp_recording_destroy(plain);
  watch_close();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_graph_exports),
      cmocka_unit_test(a_recording_exports),
      cmocka_unit_test(a_recording_names_what_others_stand_for),
      cmocka_unit_test(nodes_as_data),
      cmocka_unit_test(steps_as_in_the_document),
      cmocka_unit_test(atomic_accesses_are_told),
      cmocka_unit_test(a_trace_has_every_dispatch),
  };
  return cmocka_run_group_tests_name("export", tests, NULL, NULL);
}
