/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A program of the CUDA backend: one executable graph, replayed by one launch.
 */
#ifndef REPRISE_CUDA_PROGRAM_H
#define REPRISE_CUDA_PROGRAM_H

#include <stdbool.h>
#include "state.h"

enum { RP_CUDA_IDLE, RP_CUDA_RUNNING, RP_CUDA_DONE };

/* A node whose kernel accesses what runs bind. Its parameters in the executable graph are replaced when an address has
 * changed. */
typedef struct rp_cuda_bound {
  uint32_t step;
  CUgraphNode node;
  CUfunction function;
} rp_cuda_bound;

typedef struct rp_cuda_graph {
  CUgraph graph;
  bool skips; /* the steps with a guard are in the bodies of conditional nodes */
  bool cut;   /* into pieces, which are the bodies of conditional nodes. Before it is made: it may be. */
  rp_cuda_bound *bound;
  uint32_t n_bound;
} rp_cuda_graph;

struct rp_program {
  rp_cuda *cuda;
  const rp_program_desc *desc;
  rp_memory *blocks; /* n_blocks */
  rp_memory staging_up, staging_down;
  size_t host_bytes; /* of this struct and the arrays behind it, one allocation */

  bool clears_staging;   /* the graph clears the staging of the inputs once they have been copied up */
  bool staging_is_clear; /* it did so in the run that was waited for last, and that run has not been wiped yet */

  rp_cuda_graph graph; /* the one of which `exec` is made */
  rp_cuda_graph
      whole; /* has no conditional nodes and computes all branches: for the graphs of callers, which cannot take
                          the other one if that has some. It is made when it is needed first */
  CUgraphExec exec;
  CUstream stream;
  bool owns_stream;
  bool wipe_pending;       /* wiping that `stream` was given may not be finished */
  CUevent done, done_long; /* waiting for `done` spins, waiting for `done_long` sleeps */
  CUevent waiting;         /* the one that the run in flight records */
  CUstream arrivals;       /* NULL: nothing comes from other devices */
  CUevent arrived, shared; /* all that arrives; what other programs copy from this one, which comes first */
  uint64_t begin_ns, latest_ns;

  /* Of the conditional nodes with guards, those of one guard together; those of the guard in parameter word w begin at
   * handles_at[w], and up to handles_end[w] they are in the piece that computes the guard. */
  unsigned long long *handles;
  uint32_t *handles_at, *handles_end;
  CUgraphNode *loans; /* if some input can be lent, per upload: its copy, in `graph` */
  uint32_t n_loans;   /* n_uploads, or 0 */
  uint64_t *words;    /* n_words: what the nodes of graph.bound and of `loans` have got */
  bool words_known;   /* 0: nothing, or a part of it */

  /* Pinned: what goes up (a clear error record, then the bound addresses), `cancelled`, and the error record that comes
   * back. */
  rp_memory control;
  uint32_t parameter_block, n_words;

  /* Profiled programs: events at the begin and end of each step, then of the upload and the download. */
  CUevent *events;
  uint32_t n_events;

  int phase;             /* RP_CUDA_IDLE ... */
  atomic_int *cancelled; /* the latest run is; pieces that begin from then on are left out */
  rp_backend_counters per_run, counters;
};

/* Whether the program may be so long that it is cut into pieces (pieces.c). */
bool rp_cuda_may_be_cut(const rp_program_desc *desc);
/* Builds to->graph from the plan: upload, steps with the edges of the hazards pass, download. */
rp_status rp_cuda_build_graph(rp_program *program, rp_cuda_graph *to, rp_error *err);
/* Whether steps are to run one after the other. */
bool rp_cuda_is_serial(void);

/* Whether some kernel of the step accesses what runs bind. */
bool rp_cuda_is_bound(const rp_program_desc *desc, const rp_step *step);
/* Gives these addresses to the nodes of the executable graph that need them, unless they have them. */
rp_status rp_cuda_bind(rp_program *program, const uint64_t *words, rp_error *err);

/* The same in a graph of which a copy goes into the caller's. */
rp_status rp_cuda_bind_source(rp_program *program, const rp_cuda_graph *graph, const uint64_t *words, rp_error *err);

/* Starts the copies of what arrives for a run, and lets `stream` wait for them. */
rp_status rp_cuda_arrive(rp_program *program, CUstream stream, const rp_arrival *arrivals, uint32_t n, rp_error *err);

#endif
