/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Values of another graph are refused wherever a value is taken. Structs that are shorter or longer than the library's
 * are read and written as far as both sides know them.
 */
#include "watch.h"

#define ANOTHER "is a value of another graph: a value serves only the graph that made it"

static const uint64_t numbers[8] = {1, 2, 3, 4, 5, 6, 7, 8};

typedef struct two {
  rp_graph *mine, *other;
  rp_value a, b, foreign; /* a and b are inputs of `mine`, foreign of `other`; a and foreign have the same id */
} two;

static two make(void) {
  two t = {.mine = the_watch.graph};
  assert_int_equal(rp_graph_create(the_watch.context, "other", &t.other, NULL), RP_OK);
  t.a = rp_graph_input(t.mine, "a", &toy_u64, 8, 0);
  t.b = rp_graph_input(t.mine, "b", &toy_u64, 8, 0);
  t.foreign = rp_graph_input(t.other, "a", &toy_u64, 8, 0);
  assert_int_equal(t.a.id, t.foreign.id);
  return t;
}

static void a_node_refuses_a_value_of_another_graph(void **state) {
  (void)state;
  watch_open(&rp_backend_cpu, 0);
  two t = make();
  rp_recording *r = NULL;
  rp_error err = {0};
  rp_scope_begin(t.mine, "prove");
  toy_add(t.mine, t.b, t.b);
  rp_graph_output(t.mine, "sum", toy_add(t.mine, t.b, t.foreign), 0);
  assert_int_equal(rp_record(the_watch.device, t.mine, NULL, &r, &err), RP_ERR_ARGUMENT);
  assert_null(r);
  assert_string_equal(err.reason, "prove/toy_add#2: its input 1 " ANOTHER);
  rp_graph_destroy(t.other);
  watch_close();
}

static void an_output_refuses_a_value_of_another_graph(void **state) {
  (void)state;
  watch_open(&rp_backend_null, 0);
  two t = make();
  rp_graph_output(t.mine, "sum", toy_scale(t.other, t.foreign, 2), 0);
  assert_string_equal(rp_graph_error(t.mine)->reason, "output 'sum': it " ANOTHER);
  rp_graph_destroy(t.other);
  watch_close();
}

static void queries_refuse_values_of_another_graph(void **state) {
  (void)state;
  watch_open(&rp_backend_null, 0);
  two t = make();
  assert_ptr_equal(rp_value_type(t.mine, t.a), &toy_u64);
  assert_null(rp_value_type(t.mine, t.foreign));
  assert_int_equal(rp_value_len(t.mine, t.foreign), 0);
  assert_int_equal(rp_value_storage(t.mine, t.foreign), RP_STORAGE_NONE);
  assert_int_equal(rp_value_is_constant(t.mine, t.foreign), 0);
  assert_null(rp_value_form(t.other, toy_scale(t.mine, t.a, 2), &(const rp_form){"none", 0}));
  assert_int_equal(rp_value_check(t.mine, t.a, "fold", "points"), 1);
  assert_int_equal(rp_graph_error(t.mine)->status, RP_OK);
  assert_int_equal(rp_value_check(t.mine, t.foreign, "fold", "points"), 0);
  assert_string_equal(rp_graph_error(t.mine)->reason, "fold: points " ANOTHER);
  rp_graph_destroy(t.other);
  watch_close();
}

/* Graphs are numbered across all contexts, even if a context has the address of an earlier one. */
static void graph_numbers_are_never_reused(void **state) {
  enum { CONTEXTS = 200 };
  uint32_t marks[CONTEXTS];
  (void)state;
  for (int i = 0; i < CONTEXTS; i++) {
    rp_context *context = NULL;
    rp_graph *graph = NULL;
    assert_int_equal(rp_context_create(NULL, &context, NULL), RP_OK);
    assert_int_equal(rp_graph_create(context, "again", &graph, NULL), RP_OK);
    marks[i] = rp_graph_input(graph, "a", &toy_u64, 8, 0).graph;
    for (int k = 0; k < i; k++) assert_int_not_equal(marks[k], marks[i]);
    rp_graph_destroy(graph);
    rp_context_destroy(context);
  }
}

static void a_value_of_another_context_is_refused(void **state) {
  (void)state;
  rp_context *context = NULL;
  rp_graph *other = NULL;
  watch_open(&rp_backend_null, 0);
  assert_int_equal(rp_context_create(NULL, &context, NULL), RP_OK);
  assert_int_equal(rp_graph_create(context, "other", &other, NULL), RP_OK);
  rp_value a = rp_graph_input(the_watch.graph, "a", &toy_u64, 8, 0),
           foreign = rp_graph_input(other, "a", &toy_u64, 8, 0);
  assert_int_equal(a.id, foreign.id);
  toy_scale(the_watch.graph, foreign, 2);
  assert_string_equal(rp_graph_error(the_watch.graph)->reason, "toy_scale: its input 0 " ANOTHER);
  rp_graph_destroy(other);
  rp_context_destroy(context);
  watch_close();
}

