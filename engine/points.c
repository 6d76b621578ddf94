/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Points: the plans of a graph between fast and small, and the choice among them.
 *
 * Every memory level has its usual plan, those by the other rules of sharing, and schedules under caps on memory, from
 * what the dispatches keep alive one after another to what they keep alive side by side. None of them depends on the
 * budget. The usual plan of the first level is taken whenever it fits, and the others are not made then. Otherwise the
 * one is taken that is predicted to be the fastest of those that fit; with its own total as the budget, the same one is
 * taken again. A level that the device cannot run has no plans; only if that is the first one, the graph is refused.
 *
 * Operations use memory to be faster, in ways that the model of costs does not know: no plan is predicted to be faster
 * than the usual plans of the levels before it, nor by the model than that of its own level.
 */
#include "kept_plans.h"

#include "passes/arena_place.h"
#include "passes/schedule.h"

/* ---- One point --------------------------------------------------------------------------------------------------- */

static const rp_pass *schedule_pass(void) {
  const rp_pass *pass = rp_passes;
  while (pass->run != rp_pass_schedule) pass++;
  return pass;
}

static rp_status run_passes(rp_plan *plan, const rp_pass *from, const rp_pass *to, bool logs, rp_error *err) {
  for (const rp_pass *pass = from; pass != to && pass->name; pass++) {
    const rp_status status = pass->run(plan, err);
    if (status) return status;
    if (logs) rp_pass_log(pass, plan);
  }
  return RP_OK;
}

static rp_status predict(const rp_plan *plan, uint64_t *ns, rp_error *err) {
  const rp_part *p = &plan->parts[RP_PART_RUN];
  rp_arena arena;
  rp_arena_init(&arena, plan->context);
  const rp_cost_program program = {.costs = rp_plan_costs_of_run(plan, &arena),
                                   .level = p->level,
                                   .preds = (const uint32_t *const *)p->preds,
                                   .n_preds = p->n_preds,
                                   .n = p->n_dispatches,
                                   .n_levels = p->n_levels,
                                   .n_edges = p->n_edges};
  const bool good = program.costs && rp_cost_predict(plan->context, plan->device->info.kind, &program, ns);
  rp_arena_free(&arena);
  return good ? RP_OK : rp_plan_fail_memory(err);
}

/* Undoes what the passes from the schedule on have done. */
static void rewind_plan(rp_plan *plan, rp_arena_mark mark) {
  rp_arena_rewind(&plan->arena, mark);
  rp_arena_free(&plan->passes);
  plan->n_blocks = 0;
  plan->input_bytes = plan->output_bytes = 0;
  for (int part = 0; part < 2; part++) plan->parts[part].n_blocks = 0;
}

/* Adds the plan with this schedule to the points. The passes before the schedule have run. */
static rp_status add_point(rp_plan *plan, rp_schedule schedule, rp_points *points, rp_error *err) {
  if (!rp_grow(plan->context, (void **)&points->items, &points->capacity, points->n, sizeof *points->items))
    return rp_plan_fail_memory(err);
  rp_point point = {.memory_level = plan->memory_level};
  plan->schedule = schedule;
  rp_status status = run_passes(plan, schedule_pass(), NULL, points->n == 0, err);
  if (!status) status = predict(plan, &point.predicted_ns, err);
  if (status) return status;
  if (point.predicted_ns < points->least_ns) point.predicted_ns = points->least_ns;
  rp_plan_count(plan);
  point.schedule = plan->schedule;
  point.info = plan->info;
  points->items[points->n++] = point;
  return RP_OK;
}

/* ---- Those of one memory level ----------------------------------------------------------------------------------- */

/* Each point costs a placement of both parts, which compares every two values. */
static uint32_t caps_for(const rp_plan *plan) {
  const uint64_t n = (uint64_t)plan->parts[RP_PART_ONCE].n_dispatches + plan->parts[RP_PART_RUN].n_dispatches;
  return n <= 256 ? 24 : n <= 1024 ? 12 : n <= 2048 ? 3 : 1;
}

/* Caps from what is alive if the dispatches run one after another to `most`, by growing steps, since little memory is
 * where they matter. */
