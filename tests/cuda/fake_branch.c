/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The fake driver's conditional nodes. A body is a graph that belongs to the graph with the node. In what is made of a
 * graph, `child` has the nodes of the body.
 */
#include "fake_state.h"

#include <stdlib.h>
#include <string.h>

#define FAKE_CALL FAKE_API CUresult CUDAAPI

/* The graph that all of these bodies are in. */
static fake_object *outermost(fake_object *graph) {
  while (graph && graph->around) graph = graph->around;
  return graph;
}

uint32_t fake_find_branches(const fake_object *graph, int (*judge)(const fake_node *)) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < graph->n_nodes; i++)
    if (graph->nodes[i].what == FAKE_BRANCH)
      n += (!judge || judge(&graph->nodes[i])) + fake_find_branches(graph->nodes[i].body, judge);
  return n;
}

int fake_is_pinned(const void *address) {
  const fake_object *o = fake_find_memory(address, 4);
  return o && o->kind == FAKE_PINNED;
}

/* A node depends on nodes with smaller numbers. */
static uint32_t longest_path(const fake_object *graph) {
  uint32_t longest = 0, *path = calloc(graph->n_nodes + 1, sizeof *path);
  for (uint32_t i = 0; i < graph->n_nodes; i++) {
    for (uint32_t k = 0; k < graph->nodes[i].n_deps; k++)
      if (path[i] < path[graph->nodes[i].deps[k]]) path[i] = path[graph->nodes[i].deps[k]];
    if (++path[i] > longest) longest = path[i];
  }
  free(path);
  return longest;
}

uint32_t fake_longest_path(void) {
  uint32_t longest = 0;
  for (const fake_object *o = fake.objects; o; o = o->next) {
    const uint32_t path = o->kind == FAKE_GRAPH && !o->around ? longest_path(o) : 0;
    if (path > longest) longest = path;
  }
  return longest;
}

fake_node *fake_copy_nodes(const fake_object *graph) {
  fake_node *nodes = malloc((graph->n_nodes + 1) * sizeof *nodes);
  if (graph->n_nodes) memcpy(nodes, graph->nodes, graph->n_nodes * sizeof *nodes);
  for (uint32_t i = 0; i < graph->n_nodes; i++)
    if (nodes[i].what == FAKE_BRANCH) {
      nodes[i].child = fake_copy_nodes(nodes[i].body);
      nodes[i].n_child = nodes[i].body->n_nodes;
      nodes[i].child_serial = nodes[i].body->serial;
    }
  return nodes;
}

void fake_forget_body(const fake_object *body) {
  for (uint32_t i = 0; i < body->around->n_nodes; i++)
    if (body->around->nodes[i].body == body) body->around->nodes[i].body = NULL;
}

void fake_free_copies(fake_node *nodes, uint32_t n) {
  for (uint32_t i = 0; i < n; i++)
    if (nodes[i].what == FAKE_BRANCH) {
      fake_free_copies(nodes[i].child, nodes[i].n_child);
      free(nodes[i].child);
    }
}

fake_node *fake_find_node(fake_node *nodes, uint32_t n, uint32_t own, uint32_t serial, uint32_t number) {
  if (own == serial) return number && number <= n ? &nodes[number - 1] : NULL;
  for (uint32_t i = 0; i < n; i++) {
    fake_node *found = NULL;
    if (nodes[i].what == FAKE_BRANCH)
      found = fake_find_node(nodes[i].child, nodes[i].n_child, nodes[i].child_serial, serial, number);
    if (found) return found;
  }
  return NULL;
}

void fake_set_condition(unsigned long long handle, unsigned value) {
  if (!handle || handle > fake.n_conditions)
    fake_violate("cudaGraphSetConditional", "no such handle");
  else if (fake.conditions[handle - 1].serial != fake.running) /* nothing says that a driver allows it */
    fake_violate("cudaGraphSetConditional", "the node is in another graph than the kernel");
  else
    fake.conditions[handle - 1].value = value;
}

void fake_begin_conditions(const fake_object *graph) {
  for (uint32_t i = 0; i < fake.n_conditions; i++)
    if (fake.conditions[i].graph == graph && fake.conditions[i].assigned)
      fake.conditions[i].value = fake.conditions[i].at_first;
}

int fake_condition(const fake_node *node) { return fake.conditions[node->condition - 1].value != 0; }

#if CUDA_VERSION >= 12040
FAKE_CALL cuGraphConditionalHandleCreate(CUgraphConditionalHandle *handle, CUgraph graph, CUcontext context,
                                         unsigned value, unsigned flags) {
  FAKE_ENTER(1);
  fake_object *o = fake_find(graph, FAKE_GRAPH, __func__);
  if (!o || !fake_find(context, FAKE_CONTEXT, __func__)) return fake_leave(CUDA_ERROR_INVALID_VALUE);
  if (fake.n_conditions == FAKE_CONDITIONS) return fake_leave(CUDA_ERROR_OUT_OF_MEMORY);
  fake.conditions[fake.n_conditions] = (fake_condition_state){
      .graph = outermost(o), .at_first = value, .value = 1, .assigned = flags == CU_GRAPH_COND_ASSIGN_DEFAULT};
  *handle = ++fake.n_conditions;
  return fake_leave(CUDA_SUCCESS);
}

static const char *problem_of(const CUgraphNodeParams *params, const fake_object *graph) {
  const CUDA_CONDITIONAL_NODE_PARAMS *c = &params->conditional;
  if (params->type != CU_GRAPH_NODE_TYPE_CONDITIONAL || c->type != CU_GRAPH_COND_TYPE_IF || c->size != 1)
    return "of a kind that the fake driver does not know";
  if (!c->handle || c->handle > fake.n_conditions || fake.conditions[c->handle - 1].graph != graph)
    return "no handle of this graph";
  if (fake.conditions[c->handle - 1].used) return "a handle of another node";
  if ((fake_object *)c->ctx != fake_current()) return "of another context";
  for (int i = 0; i < 3; i++)
    if (params->reserved0[i]) return "reserved words are not 0";
  return NULL;
}

#if CUDA_VERSION >= 13000
#define EDGES const CUgraphEdgeData *edges,
#else
#define EDGES
#endif
FAKE_CALL cuGraphAddNode(CUgraphNode *handle, CUgraph graph, const CUgraphNode *deps, EDGES size_t n_deps,
                         CUgraphNodeParams *params) {
  FAKE_ENTER(1);
#if CUDA_VERSION >= 13000
  (void)edges;
#endif
  fake_object *o = fake_find(graph, FAKE_GRAPH, __func__);
  const char *problem = problem_of(params, outermost(o));
  if (problem) fake_violate(__func__, problem);
  fake_node *node = problem ? NULL : fake_add_node(graph, handle, deps, n_deps, __func__);
  if (!node) return fake_leave(CUDA_ERROR_INVALID_VALUE);
  node->what = FAKE_BRANCH;
  node->condition = (uint32_t)params->conditional.handle;
  node->body = fake_new_graph();
  node->body->around = o;
  node->out = (CUgraph)node->body;
  fake.conditions[node->condition - 1].used = 1;
  fake.conditions[node->condition - 1].serial = o->serial;
  params->conditional.phGraph_out = &node->out;
  return fake_leave(CUDA_SUCCESS);
}
#endif
