/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Chooses the plan of a prover. These are tried in turn, and the first that fits the memory budget is used:
 *   1. one graph for the whole proof
 *   2. for one proof per run, a graph for the quotient, and streams that upload the points to the device in chunks
 *      (streamed.h)
 * For a graph, the engine uses the first memory level that fits. On GPUs, if the options ask for tables, the first
 * levels have multiples of the points. The memory of a graph at a level does not depend on the budget, nor does the
 * least memory of the streamed plan; with more memory, streams have larger chunks. Therefore every budget that is at
 * least the smallest plan is accepted, and every smaller one is refused.
 */
#ifndef REPRISE_GROTH16_FIT_H
#define REPRISE_GROTH16_FIT_H

#include "graph.h"
#include "streamed.h"

typedef struct g16_fit {
  g16_graph graph;
  rp_recording *recording; /* of the graph */
  g16_streamed *streamed;  /* NULL unless the points are streamed */
  rp_plan_info info;       /* of graph and streams together */
} g16_fit;

/* Builds the graph that these options ask for, with the points on the device. */
rp_status g16_fit_graph(rp_device *device, const rp_groth16_key *key, const rp_groth16_prover_options *options,
                        g16_graph *graph, rp_error *err);

/* Plans and, with `record`, makes what was planned; otherwise fit->recording and fit->streamed are NULL. The budget is
 * that of the options or what the device has left, whichever is less. RP_ERR_BUDGET: no plan fits, and fit->info and
 * the reason have the figures of the smallest; the same holds if the memory was there for planning, but not for
 * recording. On success the caller owns graph, recording and streams; g16_fit_destroy frees them. On failure there is
 * nothing to free, and *fit is zero except after RP_ERR_BUDGET. */
rp_status g16_fit_make(rp_device *device, const rp_groth16_key *key, const rp_groth16_prover_options *options,
                       bool record, g16_fit *fit, rp_error *err);
void g16_fit_destroy(g16_fit *fit);

#endif
