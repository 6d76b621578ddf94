/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The bodies that a graph calls: what the graph keeps of each, and adding their nodes, for calls (call.c) and for
 * graphs without calls (flatten.c).
 */
#include "called.h"

#include <reprise/view.h>

enum { LEAST_NODES = 16 }; /* of a body whose calls are nodes */

static uint32_t index_of(rp_value v) { return v.id - 1; }

rp_status rp_called_fail_memory(const rp_call_state *c) {
  rp_graph_fail(c->g, RP_ERR_MEMORY, "call '%.64s': out of host memory for the graph", c->name);
  return RP_ERR_MEMORY;
}

/* ---- Bodies ------------------------------------------------------------------------------------------------------ */

static void release_body(void *body) { rp_graph_release(body); }

/* The most operands, or results, of one node. */
static uint32_t widest(const rp_graph *body, bool results) {
  uint32_t most = 1;
  for (uint32_t n = 0; n < body->n_nodes; n++) {
    const uint32_t width = results ? body->nodes[n].n_out : body->nodes[n].n_in;
    if (width > most) most = width;
  }
  return most;
}

/* Lists the inputs of the body, and the constant values that other nodes read; `seen` has a byte for each value. */
static void list_ins(const rp_graph *body, rp_called *k, unsigned char *seen) {
  for (uint32_t i = 0; i < body->n_inputs; i++) k->ins[k->n_ins++] = index_of(body->inputs[i]);
  for (uint32_t n = 0; n < body->n_nodes; n++) {
    const rp_node *node = &body->nodes[n];
    for (uint32_t i = 0; i < node->n_in && !rp_called_is_constant_node(body, node); i++) {
      const uint32_t v = index_of(node->in[i]);
      if (!body->values[v].constant || seen[v]) continue;
      seen[v] = 1;
      k->ins[k->n_ins++] = v;
    }
  }
}

/* Prepares the part of the entry that is about calls as nodes. 0 when out of memory. */
static bool examine(rp_graph *g, rp_called *k) {
  const rp_graph *body = k->body;
  uint32_t own = 0;
  for (uint32_t n = 0; n < body->n_nodes; n++) own += !rp_called_is_constant_node(body, &body->nodes[n]);
  if (own < LEAST_NODES || body->n_conditions) return 1;
  k->kept = rp_arena_array(&g->arena, body->n_values, sizeof *k->kept);
  k->ins = rp_arena_array(&g->arena, body->n_values, sizeof *k->ins);
  k->secret = rp_arena_array(&g->arena, body->n_values, 1);
  k->same = rp_arena_array(&g->arena, body->n_values, 1);
  unsigned char *seen = rp_host_alloc(g->context, body->n_values + 1u, 1);
  if (k->kept && k->ins && k->secret && k->same && seen) {
    memset(seen, 0, body->n_values);
    list_ins(body, k, seen);
    k->by_node = 1;
  }
  rp_host_free(g->context, seen, body->n_values + 1u);
  return k->by_node;
}

rp_called *rp_called_find(const rp_call_state *c) {
  rp_graph *g = c->g;
  for (rp_called *k = g->called; k; k = k->next)
    if (k->body == c->body) return k;
  rp_called *k = rp_arena_alloc(&g->arena, sizeof *k, _Alignof(rp_called));
  if (!k) return NULL;
  k->body = c->body;
  k->at = rp_arena_array(&g->arena, c->body->n_values, sizeof *k->at);
  k->scope = rp_arena_array(&g->arena, c->body->n_scopes, sizeof(rp_scope *));
  k->condition = rp_arena_array(&g->arena, c->body->n_conditions, sizeof *k->condition);
  k->in = rp_arena_array(&g->arena, widest(c->body, 0), sizeof *k->in);
  k->out = rp_arena_array(&g->arena, widest(c->body, 1), sizeof *k->out);
  if (!k->at || !k->scope || !k->condition || !k->in || !k->out || !examine(g, k)) return NULL;
  atomic_store(&((rp_graph *)c->body)->complete, 1);
  rp_graph_retain(c->body);
  if (rp_graph_keep(g, (void *)c->body, release_body, NULL)) {
    rp_graph_release(c->body);
    return NULL;
  }
  if (!c->flattens) g->copied_bytes += c->body->copied_bytes; /* which the graph keeps alive */
  k->next = g->called;
  return g->called = k;
}

/* ---- Adding the nodes -------------------------------------------------------------------------------------------- */

/* The scope of the call that stands for a scope of the body; NULL after an error of the graph. */
static rp_scope *scope_of(const rp_call_state *c, const rp_scope *s) {
  rp_scope **found = &c->called->scope[s->id], *known = *found;
  if (known) return known;
  rp_scope *parent = scope_of(c, s->parent); /* the outermost scope has been entered */
  if (!parent) return NULL;
  c->g->scope = parent;
  rp_scope_begin(c->g, s->name);
  if (s->title) rp_scope_title(c->g, "%s", s->title);
  return *found = c->g->error.status ? NULL : c->g->scope;
}

/* The number, in the calling graph, of the condition that stands for one of the body; begins it if need be. */
static uint32_t condition_of(const rp_call_state *c, uint32_t number) {
  if (!number) return c->around;
  uint32_t *found = &c->called->condition[number - 1];
  if (*found != 0) return *found;
  const rp_condition *x = &c->body->conditions[number - 1];
  c->g->condition = condition_of(c, x->parent);
  rp_condition_begin(c->g, c->called->at[x->value.id - 1], x->when);
  *found = c->g->condition;
  return c->g->condition;
}

rp_status rp_called_add_node(const rp_call_state *c, const rp_node *n, bool path) {
  rp_called *k = c->called;
  rp_scope *scope = scope_of(c, n->scope);
  if (!scope) return c->g->error.status;
  c->g->scope = scope;
  c->g->condition = condition_of(c, n->condition);
  for (uint32_t i = 0; i < n->n_in; i++) k->in[i] = k->at[n->in[i].id - 1];
  const char *name = path ? rp_arena_path(&c->g->arena, k->scope[0]->path, n->name) : NULL;
  if (path && !name) return rp_called_fail_memory(c);
  if (!rp_graph_node_like(c->g, n, name, k->in, k->out).id) return c->g->error.status;
  for (uint32_t i = 0; i < n->n_out; i++) k->at[n->out[i].id - 1] = k->out[i];
  return RP_OK;
}

/* Whether the calling graph has the node's results already. */
static bool is_there(const rp_call_state *c, const rp_node *node) {
  return c->flattens && rp_called_is_constant_node(c->body, node);
}

/* What the body computes again on purpose, each call computes again. */
rp_status rp_called_add_nodes(const rp_call_state *c) {
  uint32_t section = 0;
  rp_status status = RP_OK;
  for (uint32_t n = 0; n < c->body->n_nodes && !status; n++) {
    const rp_node *node = &c->body->nodes[n];
    if (node->section != section) {
      if (section) rp_recompute_end(c->g);
      if (node->section) rp_recompute_begin(c->g);
      section = node->section;
    }
    if (!is_there(c, node)) status = rp_called_add_node(c, node, c->flattens);
  }
  if (section) rp_recompute_end(c->g);
  return status;
}

void rp_called_enter(const rp_call_state *c, rp_scope *scope) {
  memset(c->called->scope, 0, c->body->n_scopes * sizeof(rp_scope *));
  memset(c->called->condition, 0, c->body->n_conditions * sizeof *c->called->condition);
  c->called->scope[0] = c->g->scope = scope;
}
