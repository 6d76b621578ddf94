/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Proofs: the witness is read directly into a run's staging, followed by the blinding values, and a proof is released
 * only after it has been verified.
 */
#include "prover.h"

#include "batch.h"
#include "formats/fail.h"
#include "formats/witness.h"

#include <inttypes.h>

enum { VALUE_BYTES = G16_VALUE_BYTES };

/* What a proof is made from. */
typedef struct plonk_source {
  g16_witness witness;
  const uint8_t (*blinding)[32]; /* NULL: random */
} plonk_source;

/* A proof in progress. */
typedef struct plonk_flight {
  const rp_plonk_prover *prover;
  rp_run *run;
  uint8_t *signals; /* the public signals of this proof, until it is released */
  rp_plonk_proof *proof;
  uint8_t *public_signals; /* the caller's; may be NULL */
} plonk_flight;

static rp_status fill_witness(const rp_plonk_prover *prover, const g16_witness *witness, uint8_t *out, rp_error *err) {
  const rp_plonk_key *key = prover->key;
  const g16_witness_shape shape = {.family = key->vk.family,
                                   .n = key->info.n_vars,
                                   .key = plonk_key_name(key),
                                   .but_values = "; those of the circuit have ",
                                   .but_file = ", and those of the circuit have ",
                                   .unit = ""};
  return g16_witness_read(witness, &shape, prover->copiers.executor, out, err);
}

/* Writes each of b_1 ... b_11 to its place behind the witness. */
static rp_status fill_blinding(const rp_field_host *fr, const plonk_source *from, uint8_t *out, rp_error *err) {
  for (uint32_t i = 0; i < RP_PLONK_BLINDING; i++) {
    uint8_t *to = out + (size_t)plonk_blinding_place[i] * VALUE_BYTES;
    if (!from->blinding) {
      const rp_status status = rp_random_canonical(fr->id, to);
      if (status == RP_OK) continue;
      return graphs_fail(err, status, "The operating system gives no randomness for the blinding.");
    }
    if (!g16_below_ct(from->blinding[i], fr->modulus_le, VALUE_BYTES))
      return graphs_fail(err, RP_ERR_INPUT, "Blinding value b_%" PRIu32 " is not below the group order r.", i + 1);
    memcpy(to, from->blinding[i], VALUE_BYTES);
  }
  return RP_OK;
}

/* Fills the run's input, and copies the public signals. The run wipes its staging whatever happens. */
static rp_status fill(const rp_plonk_prover *prover, rp_run *run, const plonk_source *from, uint8_t *signals,
                      rp_error *err) {
  const rp_plonk_key *key = prover->key;
  uint8_t *input = rp_run_input(run, prover->graph.witness);
  if (!input) return graphs_fail(err, RP_ERR_INTERNAL, "The run has no staging for the witness.");
  const rp_status status = fill_witness(prover, &from->witness, input, err);
  if (status != RP_OK) return status;
  memset(input, 0, VALUE_BYTES); /* the constant 1 has been checked; to PLONK, variable 0 is 0 */
  memcpy(signals, input + VALUE_BYTES, key->info.n_public * VALUE_BYTES);
  return fill_blinding(rp_field_get(key->vk.family->fr), from, input + key->info.n_vars * VALUE_BYTES, err);
}

static void take_proof(const rp_plonk_prover *prover, rp_run *run, rp_plonk_proof *proof) {
  const uint8_t *points = rp_run_output(run, prover->graph.points);
  const uint8_t *evaluations = rp_run_output(run, prover->graph.evaluations);
  uint8_t *to = (uint8_t *)proof;
  proof->g1 = prover->key->info.g1;
  for (size_t i = 0; i < PLONK_PROOF_POINTS; i++)
    memcpy(to + plonk_proof_point[i].offset, points + i * PLONK_POINT_BYTES, PLONK_POINT_BYTES);
  for (size_t i = 0; i < PLONK_PROOF_SCALARS; i++)
    memcpy(to + plonk_proof_scalar[i].offset, evaluations + i * PLONK_SCALAR_BYTES, PLONK_SCALAR_BYTES);
}

