/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Proofs: the witness is read directly into a run's staging, followed by the blinding values, and a proof is released
 * only after it has been verified.
 */
#include "group.h"

#include "formats/fail.h"
#include "groth16/verify/gnark.h"

#include <inttypes.h>

enum { VALUE_BYTES = G16_VALUE_BYTES };

static rp_status fill_witness(const rp_groth16_prover *prover, const g16_witness *witness, uint8_t *out,
                              rp_error *err) {
  const rp_groth16_key *key = prover->key;
  const g16_witness_shape shape = {.family = key->family,
                                   .n = key->info.n_vars,
                                   .key = g16_key_name(key),
                                   .but_values = "; the circuit has ",
                                   .but_file = "; the circuit has ",
                                   .unit = " wires"};
  return g16_witness_read(witness, &shape, prover->copiers.executor, out, err);
}

static rp_status fill_blinding(const rp_groth16_key *key, const g16_source *from, uint8_t *s, uint8_t *r,
                               rp_error *err) {
  if (!from->r) {
    rp_status status = rp_random_canonical(key->family->fr, s);
    if (status == RP_OK) status = rp_random_canonical(key->family->fr, r);
    return status == RP_OK ? RP_OK
                           : support_fail(err, status, "The operating system gives no randomness for the blinding.");
  }
  const uint8_t *order = rp_field_get(key->family->fr)->modulus_le;
  if (!g16_below_ct(from->r, order, VALUE_BYTES) || !g16_below_ct(from->s, order, VALUE_BYTES))
    return support_fail(err, RP_ERR_INPUT, "A blinding value is not below the group order r.");
  memcpy(s, from->s, VALUE_BYTES);
  memcpy(r, from->r, VALUE_BYTES);
  return RP_OK;
}

/* Writes s and r after the witness, in its form: Montgomery form for gnark. */
static rp_status fill_scalars_behind(const rp_groth16_key *key, const g16_source *from, uint8_t *s, rp_error *err) {
  rp_status status = fill_blinding(key, from, s, s + VALUE_BYTES, err);
  const rp_field_host *fr = rp_field_get(key->family->fr);
  for (int i = 0; i < G16_BLINDING && key->info.gnark && status == RP_OK; i++) {
    uint64_t value[VALUE_BYTES / 8];
    memcpy(value, s + (size_t)i * VALUE_BYTES, sizeof value);
    (void)fr->from_canonical(value, value); /* cannot fail: it is below the order */
    memcpy(s + (size_t)i * VALUE_BYTES, value, sizeof value);
    rp_wipe(value, sizeof value);
  }
  return status;
}

static rp_status check_source(const rp_groth16_key *key, const g16_source *from, rp_error *err) {
  const bool solved = g16_source_solved(from);
  if (solved == (int)key->info.gnark) return RP_OK;
  return support_fail(err, RP_ERR_MISMATCH,
                      solved ? "%s is not a key of gnark: its proofs are made from a witness, not from a solution."
                             : "%s is a key of gnark: rp_gnark_prove makes its proofs, from a solution.",
                      support_label(g16_key_name(key)));
}

rp_status g16_fill_scalars(const rp_groth16_prover *prover, const g16_source *from, uint8_t *input, rp_error *err) {
  const uint64_t bytes = prover->key->info.n_vars * VALUE_BYTES;
  const rp_status status = fill_witness(prover, &from->witness, input, err);
  return status == RP_OK ? fill_scalars_behind(prover->key, from, input + bytes, err) : status;
}

static rp_status fill(g16_flight *f, const g16_source *from, rp_error *err) {
  const rp_groth16_key *key = f->prover->key;
  uint8_t *input;
  if (key->info.gnark) {
    rp_status status = g16_gnark_fill(f, from, &input, err);
    if (status == RP_OK) status = fill_scalars_behind(key, from, input, err);
    if (status == RP_OK) g16_gnark_show(f);
    return status == RP_OK ? g16_given_check(f, err) : status;
  }
  input = rp_run_input(f->run, f->prover->graph.witness);
  if (!input) return support_fail(err, RP_ERR_INTERNAL, "The run has no staging for the witness.");
  f->scalars = input;
  rp_status status = g16_fill_scalars(f->prover, from, input, err);
  if (status == RP_OK) status = g16_group_empty(f->prover, f->run, 1, err);
  if (status == RP_OK && f->public_signals)
    memcpy(f->public_signals, input + VALUE_BYTES, key->info.n_public * VALUE_BYTES);
  return status;
}

