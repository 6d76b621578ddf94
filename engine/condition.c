/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The graph builder: conditions under which nodes run.
 */
#include "graph.h"

#include <reprise/op.h>

/* The condition is not a value of the graph, or something else than one u32. */
static rp_value fail_value(rp_graph *g, rp_value condition) {
  const rp_graph_value *v = rp_graph_value_of(g, condition);
  if (!v) return rp_graph_fail(g, RP_ERR_ARGUMENT, "the condition %s", rp_value_problem(g->mark, condition));
  return rp_graph_fail(g, RP_ERR_TYPE, "the condition is %llu elements of %s, not one u32", (unsigned long long)v->len,
                       v->type->name);
}

void rp_condition_begin(rp_graph *graph, rp_value condition, bool when) {
  if (!graph || graph->error.status) return;
  const rp_graph_value *v = rp_graph_value_of(graph, condition);
  if (!v || v->len != 1 || v->type->size_bytes != sizeof(uint32_t)) {
    fail_value(graph, condition);
    return;
  }
  const uint32_t depth = graph->condition ? graph->conditions[graph->condition - 1].depth + 1 : 0;
  if (depth == RP_CONDITION_DEPTH) {
    rp_graph_fail(graph, RP_ERR_ARGUMENT, "conditions nest at most %u deep", RP_CONDITION_DEPTH);
    return;
  }
  if (!rp_grow(graph->context, (void **)&graph->conditions, &graph->cap_conditions, graph->n_conditions,
               sizeof *graph->conditions)) {
    rp_graph_fail(graph, RP_ERR_MEMORY, "out of host memory for the graph");
    return;
  }
  graph->conditions[graph->n_conditions++] = (rp_condition){
      .value = condition, .when = when != 0, .parent = graph->condition, .depth = depth, .path = graph->scope->path};
  graph->condition = graph->n_conditions;
}

void rp_condition_end(rp_graph *graph) {
  if (!graph || graph->error.status) return;
  if (graph->condition)
    graph->condition = graph->conditions[graph->condition - 1].parent;
  else
    rp_graph_fail(graph, RP_ERR_STATE, "rp_condition_end without its beginning");
}