static void a_run_refuses_values_of_another_graph(void **state) {
  (void)state;
  watch_open(&rp_backend_cpu, 0);
  two t = make();
  uint64_t k[8], out[8] = {0};
  rp_value constant = rp_graph_constant(t.mine, "k", &toy_u64, 8, numbers, 0);
  rp_value sum = toy_add(t.mine, toy_add(t.mine, t.a, t.b), constant);
  rp_graph_output(t.mine, "sum", sum, RP_BINDABLE);
  for (uint32_t id = t.foreign.id; id < sum.id;) /* values of the other graph that have the same ids */
    id = toy_scale(t.other, t.foreign, 2).id;
  const rp_value foreign_sum = {sum.id, t.foreign.graph}, foreign_constant = {constant.id, t.foreign.graph};
  rp_recording *r = watch_record(1, 0);
  rp_error err = {0};
  rp_run *run = NULL;
  rp_buffer *buffer = NULL;
  assert_int_equal(rp_buffer_create(the_watch.device, sizeof out, &buffer, NULL), RP_OK);
  assert_int_equal(rp_run_begin(r, 0, &run, NULL), RP_OK);
  assert_null(rp_run_input(run, t.foreign));
  assert_int_equal(rp_run_set_input(run, t.foreign, numbers, sizeof numbers), RP_ERR_ARGUMENT);
  assert_string_equal(rp_run_error(run)->reason,
                      "watched: value 1 is of another graph than the one that was recorded, so no input");
  assert_int_equal(rp_run_bind_output(run, foreign_sum, buffer, 0), RP_ERR_ARGUMENT);
  assert_int_equal(rp_run_set_input(run, t.a, numbers, sizeof numbers), RP_OK);
  assert_int_equal(rp_run_set_input(run, t.b, numbers, sizeof numbers), RP_OK);
  assert_int_equal(rp_run_submit(run), RP_OK);
  assert_int_equal(rp_run_wait(run, UINT64_MAX), RP_OK);
  assert_null(rp_run_output(run, foreign_sum));
  assert_non_null(rp_run_output(run, sum));
  rp_run_end(run);
  assert_int_equal(rp_recording_read_constant(r, foreign_constant, k, sizeof k, &err), RP_ERR_ARGUMENT);
  assert_non_null(strstr(err.reason, "of another graph"));
  const rp_replay_input in[] = {{.value = t.foreign, .data = numbers, .size_bytes = sizeof numbers}};
  assert_int_equal(rp_replay(r, in, 1, NULL, 0, &err), RP_ERR_ARGUMENT);
  assert_non_null(strstr(err.reason, "of another graph"));
  rp_buffer_destroy(buffer);
  rp_recording_destroy(r);
  rp_graph_destroy(t.other);
  watch_close();
}

/* ---- Sizes of structs -------------------------------------------------------------------------------------------- */

/* A program that was compiled against an older header has a shorter struct, with other data behind it. */
static void a_shorter_struct_is_filled_to_its_end_only(void **state) {
  (void)state;
  watch_open(&rp_backend_cpu, 0);
  rp_value a = rp_graph_input(the_watch.graph, "a", &toy_u64, 8, 0);
  rp_graph_output(the_watch.graph, "out", toy_scale(the_watch.graph, a, 2), 0);
  struct {
    rp_plan_info info;
    unsigned char behind[8];
  } plan;
  memset(&plan, 0x5a, sizeof plan);
  plan.info.struct_size = offsetof(rp_plan_info, constant_bytes);
  assert_int_equal(rp_plan_query(the_watch.device, the_watch.graph, NULL, &plan.info, NULL), RP_OK);
  assert_int_equal(plan.info.struct_size, offsetof(rp_plan_info, constant_bytes));
  assert_int_equal(plan.info.slots, 1);
  for (size_t i = offsetof(rp_plan_info, constant_bytes); i < sizeof plan; i++)
    assert_int_equal(((unsigned char *)&plan)[i], 0x5a);

  plan.info.struct_size = sizeof plan; /* compiled against a newer header */
  assert_int_equal(rp_plan_query(the_watch.device, the_watch.graph, NULL, &plan.info, NULL), RP_OK);
  assert_int_equal(plan.info.dispatches, 1);
  assert_int_equal(plan.behind[0], 0x5a);

  rp_error err = {0};
  plan.info.struct_size = 0;
  assert_int_equal(rp_plan_query(the_watch.device, the_watch.graph, NULL, &plan.info, &err), RP_ERR_ARGUMENT);
  assert_string_equal(err.reason, "rp_plan_query: info.struct_size is not set");

  rp_device_info device = {.struct_size = offsetof(rp_device_info, name), .name = "kept"};
  rp_device_get_info(the_watch.device, &device);
  assert_int_equal(device.available, 1);
  assert_string_equal(device.name, "kept");
  watch_close();
}

