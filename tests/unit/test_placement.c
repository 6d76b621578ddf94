/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The structs of reprise/view.h that say where values lie, which steps use them, and what nodes do. They are compared
 * with figures that the test computes from the lists of touches and segments in the same recording's document.
 */
#include "watch.h"

#include <reprise/view.h>

#include <jansson.h>

enum { N = 128, MOST = 128 };

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

static json_t *document(const rp_recording *r) {
  out.used = 0;
  assert_int_equal(rp_recording_export(r, RP_EXPORT_JSON, keep, &out, NULL), RP_OK);
  json_t *root = json_loads(out.text, JSON_REJECT_DUPLICATES, NULL);
  assert_non_null(root);
  return root;
}

static uint64_t number(json_t *object, const char *key) {
  json_t *x = json_object_get(object, key);
  assert_true(json_is_integer(x));
  return (uint64_t)json_integer_value(x);
}
static uint32_t id_of(json_t *object, const char *key) {
  return json_object_get(object, key) ? (uint32_t)number(object, key) : UINT32_MAX;
}
static uint32_t is_true(json_t *object, const char *key) { return json_is_true(json_object_get(object, key)); }

static json_t *find_by_id(json_t *root, const char *list, uint32_t id) {
  json_t *entry;
  size_t i;
  json_array_foreach(json_object_get(root, list), i, entry) if (number(entry, "id") == id) return entry;
  return NULL;
}

static const char *place_text(rp_place place) {
  switch (place) {
#define WORD(name, value, text) \
  case name: return text;
    RP_PLACE_LIST(WORD)
#undef WORD
  }
  return NULL;
}

/* ---- One value --------------------------------------------------------------------------------------------------- */

static void check_segments(const rp_recording *r, const rp_placement_info *v, json_t *list) {
  rp_segment_info segments[MOST] = {{.struct_size = sizeof *segments}};
  uint32_t n;
  json_t *s;
  size_t i;
  assert_int_equal(rp_view_segments(r, v->value, segments, MOST, &n, NULL), RP_OK);
  assert_int_equal(n, v->n_segments);
  assert_int_equal(n, json_array_size(list));
  json_array_foreach(list, i, s) {
    assert_int_equal(segments[i].block, number(s, "block"));
    assert_int_equal(segments[i].offset, number(s, "offset"));
    assert_int_equal(segments[i].bytes, number(s, "bytes"));
  }
}

static int overlap(json_t *a, json_t *b) {
  json_t *x, *y;
  size_t i, k;
  json_array_foreach(json_object_get(a, "segments"), i, x) json_array_foreach(json_object_get(b, "segments"), k, y) {
    const uint64_t p = number(x, "offset"), q = number(y, "offset");
    if (number(x, "block") == number(y, "block") && p < q + number(y, "bytes") && q < p + number(x, "bytes")) return 1;
  }
  return 0;
}

/* Returns how many values share bytes with the value. */
static uint32_t check_shares(const rp_recording *r, json_t *root, uint32_t value, json_t *mine) {
  uint32_t ids[MOST], n, at = 0;
  json_t *other;
  size_t i;
  assert_int_equal(rp_view_shares(r, value, ids, MOST, &n, NULL), RP_OK);
  json_array_foreach(json_object_get(root, "values"), i, other) {
    if (number(other, "id") == value || !mine || !overlap(mine, other)) continue;
    assert_true(at < n);
    assert_int_equal(ids[at++], number(other, "id"));
  }
  assert_int_equal(at, n);
  return n;
}

/* Compares with the steps' lists of touches, which name the values that have memory. */
static void check_steps(json_t *root, const rp_placement_info *v) {
  uint32_t first = UINT32_MAX, last = UINT32_MAX;
  json_t *step, *touch;
  size_t i, k;
  json_array_foreach(json_object_get(root, "steps"), i, step) {
    json_array_foreach(json_object_get(step, "touches"), k, touch) {
      if (number(touch, "value") != v->value) continue;
      if (first == UINT32_MAX) first = (uint32_t)i;
      last = (uint32_t)i;
    }
  }
  assert_int_equal(v->first_step, first);
  assert_int_equal(v->last_step, last);
}