static rp_status add_caps_to(rp_plan *plan, uint64_t most, rp_arena_mark mark, rp_points *points, rp_error *err) {
  const uint64_t n = caps_for(plan), serial = plan->parts[RP_PART_RUN].serial_bytes;
  rp_status status = RP_OK;
  for (uint64_t i = 0; i < n && !status && serial <= most; i++) {
    const uint64_t cap = serial + (most - serial) / (n * n) * (i * i);
    rewind_plan(plan, mark);
    status = add_point(plan, (rp_schedule){RP_SHARE_BY_EPOCH, cap, 0}, points, err);
    if (status || !plan->costs) continue;
    rewind_plan(plan, mark); /* so that measured costs choose among all plans that there are without them */
    status = add_point(plan, (rp_schedule){RP_SHARE_BY_EPOCH, cap, 1}, points, err);
  }
  return status;
}

/* After a point whose epochs are as early as they can be. `usual_bytes`: the arena of the usual plan. */
static rp_status add_caps(rp_plan *plan, uint64_t usual_bytes, rp_arena_mark mark, rp_points *points, rp_error *err) {
  rp_part *run = &plan->parts[RP_PART_RUN];
  rp_flow flow;
  uint64_t parallel = UINT64_MAX;
  if (!caps_for(plan)) return RP_OK;
  bool good = rp_flow_open(&flow, plan, RP_PART_RUN, RP_SPACE_ARENA);
  uint32_t *serial = good ? rp_arena_array(&flow.arena, flow.n, sizeof *serial) : NULL;
  good = serial && rp_flow_serial_order(&flow, serial, &run->serial_bytes);
  if (good) parallel = rp_flow_peak(&flow, run->epoch, run->n_epochs);
  rp_status status = RP_OK;
  if (parallel != UINT64_MAX) {
    run->serial = serial;
    status = add_caps_to(plan, parallel < usual_bytes ? parallel : usual_bytes, mark, points, err);
    run->serial = NULL;
  } else {
    status = rp_plan_fail_memory(err);
  }
  rp_flow_free(&flow);
  return status;
}

static rp_status add_usual(rp_plan *plan, rp_points *points, rp_error *err) {
  return add_point(plan, (rp_schedule){.sharing = RP_SHARE_AS_USUAL}, points, err);
}

/* After add_usual, before which the plan's memory was at `mark`. Where values take bytes from pools, placement ignores
 * epochs: such graphs have only the usual plans. */
static rp_status add_others(rp_plan *plan, rp_arena_mark mark, rp_points *points, rp_error *err) {
  static const rp_sharing rules[] = {RP_SHARE_BY_ORDER, RP_SHARE_BY_NUMBER, RP_SHARE_BY_EPOCH};
  const rp_part *run = &plan->parts[RP_PART_RUN];
  const rp_point usual = points->items[points->n - 1];
  const bool is_cpu = plan->device->info.kind == RP_DEVICE_CPU;
  rp_status status = RP_OK;
  if (!run->n_dispatches || rp_arena_has_pools(plan, RP_PART_RUN, RP_SPACE_ARENA)) return RP_OK;
  for (size_t r = 0; r < sizeof rules / sizeof *rules && !status; r++) {
    if (rules[r] == usual.schedule.sharing || (is_cpu && rules[r] == RP_SHARE_BY_ORDER)) continue;
    rewind_plan(plan, mark);
    status = add_point(plan, (rp_schedule){rules[r], UINT64_MAX, 0}, points, err);
  }
  return status ? status : add_caps(plan, usual.info.arena_bytes, mark, points, err);
}

/* ---- Choosing ---------------------------------------------------------------------------------------------------- */

static bool is_faster(const rp_point *a, const rp_point *b) {
  if (a->predicted_ns != b->predicted_ns) return a->predicted_ns < b->predicted_ns;
  if (a->memory_level != b->memory_level) return a->memory_level < b->memory_level;
  if (a->info.total_bytes != b->info.total_bytes) return a->info.total_bytes < b->info.total_bytes;
  if (a->schedule.sharing != b->schedule.sharing) return a->schedule.sharing < b->schedule.sharing;
  if (a->schedule.by_model != b->schedule.by_model) return b->schedule.by_model;
  return a->schedule.cap_bytes <
         b->schedule.cap_bytes; /* a total order: the choice does not depend on the order of the points */
}

