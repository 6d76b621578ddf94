/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Schedules: the predicted cost of dispatches, epochs under a cap on memory, and the plans between fast and small from
 * which a budget picks one.
 */
#include "watch.h"

#include <reprise/plans.h>

#include "dag.h"
#include "passes/schedule.h"
#include "points.h"

#include <stdio.h>

enum { GRAPHS = 40, VALUES = 60, LEN = 64 };

static uint64_t seed;

static uint64_t next(uint64_t below) { /* splitmix64: Steele, Lea, Flood 2014 */
  uint64_t z = seed += 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return (z ^ z >> 31) % below;
}

/* ---- Graphs ------------------------------------------------------------------------------------------------------ */

/* A few inputs, values of different lengths that are computed from recent and earlier ones, and sums of some of
 * them. */
static void build_random(rp_graph *g, uint64_t n) {
  rp_value values[VALUES], total = RP_NO_VALUE;
  uint32_t n_values = 0;
  char name[16];
  seed = n * 7919 + 1;
  for (; n_values < 3; n_values++) {
    snprintf(name, sizeof name, "in%u", n_values);
    values[n_values] = rp_graph_input(g, name, &toy_u64, LEN << n_values, 0);
  }
  while (n_values < VALUES) {
    const uint32_t back = 1 + (uint32_t)next(n_values < 12 ? n_values : 12);
    const rp_value a = values[n_values - back], b = values[next(n_values)];
    const int fits = rp_value_len(g, a) == rp_value_len(g, b);
    values[n_values] = fits && next(2) ? toy_add(g, a, b) : toy_scale(g, a, next(100));
    const rp_value sum = toy_sum(g, values[n_values++]);
    if (next(4) == 0) total = total.id ? toy_add(g, total, sum) : sum;
  }
  rp_graph_output(g, "out", toy_add(g, total, toy_sum(g, values[n_values - 1])), 0);
}

/* `n` branches of one input, each of which scales it and sums up its `len` elements. */
static void build_branches(rp_graph *g, uint32_t n, uint64_t len) {
  const rp_value a = rp_graph_input(g, "a", &toy_u64, len, 0);
  rp_value sum = RP_NO_VALUE;
  for (uint32_t i = 0; i < n; i++) {
    const rp_value one = toy_sum(g, toy_scale(g, a, i + 2));
    sum = sum.id ? toy_add(g, sum, one) : one;
  }
  rp_graph_output(g, "sum", sum, 0);
}

/* ---- Costs ------------------------------------------------------------------------------------------------------- */

static void costs_grow_with_size(void **state) {
  (void)state;
  for (rp_device_kind kind = RP_DEVICE_CPU; kind < RP_DEVICE_KIND_COUNT; kind++) {
    const rp_device_info info = {.kind = kind, .limits.workers = 8};
    rp_cost before = {0};
    for (uint64_t groups = 1; groups < 1u << 20; groups *= 4) {
      const rp_cost c = rp_cost_estimate(&info, groups, 0);
      assert_true(c.share > 0 && c.share <= RP_COST_WHOLE && c.alone_ns > 0);
      assert_true(c.alone_ns * c.share > before.alone_ns * before.share && c.alone_ns >= before.alone_ns);
      before = c;
    }
    assert_int_equal(before.share, RP_COST_WHOLE);
    assert_true(rp_cost_estimate(&info, 1, 1ull << 40).alone_ns > before.alone_ns);
  }
}

static uint64_t predict(rp_device_kind kind, const rp_cost_program *p) {
  uint64_t ns = 0;
  assert_int_equal(rp_cost_predict(the_watch.context, kind, p, &ns), 1);
  return ns;
}

