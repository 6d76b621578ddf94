/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The calls of provers that make many proofs, several in flight: rp_groth16_prove_batch, rp_gnark_prove_batch,
 * rp_plonk_prove_batch, rp_fflonk_prove_batch.
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

/* The jobs of a call. Those of a caller may be shorter than ours, since structs grow. */
typedef struct graphs_jobs {
  const graphs_batch *kind;
  uint8_t *first;
  size_t n;
  uint32_t stride; /* bytes of each */
} graphs_jobs;

/* RP_ERR_ARGUMENT unless every struct_size is set and the same. */
rp_status graphs_jobs_open(graphs_jobs *jobs, const graphs_batch *kind, void *first, size_t n, rp_error *err);
/* Copies a job to the struct of this version, of `bytes` bytes. */
void graphs_jobs_get(const graphs_jobs *jobs, size_t i, void *job, size_t bytes);
/* Clears the room for the proof. */
void graphs_jobs_begin(const graphs_jobs *jobs, size_t i);
/* Sets status and error. */
void graphs_jobs_end(const graphs_jobs *jobs, size_t i, rp_status status, const rp_error *why);
/* No job is tried: all get this status and reason, and their room is cleared. Returns the status. */
rp_status graphs_jobs_fail(const graphs_jobs *jobs, const rp_error *why, rp_error *err);
/* The status and the reason of the first job that failed. */
rp_status graphs_jobs_result(const graphs_jobs *jobs, rp_error *err);

/* Proves all jobs, at most max_in_flight at a time, as the public header says. prover may be NULL, which is refused;
 * only then is context NULL. */
rp_status graphs_batch_prove(const graphs_batch *kind, void *prover, rp_context *context, uint32_t max_in_flight,
                             void *jobs, size_t n_jobs, rp_error *err);

#endif