static const rp_point *fastest_that_fits(const rp_points *points, uint64_t budget) {
  const rp_point *best = NULL;
  for (uint32_t i = 0; i < points->n; i++) {
    const rp_point *p = &points->items[i];
    if (p->info.total_bytes <= budget && (!best || is_faster(p, best))) best = p;
  }
  return best;
}

static const rp_point *smallest_of(const rp_points *points) {
  const rp_point *least = &points->items[0];
  for (uint32_t i = 1; i < points->n; i++)
    if (points->items[i].info.total_bytes < least->info.total_bytes) least = &points->items[i];
  return least;
}

/* Keeps the first point, and of the others those that take less memory than it and than every point that is as fast or
 * faster, in the order of their times. */
static void keep_good_ones(rp_points *points) {
  const rp_point first = points->items[0];
  uint32_t n = 1;
  for (uint64_t below = first.info.total_bytes;; below = points->items[n++].info.total_bytes) {
    uint32_t best = 0;
    for (uint32_t i = n; i < points->n; i++)
      if (points->items[i].info.total_bytes < below && (!best || is_faster(&points->items[i], &points->items[best])))
        best = i;
    if (!best) break;
    const rp_point chosen = points->items[best];
    points->items[best] = points->items[n];
    points->items[n] = chosen;
  }
  points->n = n;
}

/* ---- Plans ------------------------------------------------------------------------------------------------------- */

static rp_status begin(rp_device *device, const rp_graph *graph, const rp_record_options *options, uint32_t level,
                       bool logs, rp_plan **plan, rp_error *err) {
  rp_status status = rp_plan_begin(device, graph, options, level, plan, err);
  if (!status) status = run_passes(*plan, rp_passes, schedule_pass(), logs, err);
  if (!status) return RP_OK;
  rp_plan_destroy(*plan);
  *plan = NULL;
  return status;
}

static rp_status make(rp_device *device, const rp_graph *graph, const rp_record_options *options, const rp_point *point,
                      rp_plan **plan, rp_error *err) {
  rp_status status = begin(device, graph, options, point->memory_level, 1, plan, err);
  if (status) return status;
  (*plan)->schedule = point->schedule;
  status = run_passes(*plan, schedule_pass(), NULL, 1, err);
  if (!status) {
    rp_plan_finish(*plan);
    return RP_OK;
  }
  rp_plan_destroy(*plan);
  *plan = NULL;
  return status;
}

/* Constants that another recording has loaded take nothing of what is available. */
static bool fits(const rp_plan *plan, uint64_t available) {
  const uint64_t most = plan->options.memory_budget_bytes, total = plan->info.total_bytes;
  if (most && total > most) return 0;
  return total <= available || total - rp_plan_bytes_there(plan->device, plan) <= available;
}

/* The points of one level. With `plan`: if the first one of all fits, *plan is that, and there are no others. */
static rp_status collect_level(rp_device *device, const rp_graph *graph, const rp_record_options *options,
                               uint32_t level, uint64_t available, rp_points *points, rp_plan **plan, rp_error *err) {
  rp_plan *p = NULL;
  rp_status status = begin(device, graph, options, level, points->n == 0, &p, err);
  if (status) return status;
  const rp_arena_mark mark = rp_arena_now(&p->arena);
  status = add_usual(p, points, err);
  if (!status && plan && points->n == 1 && fits(p, available)) {
    rp_plan_finish(p);
    *plan = p;
    return RP_OK;
  }
  if (!status) {
    const uint64_t usual_ns = points->items[points->n - 1].predicted_ns;
    if (!p->costs) points->least_ns = usual_ns;
    status = add_others(p, mark, points, err);
    points->least_ns = usual_ns;
  }
  rp_plan_destroy(p);
  return status;
}

/* The points of all levels. A level at which the graph cannot be lowered, for instance because it gives too many
 * dispatches, is left out if there are points already. */
