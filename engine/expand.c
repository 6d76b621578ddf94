/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Expansion: nodes of composite operations are replaced by nodes of other operations, for one device and memory level.
 * The result is a graph of its own, to which all passes apply. It has the values of the caller's graph under the same
 * ids, and after them those of the nodes that expansion adds; it takes the place of the caller's graph in the plan.
 */
#include "expand.h"
#include "called.h"

#include <stdarg.h>
#include <stdio.h>

typedef struct work {
  rp_graph *to;
  const rp_graph *from;
  void **data;             /* per value of `from`: what an expansion attached, or NULL */
  const rp_device *device; /* for which nodes are expanded; a group: the one that the node is on */
  rp_expand ask;           /* memory level */
} work;

rp_expand_fn rp_op_expand(const rp_op *op) { return RP_HAS(op, expand) ? op->expand : NULL; }

static bool has_composite(const rp_graph *g) {
  for (uint32_t i = 0; i < g->n_nodes; i++)
    if (rp_op_expand(g->nodes[i].op)) return 1;
  return 0;
}

/* ---- Copying ----------------------------------------------------------------------------------------------------- */

static bool copy_items(rp_context *c, void **items, uint32_t *capacity, uint32_t *n, const void *from, uint32_t n_from,
                       size_t size) {
  for (; *n < n_from; ++*n)
    if (!rp_grow(c, items, capacity, *n, size)) return 0;
  if (n_from) memcpy(*items, from, n_from * size);
  return 1;
}

/* The scopes are copied too, since expansions add to their titles. A scope comes after its parent. */
static bool copy_scopes(rp_graph *to, const rp_graph *from) {
  for (uint32_t i = 0; i < from->n_scopes; i++) {
    rp_scope *s = rp_arena_alloc(&to->arena, sizeof *s, _Alignof(rp_scope));
    if (!s || !rp_grow(to->context, (void **)&to->scopes, &to->cap_scopes, to->n_scopes, sizeof *to->scopes)) return 0;
    *s = *from->scopes[i];
    if (s->parent) s->parent = to->scopes[s->parent->id];
    to->scopes[to->n_scopes++] = s;
  }
  to->scope = to->scopes[0];
  return 1;
}

static bool copy_tables(rp_graph *to, const rp_graph *from) {
  rp_context *c = to->context;
  return copy_scopes(to, from) &&
         copy_items(c, (void **)&to->values, &to->cap_values, &to->n_values, from->values, from->n_values,
                    sizeof *to->values) &&
         copy_items(c, (void **)&to->inputs, &to->cap_inputs, &to->n_inputs, from->inputs, from->n_inputs,
                    sizeof *to->inputs) &&
         copy_items(c, (void **)&to->conditions, &to->cap_conditions, &to->n_conditions, from->conditions,
                    from->n_conditions, sizeof *to->conditions) &&
         copy_items(c, (void **)&to->outputs, &to->cap_outputs, &to->n_outputs, from->outputs, from->n_outputs,
                    sizeof *to->outputs);
}

rp_graph *rp_graph_copy_tables(const rp_graph *from) {
  rp_graph *to = rp_host_alloc(from->context, sizeof *to, _Alignof(rp_graph));
  if (!to) return NULL;
  memset(to, 0, sizeof *to);
  to->context = from->context;
  to->mark = from->mark;
  to->name = from->name;
  to->sections = from->sections;
  to->copied_bytes = from->copied_bytes;
  to->unexpanded = from;
  rp_graph_retain(from);
  atomic_fetch_add(&to->context->graphs, 1);
  rp_context_retain(to->context);
  atomic_init(&to->references, 1);
  rp_arena_init(&to->arena, to->context);
  if (copy_tables(to, from)) return to;
  rp_graph_release(to);
  return NULL;
}

/* ---- Nodes ------------------------------------------------------------------------------------------------------- */

static rp_status fail_memory(work *w) {
  rp_graph_fail(w->to, RP_ERR_MEMORY, "out of host memory for the graph");
  return RP_ERR_MEMORY;
}

static rp_status fail(work *w, const rp_node *node, const char *why) {
  w->to->scope = w->to->scopes[0];
  rp_graph_fail(w->to, RP_ERR_UNSUPPORTED, "%.120s: %s", node->name, why);
  return w->to->error.status;
}

