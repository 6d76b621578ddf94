/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The document of view.h: a graph, its recording and its runs.
 */
#include "critical.h"
#include "export.h"
#include "group/group.h"
#include "points.h"

#include <reprise/view.h>

static unsigned long long ull(uint64_t x) { return (unsigned long long)x; }

static void put_numbers(rp_text *t, const char *key, const uint64_t *list, uint32_t n, uint32_t stride) {
  rp_text_format(t, "\"%s\": [", key);
  for (uint32_t i = 0; i < n; i++) rp_text_format(t, "%s%llu", i ? "," : "", ull(list[(size_t)i * stride]));
  rp_text_put(t, "]");
}

/* The members path_ns, path, slack_ns and gain_ns. */
static bool put_critical(rp_text *t, rp_arena *arena, const rp_program_desc *program, const uint64_t *ns) {
  rp_critical c;
  if (!rp_critical_find(arena, program->steps, program->n_steps, ns, &c)) return 0;
  rp_text_format(t, "\"path_ns\": %llu, \"path\": [", ull(c.total_ns));
  for (uint32_t i = 0; i < c.n_path; i++) rp_text_format(t, "%s%u", i ? "," : "", c.path[i]);
  rp_text_put(t, "],\n     ");
  put_numbers(t, "slack_ns", c.slack_ns, program->n_steps, 1);
  rp_text_put(t, ",\n     ");
  put_numbers(t, "gain_ns", c.gain_ns, program->n_steps, 1);
  return 1;
}

static bool put_predicted(rp_text *t, rp_arena *arena, const rp_recording *r) {
  const rp_part *part = &r->plan->parts[RP_PART_RUN];
  uint64_t *ns = rp_arena_array(arena, part->n_dispatches, sizeof *ns);
  if (!ns) return 0;
  for (uint32_t s = 0; s < part->n_dispatches; s++) ns[s] = part->steps[s].alone_ns;
  rp_text_put(t, "{");
  const bool good = put_critical(t, arena, &r->program, ns);
  rp_text_put(t, "}");
  return good;
}

/* ---- Runs -------------------------------------------------------------------------------------------------------- */

/* Each dispatch (CPU: each worker's share of it) and copy: step, lane, begin, end; a copy to the device has -1 in place
 * of a step, one from it -2. */
static void put_spans(rp_text *t, const rp_run *run) {
  rp_text_put(t, "\"spans\": [");
  for (uint32_t i = 0; i < run->n_timings; i++) {
    const rp_timing *s = &run->timings[i];
    rp_text_put(t, i ? "," : "");
    if (s->step == RP_TIMING_UPLOAD || s->step == RP_TIMING_DOWNLOAD)
      rp_text_put(t, s->step == RP_TIMING_UPLOAD ? "[-1" : "[-2");
    else
      rp_text_format(t, "[%u", s->step);
    rp_text_format(t, ",%u,%llu,%llu]", s->worker, ull(s->begin_ns), ull(s->end_ns));
  }
  rp_text_put(t, "]");
}

/* Fills begin and end of each step, and returns what each took. */
static uint64_t *find_spans(rp_arena *arena, const rp_run *run, uint64_t *span) {
  const uint32_t n = run->recording->program.n_steps;
  uint64_t *ns = rp_arena_array(arena, n, sizeof *ns);
  for (uint32_t i = 0; ns && i < run->n_timings; i++) {
    const rp_timing *s = &run->timings[i];
    if (s->step >= n) continue;
    uint64_t *of = &span[2 * (size_t)s->step];
    if (of[1] == 0 || s->begin_ns < of[0]) of[0] = s->begin_ns;
    if (s->end_ns > of[1]) of[1] = s->end_ns;
  }
  for (uint32_t i = 0; ns && i < n; i++) ns[i] = span[2 * i + 1] > span[2 * i] ? span[2 * i + 1] - span[2 * i] : 0;
  return ns;
}

/* The steps whose condition did not hold. */
static bool put_skipped(rp_text *t, rp_arena *arena, const rp_run *run) {
  const uint32_t n = run->recording->program.n_steps;
  bool *skipped = rp_arena_array(arena, n, sizeof *skipped);
  const char *comma = "";
  if (!skipped) return 0;
  rp_profile_skipped(run, skipped);
  rp_text_put(t, "\"skipped\": [");
  for (uint32_t i = 0; i < n; i++) {
    if (!skipped[i]) continue;
    rp_text_format(t, "%s%u", comma, i);
    comma = ",";
  }
  rp_text_put(t, "],\n     ");
  return 1;
}

static bool put_steps(rp_text *t, rp_arena *arena, const rp_run *run) {
  const uint32_t n = run->recording->program.n_steps;
  uint64_t *span = rp_arena_array(arena, 2 * (size_t)n, sizeof *span), *ns = span ? find_spans(arena, run, span) : NULL;
  if (!ns) return 0;
  put_spans(t, run);
  rp_text_put(t, ",\n     ");
  if (run->recording->plan->n_conditions && !put_skipped(t, arena, run)) return 0;
  put_numbers(t, "begin_ns", span, n, 2);
  rp_text_put(t, ",\n     ");
  put_numbers(t, "end_ns", span + 1, n, 2);
  rp_text_put(t, ",\n     ");
  return put_critical(t, arena, &run->recording->program, ns);
}

