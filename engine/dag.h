/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The order that reads and writes demand among numbered steps, and its transitive closure and reduction.
 */
#ifndef REPRISE_ENGINE_DAG_H
#define REPRISE_ENGINE_DAG_H

#include "core.h"

/* A step reads or writes bytes [begin, end) of a place. */
typedef struct rp_span {
  uint32_t place, step;
  uint64_t begin, end;
  uint32_t access;
} rp_span;

typedef struct rp_dag {
  rp_context *context;
  uint32_t n;
  size_t row_words;
  uint64_t *before; /* n rows of n bits: bit i of row j says that i is finished before j starts */
  uint32_t *preds;  /* reduced edges, grouped by step, ascending */
  uint32_t *first;  /* n + 1: where a step's edges begin */
  uint32_t n_edges, cap_edges;
} rp_dag;

/* 1 if two accesses to the same bytes need an order: one writes, and they are not both commuting updates. */
static inline int rp_access_conflict(uint32_t a, uint32_t b) { return ((a | b) & RP_WRITE) && !((a & b) & RP_ATOMIC); }

/* Steps keep the order of their numbers where spans conflict. Sorts `spans`. 0 when out of memory. */
int rp_dag_build(rp_dag *dag, rp_context *context, uint32_t n, rp_span *spans, uint32_t n_spans);
void rp_dag_free(rp_dag *dag);

static inline int rp_dag_before(const rp_dag *dag, uint32_t i, uint32_t j) {
  return (int)(dag->before[j * dag->row_words + i / 64] >> (i % 64) & 1);
}

#endif
