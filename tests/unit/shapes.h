/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Graphs of many shapes, as large as asked for, that can be planned but not run.
 */
#ifndef REPRISE_TESTS_SHAPES_H
#define REPRISE_TESTS_SHAPES_H

#include <reprise/op.h>

typedef struct shape {
  const char *name;
  void (*build)(rp_graph *graph, uint32_t n); /* about n nodes */
  double most_cost; /* 3,000 nodes planned as a large graph take at most so many times the bytes; 0: 1.15 */
} shape;

extern const shape shapes[]; /* the first is a chain; name NULL ends the list */

/* A chain of n nodes, each with 1 + `scratch` dispatches. */
void build_scratch(rp_graph *graph, uint32_t n, uint32_t scratch);
/* A chain of n nodes, each of which reads the latest `reads` values. */
void build_dense(rp_graph *graph, uint32_t n, uint32_t reads);

#endif
