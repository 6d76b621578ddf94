/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The cut: which node is in which piece.
 */
#include "group.h"

static uint32_t index_of(rp_value v) { return v.id - 1; }

/* ---- What nodes are ---------------------------------------------------------------------------------------------- */

static void mark_live(rp_cut *c) {
  const rp_graph *g = c->graph;
  for (uint32_t n = g->n_nodes; n-- > 0;) {
    const rp_node *node = &g->nodes[n];
    for (uint32_t i = 0; i < node->n_out; i++) c->live[n] |= g->values[index_of(node->out[i])].output != NULL;
    for (uint32_t i = 0; i < node->n_in && c->live[n]; i++) {
      const rp_graph_value *v = &g->values[index_of(node->in[i])];
      if (v->node != RP_NONE) c->live[v->node] = 1;
    }
  }
}

/* Whether the value is given, or computed from such values wherever it is needed. */
static bool is_anywhere(const rp_cut *c, uint32_t value) {
  const rp_graph_value *v = &c->graph->values[value];
  return v->constant && (v->node == RP_NONE || c->floating[v->node]);
}

/* An output of the graph belongs to a run: it is computed in it, on one device, even if it depends on constants
 * alone. */
static bool is_floating(const rp_cut *c, const rp_node *node) {
  bool floating = 1;
  for (uint32_t i = 0; i < node->n_in; i++) floating &= is_anywhere(c, index_of(node->in[i]));
  for (uint32_t i = 0; i < node->n_out; i++) floating &= !c->graph->values[index_of(node->out[i])].output;
  return floating;
}

static bool is_crossing(const rp_graph *g, const rp_node *node) {
  return rp_op_is_slice(node->op) && node->n_in == 1 && node->n_out == 1 &&
         g->values[index_of(node->in[0])].device != node->device;
}

static void find_roots(rp_cut *c) {
  const rp_graph *g = c->graph;
  for (uint32_t v = 0; v < g->n_values; v++) c->root[v] = v;
  for (uint32_t n = 0; n < g->n_nodes; n++) {
    const rp_node *node = &g->nodes[n];
    c->floating[n] = (unsigned char)is_floating(c, node);
    c->crosses[n] = (unsigned char)(!c->floating[n] && is_crossing(g, node));
    if (!c->crosses[n]) continue;
    const uint32_t in = index_of(node->in[0]), out = index_of(node->out[0]);
    if (is_anywhere(c, c->root[in])) {
      c->crosses[n] = 0; /* an output cut from a constant, which this device has as well */
      continue;
    }
    c->root[out] = c->root[in];
    c->first[out] = c->first[in] + node->op->slice_first(node->params);
  }
}

/* ---- Levels ------------------------------------------------------------------------------------------------------ */

/* The node that computes the value in which the operand lies, if that is done in one piece; else RP_NONE. */
static uint32_t maker_of(const rp_cut *c, rp_value operand) {
  const uint32_t n = c->graph->values[c->root[index_of(operand)]].node;
  return n == RP_NONE || c->floating[n] ? RP_NONE : n;
}

static bool is_placed(const rp_cut *c, uint32_t n) { return c->live[n] && !c->floating[n] && !c->crosses[n]; }

static void find_levels(rp_cut *c) {
  const rp_graph *g = c->graph;
  for (uint32_t n = 0; n < g->n_nodes; n++) {
    if (!is_placed(c, n)) continue;
    for (uint32_t i = 0; i < g->nodes[n].n_in; i++) {
      const uint32_t m = maker_of(c, g->nodes[n].in[i]);
      if (m == RP_NONE) continue;
      const uint32_t level = c->level[m] + (g->nodes[m].device != g->nodes[n].device);
      if (level > c->level[n]) c->level[n] = level;
    }
  }
  for (uint32_t n = g->n_nodes; n-- > 0;) {
    if (!is_placed(c, n)) continue;
    for (uint32_t i = 0; i < g->nodes[n].n_in; i++) {
      const uint32_t m = maker_of(c, g->nodes[n].in[i]);
      if (m == RP_NONE) continue;
      const bool sent = g->nodes[m].device != g->nodes[n].device;
      if (sent || (c->early[n] && c->level[m] == c->level[n])) c->early[m] = 1;
    }
  }
}

/* A node that needs nothing from its own device, except what the device sends at lower levels, can run beside
 * everything else; the other nodes that are not early are the rest. */
static void find_rest(rp_cut *c) {
  const rp_graph *g = c->graph;
  for (uint32_t n = 0; n < g->n_nodes; n++) {
    if (!is_placed(c, n) || c->early[n]) continue;
    for (uint32_t i = 0; i < g->nodes[n].n_in; i++) {
      const uint32_t m = maker_of(c, g->nodes[n].in[i]);
      if (m == RP_NONE || g->nodes[m].device != g->nodes[n].device) continue;
      const bool same = c->level[m] == c->level[n];
      c->rest[n] |= c->early[m] ? same : !same || c->rest[m];
    }
  }
}

