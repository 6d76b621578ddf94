/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Calls that are one node. A call is not, but adds the nodes of its body, if
 *   - the body is short: then merging, fusing and placing its nodes among those around it gains more;
 *   - the body has conditions, which belong to the calling graph;
 *   - some input is a constant or has a form, from which operations of the body may learn something;
 *   - an output is one of a node with several results, has a form, or depends on constants alone;
 *   - an output would be taken for a secret that is none, because another input of the call is one;
 *   - part of the body would compute again what an earlier call has computed from the same values.
 * What depends on constants of the body alone is added to the calling graph once, and is an operand of the nodes.
 */
#include "called.h"

static uint32_t index_of(rp_value v) { return v.id - 1; }

/* ---- Which calls are nodes --------------------------------------------------------------------------------------- */

static bool outputs_are_good(const rp_call_state *c, const rp_call_port *outputs, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) {
    const rp_graph_value *v = rp_graph_value_of(c->body, outputs[i].value);
    if (v->constant || v->form || v->node == RP_NONE || c->body->nodes[v->node].n_out != 1) return 0;
  }
  return 1;
}

static bool inputs_are_good(const rp_call_state *c) {
  for (uint32_t i = 0; i < c->body->n_inputs; i++) {
    const rp_graph_value *v = rp_graph_value_of(c->g, c->called->at[index_of(c->body->inputs[i])]);
    if (v->constant || v->form || v->device != c->g->device) return 0;
  }
  return 1;
}

/* Carries a mark from the inputs, where `marks` has changed if `changed`, to what depends on any of them, or on them
 * and constants alone. Returns whether a node that may be merged with others has the mark. */
static bool spread(const rp_graph *body, unsigned char *marks, bool any) {
  bool found = 0;
  for (uint32_t n = 0; n < body->n_nodes; n++) {
    const rp_node *node = &body->nodes[n];
    bool all = 1, some = 0;
    for (uint32_t i = 0; i < node->n_in; i++) {
      const uint32_t v = index_of(node->in[i]);
      some |= marks[v] != 0;
      all &= marks[v] || body->values[v].constant;
    }
    const bool mark = any ? some : some && all;
    found |= mark && RP_HAS(node->op, flags) && (node->op->flags & RP_OP_PURE);
    for (uint32_t i = 0; i < node->n_out; i++) marks[index_of(node->out[i])] = mark;
  }
  return found;
}

/* Writes a mark; returns whether it was another one. */
static bool put(unsigned char *mark, bool value) {
  const bool changed = *mark != value;
  *mark = value;
  return changed;
}

/* A node has one secret among its inputs, or none, so that all of its results are secrets or none is. */
static bool secrets_are_good(const rp_call_state *c, const rp_call_port *outputs, uint32_t n) {
  const rp_graph *body = c->body;
  unsigned char *secret = c->called->secret;
  bool some = 0, changed = 0;
  for (uint32_t i = 0; i < body->n_inputs; i++) {
    const uint32_t v = index_of(body->inputs[i]);
    const bool is = rp_graph_value_of(c->g, c->called->at[v])->secret;
    changed |= put(&secret[v], is);
    some |= is;
  }
  if (changed) (void)spread(body, secret, 1);
  for (uint32_t i = 0; i < n && some; i++)
    if (!secret[index_of(outputs[i].value)]) return 0;
  return 1;
}

/* Enters that a value has been given for an input. Returns whether it had been before. */
static bool enter_given(rp_called *k, uint32_t input, uint32_t value) {
  const uint64_t key = (uint64_t)input << 32 | value; /* never 0 */
  for (uint64_t i = key * 0x9e3779b97f4a7c15u >> 32;; i++) {
    uint64_t *at = &k->given[i & (k->cap_given - 1u)];
    if (*at == key) return 1;
    if (*at) continue;
    *at = key;
    k->n_given++;
    return 0;
  }
}

/* Makes room for the inputs of one more call. */
static bool reserve_given(rp_graph *g, rp_called *k) {
  if (2 * (k->n_given + k->body->n_inputs) <= k->cap_given) return 1;
  const uint64_t *before = k->given;
  const uint32_t n = k->cap_given;
  uint32_t capacity = n ? n : 16;
  while (capacity < 4 * (k->n_given + k->body->n_inputs)) capacity *= 2;
  uint64_t *table = rp_arena_array(&g->arena, capacity, sizeof *table);
  if (!table) return 0;
  k->given = table;
  k->cap_given = capacity;
  k->n_given = 0;
  for (uint32_t i = 0; i < n; i++)
    if (before[i]) (void)enter_given(k, (uint32_t)(before[i] >> 32), (uint32_t)before[i]);
  return 1;
}

/* Whether a part of the body would compute from inputs that earlier calls had what these have computed. From then on
 * calls add the nodes of the body, among which equal ones are merged. */
