/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Graphs of many shapes and of any size, which can be planned but not run.
 */
#ifndef REPRISE_TESTS_SHAPES_H
#define REPRISE_TESTS_SHAPES_H

#include <reprise/op.h>

typedef struct shape {
  const char *name;
  void (*build)(rp_graph *graph, uint32_t n); /* adds about n nodes */
  /* Bound on the bytes of 3,000 nodes planned as a large graph, divided by those of the exact plan; 0 means 1.15. */
  double most_cost;
} shape;

extern const shape shapes[]; /* the first one is a chain; an entry with name NULL ends the list */

/* A chain of n nodes, each with 1 + `scratch` dispatches. */
void build_scratch(rp_graph *graph, uint32_t n, uint32_t scratch);
/* A chain of n nodes, each of which reads the latest `reads` values. */
void build_dense(rp_graph *graph, uint32_t n, uint32_t reads);

#endif
