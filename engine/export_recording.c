/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A recording as it was planned, as JSON and as Graphviz DOT: steps, edges, levels, placement, and times after profiled
 * runs.
 */
#include "recording.h"
#include "text.h"

static const char *space_name(rp_space space) {
  switch (space) {
  case RP_SPACE_CONSTANT: return "constant";
  case RP_SPACE_BORROWED: return "borrowed";
  case RP_SPACE_ONCE: return "once";
  case RP_SPACE_ARENA: return "arena";
  case RP_SPACE_INPUT: return "input";
  case RP_SPACE_OUTPUT: return "output";
  case RP_SPACE_PARAMETER: return "parameter";
  }
  return "none";
}

static const char *const part_names[2] = {"once", "run"};

static const rp_plan_dispatch *dispatch_of(const rp_plan *p, int part, uint32_t step) {
  return &p->parts[part].dispatches[p->parts[part].dispatch_of[step]];
}

static unsigned long long ull(uint64_t x) { return (unsigned long long)x; }

/* ---- JSON -------------------------------------------------------------------------------------------------------- */

static void json_plan(rp_text *t, const rp_plan_info *i) {
  rp_text_format(t, "  \"plan\": {\"memory_level\": %u, \"slots\": %u, \"nodes\": %u, \"dispatches\": %u, ",
                 i->memory_level, i->slots, i->nodes, i->dispatches);
  rp_text_format(t, "\"once_dispatches\": %u, \"edges\": %u, \"levels\": %u,\n", i->once_dispatches, i->edges,
                 i->levels);
  rp_text_format(
      t, "    \"constant_bytes\": %llu, \"borrowed_bytes\": %llu, \"once_bytes\": %llu, \"arena_bytes\": %llu,\n",
      ull(i->constant_bytes), ull(i->borrowed_bytes), ull(i->once_bytes), ull(i->arena_bytes));
  rp_text_format(
      t, "    \"staging_bytes\": %llu, \"io_bytes\": %llu, \"parameter_bytes\": %llu, \"total_bytes\": %llu},\n",
      ull(i->staging_bytes), ull(i->io_bytes), ull(i->parameter_bytes), ull(i->total_bytes));
}

static void json_value(rp_text *t, const rp_plan *p, uint32_t value) {
  const rp_plan_value *v = &p->values[value];
  char name[256];
  rp_text_format(t, "    {\"id\": %u, \"name\": ", value + 1);
  rp_text_quote(t, rp_plan_value_name(p, value, name, sizeof name));
  rp_text_put(t, ", \"type\": ");
  rp_text_quote(t, v->type->name);
  rp_text_format(t, ", \"len\": %llu, \"bytes\": %llu, \"secret\": %s, \"space\": \"%s\", \"segments\": [", ull(v->len),
                 ull(v->bytes), v->secret ? "true" : "false", space_name(v->space));
  for (uint32_t s = 0; s < v->n_segments; s++)
    rp_text_format(t, "%s{\"block\": %u, \"offset\": %llu, \"bytes\": %llu}", s ? ", " : "", v->segments[s].block,
                   ull(v->segments[s].offset), ull(v->segments[s].bytes));
  rp_text_put(t, "]}");
}

/* Values without memory of their own, with the values in which they lie and the elements from which on they do. */
static void json_aliases(rp_text *t, const rp_plan *p) {
  const char *comma = "", *end = "";
  char name[256];
  for (uint32_t i = 0; i < p->n_values; i++) {
    uint64_t first = 0;
    uint32_t of = p->values[i].same_as == RP_NONE ? i : p->values[i].same_as;
    rp_plan_find(p, &of, &first);
    if (of == i) continue;
    rp_text_format(t, "%s\n    {\"id\": %u, \"name\": ", comma, i + 1);
    rp_text_quote(t, rp_plan_value_name(p, i, name, sizeof name));
    rp_text_format(t, ", \"of\": %u, \"first\": %llu}", of + 1, ull(first));
    comma = ",", end = "\n  ";
  }
  rp_text_put(t, end);
}

static void json_touches(rp_text *t, const rp_plan_dispatch *d) {
  rp_text_put(t, "\"touches\": [");
  for (uint32_t i = 0; i < d->n_touches; i++) {
    const rp_touch *u = &d->touches[i];
    rp_text_format(t, "%s{\"value\": %u, \"access\": \"%s%s%s\", \"first\": %llu, \"count\": %llu}", i ? ", " : "",
                   u->value + 1, u->access & RP_READ ? "r" : "", u->access & RP_WRITE ? "w" : "",
                   u->access & RP_ATOMIC ? "a" : "", ull(u->first), ull(u->count));
  }
  rp_text_put(t, "]");
}

