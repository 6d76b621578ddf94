/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * What passes add to a plan and ask of it, and its figures. plan_begin.c makes plans, points.c chooses between them.
 */
#include "plan.h"
#include "dag.h"
#include "expand.h"
#include "template_body.h"

#include <stdio.h>

rp_status rp_plan_fail_memory(rp_error *err) { return rp_fail_memory(err, "the plan"); }

/* The largest power of two of elements that fits one allocation. */
static uint64_t segment_len(const rp_plan *plan, const rp_plan_value *v) {
  uint64_t most = plan->device->info.limits.max_allocation_bytes / v->type->size_bytes;
  if (v->len <= most) return v->len;
  uint64_t len = 1;
  while (len * 2 <= most) len *= 2;
  return len;
}

uint32_t rp_plan_add_value(rp_plan *plan, const rp_plan_value *value) {
  if (!rp_grow(plan->context, (void **)&plan->values, &plan->cap_values, plan->n_values, sizeof *plan->values))
    return RP_NONE;
  rp_plan_value *v = &plan->values[plan->n_values];
  *v = *value;
  v->bytes = v->len * v->type->size_bytes;
  v->word = RP_NONE;
  v->reader = RP_NONE;
  v->same_as = RP_NONE;
  v->fused_into = RP_NONE;
  v->view_of = RP_NONE;
  v->staging_offset = UINT64_MAX;
  v->segment_len = segment_len(plan, v);
  uint64_t n = (v->len + v->segment_len - 1) / v->segment_len;
  v->n_segments = (uint32_t)n;
  v->segments = n < UINT32_MAX ? rp_arena_array(&plan->arena, n, sizeof *v->segments) : NULL;
  return v->segments ? plan->n_values++ : RP_NONE;
}

bool rp_part_add(rp_plan *plan, int part, const rp_plan_dispatch *dispatch) {
  rp_part *p = &plan->parts[part];
  if (!rp_grow(plan->context, (void **)&p->dispatches, &p->cap_dispatches, p->n_dispatches, sizeof *p->dispatches))
    return 0;
  p->dispatches[p->n_dispatches++] = *dispatch;
  p->n_touches += rp_n_touches(dispatch);
  return 1;
}

bool rp_part_add_own(rp_plan *plan, int part, const rp_plan_pattern *pattern) {
  rp_plan_pattern *own = rp_arena_alloc(&plan->arena, sizeof *own, _Alignof(rp_plan_pattern));
  if (!own) return 0;
  *own = *pattern;
  return rp_part_add(plan, part, &(rp_plan_dispatch){.pattern = own});
}

const char *rp_plan_value_name(const rp_plan *plan, uint32_t value, char *text, size_t bytes) {
  const rp_plan_value *v = &plan->values[value];
  if (v->origin == RP_ORIGIN_COMPUTED) {
    const rp_node *n = &plan->nodes[v->node].node;
    const uint32_t i = value + 1 - n->out[0].id; /* the outputs of a node follow each other */
    if (n->n_out == 1)
      snprintf(text, bytes, "%s", n->name);
    else
      snprintf(text, bytes, "%s:%u", n->name, i);
  } else if (v->origin == RP_ORIGIN_SCRATCH) {
    snprintf(text, bytes, "%s.%s", plan->nodes[v->node].node.name, v->name);
  } else {
    snprintf(text, bytes, "%s", v->name);
  }
  return text;
}

/* ---- Figures ----------------------------------------------------------------------------------------------------- */

