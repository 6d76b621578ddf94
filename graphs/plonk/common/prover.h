/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * What the provers of PLONK and of FFLONK have in common: a key recorded on a device, and proofs with it.
 */
#ifndef REPRISE_PLONK_COMMON_PROVER_H
#define REPRISE_PLONK_COMMON_PROVER_H

#include "formats/crew.h"
#include "formats/witness.h"
#include "graph.h"
#include "tasks.h"

enum { PLONK_MOST_PROOF_BYTES = 1024 };

/* What differs between proof systems. A proof begins with its rp_curve. */
typedef struct plonk_system {
  plonk_build *build;
  const uint8_t *blinding_place; /* where in the input, behind the witness, b_1, b_2 ... stand */
  uint32_t n_blinding;
  size_t proof_bytes;
  const plonk_element *point, *scalar; /* of a proof, in the order of the graph's outputs */
  uint32_t n_points, n_scalars;
  rp_status (*prepare)(const plonk_key *key, void **vkey, rp_error *err); /* the verification key */
  void (*discard)(void *vkey);
  /* Computes what the other elements of a proof determine; may be NULL. signals: NULL if there are none. */
  void (*complete)(const plonk_key *key, const uint8_t *signals, void *proof);
  rp_status (*verify)(const void *vkey, const void *proof, const uint8_t *signals, size_t n, rp_error *err);
  const graphs_tasks_kind *tasks; /* of submitted proofs */
} plonk_system;

/* The first member of the prover of a proof system. */
typedef struct plonk_prover {
  const plonk_system *system;
  rp_context *context; /* the device's */
  plonk_key *key;
  plonk_graph graph;
  rp_recording *recording;
  void *vkey; /* what every proof is verified with before it is released */
  uint32_t max_in_flight;
  g16_copiers copiers;
  void (*inspect)(void *user, const rp_run *run);
  void *inspect_user;
  graphs_queue *queue; /* of submitted proofs */
} plonk_prover;

/* As rp_plonk_plan and rp_plonk_prover_create say; `call` is the name of the call, for reasons. */
rp_status plonk_plan(const plonk_system *system, const char *call, rp_device *device, const plonk_key *key,
                     const rp_plonk_prover_options *options, rp_plan_info *info, rp_error *err);
rp_status plonk_prover_create(const plonk_system *system, const char *call, rp_device *device, const plonk_key *key,
                              const rp_plonk_prover_options *options, plonk_prover **prover, rp_error *err);
void plonk_prover_destroy(plonk_prover *prover);

/* ---- Proofs (flight.c) ------------------------------------------------------------------------------------------- */

/* What a proof is made from. */
typedef struct plonk_source {
  g16_witness witness;
  const uint8_t (*blinding)[32]; /* b_1, b_2 ...; NULL: random */
} plonk_source;

/* A proof in progress. */
typedef struct plonk_flight {
  const plonk_prover *prover;
  rp_run *run;
  uint8_t *signals;           /* the public signals of this proof, until it is released */
  void *proof;                /* the caller's */
  uint8_t *public_signals;    /* the caller's; may be NULL */
  void (*ending)(void *user); /* may be NULL; called before the run is ended */
  void *ending_user;
} plonk_flight;

/* Takes a slot and starts the proof, for which the caller has cleared the room. RP_ERR_BUSY if no slot became free
 * within the time. After any failure there is nothing to finish. */
rp_status plonk_flight_start(const plonk_prover *prover, const plonk_source *from, uint64_t timeout_ns, void *proof,
                             uint8_t *public_signals, plonk_flight *flight, rp_error *err);
/* Waits for the proof, verifies it, and ends the run. On failure the caller gets neither the proof nor the signals. */
rp_status plonk_flight_finish(plonk_flight *flight, rp_run_counters *counters, rp_error *err);
/* One proof. Arguments may be missing. On failure the proof, of `proof_bytes` bytes, is all zero. */
rp_status plonk_prove(const plonk_prover *prover, const plonk_source *from, void *proof, size_t proof_bytes,
                      uint8_t *public_signals, rp_run_counters *counters, rp_error *err);

/* Jobs are proved one by one as graphs_batch says: the flight of job `index`, and its end. */
rp_status plonk_batch_start(const plonk_prover *prover, const plonk_source *from, size_t index, uint64_t timeout_ns,
                            void *proof, uint8_t *public_signals, void *flight, rp_error *err);
rp_status plonk_batch_finish(void *flight, rp_error *err);

#endif
