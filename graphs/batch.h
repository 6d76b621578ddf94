/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The calls of provers that make many proofs, several in flight: rp_groth16_prove_batch, rp_plonk_prove_batch,
 * rp_fflonk_prove_batch.
 */
#ifndef REPRISE_GRAPHS_BATCH_H
#define REPRISE_GRAPHS_BATCH_H

#include <reprise/op.h>

/* What differs between proof systems. A flight is a proof that has been started. */
typedef struct graphs_batch {
  const char *call;                 /* the name of the call, for reasons */
  uint32_t status, error, proof;    /* offsets of these members in a job */
  size_t proof_bytes, flight_bytes; /* sizes */
  /* Starts the proof of a job, for which room has been cleared. RP_ERR_BUSY: no slot became free within the time. After
   * any failure there is nothing to finish. */
  rp_status (*start)(void *prover, const void *job, size_t index, uint64_t timeout_ns, void *flight, rp_error *err);
  rp_status (*finish)(void *flight, rp_error *err);
} graphs_batch;

/* Proves all jobs, at most max_in_flight at a time, as the public header says. prover may be NULL, which is refused;
 * only then is context NULL. */
rp_status graphs_batch_prove(const graphs_batch *kind, void *prover, rp_context *context, uint32_t max_in_flight,
                             void *jobs, size_t n_jobs, rp_error *err);

#endif
