/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The graph builder: what it refuses, with which words, and that the first error sticks. Also what lowering refuses.
 */
#include "watch.h"

#include <reprise/rewrite.h>

#include <stdio.h>

static const rp_type bad_align = {.id = 1, .size_bytes = 8, .align_bytes = 3, .name = "bad"};
static const rp_type nameless = {.id = 3, .size_bytes = 8, .align_bytes = 8};
static const rp_type no_size = {.id = 2, .size_bytes = 0, .align_bytes = 1, .name = "empty"};
static const uint64_t zeros[8];

static rp_value number(rp_graph *g) { return rp_graph_input(g, "number", &toy_u64, 8, 0); }

/* Each of these functions makes one mistake. */
static void no_name(rp_graph *g) { rp_graph_input(g, "", &toy_u64, 8, 0); }
static void null_name(rp_graph *g) { rp_graph_input(g, NULL, &toy_u64, 8, 0); }
static void odd_name(rp_graph *g) { rp_graph_input(g, "a\"b", &toy_u64, 8, 0); }
static void no_type(rp_graph *g) { rp_graph_input(g, "a", NULL, 8, 0); }
static void odd_align(rp_graph *g) { rp_graph_input(g, "a", &bad_align, 8, 0); }
static void nameless_type(rp_graph *g) { rp_graph_input(g, "a", &nameless, 8, 0); }
static void empty_type(rp_graph *g) { rp_graph_constant(g, "a", &no_size, 8, zeros, 0); }
static void no_len(rp_graph *g) { rp_graph_input(g, "a", &toy_u64, 0, 0); }
static void long_len(rp_graph *g) { rp_graph_input(g, "a", &toy_u64, UINT64_MAX / 2, 0); }
static void odd_flags(rp_graph *g) { rp_graph_input(g, "a", &toy_u64, 8, RP_BORROW); }
static void no_data(rp_graph *g) { rp_graph_constant(g, "a", &toy_u64, 8, NULL, 0); }
static void secret_constant(rp_graph *g) { rp_graph_constant(g, "a", &toy_u64, 8, zeros, RP_SECRET); }
static void twice_input(rp_graph *g) { number(g), number(g); }
static void output_of_nothing(rp_graph *g) { rp_graph_output(g, "out", RP_NO_VALUE, 0); }
static void output_of_input(rp_graph *g) { rp_graph_output(g, "out", number(g), 0); }
static void output_flags(rp_graph *g) { rp_graph_output(g, "out", toy_scale(g, number(g), 2), RP_SECRET); }
static void scope_end(rp_graph *g) { rp_scope_end(g); }
static void scope_name(rp_graph *g) { rp_scope_begin(g, "a,b"); }
static void value_of_another(rp_graph *g) { toy_scale(g, (rp_value){99, 0}, 2); }

static void twice_output(rp_graph *g) {
  rp_value a = toy_scale(g, number(g), 2);
  rp_graph_output(g, "out", a, 0);
  rp_graph_output(g, "again", a, 0);
}

static void same_output(rp_graph *g) {
  rp_value a = number(g);
  rp_graph_output(g, "out", toy_scale(g, a, 2), 0);
  rp_graph_output(g, "out", toy_scale(g, a, 3), 0);
}

static void deep_scope(rp_graph *g) {
  for (int i = 0; i < 65; i++) rp_scope_begin(g, "s");
}

static void wrong_type(rp_graph *g) {
  rp_scope_begin(g, "prove");
  toy_scale(g, rp_graph_input(g, "words", &toy_u32, 8, 0), 2);
}

static void wrong_length(rp_graph *g) {
  rp_value a = number(g), b = rp_graph_input(g, "b", &toy_u64, 4, 0);
  rp_scope_begin(g, "prove");
  rp_scope_begin(g, "msm_a");
  toy_add(g, a, a);
  toy_add(g, a, b);
}

static void own_words(rp_graph *g) {
  rp_scope_begin(g, "prove");
  rp_graph_fail(g, RP_ERR_MISMATCH, "the key has %d points", 7);
}

static void no_op(rp_graph *g) { rp_graph_node(g, NULL, NULL, NULL, 0, NULL, 1); }