static rp_status collect(rp_device *device, const rp_graph *graph, const rp_record_options *options, uint64_t available,
                         rp_points *points, rp_plan **plan, rp_error *err) {
  for (uint32_t level = options->min_memory_level; level <= options->max_memory_level && !(plan && *plan); level++) {
    rp_error why = {0};
    const rp_status status = collect_level(device, graph, options, level, available, points, plan, &why);
    if (status == RP_OK || (status == RP_ERR_UNSUPPORTED && points->n)) continue;
    if (err) *err = why;
    return status;
  }
  return RP_OK;
}

/* ---- Plans that are kept ----------------------------------------------------------------------------------------- */

/* Makes a plan that was found at an earlier time; *plan is NULL if the passes give another one now. */
static void make_kept(rp_device *device, const rp_graph *graph, const rp_record_options *options, const rp_point *point,
                      rp_plan **plan) {
  if (make(device, graph, options, point, plan, NULL) != RP_OK) return; /* rp_record searches, and finds the reason */
  const rp_plan_info *now = &(*plan)->info, *then = &point->info;
  if (now->total_bytes == then->total_bytes && now->constant_bytes == then->constant_bytes &&
      now->dispatches == then->dispatches && now->levels == then->levels)
    return;
  rp_log(device->context, RP_LOG_INFO, "%s: a kept plan is not used: its figures are not those of this graph",
         graph->name);
  rp_plan_destroy(*plan);
  *plan = NULL;
}

/* The choice of rp_plan_create among kept points. *plan is NULL if none of them will do. */
static void choose_kept(rp_device *device, const rp_graph *graph, const rp_record_options *options, uint64_t available,
                        uint64_t budget, rp_plan **plan) {
  const rp_points *points = graph->plans ? rp_kept_plans_find(device, graph, options) : NULL;
  if (!points) return;
  const rp_point *first = &points->items[0];
  const uint64_t own = first->info.total_bytes - first->info.constant_bytes;
  if (own <= available && (!options->memory_budget_bytes || first->info.total_bytes <= options->memory_budget_bytes)) {
    make_kept(device, graph, options, first, plan);
    if (!*plan || fits(*plan, available)) return;
    rp_plan_destroy(*plan);
    *plan = NULL;
  }
  const rp_point *best = fastest_that_fits(points, budget);
  if (best) make_kept(device, graph, options, best, plan);
}

rp_status rp_plan_create(rp_device *device, const rp_graph *graph, const rp_record_options *options,
                         uint64_t available_bytes, rp_plan **plan, rp_plan_info *least, rp_error *err) {
  *plan = NULL;
  uint64_t budget = available_bytes;
  rp_points points = {0};
  if (options->memory_budget_bytes && options->memory_budget_bytes < budget) budget = options->memory_budget_bytes;
  choose_kept(device, graph, options, available_bytes, budget, plan);
  if (*plan) return RP_OK;
  rp_status status = collect(device, graph, options, available_bytes, &points, plan, err);
  if (!status && !*plan) {
    const rp_point *best = fastest_that_fits(&points, budget);
    const rp_plan_info smallest = smallest_of(&points)->info;
    if (best) {
      status = make(device, graph, options, best, plan, err);
    } else {
      if (least) *least = smallest;
      status =
          rp_fail(err, RP_ERR_BUDGET, "%s needs %llu bytes on %s:%u at memory level %u, and the budget is %llu bytes",
                  graph->name, (unsigned long long)smallest.total_bytes, device->backend->name, device->info.index,
                  smallest.memory_level, (unsigned long long)budget);
    }
  }
  rp_points_free(&points, device->context);
  return status;
}

rp_status rp_points_find(rp_device *device, const rp_graph *graph, const rp_record_options *options, rp_points *points,
                         rp_error *err) {
  *points = (rp_points){0};
  const rp_status status = collect(device, graph, options, 0, points, NULL, err);
  if (!status)
    keep_good_ones(points);
  else
    rp_points_free(points, device->context);
  return status;
}

void rp_points_free(rp_points *points, rp_context *context) {
  rp_grow_free(context, points->items, points->capacity, sizeof *points->items);
  *points = (rp_points){0};
}
