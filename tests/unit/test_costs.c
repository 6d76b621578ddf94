/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Costs that are measured (rp_costs_keep, rp_costs_use): times by kernel and size come back as they were, between sizes
 * on a line, and choose among plans.
 */
#include "costs_fixture.h"

#include "points.h"

#include <reprise/plans.h>
#include <reprise/view.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_STEPS = 512, GAP = COSTS_GAP };

/* ---- Tables ------------------------------------------------------------------------------------------------------ */

static uint64_t cost(const rp_cost_table *t, const char *kernel, uint64_t groups, uint64_t size_bytes) {
  const rp_device_info info = {.kind = RP_DEVICE_NULL, .limits.workers = 8};
  return rp_cost_of(&info, t, &(rp_cost_size){.kernel = kernel, .label = "y", .groups = groups, .bytes = size_bytes})
      .alone_ns;
}

static void between_sizes_times_are_interpolated(void **state) {
  (void)state;
  const rp_cost_entry entries[] = {{"b", "", 10, 100, 1000}, {"b", "", 10, 300, 3000},
                                   {"b", "", 30, 300, 5000}, {"b", "x", 10, 200, 9000},
                                   {"bb", "", 7, 0, 50},     {"c", "", 4, 1, RP_COST_NS_MAX}};
  const rp_cost_table t = {.launch_ns = 7, .factor = 3 * RP_COST_FACTOR_ONE, .entries = entries, .n = 6};
  assert_int_equal(cost(&t, "b", 10, 100), 7 + 1000);
  assert_int_equal(cost(&t, "b", 10, 300), 7 + 3000);
  assert_int_equal(cost(&t, "b", 30, 300), 7 + 5000);
  assert_int_equal(cost(&t, "b", 10, 200), 7 + 2000); /* by bytes */
  assert_int_equal(cost(&t, "b", 10, 50), 7 + 500);   /* below and above all, in proportion */
  assert_int_equal(cost(&t, "b", 10, 600), 7 + 6000);
  assert_int_equal(cost(&t, "b", 20, 200), 7 + 3000); /* by groups, of which each moves as much */
  assert_int_equal(cost(&t, "b", 15, 300), 7 + 4000); /* between 2,000 at 10 groups and 10,000 at 30 */
  assert_int_equal(cost(&t, "b", 5, 50), 7 + 500);
  assert_int_equal(cost(&t, "b", 300, 3000), 7 + 50000);
  assert_int_equal(cost(&t, "bb", 7, 0), 7 + 50);
  assert_int_equal(cost(&t, "bb", 7, 1 << 20), 7 + 50);
  assert_int_equal(cost(&t, "c", UINT64_MAX, UINT64_MAX), RP_COST_NS_MAX);
  /* Kernels that were not measured: the time by the model, as much longer as measured kernels are. */
  const rp_device_info info = {.kind = RP_DEVICE_NULL, .limits.workers = 8};
  const uint64_t start = rp_cost_estimate(&info, 0, 0).alone_ns, model = rp_cost_estimate(&info, 64, 999).alone_ns;
  static const char *const unknown[] = {"a", "ba", "d"};
  for (int i = 0; i < 3; i++) assert_int_equal(cost(&t, unknown[i], 64, 999), 7 + 3 * (model - start));
  assert_int_equal(cost(NULL, "b", 64, 999), model);
}

/* On a CPU a dispatch of few grains does not occupy all workers. */
static void grains_occupy_workers(void **state) {
  (void)state;
  const rp_device_info cpu = {.kind = RP_DEVICE_CPU, .limits.workers = 4};
  rp_cost_size size = {.kernel = "k", .groups = 16};
  assert_int_equal(rp_cost_share(&cpu, &size), RP_COST_WHOLE);
  size.grain = 8;
  assert_int_equal(rp_cost_share(&cpu, &size), RP_COST_WHOLE / 2);
  size.groups = 17;
  assert_int_equal(rp_cost_share(&cpu, &size), RP_COST_WHOLE / 4 * 3);
}

/* ---- Measuring --------------------------------------------------------------------------------------------------- */

static uint32_t steps_of(const rp_graph *g, rp_step_info *steps) {
  rp_recording *r = costs_record(g, 0, 0);
  uint32_t n = 0;
  steps[0].struct_size = sizeof *steps;
  assert_int_equal(rp_view_steps(r, steps, MOST_STEPS, &n, NULL), RP_OK);
  rp_recording_destroy(r);
  return n;
}

