/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Proofs with a key that is larger than the device's memory: the quotient is one graph, and the five products are streams
 * over the key's points (reprise/msm.h), of which the device holds a chunk or two. What is left, two products with the
 * blinding values and three additions, is done on the host.
 */
#ifndef REPRISE_GROTH16_STREAMED_H
#define REPRISE_GROTH16_STREAMED_H

#include <reprise/msm.h>

#include "graph.h"

typedef struct g16_streamed {
  rp_msm_stream *g1, *g2;
} g16_streamed;

/* What streams and quotient take together; quotient: the plan of g16_graph_build_quotient. budget 0: the device's. */
rp_status g16_streamed_plan(rp_device *device, const rp_groth16_key *key, uint64_t budget, const rp_plan_info *quotient,
                            rp_plan_info *info, rp_error *err);
rp_status g16_streamed_create(rp_device *device, const rp_groth16_key *key, uint64_t budget,
                              const rp_plan_info *quotient, g16_streamed **streamed, rp_error *err);
void g16_streamed_destroy(g16_streamed *streamed);
/* scalars: the witness with s and r behind it; h: the quotient's output. counters: what the products took is added. */
rp_status g16_streamed_finish(const g16_streamed *streamed, const rp_groth16_key *key, const uint8_t *scalars,
                              const void *h, rp_groth16_proof *proof, rp_run_counters *counters, rp_error *err);

#endif
