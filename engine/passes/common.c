/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Common: of nodes that compute the same, only one is kept, and of constants with the same content. Two nodes compute
 * the same if they have the same operation, which promises RP_OP_PURE, equal bytes of parameters, and the same inputs,
 * where equal values count as one.
 *
 * The node that is kept is the first that has an output of the graph, because outputs keep their values and names. It
 * moves to the place of the first of the equal nodes, so that it comes before all readers of any of them. Others with
 * outputs of the graph are also computed, into memory of their own, but their readers read the one that is kept.
 *
 * Nodes that depend on constants alone and have an output of the graph are not merged: they run each time, while the
 * readers of an equal node without an output run once.
 *
 * A node that runs under a condition is not kept for one that runs when the condition does not hold: of two, the first
 * must run in every run in which the second does. What two branches compute, each computes for itself.
 *
 * A value that is computed once but read late takes memory for longer. Where values share memory by the numbers of
 * dispatches (arena_place.c), nodes that run each time are therefore merged only if that adds at most a quarter, and 1
 * MiB, to the bytes that are live at once.
 */
#include "plan.h"

enum { NOTHING_BYTES = 1 << 20 }; /* saving a node is always worth this much memory */

typedef struct work {
  rp_plan *plan;
  uint32_t *same;      /* per value of the graph: index of the first equal value */
  uint32_t *first;     /* per node: the first node that computes the same */
  uint32_t *bearer;    /* per first node: the one of its equal nodes that is kept */
  unsigned char *once; /* per node: it depends on constants alone */
  uint32_t *slots;     /* hash table with linear probing, at most half full: nodes or values, or RP_NONE */
  uint64_t *hashes;
  uint64_t mask;
  bool once_only; /* nodes that run each time are not merged */
} work;

static rp_plan_value *value_of(const work *w, rp_value v) { return &w->plan->values[v.id - 1]; }

static uint64_t mix(uint64_t hash, uint64_t word) {
  hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
  return hash ^ hash >> 32;
}

static uint64_t mix_bytes(uint64_t hash, const void *data, uint64_t bytes) {
  const unsigned char *at = data;
  uint64_t word = 0;
  for (; bytes >= sizeof word; bytes -= sizeof word, at += sizeof word) {
    memcpy(&word, at, sizeof word);
    hash = mix(hash, word);
  }
  word = 0;
  if (bytes) memcpy(&word, at, bytes);
  return mix(hash, word ^ bytes << 56);
}

typedef bool (*equal_fn)(const work *w, uint32_t a, uint32_t b);

/* The equal index that was entered before; if there is none, enters `index` and returns it. */
static uint32_t find_or_add(work *w, uint32_t index, uint64_t hash, equal_fn equal) {
  for (uint64_t i = hash ^ hash >> 32;; i++) {
    const uint64_t at = i & w->mask;
    if (w->slots[at] == RP_NONE) {
      w->slots[at] = index;
      w->hashes[at] = hash;
      return index;
    }
    if (w->hashes[at] == hash && equal(w, w->slots[at], index)) return w->slots[at];
  }
}

static void clear_slots(work *w) {
  for (uint64_t i = 0; i <= w->mask; i++) w->slots[i] = RP_NONE;
}

/* ---- Constants --------------------------------------------------------------------------------------------------- */

static bool is_borrowed(const rp_plan_value *v) { return (v->flags & RP_BORROW) != 0; }

/* Borrowed data may be a key of gigabytes, so addresses are compared instead of contents. */
static bool constants_equal(const work *w, uint32_t a, uint32_t b) {
  const rp_plan_value *x = &w->plan->values[a], *y = &w->plan->values[b];
  if (x->type->id != y->type->id || x->type->size_bytes != y->type->size_bytes ||
      x->type->align_bytes != y->type->align_bytes || x->len != y->len || is_borrowed(x) != is_borrowed(y))
    return 0;
  if (x->source || y->source) return rp_same_source(x->source, y->source);
  return is_borrowed(x) ? x->data == y->data : memcmp(x->data, y->data, x->bytes) == 0;
}

static void find_same_constants(work *w) {
  clear_slots(w);
  for (uint32_t i = 0; i < w->plan->n_graph_values; i++) {
    const rp_plan_value *v = &w->plan->values[i];
    w->same[i] = i;
    if (v->origin != RP_ORIGIN_GIVEN || !v->live || v->flags & RP_REPLACEABLE) continue;
    uint64_t hash = mix(mix(v->type->id, v->len), is_borrowed(v));
    if (!v->source) /* sources may be equal by their digests or by their functions */
      hash = is_borrowed(v) ? mix(hash, (uintptr_t)v->data) : mix_bytes(hash, v->data, v->bytes);
    w->same[i] = find_or_add(w, i, hash, constants_equal);
  }
}