/* The verdict of the whole verifier, with a reason for somebody who proves. */
static rp_status check_release(const rp_plonk_prover *prover, const rp_plonk_proof *proof, const uint8_t *signals,
                               rp_error *err) {
  rp_error why = {0};
  const size_t n = (size_t)prover->key->info.n_public;
  const rp_status status = rp_plonk_verify(prover->vkey, proof, n ? signals : NULL, n, &why);
  if (status == RP_OK) return RP_OK;
  if (status == RP_ERR_MEMORY) return graphs_fail(err, status, "%s", why.reason);
  if (status == RP_ERR_VERIFY)
    return graphs_fail(err, status,
                       "The proof does not verify: the witness does not satisfy the circuit, or the key is damaged.");
  return graphs_fail(err, RP_ERR_VERIFY,
                     "No proof is released, because it could tell of the witness: %s The key was altered or is "
                     "damaged; check all its points.",
                     why.reason);
}

static size_t signal_bytes(const rp_plonk_prover *prover) { return (size_t)prover->key->info.n_public * VALUE_BYTES; }

static void flight_end(plonk_flight *f) {
  rp_run_end(f->run);
  if (f->signals) rp_wipe(f->signals, signal_bytes(f->prover));
  rp_context_free(f->signals);
  *f = (plonk_flight){0};
}

/* Takes a slot and starts the proof, for which the caller has cleared the room. RP_ERR_BUSY if no slot became free
 * within the time. After any failure there is nothing to finish. */
static rp_status flight_start(const rp_plonk_prover *prover, const plonk_source *from, uint64_t timeout_ns,
                              rp_plonk_proof *proof, uint8_t *public_signals, plonk_flight *f, rp_error *err) {
  *f = (plonk_flight){.prover = prover, .proof = proof, .public_signals = public_signals};
  if (public_signals) memset(public_signals, 0, signal_bytes(prover));
  rp_status status = rp_run_begin(prover->recording, timeout_ns, &f->run, err);
  if (status != RP_OK) return status;
  f->signals = rp_context_alloc(prover->context, signal_bytes(prover) + 1);
  status = f->signals ? fill(prover, f->run, from, f->signals, err)
                      : graphs_fail(err, RP_ERR_MEMORY, "Out of memory for the public signals.");
  if (status == RP_OK && (status = rp_run_submit(f->run)) != RP_OK && err) *err = *rp_run_error(f->run);
  if (status != RP_OK) flight_end(f);
  return status;
}

/* Waits for the proof, verifies it, and ends the run. On failure the caller gets neither the proof nor the signals. */
static rp_status flight_finish(plonk_flight *f, rp_run_counters *counters, rp_error *err) {
  const rp_plonk_prover *prover = f->prover;
  rp_plonk_proof made = {0};
  rp_status status = rp_run_wait(f->run, UINT64_MAX);
  if (status == RP_OK)
    take_proof(prover, f->run, &made);
  else if (err)
    *err = *rp_run_error(f->run);
  if (counters) rp_run_get_counters(f->run, counters);
  if (prover->inspect) prover->inspect(prover->inspect_user, f->run);
  rp_run_end(f->run);
  f->run = NULL;
  if (status == RP_OK) status = check_release(prover, &made, f->signals, err);
  if (status == RP_OK) {
    *f->proof = made;
    if (f->public_signals) memcpy(f->public_signals, f->signals, signal_bytes(prover));
  }
  rp_wipe(&made, sizeof made);
  flight_end(f);
  return status;
}

