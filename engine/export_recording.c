/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A recording as it was planned, as Graphviz DOT: steps, edges, levels, and times after profiled runs. As JSON:
 * export_recording_json.c.
 */
#include "export.h"
#include "reasons.h"

/* ---- DOT --------------------------------------------------------------------------------------------------------- */

/* The colours of export_graph.c, by the storage of what a step writes. */
static const char *colour(const rp_plan *p, const rp_plan_dispatch *d) {
  if (d->pattern->step.kind == RP_STEP_BIND_IN) return "#1f6feb";
  if (d->pattern->step.kind == RP_STEP_BIND_OUT) return "#1a7f37";
  const char *found = "#57606a";
  for (uint32_t i = 0; i < rp_n_touches(d); i++) {
    const rp_touch touch = rp_touch_at(d, i);
    if (!(touch.access & RP_WRITE)) continue;
    const rp_plan_value *v = &p->values[touch.value];
    if (v->placed && v->space == RP_SPACE_CONSTANT) found = "#8c6d1f";
    if (v->output) return "#1a7f37";
  }
  return found;
}

/* Number of values in the label of a step: even with the longest names they take less than Graphviz's 16 KiB. */
enum { DOT_LISTED = 16 };

static void dot_step(rp_text *t, const rp_recording *r, int part, uint32_t step, bool depth) {
  const rp_plan *p = r->plan;
  const rp_plan_dispatch dispatch = rp_export_dispatch(p, part, step), *d = &dispatch;
  const rp_step *s = &p->parts[part].steps[step];
  rp_text_format(t, "%*s%s%u [color=\"%s\", label=\"", 2 * depth + 2, "", rp_export_parts[part], step, colour(p, d));
  const rp_pattern *pattern = s->pattern;
  const char *over = rp_export_dot_words(t, pattern->kernel ? pattern->kernel->name : pattern->label);
  rp_text_put(t, "\\n");
  if (*over) rp_text_escape(t, over), rp_text_put(t, ", ");
  const unsigned long long groups = (unsigned long long)pattern->groups[0] * pattern->groups[1] * pattern->groups[2];
  rp_text_format(t, "level %u, %llu group%s", s->level, groups, groups == 1 ? "" : "s");
  for (uint32_t i = 0, listed = 0; i < rp_n_touches(d) && listed <= DOT_LISTED; i++) {
    const rp_touch touch = rp_touch_at(d, i);
    const rp_plan_value *v = &p->values[touch.value];
    if (!(touch.access & RP_WRITE) || v->origin == RP_ORIGIN_ERROR || v->origin == RP_ORIGIN_GUARD) continue;
    if (listed++ == DOT_LISTED) {
      rp_text_put(t, "\\n...");
      continue;
    }
    rp_text_format(t, "\\n%s, ", rp_export_space(v->space));
    rp_text_escape(t, v->type->name);
    rp_text_format(t, " x %llu, ", (unsigned long long)touch.count);
    rp_text_bytes(t, touch.count * v->type->size_bytes);
  }
  if (rp_step_guarded(s))
    rp_text_put(t, part == RP_PART_RUN && r->skipped && r->skipped[step] ? "\\nif: skipped" : "\\nif");
  uint64_t median;
  if (part == RP_PART_RUN && rp_profile_median(r, step, &median)) {
    rp_text_put(t, "\\n");
    rp_text_time(t, median);
  }
  rp_text_format(t, "\"%s, tooltip=", part == RP_PART_ONCE ? ", style=\"rounded,dashed\"" : "");
  rp_export_label(t, s);
  rp_text_put(t, "];\n");
}

static const rp_scope *scope_of(const rp_plan *p, const rp_plan_dispatch *d) {
  return rp_node_of(d) == RP_NONE ? NULL : p->nodes[rp_node_of(d)].node.scope;
}

/* The steps of both parts, numbered consecutively, by scope. */
typedef struct steps_by_scope {
  uint32_t *first; /* per scope by id, and one more for steps in none; or RP_NONE */
  uint32_t *next;  /* per step; or RP_NONE */
  uint32_t n_once, n, n_scopes;
} steps_by_scope;

static const rp_scope *scope_of_step(const rp_plan *p, const steps_by_scope *by, uint32_t i) {
  const int part = i < by->n_once ? RP_PART_ONCE : RP_PART_RUN;
  const rp_plan_dispatch d = rp_export_dispatch(p, part, i - (part == RP_PART_RUN ? by->n_once : 0));
  return scope_of(p, &d);
}