static void what_was_measured_is_predicted(void **state) {
  (void)state;
  static const uint64_t lens[] = {1024, 65536};
  costs_open();
  costs_bytes b;
  costs_keep_chains(lens, 2, &b);
  for (uint64_t len = 512; len <= 65536; len *= 2) {
    static rp_step_info steps[MOST_STEPS];
    rp_graph *g = costs_chain(len);
    costs_use(g, &b);
    assert_int_equal(steps_of(g, steps), 2);
    const uint64_t want[2] = {GAP + costs_truth("toy_scale", len), GAP + costs_truth("toy_add", len)};
    for (int i = 0; i < 2; i++)
      if (len >= 1024) /* below, the fixed part is taken for a part that grows */
        assert_in_range(steps[i].predicted_ns, want[i] - 2, want[i] + 2);
      else
        assert_in_range(steps[i].predicted_ns, want[i] / 2, want[i]);
    rp_graph_destroy(g);
  }
  assert_string_equal(the_costs.last_line, "");
  costs_close();
}

static double errors[MOST_STEPS];

static int by_value(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y;
}

/* The median of |log(predicted / true time)| over the steps. */
static double median_error(const rp_graph *g, uint64_t len) {
  static rp_step_info steps[MOST_STEPS];
  rp_recording *r = costs_record(g, RP_RECORD_PROFILE, 0);
  uint32_t n = 0;
  costs_run(r, len);
  steps[0].struct_size = sizeof *steps;
  assert_int_equal(rp_view_steps(r, steps, MOST_STEPS, &n, NULL), RP_OK);
  for (uint32_t i = 0; i < n; i++) {
    assert_true(steps[i].median_ns > 0);
    errors[i] = fabs(log((double)steps[i].predicted_ns / (double)(steps[i].median_ns + GAP)));
  }
  rp_recording_destroy(r);
  qsort(errors, n, sizeof *errors, by_value);
  return errors[n / 2];
}

static void predictions_come_closer(void **state) {
  (void)state;
  static const uint64_t lens[] = {1024, 16384};
  costs_open();
  costs_bytes b;
  costs_keep_chains(lens, 2, &b);
  rp_graph *g = costs_web(4096, 1);
  const double before = median_error(g, 4096);
  costs_use(g, &b);
  const double after = median_error(g, 4096);
  if (!(before > 0.5 && after < 0.01)) fail_msg("%.3f before, %.3f after", before, after);
  rp_graph_destroy(g);
  costs_close();
}

/* Two dispatches that run at once, each of which could fill the device, take half of the time alone. */
static void company_is_taken_out(void **state) {
  (void)state;
  costs_open();
  the_costs.side_by_side = 1;
  costs_bytes b = {.n = 0};
  rp_graph *g = costs_graph(4096);
  rp_graph_output(g, "a", toy_scale(g, the_costs.in, 3), 0);
  rp_graph_output(g, "b", toy_scale(g, the_costs.in, 5), 0);
  rp_recording *r = costs_record(g, RP_RECORD_PROFILE, 0);
  costs_run(r, 4096);
  assert_int_equal(rp_costs_keep(&r, 1, costs_append, &b, NULL), RP_OK);
  rp_recording_destroy(r);
  costs_use(g, &b);
  static rp_step_info steps[MOST_STEPS];
  assert_int_equal(steps_of(g, steps), 2);
  /* Nothing shows what it takes to start a dispatch, which is therefore the model's. */
  const uint64_t start = rp_cost_estimate(&the_costs.device->info, 0, 0).alone_ns;
  assert_int_equal(steps[0].predicted_ns, start + costs_truth("toy_scale", 4096) / 2);
  rp_graph_destroy(g);
  costs_close();
}