/* ---- Nodes ------------------------------------------------------------------------------------------------------- */

static bool has_output(const work *w, const rp_node *n) {
  for (uint32_t i = 0; i < n->n_out; i++)
    if (value_of(w, n->out[i])->output) return 1;
  return 0;
}

static bool depends_on_constants(const work *w, const rp_node *n) {
  for (uint32_t i = 0; i < n->n_in; i++) {
    const rp_plan_value *v = value_of(w, n->in[i]);
    if (v->origin != RP_ORIGIN_GIVEN && !(v->origin == RP_ORIGIN_COMPUTED && w->once[v->node])) return 0;
  }
  return 1;
}

static bool is_pure(const rp_op *op) { return RP_HAS(op, flags) && (op->flags & RP_OP_PURE); }

static bool nodes_equal(const work *w, uint32_t a, uint32_t b) {
  const rp_node *x = &w->plan->nodes[a].node, *y = &w->plan->nodes[b].node;
  if (!w->once[b] && !rp_plan_implies(w->plan, w->plan->nodes[b].condition, w->plan->nodes[a].condition)) return 0;
  if (x->op != y->op || x->section != y->section || x->n_in != y->n_in || x->n_out != y->n_out) return 0;
  if (x->op->params_bytes && memcmp(x->params, y->params, x->op->params_bytes) != 0) return 0;
  for (uint32_t i = 0; i < x->n_in; i++)
    if (w->same[x->in[i].id - 1] != w->same[y->in[i].id - 1]) return 0;
  for (uint32_t i = 0; i < x->n_out; i++) {
    const rp_plan_value *v = value_of(w, x->out[i]), *u = value_of(w, y->out[i]);
    if (v->type != u->type || v->len != u->len || v->secret != u->secret) return 0;
  }
  return 1;
}

static uint64_t hash_node(const work *w, const rp_node *n) {
  uint64_t hash = mix(mix(mix((uintptr_t)n->op, n->section), n->n_in), n->n_out);
  for (uint32_t i = 0; i < n->n_in; i++) hash = mix(hash, w->same[n->in[i].id - 1]);
  return mix_bytes(hash, n->params, n->op->params_bytes);
}

/* In the order of the nodes, so that the equal values of all inputs are known. */
static void find_same_nodes(work *w) {
  clear_slots(w);
  for (uint32_t n = 0; n < w->plan->n_nodes; n++) {
    const rp_node *node = &w->plan->nodes[n].node;
    w->first[n] = w->bearer[n] = n;
    if (!w->plan->nodes[n].live) continue;
    const bool output = has_output(w, node), constant = depends_on_constants(w, node);
    w->once[n] = constant && !output;
    if (!is_pure(node->op) || (constant ? output : w->once_only)) continue;
    const uint32_t f = w->first[n] = find_or_add(w, n, hash_node(w, node), nodes_equal);
    if (output && !has_output(w, &w->plan->nodes[w->bearer[f]].node)) w->bearer[f] = n;
    for (uint32_t i = 0; i < node->n_out; i++) w->same[node->out[i].id - 1] = w->plan->nodes[f].node.out[i].id - 1;
  }
}

/* ---- What follows ------------------------------------------------------------------------------------------------ */

/* The value that replaces this one. */
static uint32_t kept(const work *w, uint32_t value) {
  const rp_plan *p = w->plan;
  const uint32_t same = w->same[value];
  if (p->values[same].origin != RP_ORIGIN_COMPUTED) return same;
  const uint32_t first = p->values[same].node;
  return p->nodes[w->bearer[first]].node.out[same + 1 - p->nodes[first].node.out[0].id].id - 1;
}

static bool is_dropped(const work *w, uint32_t n) {
  return n != w->bearer[w->first[n]] && !has_output(w, &w->plan->nodes[n].node);
}

/* The largest number of bytes that are live at once if nodes run one after another. `last` has room for all values,
 * `change` for all nodes and one more. */
static uint64_t peak_of(const work *w, bool merged, uint32_t *last, uint64_t *change) {
  const rp_plan *p = w->plan;
  uint64_t live = 0, peak = 0;
  for (uint32_t i = 0; i < p->n_graph_values; i++) last[i] = RP_NONE;
  for (uint32_t n = 0; n <= p->n_nodes; n++) change[n] = 0;
  for (uint32_t n = 0; n < p->n_nodes; n++)
    for (uint32_t i = 0; p->nodes[n].live && !(merged && is_dropped(w, n)) && i < p->nodes[n].node.n_in; i++) {
      const uint32_t in = p->nodes[n].node.in[i].id - 1;
      last[merged ? kept(w, in) : in] = n;
    }
  for (uint32_t i = 0; i < p->n_graph_values; i++) {
    const rp_plan_value *v = &p->values[i];
    if (last[i] == RP_NONE || v->origin != RP_ORIGIN_COMPUTED || v->output || w->once[v->node]) continue;
    change[merged ? w->first[v->node] : v->node] += v->bytes;
    change[last[i] + 1] -= v->bytes;
  }
  for (uint32_t n = 0; n < p->n_nodes; n++) {
    live += change[n]; /* `change` is modulo 2^64; the sum is never negative */
    if (live > peak) peak = live;
  }
  return peak;
}

