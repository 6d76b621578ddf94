/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Which plan a prover gets: the first of these that fits the memory budget, each at the first memory level that does.
 *   1. one graph, with tables of the points' multiples (GPUs, where the options ask for them)
 *   2. one graph without tables
 *   3. the quotient as a graph, the points streamed (streamed.h)
 * No plan depends on the budget. So a budget that holds one of them is accepted, and so is every larger one.
 */
#ifndef REPRISE_GROTH16_FIT_H
#define REPRISE_GROTH16_FIT_H

#include "graph.h"
#include "streamed.h"

typedef struct g16_fit {
  g16_graph graph;
  rp_recording *recording; /* of the graph */
  g16_streamed *streamed;  /* NULL unless the points are */
  rp_plan_info info;       /* of all together */
} g16_fit;

/* Plans, and with `record` makes what was planned; without it there is neither recording nor streams. RP_ERR_BUDGET:
 * the sentence and fit->info have the figures of the smallest plan. g16_fit_destroy after a success; a failure leaves
 * nothing. */
rp_status g16_fit_make(rp_device *device, const rp_groth16_key *key, const rp_groth16_prover_options *options,
                       int record, g16_fit *fit, rp_error *err);
void g16_fit_destroy(g16_fit *fit);

#endif