static void json_step(rp_text *t, const rp_recording *r, int part, uint32_t step) {
  const rp_plan *p = r->plan;
  const rp_plan_dispatch *d = dispatch_of(p, part, step);
  const rp_step *s = &p->parts[part].steps[step];
  rp_text_format(t, "    {\"part\": \"%s\", \"step\": %u, \"label\": ", part_names[part], step);
  rp_text_quote(t, s->label);
  if (d->node != RP_NONE) {
    const rp_plan_node *n = &p->nodes[d->node];
    rp_text_put(t, ", \"node\": ");
    rp_text_quote(t, n->node.name);
    rp_text_put(t, ", \"op\": ");
    rp_text_quote(t, n->node.op->name);
    rp_text_put(t, ", \"strategy\": ");
    rp_text_quote(t, n->strategy->name);
    rp_text_put(t, ", \"kernel\": ");
    rp_text_quote(t, s->kernel->name);
  }
  rp_text_format(t, ", \"level\": %u, \"groups\": [%u, %u, %u], \"preds\": [", s->level, s->groups[0], s->groups[1],
                 s->groups[2]);
  for (uint32_t i = 0; i < s->n_preds; i++) rp_text_format(t, "%s%u", i ? ", " : "", s->preds[i]);
  rp_text_put(t, "],\n     ");
  json_touches(t, d);
  uint64_t median;
  if (part == RP_PART_RUN && rp_profile_median(r, step, &median))
    rp_text_format(t, ", \"median_ns\": %llu", ull(median));
  rp_text_put(t, "}");
}

static void to_json(rp_text *t, const rp_recording *r) {
  const rp_plan *p = r->plan;
  const char *comma = "";
  rp_text_put(t, "{\n  \"kind\": \"recording\",\n  \"name\": ");
  rp_text_quote(t, p->graph->name);
  rp_text_format(t, ",\n  \"device\": {\"kind\": \"%s\", \"index\": %u, \"name\": ", r->device->backend->name,
                 r->device->info.index);
  rp_text_quote(t, r->device->info.name);
  rp_text_put(t, "},\n");
  json_plan(t, &p->info);
  rp_text_put(t, "  \"blocks\": [\n");
  for (uint32_t b = 0; b < p->n_blocks; b++)
    rp_text_format(t, "    {\"block\": %u, \"space\": \"%s\", \"bytes\": %llu, \"secret\": %s}%s\n", b,
                   space_name(p->blocks[b].block.space), ull(p->blocks[b].block.bytes),
                   p->blocks[b].block.secret ? "true" : "false", b + 1 < p->n_blocks ? "," : "");
  rp_text_put(t, "  ],\n  \"values\": [");
  for (uint32_t i = 0; i < p->n_values; i++) {
    if (!p->values[i].placed) continue;
    rp_text_format(t, "%s\n", comma);
    json_value(t, p, i);
    comma = ",";
  }
  rp_text_put(t, "\n  ],\n  \"aliases\": [");
  json_aliases(t, p);
  rp_text_put(t, "],\n  \"steps\": [");
  comma = "";
  for (int part = 0; part < 2; part++) {
    for (uint32_t s = 0; s < p->parts[part].n_dispatches; s++) {
      rp_text_format(t, "%s\n", comma);
      json_step(t, r, part, s);
      comma = ",";
    }
  }
  rp_text_put(t, "\n  ]\n}\n");
}

/* ---- DOT --------------------------------------------------------------------------------------------------------- */

/* The colours of export_graph.c, by the storage of what a step writes. */
static const char *colour(const rp_plan *p, const rp_plan_dispatch *d) {
  if (d->kind == RP_STEP_BIND_IN) return "#1f6feb";
  if (d->kind == RP_STEP_BIND_OUT) return "#1a7f37";
  const char *found = "#57606a";
  for (uint32_t i = 0; i < d->n_touches; i++) {
    if (!(d->touches[i].access & RP_WRITE)) continue;
    const rp_plan_value *v = &p->values[d->touches[i].value];
    if (v->placed && v->space == RP_SPACE_CONSTANT) found = "#8c6d1f";
    if (v->output) return "#1a7f37";
  }
  return found;
}

