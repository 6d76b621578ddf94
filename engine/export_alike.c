/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Nodes of a graph that a picture shows as one.
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

/* From the last node on, so that what reads a node is known. A box has the number of its last node. */
bool rp_export_alike(rp_arena *arena, const rp_graph *g, rp_alike *a) {
  uint32_t *reader = rp_arena_array(arena, g->n_nodes, sizeof *reader); /* the only box that reads it, or RP_NONE */
  uint32_t *first = rp_arena_array(arena, g->n_nodes, sizeof *first);   /* of the boxes that only this one reads */
  uint32_t *sibling = rp_arena_array(arena, g->n_nodes, sizeof *sibling);
  a->box = rp_arena_array(arena, g->n_nodes, sizeof *a->box);
  a->next = rp_arena_array(arena, g->n_nodes, sizeof *a->next);
  if (!reader || !first || !sibling || !a->box || !a->next) return 0;
  for (uint32_t i = 0; i < g->n_nodes; i++) reader[i] = first[i] = a->next[i] = RP_NONE;
  for (uint32_t i = g->n_nodes; i-- > 0;) {
    const rp_node *n = &g->nodes[i];
    uint32_t box = RP_NONE;
    const bool alone = reader[i] >= MANY || is_output(g, n);
    if (!alone)
      for (box = first[reader[i]]; box != RP_NONE && !are_alike(n, &g->nodes[box]);) box = sibling[box];
    if (box == RP_NONE) {
      box = i;
      if (!alone) sibling[i] = first[reader[i]], first[reader[i]] = i;
    } else {
      a->next[i] = a->next[box], a->next[box] = i;
    }
    a->box[i] = box;
    for (uint32_t j = 0; j < n->n_in; j++) {
      const uint32_t from = g->values[n->in[j].id - 1].node;
      if (from != RP_NONE) reader[from] = reader[from] == RP_NONE || reader[from] == box ? box : MANY;
    }
  }
  return 1;
}
