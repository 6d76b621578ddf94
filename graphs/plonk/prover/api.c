/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The public interface of PLONK's prover.
 */
#include "batch.h"
#include "formats/fail.h"
#include "graph.h"
#include "plonk/common/prerecorded.h"
#include "plonk/common/prover.h"
#include "plonk/common/submit.h"
#include "plonk/verify/verify.h"

struct rp_plonk_prover {
  plonk_prover common;
};

static rp_status prepare(const plonk_key *key, void **vkey, rp_error *err) {
  rp_plonk_vkey *made = NULL;
  const rp_status status = plonk_vkey_new("The key", &((const rp_plonk_key *)key)->vk, 1, &made, err);
  *vkey = made;
  return status;
}

static void discard(void *vkey) { rp_plonk_vkey_destroy(vkey); }

static rp_status verify(const void *vkey, const void *proof, const uint8_t *signals, size_t n, rp_error *err) {
  return rp_plonk_verify(vkey, proof, signals, n, err);
}

rp_status rp_plonk_vkey_from_key(const rp_plonk_key *key, rp_plonk_vkey **vkey, rp_error *err) {
  if (!vkey) return support_fail(err, RP_ERR_ARGUMENT, "rp_plonk_vkey_from_key: vkey is NULL.");
  *vkey = NULL;
  if (!key) return support_fail(err, RP_ERR_ARGUMENT, "rp_plonk_vkey_from_key: key is NULL.");
  return plonk_vkey_new("The key", &key->vk, 1, vkey, err);
}

static const plonk_system plonk = {.build = plonk_graph_build,
                                   .blinding_place = plonk_blinding_place,
                                   .n_blinding = RP_PLONK_BLINDING,
                                   .proof_bytes = sizeof(rp_plonk_proof),
                                   .point = plonk_proof_point,
                                   .scalar = plonk_proof_scalar,
                                   .n_points = PLONK_PROOF_POINTS,
                                   .n_scalars = PLONK_PROOF_SCALARS,
                                   .prepare = prepare,
                                   .discard = discard,
                                   .verify = verify,
                                   .tasks = &plonk_tasks_kind};
_Static_assert(sizeof(rp_plonk_proof) <= PLONK_MOST_PROOF_BYTES, "a proof in progress has room");

rp_status rp_plonk_plan(rp_device *device, const rp_plonk_key *key, const rp_plonk_prover_options *options,
                        rp_plan_info *info, rp_error *err) {
  return plonk_plan(&plonk, "rp_plonk_plan", device, (const plonk_key *)key, options, info, err);
}

rp_status rp_plonk_prover_create(rp_device *device, const rp_plonk_key *key, const rp_plonk_prover_options *options,
                                 rp_plonk_prover **out, rp_error *err) {
  static const char call[] = "rp_plonk_prover_create";
  plonk_prover *made = NULL;
  if (!out) return support_fail(err, RP_ERR_ARGUMENT, "%s: prover is NULL.", call);
  const rp_status status = plonk_prover_create(&plonk, call, device, (const plonk_key *)key, options, &made, err);
  *out = (rp_plonk_prover *)made;
  return status;
}

void rp_plonk_prover_destroy(rp_plonk_prover *prover) { plonk_prover_destroy((plonk_prover *)prover); }

const rp_graph *rp_plonk_prover_graph(const rp_plonk_prover *prover) {
  return prover ? prover->common.graph.graph : NULL;
}

rp_recording *rp_plonk_prover_recording(rp_plonk_prover *prover) { return prover ? prover->common.recording : NULL; }

rp_status rp_plonk_save(const rp_plonk_prover *prover, const char *path, rp_error *err) {
  if (!prover || !path) return support_fail(err, RP_ERR_ARGUMENT, "rp_plonk_save: prover or path is NULL.");
  return plonk_prerecorded_save(&plonk_kind, prover->common.key, path, err);
}

rp_status rp_plonk_prove(rp_plonk_prover *prover, const void *wtns, size_t wtns_bytes, rp_plonk_proof *proof,
                         uint8_t *public_signals, rp_run_counters *counters, rp_error *err) {
  const plonk_source from = {.witness = {.wtns = wtns, .wtns_bytes = wtns_bytes}};
  return plonk_prove((plonk_prover *)prover, &from, proof, sizeof *proof, public_signals, counters, err);
}

rp_status rp_plonk_prove_file(rp_plonk_prover *prover, const char *wtns_path, rp_plonk_proof *proof,
                              uint8_t *public_signals, rp_run_counters *counters, rp_error *err) {
  const plonk_source from = {.witness = {.path = wtns_path}};
  return plonk_prove((plonk_prover *)prover, &from, proof, sizeof *proof, public_signals, counters, err);
}

rp_status rp_plonk_prove_values(rp_plonk_prover *prover, const void *values, size_t n_values, rp_plonk_proof *proof,
                                uint8_t *public_signals, rp_run_counters *counters, rp_error *err) {
  const plonk_source from = {.witness = {.values = values, .n_values = n_values}};
  return plonk_prove((plonk_prover *)prover, &from, proof, sizeof *proof, public_signals, counters, err);
}

rp_status rp_plonk_prove_unsafe_blinding(rp_plonk_prover *prover, const void *values, size_t n_values,
                                         const uint8_t blinding_le[RP_PLONK_BLINDING][32], rp_plonk_proof *proof,
                                         uint8_t *public_signals, rp_run_counters *counters, rp_error *err) {
  if (proof) *proof = (rp_plonk_proof){0};
  if (!blinding_le) return support_fail(err, RP_ERR_ARGUMENT, "rp_plonk_prove_unsafe_blinding: no blinding values.");
  const plonk_source from = {.witness = {.values = values, .n_values = n_values}, .blinding = blinding_le};
  return plonk_prove((plonk_prover *)prover, &from, proof, sizeof *proof, public_signals, counters, err);
}

/* ---- Many -------------------------------------------------------------------------------------------------------- */

static rp_status batch_start(void *prover, const void *at, size_t index, uint64_t timeout_ns, void *flight,
                             rp_error *err) {
  rp_plonk_job job;
  (void)rp_options_read(&job, sizeof job, at); /* its size has been checked */
  const plonk_source from = {
      .witness = {.path = job.wtns ? NULL : job.wtns_path, .wtns = job.wtns, .wtns_bytes = job.wtns_bytes}};
  return plonk_batch_start(prover, &from, index, timeout_ns, job.proof, job.public_signals, flight, err);
}

rp_status rp_plonk_prove_batch(rp_plonk_prover *prover, rp_plonk_job *jobs, size_t n_jobs, rp_error *err) {
  static const graphs_batch kind = {.call = "rp_plonk_prove_batch",
                                    .status = offsetof(rp_plonk_job, status),
                                    .error = offsetof(rp_plonk_job, error),
                                    .proof = offsetof(rp_plonk_job, proof),
                                    .proof_bytes = sizeof(rp_plonk_proof),
                                    .flight_bytes = sizeof(plonk_flight),
                                    .start = batch_start,
                                    .finish = plonk_batch_finish};
  return graphs_batch_prove(&kind, prover, prover ? prover->common.context : NULL,
                            prover ? prover->common.max_in_flight : 0, jobs, n_jobs, err);
}
