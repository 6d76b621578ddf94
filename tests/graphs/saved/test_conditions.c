/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Conditions of nodes in files: a graph that is loaded has those that were saved, and a file with others is refused.
 */
#include "common.h"
#include "seal.h"

#include "saved/format.h"

#include <reprise/op.h>
#include <reprise/subgraph.h>

static rp_graph *new_graph(const char *name) {
  rp_graph *g;
  assert_int_equal(rp_graph_create(the_context, name, &g, NULL), RP_OK);
  return g;
}

static rp_graph *branching(rp_graph *then, rp_graph *other) {
  rp_graph *g = new_graph("branching");
  const rp_call_port in = {"x", rp_graph_input(g, "x", &RP_TYPE_U32, 4, 0)};
  rp_call_port out = {"y", RP_NO_VALUE};
  const rp_value bit = rp_slice(g, in.value, 1, 1);
  assert_int_equal(rp_if(g, "branch", bit, then, other, &in, 1, &out, 1), 1);
  rp_graph_output(g, "y", out.value, 0);
  rp_graph_destroy(then), rp_graph_destroy(other);
  return g;
}

static rp_graph *leaf(uint64_t first) {
  rp_graph *g = new_graph("leaf");
  const rp_value x = rp_graph_input(g, "x", &RP_TYPE_U32, 4, 0), half = rp_slice(g, x, first, 2);
  rp_graph_output(g, "y", rp_concat(g, (rp_value[]){half, half}, 2), 0);
  return g;
}

/* Branches in both branches; one condition that no node has. */
static rp_graph *nested(void) {
  rp_graph *g = branching(branching(leaf(0), leaf(1)), branching(leaf(2), leaf(0)));
  rp_value_info x = {.struct_size = sizeof x};
  assert_int_equal(rp_graph_get_value(g, 1, &x, NULL), RP_OK);
  rp_condition_begin(g, x.value, 1);
  rp_condition_end(g);
  assert_int_equal(rp_graph_error(g)->status, RP_OK);
  return g;
}

/* What a node runs under, as text. */
static void describe(const rp_graph *g, uint32_t node, char *text) {
  rp_graph_node_info n = {.struct_size = sizeof n};
  rp_condition_info c = {.struct_size = sizeof c};
  assert_int_equal(rp_graph_get_node(g, node, &n, NULL), RP_OK);
  text += sprintf(text, "%s", n.name);
  for (uint32_t number = n.condition; number; number = c.parent) {
    assert_int_equal(rp_graph_get_condition(g, number, &c, NULL), RP_OK);
    text += sprintf(text, ", %u is %s", c.value.id, c.when ? "not 0" : "0");
  }
}

static void loaded_as_saved(void **state) {
  (void)state;
  rp_graph *g = nested(), *loaded;
  size_t size, again_size;
  uint8_t *file = saved_bytes_of(g, &size);
  char want[512], got[512];
  rp_condition_info c = {.struct_size = sizeof c};
  assert_int_equal(rp_graph_n_conditions(g), 7);
  assert_int_equal(rp_graph_get_condition(g, 0, &c, NULL), RP_ERR_ARGUMENT);
  assert_int_equal(rp_graph_get_condition(g, 8, &c, NULL), RP_ERR_ARGUMENT);
  assert_int_equal(rp_graph_get_condition(NULL, 1, &c, NULL), RP_ERR_ARGUMENT);
  assert_int_equal(rp_graph_load_memory(the_context, file, size, NULL, &loaded, NULL), RP_OK);
  assert_int_equal(rp_graph_n_conditions(loaded), 6);
  assert_int_equal(rp_graph_n_nodes(loaded), rp_graph_n_nodes(g));
  int under = 0;
  for (uint32_t n = 0; n < rp_graph_n_nodes(g); n++) {
    describe(g, n, want), describe(loaded, n, got);
    assert_string_equal(got, want);
    under += strstr(got, "0, ") != NULL;
  }
  assert_int_equal(under, 8); /* in four bodies, a slice and a concatenation under two conditions */
  uint8_t *again = saved_bytes_of(loaded, &again_size);
  assert_int_equal(again_size, size);
  assert_memory_equal(again, file, size);
  free(file), free(again);
  rp_graph_destroy(g), rp_graph_destroy(loaded);
}

