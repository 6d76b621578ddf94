/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A recording as it was planned, as JSON: steps, what they wait for and why, placement, and times after profiled runs.
 */
#include "export.h"
#include "group/group.h"
#include "reasons.h"
#include "template.h"

const char *const rp_export_parts[2] = {"once", "run"};

static unsigned long long ull(uint64_t x) { return (unsigned long long)x; }

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
  const rp_placement_info i = rp_export_value(p, value);
  char name[256];
  rp_text_format(t, "    {\"id\": %u, \"name\": ", i.value);
  rp_text_quote(t, rp_plan_value_name(p, value, name, sizeof name));
  rp_text_put(t, ", \"type\": ");
  rp_text_quote(t, i.type->name);
  rp_text_format(t, ", \"len\": %llu, \"bytes\": %llu, \"secret\": %s, \"space\": \"%s\", \"scratch\": %s, ",
                 ull(i.len), ull(i.bytes), i.secret ? "true" : "false", rp_export_space(v->space),
                 i.scratch ? "true" : "false");
  if (i.node_id != RP_NONE) rp_text_format(t, "\"node_id\": %u, ", i.node_id);
  rp_text_put(t, "\"segments\": [");
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
    const rp_placement_info at = rp_export_value(p, i);
    if (at.of == at.value) continue;
    rp_text_format(t, "%s\n    {\"id\": %u, \"name\": ", comma, i + 1);
    rp_text_quote(t, rp_plan_value_name(p, i, name, sizeof name));
    rp_text_format(t, ", \"of\": %u, \"first\": %llu, \"in_place\": %s}", at.of, ull(at.first),
                   at.in_place ? "true" : "false");
    comma = ",", end = "\n  ";
  }
  rp_text_put(t, end);
}

/* Values that have no memory, because the node that reads them computes them on its way. */
static void json_fused(rp_text *t, const rp_plan *p) {
  const char *comma = "", *end = "";
  char name[256];
  for (uint32_t i = 0; i < p->n_values; i++) {
    const rp_placement_info at = rp_export_value(p, i);
    if (at.fused_into == RP_NONE) continue;
    rp_text_format(t, "%s\n    {\"id\": %u, \"name\": ", comma, i + 1);
    rp_text_quote(t, rp_plan_value_name(p, i, name, sizeof name));
    rp_text_format(t, ", \"node_id\": %u}", at.fused_into);
    comma = ",", end = "\n  ";
  }
  rp_text_put(t, end);
}

void rp_export_label(rp_text *t, const rp_step *step) {
  const char *scope = step->call ? step->call->scope : "";
  rp_text_put(t, "\"");
  rp_text_escape(t, scope);
  if (*scope) rp_text_put(t, "/");
  rp_text_escape(t, step->pattern->label);
  rp_text_put(t, "\"");
}

static void json_touches(rp_text *t, const rp_plan_dispatch *d) {
  rp_text_put(t, "\"touches\": [");
  for (uint32_t i = 0; i < rp_n_touches(d); i++) {
    const rp_touch u = rp_touch_at(d, i);
    rp_text_format(t, "%s{\"value\": %u, \"access\": \"%s%s%s\", \"first\": %llu, \"count\": %llu}", i ? ", " : "",
                   u.value + 1, u.access & RP_READ ? "r" : "", u.access & RP_WRITE ? "w" : "",
                   u.access & RP_ATOMIC ? "a" : "", ull(u.first), ull(u.count));
  }
  rp_text_put(t, "]");
}

/* For each predecessor that the step waits for, the values that are the reason. */
static void json_waits(rp_text *t, const rp_plan *p, int part, uint32_t step) {
  static const char *const kinds[] = {
      [RP_REASON_DATA] = "data", [RP_REASON_ORDER] = "order", [RP_REASON_MEMORY] = "memory"};
  enum { LISTED = 8 };
  const rp_step *s = &p->parts[part].steps[step];
  rp_text_put(t, ", \"waits\": [");
  for (uint32_t i = 0; i < s->n_preds; i++) {
    rp_reason reasons[LISTED];
    const uint32_t n = rp_export_reasons(p, part, step, s->preds[i], reasons, LISTED);
    rp_text_format(t, "%s{\"for\": %u, \"why\": [", i ? ", " : "", s->preds[i]);
    for (uint32_t k = 0; k < n; k++)
      rp_text_format(t, "%s{\"kind\": \"%s\", \"value\": %u, \"other\": %u}", k ? ", " : "", kinds[reasons[k].kind],
                     reasons[k].value + 1, reasons[k].other + 1);
    rp_text_put(t, "]}");
  }
  rp_text_put(t, "]");
}

