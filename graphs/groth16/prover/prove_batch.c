/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Batches of proofs of Groth16: one run for each proof, or several proofs in one run.
 */
#include "group.h"

static rp_status batch_start(void *prover, const void *at, size_t index, uint64_t timeout_ns, void *flight,
                             rp_error *err) {
  rp_groth16_job job;
  g16_source from;
  (void)rp_options_read(&job, sizeof job, at); /* its size has been checked */
  const rp_status status = g16_job_source(&job, index, &from, err);
  if (status != RP_OK) return status;
  return g16_flight_start(prover, &from, timeout_ns, job.proof, job.public_signals, flight, err);
}

static rp_status batch_finish(void *flight, rp_error *err) { return g16_flight_finish(flight, NULL, err); }

rp_status rp_groth16_prove_batch(rp_groth16_prover *prover, rp_groth16_job *jobs, size_t n_jobs, rp_error *err) {
  static const graphs_batch kind = {.call = "rp_groth16_prove_batch",
                                    .status = offsetof(rp_groth16_job, status),
                                    .error = offsetof(rp_groth16_job, error),
                                    .proof = offsetof(rp_groth16_job, proof),
                                    .proof_bytes = sizeof(rp_groth16_proof),
                                    .flight_bytes = sizeof(g16_flight),
                                    .start = batch_start,
                                    .finish = batch_finish};
  if (prover && prover->graph.batch) return g16_group_prove(prover, &kind, jobs, n_jobs, err);
  return graphs_batch_prove(&kind, prover, prover ? prover->context : NULL, prover ? prover->max_in_flight : 0, jobs,
                            n_jobs, err);
}