static const struct {
  void (*make)(rp_graph *);
  rp_status status;
  const char *reason;
} mistakes[] = {
    {no_name, RP_ERR_ARGUMENT, "input '': a name is made of letters, digits and \"_-./#[] \""},
    {null_name, RP_ERR_ARGUMENT, "input '(NULL)': a name is made of letters, digits and \"_-./#[] \""},
    {odd_name, RP_ERR_ARGUMENT, "input 'a\"b': a name is made of letters, digits and \"_-./#[] \""},
    {no_type, RP_ERR_TYPE, "input 'a': its type is NULL"},
    {odd_align, RP_ERR_TYPE, "input 'a': its type has an alignment that is not allowed"},
    {nameless_type, RP_ERR_TYPE, "input 'a': its type has no name"},
    {empty_type, RP_ERR_TYPE, "constant 'a': its type has no size"},
    {no_len, RP_ERR_SHAPE, "input 'a': 0 elements of 8 bytes cannot be an array"},
    {long_len, RP_ERR_SHAPE, "input 'a': 9223372036854775807 elements of 8 bytes cannot be an array"},
    {odd_flags, RP_ERR_ARGUMENT, "input 'a': flags 0x2 are not for inputs"},
    {no_data, RP_ERR_ARGUMENT, "constant 'a': data is NULL"},
    {secret_constant, RP_ERR_ARGUMENT, "constant 'a': flags 0x1 are not for constants"},
    {twice_input, RP_ERR_ARGUMENT, "input 'number': the graph already has an input of that name"},
    {output_of_nothing, RP_ERR_ARGUMENT, "output 'out': it is not a value of this graph"},
    {output_of_input, RP_ERR_ARGUMENT,
     "output 'out': 'number' is given, and an output is a value that a node computes"},
    {output_flags, RP_ERR_ARGUMENT, "output 'out': flags 0x1 are not for outputs"},
    {scope_end, RP_ERR_STATE, "rp_scope_end: no scope is open"},
    {scope_name, RP_ERR_ARGUMENT, "scope 'a,b': a name is made of letters, digits and \"_-./#[] \""},
    {value_of_another, RP_ERR_ARGUMENT, "toy_scale: its input 0 is not a value of this graph"},
    {twice_output, RP_ERR_ARGUMENT, "output 'again': the value is already the output 'out'"},
    {same_output, RP_ERR_ARGUMENT, "output 'out': the graph already has an output of that name"},
    {deep_scope, RP_ERR_ARGUMENT, NULL},
    {wrong_type, RP_ERR_TYPE, "prove/toy_scale: element type does not fit"},
    {wrong_length, RP_ERR_SHAPE, "prove/msm_a/toy_add#2: its operands differ in length"},
    {own_words, RP_ERR_MISMATCH, "prove: the key has 7 points"},
    {no_op, RP_ERR_ARGUMENT, "an op needs struct_size, a name, a shape rule, and a strategy or an expansion"},
};

static void mistakes_have_their_words(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
    rp_error err = {0};
    rp_plan_info info = {.struct_size = sizeof info};
    watch_open(&rp_backend_null, 0);
    rp_graph *g = the_watch.graph;
    mistakes[i].make(g);
    assert_int_equal(rp_graph_error(g)->status, mistakes[i].status);
    if (mistakes[i].reason) assert_string_equal(rp_graph_error(g)->reason, mistakes[i].reason);
    /* The first error sticks, and later calls are harmless. */
    assert_int_equal(rp_graph_input(g, "later", &toy_u64, 8, 0).id, 0);
    rp_graph_output(g, "later", toy_add(g, RP_NO_VALUE, RP_NO_VALUE), 0);
    rp_scope_end(g);
    rp_graph_fail(g, RP_ERR_INTERNAL, "a second error");
    assert_int_equal(rp_plan_query(the_watch.device, g, NULL, &info, &err), mistakes[i].status);
    assert_string_equal(err.reason, rp_graph_error(g)->reason);
    watch_close();
  }
}