static rp_status prove(rp_plonk_prover *prover, const plonk_source *from, rp_plonk_proof *proof,
                       uint8_t *public_signals, rp_run_counters *counters, rp_error *err) {
  plonk_flight f;
  if (proof) *proof = (rp_plonk_proof){0};
  if (!prover || !proof || !g16_witness_given(&from->witness))
    return graphs_fail(err, RP_ERR_ARGUMENT, "A prover, a witness and room for the proof are needed.");
  const rp_status status = flight_start(prover, from, UINT64_MAX, proof, public_signals, &f, err);
  return status == RP_OK ? flight_finish(&f, counters, err) : status;
}

rp_status rp_plonk_prove(rp_plonk_prover *prover, const void *wtns, size_t wtns_bytes, rp_plonk_proof *proof,
                         uint8_t *public_signals, rp_run_counters *counters, rp_error *err) {
  const plonk_source from = {.witness = {.wtns = wtns, .wtns_bytes = wtns_bytes}};
  return prove(prover, &from, proof, public_signals, counters, err);
}

rp_status rp_plonk_prove_file(rp_plonk_prover *prover, const char *wtns_path, rp_plonk_proof *proof,
                              uint8_t *public_signals, rp_run_counters *counters, rp_error *err) {
  const plonk_source from = {.witness = {.path = wtns_path}};
  return prove(prover, &from, proof, public_signals, counters, err);
}

rp_status rp_plonk_prove_values(rp_plonk_prover *prover, const void *values, size_t n_values, rp_plonk_proof *proof,
                                uint8_t *public_signals, rp_run_counters *counters, rp_error *err) {
  const plonk_source from = {.witness = {.values = values, .n_values = n_values}};
  return prove(prover, &from, proof, public_signals, counters, err);
}

rp_status rp_plonk_prove_unsafe_blinding(rp_plonk_prover *prover, const void *values, size_t n_values,
                                         const uint8_t blinding_le[RP_PLONK_BLINDING][32], rp_plonk_proof *proof,
                                         uint8_t *public_signals, rp_run_counters *counters, rp_error *err) {
  if (proof) *proof = (rp_plonk_proof){0};
  if (!blinding_le) return graphs_fail(err, RP_ERR_ARGUMENT, "rp_plonk_prove_unsafe_blinding: no blinding values.");
  const plonk_source from = {.witness = {.values = values, .n_values = n_values}, .blinding = blinding_le};
  return prove(prover, &from, proof, public_signals, counters, err);
}

/* ---- Many -------------------------------------------------------------------------------------------------------- */

static rp_status batch_start(void *prover, const void *at, size_t index, uint64_t timeout_ns, void *flight,
                             rp_error *err) {
  rp_plonk_job job;
  (void)rp_options_read(&job, sizeof job, at); /* its size has been checked */
  const plonk_source from = {
      .witness = {.path = job.wtns ? NULL : job.wtns_path, .wtns = job.wtns, .wtns_bytes = job.wtns_bytes}};
  if (!g16_witness_given(&from.witness) || !job.proof)
    return graphs_fail(err, RP_ERR_ARGUMENT, "Job %zu has neither wtns nor wtns_path, or its proof is NULL.", index);
  return flight_start(prover, &from, timeout_ns, job.proof, job.public_signals, flight, err);
}

static rp_status batch_finish(void *flight, rp_error *err) { return flight_finish(flight, NULL, err); }

rp_status rp_plonk_prove_batch(rp_plonk_prover *prover, rp_plonk_job *jobs, size_t n_jobs, rp_error *err) {
  static const graphs_batch kind = {.call = "rp_plonk_prove_batch",
                                    .status = offsetof(rp_plonk_job, status),
                                    .error = offsetof(rp_plonk_job, error),
                                    .proof = offsetof(rp_plonk_job, proof),
                                    .proof_bytes = sizeof(rp_plonk_proof),
                                    .flight_bytes = sizeof(plonk_flight),
                                    .start = batch_start,
                                    .finish = batch_finish};
  return graphs_batch_prove(&kind, prover, prover ? prover->context : NULL, prover ? prover->max_in_flight : 0, jobs,
                            n_jobs, err);
}