/* Dispatch a, then b and c, then d; and beside them e, which takes as long as the path through a, c and d. */
static void what_a_program_takes(void **state) {
  (void)state;
  static const uint32_t zero[] = {0}, both[] = {1, 2}, level[] = {0, 1, 1, 2, 0}, n_preds[] = {0, 1, 1, 2, 0};
  const uint32_t *const preds[] = {NULL, zero, zero, both, NULL};
  const uint32_t half = RP_COST_WHOLE / 2, little = RP_COST_WHOLE / 8;
  watch_open_context();
  rp_cost costs[] = {{100, little}, {200, little}, {300, little}, {50, little}, {450, little}};
  rp_cost_program p = {
      .costs = costs, .level = level, .preds = preds, .n_preds = n_preds, .n = 5, .n_levels = 3, .n_edges = 4};
  assert_int_equal(predict(RP_DEVICE_CUDA, &p), 450);         /* the longest path */
  assert_int_equal(predict(RP_DEVICE_VULKAN, &p), 450 + 350); /* the first level takes as long as e */
  for (int i = 0; i < 5; i++) costs[i].share = RP_COST_WHOLE;
  assert_int_equal(predict(RP_DEVICE_CUDA, &p), 1100); /* one after another */
  assert_int_equal(predict(RP_DEVICE_VULKAN, &p), 1100);
  for (int i = 0; i < 5; i++) costs[i].share = half;
  assert_int_equal(predict(RP_DEVICE_CUDA, &p), 550); /* b, c and e share the device; then two, then one */
  assert_int_equal(predict(RP_DEVICE_VULKAN, &p), 450 + 300 + 50);
  watch_close();
}

/* ---- Epochs under a cap ------------------------------------------------------------------------------------------ */

/* Returns the most bytes that are alive in an epoch, by plain counting. */
static uint64_t count_alive(const rp_plan *plan) {
  const rp_part *p = &plan->parts[RP_PART_RUN];
  uint64_t alive[1024] = {0}, most = 0;
  assert_true(p->n_epochs <= 1024);
  for (uint32_t v = 0; v < plan->n_values; v++) {
    uint32_t from = UINT32_MAX, to = 0;
    if (!plan->values[v].placed || plan->values[v].space != RP_SPACE_ARENA) continue;
    for (uint32_t d = 0; d < p->n_dispatches; d++)
      for (uint32_t t = 0; t < rp_n_touches(&p->dispatches[d]); t++) {
        if (rp_touch_at(&p->dispatches[d], t).value != v) continue;
        if (p->epoch[d] < from) from = p->epoch[d];
        if (p->epoch[d] > to) to = p->epoch[d];
      }
    for (uint32_t e = from; e <= to; e++)
      alive[e] += rp_align_up(plan->values[v].bytes, plan->device->info.limits.align_bytes);
  }
  for (uint32_t e = 0; e < p->n_epochs; e++)
    if (alive[e] > most) most = alive[e];
  return most;
}

static rp_plan *plan_with(rp_schedule schedule) {
  rp_record_options o = {.struct_size = sizeof o, .max_in_flight = 1};
  rp_error err = {0};
  rp_plan *plan;
  assert_int_equal(rp_plan_begin(the_watch.device, the_watch.graph, &o, 0, &plan, &err), RP_OK);
  plan->schedule = schedule;
  for (const rp_pass *pass = rp_passes; pass->name; pass++) assert_int_equal(pass->run(plan, &err), RP_OK);
  rp_plan_count(plan);
  return plan;
}

/* Every cap is kept, from the memory for one dispatch after another to that for all side by side, and the arenas take
 * hardly more than the bytes that are alive. */
static void caps_are_kept(void **state) {
  (void)state;
  uint64_t sum_alive = 0, sum_arena = 0;
  uint32_t between = 0, wasteful = 0, all = 0;
  for (uint64_t n = 0; n < GRAPHS; n++) {
    watch_open(&rp_backend_null, 0);
    build_random(the_watch.graph, n);
    rp_plan *usual = plan_with((rp_schedule){RP_SHARE_BY_ORDER, UINT64_MAX, 0});
    rp_plan *fast = plan_with((rp_schedule){RP_SHARE_BY_EPOCH, UINT64_MAX, 0});
    rp_plan *small = plan_with((rp_schedule){RP_SHARE_BY_EPOCH, 0, 0});
    const uint64_t most = count_alive(fast), least = count_alive(small);
    assert_int_equal(fast->info.levels, usual->info.levels); /* no dispatch waits for memory */
    assert_true(fast->info.arena_bytes <= usual->info.arena_bytes && least <= most);
    for (uint64_t k = 0; k <= 8; k++) {
      const uint64_t cap = least + (most - least) * k / 8;
      rp_plan *plan = plan_with((rp_schedule){RP_SHARE_BY_EPOCH, cap, 0});
      const uint64_t alive = count_alive(plan);
      assert_true(alive <= cap);
      assert_true(plan->info.levels >= fast->info.levels);
      sum_alive += alive, sum_arena += plan->info.arena_bytes;
      wasteful += (double)plan->info.arena_bytes > 1.05 * (double)alive, all++;
      between += plan->info.levels > fast->info.levels && plan->info.levels < small->info.levels;
      rp_plan_destroy(plan);
    }
    rp_plan_destroy(usual), rp_plan_destroy(fast), rp_plan_destroy(small);
    watch_close();
  }
  assert_true(between > GRAPHS);
  assert_true((double)sum_arena <= 1.03 * (double)sum_alive);
  assert_true(5 * wasteful <= 2 * all);
}

