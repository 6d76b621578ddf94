/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Which plan a prover gets. These are tried in turn, and the first that fits the memory budget is taken:
 *   1. one graph for the whole proof, with tables of the points' multiples (on GPUs, where the options ask for them)
 *   2. the same graph without tables
 *   3. a graph for the quotient, and streams that bring the points to the device in chunks (streamed.h)
 * Of a graph, the engine takes the first memory level that fits. What a graph takes at a level does not depend on the
 * budget, nor does the least that the streamed plan takes; above that, streams have larger chunks the more room there
 * is. Therefore every budget that holds the smallest plan is accepted, and every smaller one is refused.
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

/* Plans, and with `record` makes what was planned; without it fit->recording and fit->streamed are NULL. The budget is
 * the options' or what the device has left, whichever is less. RP_ERR_BUDGET: no plan fits, and fit->info and the
 * sentence tell what the smallest takes; so they do where the memory was there when it was planned and gone when it was
 * recorded. After a success the caller gives everything back by g16_fit_destroy, or takes graph, recording and streams
 * over. After a failure there is nothing to give back, and but for RP_ERR_BUDGET *fit is zero. */
rp_status g16_fit_make(rp_device *device, const rp_groth16_key *key, const rp_groth16_prover_options *options,
                       int record, g16_fit *fit, rp_error *err);
void g16_fit_destroy(g16_fit *fit);

#endif
