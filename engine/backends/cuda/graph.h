/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * What the files share that build the graph of a program.
 */
#ifndef REPRISE_CUDA_GRAPH_H
#define REPRISE_CUDA_GRAPH_H

#include "program.h"

#if CUDA_VERSION >= 13000
#define RP_CUDA_NO_EDGE_DATA NULL,
#else
#define RP_CUDA_NO_EDGE_DATA
#endif

/* Where a node goes: into which graph, and behind which of its nodes. */
typedef struct rp_cuda_place {
  CUgraph graph;
  const CUgraphNode *deps;
  size_t n_deps;
} rp_cuda_place;

/* What becomes one node of the graph: one step, or the steps with one guard that the body of a conditional node has. */
typedef struct rp_cuda_units {
  uint32_t n, n_bodies;
  uint32_t *of;    /* per step: its unit. All that a unit depends on has smaller numbers. */
  uint32_t *order; /* the steps by their units, and inside a unit by their numbers */
} rp_cuda_units;

/* Finds the units of a program; `alone`: each step is one. Both arrays have room for all steps. RP_ERR_MEMORY */
rp_status rp_cuda_find_units(const rp_program *program, bool alone, rp_cuda_units *units, rp_error *err);

/* The word of the parameter block that is a guard. */
uint32_t rp_cuda_guard_word(const rp_ref *guard);

/* A handle for one conditional node of the graph. */
rp_status rp_cuda_new_handle(rp_program *program, CUgraph graph, unsigned long long *handle, rp_error *err);
/* A conditional node, and the graph of its body, which is the node's. */
rp_status rp_cuda_add_branch(rp_program *program, const rp_cuda_place *place, unsigned long long handle,
                             CUgraphNode *node, CUgraph *body, rp_error *err);

/* The kernel of a step; one of RP_STEP_GUARD is launched for all handles of its guard, if the graph `skips`. */
rp_status rp_cuda_add_step(rp_program *program, rp_cuda_graph *graph, uint32_t step, const rp_cuda_place *place,
                           CUgraphNode *node, rp_error *err);
/* Clears pinned memory. */
rp_status rp_cuda_add_clear(rp_program *program, const rp_cuda_place *place, void *host, uint64_t bytes, rp_error *err);

#endif
