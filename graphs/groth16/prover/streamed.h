/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Proofs with a key that is larger than the device's memory. The quotient is one graph, and the five products are
 * streams over the key's points (reprise/msm.h), of which the device holds one or two chunks. The rest, two products
 * with the blinding values and three additions, is computed on the host.
 */
#ifndef REPRISE_GROTH16_STREAMED_H
#define REPRISE_GROTH16_STREAMED_H

#include <reprise/msm.h>

#include "graph.h"

#include <stdatomic.h>

typedef struct g16_streamed {
  rp_msm_stream *g1, *g2;
} g16_streamed;

/* Options with which rp_record and rp_msm_stream_create make what was planned. */
typedef struct g16_streamed_plan {
  rp_record_options quotient;
  rp_msm_stream_options g1, g2;
  rp_plan_info info;    /* of the quotient's graph, except total_bytes, which is of all three */
  uint64_t least_bytes; /* total_bytes of the smallest streamed plan */
} g16_streamed_plan;

/* Plans what fits the budget; `quotient` is the graph of g16_graph_build_quotient. The smallest plan is a budget that
 * is accepted, and so is every larger one; with RP_ERR_BUDGET, the reason and plan->info say how much that is. */
rp_status g16_streamed_fit(rp_device *device, const rp_groth16_key *key, const rp_graph *quotient, uint64_t budget,
                           const rp_record_options *record, g16_streamed_plan *plan, rp_error *err);
rp_status g16_streamed_create(rp_device *device, const rp_groth16_key *key, const g16_streamed_plan *plan,
                              g16_streamed **streamed, rp_error *err);
void g16_streamed_destroy(g16_streamed *streamed);
/* scalars: the witness followed by s and r; h: the output of the quotient's graph. cancelled may be NULL; once it is
 * not 0, no more chunks are sent, and the status is RP_ERR_CANCELLED. What the products took is added to *counters. */
rp_status g16_streamed_finish(const g16_streamed *streamed, const rp_groth16_key *key, const uint8_t *scalars,
                              const void *h, const atomic_int *cancelled, rp_groth16_proof *proof,
                              rp_run_counters *counters, rp_error *err);

#endif