static void flight_end(g16_flight *f) {
  rp_run_end(f->run);
  if (f->own_signals) rp_context_free(f->public_signals);
  rp_context_free(f->given);
  *f = (g16_flight){0};
}

rp_status g16_flight_start(rp_groth16_prover *prover, const g16_source *from, uint64_t timeout_ns,
                           rp_groth16_proof *proof, uint8_t *public_signals, g16_flight *f, rp_error *err) {
  *f = (g16_flight){.prover = prover, .proof = proof, .public_signals = public_signals, .gnark = from->gnark};
  rp_status status = check_source(prover->key, from, err);
  if (status != RP_OK) return status;
  status = rp_run_begin(prover->recording, timeout_ns, &f->run, err);
  if (status != RP_OK) return status;
  uint64_t n_public = prover->key->info.n_public;
  if (!public_signals && n_public != 0 && prover->vkey) {
    f->public_signals = rp_context_alloc(prover->context, n_public * VALUE_BYTES);
    f->own_signals = 1;
    if (!f->public_signals)
      status = support_fail(err, RP_ERR_MEMORY, "Out of memory for %" PRIu64 " public signals.", n_public);
  }
  if (status == RP_OK) status = fill(f, from, err);
  if (status == RP_OK && (status = rp_run_submit(f->run)) != RP_OK && err) *err = *rp_run_error(f->run);
  if (status == RP_OK) status = g16_gnark_check_lent(f, err); /* otherwise the run is ended here */
  if (status == RP_OK) return RP_OK;
  if (f->public_signals) rp_wipe(f->public_signals, n_public * VALUE_BYTES);
  flight_end(f);
  return status;
}

void g16_take_points(const rp_groth16_prover *prover, rp_run *run, const g16_seat_values *from,
                     rp_groth16_proof *proof) {
  const g16_family *family = prover->key->family;
  proof->g1 = family->g1;
  proof->g2 = family->g2;
  memcpy(proof->a, rp_run_output(run, from->pi_a), g16_g1_bytes(family));
  memcpy(proof->b, rp_run_output(run, from->pi_b), g16_g2_bytes(family));
  memcpy(proof->c, rp_run_output(run, from->pi_c), g16_g1_bytes(family));
}

static rp_status take_proof(g16_flight *f, rp_groth16_proof *proof, rp_run_counters *counters, rp_error *err) {
  const g16_graph *graph = &f->prover->graph;
  const bool gnark = f->prover->key->info.gnark != 0;
  if (f->prover->streamed)
    return g16_streamed_finish(f->prover->streamed, f->prover->key,
                               gnark ? rp_run_output(f->run, graph->scalars) : f->scalars,
                               rp_run_output(f->run, graph->h), f->cancelled, proof, counters, err);
  const g16_seat_values first = {.pi_a = graph->pi_a, .pi_b = graph->pi_b, .pi_c = graph->pi_c};
  g16_take_points(f->prover, f->run, &first, proof);
  return RP_OK;
}

