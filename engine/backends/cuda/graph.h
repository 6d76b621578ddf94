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

/* A copy of this many bytes between `host` and `device`: up to the device, or down from it. */
rp_status rp_cuda_add_copy(rp_program *program, const rp_cuda_place *place, CUgraphNode *node, void *host,
                           uint64_t device, uint64_t bytes, bool up, rp_error *err);
/* Lets the executable graph copy inputs up from where these words say that they are lent, or from the staging. What the
 * nodes have got already is not set again. */
rp_status rp_cuda_set_loans(rp_program *program, const uint64_t *words, rp_error *err);

/* How many of the program's copies up must be finished before the step begins. */
uint32_t rp_cuda_needed_uploads(const rp_program_desc *desc, const rp_step *step);

/* Cuts a program into pieces (pieces.c). `of` has room for all steps, and gets the piece of each: all that a piece
 * depends on has smaller numbers. *n is 1 if the program stays whole. RP_ERR_MEMORY */
rp_status rp_cuda_find_pieces(const rp_program *program, uint32_t *of, uint32_t *n, rp_error *err);

/* Sets of connected steps: `of` leads from each to the least of its set, in one or more steps. */
uint32_t rp_cuda_root_of(uint32_t *of, uint32_t step);
void rp_cuda_connect(uint32_t *of, uint32_t a, uint32_t b);

/* What becomes one node of a piece: one step, or the steps with one guard that the body of a conditional node has. */
typedef struct rp_cuda_units {
  uint32_t n, n_bodies;
  uint32_t *of;    /* per step: its unit. All that a unit depends on has smaller numbers. */
  uint32_t *order; /* the steps by their units, and inside a unit by their numbers */
} rp_cuda_units;

/* Finds the units of a program with these pieces, one piece after the other; `alone`: there is one piece, and each step
 * is a unit. Both arrays have room for all steps. RP_ERR_MEMORY */
rp_status rp_cuda_find_units(const rp_program *program, const uint32_t *pieces, bool alone, rp_cuda_units *units,
                             rp_error *err);

/* The word of the parameter block that is a guard. */
uint32_t rp_cuda_guard_word(const rp_ref *guard);
uint32_t rp_cuda_word_of(const rp_step *step); /* that of its guard, which it has */

/* A handle for one conditional node of the graph. */
rp_status rp_cuda_new_handle(rp_program *program, CUgraph graph, unsigned long long *handle, rp_error *err);
/* A conditional node, and the graph of its body, which is the node's. */
rp_status rp_cuda_add_branch(rp_program *program, const rp_cuda_place *place, unsigned long long handle,
                             CUgraphNode *node, CUgraph *body, rp_error *err);

/* The kernel of a step; one of RP_STEP_GUARD is launched for all handles of its guard, if the graph `skips`. */
rp_status rp_cuda_add_step(rp_program *program, rp_cuda_graph *graph, uint32_t step, const rp_cuda_place *place,
                           CUgraphNode *node, rp_error *err);
/* Gives a guard that was computed in an earlier piece to the handles from `first` up to `end`; `node` is the last. */
rp_status rp_cuda_add_again(rp_program *program, const rp_ref *guard, uint32_t first, uint32_t end, CUgraph graph,
                            CUgraphNode *node, rp_error *err);
/* Gives a piece's handle 1, or 0 if the run has been cancelled. */
rp_status rp_cuda_add_look(rp_program *program, const rp_cuda_place *place, unsigned long long handle,
                           CUgraphNode *node, rp_error *err);
/* Clears pinned memory. */
rp_status rp_cuda_add_clear(rp_program *program, const rp_cuda_place *place, void *host, uint64_t bytes, rp_error *err);

#endif