/* A node of the caller's that stays. */
static rp_status keep_node(work *w, const rp_node *node) {
  for (uint32_t i = 0; i < node->n_in; i++)
    if (w->data[node->in[i].id - 1])
      return fail(w, node, "it reads a value that only operations which are expanded can read");
  if (w->to->n_nodes >= RP_NODES_MAX)
    return fail(w, node, "the graph has too many nodes once it is expanded: make several");
  return rp_graph_copy_node(w->to, node) ? RP_OK : fail_memory(w);
}

bool rp_graph_copy_node(rp_graph *g, const rp_node *node) {
  if (!rp_grow(g->context, (void **)&g->nodes, &g->cap_nodes, g->n_nodes, sizeof *g->nodes)) return 0;
  for (uint32_t i = 0; i < node->n_out; i++) g->values[node->out[i].id - 1].node = g->n_nodes;
  g->nodes[g->n_nodes] = *node;
  g->nodes[g->n_nodes++].scope = g->scopes[node->scope->id];
  g->n_calls += node->op == &rp_op_call;
  return 1;
}

bool rp_graph_replace_value(rp_graph *g, uint32_t first, rp_value made, rp_value own) {
  rp_value *out = rp_arena_array(&g->arena, 1, sizeof *out);
  if (!out) return 0;
  *out = own;
  for (uint32_t n = first; n < g->n_nodes; n++) {
    rp_node *node = &g->nodes[n];
    for (uint32_t i = 0; i < node->n_in; i++)
      if (node->in[i].id == made.id) ((rp_value *)node->in)[i] = own; /* the array was made with the node, in g */
    if (node->out[0].id != made.id) continue;
    node->out = out;
    g->values[own.id - 1].node = n;
    g->values[own.id - 1].index = 0;
  }
  return 1;
}

/* What the expansion gave for output i, which must be what one of its nodes, from `first` on, computes as its only
 * result. */
static rp_status take_output(work *w, const rp_node *node, const rp_expand *x, uint32_t i, uint32_t first) {
  rp_graph *g = w->to;
  const rp_value own = node->out[i], made = x->out[i];
  rp_graph_value *mine = &g->values[own.id - 1];
  mine->node = RP_NONE;
  if (x->out_data[i]) {
    if (mine->output) return fail(w, node, "its result is an output of the graph, and no node computes it");
    w->data[own.id - 1] = x->out_data[i];
    return RP_OK;
  }
  const rp_graph_value *v = rp_graph_value_of(g, made);
  if (!v || v->node == RP_NONE || v->node < first || g->nodes[v->node].n_out != 1 ||
      g->nodes[v->node].out[0].id != made.id)
    return fail(w, node, "its expansion does not compute a result");
  if (v->type != mine->type || v->len != mine->len || v->secret != mine->secret)
    return fail(w, node, "its expansion computes a result of another type or length");
  return rp_graph_replace_value(g, first, made, own) ? RP_OK : fail_memory(w);
}

static rp_status take_outputs(work *w, const rp_node *node, const rp_expand *x, uint32_t first) {
  rp_graph *g = w->to;
  for (uint32_t n = first; n < g->n_nodes; n++)
    if (rp_op_expand(g->nodes[n].op)) return fail(w, node, "its expansion has an operation that is expanded itself");
  for (uint32_t i = 0; i < node->n_out; i++) {
    const rp_status status = take_output(w, node, x, i, first);
    if (status) return status;
  }
  return RP_OK;
}

/* Opens a scope with the name of the node, and its section if it has one. */
static bool enter(rp_graph *g, const rp_node *node) {
  const char *slash = strrchr(node->name, '/');
  rp_scope *around = g->scopes[node->scope->id];
  rp_scope *s = rp_scope_new(g, around, slash ? slash + 1 : node->name);
  if (!s) return 0;
  g->scope = s;
  g->section_depth = node->section != 0;
  g->sections = node->section;
  return 1;
}