static uint32_t check_value(const rp_recording *r, json_t *root, const rp_placement_info *v) {
  json_t *mine = find_by_id(root, "values", v->value), *alias = find_by_id(root, "aliases", v->value),
         *fused = find_by_id(root, "fused", v->value);
  assert_int_equal(v->struct_size, sizeof *v);
  assert_true(mine || alias || fused);
  if (mine) {
    assert_int_equal(v->of, v->value);
    assert_string_equal(place_text(v->place), json_string_value(json_object_get(mine, "space")));
    assert_string_equal(v->type->name, json_string_value(json_object_get(mine, "type")));
    assert_int_equal(v->len, number(mine, "len"));
    assert_int_equal(v->bytes, number(mine, "bytes"));
    assert_int_equal(v->secret, is_true(mine, "secret"));
    assert_int_equal(v->scratch, is_true(mine, "scratch"));
    assert_int_equal(v->node_id, id_of(mine, "node_id"));
    check_segments(r, v, json_object_get(mine, "segments"));
    check_steps(root, v);
  } else if (alias) {
    assert_int_equal(v->of, number(alias, "of"));
    assert_int_equal(v->first, number(alias, "first"));
    assert_int_equal(v->in_place, is_true(alias, "in_place"));
    assert_int_equal(v->n_segments, 0);
  } else {
    assert_int_equal(v->fused_into, number(fused, "node_id"));
    assert_int_equal(v->place, RP_PLACE_NONE);
  }
  return check_shares(r, root, v->value, mine);
}

/* ---- All of a recording ------------------------------------------------------------------------------------------ */

static void check_node(json_t *root, const rp_work_info *node) {
  rp_work_info want = {.struct_size = sizeof want, .node_id = node->node_id, .first_step = UINT32_MAX};
  json_t *step, *median;
  size_t i;
  json_array_foreach(json_object_get(root, "steps"), i, step) {
    if (id_of(step, "node_id") != node->node_id) continue;
    const int runs = strcmp(json_string_value(json_object_get(step, "part")), "run") == 0;
    if (want.first_step == UINT32_MAX) want.first_step = (uint32_t)i;
    want.last_step = (uint32_t)i;
    want.n_steps += (uint32_t)runs;
    want.n_once += (uint32_t)!runs;
    want.read_bytes += number(step, "read_bytes");
    want.written_bytes += number(step, "written_bytes");
    want.predicted_ns += number(step, "predicted_ns");
    if ((median = json_object_get(step, "median_ns"))) want.median_ns += (uint64_t)json_integer_value(median);
  }
  assert_memory_equal(node, &want, sizeof want);
}

/* Counts of what the recordings had: pairs of values that share bytes, and values of each kind. */
typedef struct met {
  uint32_t shares, inside, in_place, fused;
} met;

static void check_recording(const rp_recording *r, met *m) {
  static rp_placement_info values[MOST];
  static rp_work_info nodes[MOST];
  uint32_t n, again, with_steps = 0;
  json_t *root = document(r), *step;
  size_t i;
  values[0].struct_size = sizeof *values;
  nodes[0].struct_size = sizeof *nodes;
  assert_int_equal(rp_view_values(r, NULL, 0, &n, NULL), RP_OK);
  assert_int_equal(rp_view_values(r, values, MOST, &again, NULL), RP_OK);
  assert_true(n == again && n <= MOST);
  assert_int_equal(n, json_array_size(json_object_get(root, "values")) +
                          json_array_size(json_object_get(root, "aliases")) +
                          json_array_size(json_object_get(root, "fused")));
  for (uint32_t v = 0; v < n; v++) {
    assert_true(v == 0 || values[v - 1].value < values[v].value);
    m->shares += check_value(r, root, &values[v]);
    m->inside += values[v].first > 0;
    m->in_place += values[v].in_place;
    m->fused += values[v].fused_into != UINT32_MAX;
  }
  assert_int_equal(rp_view_nodes(r, NULL, 0, &n, NULL), RP_OK);
  assert_int_equal(rp_view_nodes(r, nodes, MOST, &again, NULL), RP_OK);
  assert_true(n == again && n <= MOST);
  for (uint32_t k = 0; k < n; k++) {
    assert_true(k == 0 || nodes[k - 1].node_id < nodes[k].node_id);
    check_node(root, &nodes[k]);
    with_steps += nodes[k].n_steps + nodes[k].n_once;
  }
  json_array_foreach(json_object_get(root, "steps"), i, step) with_steps += !json_object_get(step, "node_id");
  assert_int_equal(with_steps, json_array_size(json_object_get(root, "steps")));
  json_decref(root);
}

