/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * What pictures of graphs leave out so that they can be read: constants, single elements that many read, boxes that do
 * the same, and phases that are alike.
 */
#include "watch.h"

#include <reprise/view.h>

#include <stdio.h>

enum { N = 128 };

static char text[1 << 16];
static size_t used;

static int keep(void *user, const char *piece, size_t bytes) {
  (void)user;
  assert_true(used + bytes < sizeof text);
  memcpy(text + used, piece, bytes);
  text[used += bytes] = 0;
  return 0;
}

static void draw(void) {
  used = 0;
  assert_int_equal(rp_graph_export(the_watch.graph, RP_EXPORT_DOT, keep, NULL, NULL), RP_OK);
  FILE *dot = popen("dot -Tsvg >/dev/null", "w");
  assert_non_null(dot);
  assert_int_equal(fwrite(text, 1, used, dot), used);
  assert_int_equal(pclose(dot), 0);
}

static void must_have(const char *what) {
  if (!strstr(text, what)) fail_msg("'%s' is not in %s", what, text);
}

static void must_lack(const char *what) {
  if (strstr(text, what)) fail_msg("'%s' is in %s", what, text);
}

static unsigned count_of(const char *what) {
  unsigned n = 0;
  for (const char *at = text; (at = strstr(at, what)); at++) n++;
  return n;
}

static rp_graph *open_graph(rp_value *in) {
  watch_open(&rp_backend_null, 0);
  *in = rp_graph_input(the_watch.graph, "in", &toy_u64, N, 0);
  return the_watch.graph;
}

/* Constants stand in what reads them, halves that do the same for the same reader are one box, and boxes say what they
 * yield. */
static void boxes_are_folded(void **state) {
  (void)state;
  static uint64_t key[16] = {7};
  rp_value in, halves[2], of_constants;
  rp_graph *g = open_graph(&in);
  toy_split(g, in, halves);
  rp_graph_output(g, "sum", toy_add(g, toy_scale(g, halves[0], 3), toy_scale(g, halves[1], 3)), 0);
  const rp_value a = rp_graph_constant(g, "a", &toy_u64, 16, key, 0),
                 b = rp_graph_constant(g, "b", &toy_u64, 16, key, 0);
  of_constants = toy_add(g, a, b);
  rp_graph_output(g, "named", of_constants, 0);
  rp_graph_output(g, "twice", toy_scale(g, toy_add(g, in, in), 3), 0);
  draw();
  must_have("label=\"2 x toy scale");
  must_have("\\n= toy.u64 x 64, 512 B\"");
  must_have("\\n= toy.u64 x 16, 128 B\\n+ a, b: toy.u64 x 16\"");
  must_lack("label=\"a\\n");
  must_lack("label=\"b\\n");
  must_lack("  v7 -> "); /* "a" */
  assert_int_equal(count_of("  v1 -> "), 2);
  watch_close();
}

/* Four sums of parts, each scaled by a number of its own. With `chained`, each also needs the one before. */
static void build_parts(rp_graph *g, rp_value in, bool chained) {
  rp_value sum = {0}, before = toy_sum(g, in);
  char name[16];
  for (unsigned i = 0; i < 4; i++) {
    snprintf(name, sizeof name, "part_%u", i);
    rp_scope_begin(g, name);
    rp_scope_title(g, "Part %u of 4", i + 1);
    const rp_value part = toy_sum(g, toy_slice(g, in, 16 * i, 16)), one = toy_add(g, part, before);
    rp_scope_end(g);
    sum = i ? toy_add(g, sum, one) : one;
    if (chained) before = one;
  }
  rp_graph_output(g, "sum", sum, 0);
}

static void phases_that_are_alike_are_one(void **state) {
  (void)state;
  rp_value in;
  build_parts(open_graph(&in), in, 0);
  draw();
  must_have("label=\"4 x Part 1 of 4, ...\"");
  must_lack("Part 2 of 4");
  must_have("label=\"4 x toy sum");
  assert_int_equal(count_of("subgraph cluster_"), 2); /* and the legend */
  watch_close();
}

static void phases_that_need_each_other_are_not(void **state) {
  (void)state;
  rp_value in;
  build_parts(open_graph(&in), in, 1);
  draw();
  for (unsigned i = 1; i <= 4; i++) {
    char title[40];
    snprintf(title, sizeof title, "label=\"Part %u of 4\"", i);
    must_have(title);
  }
  watch_close();
}