static void questions_about_values(void **state) {
  (void)state;
  watch_open(&rp_backend_null, 0);
  rp_graph *g = the_watch.graph;
  rp_value a = number(g), k = rp_graph_constant(g, "k", &toy_u64, 8, zeros, RP_BORROW), k2 = toy_scale(g, k, 2);
  rp_value sum = toy_add(g, a, k2);
  assert_int_equal(rp_value_storage(g, sum), RP_STORAGE_INTERMEDIATE);
  rp_graph_output(g, "sum", sum, 0);
  assert_int_equal(rp_value_storage(g, a), RP_STORAGE_INPUT);
  assert_int_equal(rp_value_storage(g, k), RP_STORAGE_CONSTANT);
  assert_int_equal(rp_value_storage(g, k2), RP_STORAGE_CONSTANT);
  assert_int_equal(rp_value_storage(g, sum), RP_STORAGE_OUTPUT);
  assert_int_equal(rp_value_storage(g, RP_NO_VALUE), RP_STORAGE_NONE);
  assert_int_equal(rp_value_is_constant(g, k2), 1);
  assert_int_equal(rp_value_is_constant(g, sum), 0);
  assert_ptr_equal(rp_value_type(g, k2), &toy_u64);
  assert_null(rp_value_type(g, (rp_value){sum.id + 1, sum.graph}));
  assert_int_equal(rp_value_len(g, sum), 8);
  assert_int_equal(rp_value_len(g, RP_NO_VALUE), 0);
  assert_int_equal(rp_graph_error(g)->status, RP_OK);
  watch_close();
}

static void a_graph_needs_an_output(void **state) {
  (void)state;
  rp_error err;
  rp_plan_info info = {.struct_size = sizeof info};
  watch_open(&rp_backend_null, 0);
  toy_scale(the_watch.graph, number(the_watch.graph), 2);
  assert_int_equal(rp_plan_query(the_watch.device, the_watch.graph, NULL, &info, &err), RP_ERR_STATE);
  assert_string_equal(err.reason, "watched: the graph has no output; rp_graph_output adds one");
  watch_close();
}

static void null_pointers_are_statuses(void **state) {
  (void)state;
  rp_error err;
  uint32_t n;
  rp_run_counters counters = {.struct_size = sizeof counters};
  rp_plan_info info = {.struct_size = sizeof info};
  assert_int_equal(rp_context_create(NULL, NULL, &err), RP_ERR_ARGUMENT);
  assert_int_equal(rp_devices(NULL, NULL, 0, &n, NULL), RP_ERR_ARGUMENT);
  assert_int_equal(rp_device_open(NULL, NULL, NULL, NULL), RP_ERR_ARGUMENT);
  assert_int_equal(rp_graph_create(NULL, NULL, NULL, NULL), RP_ERR_ARGUMENT);
  assert_int_equal(rp_buffer_create(NULL, 8, NULL, NULL), RP_ERR_ARGUMENT);
  assert_int_equal(rp_buffer_wrap(NULL, NULL, 8, NULL, NULL), RP_ERR_ARGUMENT);
  assert_int_equal(rp_buffer_write(NULL, 0, zeros, 8, NULL), RP_ERR_ARGUMENT);
  assert_int_equal(rp_buffer_read(NULL, 0, &n, 4, NULL), RP_ERR_ARGUMENT);
  assert_int_equal(rp_plan_query(NULL, NULL, NULL, NULL, NULL), RP_ERR_ARGUMENT);
  assert_int_equal(rp_plan_query(NULL, NULL, NULL, &info, NULL), RP_ERR_ARGUMENT);
  assert_int_equal(rp_record(NULL, NULL, NULL, NULL, NULL), RP_ERR_ARGUMENT);
  assert_int_equal(rp_recording_read_constant(NULL, RP_NO_VALUE, NULL, 0, NULL), RP_ERR_ARGUMENT);
  assert_int_equal(rp_recording_evict(NULL, NULL), RP_ERR_ARGUMENT);
  assert_int_equal(rp_recording_export(NULL, RP_EXPORT_DOT, NULL, NULL, NULL), RP_ERR_ARGUMENT);
  assert_int_equal(rp_recording_nodes(NULL, NULL, 0, NULL, NULL), RP_ERR_ARGUMENT);
  assert_int_equal(rp_graph_export(NULL, RP_EXPORT_DOT, NULL, NULL, NULL), RP_ERR_ARGUMENT);
  assert_int_equal(rp_run_begin(NULL, 0, NULL, NULL), RP_ERR_ARGUMENT);
  assert_int_equal(rp_run_set_input(NULL, RP_NO_VALUE, NULL, 0), RP_ERR_ARGUMENT);
  assert_int_equal(rp_run_bind_input(NULL, RP_NO_VALUE, NULL, 0), RP_ERR_ARGUMENT);
  assert_int_equal(rp_run_bind_output(NULL, RP_NO_VALUE, NULL, 0), RP_ERR_ARGUMENT);
  assert_int_equal(rp_run_submit(NULL), RP_ERR_ARGUMENT);
  assert_int_equal(rp_run_wait(NULL, 0), RP_ERR_ARGUMENT);
  assert_int_equal(rp_run_poll(NULL), RP_ERR_ARGUMENT);
  assert_int_equal(rp_run_trace(NULL, NULL, NULL, NULL), RP_ERR_ARGUMENT);
  assert_null(rp_run_input(NULL, RP_NO_VALUE));
  assert_null(rp_run_output(NULL, RP_NO_VALUE));
  assert_null(rp_run_error(NULL));
  assert_null(rp_graph_error(NULL));
  rp_run_cancel(NULL), rp_run_end(NULL), rp_run_get_counters(NULL, &counters), rp_run_get_counters(NULL, NULL);
  rp_recording_get_plan(NULL, &info), rp_recording_get_plan(NULL, NULL), rp_recording_destroy(NULL);
  rp_graph_destroy(NULL), rp_buffer_destroy(NULL), rp_device_close(NULL), rp_context_destroy(NULL);
  assert_int_equal(rp_buffer_size(NULL), 0);
  assert_int_equal(rp_device_is_lost(NULL), 0);
  assert_int_equal(rp_graph_input(NULL, "a", &toy_u64, 8, 0).id, 0);
  assert_int_equal(rp_graph_constant(NULL, "a", &toy_u64, 8, zeros, 0).id, 0);
  rp_graph_output(NULL, "a", RP_NO_VALUE, 0), rp_scope_begin(NULL, "a"), rp_scope_end(NULL);
}