static rp_status expand_node(work *w, const rp_node *node) {
  rp_graph *g = w->to;
  const uint32_t first = g->n_nodes, sections = g->sections;
  rp_expand x = w->ask;
  void **in_data = rp_arena_array(&g->arena, node->n_in, sizeof *in_data);
  x.out = rp_arena_array(&g->arena, node->n_out, sizeof *x.out);
  x.out_data = rp_arena_array(&g->arena, node->n_out, sizeof *x.out_data);
  if (!in_data || !x.out || !x.out_data || !enter(g, node)) return fail_memory(w);
  for (uint32_t i = 0; i < node->n_in; i++) in_data[i] = w->data[node->in[i].id - 1];
  const rp_device *device = w->device;
  if (device->members) device = device->members[node->device < device->n_members ? node->device : 0];
  x.device = device->backend->kind;
  x.limits = &device->info.limits;
  g->device = node->device;
  g->condition = node->condition;
  x.params = node->params;
  x.in = node->in;
  x.in_data = in_data;
  x.n_in = node->n_in;
  x.n_out = node->n_out;
  const rp_status status = rp_op_expand(node->op)(&x);
  if (status && !g->error.status) rp_graph_fail(g, status, "%s", rp_status_text(status));
  if (g->error.status) return g->error.status;
  g->scope = g->scopes[0];
  g->sections = sections;
  g->section_depth = 0;
  g->condition = 0;
  return take_outputs(w, node, &x, first);
}

/* ---- Expanding --------------------------------------------------------------------------------------------------- */

void *rp_expand_alloc(const rp_expand *x, size_t bytes) {
  return x ? rp_arena_alloc(&x->graph->arena, bytes, 64) : NULL;
}

void rp_expand_note(const rp_expand *x, const char *format, ...) {
  char text[101];
  if (!x || !format || x->graph->error.status) return;
  va_list args;
  va_start(args, format);
  const int length = vsnprintf(text, sizeof text, format, args);
  va_end(args);
  rp_graph *g = x->graph;
  rp_scope *around = g->scope; /* the one of the node, or one that its expansion has opened in it */
  while (around->parent && around->id >= x->graph->unexpanded->n_scopes) around = around->parent;
  if (length < 0 || !around->title) return;
  const size_t has = strlen(around->title), adds = strlen(text);
  if (has >= adds && !strcmp(around->title + has - adds, text)) return;
  const char *title = rp_arena_format(&g->arena, "%s%s", around->title, text);
  if (title)
    around->title = title;
  else
    rp_graph_fail(g, RP_ERR_MEMORY, "out of host memory for the graph");
}

rp_status rp_graph_expand(const rp_graph *graph, const rp_device *device, uint32_t memory_level,
                          const rp_graph **expanded, rp_error *err) {
  *expanded = graph;
  if (graph->error.status || !has_composite(graph)) {
    rp_graph_retain(graph);
    return RP_OK;
  }
  *expanded = NULL;
  rp_graph *g = rp_graph_copy_tables(graph);
  if (!g) return rp_fail_memory(err, "an expanded graph");
  work w = {.to = g,
            .from = graph,
            .data = rp_arena_array(&g->arena, graph->n_values, sizeof *w.data),
            .device = device,
            .ask = {.graph = g, .memory_level = memory_level}};
  rp_status status = w.data ? RP_OK : fail_memory(&w);
  for (uint32_t i = 0; i < graph->n_nodes && !status; i++) {
    const rp_node *node = &graph->nodes[i];
    status = rp_op_expand(node->op) ? expand_node(&w, node) : keep_node(&w, node);
  }
  if (!status) {
    *expanded = g;
    return RP_OK;
  }
  (void)rp_fail(err, status, "%s", g->error.reason);
  rp_graph_release(g);
  return status;
}

uint64_t rp_graph_expanded_bytes(const rp_graph *g) {
  if (!g->unexpanded) return 0;
  return sizeof *g + g->arena.total_bytes + g->cap_values * sizeof *g->values + g->cap_nodes * sizeof *g->nodes +
         g->cap_scopes * sizeof *g->scopes + (uint64_t)(g->cap_inputs + g->cap_outputs) * sizeof(rp_value) +
         g->cap_conditions * sizeof *g->conditions + g->names.capacity * sizeof *g->names.slots;
}