static bool group_steps(rp_arena *arena, const rp_plan *p, steps_by_scope *by) {
  by->n_once = p->parts[RP_PART_ONCE].n_dispatches;
  by->n = by->n_once + p->parts[RP_PART_RUN].n_dispatches;
  by->n_scopes = p->graph->n_scopes;
  by->first = rp_arena_array(arena, by->n_scopes + 1u, sizeof *by->first);
  by->next = rp_arena_array(arena, by->n, sizeof *by->next);
  if (!by->first || !by->next) return 0;
  for (uint32_t s = 0; s <= by->n_scopes; s++) by->first[s] = RP_NONE;
  for (uint32_t i = by->n; i-- > 0;) {
    const rp_scope *scope = scope_of_step(p, by, i);
    uint32_t *first = &by->first[scope ? scope->id : by->n_scopes];
    by->next[i] = *first;
    *first = i;
  }
  return 1;
}

/* The steps of one scope, as a cluster under its full name: clusters of a recording do not nest. */
static void dot_scope(rp_text *t, const rp_recording *r, const steps_by_scope *by, uint32_t first) {
  const rp_scope *scope = scope_of_step(r->plan, by, first);
  const bool named = scope && *scope->path;
  if (named) {
    rp_text_format(t, "  subgraph cluster_%u {\n    label=", scope->id);
    rp_text_quote(t, scope->title ? scope->title : scope->path);
    rp_text_put(t, "; color=\"#d0d7de\"; style=rounded;\n");
  }
  for (uint32_t i = first; i != RP_NONE; i = by->next[i]) {
    if (i < by->n_once)
      dot_step(t, r, RP_PART_ONCE, i, named);
    else
      dot_step(t, r, RP_PART_RUN, i - by->n_once, named);
  }
  if (named) rp_text_put(t, "  }\n");
}

/* Dashed, with the value whose bytes are used again, if the step reads nothing that its predecessor writes. */
static void dot_edge(rp_text *t, const rp_plan *p, int part, uint32_t step, uint32_t pred) {
  rp_reason why;
  char name[256];
  const uint32_t n = rp_export_reasons(p, part, step, pred, &why, 1);
  rp_text_format(t, "  %s%u -> %s%u", rp_export_parts[part], pred, rp_export_parts[part], step);
  if (n && why.kind != RP_REASON_DATA) {
    rp_text_put(t, " [style=dashed, color=\"#8c959f\", tooltip=\"bytes of ");
    rp_text_escape(t, rp_plan_value_name(p, why.other, name, sizeof name));
    rp_text_put(t, "\"]");
  }
  rp_text_put(t, ";\n");
}

static void to_dot(rp_text *t, const rp_recording *r, const steps_by_scope *by) {
  const rp_plan *p = r->plan;
  rp_export_dot_head(t, p->graph->name, "dispatches", by->n);
  for (uint32_t i = 0; i < by->n; i++) {
    const rp_scope *scope = scope_of_step(p, by, i);
    if (by->first[scope ? scope->id : by->n_scopes] == i) dot_scope(t, r, by, i);
  }
  for (int part = 0; part < 2; part++) {
    for (uint32_t s = 0; s < p->parts[part].n_dispatches; s++) {
      const rp_step *step = &p->parts[part].steps[s];
      for (uint32_t i = 0; i < step->n_preds; i++) dot_edge(t, p, part, s, step->preds[i]);
    }
  }
  rp_export_dot_legend(t, 1);
  rp_text_put(t, "}\n");
}

rp_status rp_recording_export(const rp_recording *recording, rp_export_format format, rp_write_fn write, void *user,
                              rp_error *err) {
  if (!recording || !write) return rp_fail_null(err, "rp_recording_export");
  if (format != RP_EXPORT_DOT && format != RP_EXPORT_JSON)
    return rp_fail(err, RP_ERR_ARGUMENT, "rp_recording_export: %d is not a format", (int)format);
  const rp_status status = rp_context_check(recording->device->context, err);
  if (status) return status;
  rp_text text;
  rp_arena arena;
  steps_by_scope by;
  rp_arena_init(&arena, recording->device->context);
  const bool good = format == RP_EXPORT_JSON || group_steps(&arena, recording->plan, &by);
  (format == RP_EXPORT_DOT ? rp_text_open_dot : rp_text_open)(&text, write, user);
  if (format == RP_EXPORT_JSON) {
    rp_export_recording(&text, recording);
    rp_text_put(&text, "\n");
  } else if (good) {
    to_dot(&text, recording, &by);
  }
  rp_arena_free(&arena);
  return good ? rp_text_close(&text, err) : rp_fail_memory(err, "the recording's picture");
}