/* A chain, whose values share bytes; equal nodes; views; results in place, and one that is fused into its reader; a
 * constant that is summed once; a secret input. */
static rp_value build(rp_graph *g) {
  static uint64_t key[16] = {3, 1, 4};
  const rp_value in = rp_graph_input(g, "in", &toy_u64, N, RP_SECRET);
  rp_value x = in, halves[2];
  for (uint64_t i = 0; i < 6; i++) x = toy_add(g, toy_scale(g, x, 2 + i), toy_scale(g, in, 3));
  toy_split(g, toy_table(g, x), halves);
  const rp_value part = toy_slice(g, in, 96, 32);
  x = toy_add(g, toy_sum(g, halves[0]), toy_sum(g, rp_graph_constant(g, "key", &toy_u64, 16, key, 0)));
  const rp_value line = toy_linear(g, toy_xor(g, part, part), 2, part, 5);
  rp_graph_output(g, "part", toy_linear(g, line, 3, part, 1), RP_BINDABLE);
  rp_graph_output(g, "total", x, 0);
  return in;
}

static void as_in_the_document(void **state) {
  (void)state;
  static const rp_backend *const backends[] = {&rp_backend_null, &rp_backend_cpu};
  met m = {0};
  for (int b = 0; b < 2; b++) {
    uint64_t data[N] = {1, 2, 3};
    watch_open(backends[b], 0);
    const rp_value in = build(the_watch.graph);
    rp_recording *r = watch_record(1, RP_RECORD_PROFILE);
    check_recording(r, &m);
    rp_run_end(watch_run(r, in, data, sizeof data, RP_OK));
    check_recording(r, &m);
    rp_recording_destroy(r);
    watch_close();
  }
  assert_true(m.shares > 8 && m.inside && m.in_place && m.fused);
}

static void what_is_refused(void **state) {
  (void)state;
  rp_error err = {0};
  uint32_t n = 7;
  rp_placement_info unset = {0};
  watch_open(&rp_backend_null, 0);
  build(the_watch.graph);
  rp_recording *r = watch_record(1, 0);
  assert_int_equal(rp_view_values(r, &unset, 1, &n, &err), RP_ERR_ARGUMENT);
  assert_non_null(strstr(err.reason, "rp_view_values: struct_size"));
  assert_int_equal(rp_view_values(NULL, NULL, 0, &n, &err), RP_ERR_ARGUMENT);
  assert_int_equal(rp_view_nodes(r, NULL, 1, &n, &err), RP_ERR_ARGUMENT);
  assert_int_equal(rp_view_nodes(r, NULL, 0, NULL, &err), RP_ERR_ARGUMENT);
  assert_int_equal(rp_view_segments(r, 0, NULL, 0, &n, &err), RP_ERR_ARGUMENT);
  assert_non_null(strstr(err.reason, "none with id 0"));
  assert_int_equal(rp_view_shares(r, 100000, NULL, 0, &n, &err), RP_ERR_ARGUMENT);
  assert_non_null(strstr(err.reason, "none with id 100000"));
  the_watch.fail_host_at = 0;
  assert_int_equal(rp_view_values(r, NULL, 0, &n, &err), RP_ERR_MEMORY);
  the_watch.fail_host_at = 0;
  assert_int_equal(rp_view_nodes(r, NULL, 0, &n, &err), RP_ERR_MEMORY);
  the_watch.fail_host_at = -1;
  rp_recording_destroy(r);
  watch_close();
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(as_in_the_document), cmocka_unit_test(what_is_refused)};
  return cmocka_run_group_tests_name("placement", tests, NULL, NULL);
}
