/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Forms: what an operation says of its results beyond type and length, and others demand of their operands.
 */
#include "watch.h"

typedef struct level {
  uint64_t above;
  uint32_t made_by, pad;
} level;

static const rp_form form_level = {"level", sizeof(level)}, form_other = {"level", sizeof(level)};

static rp_status lower_nothing(rp_lower *l) {
  (void)l;
  return RP_OK;
}
static const rp_strategy strategy = {.name = "plain", .devices = RP_ON_ANY, .lower = lower_nothing};

static void results_like_input(const rp_shape *s) {
  for (uint32_t i = 0; i < s->n_out; i++) {
    s->out_type[i] = s->in_type[0];
    s->out_len[i] = s->in_len[0];
  }
}

/* Two results of one form, whose data are written over once they have been given. */
static rp_status shape_make(const rp_shape *s) {
  level data = {.above = *(const uint64_t *)s->params, .made_by = s->out_id};
  results_like_input(s);
  rp_status status = rp_shape_out_form(s, 0, &form_level, &data);
  data.above++;
  if (!status) status = rp_shape_out_form(s, 1, &form_level, &data);
  data.above = 0;
  return status;
}

static rp_status shape_use(const rp_shape *s) {
  const level *a = rp_shape_in_form(s, 0, &form_level), *b = rp_shape_in_form(s, 1, &form_level);
  if (rp_shape_in_form(s, 2, &form_level)) return rp_shape_fail(s, RP_ERR_INTERNAL, "an operand that is not there");
  if (!a || !b || a->made_by != b->made_by) return rp_shape_fail(s, RP_ERR_ARGUMENT, "levels of one node are needed");
  if (a->above != 5 || b->above != 6) return rp_shape_fail(s, RP_ERR_INTERNAL, "other data than was given");
  results_like_input(s);
  return RP_OK;
}

static rp_status shape_beyond(const rp_shape *s) {
  results_like_input(s);
  return rp_shape_out_form(s, 1, &form_level, &(level){0});
}

static rp_status shape_without(const rp_shape *s) {
  results_like_input(s);
  return rp_shape_out_form(s, 0, &form_level, NULL);
}

#define OP(text, rule, bytes)                                                                              \
  {                                                                                                        \
    .struct_size = sizeof(rp_op), .flags = RP_OP_PURE, .name = text, .params_bytes = bytes, .shape = rule, \
    .strategies = &strategy, .n_strategies = 1                                                             \
  }
static const rp_op op_make = OP("make", shape_make, sizeof(uint64_t)), op_use = OP("use", shape_use, 0),
                   op_beyond = OP("beyond", shape_beyond, 0), op_without = OP("without", shape_without, 0);

static void make(rp_value out[2], rp_value x) {
  const uint64_t above = 5;
  rp_graph_node(the_watch.graph, &op_make, &above, &x, 1, out, 2);
}

static rp_value use(rp_value a, rp_value b) {
  return rp_graph_node(the_watch.graph, &op_use, NULL, (rp_value[]){a, b}, 2, NULL, 1);
}

static void results_carry_what_their_shape_rule_said(void **state) {
  (void)state;
  watch_open(&rp_backend_null, 0);
  rp_graph *g = the_watch.graph;
  const rp_value x = rp_graph_input(g, "x", &toy_u64, 8, 0);
  rp_value made[2], again[2];
  make(made, x);
  make(again, x);
  const level *first = rp_value_form(g, made[0], &form_level), *second = rp_value_form(g, made[1], &form_level);
  const level *third = rp_value_form(g, again[0], &form_level);
  assert_int_equal(first->above, 5);
  assert_int_equal(second->above, 6);
  assert_int_equal(first->made_by, made[0].id);
  assert_int_equal(second->made_by, made[0].id);
  assert_int_equal(third->made_by, again[0].id);
  assert_null(rp_value_form(g, made[0], &form_other)); /* a form with the same name is another form */
  assert_null(rp_value_form(g, made[0], NULL));
  assert_int_not_equal(use(made[0], made[1]).id, 0);
  assert_int_equal(rp_graph_error(g)->status, RP_OK);
  watch_close();
}

static void nothing_else_has_a_form(void **state) {
  (void)state;
  for (int what = 0; what < 5; what++) {
    watch_open(&rp_backend_null, 0);
    rp_graph *g = the_watch.graph, *other;
    const rp_value x = rp_graph_input(g, "x", &toy_u64, 8, 0);
    rp_value made[2], again[2];
    assert_int_equal(rp_graph_create(the_watch.context, "other", &other, NULL), RP_OK);
    make(made, x);
    make(again, x);
    const rp_value operand[] = {x, again[1], toy_slice(g, made[1], 0, 8), toy_scale(g, made[1], 1),
                                rp_graph_constant(g, "c", &toy_u64, 8, (const uint64_t[8]){0}, 0)};
    assert_int_equal(rp_graph_error(g)->status, RP_OK);
    assert_null(rp_value_form(other, made[0], &form_level));
    if (what != 1) assert_null(rp_value_form(g, operand[what], &form_level));
    assert_int_equal(use(made[0], operand[what]).id, 0);
    assert_int_equal(rp_graph_error(g)->status, RP_ERR_ARGUMENT);
    assert_string_equal(rp_graph_error(g)->reason, "use: levels of one node are needed");
    rp_graph_destroy(other);
    watch_close();
  }
}

static void a_wrong_shape_rule_is_refused(void **state) {
  (void)state;
  for (int what = 0; what < 2; what++) {
    watch_open(&rp_backend_null, 0);
    rp_graph *g = the_watch.graph;
    const rp_value x = rp_graph_input(g, "x", &toy_u64, 8, 0);
    rp_graph_node(g, what ? &op_without : &op_beyond, NULL, &x, 1, NULL, 1);
    assert_int_equal(rp_graph_error(g)->status, RP_ERR_ARGUMENT);
    assert_non_null(strstr(rp_graph_error(g)->reason, what ? "without: its shape rule" : "beyond: its shape rule"));
    watch_close();
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(results_carry_what_their_shape_rule_said),
      cmocka_unit_test(nothing_else_has_a_form),
      cmocka_unit_test(a_wrong_shape_rule_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
