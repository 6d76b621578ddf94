/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Which of a number of steps must wait for which, derived from the ranges that each reads and writes.
 */
#ifndef REPRISE_ENGINE_CONFLICTS_H
#define REPRISE_ENGINE_CONFLICTS_H

#include <stdbool.h>
#include "core.h"

/* A step reads or writes bytes [begin, end) of a place (a value or a block), at least one byte. */
typedef struct rp_span {
  uint32_t place, step;
  uint64_t begin, end;
  uint32_t access;
  uint8_t first; /* out: for some of its bytes there is no earlier span that it must wait for */
  uint8_t last;  /* out: for some of its bytes there is no later span that must wait for it */
} rp_span;

typedef struct rp_edge {
  uint32_t from, to; /* from < to */
} rp_edge;

typedef struct rp_edges {
  rp_edge *items;
  uint32_t n, capacity;
} rp_edges;

/* m readers of n parts have m * n edges. Fences bound edges and time by the number of spans, at the price of more order
 * than the accesses need. They begin when the number of pieces and edges visited exceeds RP_FENCE_WORK plus
 * RP_FENCE_COST per span. From then on, a span that visits more than RP_FENCE_COST pieces and edges becomes a fence: it
 * waits for all spans at its place, and later spans wait only for it. If the span is a read of many pieces, the pieces
 * are merged into one instead. */
enum { RP_FENCE_WORK = 1 << 20, RP_FENCE_COST = 8 };

/* Appends edges, some of them more than once. Their paths order every two steps with conflicting spans by their
 * numbers, and no others until fences begin. Sets `first` and `last` of the spans. `spans` ascend by step; places are
 * below `n_places`. 0 when out of memory. Time: O(n log n) for n spans, plus the number of edges. */
bool rp_conflicts_find(rp_context *context, rp_span *spans, uint32_t n_spans, uint32_t n_places, rp_edges *edges);
void rp_edges_free(rp_context *context, rp_edges *edges);

#endif
