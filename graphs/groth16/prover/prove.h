/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A proof in progress, as used by calls that wait, by batches and by the queue.
 */
#ifndef REPRISE_GROTH16_PROVE_H
#define REPRISE_GROTH16_PROVE_H

#include "formats/witness.h"
#include "prover.h"

#include <stdatomic.h>

/* What a proof is made from. */
typedef struct g16_source {
  g16_witness witness;
  const uint8_t *r, *s; /* NULL: random */
  /* For keys of gnark: the solution, or the path or the bytes of its file; and the proof to be written */
  const rp_gnark_solution *solution;
  const char *solution_path;
  const void *solution_file;
  size_t solution_bytes;
  rp_gnark_proof *gnark;
} g16_source;

enum { G16_LENT_W, G16_LENT_A, G16_LENT_B, G16_LENDABLE };

/* Points that came with a solution, in memory form (gnark_given.c). */
typedef struct g16_given {
  bool has_knowledge;
  uint8_t commitment[RP_GNARK_MAX_COMMITMENTS][96], knowledge[96];
} g16_given;

typedef struct g16_flight {
  rp_groth16_prover *prover;
  rp_run *run;
  const uint8_t *scalars; /* the witness in the run's staging; after submission only valid for a streamed prover */
  rp_groth16_proof *proof;
  uint8_t *public_signals; /* the caller's, or allocated here */
  bool own_signals;
  const atomic_int *cancelled; /* may be NULL; once it is not 0, no more chunks of streamed points are sent */
  void (*ending)(void *user);  /* may be NULL; called before the run is ended */
  void *ending_user;
  rp_gnark_proof *gnark; /* may be NULL; the caller's proof, of which `proof` is a part */
  uint8_t challenges[RP_GNARK_MAX_COMMITMENTS * 32];
  g16_given *given; /* NULL: commitments are computed */
  /* With a key of gnark: where the wires are, up to g16_gnark_front and from there on, and which of the caller's arrays
   * the run reads where they lie. */
  const uint8_t *front, *rest;
  const void *lent[G16_LENDABLE];
} g16_flight;

/* Takes a slot and starts the proof, for which the caller has cleared the room. RP_ERR_BUSY if no slot became free
 * within the time. After any failure there is nothing to finish. */
rp_status g16_flight_start(rp_groth16_prover *prover, const g16_source *from, uint64_t timeout_ns,
                           rp_groth16_proof *proof, uint8_t *public_signals, g16_flight *f, rp_error *err);
/* Waits for the proof, verifies it, and ends the run. The caller gets the proof only after verification, since a wrong
 * one could reveal the witness; on failure it gets neither the proof nor the public signals. counters may be NULL. */
rp_status g16_flight_finish(g16_flight *f, rp_run_counters *counters, rp_error *err);

/* For a witness that is no solution of gnark: writes it and the blinding values to the staging of one proof. */
rp_status g16_fill_scalars(const rp_groth16_prover *prover, const g16_source *from, uint8_t *input, rp_error *err);
/* Copies the points of a proof from a run that has finished. */
void g16_take_points(const rp_groth16_prover *prover, rp_run *run, const g16_seat_values *from,
                     rp_groth16_proof *proof);
static inline bool g16_source_solved(const g16_source *from) {
  return from->solution || from->solution_path || from->solution_file;
}
/* What a job is made from; RP_ERR_ARGUMENT if it has no witness or no room for the proof. */
rp_status g16_job_source(const rp_groth16_job *job, size_t index, g16_source *from, rp_error *err);
/* The same for a job with a key of gnark. */
rp_status g16_gnark_job_source(const rp_gnark_job *job, size_t index, g16_source *from, rp_error *err);

/* gnark_prove.c: copies a solution to the run's staging, or lends it, without the blinding values, which go to
 * *blinding, and takes what else it has. */
rp_status g16_gnark_fill(g16_flight *f, const g16_source *from, uint8_t **blinding, rp_error *err);
/* Checks the values that were lent, while the run is in flight: a proof of others does not verify. */
rp_status g16_gnark_check_lent(const g16_flight *f, rp_error *err);
/* Takes the public signals and the commitments' challenges from the wires. */
void g16_gnark_show(g16_flight *f);
/* Completes a proof of gnark with what it has in addition to the three points. */
void g16_gnark_finish(const g16_flight *f, rp_gnark_proof *proof);

/* gnark_given.c: reads the points that came with the solution, and tells the run what it need not compute. */
rp_status g16_given_take(g16_flight *f, const rp_gnark_solution *solution, rp_error *err);
/* Checks that they give the challenges that the solution has; after g16_gnark_show. */
rp_status g16_given_check(const g16_flight *f, rp_error *err);
/* g16_gnark_release, which blames these points too if the proof does not verify. */
rp_status g16_given_release(const g16_flight *f, const rp_gnark_proof *proof, rp_error *err);
/* Makes one proof, from any source. */
rp_status g16_prove(rp_groth16_prover *prover, const g16_source *from, rp_groth16_proof *proof, uint8_t *public_signals,
                    rp_run_counters *counters, rp_error *err);

#endif