/* ---- Lowering: an op whose only strategy makes the mistake that `mistake` selects -------------------------------- */

typedef enum mistake {
  NOTHING,
  FEW_BINDS,
  FEW_ARGS,
  PAST_THE_END,
  WRITES_INPUT,
  READS_SCRATCH,
  NO_OUTPUT,
  NO_ACCESS,
  WRITES_ANYWHERE,
  READS_ANYWHERE_AND_ATOMICALLY,
  ABSENT_VALUE,
  ABSENT_AND_READ,
  NO_KERNEL,
  UNKNOWN_VALUE,
  OTHER_GRAPH,
  FOREIGN_VALUE,
  OWN_REASON,
  MANY_GROUPS,
  KEY_CLASH
} mistake;

static const rp_kernel k_two = {.struct_size = sizeof(rp_kernel), .name = "two", .args_bytes = 16, .n_binds = 2};

static rp_status no_fill(const void *user, void *dst, uint64_t len) {
  (void)user, (void)dst, (void)len;
  return RP_OK;
}

static rp_status mistaken_lower(rp_lower *l) {
  const mistake m = *(const mistake *)rp_lower_params(l);
  uint64_t args[2] = {0};
  rp_value in = rp_lower_in(l, 0), out = rp_lower_out(l, 0), scratch = rp_lower_scratch(l, "room", &toy_u64, 4);
  rp_bind binds[2] = {RP_BIND(in, RP_READ), RP_BIND(out, RP_WRITE)};
  rp_dispatch d = {.kernel = &k_two, .groups = {8}, .binds = binds, .n_binds = 2, .args = args, .args_bytes = 16};
  switch (m) {
  case NOTHING: break;
  case FEW_BINDS: d.n_binds = 1; break;
  case FEW_ARGS: d.args_bytes = 8; break;
  case PAST_THE_END: binds[0].first = 5, binds[0].count = 4; break;
  case WRITES_INPUT: binds[0].access = RP_READ_WRITE; break;
  case READS_SCRATCH: binds[0].value = scratch; break;
  case NO_OUTPUT: binds[1].value = scratch; break;
  case NO_ACCESS: binds[0].access = 0; break;
  case WRITES_ANYWHERE: binds[1].access |= RP_ANY_ADDRESS; break;
  case READS_ANYWHERE_AND_ATOMICALLY: binds[0].access |= RP_ATOMIC | RP_ANY_ADDRESS; break;
  case ABSENT_VALUE: binds[0].access = RP_ABSENT; break;
  case ABSENT_AND_READ: binds[0] = RP_BIND(RP_NO_VALUE, RP_READ | RP_ABSENT); break;
  case NO_KERNEL: d.kernel = NULL; break;
  case UNKNOWN_VALUE: binds[0].value = (rp_value){1000, in.graph}; break;
  case OTHER_GRAPH: binds[0].value.graph++; break;
  case FOREIGN_VALUE: binds[0].value = (rp_value){1, in.graph}; break;
  case OWN_REASON: return rp_lower_fail(l, RP_ERR_UNSUPPORTED, "no %s on Mondays", "lookups");
  case MANY_GROUPS: d.groups[0] = d.groups[1] = 1u << 20; break;
  case KEY_CLASH:
    rp_lower_constant(l, "key", &toy_u64, 4, no_fill, NULL, 0);
    rp_lower_constant(l, "key", &toy_u64, 5, no_fill, NULL, 0);
    break;
  }
  rp_lower_dispatch(l, &d);
  return RP_OK;
}

