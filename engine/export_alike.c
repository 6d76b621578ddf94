/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Nodes of a graph that a picture shows as one, and values that it names instead of drawing lines to their readers.
 */
#include "export.h"

#define MANY (RP_NONE - 1) /* more than one reader, or a name as an output */

static bool is_output(const rp_graph *g, const rp_node *n) {
  for (uint32_t i = 0; i < n->n_out; i++)
    if (g->values[n->out[i].id - 1].output) return 1;
  return 0;
}

/* They have the same words in the picture; parameters may differ where the operation does not describe them. */
static bool are_alike(const rp_node *a, const rp_node *b) {
  char of_a[200], of_b[200];
  return a->scope == b->scope && a->op == b->op && a->condition == b->condition &&
         strcmp(rp_export_describe(a, of_a, sizeof of_a), rp_export_describe(b, of_b, sizeof of_b)) == 0;
}

/* The only result of a phase with a title is named where it is read if it is a single element, such as a challenge, and
 * more than three nodes of other phases read it. */
enum { READERS_DRAWN = 3 };

static bool find_named(rp_arena *arena, const rp_graph *g, rp_drawing *d) {
  uint32_t *results = rp_arena_array(arena, g->n_scopes, sizeof *results); /* nodes that other scopes read */
  d->readers = rp_arena_array(arena, g->n_nodes, sizeof *d->readers);
  if (!results || !d->readers) return 0;
  for (uint32_t i = 0; i < g->n_scopes; i++) results[i] = 0;
  for (uint32_t i = 0; i < g->n_nodes; i++) d->readers[i] = 0;
  for (uint32_t i = 0; i < g->n_nodes; i++) {
    for (uint32_t j = 0; j < g->nodes[i].n_in; j++) {
      const uint32_t from = g->values[g->nodes[i].in[j].id - 1].node;
      if (from != RP_NONE && g->nodes[from].scope != g->nodes[i].scope) d->readers[from]++;
    }
  }
  for (uint32_t i = 0; i < g->n_nodes; i++) results[g->nodes[i].scope->id] += d->readers[i] > 0;
  for (uint32_t i = 0; i < g->n_nodes; i++)
    if (results[g->nodes[i].scope->id] > 1) d->readers[i] = 0;
  return 1;
}

bool rp_export_is_named(const rp_graph *g, const rp_drawing *d, uint32_t value, uint32_t reader) {
  const rp_graph_value *v = &g->values[value];
  if (v->node == RP_NONE || v->len != 1) return 0;
  const rp_scope *scope = g->nodes[v->node].scope;
  return scope->title && scope != g->nodes[reader].scope && d->readers[v->node] > READERS_DRAWN;
}

/* From the last node on, so that what reads a node is known. A box has the number of its last node. */
static bool find_boxes(rp_arena *arena, const rp_graph *g, rp_drawing *d) {
  uint32_t *reader = rp_arena_array(arena, g->n_nodes, sizeof *reader); /* the only box that reads it, or RP_NONE */
  uint32_t *first = rp_arena_array(arena, g->n_nodes, sizeof *first);   /* of the boxes that only this one reads */
  uint32_t *sibling = rp_arena_array(arena, g->n_nodes, sizeof *sibling);
  d->box = rp_arena_array(arena, g->n_nodes, sizeof *d->box);
  d->next = rp_arena_array(arena, g->n_nodes, sizeof *d->next);
  if (!reader || !first || !sibling || !d->box || !d->next) return 0;
  for (uint32_t i = 0; i < g->n_nodes; i++) reader[i] = first[i] = d->next[i] = RP_NONE;
  for (uint32_t i = g->n_nodes; i-- > 0;) {
    const rp_node *n = &g->nodes[i];
    uint32_t box = d->twin[i] == RP_NONE ? RP_NONE : d->box[d->twin[i]];
    const bool alone = box != RP_NONE || reader[i] >= MANY || is_output(g, n);
    if (!alone)
      for (box = first[reader[i]]; box != RP_NONE && !are_alike(n, &g->nodes[box]);) box = sibling[box];
    if (box == RP_NONE) {
      box = i;
      if (!alone) sibling[i] = first[reader[i]], first[reader[i]] = i;
    } else {
      d->next[i] = d->next[box], d->next[box] = i;
    }
    d->box[i] = box;
    for (uint32_t j = 0; j < n->n_in; j++) {
      const uint32_t from = g->values[n->in[j].id - 1].node;
      if (from != RP_NONE) reader[from] = reader[from] == RP_NONE || reader[from] == box ? box : MANY;
    }
  }
  return 1;
}

bool rp_export_drawing(rp_arena *arena, const rp_graph *g, rp_drawing *d) {
  return rp_export_phases(arena, g, d) && find_named(arena, g, d) && find_boxes(arena, g, d);
}
