/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Nodes that compute the same values, as a caller sees them. Ops that do not promise to be pure run once for each node;
 * a fault names one of the caller's nodes; a constant that is merged with another can still be read.
 */
#include "watch.h"

#include "recording.h"

enum { LEN = 16 };

/* ---- An op that gives another number each time it runs ----------------------------------------------------------- */

typedef struct draw_args {
  RP_ADDR(uint64_t) out;
} draw_args;

static void draw_kernel(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *worker) {
  static _Atomic uint64_t drawn;
  (void)begin, (void)end, (void)worker;
  *((const draw_args *)args)->out = ++drawn;
}

static const rp_kernel k_draw = {.struct_size = sizeof(rp_kernel),
                                 .name = "draw",
                                 .args_bytes = sizeof(draw_args),
                                 .n_binds = 1,
                                 .n_cpu = 1,
                                 .cpu = &(const rp_cpu_variant){RP_ISA_C, draw_kernel}};

static rp_status draw_shape(const rp_shape *s) {
  s->out_type[0] = &toy_u64;
  s->out_len[0] = 1;
  return RP_OK;
}

static rp_status draw_lower(rp_lower *l) {
  const rp_bind out = RP_BIND(rp_lower_out(l, 0), RP_WRITE);
  const draw_args args = {0};
  rp_lower_dispatch(
      l, &(rp_dispatch){.kernel = &k_draw, .binds = &out, .n_binds = 1, .args = &args, .args_bytes = sizeof args});
  return RP_OK;
}

static const rp_strategy strategies[] = {{.name = "draw", .devices = RP_ON_ANY, .lower = draw_lower}};
static const rp_op ops[2] = {
    {.struct_size = sizeof(rp_op), .name = "draw", .shape = draw_shape, .strategies = strategies, .n_strategies = 1},
    /* Compiled against an older version: the fields from `flags` on are not read. */
    {.struct_size = offsetof(rp_op, flags),
     .name = "draw",
     .shape = draw_shape,
     .strategies = strategies,
     .n_strategies = 1,
     .flags = RP_OP_PURE}};

static void what_is_not_pure_runs_each_time(void **state) {
  (void)state;
  for (int i = 0; i < 2; i++) {
    watch_open(&rp_backend_cpu, 0);
    rp_graph *g = the_watch.graph;
    rp_value in = rp_graph_input(g, "in", &toy_u64, 1, 0), drawn[2];
    for (int k = 0; k < 2; k++) drawn[k] = toy_add(g, rp_graph_node(g, &ops[i], NULL, &in, 1, NULL, 1), in);
    rp_graph_output(g, "first", drawn[0], 0);
    rp_graph_output(g, "second", drawn[1], 0);
    rp_recording *r = watch_record(1, 0);
    const uint64_t nothing = 0;
    rp_run *run = watch_run(r, in, &nothing, sizeof nothing, RP_OK);
    assert_int_not_equal(*(const uint64_t *)rp_run_output(run, drawn[0]),
                         *(const uint64_t *)rp_run_output(run, drawn[1]));
    rp_run_end(run);
    rp_recording_destroy(r);
    watch_close();
  }
}

/* ---- Names ------------------------------------------------------------------------------------------------------- */

static void a_fault_names_the_node_that_is_kept(void **state) {
  (void)state;
  watch_open(&rp_backend_cpu, 0);
  rp_graph *g = the_watch.graph;
  uint64_t numbers[LEN] = {0};
  rp_value in = rp_graph_input(g, "in", &toy_u64, LEN, 0), checked[3];
  const char *const scopes[] = {"first", "second", "third"};
  for (int i = 0; i < 3; i++) {
    rp_scope_begin(g, scopes[i]);
    checked[i] = toy_check(g, in, 10);
    rp_scope_end(g);
  }
  rp_graph_output(g, "sum", toy_add(g, checked[0], checked[1]), 0);
  rp_graph_output(g, "checked", checked[2], 0);
  rp_recording *r = watch_record(1, RP_RECORD_CHECK_HAZARDS);
  assert_int_equal(r->plan->info.nodes, 2);
  numbers[7] = 10;
  rp_run *run = watch_run(r, in, numbers, sizeof numbers, RP_ERR_INPUT);
  if (!strstr(rp_run_error(run)->reason, "fault 67 of a user's op: in element 7 (node third/toy_check)"))
    fail_msg("%s", rp_run_error(run)->reason);
  rp_run_end(run);
  numbers[7] = 9;
  run = watch_run(r, in, numbers, sizeof numbers, RP_OK);
  assert_int_equal(((const uint64_t *)rp_run_output(run, checked[2]))[7], 9);
  rp_run_end(run);
  rp_recording_destroy(r);
  watch_close();
}

/* The node that is kept was given the second constant; the first constant stands for both. One element is at fault: of
 * several, the one that a worker met first would be named. */