static bool repeats_itself(const rp_call_state *c) {
  const rp_graph *body = c->body;
  rp_called *k = c->called;
  bool some = 0, changed = 0;
  if (!reserve_given(c->g, k)) return 1;
  for (uint32_t i = 0; i < body->n_inputs; i++) {
    const uint32_t v = index_of(body->inputs[i]);
    const bool is = enter_given(k, i, k->at[v].id);
    changed |= put(&k->same[v], is);
    some |= is;
  }
  if (some && changed && spread(body, k->same, 0)) k->by_node = 0;
  return !k->by_node;
}

bool rp_call_is_node(const rp_call_state *c, const rp_call_port *outputs, uint32_t n_outputs) {
  return c->called->by_node && inputs_are_good(c) && outputs_are_good(c, outputs, n_outputs) &&
         secrets_are_good(c, outputs, n_outputs) && !repeats_itself(c);
}

/* ---- The node ---------------------------------------------------------------------------------------------------- */

/* Lists the outputs that are asked for, each once. */
static uint32_t list_outs(const rp_call_port *outputs, uint32_t n_outputs, uint32_t *outs) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < n_outputs; i++) {
    uint32_t k = 0;
    while (k < n && outs[k] != index_of(outputs[i].value)) k++;
    outs[k] = index_of(outputs[i].value);
    n += k == n;
  }
  return n;
}

/* What the call calls, which others that give the same outputs share. NULL when out of memory. */
static const rp_call_what *find_what(const rp_call_state *c, const rp_call_port *outputs, uint32_t n_outputs) {
  rp_called *k = c->called;
  uint32_t *outs = rp_host_alloc(c->g->context, n_outputs * sizeof *outs, _Alignof(uint32_t));
  if (!outs) return NULL;
  const uint32_t n = list_outs(outputs, n_outputs, outs);
  const rp_call_what *known = k->whats;
  while (known && (known->n_outs != n || memcmp(known->outs, outs, n * sizeof *outs) != 0)) known = known->next;
  rp_call_what *w = known ? NULL : rp_arena_alloc(&c->g->arena, sizeof *w, _Alignof(rp_call_what));
  uint32_t *own = known ? NULL : rp_arena_array(&c->g->arena, n, sizeof *own);
  if (w && own) {
    memcpy(own, outs, n * sizeof *own);
    *w = (rp_call_what){.body = c->body, .next = k->whats, .ins = k->ins, .outs = own, .n_ins = k->n_ins, .n_outs = n};
    known = k->whats = w;
  }
  rp_host_free(c->g->context, outs, n_outputs * sizeof *outs);
  return known;
}

/* Adds what depends on constants of the body alone, once. It runs once, whatever the conditions. */
static rp_status keep_constants(const rp_call_state *c) {
  const rp_graph *body = c->body;
  rp_called *k = c->called;
  const rp_call_state outside = {.g = c->g, .body = body, .name = c->name, .called = k};
  for (uint32_t n = 0; n < body->n_nodes && !k->has_kept; n++) {
    const rp_node *node = &body->nodes[n];
    if (!rp_called_is_constant_node(body, node)) continue;
    const rp_status status = rp_called_add_node(&outside, node, 1);
    if (status) return status;
    for (uint32_t i = 0; i < node->n_out; i++) k->kept[index_of(node->out[i])] = k->at[index_of(node->out[i])];
  }
  k->has_kept = 1;
  return RP_OK;
}

rp_status rp_call_add_node(const rp_call_state *c, const rp_call_port *outputs, uint32_t n_outputs) {
  rp_called *k = c->called;
  rp_graph *g = c->g;
  rp_scope *scope = g->scope;
  const rp_status status = keep_constants(c);
  if (status) return status;
  const rp_call_what *what = find_what(c, outputs, n_outputs);
  const size_t bytes = what ? ((size_t)what->n_ins + what->n_outs) * sizeof(rp_value) : 0;
  rp_value *in = what ? rp_host_alloc(g->context, bytes, _Alignof(rp_value)) : NULL;
  if (!in) return rp_called_fail_memory(c);
  rp_value *out = in + what->n_ins;
  for (uint32_t i = 0; i < k->n_ins; i++) in[i] = k->kept[k->ins[i]].id ? k->kept[k->ins[i]] : k->at[k->ins[i]];
  const rp_node node = {.op = &rp_op_call, .params = what, .n_in = what->n_ins, .n_out = what->n_outs};
  g->scope = scope;
  g->condition = c->around;
  if (rp_graph_node_like(g, &node, NULL, in, out).id)
    for (uint32_t i = 0; i < what->n_outs; i++) k->at[what->outs[i]] = out[i];
  rp_host_free(g->context, in, bytes);
  return g->error.status;
}
