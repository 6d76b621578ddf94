/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A proof in progress, as used by calls that wait and by batches.
 */
#ifndef REPRISE_PLONK_PROVE_H
#define REPRISE_PLONK_PROVE_H

#include "formats/witness.h"
#include "prover.h"

/* What a proof is made from. */
typedef struct plonk_source {
  g16_witness witness;
  const uint8_t (*blinding)[32]; /* NULL: random */
} plonk_source;

typedef struct plonk_flight {
  const rp_plonk_prover *prover;
  rp_run *run;
  uint8_t *signals; /* the public signals of this proof, until it is released */
  rp_plonk_proof *proof;
  uint8_t *public_signals; /* the caller's; may be NULL */
} plonk_flight;

/* Takes a slot and starts the proof, for which the caller has cleared the room. RP_ERR_BUSY if no slot became free
 * within the time. After any failure there is nothing to finish. */
rp_status plonk_flight_start(const rp_plonk_prover *prover, const plonk_source *from, uint64_t timeout_ns,
                             rp_plonk_proof *proof, uint8_t *public_signals, plonk_flight *f, rp_error *err);
/* Waits for the proof, verifies it, and ends the run. On failure the caller gets neither the proof nor the signals. */
rp_status plonk_flight_finish(plonk_flight *f, rp_run_counters *counters, rp_error *err);

#endif