/* What a kernel does may depend on its data: a dispatch that was measured under the same name is predicted by that. */
static void names_are_told_apart(void **state) {
  (void)state;
  const uint64_t one = costs_truth("toy_scale", 4096);
  costs_open();
  the_costs.slow = "toy_scale/toy_scale";
  costs_bytes b = {.n = 0};
  rp_graph *graphs[2];
  for (int i = 0; i < 2; i++) {
    rp_graph *g = graphs[i] = costs_graph(4096);
    if (i) rp_scope_begin(g, "elsewhere");
    rp_graph_output(g, "out", toy_scale(g, toy_scale(g, the_costs.in, 3), 5), 0);
    if (i) rp_scope_end(g);
  }
  rp_recording *r = costs_record(graphs[0], RP_RECORD_PROFILE, 0);
  rp_port_info port = {.struct_size = sizeof port};
  assert_int_equal(rp_graph_get_input(graphs[0], 0, &port, NULL), RP_OK);
  the_costs.in = port.value;
  costs_run(r, 4096);
  assert_int_equal(rp_costs_keep(&r, 1, costs_append, &b, NULL), RP_OK);
  rp_recording_destroy(r);
  for (int i = 0; i < 2; i++) {
    static rp_step_info steps[MOST_STEPS];
    costs_use(graphs[i], &b);
    assert_int_equal(steps_of(graphs[i], steps), 2);
    assert_int_equal(steps[0].predicted_ns, GAP + (i ? 11 * one / 2 : 10 * one));
    assert_int_equal(steps[1].predicted_ns, GAP + (i ? 11 * one / 2 : one));
    rp_graph_destroy(graphs[i]);
  }
  costs_close();
}

/* ---- Choosing ---------------------------------------------------------------------------------------------------- */

/* What a run of the plan takes by the true costs. */
static uint64_t true_time(const rp_plan *plan) {
  const rp_part *p = &plan->parts[RP_PART_RUN];
  rp_cost *costs = calloc(p->n_dispatches, sizeof *costs);
  uint64_t ns = 0;
  for (uint32_t d = 0; d < p->n_dispatches; d++) {
    const rp_cost_size size = rp_plan_size(plan, &p->dispatches[d], NULL);
    costs[d] = (rp_cost){GAP + costs_truth(size.kernel, size.groups), rp_cost_share(&the_costs.device->info, &size)};
  }
  const rp_cost_program program = {.costs = costs,
                                   .level = p->level,
                                   .preds = (const uint32_t *const *)p->preds,
                                   .n_preds = p->n_preds,
                                   .n = p->n_dispatches,
                                   .n_levels = p->n_levels,
                                   .n_edges = p->n_edges};
  assert_true(rp_cost_predict(the_costs.context, the_costs.device->info.kind, &program, &ns));
  free(costs);
  return ns;
}

static uint64_t time_within(const rp_graph *g, uint64_t budget) {
  const rp_record_options o = {.struct_size = sizeof o,
                               .max_in_flight = 1,
                               .memory_budget_bytes = budget,
                               .max_memory_level = RP_MEMORY_LEVELS - 1};
  rp_plan *plan;
  assert_int_equal(rp_plan_create(the_costs.device, g, &o, UINT64_MAX, &plan, NULL, NULL), RP_OK);
  const uint64_t ns = true_time(plan);
  rp_plan_destroy(plan);
  return ns;
}

/* Measured costs choose among the plans that there are without them, and some more. On 256 workers, for arrays that do
 * not fill them, so that the branches of the graph gain by running side by side. */
static void measured_costs_choose_no_worse(void **state) {
  (void)state;
  static const uint64_t lens[] = {8, 64};
  uint32_t better = 0;
  for (uint32_t seed = 1; seed <= 16; seed++) {
    costs_open();
    the_costs.device->info.limits.workers = 256;
    costs_bytes b;
    costs_keep_chains(lens, 2, &b);
    rp_graph *model = costs_web(64, seed), *measured = costs_web(64, seed);
    costs_use(measured, &b);
    rp_plan_point points[64] = {{.struct_size = sizeof *points}};
    uint32_t n = 0;
    assert_int_equal(rp_plan_points(the_costs.device, model, NULL, points, 64, &n, NULL), RP_OK);
    for (uint32_t i = 0; i < n; i++) {
      const uint64_t before = time_within(model, points[i].total_bytes),
                     after = time_within(measured, points[i].total_bytes);
      if (after > before)
        fail_msg("seed %u, plan %u: %llu before, %llu after", seed, i, (unsigned long long)before,
                 (unsigned long long)after);
      better += after < before;
    }
    rp_graph_destroy(model);
    rp_graph_destroy(measured);
    costs_close();
  }
  assert_true(better > 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(between_sizes_times_are_interpolated),
                                     cmocka_unit_test(grains_occupy_workers),
                                     cmocka_unit_test(what_was_measured_is_predicted),
                                     cmocka_unit_test(predictions_come_closer),
                                     cmocka_unit_test(company_is_taken_out),
                                     cmocka_unit_test(names_are_told_apart),
                                     cmocka_unit_test(measured_costs_choose_no_worse)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