void rp_plan_program(const rp_plan *plan, int part, rp_program_desc *desc) {
  const rp_part *p = &plan->parts[part];
  *desc = (rp_program_desc){.name = plan->graph->name,
                            .steps = p->steps,
                            .n_steps = p->n_dispatches,
                            .n_levels = p->n_levels,
                            .blocks = p->blocks,
                            .n_blocks = p->n_blocks,
                            .uploads = p->uploads,
                            .n_uploads = p->n_uploads,
                            .input_bytes = part == RP_PART_RUN ? plan->input_bytes : 0,
                            .output_bytes = part == RP_PART_RUN ? plan->output_bytes : 0,
                            .flags = plan->options.flags,
                            .once = part == RP_PART_ONCE,
                            .uploads_ahead = part == RP_PART_RUN && plan->options.max_in_flight > 1,
                            .order_seed = plan->options.order_seed};
}

/* What the plan takes from the context's allocator as a recording has it, with its templates, but without the graph. */
static uint64_t own_bytes(const rp_plan *plan) {
  uint64_t bytes = sizeof *plan + plan->arena.total_bytes + plan->cap_values * sizeof *plan->values +
                   plan->cap_blocks * sizeof *plan->blocks + plan->cap_site_ranges * sizeof *plan->sites;
  for (const rp_template *t = plan->templates; t; t = t->next) bytes += own_bytes(t->plan);
  return bytes;
}

/* With its graph, and with what the backend will take for its programs. */
static uint64_t host_bytes(const rp_plan *plan) {
  const rp_device *d = plan->device;
  uint64_t bytes = own_bytes(plan) + plan->graph->copied_bytes + rp_graph_expanded_bytes(plan->graph);
  rp_program_desc desc;
  rp_plan_program(plan, RP_PART_RUN, &desc);
  if (d->backend->program_host_bytes) bytes += plan->info.slots * d->backend->program_host_bytes(d->state, &desc);
  return bytes;
}

void rp_plan_finish(rp_plan *plan) {
  for (int part = 0; part < 2; part++) rp_dag_free(plan->parts[part].order); /* placement is done with it */
  rp_plan_count(plan);
}

/* The array of values has grown by doubling. Many values are not worth a copy. */
static bool cut_values(rp_plan *plan) {
  enum { MANY = 1 << 14 };
  const uint32_t n = plan->n_values;
  if (n == plan->cap_values || n > MANY) return 1;
  rp_plan_value *own = rp_host_alloc(plan->context, n * sizeof *own, _Alignof(rp_plan_value));
  if (!own) return 0;
  memcpy(own, plan->values, n * sizeof *own);
  rp_grow_free(plan->context, plan->values, plan->cap_values, sizeof *own);
  plan->values = own;
  plan->cap_values = n;
  return 1;
}

rp_status rp_plan_settle(rp_plan *plan, rp_error *err) {
  for (int p = 0; p < 2; p++) {
    rp_part *part = &plan->parts[p];
    rp_grow_free(plan->context, part->dispatches, part->cap_dispatches, sizeof *part->dispatches);
    part->dispatches = NULL;
    part->cap_dispatches = 0;
    part->costs = NULL;
    part->epoch = part->sequence = part->dispatch_of = part->n_preds = part->level = NULL;
    part->preds = NULL;
  }
  rp_arena_free(&plan->passes);
  return cut_values(plan) ? RP_OK : rp_plan_fail_memory(err);
}