/* A reader that does not know the section computes all branches. */
static void not_required(void **state) {
  (void)state;
  rp_error err = {0};
  rp_graph *g = nested(), *loaded;
  size_t size;
  uint8_t *file = saved_bytes_of(g, &size);
  uint32_t n = 0;
  while (file[SAVED_HEADER_BYTES + n * SAVED_ENTRY_BYTES] != SAVED_CONDITIONS) n++;
  file[SAVED_HEADER_BYTES + n * SAVED_ENTRY_BYTES] = 200;
  saved_seal(file, size);
  if (rp_graph_load_memory(the_context, file, size, NULL, &loaded, &err)) fail_msg("%s", err.reason);
  assert_int_equal(rp_graph_n_conditions(loaded), 0);
  assert_int_equal(rp_graph_n_nodes(loaded), rp_graph_n_nodes(g));
  free(file);
  rp_graph_destroy(g), rp_graph_destroy(loaded);
}

/* Sets a word of the section, and puts it back. */
static void refused(uint8_t *file, size_t size, size_t word, uint32_t value, const char *words) {
  size_t bytes;
  uint8_t *at = saved_section_of(file, size, SAVED_CONDITIONS, &bytes), was[4];
  rp_graph *loaded;
  rp_error err = {0};
  assert_true(4 * word < bytes);
  memcpy(was, at + 4 * word, 4);
  for (int i = 0; i < 4; i++) at[4 * word + (size_t)i] = (uint8_t)(value >> 8 * i);
  saved_seal(file, size);
  assert_int_equal(rp_graph_load_memory(the_context, file, size, NULL, &loaded, &err), RP_ERR_FORMAT);
  if (!strstr(err.reason, words)) fail_msg("'%s', not '%s'", err.reason, words);
  memcpy(at + 4 * word, was, 4);
}

static void hostile(void **state) {
  (void)state;
  rp_graph *g = nested(), *loaded;
  size_t size, bytes;
  uint8_t *file = saved_bytes_of(g, &size);
  rp_graph_destroy(g);
  refused(file, size, 0, 7, "");
  refused(file, size, 0, UINT32_MAX, "its list of conditions is cut short");
  refused(file, size, 0, 5, ""); /* the last one is taken for conditions of nodes */
  refused(file, size, 1, 0, "a condition has a value that comes after it");
  refused(file, size, 1, 1000, "a condition has a value that comes after it");
  refused(file, size, 2, 2, "a condition is in none before it");
  refused(file, size, 3, 1, "a condition is in none before it");
  refused(file, size, 1 + 6 * 3, 7, "a node has no condition of the list");
  const uint8_t *section = saved_section_of(file, size, SAVED_CONDITIONS, &bytes);
  for (uint32_t seed = 1; seed < 3000; seed++) { /* anything else is refused or loaded */
    uint8_t *other = malloc(size);
    memcpy(other, file, size);
    const uint32_t at = seed * 2654435761u;
    other[(size_t)(section - file) + at % bytes] = (uint8_t)(at >> 24 & (seed % 3 ? 7 : 255));
    saved_seal(other, size);
    if (rp_graph_load_memory(the_context, other, size, NULL, &loaded, NULL) == RP_OK) rp_graph_destroy(loaded);
    free(other);
  }
  free(file);
}

/* As deep as it can be; one more is refused when the graph is built. */
static void nest_64_deep(void **state) {
  (void)state;
  rp_graph *g = new_graph("deep"), *loaded;
  size_t size;
  const rp_value x = rp_graph_input(g, "x", &RP_TYPE_U32, 1, 0);
  for (int i = 0; i < 64; i++) rp_condition_begin(g, x, i & 1);
  (void)rp_concat(g, &x, 1);
  for (int i = 0; i < 64; i++) rp_condition_end(g);
  rp_graph_output(g, "y", rp_concat(g, (rp_value[]){x, x}, 2), 0);
  uint8_t *file = saved_bytes_of(g, &size);
  assert_int_equal(rp_graph_load_memory(the_context, file, size, NULL, &loaded, NULL), RP_OK);
  assert_int_equal(rp_graph_n_conditions(loaded), 64);
  for (int i = 0; i < 65; i++) rp_condition_begin(g, x, 1);
  assert_int_equal(rp_graph_error(g)->status, RP_ERR_ARGUMENT);
  assert_non_null(strstr(rp_graph_error(g)->reason, "conditions nest at most 64 deep"));
  free(file);
  rp_graph_destroy(g), rp_graph_destroy(loaded);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(loaded_as_saved), cmocka_unit_test(not_required),
                                     cmocka_unit_test(hostile), cmocka_unit_test(nest_64_deep)};
  return cmocka_run_group_tests_name("conditions of saved graphs", tests, common_open, common_close);
}
