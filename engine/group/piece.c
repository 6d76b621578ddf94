/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The graphs of pieces. Nodes, scopes and constants are those of the whole graph, which they keep; names are the same,
 * so that messages and exports show what the program wrote.
 */
#include "group.h"

/* One piece that is being built. */
typedef struct work {
  rp_pieces *pieces;
  rp_cut *cut;
  const rp_graph *whole;
  rp_graph *graph; /* of the piece */
  uint32_t piece;
  uint32_t *mine;       /* per value of the whole graph: its id in `graph`, or 0 */
  unsigned char *taken; /* per node: it is in the piece */
  rp_value *home;       /* per value of the whole graph that leaves its piece: the value there */
  uint32_t *home_piece;
  rp_arena arena;
} work;

static uint32_t index_of(rp_value v) { return v.id - 1; }

static rp_status fail_memory(rp_error *err) { return rp_fail_memory(err, "a piece of a graph"); }

/* ---- How values leave -------------------------------------------------------------------------------------------- */

static void leave(rp_cut *c, const rp_pieces *pieces, uint32_t root, uint32_t to) {
  const uint32_t maker = c->graph->values[root].node;
  if (maker == RP_NONE || c->floating[maker] || c->piece_of[maker] == to) return;
  const rp_route route = rp_group_route(pieces->group, c->graph->nodes[maker].device, pieces->items[to].device);
  c->leaves[root] |= route == RP_ROUTE_HOST ? RP_LEAVES_HOST : RP_LEAVES_DEVICE;
}

static void find_leaves(rp_cut *c, const rp_pieces *pieces) {
  const rp_graph *g = c->graph;
  for (uint32_t n = 0; n < g->n_nodes; n++)
    for (uint32_t i = 0; i < g->nodes[n].n_in && c->piece_of[n] != RP_NONE; i++)
      leave(c, pieces, c->root[index_of(g->nodes[n].in[i])], c->piece_of[n]);
  for (uint32_t i = 0; i < g->n_outputs; i++) {
    const uint32_t root = c->root[index_of(g->outputs[i])];
    c->leaves[root] |= RP_LEAVES_HOST; /* nobody asks this of an input */
  }
}

/* ---- Which nodes ------------------------------------------------------------------------------------------------- */

/* The nodes of the piece; the nodes that depend on constants alone, as far as these need them; and nodes of another
 * device that cut a slice out of a value of this piece, if the slice is read here again. */
static void take_nodes(work *w) {
  const rp_graph *g = w->whole;
  const rp_cut *c = w->cut;
  memset(w->taken, 0, g->n_nodes);
  for (uint32_t n = g->n_nodes; n-- > 0;) {
    if (c->piece_of[n] == w->piece) w->taken[n] = 1;
    for (uint32_t i = 0; i < g->nodes[n].n_in && w->taken[n]; i++) {
      const uint32_t value = index_of(g->nodes[n].in[i]), maker = g->values[value].node;
      if (maker == RP_NONE) continue;
      const uint32_t root = g->values[c->root[value]].node;
      const bool back = c->crosses[maker] && root != RP_NONE && c->piece_of[root] == w->piece;
      if (c->floating[maker] || back) w->taken[maker] = 1;
    }
  }
}

/* ---- Values ------------------------------------------------------------------------------------------------------ */

static rp_value add_value(work *w, const rp_graph_value *value) { return rp_graph_add_value(w->graph, value); }

/* An earlier piece of the same device that has this part of the input in memory which it keeps. */
static rp_piece_input *find_upload(const work *w, uint32_t root, uint64_t first, uint64_t bytes, uint32_t *piece) {
  const rp_graph_value *v = &w->whole->values[root];
  for (uint32_t p = w->pieces->items[w->piece].previous; p != RP_NONE; p = w->pieces->items[p].previous)
    for (uint32_t i = 0; i < w->pieces->items[p].n_inputs; i++) {
      rp_piece_input *in = &w->pieces->items[p].inputs[i];
      if (in->root != root || in->route != RP_ROUTE_UPLOAD || in->first > first) continue;
      if ((first - in->first) * v->type->size_bytes + bytes > in->bytes) continue;
      *piece = p;
      return in;
    }
  return NULL;
}

