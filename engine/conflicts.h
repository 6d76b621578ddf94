/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Which numbered steps must wait for which, from what each reads and writes where.
 */
#ifndef REPRISE_ENGINE_CONFLICTS_H
#define REPRISE_ENGINE_CONFLICTS_H

#include "core.h"

/* A step reads or writes bytes [begin, end) of a place, at least one byte. */
typedef struct rp_span {
  uint32_t place, step;
  uint64_t begin, end;
  uint32_t access;
  uint8_t first; /* out: some of its bytes were touched by no earlier span that it must wait for */
  uint8_t last;  /* out: and here by no later one that must wait for it */
} rp_span;

typedef struct rp_edge {
  uint32_t from, to; /* from < to */
} rp_edge;

typedef struct rp_edges {
  rp_edge *items;
  uint32_t n, capacity;
} rp_edges;

/* m readers of n parts have m * n edges. Once the pieces and edges met are more than RP_FENCE_WORK and RP_FENCE_COST
 * for each span, an access that meets more than RP_FENCE_COST of them waits for everybody at its place, and all that
 * follows there waits for it alone; reads of many pieces make them one. It orders more than the accesses need, and
 * bounds edges and time by the number of spans. */
enum { RP_FENCE_WORK = 1 << 20, RP_FENCE_COST = 8 };

/* Appends edges, some more than once, whose paths order every two steps with conflicting spans as they are numbered,
 * and no others until fences begin. Marks first and last spans. `spans` ascend by step; places are below `n_places`.
 * 0 when out of memory. Time: n log n in the number of spans, and the edges. */
int rp_conflicts_find(rp_context *context, rp_span *spans, uint32_t n_spans, uint32_t n_places, rp_edges *edges);
void rp_edges_free(rp_context *context, rp_edges *edges);

#endif