static bool costs_memory(const work *w, uint32_t *last, uint64_t *change) {
  if (!rp_plan_shares_by_number(w->plan)) return 0;
  const uint64_t apart = peak_of(w, 0, last, change), merged = peak_of(w, 1, last, change);
  return merged > apart + apart / 4 + NOTHING_BYTES;
}

/* Makes the node read the values that are kept. */
static bool replace_inputs(work *w, rp_plan_node *n) {
  rp_value *in = NULL;
  for (uint32_t i = 0; i < n->node.n_in; i++) {
    const uint32_t value = n->given_in[i].id - 1, instead = kept(w, value);
    if (instead == value) continue;
    if (!in) {
      in = rp_arena_array(&w->plan->arena, n->node.n_in, sizeof *in);
      if (!in) return 0;
      memcpy(in, n->given_in, n->node.n_in * sizeof *in);
      n->node.in = in;
    }
    in[i].id = instead + 1;
  }
  return 1;
}

static void drop_value(const work *w, uint32_t value) {
  w->plan->values[value].live = 0;
  w->plan->values[value].same_as = kept(w, value);
}

static bool replace(work *w) {
  rp_plan *p = w->plan;
  for (uint32_t n = 0; n < p->n_nodes; n++)
    if (p->nodes[n].live && !replace_inputs(w, &p->nodes[n])) return 0;
  for (uint32_t c = 0; c < p->n_conditions; c++) p->conditions[c].value = kept(w, p->conditions[c].value);
  for (uint32_t i = 0; i < p->n_graph_values; i++)
    if (p->values[i].origin == RP_ORIGIN_GIVEN && w->same[i] != i) drop_value(w, i);
  for (uint32_t n = 0; n < p->n_nodes; n++) {
    rp_plan_node *node = &p->nodes[n];
    if (!node->live || !is_dropped(w, n)) continue;
    node->live = 0;
    for (uint32_t i = 0; i < node->node.n_out; i++) drop_value(w, node->node.out[i].id - 1);
  }
  return 1;
}

/* Swaps the node that is kept with the first of the equal nodes. */
static void move_up(rp_plan *p, uint32_t node, uint32_t to) {
  const rp_plan_node n = p->nodes[node];
  p->nodes[node] = p->nodes[to];
  p->nodes[to] = n;
  for (uint32_t i = 0; i < p->nodes[node].node.n_out; i++) p->values[p->nodes[node].node.out[i].id - 1].node = node;
  for (uint32_t i = 0; i < n.node.n_out; i++) p->values[n.node.out[i].id - 1].node = to;
}

static bool merge(work *w, uint32_t *last, uint64_t *change) {
  rp_plan *p = w->plan;
  find_same_constants(w);
  find_same_nodes(w);
  if (costs_memory(w, last, change)) {
    w->once_only = 1;
    find_same_constants(w);
    find_same_nodes(w);
  }
  if (!replace(w)) return 0;
  for (uint32_t n = 0; n < p->n_nodes; n++)
    if (w->first[n] == n && w->bearer[n] != n) move_up(p, w->bearer[n], n);
  return 1;
}

rp_status rp_pass_common(rp_plan *plan, rp_error *err) {
  work w = {.plan = plan, .mask = 63};
  rp_arena arena;
  while (w.mask / 2 < plan->n_nodes || w.mask / 2 < plan->n_graph_values) w.mask = 2 * w.mask + 1;
  rp_arena_init(&arena, plan->context);
  w.same = rp_arena_array(&arena, plan->n_graph_values, sizeof *w.same);
  w.first = rp_arena_array(&arena, plan->n_nodes, sizeof *w.first);
  w.bearer = rp_arena_array(&arena, plan->n_nodes, sizeof *w.bearer);
  w.once = rp_arena_array(&arena, plan->n_nodes, 1);
  w.slots = rp_arena_array(&arena, w.mask + 1, sizeof *w.slots);
  w.hashes = rp_arena_array(&arena, w.mask + 1, sizeof *w.hashes);
  uint32_t *last = rp_arena_array(&arena, plan->n_graph_values, sizeof *last);
  uint64_t *change = rp_arena_array(&arena, plan->n_nodes + 1u, sizeof *change);
  const bool good =
      last && change && w.same && w.first && w.bearer && w.once && w.slots && w.hashes && merge(&w, last, change);
  rp_arena_free(&arena);
  return good ? RP_OK : rp_plan_fail_memory(err);
}