static void find_source(const work *w, rp_piece_input *in) {
  const rp_piece *p = &w->pieces->items[w->piece];
  if (w->whole->values[in->root].node != RP_NONE) {
    in->piece = w->home_piece[in->root];
    in->source = w->home[in->root];
    const uint32_t from = w->pieces->items[in->piece].device;
    in->route = rp_group_route(w->pieces->group, from, p->device);
    w->pieces->items[in->piece].keeps |= in->route != RP_ROUTE_HOST;
    w->pieces->items[in->piece].sends |= in->route == RP_ROUTE_MEMORY;
    return;
  }
  in->piece = RP_NONE;
  in->route = rp_group_route(w->pieces->group, RP_NONE, p->device);
  if (in->route != RP_ROUTE_UPLOAD) return;
  rp_piece_input *there = find_upload(w, in->root, in->first, in->bytes, &in->piece);
  if (!there) return;
  there->shared = 1;
  w->pieces->items[in->piece].keeps = 1;
  in->source = there->value;
  in->first -= there->first; /* of what is there */
  in->route = RP_ROUTE_SAME;
}

bool rp_piece_shares(const rp_pieces *pieces, const rp_piece_input *in) {
  return in->route == RP_ROUTE_SAME && pieces->graph->values[in->root].node == RP_NONE;
}

static uint32_t flags_of(const rp_pieces *pieces, const rp_piece_input *in) {
  if (rp_piece_shares(pieces, in)) return RP_EXCHANGE;
  switch (in->route) {
  case RP_ROUTE_SAME:
  case RP_ROUTE_MEMORY: return RP_RESIDENT | RP_COPIED; /* it may begin at any element of a value */
  case RP_ROUTE_PEER:
  case RP_ROUTE_DRIVER:
  case RP_ROUTE_UPLOAD: return RP_EXCHANGE;
  case RP_ROUTE_HOST: break;
  }
  return 0;
}

static const char *name_of(const rp_graph *g, uint32_t value) {
  const rp_graph_value *v = &g->values[value];
  return v->node == RP_NONE ? v->name : g->nodes[v->node].name;
}

/* An input of the piece for a value that is not computed in it. */
static rp_value add_input(work *w, uint32_t value) {
  rp_piece *p = &w->pieces->items[w->piece];
  rp_graph *g = w->graph;
  const rp_graph_value *v = &w->whole->values[value];
  rp_piece_input in = {
      .root = w->cut->root[value], .first = w->cut->first[value], .bytes = v->len * v->type->size_bytes};
  find_source(w, &in);
  if (!rp_grow(g->context, (void **)&g->inputs, &g->cap_inputs, g->n_inputs, sizeof *g->inputs) ||
      !rp_grow(g->context, (void **)&p->inputs, &p->cap_inputs, p->n_inputs, sizeof *p->inputs))
    return RP_NO_VALUE;
  in.value = add_value(w, &(rp_graph_value){.type = v->type,
                                            .len = v->len,
                                            .storage = RP_STORAGE_INPUT,
                                            .flags = flags_of(w->pieces, &in) | (v->secret ? RP_SECRET : 0),
                                            .secret = v->secret,
                                            .node = RP_NONE,
                                            .name = name_of(w->whole, value)});
  if (!in.value.id) return in.value;
  g->inputs[g->n_inputs++] = in.value;
  p->inputs[p->n_inputs++] = in;
  return in.value;
}

/* The value in the piece's graph; RP_NO_VALUE when out of memory. */
static rp_value value_in(work *w, uint32_t value) {
  const rp_graph_value *v = &w->whole->values[value];
  if (w->mine[value]) return (rp_value){w->mine[value], w->graph->mark};
  rp_value made;
  if (v->storage == RP_STORAGE_CONSTANT) {
    rp_graph_value constant = *v;
    constant.flags |= RP_BORROW; /* of the whole graph */
    made = add_value(w, &constant);
  } else {
    made = add_input(w, value);
  }
  w->mine[value] = made.id;
  return made;
}

/* ---- Nodes ------------------------------------------------------------------------------------------------------- */

/* They are not checked again: an operand may now be an input, where the operation demands that a certain node made
 * it. */
