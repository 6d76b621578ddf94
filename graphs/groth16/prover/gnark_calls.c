/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The public interface of proofs with keys of gnark.
 */
#include "prove.h"

#include "batch.h"
#include "formats/fail.h"

static rp_status prove(rp_groth16_prover *prover, g16_source *from, rp_gnark_proof *proof, uint8_t *public_signals,
                       rp_run_counters *counters, rp_error *err) {
  if (!proof) return support_fail(err, RP_ERR_ARGUMENT, "rp_gnark_prove: proof is NULL.");
  from->gnark = proof;
  return g16_prove(prover, from, &proof->groth16, public_signals, counters, err);
}

rp_status rp_gnark_prove(rp_groth16_prover *prover, const rp_gnark_solution *solution, rp_gnark_proof *proof,
                         uint8_t *public_signals, rp_run_counters *counters, rp_error *err) {
  g16_source from = {.solution = solution};
  return prove(prover, &from, proof, public_signals, counters, err);
}

rp_status rp_gnark_prove_file(rp_groth16_prover *prover, const char *path, rp_gnark_proof *proof,
                              uint8_t *public_signals, rp_run_counters *counters, rp_error *err) {
  g16_source from = {.solution_path = path};
  return prove(prover, &from, proof, public_signals, counters, err);
}

rp_status rp_gnark_prove_unsafe_blinding(rp_groth16_prover *prover, const rp_gnark_solution *solution,
                                         const uint8_t r_le[32], const uint8_t s_le[32], rp_gnark_proof *proof,
                                         uint8_t *public_signals, rp_run_counters *counters, rp_error *err) {
  if (proof) *proof = (rp_gnark_proof){0};
  if (!r_le || !s_le)
    return support_fail(err, RP_ERR_ARGUMENT, "rp_gnark_prove_unsafe_blinding: r_le or s_le is NULL.");
  g16_source from = {.solution = solution, .r = r_le, .s = s_le};
  return prove(prover, &from, proof, public_signals, counters, err);
}

/* ---- Many -------------------------------------------------------------------------------------------------------- */

rp_status g16_gnark_job_source(const rp_gnark_job *job, size_t index, g16_source *from, rp_error *err) {
  const char *path = job->solution ? NULL : job->path;
  *from = (g16_source){.solution = job->solution, .solution_path = path, .gnark = job->proof};
  if (!job->solution && !path) {
    from->solution_file = job->file;
    from->solution_bytes = job->file_bytes;
  }
  if (g16_source_solved(from) && job->proof) return RP_OK;
  return support_fail(err, RP_ERR_ARGUMENT, "Job %zu has neither solution nor path nor file, or its proof is NULL.",
                      index);
}

static rp_status batch_start(void *prover, const void *at, size_t index, uint64_t timeout_ns, void *flight,
                             rp_error *err) {
  rp_gnark_job job;
  (void)rp_options_read(&job, sizeof job, at); /* its size has been checked */
  g16_source from;
  const rp_status status = g16_gnark_job_source(&job, index, &from, err);
  if (status != RP_OK) return status;
  return g16_flight_start(prover, &from, timeout_ns, &job.proof->groth16, job.public_signals, flight, err);
}

static rp_status batch_finish(void *flight, rp_error *err) { return g16_flight_finish(flight, NULL, err); }

rp_status rp_gnark_prove_batch(rp_groth16_prover *prover, rp_gnark_job *jobs, size_t n_jobs, rp_error *err) {
  static const graphs_batch kind = {.call = "rp_gnark_prove_batch",
                                    .status = offsetof(rp_gnark_job, status),
                                    .error = offsetof(rp_gnark_job, error),
                                    .proof = offsetof(rp_gnark_job, proof),
                                    .proof_bytes = sizeof(rp_gnark_proof),
                                    .flight_bytes = sizeof(g16_flight),
                                    .start = batch_start,
                                    .finish = batch_finish};
  return graphs_batch_prove(&kind, prover, prover ? prover->context : NULL, prover ? prover->max_in_flight : 0, jobs,
                            n_jobs, err);
}