/* Two siblings: the second has this title, and another operation or one more. */
static void two_phases(const char *title, bool other, bool more) {
  rp_value in;
  rp_graph *g = open_graph(&in);
  rp_scope_begin(g, "first");
  rp_scope_title(g, "Phase 1");
  const rp_value a = toy_add(g, in, in);
  rp_scope_end(g);
  rp_scope_begin(g, "second");
  rp_scope_title(g, "%s", title);
  const rp_value b = other ? toy_xor(g, in, in) : toy_add(g, in, in);
  if (more) rp_graph_output(g, "more", toy_sum(g, in), 0);
  rp_scope_end(g);
  rp_graph_output(g, "sum", toy_add(g, a, b), 0);
  draw();
  watch_close();
}

static void phases_that_differ_are_not(void **state) {
  (void)state;
  two_phases("Phase 27", 0, 0);
  must_have("2 x Phase 1, ...");
  two_phases("Phase B", 0, 0);
  must_have("label=\"Phase B\"");
  two_phases("Phase 2", 1, 0);
  must_have("label=\"Phase 2\"");
  two_phases("Phase 2", 0, 1);
  must_have("label=\"Phase 2\"");
}

/* A phase's only result is named by its many readers, and keeps them below itself. */
static void challenges_are_named(void **state) {
  (void)state;
  rp_value in;
  char name[16];
  rp_graph *g = open_graph(&in);
  rp_scope_begin(g, "beta");
  rp_scope_title(g, "Challenge beta");
  const rp_value beta = toy_sum(g, in);
  rp_scope_end(g);
  for (unsigned i = 0; i < 4; i++) {
    const rp_value one = toy_add(g, toy_sum(g, toy_slice(g, in, i, 8 + i)), beta);
    snprintf(name, sizeof name, "out_%u", i);
    rp_graph_output(g, name, one, 0);
  }
  draw();
  must_have("\\n+ Challenge beta: toy.u64 x 1\"");
  must_have("  n0 -> n3 [style=invis, weight=0];");
  must_lack("  n0 -> n3 [color");
  watch_close();
}

/* Few readers have lines, and so has what a phase yields beside other things. */
static void other_elements_have_lines(void **state) {
  (void)state;
  rp_value in;
  char name[16];
  rp_graph *g = open_graph(&in);
  rp_scope_begin(g, "values");
  rp_scope_title(g, "Two values");
  const rp_value a = toy_sum(g, in), b = toy_count_odd(g, in);
  rp_scope_end(g);
  for (unsigned i = 0; i < 4; i++) {
    const rp_value one = toy_add(g, toy_add(g, toy_sum(g, toy_slice(g, in, i, 8 + i)), a), b);
    snprintf(name, sizeof name, "out_%u", i);
    rp_graph_output(g, name, one, 0);
  }
  draw();
  must_lack("+ Two values");
  must_have("  n0 -> n4 [color");
  must_have("  n1 -> n5 [color");
  watch_close();
}

static void lines_within_a_phase_are_short(void **state) {
  (void)state;
  rp_value in;
  rp_graph *g = open_graph(&in);
  rp_scope_begin(g, "phase");
  const rp_value sum = toy_sum(g, toy_scale(g, in, 3));
  rp_scope_end(g);
  rp_graph_output(g, "sum", toy_scale(g, sum, 3), 0);
  draw();
  must_have("  n0 -> n1 [color=\"#57606a\", weight=100];");
  must_have("  n1 -> n2 [color=\"#57606a\"];");
  must_have("newrank=true");
  watch_close();
}

/* Conditions have the names of what is compared. */
static void conditions_are_named(void **state) {
  (void)state;
  rp_value in;
  rp_graph *g = open_graph(&in);
  const rp_value choice = rp_graph_input(g, "choice", &toy_u32, 1, 0);
  rp_graph_output(g, "none", toy_scale(g, in, 5), 0);
  rp_condition_begin(g, choice, 0);
  toy_scale(g, in, 3);
  rp_condition_end(g);
  draw();
  must_have("\\nif choice is 0\\n");
  watch_close();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(boxes_are_folded),
      cmocka_unit_test(phases_that_are_alike_are_one),
      cmocka_unit_test(phases_that_need_each_other_are_not),
      cmocka_unit_test(phases_that_differ_are_not),
      cmocka_unit_test(challenges_are_named),
      cmocka_unit_test(other_elements_have_lines),
      cmocka_unit_test(lines_within_a_phase_are_short),
      cmocka_unit_test(conditions_are_named),
  };
  return cmocka_run_group_tests_name("picture", tests, NULL, NULL);
}