static bool add_node(work *w, uint32_t n) {
  rp_graph *g = w->graph;
  const rp_node *from = &w->whole->nodes[n];
  rp_value *in = rp_arena_array(&g->arena, from->n_in, sizeof *in),
           *out = rp_arena_array(&g->arena, from->n_out, sizeof *out);
  if (!in || !out || !rp_grow(g->context, (void **)&g->nodes, &g->cap_nodes, g->n_nodes, sizeof *g->nodes)) return 0;
  for (uint32_t i = 0; i < from->n_in; i++)
    if (!(in[i] = value_in(w, index_of(from->in[i]))).id) return 0;
  for (uint32_t i = 0; i < from->n_out; i++) {
    rp_graph_value v = w->whole->values[index_of(from->out[i])];
    v.node = g->n_nodes;
    v.output = NULL;
    v.output_flags = 0;
    out[i] = add_value(w, &v);
    if (!out[i].id) return 0;
    w->mine[index_of(from->out[i])] = out[i].id;
  }
  rp_node node = *from;
  node.in = in;
  node.out = out;
  node.condition = 0; /* a condition may be computed by another device: both branches are computed */
  g->nodes[g->n_nodes++] = node;
  return 1;
}

/* Values that others read become outputs of the piece. */
static bool add_outputs(work *w, uint32_t n) {
  rp_graph *g = w->graph;
  if (w->cut->piece_of[n] != w->piece) return 1;
  for (uint32_t i = 0; i < w->whole->nodes[n].n_out; i++) {
    const uint32_t value = index_of(w->whole->nodes[n].out[i]);
    if (!w->cut->leaves[value]) continue;
    if (!rp_grow(g->context, (void **)&g->outputs, &g->cap_outputs, g->n_outputs, sizeof *g->outputs)) return 0;
    const rp_value mine = {w->mine[value], g->mark};
    rp_graph_value *v = &g->values[index_of(mine)];
    v->output = w->whole->values[value].output ? w->whole->values[value].output : name_of(w->whole, value);
    v->output_flags = w->cut->leaves[value] & RP_LEAVES_HOST ? 0 : RP_EXCHANGE;
    w->home[value] = mine;
    w->home_piece[value] = w->piece;
    g->outputs[g->n_outputs++] = mine;
  }
  return 1;
}

/* ---- The order of pieces ----------------------------------------------------------------------------------------- */

/* Adds a piece to an ascending list; false if there is no more room. */
static bool list(uint32_t *pieces, uint32_t *n, uint32_t piece) {
  uint32_t at = *n;
  while (at && pieces[at - 1] > piece) at--;
  if (at && pieces[at - 1] == piece) return 1;
  if (*n == RP_MOST_SYNCS) return 0;
  memmove(&pieces[at + 1], &pieces[at], (*n - at) * sizeof *pieces);
  pieces[at] = piece;
  ++*n;
  return 1;
}

/* The piece follows those that it reads from; false if these are too many for a submission. */
static bool follow_sources(const rp_pieces *pieces, rp_piece *p) {
  bool fits = 1;
  for (uint32_t i = 0; i < p->n_inputs && fits; i++) {
    const rp_piece_input *in = &p->inputs[i];
    if (in->route == RP_ROUTE_SAME && !rp_piece_shares(pieces, in)) fits = list(p->after, &p->n_after, in->piece);
    if (in->route == RP_ROUTE_MEMORY && in->piece != RP_NONE) fits = list(p->waits, &p->n_waits, in->piece);
  }
  return fits;
}

/* The piece follows the one before it on its device, so that one piece of each other device is enough: the latest. */
static void follow_in_line(const rp_pieces *pieces, rp_piece *p) {
  uint32_t latest[RP_GROUP_MOST];
  for (uint32_t d = 0; d < RP_GROUP_MOST; d++) latest[d] = RP_NONE;
  p->n_after = p->n_waits = 0;
  if (p->previous != RP_NONE) p->after[p->n_after++] = p->previous;
  for (uint32_t i = 0; i < p->n_inputs; i++) {
    const rp_piece_input *in = &p->inputs[i];
    if (in->route != RP_ROUTE_MEMORY || in->piece == RP_NONE) continue;
    uint32_t *of = &latest[pieces->items[in->piece].device];
    if (*of == RP_NONE || *of < in->piece) *of = in->piece;
  }
  for (uint32_t d = 0; d < pieces->group->n_members; d++)
    if (latest[d] != RP_NONE) (void)list(p->waits, &p->n_waits, latest[d]);
}

