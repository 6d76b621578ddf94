/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Graphs without nodes that are calls: the nodes of the bodies take their places, with the names that they would have
 * if the calls had added them. The values of the graph keep their ids; those inside of bodies come after them.
 */
#include "called.h"
#include "expand.h"

static bool inline_call(rp_graph *g, const rp_node *node) {
  const rp_call_what *what = node->params;
  rp_call_state c = {.g = g, .around = node->condition, .body = what->body, .name = node->name, .flattens = 1};
  const uint32_t first = g->n_nodes, sections = g->sections;
  c.called = rp_called_find(&c);
  if (!c.called) return 0;
  for (uint32_t i = 0; i < what->n_ins; i++) c.called->at[what->ins[i]] = node->in[i];
  g->device = node->device;
  g->section_depth = node->section != 0;
  if (node->section) g->sections = node->section;
  rp_called_enter(&c, g->scopes[node->scope->id]);
  if (rp_called_add_nodes(&c)) return 0;
  if (node->section) g->sections = sections;
  g->section_depth = 0;
  g->scope = g->scopes[0];
  g->condition = 0;
  for (uint32_t i = 0; i < what->n_outs; i++) {
    g->values[node->out[i].id - 1].node = RP_NONE;
    if (!rp_graph_replace_value(g, first, c.called->at[what->outs[i]], node->out[i])) return 0;
  }
  return 1;
}

/* Replaces the calls, but not those in their bodies. */
static rp_graph *flatten_once(const rp_graph *from) {
  rp_graph *g = rp_graph_copy_tables(from);
  bool good = g != NULL;
  for (uint32_t n = 0; good && n < from->n_nodes; n++) {
    const rp_node *node = &from->nodes[n];
    good = node->op == &rp_op_call ? inline_call(g, node) : rp_graph_copy_node(g, node);
  }
  if (g && !good) rp_graph_fail(g, RP_ERR_MEMORY, "out of host memory for the graph"); /* unless it has an error */
  return g;
}

rp_status rp_graph_flatten(const rp_graph *graph, const rp_graph **flat, rp_error *err) {
  rp_graph_retain(graph);
  *flat = graph;
  while ((*flat)->n_calls) {
    rp_graph *g = flatten_once(*flat);
    rp_graph_release(*flat);
    *flat = g;
    if (!g) return rp_fail_memory(err, "a graph without calls");
    if (!g->error.status) continue;
    const rp_status status = rp_fail(err, g->error.status, "%s", g->error.reason);
    rp_graph_release(g);
    *flat = NULL;
    return status;
  }
  return RP_OK;
}

/* ---- For those who look at a graph ------------------------------------------------------------------------------- */

static bool is_of(const rp_graph *flat, const rp_graph *g) {
  return flat && flat->flat_nodes == g->n_nodes && flat->flat_values == g->n_values &&
         flat->flat_outputs == g->n_outputs;
}

/* The graph keeps it, so that it does not keep the graph; `older`, if there is one, is kept by it instead. */
static void hang(const rp_graph *graph, rp_graph *flat, const rp_graph *older) {
  rp_graph *last = flat;
  while (last->unexpanded && last->unexpanded != graph) last = (rp_graph *)last->unexpanded;
  last->unexpanded = older;
  rp_graph_release(graph);
  flat->flat_nodes = graph->n_nodes;
  flat->flat_values = graph->n_values;
  flat->flat_outputs = graph->n_outputs;
}

const rp_graph *rp_graph_flat(const rp_graph *graph) {
  if (!graph->n_calls || graph->error.status) return graph;
  const rp_graph *known = atomic_load(&graph->flat), *older = known, *flat;
  if (is_of(known, graph)) return known;
  if (rp_graph_flatten(graph, &flat, NULL) || !flat) return graph;
  hang(graph, (rp_graph *)flat, older);
  if (atomic_compare_exchange_strong(&((rp_graph *)graph)->flat, &known, flat)) return flat;
  rp_graph *last = (rp_graph *)flat; /* another thread was first, whose graph has the older one */
  while (last->unexpanded && last->unexpanded != older) last = (rp_graph *)last->unexpanded;
  last->unexpanded = NULL;
  rp_graph_release(flat);
  return known;
}
