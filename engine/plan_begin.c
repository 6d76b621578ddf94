/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Plans begin as copies of the graph's tables, and with the plans of the bodies that it calls.
 */
#include "plan.h"
#include "call_needs.h"
#include "dag.h"
#include "expand.h"
#include "template_body.h"

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
  plan->n_nodes = plan->n_sites = g->n_nodes;
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

/* ---- Making one -------------------------------------------------------------------------------------------------- */

static void free_templates(rp_plan *plan) {
  for (rp_template *t = plan->templates; t; t = t->next) rp_plan_destroy(t->plan);
  plan->templates = NULL;
}

void rp_plan_destroy(rp_plan *plan) {
  if (!plan) return;
  rp_context *c = plan->context;
  free_templates(plan);
  rp_grow_free(c, plan->sites, plan->cap_site_ranges, sizeof *plan->sites);
  for (int p = 0; p < 2; p++) {
    rp_part *part = &plan->parts[p];
    rp_grow_free(c, part->dispatches, part->cap_dispatches, sizeof *part->dispatches);
    if (part->order) rp_dag_free(part->order);
  }
  rp_grow_free(c, plan->values, plan->cap_values, sizeof *plan->values);
  rp_grow_free(c, plan->blocks, plan->cap_blocks, sizeof *plan->blocks);
  rp_names_free(&plan->names, c);
  rp_arena_free(&plan->arena);
  rp_arena_free(&plan->passes);
  if (plan->graph) rp_graph_release(plan->graph);
  rp_host_free(c, plan, sizeof *plan);
}

/* ---- Planning the bodies of calls -------------------------------------------------------------------------------- */

/* What is computed of constants alone is an operand, like a constant whose data is not known. */
static void give_constants(rp_plan *p) {
  for (uint32_t n = 0; n < p->n_nodes; n++) {
    rp_node *node = &p->nodes[n].node;
    if (!p->graph->values[node->out[0].id - 1].constant) continue;
    for (uint32_t i = 0; i < node->n_out; i++) {
      rp_plan_value *v = &p->values[node->out[i].id - 1];
      v->origin = RP_ORIGIN_GIVEN;
      v->flags = RP_REPLACEABLE;
      v->node = RP_NONE;
    }
    node->n_out = 0; /* so that it is not live */
  }
}

static void prepare(rp_plan *p, const rp_call_what *what) {
  for (uint32_t i = 0; i < p->n_graph_values; i++) {
    rp_plan_value *v = &p->values[i];
    bool wanted = 0;
    for (uint32_t k = 0; k < what->n_outs; k++) wanted |= what->outs[k] == i;
    if (!wanted) v->output = NULL;
    v->flags = v->origin == RP_ORIGIN_GIVEN ? RP_BORROW : 0;
  }
  give_constants(p);
}

/* The passes up to placement make the plan of the body: its inputs and constants are operands of the calls, its outputs
 * results, and its arena is the frame. */
static rp_status plan_body(const rp_plan *outer, const rp_call_what *what, uint32_t site_base, rp_plan **plan,
                           rp_error *err) {
  rp_status status = rp_plan_begin(outer->device, what->body, &outer->options, outer->memory_level, plan, err);
  rp_plan *p = *plan;
  if (!p) return status;
  p->exact_steps = outer->exact_steps;
  p->site_base = site_base;
  prepare(p, what);
  for (const rp_pass *pass = rp_passes; !status && pass->run != rp_pass_hazards; pass++) status = pass->run(p, err);
  for (int part = 0; part < 2; part++)
    if (p->parts[part].order) rp_dag_free(p->parts[part].order);
  if (!status && p->parts[RP_PART_ONCE].n_dispatches)
    status = rp_template_refuse(what, "it computes something once", err);
  return status;
}

/* Arguments say to kernels under which number they report faults. Where, only the strategies know: the body is planned
 * a second time with other numbers. */
static rp_status find_sites(const rp_plan *outer, rp_template *t, rp_error *err) {
  rp_plan *again = NULL;
  if (!t->plan->uses_sites) return RP_OK;
  rp_status status = plan_body(outer, t->what, RP_OTHER_SITE_BASE, &again, err);
  if (!status) status = rp_template_find_sites(t, again, err);
  rp_plan_destroy(again);
  return status;
}

static rp_status make_template(rp_plan *plan, const rp_call_what *what, rp_error *err) {
  rp_template *t = rp_arena_alloc(&plan->arena, sizeof *t, _Alignof(rp_template));
  if (!t) return rp_plan_fail_memory(err);
  *t = (rp_template){.next = plan->templates, .what = what};
  plan->templates = t; /* which frees it */
  rp_status status = plan_body(plan, what, 0, &t->plan, err);
  if (!status) status = rp_template_find_places(t, err);
  if (!status) status = find_sites(plan, t, err);
  if (!status) status = rp_template_make_patterns(t, err);
  if (!status) rp_arena_free(&t->plan->passes);
  return status;
}

/* Makes the templates of all calls in the plan's graph. RP_ERR_UNSUPPORTED: one of the bodies cannot be planned by
 * itself, and the graph has to be flattened. */
static rp_status make_templates(rp_plan *plan, rp_error *err) {
  const rp_graph *g = plan->graph;
  bool much = 0;
  const rp_status counted = g->n_calls ? rp_calls_compute_much(g, &much, err) : RP_OK;
  if (counted || much) return counted ? counted : RP_ERR_UNSUPPORTED;
  for (uint32_t n = 0; n < g->n_nodes; n++) {
    if (g->nodes[n].op != &rp_op_call || rp_template_find(plan, g->nodes[n].params)) continue;
    rp_error why = {0};
    const rp_status status = plan->device->members ? RP_ERR_UNSUPPORTED : make_template(plan, g->nodes[n].params, &why);
    if (!status) continue;
    if (status == RP_ERR_MEMORY && err) *err = why;
    return status == RP_ERR_MEMORY ? status : RP_ERR_UNSUPPORTED;
  }
  return RP_OK;
}

/* ---- The graph of a plan ----------------------------------------------------------------------------------------- */

static rp_status flatten(rp_plan *p, const rp_graph *graph, rp_error *err) {
  const rp_graph *flat;
  free_templates(p);
  rp_graph_release(p->graph);
  p->graph = NULL;
  rp_status status = rp_graph_flatten(graph, &flat, err);
  if (status) return status;
  status = rp_graph_expand(flat, p->device, p->memory_level, &p->graph, err);
  rp_graph_release(flat);
  return status;
}

/* The graph, expanded. Calls stay nodes if all of their bodies have templates. */
static rp_status find_graph(rp_plan *p, const rp_graph *graph, rp_error *err) {
  rp_status status = rp_graph_expand(graph, p->device, p->memory_level, &p->graph, err);
  if (!status) status = make_templates(p, err);
  return status == RP_ERR_UNSUPPORTED && p->graph ? flatten(p, graph, err) : status;
}

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
  rp_arena_init(&p->passes, p->context);
  rp_status status = find_graph(p, graph, err);
  if (!status && !copy_graph(p)) status = rp_plan_fail_memory(err);
  if (status) {
    rp_plan_destroy(p);
    return status;
  }
  *plan = p;
  return RP_OK;
}