static void order_pieces(const rp_pieces *pieces) {
  bool fits = 1;
  for (uint32_t i = 0; i < pieces->n && fits; i++) fits = follow_sources(pieces, &pieces->items[i]);
  for (uint32_t i = 0; i < pieces->n && !fits; i++) follow_in_line(pieces, &pieces->items[i]);
}

/* ---- Graphs ------------------------------------------------------------------------------------------------------ */

static void release_graph(void *graph) { rp_graph_release(graph); }

static rp_status new_graph(work *w, rp_error *err) {
  const rp_graph *whole = w->whole;
  rp_piece *p = &w->pieces->items[w->piece];
  char device[64];
  rp_status status = rp_graph_create(whole->context, whole->name, &p->graph, err);
  if (status) return status;
  rp_graph *g = w->graph = p->graph;
  rp_group_device_name(w->pieces->group, p->device, device, sizeof device);
  const char *name = rp_arena_format(&g->arena, "%s on %s, piece %u", whole->name, device, w->piece);
  status = rp_graph_keep(g, (void *)whole, release_graph, err);
  if (status) return status;
  rp_graph_retain(whole);
  while (g->n_scopes < whole->n_scopes &&
         rp_grow(g->context, (void **)&g->scopes, &g->cap_scopes, g->n_scopes, sizeof *g->scopes))
    g->n_scopes++;
  if (!name || g->n_scopes < whole->n_scopes) return fail_memory(err);
  for (uint32_t i = 0; i < whole->n_scopes; i++) g->scopes[i] = whole->scopes[i];
  g->name = name;
  return RP_OK;
}

static rp_status build(work *w, rp_error *err) {
  const rp_graph *whole = w->whole;
  rp_status status = new_graph(w, err);
  if (status) return status;
  memset(w->mine, 0, whole->n_values * sizeof *w->mine);
  take_nodes(w);
  for (uint32_t n = 0; n < whole->n_nodes; n++)
    if (w->taken[n] && (!add_node(w, n) || !add_outputs(w, n)))
      return w->graph->error.status ? rp_fail(err, w->graph->error.status, "%s", w->graph->error.reason)
                                    : fail_memory(err);
  return RP_OK;
}

static rp_status list_outputs(work *w, rp_error *err) {
  const rp_graph *g = w->whole;
  rp_pieces *p = w->pieces;
  p->outputs = rp_arena_array(&p->arena, g->n_outputs, sizeof *p->outputs);
  if (!p->outputs) return fail_memory(err);
  p->n_outputs = g->n_outputs;
  for (uint32_t i = 0; i < g->n_outputs; i++) {
    const uint32_t value = index_of(g->outputs[i]), root = w->cut->root[value];
    const bool computed = g->values[root].node != RP_NONE;
    p->outputs[i] = (rp_group_output){.value = value,
                                      .piece = computed ? w->home_piece[root] : RP_NONE,
                                      .root = root,
                                      .source = w->home[root],
                                      .first = w->cut->first[value]};
  }
  return RP_OK;
}

rp_status rp_pieces_build(rp_pieces *pieces, rp_cut *cut, rp_error *err) {
  const rp_graph *g = cut->graph;
  work w = {.pieces = pieces, .cut = cut, .whole = g};
  find_leaves(cut, pieces);
  rp_arena_init(&w.arena, g->context);
  w.mine = rp_arena_array(&w.arena, g->n_values, sizeof *w.mine);
  w.taken = rp_arena_array(&w.arena, g->n_nodes, 1);
  w.home = rp_arena_array(&w.arena, g->n_values, sizeof *w.home);
  w.home_piece = rp_arena_array(&w.arena, g->n_values, sizeof *w.home_piece);
  rp_status status = w.mine && w.taken && w.home && w.home_piece ? RP_OK : fail_memory(err);
  for (w.piece = 0; w.piece < pieces->n && !status; w.piece++) status = build(&w, err);
  if (!status) order_pieces(pieces);
  if (!status) status = list_outputs(&w, err);
  rp_arena_free(&w.arena);
  return status;
}