static bool put_run(rp_text *t, rp_arena *arena, const rp_run *run, uint64_t first_ns) {
  const rp_run_counters *c = &run->counters;
  const rp_pieces *pieces = run->recording->plan->pieces;
  rp_text_format(t, "    {\"slot\": %u, \"clock_ns\": %llu, \"submitted_ns\": %llu, ", run->index,
                 ull(run->submit_begin_ns), ull(run->submit_begin_ns - first_ns));
  rp_text_format(t, "\"submit_ns\": %llu, \"latency_ns\": %llu, ", ull(c->submit_ns), ull(c->latency_ns));
  rp_text_format(t, "\"bytes_up\": %llu, \"bytes_down\": %llu,\n     ", ull(c->bytes_up), ull(c->bytes_down));
  bool good = 1;
  if (!pieces) good = put_steps(t, arena, run);
  if (pieces) rp_text_put(t, "\"pieces\": [\n");
  for (uint32_t i = 0; pieces && i < pieces->n && good; i++) {
    rp_text_put(t, i ? ",\n" : "");
    good = put_run(t, arena, rp_group_piece_run(run->program, i), run->submit_begin_ns);
  }
  rp_text_put(t, pieces ? "]}" : "}");
  return good;
}

static bool put_runs(rp_text *t, rp_arena *arena, const rp_view_source *s) {
  uint64_t first = UINT64_MAX;
  for (uint32_t i = 0; i < s->n_runs; i++)
    if (s->runs[i]->submit_begin_ns < first) first = s->runs[i]->submit_begin_ns;
  rp_text_put(t, "[");
  for (uint32_t i = 0; i < s->n_runs; i++) {
    rp_text_put(t, i ? ",\n" : "\n");
    const rp_arena_mark mark = rp_arena_now(arena);
    if (!put_run(t, arena, s->runs[i], first)) return 0;
    rp_arena_rewind(arena, mark);
  }
  for (uint32_t i = 0; i < s->n_kept; i++) {
    rp_text_put(t, s->n_runs + i ? ",\n" : "\n");
    rp_text_put(t, s->kept[i]);
  }
  rp_text_put(t, "]");
  return 1;
}

/* ---- Ceilings and other plans ------------------------------------------------------------------------------------ */

static void put_ceilings(rp_text *t, const rp_view_ceilings *c) {
  if (!c) {
    rp_text_put(t, "null");
    return;
  }
  rp_text_format(t, "{\"bytes_per_s\": %.0f, \"products_per_s\": {", c->bytes_per_s);
  for (uint32_t i = 0; i < c->n_rates; i++) {
    rp_text_put(t, i ? ", " : "");
    rp_text_quote(t, c->rates[i].field);
    rp_text_format(t, ": %.0f", c->rates[i].products_per_s);
  }
  rp_text_put(t, "}}");
}

/* What other budgets would give: the usual plan first, then smaller ones that are predicted to take longer. None for
 * graphs that are so large that planning them again would take long. False: out of memory. */
static bool put_points(rp_text *t, const rp_recording *r) {
  enum { DISPATCHES = 4096 };
  rp_points points = {0};
  rp_text_put(t, "[");
  const rp_plan *plan = r->plan;
  if (plan->info.dispatches <= DISPATCHES &&
      rp_points_find(r->device, plan->graph, &plan->options, &points, NULL) == RP_ERR_MEMORY)
    return 0;
  for (uint32_t i = 0; i < points.n; i++) {
    const rp_point *p = &points.items[i];
    rp_text_format(t, "%s{\"memory_level\": %u, \"predicted_ns\": %llu, \"arena_bytes\": %llu, ", i ? ",\n  " : "",
                   p->memory_level, ull(p->predicted_ns), ull(p->info.arena_bytes));
    rp_text_format(t, "\"constant_bytes\": %llu, \"dispatches\": %u, \"total_bytes\": %llu}",
                   ull(p->info.constant_bytes), p->info.dispatches, ull(p->info.total_bytes));
  }
  rp_text_put(t, "]");
  rp_points_free(&points, r->device->context);
  return 1;
}

/* ---- The document ------------------------------------------------------------------------------------------------ */

/* Of a group the pieces are profiled. */
static bool is_profiled(const rp_recording *r) {
  const rp_pieces *pieces = r->plan->pieces;
  for (uint32_t i = 0; pieces && i < pieces->n; i++)
    if (!pieces->items[i].recording->samples) return 0;
  return pieces || r->samples;
}

static rp_status check_run(const rp_run *run, const char *function, rp_error *err) {
  const rp_recording *r = run->recording;
  if (!is_profiled(r))
    return rp_fail(err, RP_ERR_STATE, "%s: %s was not recorded with RP_RECORD_PROFILE", function, r->plan->graph->name);
  if (atomic_load(&run->state) != RP_RUN_DONE || run->result)
    return rp_fail(err, RP_ERR_STATE, "%s: run %u has not finished well", function, run->index);
  return RP_OK;
}