/* Of eight branches, as many run at once as the cap has memory for. */
static void as_many_branches_as_fit(void **state) {
  (void)state;
  watch_open(&rp_backend_null, 0);
  build_branches(the_watch.graph, 8, 4096);
  for (uint64_t at_once = 1; at_once <= 8; at_once++) {
    rp_plan *plan = plan_with((rp_schedule){RP_SHARE_BY_EPOCH, at_once * (4096 * 8 + 4096) + 8 * 256, 0});
    const rp_part *p = &plan->parts[RP_PART_RUN];
    uint32_t begun[64] = {0}, most = 0;
    for (uint32_t d = 0; d < p->n_dispatches; d++)
      if (p->dispatches[d].pattern->step.groups[0] == 4096) begun[p->epoch[d]]++; /* toy_scale */
    for (uint32_t e = 0; e < 64; e++)
      if (begun[e] > most) most = begun[e];
    assert_int_equal(most, at_once);
    rp_plan_destroy(plan);
  }
  watch_close();
}

/* The least plan takes the better of two orders: here all long values are made before the first of them is read, so
 * that one after another in the order of their making, all of them would be alive at once. */
static void the_better_order_is_taken(void **state) {
  enum { N = 8, LONG = 4096 };
  rp_value scaled[N], sum = RP_NO_VALUE;
  (void)state;
  watch_open(&rp_backend_null, 0);
  const rp_value a = rp_graph_input(the_watch.graph, "a", &toy_u64, LONG, 0);
  for (uint64_t i = 0; i < N; i++) scaled[i] = toy_scale(the_watch.graph, a, i + 2);
  for (uint64_t i = 0; i < N; i++) {
    const rp_value one = toy_sum(the_watch.graph, scaled[i]);
    sum = sum.id ? toy_add(the_watch.graph, sum, one) : one;
  }
  rp_graph_output(the_watch.graph, "sum", sum, 0);
  rp_plan *plan = plan_with((rp_schedule){RP_SHARE_BY_EPOCH, 0, 0});
  assert_true(count_alive(plan) < 2 * LONG * sizeof(uint64_t));
  rp_plan_destroy(plan);
  watch_close();
}

/* ---- Points ------------------------------------------------------------------------------------------------------ */

static void find(rp_points *points) {
  rp_record_options o = {.struct_size = sizeof o, .max_in_flight = 1, .max_memory_level = RP_MEMORY_LEVELS - 1};
  rp_error err = {0};
  if (rp_points_find(the_watch.device, the_watch.graph, &o, points, &err)) fail_msg("%s", err.reason);
}

static rp_status ask(uint64_t budget, rp_plan_info *info) {
  rp_record_options o = {.struct_size = sizeof o, .memory_budget_bytes = budget};
  *info = (rp_plan_info){.struct_size = sizeof *info};
  return rp_plan_query(the_watch.device, the_watch.graph, &o, info, NULL);
}

/* The first point is the usual plan; each further one takes less memory and no less time. A budget gets the first point
 * that fits: the total of a plan gives that plan, and one byte less gives the next. */