void rp_plan_count(rp_plan *plan) {
  rp_plan_info *i = &plan->info;
  const bool in_place = plan->device->info.limits.host_visible != 0;
  *i = (rp_plan_info){.memory_level = plan->memory_level};
  i->slots = plan->options.max_in_flight;
  for (uint32_t b = 0; b < plan->n_blocks; b++) {
    const rp_plan_block *k = &plan->blocks[b];
    switch (k->block.space) {
    case RP_SPACE_CONSTANT: i->constant_bytes += k->block.bytes; break;
    case RP_SPACE_BOUND: break; /* the caller's */
    case RP_SPACE_BORROWED: i->borrowed_bytes += k->block.bytes; break;
    case RP_SPACE_ONCE: i->once_bytes += k->block.bytes; break;
    case RP_SPACE_ARENA:
    case RP_SPACE_EXCHANGE: i->arena_bytes += k->block.bytes; break;
    case RP_SPACE_INPUT:
    case RP_SPACE_OUTPUT: i->io_bytes += in_place ? 0 : k->block.bytes; break;
    case RP_SPACE_PARAMETER: *(k->parts & 1u << RP_PART_RUN ? &i->parameter_bytes : &i->once_bytes) += k->block.bytes;
    }
  }
  i->staging_bytes = plan->input_bytes + plan->output_bytes;
  uint64_t slot = i->arena_bytes + i->io_bytes + i->parameter_bytes + (in_place ? i->staging_bytes : 0);
  uint64_t replay = i->constant_bytes + i->slots * slot, once = i->constant_bytes + i->once_bytes;
  i->total_bytes = replay > once ? replay : once;
  i->nodes = plan->n_order;
  i->dispatches = plan->parts[RP_PART_RUN].n_dispatches;
  i->once_dispatches = plan->parts[RP_PART_ONCE].n_dispatches;
  i->edges = plan->parts[RP_PART_RUN].n_edges;
  i->levels = plan->parts[RP_PART_RUN].n_levels;
  i->host_bytes = host_bytes(plan);
}

/* ---- What passes ask of it --------------------------------------------------------------------------------------- */

static const char *name_of(const rp_pattern *d) {
  static const char *const without[] = {
      [RP_STEP_BIND_IN] = "bind in", [RP_STEP_BIND_OUT] = "bind out", [RP_STEP_GUARD] = "guard"};
  return d->kind == RP_STEP_DISPATCH ? d->kernel->name : without[d->kind];
}

const char *rp_plan_label(const rp_plan_dispatch *d, rp_arena *names) {
  return d->call ? rp_arena_path(names, d->call->step.scope, d->pattern->step.label) : d->pattern->step.label;
}

rp_cost_size rp_plan_size(const rp_plan *plan, const rp_plan_dispatch *d, rp_arena *names) {
  const rp_pattern *x = &d->pattern->step;
  rp_cost_size size = {.kernel = name_of(x),
                       .label = names ? rp_plan_label(d, names) : x->label,
                       .groups = (uint64_t)x->groups[0] * x->groups[1] * x->groups[2],
                       .grain = x->grain};
  for (uint32_t i = 0; i < rp_n_touches(d); i++) {
    const rp_touch t = rp_touch_at(d, i);
    const uint64_t one = t.count * plan->values[t.value].type->size_bytes;
    size.bytes += (t.access & RP_READ_WRITE) == RP_READ_WRITE ? 2 * one : one;
  }
  if (x->kind != RP_STEP_DISPATCH) size.groups = size.bytes / 4096 + 1;
  return size;
}

rp_sharing rp_plan_sharing(const rp_plan *plan, int part) {
  const rp_schedule *s = &plan->schedule;
  return part == RP_PART_ONCE && s->sharing == RP_SHARE_BY_EPOCH && s->cap_bytes != UINT64_MAX ? RP_SHARE_BY_NUMBER
                                                                                               : s->sharing;
}

const char *rp_plan_is_full(const rp_plan *plan, uint32_t n_touches) {
  const rp_part *once = &plan->parts[RP_PART_ONCE], *run = &plan->parts[RP_PART_RUN];
  if (once->n_dispatches + run->n_dispatches >= RP_DISPATCHES_MAX)
    return "one recording has at most 262144 dispatches (RP_DISPATCHES_MAX), and this graph needs more: make several";
  if (once->n_touches + run->n_touches + n_touches > RP_ACCESSES_MAX)
    return "the dispatches of one recording read and write at most 2097152 ranges of values (RP_ACCESSES_MAX), and "
           "this "
           "graph needs more: make several";
  if (plan->n_values >= RP_VALUES_MAX)
    return "one recording has at most 524288 values (RP_VALUES_MAX), and this graph needs more: make several";
  return NULL;
}