/* ---- Pieces ------------------------------------------------------------------------------------------------------ */

static uint64_t key_of(const rp_cut *c, uint32_t n) {
  const uint64_t stage = c->early[n] ? RP_STAGE_EARLY : c->rest[n] ? RP_STAGE_REST : RP_STAGE_BESIDE;
  return (RP_STAGES * (uint64_t)c->level[n] + stage) * c->n_devices + c->graph->nodes[n].device;
}

static int compare(const void *a, const void *b) {
  const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return x < y ? -1 : x > y;
}

/* The position of the key in an ascending list of n numbers that contains it. */
static uint32_t find_key(const uint64_t *keys, uint32_t n, uint64_t key) {
  uint32_t low = 0;
  while (n > 1) {
    const uint32_t half = n / 2;
    if (keys[low + half] <= key) low += half;
    n -= half;
  }
  return low;
}

static rp_status make_pieces(rp_cut *c, uint64_t *keys, rp_pieces *pieces, rp_error *err) {
  const rp_graph *g = c->graph;
  uint32_t n = 0, unique = 0, last[RP_GROUP_MOST];
  for (uint32_t i = 0; i < g->n_nodes; i++)
    if (is_placed(c, i)) keys[n++] = key_of(c, i);
  rp_sort(keys, n, sizeof *keys, compare);
  for (uint32_t i = 0; i < n; i++)
    if (!unique || keys[unique - 1] != keys[i]) keys[unique++] = keys[i];
  if (unique > RP_PIECES_MOST)
    return rp_fail(err, RP_ERR_UNSUPPORTED,
                   "%s goes from device to device so often that it has %u pieces, and %d are possible", g->name, unique,
                   RP_PIECES_MOST);
  pieces->items = rp_arena_array(&pieces->arena, unique, sizeof *pieces->items);
  if (!pieces->items) return rp_fail_memory(err, "a group's plan");
  pieces->n = unique;
  for (uint32_t d = 0; d < RP_GROUP_MOST; d++) last[d] = RP_NONE;
  for (uint32_t i = 0; i < unique; i++) {
    rp_piece *p = &pieces->items[i];
    p->device = (uint32_t)(keys[i] % c->n_devices);
    p->stage = (uint32_t)(keys[i] / c->n_devices);
    p->previous = last[p->device];
    last[p->device] = i;
  }
  for (uint32_t i = 0; i < g->n_nodes; i++)
    c->piece_of[i] = is_placed(c, i) ? find_key(keys, unique, key_of(c, i)) : RP_NONE;
  return RP_OK;
}

static rp_status check_devices(const rp_graph *g, uint32_t n_devices, rp_error *err) {
  for (uint32_t n = 0; n < g->n_nodes; n++)
    if (g->nodes[n].device >= n_devices)
      return rp_fail(err, RP_ERR_ARGUMENT, "%s is on device %u, and the group has %u", g->nodes[n].name,
                     g->nodes[n].device, n_devices);
  for (uint32_t v = 0; v < g->n_values; v++) {
    const rp_graph_value *x = &g->values[v];
    if ((x->output_flags | x->flags) & (RP_RESIDENT | RP_BINDABLE))
      return rp_fail(err, RP_ERR_UNSUPPORTED,
                     "'%s' is RP_RESIDENT or RP_BINDABLE, and a group of devices has no buffers",
                     x->output ? x->output : x->name);
  }
  return RP_OK;
}

rp_status rp_cut_make(rp_cut *c, const rp_graph *g, uint32_t n_devices, rp_pieces *pieces, rp_error *err) {
  rp_arena *a = &pieces->arena;
  rp_status status = check_devices(g, n_devices, err);
  if (status) return status;
  *c = (rp_cut){.graph = g, .n_devices = n_devices};
  c->live = rp_arena_array(a, g->n_nodes, 1);
  c->floating = rp_arena_array(a, g->n_nodes, 1);
  c->crosses = rp_arena_array(a, g->n_nodes, 1);
  c->early = rp_arena_array(a, g->n_nodes, 1);
  c->rest = rp_arena_array(a, g->n_nodes, 1);
  c->level = rp_arena_array(a, g->n_nodes, sizeof *c->level);
  c->piece_of = rp_arena_array(a, g->n_nodes, sizeof *c->piece_of);
  c->root = rp_arena_array(a, g->n_values, sizeof *c->root);
  c->first = rp_arena_array(a, g->n_values, sizeof *c->first);
  c->leaves = rp_arena_array(a, g->n_values, 1);
  uint64_t *keys = rp_arena_array(a, g->n_nodes, sizeof *keys);
  if (!c->live || !c->floating || !c->crosses || !c->early || !c->rest || !c->level || !c->piece_of || !c->root ||
      !c->first || !c->leaves || !keys)
    return rp_fail_memory(err, "a group's plan");
  mark_live(c);
  find_roots(c);
  find_levels(c);
  find_rest(c);
  return make_pieces(c, keys, pieces, err);
}
