/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Several proofs in one run, of a prover whose graph has several seats (rp_groth16_prover_options.batch). Each proof
 * has its own witness, blinding, verification and status.
 */
#ifndef REPRISE_GROTH16_GROUP_H
#define REPRISE_GROTH16_GROUP_H

#include "batch.h"
#include "prove.h"

/* A seat that is taken. */
typedef struct g16_seat {
  rp_groth16_proof *proof;
  uint8_t *public_signals; /* the caller's; may be NULL */
  rp_status status;
  rp_error error;
} g16_seat;

typedef struct g16_group {
  rp_groth16_prover *prover;
  rp_run *run;
  uint32_t n;       /* seats that are taken, at most the prover's batch */
  uint8_t *signals; /* of all seats, one after another */
  g16_seat seats[G16_BATCH_MAX];
} g16_group;

/* Starts the proofs of n >= 1 sources; the caller has set n, and proof and public_signals of the seats, and has cleared
 * the proofs. A source that cannot be read has its status and reason in its seat, and the others go on. RP_ERR_BUSY: no
 * slot became free within the time, and nothing has been done. After any other failure every seat has a status, and
 * there is nothing to finish. */
rp_status g16_group_start(rp_groth16_prover *prover, const g16_source *from, uint64_t timeout_ns, g16_group *group,
                          rp_error *err);
/* Waits for the proofs, verifies each of them, and ends the run. Sets the status of every seat, and the proofs and
 * public signals of those with RP_OK. Returns the status of the first seat that failed. */
rp_status g16_group_finish(g16_group *group, rp_error *err);

/* rp_groth16_prove_batch for such a prover. */
rp_status g16_group_prove(rp_groth16_prover *prover, const graphs_batch *kind, rp_groth16_job *jobs, size_t n_jobs,
                          rp_error *err);

/* ---- Seats (seats.c) --------------------------------------------------------------------------------------------- */

/* Where the witness and the blinding values of a seat go: g16_seat_bytes bytes of the run's staging. */
uint64_t g16_seat_bytes(const rp_groth16_prover *prover);
uint8_t *g16_seat_staging(const rp_groth16_prover *prover, rp_run *run, uint32_t seat, rp_error *err);
/* Fills the seats from `first` on with zeros, so that nothing is in them. */
rp_status g16_group_empty(rp_groth16_prover *prover, rp_run *run, uint32_t first, rp_error *err);

#endif