rp_status g16_flight_finish(g16_flight *f, rp_run_counters *counters, rp_error *err) {
  const rp_groth16_prover *prover = f->prover;
  const size_t n_public = prover->key->info.n_public;
  rp_gnark_proof made = {0};
  rp_run_counters took = {.struct_size = sizeof took};
  rp_status status = rp_run_wait(f->run, UINT64_MAX);
  rp_run_get_counters(f->run, &took);
  if (status == RP_OK)
    status = take_proof(f, &made.groth16, &took, err);
  else if (err)
    *err = *rp_run_error(f->run);
  if (status == RP_OK && f->gnark) g16_gnark_finish(f, &made);
  if (counters) rp_info_write(counters, &took, sizeof took);
  if (prover->inspect) prover->inspect(prover->inspect_user, f->run);
  if (f->ending) f->ending(f->ending_user);
  rp_run_end(f->run);
  f->run = NULL;
  if (status == RP_OK && prover->vkey)
    status = f->gnark ? g16_given_release(f, &made, err)
                      : g16_verify_release(prover->vkey, &made.groth16, f->public_signals, n_public, err);
  if (status == RP_OK && f->gnark)
    *f->gnark = made;
  else if (status == RP_OK)
    *f->proof = made.groth16;
  else if (f->public_signals)
    rp_wipe(f->public_signals, n_public * VALUE_BYTES);
  rp_wipe(&made, sizeof made);
  flight_end(f);
  return status;
}

rp_status g16_prove(rp_groth16_prover *prover, const g16_source *from, rp_groth16_proof *proof, uint8_t *public_signals,
                    rp_run_counters *counters, rp_error *err) {
  if (proof) *proof = (rp_groth16_proof){0};
  if (from->gnark) *from->gnark = (rp_gnark_proof){0};
  if (!prover || !proof || (!g16_witness_given(&from->witness) && !g16_source_solved(from)))
    return support_fail(err, RP_ERR_ARGUMENT, "A prover, a witness and room for the proof are needed.");
  g16_flight f;
  rp_status status = g16_flight_start(prover, from, UINT64_MAX, proof, public_signals, &f, err);
  return status == RP_OK ? g16_flight_finish(&f, counters, err) : status;
}

rp_status rp_groth16_prove(rp_groth16_prover *prover, const void *wtns, size_t wtns_bytes, rp_groth16_proof *proof,
                           uint8_t *public_signals, rp_run_counters *counters, rp_error *err) {
  g16_source from = {.witness = {.wtns = wtns, .wtns_bytes = wtns_bytes}};
  return g16_prove(prover, &from, proof, public_signals, counters, err);
}

rp_status rp_groth16_prove_file(rp_groth16_prover *prover, const char *wtns_path, rp_groth16_proof *proof,
                                uint8_t *public_signals, rp_run_counters *counters, rp_error *err) {
  g16_source from = {.witness = {.path = wtns_path}};
  return g16_prove(prover, &from, proof, public_signals, counters, err);
}

rp_status rp_groth16_prove_values(rp_groth16_prover *prover, const void *values, size_t n_values,
                                  rp_groth16_proof *proof, uint8_t *public_signals, rp_run_counters *counters,
                                  rp_error *err) {
  g16_source from = {.witness = {.values = values, .n_values = n_values}};
  return g16_prove(prover, &from, proof, public_signals, counters, err);
}

rp_status rp_groth16_prove_unsafe_blinding(rp_groth16_prover *prover, const void *values, size_t n_values,
                                           const uint8_t r_le[32], const uint8_t s_le[32], rp_groth16_proof *proof,
                                           uint8_t *public_signals, rp_run_counters *counters, rp_error *err) {
  if (proof) *proof = (rp_groth16_proof){0};
  if (!r_le || !s_le)
    return support_fail(err, RP_ERR_ARGUMENT, "rp_groth16_prove_unsafe_blinding: r_le or s_le is NULL.");
  g16_source from = {.witness = {.values = values, .n_values = n_values}, .r = r_le, .s = s_le};
  return g16_prove(prover, &from, proof, public_signals, counters, err);
}

rp_status g16_job_source(const rp_groth16_job *job, size_t index, g16_source *from, rp_error *err) {
  *from = (g16_source){
      .witness = {.path = job->wtns ? NULL : job->wtns_path, .wtns = job->wtns, .wtns_bytes = job->wtns_bytes}};
  if (g16_witness_given(&from->witness) && job->proof) return RP_OK;
  return support_fail(err, RP_ERR_ARGUMENT, "Job %zu has neither wtns nor wtns_path, or its proof is NULL.", index);
}
