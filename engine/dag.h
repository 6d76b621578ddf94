/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The order that reads and writes require among numbered steps, and queries about it.
 */
#ifndef REPRISE_ENGINE_DAG_H
#define REPRISE_ENGINE_DAG_H

#include "conflicts.h"
#include "forest.h"

/* Up to this number of steps the whole order is kept, as n * n bits, and all edges that others imply are left out. With
 * more steps, two forests represent it: each step keeps one predecessor, the one on the longest path that leads to the
 * step, and likewise one successor. rp_dag_before may then return 0 although a path exists, if the path leaves both
 * forests, and some edges that others imply are kept. */
enum { RP_EXACT_STEPS = 8192 };

typedef struct rp_dag {
  rp_arena arena;
  uint32_t n, n_edges;
  uint32_t *preds; /* grouped by step, ascending */
  uint32_t *first; /* n + 1: where the edges of each step begin */
  size_t row_words;
  uint64_t *before; /* n rows of n bits: bit i of row j says that i finishes before j starts; NULL with forests */
  rp_forest up;     /* parents are predecessors */
  rp_forest down;   /* parents are successors */
} rp_dag;

/* Steps with conflicting spans keep the order of their numbers. `spans` ascend by step, and get their marks
 * (conflicts.h); places are below `n_places`. 0 when out of memory. */
bool rp_dag_build(rp_dag *dag, rp_context *context, uint32_t n, rp_span *spans, uint32_t n_spans, uint32_t n_places,
                  uint32_t exact_steps);
void rp_dag_free(rp_dag *dag);
/* Makes the forests if there are none yet; 0 when out of memory. */
bool rp_dag_build_forests(rp_dag *dag);

static inline bool rp_dag_bit(const rp_dag *dag, uint32_t i, uint32_t j) {
  return dag->before[j * dag->row_words + i / 64] >> (i % 64) & 1;
}

/* Whether i finishes before j starts; with forests, false may also mean that it is not known. */
static inline bool rp_dag_before(const rp_dag *dag, uint32_t i, uint32_t j) {
  if (dag->before) return rp_dag_bit(dag, i, j);
  return i != j && (rp_forest_is_above(&dag->up, i, j) || rp_forest_is_above(&dag->down, j, i));
}

#endif