static void json_cost(rp_text *t, const rp_step_info *i) {
  rp_text_format(t, ", \"epoch\": %u, \"read_bytes\": %llu, \"written_bytes\": %llu, \"predicted_ns\": %llu", i->epoch,
                 ull(i->read_bytes), ull(i->written_bytes), ull(i->predicted_ns));
  if (i->products >= 0) rp_text_format(t, ", \"products\": %.0f", i->products);
  if (!i->field) return;
  rp_text_put(t, ", \"field\": ");
  rp_text_quote(t, i->field);
}

static void json_step(rp_text *t, const rp_recording *r, int part, uint32_t step) {
  const rp_plan *p = r->plan;
  const rp_plan_dispatch dispatch = rp_export_dispatch(p, part, step), *d = &dispatch;
  const rp_step *s = &p->parts[part].steps[step];
  const rp_step_info info = rp_export_step(r, part, step);
  rp_text_format(t, "    {\"part\": \"%s\", \"step\": %u, \"label\": ", rp_export_parts[part], step);
  rp_export_label(t, s);
  if (info.node_id != RP_NONE) {
    const rp_plan_node *n = &p->nodes[info.node_id], *inner = rp_dispatch_node(p, d);
    rp_text_format(t, ", \"node_id\": %u, \"node\": ", info.node_id);
    rp_text_quote(t, n->node.name);
    rp_text_put(t, ", \"op\": ");
    rp_text_quote(t, inner->node.op->name);
    rp_text_put(t, ", \"strategy\": ");
    rp_text_quote(t, inner->strategy->name);
    rp_text_put(t, ", \"kernel\": ");
    rp_text_quote(t, s->pattern->kernel->name);
  }
  const uint32_t *groups = s->pattern->groups;
  rp_text_format(t, ", \"level\": %u, \"groups\": [%u, %u, %u], \"preds\": [", info.level, groups[0], groups[1],
                 groups[2]);
  for (uint32_t i = 0; i < s->n_preds; i++) rp_text_format(t, "%s%u", i ? ", " : "", s->preds[i]);
  rp_text_put(t, "],\n     ");
  json_touches(t, d);
  json_waits(t, p, part, step);
  json_cost(t, &info);
  if (rp_step_guarded(s)) {
    rp_export_conditions(t, p->graph, p->nodes[info.node_id].condition);
    if (r->skipped) rp_text_format(t, ", \"skipped\": %s", r->skipped[step] ? "true" : "false");
  }
  uint64_t median;
  if (part == RP_PART_RUN && rp_profile_median(r, step, &median))
    rp_text_format(t, ", \"median_ns\": %llu", ull(median));
  rp_text_put(t, "}");
}

/* The pieces of a group are recordings themselves. */
static void json_pieces(rp_text *t, const rp_pieces *pieces) {
  rp_text_put(t, ",\n  ");
  rp_group_export_devices(t, pieces);
  rp_text_put(t, ",\n  \"pieces\": [");
  for (uint32_t i = 0; i < pieces->n; i++) {
    rp_text_put(t, i ? ",\n  {" : "\n  {");
    rp_group_export_piece(t, pieces, &pieces->items[i]);
    rp_text_put(t, ", \"recording\": ");
    rp_export_recording(t, pieces->items[i].recording);
    rp_text_put(t, "}");
  }
  rp_text_put(t, "],\n  ");
  rp_group_export_results(t, pieces);
}

void rp_export_recording(rp_text *t, const rp_recording *r) {
  const rp_plan *p = r->plan;
  const char *comma = "";
  rp_text_put(t, "{\n  \"kind\": \"recording\",\n  \"name\": ");
  rp_text_quote(t, p->graph->name);
  rp_text_format(t, ",\n  \"device\": {\"kind\": \"%s\", \"index\": %u, \"name\": ", r->device->backend->name,
                 r->device->info.index);
  rp_text_quote(t, r->device->info.name);
  rp_text_format(t, ", \"workers\": %u},\n", r->device->info.limits.workers);
  json_plan(t, &p->info);
  rp_text_put(t, "  \"blocks\": [\n");
  for (uint32_t b = 0; b < p->n_blocks; b++)
    rp_text_format(t, "    {\"block\": %u, \"space\": \"%s\", \"bytes\": %llu, \"secret\": %s}%s\n", b,
                   rp_export_space(p->blocks[b].block.space), ull(p->blocks[b].block.bytes),
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
  rp_text_put(t, "],\n  \"fused\": [");
  json_fused(t, p);
  rp_text_put(t, "],\n  \"steps\": [");
  comma = "";
  for (int part = 0; part < 2; part++) {
    for (uint32_t s = 0; s < p->parts[part].n_dispatches; s++) {
      rp_text_format(t, "%s\n", comma);
      json_step(t, r, part, s);
      comma = ",";
    }
  }
  rp_text_put(t, "\n  ]");
  if (p->pieces) json_pieces(t, p->pieces);
  rp_text_put(t, "\n}");
}