static rp_status same_shape(const rp_shape *s) {
  s->out_type[0] = s->in_type[0];
  s->out_len[0] = s->in_len[0];
  return RP_OK;
}

static const rp_strategy mistaken_strategies[] = {{.name = "plain", .devices = RP_ON_ANY, .lower = mistaken_lower}};
static const rp_op op_mistaken = {.struct_size = sizeof(rp_op),
                                  .name = "op",
                                  .params_bytes = sizeof(mistake),
                                  .shape = same_shape,
                                  .strategies = mistaken_strategies,
                                  .n_strategies = 1};

static const struct {
  mistake mistake;
  rp_status status;
  const char *reason;
} lowerings[] = {
    {NOTHING, RP_OK, ""},
    {FEW_BINDS, RP_ERR_ARGUMENT, "s/op, strategy plain: dispatch two has 1 binds, and kernel two wants 2"},
    {FEW_ARGS, RP_ERR_ARGUMENT, "s/op, strategy plain: dispatch two has 8 bytes of arguments, and kernel two wants 16"},
    {PAST_THE_END, RP_ERR_SHAPE, "s/op, strategy plain: dispatch two binds elements 5 + 4 of number, which has 8"},
    {WRITES_INPUT, RP_ERR_ARGUMENT,
     "s/op, strategy plain: dispatch two: number is written, and it is not the node's own"},
    {READS_SCRATCH, RP_ERR_ARGUMENT, "s/op, strategy plain: dispatch two: s/op.room is read before anything wrote it"},
    {NO_OUTPUT, RP_ERR_ARGUMENT, "s/op, strategy plain: no dispatch of its strategy writes output 0"},
    {NO_ACCESS, RP_ERR_ARGUMENT, "s/op, strategy plain: dispatch two binds number with access 0x0"},
    {WRITES_ANYWHERE, RP_ERR_ARGUMENT, "s/op, strategy plain: dispatch two binds s/op with access 0x22"},
    {READS_ANYWHERE_AND_ATOMICALLY, RP_ERR_ARGUMENT,
     "s/op, strategy plain: dispatch two binds number with access 0x25"},
    {ABSENT_VALUE, RP_ERR_ARGUMENT, "s/op, strategy plain: dispatch two binds number with access 0x10"},
    {ABSENT_AND_READ, RP_ERR_ARGUMENT, "s/op, strategy plain: dispatch two binds a value that does not exist"},
    {NO_KERNEL, RP_ERR_ARGUMENT, "s/op, strategy plain: a dispatch without a kernel"},
    {UNKNOWN_VALUE, RP_ERR_ARGUMENT, "s/op, strategy plain: dispatch two binds a value that does not exist"},
    {OTHER_GRAPH, RP_ERR_ARGUMENT, "s/op, strategy plain: dispatch two binds a value of another graph"},
    {FOREIGN_VALUE, RP_ERR_ARGUMENT, "s/op, strategy plain: dispatch two: other is not an input of the node"},
    {OWN_REASON, RP_ERR_UNSUPPORTED, "s/op, strategy plain: no lookups on Mondays"},
    {MANY_GROUPS, RP_ERR_UNSUPPORTED,
     "s/op, strategy plain: dispatch two has 1048576 x 1048576 x 1 groups, and the device allows 2147483648"},
    {KEY_CLASH, RP_ERR_TYPE, "s/op, strategy plain: constant 'key' was asked for before with another type or length"},
};

