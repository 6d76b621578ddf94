/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Chooses the plan of a prover. First the plain graph is tried, or that with tables, if the options ask for them; if it
 * does not fit, the lean one. For each, the engine takes the first memory level that fits. No plan depends on the
 * budget: every budget that is at least the smallest plan is accepted, and every smaller one is refused.
 */
#ifndef REPRISE_PLONK_COMMON_FIT_H
#define REPRISE_PLONK_COMMON_FIT_H

#include "graph.h"

typedef struct plonk_fit {
  plonk_graph graph;
  rp_recording *recording; /* of the graph */
  rp_plan_info info;
} plonk_fit;

/* Plans and, with `record`, makes what was planned; otherwise fit->recording is NULL. RP_ERR_BUDGET: no plan fits, and
 * fit->info and the reason have the figures of the smallest. On success the caller owns graph and recording;
 * plonk_fit_destroy frees them. On failure there is nothing to free. */
rp_status plonk_fit_make(rp_device *device, plonk_build *build, const plonk_key *key,
                         const rp_plonk_prover_options *options, bool record, plonk_fit *fit, rp_error *err);
void plonk_fit_destroy(plonk_fit *fit);

#endif
