/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * One proof on its way, for those who make proofs: a call that waits, a batch, or a queue.
 */
#ifndef REPRISE_GROTH16_PROVE_H
#define REPRISE_GROTH16_PROVE_H

#include "prover.h"

#include <stdatomic.h>

/* Where a witness comes from: a .wtns file, its bytes, or plain values. */
typedef struct g16_source {
  const char *path;
  const void *wtns;
  size_t wtns_bytes;
  const uint8_t *values;
  size_t n_values;
  const uint8_t *r, *s; /* NULL: random */
  /* Of gnark's keys: the solution, or its file, and where the proof goes instead */
  const rp_gnark_solution *solution;
  const char *solution_path;
  rp_gnark_proof *gnark;
} g16_source;

typedef struct g16_flight {
  rp_groth16_prover *prover;
  rp_run *run;
  const uint8_t *scalars; /* the witness in the run's staging; after the submission only a streamed prover's is there */
  rp_groth16_proof *proof;
  uint8_t *public_signals; /* the caller's, or our own */
  int own_signals;
  const atomic_int *cancelled; /* not NULL: once it is not 0, no more chunks of streamed points are sent */
  void (*ending)(void *user);  /* not NULL: called before the run is given back */
  void *ending_user;
  rp_gnark_proof *gnark; /* not NULL: the caller's proof, of which `proof` is a part */
  uint8_t challenges[RP_GNARK_MAX_COMMITMENTS * 32];
} g16_flight;

/* Takes a slot and starts. RP_ERR_BUSY if there is none within the time; anything else but RP_OK leaves nothing
 * behind. */
rp_status g16_flight_start(rp_groth16_prover *prover, const g16_source *from, uint64_t timeout_ns,
                           rp_groth16_proof *proof, uint8_t *public_signals, g16_flight *f, rp_error *err);
/* Waits, checks and ends. Until it has been verified a proof stands in memory of our own, for one that is wrong could
 * tell of the witness; on failure the caller has neither it nor the public signals. counters may be NULL. */
rp_status g16_flight_finish(g16_flight *f, rp_run_counters *counters, rp_error *err);

/* gnark_prove.c: a solution to the run's staging, but for the blinding values. */
rp_status g16_gnark_fill(g16_flight *f, const g16_source *from, rp_error *err);
/* Takes the public signals and the commitments' challenges from the staging. */
void g16_gnark_show(g16_flight *f, const uint8_t *wires);
/* What a proof of gnark has beyond the three points. */
void g16_gnark_finish(const g16_flight *f, rp_gnark_proof *proof);
/* One proof, whatever the source. */
rp_status g16_prove(rp_groth16_prover *prover, const g16_source *from, rp_groth16_proof *proof, uint8_t *public_signals,
                    rp_run_counters *counters, rp_error *err);

#endif