static void mistakes_of_an_op(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof lowerings / sizeof *lowerings; i++) {
    rp_error err = {0};
    rp_plan_info info = {.struct_size = sizeof info};
    watch_open(&rp_backend_null, 0);
    rp_graph *g = the_watch.graph;
    rp_graph_input(g, "other", &toy_u64, 8, 0);
    rp_value in = number(g);
    rp_scope_begin(g, "s");
    rp_graph_output(g, "out", rp_graph_node(g, &op_mistaken, &lowerings[i].mistake, &in, 1, NULL, 1), 0);
    assert_int_equal(rp_plan_query(the_watch.device, g, NULL, &info, &err), lowerings[i].status);
    assert_string_equal(err.reason, lowerings[i].reason);
    watch_close();
  }
}

/* Parameters that would not be copied: the kernel would read whatever is there. */
static void parameters_need_their_size(void **state) {
  static const rp_op sizeless = {.struct_size = sizeof(rp_op),
                                 .name = "sizeless",
                                 .shape = same_shape,
                                 .strategies = mistaken_strategies,
                                 .n_strategies = 1};
  (void)state;
  for (int given = 0; given < 2; given++) {
    const mistake nothing = NOTHING;
    rp_error err = {0};
    rp_plan_info info = {.struct_size = sizeof info};
    watch_open(&rp_backend_null, 0);
    rp_graph *g = the_watch.graph;
    rp_value in = number(g),
             out = rp_graph_node(g, given ? &sizeless : &op_mistaken, given ? &nothing : NULL, &in, 1, NULL, 1);
    assert_int_equal(out.id, RP_NO_VALUE.id);
    assert_int_equal(rp_plan_query(the_watch.device, g, NULL, &info, &err), RP_ERR_ARGUMENT);
    assert_string_equal(err.reason, given ? "sizeless: parameters are given, and the op's params_bytes is 0"
                                          : "op: its parameters are NULL");
    watch_close();
  }
}

static const rp_strategy elsewhere[] = {{.name = "far", .devices = RP_ON_GPU, .lower = mistaken_lower}};
static const rp_op op_elsewhere = {.struct_size = sizeof(rp_op),
                                   .name = "far",
                                   .params_bytes = sizeof(mistake),
                                   .shape = same_shape,
                                   .strategies = elsewhere,
                                   .n_strategies = 1};

static void no_strategy_and_no_kernel(void **state) {
  (void)state;
  const mistake nothing = NOTHING;
  rp_error err = {0};
  rp_recording *r;
  const rp_op *const ops[] = {&op_elsewhere, &op_mistaken};
  const char *const reasons[] = {"far: op far has no way to run this on a cpu device", "two"};
  for (int i = 0; i < 2; i++) {
    watch_open(&rp_backend_cpu, 0);
    rp_value in = number(the_watch.graph);
    rp_value out = rp_graph_node(the_watch.graph, ops[i], &nothing, &in, 1, NULL, 1);
    rp_graph_output(the_watch.graph, "out", out, 0);
    assert_int_equal(rp_record(the_watch.device, the_watch.graph, NULL, &r, &err), RP_ERR_UNSUPPORTED);
    assert_non_null(strstr(err.reason, reasons[i])); /* the backend names the kernel that has no CPU variant */
    assert_null(r);
    watch_close();
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(mistakes_have_their_words), cmocka_unit_test(questions_about_values),
      cmocka_unit_test(a_graph_needs_an_output),   cmocka_unit_test(null_pointers_are_statuses),
      cmocka_unit_test(mistakes_of_an_op),         cmocka_unit_test(parameters_need_their_size),
      cmocka_unit_test(no_strategy_and_no_kernel),
  };
  return cmocka_run_group_tests_name("builder", tests, NULL, NULL);
}