/* Number of values in the label of a step: even with the longest names they take less than Graphviz's 16 KiB. */
enum { DOT_LISTED = 16 };

static void dot_step(rp_text *t, const rp_recording *r, int part, uint32_t step, int depth) {
  const rp_plan *p = r->plan;
  const rp_plan_dispatch *d = dispatch_of(p, part, step);
  const rp_step *s = &p->parts[part].steps[step];
  rp_text_format(t, "%*s%s%u [color=\"%s\", label=\"", 2 * depth + 2, "", part_names[part], step, colour(p, d));
  rp_text_escape(t, s->kernel ? s->kernel->name : s->label);
  rp_text_format(t, "\\nlevel %u, %llu groups", s->level, ull((uint64_t)s->groups[0] * s->groups[1] * s->groups[2]));
  for (uint32_t i = 0, listed = 0; i < d->n_touches && listed <= DOT_LISTED; i++) {
    const rp_plan_value *v = &p->values[d->touches[i].value];
    if (!(d->touches[i].access & RP_WRITE) || v->origin == RP_ORIGIN_ERROR) continue;
    if (listed++ == DOT_LISTED) {
      rp_text_put(t, "\\n...");
      continue;
    }
    rp_text_format(t, "\\n%s, ", space_name(v->space));
    rp_text_escape(t, v->type->name);
    rp_text_format(t, " x %llu, ", ull(d->touches[i].count));
    rp_text_bytes(t, d->touches[i].count * v->type->size_bytes);
  }
  uint64_t median;
  if (part == RP_PART_RUN && rp_profile_median(r, step, &median)) {
    rp_text_put(t, "\\n");
    rp_text_time(t, median);
  }
  rp_text_format(t, "\"%s, tooltip=", part == RP_PART_ONCE ? ", style=\"rounded,dashed\"" : "");
  rp_text_quote(t, s->label);
  rp_text_put(t, "];\n");
}

static const rp_scope *scope_of(const rp_plan *p, const rp_plan_dispatch *d) {
  return d->node == RP_NONE ? NULL : p->nodes[d->node].node.scope;
}

/* The steps of both parts, numbered consecutively, by scope. */
typedef struct steps_by_scope {
  uint32_t *first; /* per scope by id, and one more for steps in none; or RP_NONE */
  uint32_t *next;  /* per step; or RP_NONE */
  uint32_t n_once, n, n_scopes;
} steps_by_scope;

static const rp_scope *scope_of_step(const rp_plan *p, const steps_by_scope *by, uint32_t i) {
  const int part = i < by->n_once ? RP_PART_ONCE : RP_PART_RUN;
  return scope_of(p, dispatch_of(p, part, i - (part == RP_PART_RUN ? by->n_once : 0)));
}

static int group_steps(rp_arena *arena, const rp_plan *p, steps_by_scope *by) {
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
  const int named = scope && *scope->path;
  if (named) {
    rp_text_format(t, "  subgraph cluster_%u {\n    label=", scope->id);
    rp_text_quote(t, scope->path);
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

static void to_dot(rp_text *t, const rp_recording *r, const steps_by_scope *by) {
  const rp_plan *p = r->plan;
  rp_text_put(t, "digraph ");
  rp_text_quote(t, p->graph->name);
  rp_text_put(t, " {\n  rankdir=TB;\n  node [shape=box, style=rounded, fontname=\"Helvetica\", fontsize=10];\n");
  for (uint32_t i = 0; i < by->n; i++) {
    const rp_scope *scope = scope_of_step(p, by, i);
    if (by->first[scope ? scope->id : by->n_scopes] == i) dot_scope(t, r, by, i);
  }
  for (int part = 0; part < 2; part++) {
    for (uint32_t s = 0; s < p->parts[part].n_dispatches; s++) {
      const rp_step *step = &p->parts[part].steps[s];
      for (uint32_t i = 0; i < step->n_preds; i++)
        rp_text_format(t, "  %s%u -> %s%u;\n", part_names[part], step->preds[i], part_names[part], s);
    }
  }
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
  const int good = format == RP_EXPORT_JSON || group_steps(&arena, recording->plan, &by);
  (format == RP_EXPORT_DOT ? rp_text_open_dot : rp_text_open)(&text, write, user);
  if (format == RP_EXPORT_JSON)
    to_json(&text, recording);
  else if (good)
    to_dot(&text, recording, &by);
  rp_arena_free(&arena);
  return good ? rp_text_close(&text, err) : rp_fail_memory(err, "the recording's picture");
}