static rp_status check_runs(const rp_view_source *s, rp_error *err) {
  const rp_recording *r = s->recording;
  rp_status status = RP_OK;
  if (s->ceilings && s->ceilings->n_rates > RP_VIEW_RATES)
    return rp_fail(err, RP_ERR_ARGUMENT, "rp_view_data: %u rates, and at most %d have room", s->ceilings->n_rates,
                   RP_VIEW_RATES);
  if ((s->n_runs && !s->runs) || (s->n_kept && !s->kept) || ((s->n_runs || s->n_kept) && !r))
    return rp_fail(err, RP_ERR_ARGUMENT, "rp_view_data: runs need `runs` or `kept`, and their recording");
  for (uint32_t i = 0; i < s->n_runs && !status; i++)
    status = !s->runs[i] || s->runs[i]->recording != r
                 ? rp_fail(err, RP_ERR_ARGUMENT, "rp_view_data: run %u does not belong to this recording", i)
                 : check_run(s->runs[i], "rp_view_data", err);
  for (uint32_t i = 0; i < s->n_kept && !status; i++)
    if (!s->kept[i]) status = rp_fail_null(err, "rp_view_data: a kept run");
  return status;
}

static bool put_document(rp_text *t, rp_arena *arena, const rp_view_source *s, const rp_graph *graph) {
  bool good = 1;
  rp_text_format(t, "{\n\"kind\": \"reprise-view\", \"version\": %d, \"library\": ", RP_VIEW_VERSION);
  rp_text_quote(t, rp_version());
  rp_text_put(t, ", \"label\": ");
  rp_text_quote(t, s->label);
  rp_text_put(t, ",\n\"graph\": ");
  rp_export_graph(t, graph);
  rp_text_put(t, ",\n\"recording\": ");
  if (s->recording)
    rp_export_recording(t, s->recording);
  else
    rp_text_put(t, "null");
  rp_text_put(t, ",\n\"predicted\": ");
  if (s->recording)
    good = put_predicted(t, arena, s->recording);
  else
    rp_text_put(t, "null");
  rp_text_put(t, ",\n\"ceilings\": ");
  put_ceilings(t, s->recording ? s->ceilings : NULL);
  rp_text_put(t, ",\n\"points\": ");
  if (s->recording)
    good = good && put_points(t, s->recording);
  else
    rp_text_put(t, "[]");
  rp_text_put(t, ",\n\"runs\": ");
  good = good && put_runs(t, arena, s);
  rp_text_put(t, "\n}\n");
  return good;
}

rp_status rp_view_data(const rp_view_source *source, rp_write_fn write, void *user, rp_error *err) {
  if (!source || !write) return rp_fail_null(err, "rp_view_data");
  rp_view_source s;
  if (!rp_options_read(&s, sizeof s, source))
    return rp_fail(err, RP_ERR_ARGUMENT, "rp_view_data: source->struct_size is not set");
  if (!s.recording && !s.graph) return rp_fail_null(err, "rp_view_data: source->graph");
  const rp_graph *graph = s.recording ? s.recording->plan->graph : s.graph;
  rp_status status = s.recording ? rp_context_check(s.recording->device->context, err) : RP_OK;
  if (!status) status = check_runs(&s, err);
  if (status) return status;
  rp_text text;
  rp_arena arena;
  rp_arena_init(&arena, graph->context);
  rp_text_open(&text, write, user);
  const bool good = put_document(&text, &arena, &s, graph);
  rp_arena_free(&arena);
  return good ? rp_text_close(&text, err) : rp_fail_memory(err, "the document of a graph");
}

rp_status rp_view_run(const rp_run *run, rp_write_fn write, void *user, rp_error *err) {
  if (!run || !write) return rp_fail_null(err, "rp_view_run");
  rp_status status = rp_context_check(run->recording->device->context, err);
  if (!status) status = check_run(run, "rp_view_run", err);
  if (status) return status;
  rp_text text;
  rp_arena arena;
  rp_arena_init(&arena, run->recording->device->context);
  rp_text_open(&text, write, user);
  const bool good = put_run(&text, &arena, run, run->submit_begin_ns);
  rp_arena_free(&arena);
  return good ? rp_text_close(&text, err) : rp_fail_memory(err, "the times of a run");
}

const char *rp_view_phase(const rp_recording *recording, uint32_t index) {
  if (!recording) return "";
  const rp_plan *p = recording->plan;
  const uint32_t once = p->parts[RP_PART_ONCE].n_dispatches;
  const int part = index < once ? RP_PART_ONCE : RP_PART_RUN;
  const uint32_t step = part == RP_PART_ONCE ? index : index - once;
  if (step >= p->parts[part].n_dispatches) return "";
  const rp_plan_dispatch dispatch = rp_export_dispatch(p, part, step), *d = &dispatch;
  const rp_scope *scope = rp_node_of(d) == RP_NONE ? NULL : p->nodes[rp_node_of(d)].node.scope;
  while (scope && scope->parent && scope->parent->parent) scope = scope->parent;
  if (!scope) return "";
  if (scope->title) return scope->title;
  return scope->parent ? scope->name : "";
}
