/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * What a caller asks of a graph: its values, and by index its values, nodes, conditions and scopes as they were built.
 * Calls are seen as the nodes of their bodies.
 */
#include "called.h"

#include <reprise/group.h>

/* ---- Values ------------------------------------------------------------------------------------------------------ */

/* Also of a value inside of a call. NULL: it does not belong to this graph. */
static const rp_graph_value *value_seen(const rp_graph *graph, rp_value value) {
  const rp_graph_value *v = rp_graph_value_of(graph, value);
  return v || !graph || !graph->n_calls ? v : rp_graph_value_of(rp_graph_flat(graph), value);
}

const rp_type *rp_value_type(const rp_graph *graph, rp_value value) {
  const rp_graph_value *v = value_seen(graph, value);
  return v ? v->type : NULL;
}

uint64_t rp_value_len(const rp_graph *graph, rp_value value) {
  const rp_graph_value *v = value_seen(graph, value);
  return v ? v->len : 0;
}

const void *rp_value_form(const rp_graph *graph, rp_value value, const rp_form *form) {
  return rp_form_data_of(value_seen(graph, value), form);
}

rp_context *rp_graph_context(const rp_graph *graph) { return graph ? graph->context : NULL; }

rp_storage rp_value_storage(const rp_graph *graph, rp_value value) {
  const rp_graph_value *v = value_seen(graph, value);
  if (!v) return RP_STORAGE_NONE;
  if (v->output) return RP_STORAGE_OUTPUT;
  return v->constant ? RP_STORAGE_CONSTANT : v->storage;
}

bool rp_value_is_constant(const rp_graph *graph, rp_value value) {
  const rp_graph_value *v = value_seen(graph, value);
  return v && v->constant;
}

uint32_t rp_value_device(const rp_graph *graph, rp_value value) {
  const rp_graph_value *v = value_seen(graph, value);
  return v ? v->device : 0;
}

/* ---- By index ---------------------------------------------------------------------------------------------------- */

static rp_status give(void *info, const void *found, size_t bytes, const char *function, rp_error *err) {
  if (rp_info_write(info, found, bytes)) return RP_OK;
  return rp_fail(err, RP_ERR_ARGUMENT, "%s: info.struct_size is not set", function);
}

static rp_status none(const rp_graph *graph, uint32_t n, const char *what, uint32_t index, rp_error *err) {
  return rp_fail(err, RP_ERR_ARGUMENT, "%s has %u %s, and none with index %u", graph->name, n, what, index);
}

const char *rp_graph_name(const rp_graph *graph) { return graph ? graph->name : NULL; }
uint32_t rp_graph_n_values(const rp_graph *graph) { return graph ? rp_graph_flat(graph)->n_values : 0; }
uint32_t rp_graph_n_nodes(const rp_graph *graph) { return graph ? rp_graph_flat(graph)->n_nodes : 0; }
uint32_t rp_graph_n_conditions(const rp_graph *graph) { return graph ? rp_graph_flat(graph)->n_conditions : 0; }
uint32_t rp_graph_n_scopes(const rp_graph *graph) { return graph ? rp_graph_flat(graph)->n_scopes : 0; }

rp_status rp_graph_get_value(const rp_graph *graph, uint32_t index, rp_value_info *info, rp_error *err) {
  if (!graph || !info) return rp_fail_null(err, "rp_graph_get_value");
  graph = rp_graph_flat(graph);
  if (index >= graph->n_values) return none(graph, graph->n_values, "values", index, err);
  const rp_graph_value *v = &graph->values[index];
  const rp_value_info found = {.struct_size = sizeof found,
                               .flags = v->flags,
                               .storage = v->storage,
                               .node = v->node,
                               .value = {index + 1, graph->mark},
                               .type = v->type,
                               .len = v->len,
                               .name = v->name,
                               .data = v->data,
                               .output = v->output,
                               .output_flags = v->output_flags};
  return give(info, &found, sizeof found, "rp_graph_get_value", err);
}

rp_status rp_graph_get_node(const rp_graph *graph, uint32_t index, rp_graph_node_info *info, rp_error *err) {
  if (!graph || !info) return rp_fail_null(err, "rp_graph_get_node");
  graph = rp_graph_flat(graph);
  if (index >= graph->n_nodes) return none(graph, graph->n_nodes, "nodes", index, err);
  const rp_node *n = &graph->nodes[index];
  const rp_graph_node_info found = {.struct_size = sizeof found,
                                    .scope = n->scope->id,
                                    .section = n->section,
                                    .n_in = n->n_in,
                                    .n_out = n->n_out,
                                    .name = n->name,
                                    .op = n->op,
                                    .params = n->params,
                                    .in = n->in,
                                    .out = n->out,
                                    .condition = n->condition};
  return give(info, &found, sizeof found, "rp_graph_get_node", err);
}

rp_status rp_graph_get_scope(const rp_graph *graph, uint32_t index, rp_scope_info *info, rp_error *err) {
  if (!graph || !info) return rp_fail_null(err, "rp_graph_get_scope");
  graph = rp_graph_flat(graph);
  if (index >= graph->n_scopes) return none(graph, graph->n_scopes, "scopes", index, err);
  const rp_scope *s = graph->scopes[index];
  const rp_scope_info found = {
      .struct_size = sizeof found, .parent = s->parent ? s->parent->id : 0, .name = s->name, .path = s->path};
  return give(info, &found, sizeof found, "rp_graph_get_scope", err);
}

rp_status rp_graph_get_condition(const rp_graph *graph, uint32_t number, rp_condition_info *info, rp_error *err) {
  if (!graph || !info) return rp_fail_null(err, "rp_graph_get_condition");
  graph = rp_graph_flat(graph);
  if (number - 1 >= graph->n_conditions) return none(graph, graph->n_conditions, "conditions", number, err);
  const rp_condition *c = &graph->conditions[number - 1];
  const rp_condition_info found = {
      .struct_size = sizeof found, .when = c->when, .parent = c->parent, .value = c->value};
  return give(info, &found, sizeof found, "rp_graph_get_condition", err);
}
