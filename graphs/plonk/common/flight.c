/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Proofs: the witness is read directly into a run's staging, followed by the blinding values, and a proof is released
 * only after it has been verified.
 */
#include "prover.h"

#include "formats/fail.h"

#include <inttypes.h>

enum { VALUE_BYTES = G16_VALUE_BYTES };

static rp_status fill_witness(const plonk_prover *prover, const g16_witness *witness, uint8_t *out, rp_error *err) {
  const plonk_key *key = prover->key;
  const g16_witness_shape shape = {.family = key->family,
                                   .n = key->info.n_vars,
                                   .key = plonk_key_name(key),
                                   .but_values = "; those of the circuit have ",
                                   .but_file = ", and those of the circuit have ",
                                   .unit = ""};
  return g16_witness_read(witness, &shape, prover->copiers.executor, out, err);
}

/* Writes each of b_1, b_2 ... to its place behind the witness. */
static rp_status fill_blinding(const plonk_prover *prover, const plonk_source *from, uint8_t *out, rp_error *err) {
  const rp_field_host *fr = rp_field_get(prover->key->family->fr);
  const plonk_system *system = prover->system;
  for (uint32_t i = 0; i < system->n_blinding; i++) {
    uint8_t *to = out + (size_t)system->blinding_place[i] * VALUE_BYTES;
    if (!from->blinding) {
      const rp_status status = rp_random_canonical(fr->id, to);
      if (status == RP_OK) continue;
      return support_fail(err, status, "The operating system gives no randomness for the blinding.");
    }
    if (!g16_below_ct(from->blinding[i], fr->modulus_le, VALUE_BYTES))
      return support_fail(err, RP_ERR_INPUT, "Blinding value b_%" PRIu32 " is not below the group order r.", i + 1);
    memcpy(to, from->blinding[i], VALUE_BYTES);
  }
  return RP_OK;
}

/* Fills the run's input, and copies the public signals. The run wipes its staging whatever happens. */
static rp_status fill(const plonk_prover *prover, rp_run *run, const plonk_source *from, uint8_t *signals,
                      rp_error *err) {
  const plonk_key *key = prover->key;
  uint8_t *input = rp_run_input(run, prover->graph.witness);
  if (!input) return support_fail(err, RP_ERR_INTERNAL, "The run has no staging for the witness.");
  const rp_status status = fill_witness(prover, &from->witness, input, err);
  if (status != RP_OK) return status;
  memset(input, 0, VALUE_BYTES); /* the constant 1 has been checked; to PLONK, variable 0 is 0 */
  memcpy(signals, input + VALUE_BYTES, key->info.n_public * VALUE_BYTES);
  return fill_blinding(prover, from, input + key->info.n_vars * VALUE_BYTES, err);
}

static void take_proof(const plonk_prover *prover, rp_run *run, const uint8_t *signals, void *proof) {
  const plonk_system *system = prover->system;
  const uint8_t *points = rp_run_output(run, prover->graph.points);
  const uint8_t *evaluations = rp_run_output(run, prover->graph.evaluations);
  uint8_t *to = proof;
  memcpy(to, &prover->key->info.g1, sizeof prover->key->info.g1);
  for (size_t i = 0; i < system->n_points; i++)
    memcpy(to + system->point[i].offset, points + i * PLONK_POINT_BYTES, PLONK_POINT_BYTES);
  for (size_t i = 0; i < system->n_scalars; i++)
    memcpy(to + system->scalar[i].offset, evaluations + i * PLONK_SCALAR_BYTES, PLONK_SCALAR_BYTES);
  if (system->complete) system->complete(prover->key, signals, proof);
}

/* The verdict of the whole verifier, with a reason for the prover's user. */
static rp_status check_release(const plonk_prover *prover, const void *proof, const uint8_t *signals, rp_error *err) {
  rp_error why = {0};
  const size_t n = (size_t)prover->key->info.n_public;
  const rp_status status = prover->system->verify(prover->vkey, proof, n ? signals : NULL, n, &why);
  if (status == RP_OK) return RP_OK;
  if (status == RP_ERR_MEMORY) return support_fail(err, status, "%s", why.reason);
  if (status == RP_ERR_VERIFY)
    return support_fail(err, status,
                        "The proof does not verify: the witness does not satisfy the circuit, or the key is damaged.");
  return support_fail(err, RP_ERR_VERIFY,
                      "No proof is released, because it could tell of the witness: %s The key was altered or is "
                      "damaged; check all its points.",
                      why.reason);
}

