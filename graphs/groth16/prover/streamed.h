/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Proofs with a key that is larger than the device's memory: the quotient is one graph, and the five products are
 * streams over the key's points (reprise/msm.h), of which the device holds a chunk or two. What is left, two products
 * with the blinding values and three additions, is done on the host.
 */
#ifndef REPRISE_GROTH16_STREAMED_H
#define REPRISE_GROTH16_STREAMED_H

#include <reprise/msm.h>

#include "graph.h"

#include <stdatomic.h>

typedef struct g16_streamed {
  rp_msm_stream *g1, *g2;
} g16_streamed;

/* Options with which rp_record and rp_msm_stream_create choose what was planned. */
typedef struct g16_streamed_plan {
  rp_record_options quotient;
  rp_msm_stream_options g1, g2;
  rp_plan_info info;    /* the quotient's; total_bytes counts all three */
  uint64_t least_bytes; /* what the smallest such plan takes, also where this is a larger one */
} g16_streamed_plan;

/* What fits the budget; quotient: of g16_graph_build_quotient. Whatever takes all together at least is a budget that is
 * accepted, and so is every larger one; RP_ERR_BUDGET says how much that is, in the sentence and in plan->info. */
rp_status g16_streamed_fit(rp_device *device, const rp_groth16_key *key, const rp_graph *quotient, uint64_t budget,
                           const rp_record_options *record, g16_streamed_plan *plan, rp_error *err);
rp_status g16_streamed_create(rp_device *device, const rp_groth16_key *key, const g16_streamed_plan *plan,
                              g16_streamed **streamed, rp_error *err);
void g16_streamed_destroy(g16_streamed *streamed);
/* scalars: the witness with s and r behind it; h: the quotient's output. cancelled may be NULL: once it is not 0, the
 * next chunk is not sent, and the status is RP_ERR_CANCELLED. counters: what the products took is added. */
rp_status g16_streamed_finish(const g16_streamed *streamed, const rp_groth16_key *key, const uint8_t *scalars,
                              const void *h, const atomic_int *cancelled, rp_groth16_proof *proof,
                              rp_run_counters *counters, rp_error *err);

#endif
