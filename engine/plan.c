/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Plans: copies of the graph's tables, to which the passes add, and figures. points.c makes and chooses them.
 */
#include "plan.h"
#include "dag.h"
#include "expand.h"
#include "group/group.h"

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

/* ---- Copying the graph ------------------------------------------------------------------------------------------- */

static const rp_type word_type = {.id = 0, .size_bytes = 8, .align_bytes = 8, .name = "u64"};
static const rp_type error_type = {.id = 0, .size_bytes = 4, .align_bytes = 4, .name = "u32"};

/* What is ignored, and why: reprise/op.h. */
static bool copy_conditions(rp_plan *plan) {
  const rp_graph *g = plan->graph;
  const rp_device *device = plan->device;
  const bool skips = device->backend->skips && device->backend->skips(device->state);
  const bool all = !skips || plan->options.flags & RP_RECORD_ALL_BRANCHES;
  plan->guard_value = RP_NONE;
  plan->n_conditions = g->n_conditions;
  if (!g->n_conditions) return 1;
  plan->conditions = rp_arena_array(&plan->arena, g->n_conditions, sizeof *plan->conditions);
  if (!plan->conditions) return 0;
  for (uint32_t i = 0; i < g->n_conditions; i++) {
    const rp_condition *from = &g->conditions[i];
    const uint32_t around = from->parent ? plan->conditions[from->parent - 1].number : 0;
    const bool ignored = all || rp_graph_value_of(g, from->value)->secret;
    plan->conditions[i] = (rp_plan_condition){.number = ignored ? around : i + 1,
                                              .value = from->value.id - 1,
                                              .when = from->when,
                                              .parent = around,
                                              .word = RP_NONE,
                                              .path = from->path};
  }
  for (uint32_t n = 0; n < plan->n_nodes; n++)
    if (g->nodes[n].condition) plan->nodes[n].condition = plan->conditions[g->nodes[n].condition - 1].number;
  plan->guard_value = rp_plan_add_value(plan, &(rp_plan_value){.origin = RP_ORIGIN_GUARD,
                                                               .type = &word_type,
                                                               .len = (uint64_t)g->n_values + g->n_conditions,
                                                               .name = "guards",
                                                               .node = RP_NONE});
  return plan->guard_value != RP_NONE;
}

static bool copy_graph(rp_plan *plan) {
  const rp_graph *g = plan->graph;
  plan->n_nodes = g->n_nodes;
  plan->nodes = rp_arena_array(&plan->arena, g->n_nodes, sizeof *plan->nodes);
  if (!plan->nodes) return 0;
  for (uint32_t i = 0; i < g->n_nodes; i++)
    plan->nodes[i] = (rp_plan_node){.node = g->nodes[i], .given_in = g->nodes[i].in};
  for (uint32_t i = 0; i < g->n_values; i++) {
    const rp_graph_value *v = &g->values[i];
    rp_plan_value p = {.origin = v->storage == RP_STORAGE_INPUT      ? RP_ORIGIN_INPUT
                                 : v->storage == RP_STORAGE_CONSTANT ? RP_ORIGIN_GIVEN
                                                                     : RP_ORIGIN_COMPUTED,
                       .type = v->type,
                       .len = v->len,
                       .name = v->name,
                       .node = v->node,
                       .flags = v->output ? v->output_flags : v->flags,
                       .output = v->output,
                       .secret = v->secret,
                       .data = v->data,
                       .source = v->source};
    if (rp_plan_add_value(plan, &p) == RP_NONE) return 0;
  }
  plan->n_graph_values = g->n_values;
  plan->n_inputs = g->n_inputs;
  plan->n_outputs = g->n_outputs;
  plan->inputs = rp_arena_array(&plan->arena, g->n_inputs, sizeof *plan->inputs);
  plan->outputs = rp_arena_array(&plan->arena, g->n_outputs, sizeof *plan->outputs);
  if (!plan->inputs || !plan->outputs) return 0;
  for (uint32_t i = 0; i < g->n_inputs; i++) plan->inputs[i] = g->inputs[i].id - 1;
  for (uint32_t i = 0; i < g->n_outputs; i++) plan->outputs[i] = g->outputs[i].id - 1;
  plan->error_value = rp_plan_add_value(
      plan,
      &(rp_plan_value){.origin = RP_ORIGIN_ERROR, .type = &error_type, .len = 4, .name = "error", .node = RP_NONE});
  return plan->error_value != RP_NONE && copy_conditions(plan);
}

void rp_plan_destroy(rp_plan *plan) {
  if (!plan) return;
  rp_context *c = plan->context;
  rp_pieces_free(plan->pieces);
  for (int p = 0; p < 2; p++) {
    rp_part *part = &plan->parts[p];
    rp_grow_free(c, part->dispatches, part->cap_dispatches, sizeof *part->dispatches);
    if (part->order) rp_dag_free(part->order);
  }
  rp_grow_free(c, plan->values, plan->cap_values, sizeof *plan->values);
  rp_grow_free(c, plan->blocks, plan->cap_blocks, sizeof *plan->blocks);
  rp_names_free(&plan->names, c);
  rp_arena_free(&plan->arena);
  if (plan->graph) rp_graph_release(plan->graph);
  rp_host_free(c, plan, sizeof *plan);
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

/* The bytes that the plan takes from the context's allocator, and those that the backend will take for its programs. */
static uint64_t host_bytes(const rp_plan *plan) {
  const rp_device *d = plan->device;
  uint64_t bytes = sizeof *plan + plan->arena.total_bytes + plan->cap_values * sizeof *plan->values +
                   plan->cap_blocks * sizeof *plan->blocks + plan->graph->copied_bytes +
                   rp_graph_expanded_bytes(plan->graph);
  for (int p = 0; p < 2; p++) bytes += plan->parts[p].cap_dispatches * sizeof(rp_plan_dispatch);
  rp_program_desc desc;
  rp_plan_program(plan, RP_PART_RUN, &desc);
  if (d->backend->program_host_bytes) bytes += plan->info.slots * d->backend->program_host_bytes(d->state, &desc);
  return bytes;
}

void rp_plan_finish(rp_plan *plan) {
  for (int part = 0; part < 2; part++) rp_dag_free(plan->parts[part].order); /* placement is done with it */
  rp_plan_count(plan);
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

/* ---- Making one -------------------------------------------------------------------------------------------------- */

rp_status rp_plan_begin(rp_device *device, const rp_graph *graph, const rp_record_options *options,
                        uint32_t memory_level, rp_plan **plan, rp_error *err) {
  *plan = NULL;
  rp_plan *p = rp_host_alloc(device->context, sizeof *p, _Alignof(rp_plan));
  if (!p) return rp_plan_fail_memory(err);
  memset(p, 0, sizeof *p);
  p->context = device->context;
  p->device = device;
  p->options = *options;
  p->memory_level = memory_level;
  p->exact_steps = RP_EXACT_STEPS;
  p->costs = rp_cost_table_find(device, graph, memory_level == options->min_memory_level);
  rp_arena_init(&p->arena, p->context);
  rp_status status = rp_graph_expand(graph, device, memory_level, &p->graph, err);
  if (!status && !copy_graph(p)) status = rp_plan_fail_memory(err);
  if (status) {
    rp_plan_destroy(p);
    return status;
  }
  *plan = p;
  return RP_OK;
}