static void a_fault_names_the_input_that_the_node_was_given(void **state) {
  (void)state;
  watch_open(&rp_backend_cpu, 0);
  rp_graph *g = the_watch.graph;
  const uint64_t numbers[LEN] = {[9] = 10};
  rp_value first = rp_graph_constant(g, "first", &toy_u64, LEN, numbers, 0);
  rp_value second = rp_graph_constant(g, "second", &toy_u64, LEN, numbers, 0);
  rp_value in = rp_graph_input(g, "in", &toy_u64, LEN, 0), checked = toy_check(g, second, 10);
  rp_graph_output(g, "out", toy_add(g, toy_add(g, in, first), checked), 0);
  rp_recording *r = NULL;
  rp_error err = {0};
  assert_int_equal(rp_record(the_watch.device, g, NULL, &r, &err), RP_ERR_INPUT);
  if (!strstr(err.reason, "second element 9 (node toy_check)")) fail_msg("%s", err.reason);
  watch_close();
}

static void every_constant_can_be_read(void **state) {
  (void)state;
  watch_open(&rp_backend_cpu, 0);
  rp_graph *g = the_watch.graph;
  const uint64_t numbers[LEN] = {1, 2, 3, 4, 5, 6, 7, 8};
  rp_value in = rp_graph_input(g, "in", &toy_u64, LEN, 0), sum = in, tripled[2], given[2];
  for (int i = 0; i < 2; i++) {
    given[i] = rp_graph_constant(g, "numbers", &toy_u64, LEN, numbers, 0);
    tripled[i] = toy_scale(g, given[i], 3);
    sum = toy_add(g, sum, tripled[i]);
  }
  rp_graph_output(g, "sum", sum, 0);
  rp_recording *r = watch_record(1, 0);
  for (int i = 0; i < 2; i++) {
    uint64_t got[LEN];
    assert_int_equal(rp_recording_read_constant(r, given[i], got, sizeof got, NULL), RP_OK);
    assert_memory_equal(got, numbers, sizeof got);
    assert_int_equal(rp_recording_read_constant(r, tripled[i], got, sizeof got, NULL), RP_OK);
    for (int k = 0; k < LEN; k++) assert_int_equal(got[k], 3 * numbers[k]);
  }
  rp_recording_destroy(r);
  watch_close();
}

/* Products that are needed again much later are computed again on a CPU, whose dispatches reuse the same memory one
 * after another. Where dispatches run side by side, the products are kept. */
static void what_would_be_kept_for_long_is_computed_again(void **state) {
  enum { LONG = 1 << 14 };
  (void)state;
  for (int late = 0; late < 2; late++) {
    for (int side_by_side = 0; side_by_side < 2; side_by_side++) {
      watch_open(&rp_backend_cpu, 0);
      rp_graph *g = the_watch.graph;
      rp_value in = rp_graph_input(g, "in", &toy_u64, LONG, 0), sum = in;
      for (uint64_t i = 0; i < 40; i++) sum = toy_add(g, sum, toy_scale(g, in, late ? i % 20 : i / 2));
      rp_graph_output(g, "sum", sum, 0);
      the_watch.device->takes_turns = !side_by_side;
      rp_recording *r = watch_record(1, 0);
      assert_int_equal(r->plan->info.nodes, 40 + (late && !side_by_side ? 40 : 20));
      static const uint64_t numbers[LONG] = {0, 1, 2};
      rp_run *run = watch_run(r, in, numbers, sizeof numbers, RP_OK);
      assert_int_equal(((const uint64_t *)rp_run_output(run, sum))[2], 2 + 2 * (19 * 20));
      rp_run_end(run);
      rp_recording_destroy(r);
      watch_close();
    }
  }
}

static void what_is_computed_again_is_not_merged(void **state) {
  (void)state;
  watch_open(&rp_backend_cpu, 0);
  rp_graph *g = the_watch.graph;
  rp_value in = rp_graph_input(g, "in", &toy_u64, LEN, 0), sum = toy_scale(g, in, 3);
  for (int i = 0; i < 2; i++) { /* in each round, the two equal nodes are merged, but with no node outside the round */
    rp_recompute_begin(g);
    rp_recompute_begin(g);
    sum = toy_add(g, sum, toy_scale(g, in, 3));
    rp_recompute_end(g);
    sum = toy_add(g, sum, toy_scale(g, in, 3));
    rp_recompute_end(g);
  }
  sum = toy_add(g, sum, toy_scale(g, in, 3)); /* merged with the first node */
  rp_graph_output(g, "sum", sum, 0);
  rp_recording *r = watch_record(1, 0);
  assert_int_equal(r->plan->info.nodes, 3 + 5);
  const uint64_t numbers[LEN] = {0, 1, 2};
  rp_run *run = watch_run(r, in, numbers, sizeof numbers, RP_OK);
  assert_int_equal(((const uint64_t *)rp_run_output(run, sum))[2], 6 * 3 * 2);
  rp_run_end(run);
  rp_recording_destroy(r);
  rp_recompute_end(g);
  assert_int_equal(rp_graph_error(g)->status, RP_ERR_STATE);
  rp_recompute_begin(NULL);
  rp_recompute_end(NULL);
  watch_close();
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_not_pure_runs_each_time),
                                     cmocka_unit_test(a_fault_names_the_node_that_is_kept),
                                     cmocka_unit_test(a_fault_names_the_input_that_the_node_was_given),
                                     cmocka_unit_test(every_constant_can_be_read),
                                     cmocka_unit_test(what_would_be_kept_for_long_is_computed_again),
                                     cmocka_unit_test(what_is_computed_again_is_not_merged)};
  return cmocka_run_group_tests_name("common", tests, NULL, NULL);
}