/* In an array, the size in the first element is the distance between elements, whatever the size of the library's
 * struct. */
static void an_array_is_written_at_the_callers_distance(void **state) {
  (void)state;
  watch_open(&rp_backend_cpu, 0);
  rp_value a = rp_graph_input(the_watch.graph, "a", &toy_u64, 8, 0);
  rp_graph_output(the_watch.graph, "out", toy_scale(the_watch.graph, toy_scale(the_watch.graph, a, 2), 3), 0);
  rp_recording *r = watch_record(1, 0);
  struct node {
    rp_node_info info;
    uint64_t newer;
  } nodes[2];
  uint32_t n = 0;
  memset(nodes, 0x5a, sizeof nodes);
  nodes[0].info.struct_size = sizeof *nodes;
  assert_int_equal(rp_recording_nodes(r, &nodes[0].info, 2, &n, NULL), RP_OK);
  assert_int_equal(n, 2);
  for (int i = 0; i < 2; i++) {
    assert_string_equal(nodes[i].info.op, "toy_scale");
    assert_int_equal(nodes[i].info.struct_size, sizeof *nodes);
    assert_int_equal(nodes[i].newer, 0x5a5a5a5a5a5a5a5a);
  }
  rp_recording_destroy(r);
  watch_close();
}

static void options_of_any_length_are_read(void **state) {
  (void)state;
  struct newer {
    rp_record_options options;
    uint64_t field;
  } newer = {.options = {.struct_size = sizeof newer, .max_in_flight = 3}, .field = 7}, read;
  rp_record_options ours;
  assert_int_equal(rp_options_read(&ours, sizeof ours, &newer), 1);
  assert_int_equal(ours.max_in_flight, 3);
  assert_int_equal(ours.struct_size, sizeof ours);
  newer.options.struct_size = offsetof(rp_record_options, max_in_flight);
  assert_int_equal(rp_options_read(&read, sizeof read, &newer), 1);
  assert_int_equal(read.options.max_in_flight, 0);
  assert_int_equal(read.field, 0);
  assert_int_equal(rp_options_read(&read, sizeof read, NULL), 1);
  assert_int_equal(read.options.struct_size, sizeof read);
  newer.options.struct_size = 0;
  assert_int_equal(rp_options_read(&read, sizeof read, &newer), 0);
}

/* An op that was compiled before rp_op had `describe`. */
static rp_status shape_copy(const rp_shape *s) {
  s->out_type[0] = s->in_type[0];
  s->out_len[0] = s->in_len[0];
  return RP_OK;
}

static rp_status lower_nothing(rp_lower *l) { return rp_lower_fail(l, RP_ERR_UNSUPPORTED, "nothing to do"); }

static int must_not_be_called(const void *params, char *text, size_t bytes) {
  (void)params, (void)text, (void)bytes;
  fail_msg("what stands behind a shorter struct was called");
  return 0;
}

static int write_nothing(void *user, const char *text, size_t bytes) {
  (void)user, (void)text, (void)bytes;
  return 0;
}

static void an_older_op_is_taken(void **state) {
  (void)state;
  static const rp_strategy strategy = {.name = "plain", .devices = RP_ON_ANY, .lower = lower_nothing};
  static const rp_op old = {.struct_size = offsetof(rp_op, describe),
                            .name = "old",
                            .shape = shape_copy,
                            .strategies = &strategy,
                            .n_strategies = 1,
                            .describe = must_not_be_called};
  watch_open(&rp_backend_null, 0);
  rp_value a = rp_graph_input(the_watch.graph, "a", &toy_u64, 8, 0);
  assert_int_not_equal(rp_graph_node(the_watch.graph, &old, NULL, &a, 1, NULL, 1).id, 0);
  assert_int_equal(rp_graph_export(the_watch.graph, RP_EXPORT_DOT, write_nothing, NULL, NULL), RP_OK);
  watch_close();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_node_refuses_a_value_of_another_graph),
      cmocka_unit_test(an_output_refuses_a_value_of_another_graph),
      cmocka_unit_test(queries_refuse_values_of_another_graph),
      cmocka_unit_test(a_value_of_another_context_is_refused),
      cmocka_unit_test(graph_numbers_are_never_reused),
      cmocka_unit_test(a_run_refuses_values_of_another_graph),
      cmocka_unit_test(a_shorter_struct_is_filled_to_its_end_only),
      cmocka_unit_test(an_array_is_written_at_the_callers_distance),
      cmocka_unit_test(options_of_any_length_are_read),
      cmocka_unit_test(an_older_op_is_taken),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