static void check_points(void) {
  enum { ROOM = 64 };
  rp_points points, again;
  rp_plan_info info;
  rp_plan_point listed[ROOM] = {{.struct_size = sizeof *listed}};
  uint32_t n = 0;
  find(&points), find(&again);
  const rp_record_options tiny = {.struct_size = sizeof tiny, .memory_budget_bytes = 1}; /* changes nothing */
  assert_int_equal(rp_plan_points(the_watch.device, the_watch.graph, &tiny, NULL, 0, &n, NULL), RP_OK);
  assert_int_equal(n, points.n);
  assert_int_equal(rp_plan_points(the_watch.device, the_watch.graph, NULL, listed, n - 1, &n, NULL), RP_OK);
  assert_int_equal(listed[n - 1].total_bytes, 0); /* beyond the capacity */
  assert_int_equal(rp_plan_points(the_watch.device, the_watch.graph, NULL, listed, ROOM, &n, NULL), RP_OK);
  assert_true(n == points.n && n <= ROOM);
  assert_int_equal(points.n, again.n);
  assert_int_equal(ask(0, &info), RP_OK);
  assert_int_equal(info.total_bytes, points.items[0].info.total_bytes);
  for (uint32_t i = 0; i < points.n; i++) {
    const rp_point *p = &points.items[i], *q = i ? p - 1 : NULL;
    assert_memory_equal(p, &again.items[i], sizeof *p);
    assert_int_equal(listed[i].struct_size, sizeof *listed);
    assert_int_equal(listed[i].total_bytes, p->info.total_bytes);
    assert_int_equal(listed[i].predicted_ns, p->predicted_ns);
    assert_int_equal(listed[i].memory_level, p->memory_level);
    assert_true(!q || (p->info.total_bytes < q->info.total_bytes && p->predicted_ns >= q->predicted_ns));
    assert_int_equal(ask(p->info.total_bytes, &info), RP_OK);
    assert_int_equal(info.total_bytes, p->info.total_bytes);
    assert_int_equal(info.levels, p->info.levels);
    const int is_last = i + 1 == points.n;
    assert_int_equal(ask(p->info.total_bytes - 1, &info), is_last ? RP_ERR_BUDGET : RP_OK);
    assert_int_equal(info.total_bytes, points.items[is_last ? i : i + 1].info.total_bytes);
  }
  rp_points_free(&points, the_watch.context), rp_points_free(&again, the_watch.context);
}

static void points_are_picked_by_budgets(void **state) {
  (void)state;
  for (uint64_t n = 0; n < GRAPHS / 5; n++) {
    watch_open(n % 2 ? &rp_backend_cpu : &rp_backend_null, 0);
    build_random(the_watch.graph, n);
    check_points();
    watch_close();
  }
}

/* If each branch fills the device, one after another takes no longer than all side by side, and there is no point
 * between. If only all together fill it, there are several. */
static void branches_have_points(void **state) {
  (void)state;
  rp_points points;
  watch_open(&rp_backend_null, 0);
  build_branches(the_watch.graph, 8, 4096);
  find(&points);
  assert_int_equal(points.n, 2);
  assert_int_equal(points.items[1].predicted_ns, points.items[0].predicted_ns);
  assert_true(points.items[1].info.arena_bytes < points.items[0].info.arena_bytes / 4);
  rp_points_free(&points, the_watch.context);
  check_points();
  watch_close();
  watch_open(&rp_backend_null, 0);
  build_branches(the_watch.graph, 8, 2);
  find(&points);
  assert_true(points.n >= 5);
  rp_points_free(&points, the_watch.context);
  check_points();
  watch_close();
}

/* For large graphs, in which no two values are compared, there are only the usual plans. */
static void large_graphs_are_not_searched(void **state) {
  (void)state;
  rp_points points;
  watch_open(&rp_backend_null, 0);
  build_branches(the_watch.graph, RP_EXACT_STEPS / 3, 64);
  find(&points);
  for (uint32_t i = 0; i < points.n; i++) assert_int_not_equal(points.items[i].schedule.sharing, RP_SHARE_BY_EPOCH);
  assert_true(points.n <= RP_MEMORY_LEVELS);
  rp_points_free(&points, the_watch.context);
  watch_close();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(costs_grow_with_size),    cmocka_unit_test(what_a_program_takes),
      cmocka_unit_test(caps_are_kept),           cmocka_unit_test(the_better_order_is_taken),
      cmocka_unit_test(as_many_branches_as_fit), cmocka_unit_test(points_are_picked_by_budgets),
      cmocka_unit_test(branches_have_points),    cmocka_unit_test(large_graphs_are_not_searched)};
  return cmocka_run_group_tests_name("schedule", tests, NULL, NULL);
}