static size_t signal_bytes(const plonk_prover *prover) { return (size_t)prover->key->info.n_public * VALUE_BYTES; }

static void flight_end(plonk_flight *f) {
  rp_run_end(f->run);
  if (f->signals) rp_wipe(f->signals, signal_bytes(f->prover));
  rp_context_free(f->signals);
  *f = (plonk_flight){0};
}

rp_status plonk_flight_start(const plonk_prover *prover, const plonk_source *from, uint64_t timeout_ns, void *proof,
                             uint8_t *public_signals, plonk_flight *f, rp_error *err) {
  *f = (plonk_flight){.prover = prover, .proof = proof, .public_signals = public_signals};
  if (public_signals) memset(public_signals, 0, signal_bytes(prover));
  rp_status status = rp_run_begin(prover->recording, timeout_ns, &f->run, err);
  if (status != RP_OK) return status;
  f->signals = rp_context_alloc(prover->context, signal_bytes(prover) + 1);
  status = f->signals ? fill(prover, f->run, from, f->signals, err)
                      : support_fail(err, RP_ERR_MEMORY, "Out of memory for the public signals.");
  if (status == RP_OK && (status = rp_run_submit(f->run)) != RP_OK && err) *err = *rp_run_error(f->run);
  if (status != RP_OK) flight_end(f);
  return status;
}

rp_status plonk_flight_finish(plonk_flight *f, rp_run_counters *counters, rp_error *err) {
  const plonk_prover *prover = f->prover;
  _Alignas(8) uint8_t made[PLONK_MOST_PROOF_BYTES] = {0};
  rp_status status = rp_run_wait(f->run, UINT64_MAX);
  if (status == RP_OK)
    take_proof(prover, f->run, f->signals, made);
  else if (err)
    *err = *rp_run_error(f->run);
  if (counters) rp_run_get_counters(f->run, counters);
  if (f->ending) f->ending(f->ending_user);
  if (prover->inspect) prover->inspect(prover->inspect_user, f->run);
  rp_run_end(f->run);
  f->run = NULL;
  if (status == RP_OK) status = check_release(prover, made, f->signals, err);
  if (status == RP_OK) {
    memcpy(f->proof, made, prover->system->proof_bytes);
    if (f->public_signals) memcpy(f->public_signals, f->signals, signal_bytes(prover));
  }
  rp_wipe(made, sizeof made);
  flight_end(f);
  return status;
}

rp_status plonk_prove(const plonk_prover *prover, const plonk_source *from, void *proof, size_t proof_bytes,
                      uint8_t *public_signals, rp_run_counters *counters, rp_error *err) {
  plonk_flight f;
  if (proof) memset(proof, 0, proof_bytes);
  if (!prover || !proof || !g16_witness_given(&from->witness))
    return support_fail(err, RP_ERR_ARGUMENT, "A prover, a witness and room for the proof are needed.");
  const rp_status status = plonk_flight_start(prover, from, UINT64_MAX, proof, public_signals, &f, err);
  return status == RP_OK ? plonk_flight_finish(&f, counters, err) : status;
}

rp_status plonk_batch_start(const plonk_prover *prover, const plonk_source *from, size_t index, uint64_t timeout_ns,
                            void *proof, uint8_t *public_signals, void *flight, rp_error *err) {
  if (!g16_witness_given(&from->witness) || !proof)
    return support_fail(err, RP_ERR_ARGUMENT, "Job %zu has neither wtns nor wtns_path, or its proof is NULL.", index);
  return plonk_flight_start(prover, from, timeout_ns, proof, public_signals, flight, err);
}

rp_status plonk_batch_finish(void *flight, rp_error *err) { return plonk_flight_finish(flight, NULL, err); }
