/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The public interface of FFLONK's prover.
 */
#include "batch.h"
#include "formats/fail.h"
#include "graph.h"
#include "plonk/common/prerecorded.h"
#include "plonk/common/prover.h"
#include "plonk/common/submit.h"
#include "fflonk/verify/verify.h"

struct rp_fflonk_prover {
  plonk_prover common;
};

static rp_status prepare(const plonk_key *key, void **vkey, rp_error *err) {
  rp_fflonk_vkey *made = NULL;
  const rp_status status = fflonk_vkey_new("The key", &((const rp_fflonk_key *)key)->vk, 1, &made, err);
  *vkey = made;
  return status;
}

static void discard(void *vkey) { rp_fflonk_vkey_destroy(vkey); }

static void complete(const plonk_key *key, const uint8_t *signals, void *proof) {
  fflonk_put_inverse(&((const rp_fflonk_key *)key)->vk, signals, proof);
}

static rp_status verify(const void *vkey, const void *proof, const uint8_t *signals, size_t n, rp_error *err) {
  return rp_fflonk_verify(vkey, proof, signals, n, err);
}

rp_status rp_fflonk_vkey_from_key(const rp_fflonk_key *key, rp_fflonk_vkey **vkey, rp_error *err) {
  if (!vkey) return support_fail(err, RP_ERR_ARGUMENT, "rp_fflonk_vkey_from_key: vkey is NULL.");
  *vkey = NULL;
  if (!key) return support_fail(err, RP_ERR_ARGUMENT, "rp_fflonk_vkey_from_key: key is NULL.");
  return fflonk_vkey_new("The key", &key->vk, 1, vkey, err);
}

static const plonk_system fflonk = {.build = fflonk_graph_build,
                                    .blinding_place = fflonk_blinding_place,
                                    .n_blinding = RP_FFLONK_BLINDING,
                                    .proof_bytes = sizeof(rp_fflonk_proof),
                                    .point = fflonk_proof_point,
                                    .scalar = fflonk_proof_scalar,
                                    .n_points = FFLONK_PROOF_POINTS,
                                    .n_scalars = FFLONK_HASHED_SCALARS,
                                    .prepare = prepare,
                                    .discard = discard,
                                    .complete = complete,
                                    .verify = verify,
                                    .tasks = &fflonk_tasks_kind};
_Static_assert(sizeof(rp_fflonk_proof) <= PLONK_MOST_PROOF_BYTES, "a proof in progress has room");

rp_status rp_fflonk_plan(rp_device *device, const rp_fflonk_key *key, const rp_fflonk_prover_options *options,
                         rp_plan_info *info, rp_error *err) {
  return plonk_plan(&fflonk, "rp_fflonk_plan", device, (const plonk_key *)key, options, info, err);
}

rp_status rp_fflonk_prover_create(rp_device *device, const rp_fflonk_key *key, const rp_fflonk_prover_options *options,
                                  rp_fflonk_prover **out, rp_error *err) {
  static const char call[] = "rp_fflonk_prover_create";
  plonk_prover *made = NULL;
  if (!out) return support_fail(err, RP_ERR_ARGUMENT, "%s: prover is NULL.", call);
  const rp_status status = plonk_prover_create(&fflonk, call, device, (const plonk_key *)key, options, &made, err);
  *out = (rp_fflonk_prover *)made;
  return status;
}

void rp_fflonk_prover_destroy(rp_fflonk_prover *prover) { plonk_prover_destroy((plonk_prover *)prover); }

const rp_graph *rp_fflonk_prover_graph(const rp_fflonk_prover *prover) {
  return prover ? prover->common.graph.graph : NULL;
}

rp_recording *rp_fflonk_prover_recording(rp_fflonk_prover *prover) { return prover ? prover->common.recording : NULL; }

rp_status rp_fflonk_save(const rp_fflonk_prover *prover, const char *path, rp_error *err) {
  if (!prover || !path) return support_fail(err, RP_ERR_ARGUMENT, "rp_fflonk_save: prover or path is NULL.");
  return plonk_prerecorded_save(&fflonk_kind, prover->common.key, path, err);
}

rp_status rp_fflonk_prove(rp_fflonk_prover *prover, const void *wtns, size_t wtns_bytes, rp_fflonk_proof *proof,
                          uint8_t *public_signals, rp_run_counters *counters, rp_error *err) {
  const plonk_source from = {.witness = {.wtns = wtns, .wtns_bytes = wtns_bytes}};
  return plonk_prove((plonk_prover *)prover, &from, proof, sizeof *proof, public_signals, counters, err);
}

rp_status rp_fflonk_prove_file(rp_fflonk_prover *prover, const char *wtns_path, rp_fflonk_proof *proof,
                               uint8_t *public_signals, rp_run_counters *counters, rp_error *err) {
  const plonk_source from = {.witness = {.path = wtns_path}};
  return plonk_prove((plonk_prover *)prover, &from, proof, sizeof *proof, public_signals, counters, err);
}

rp_status rp_fflonk_prove_values(rp_fflonk_prover *prover, const void *values, size_t n_values, rp_fflonk_proof *proof,
                                 uint8_t *public_signals, rp_run_counters *counters, rp_error *err) {
  const plonk_source from = {.witness = {.values = values, .n_values = n_values}};
  return plonk_prove((plonk_prover *)prover, &from, proof, sizeof *proof, public_signals, counters, err);
}

rp_status rp_fflonk_prove_unsafe_blinding(rp_fflonk_prover *prover, const void *values, size_t n_values,
                                          const uint8_t blinding_le[RP_FFLONK_BLINDING][32], rp_fflonk_proof *proof,
                                          uint8_t *public_signals, rp_run_counters *counters, rp_error *err) {
  if (proof) *proof = (rp_fflonk_proof){0};
  if (!blinding_le) return support_fail(err, RP_ERR_ARGUMENT, "rp_fflonk_prove_unsafe_blinding: no blinding values.");
  const plonk_source from = {.witness = {.values = values, .n_values = n_values}, .blinding = blinding_le};
  return plonk_prove((plonk_prover *)prover, &from, proof, sizeof *proof, public_signals, counters, err);
}

/* ---- Many -------------------------------------------------------------------------------------------------------- */

static rp_status batch_start(void *prover, const void *at, size_t index, uint64_t timeout_ns, void *flight,
                             rp_error *err) {
  rp_fflonk_job job;
  (void)rp_options_read(&job, sizeof job, at); /* its size has been checked */
  const plonk_source from = {
      .witness = {.path = job.wtns ? NULL : job.wtns_path, .wtns = job.wtns, .wtns_bytes = job.wtns_bytes}};
  return plonk_batch_start(prover, &from, index, timeout_ns, job.proof, job.public_signals, flight, err);
}

rp_status rp_fflonk_prove_batch(rp_fflonk_prover *prover, rp_fflonk_job *jobs, size_t n_jobs, rp_error *err) {
  static const graphs_batch kind = {.call = "rp_fflonk_prove_batch",
                                    .status = offsetof(rp_fflonk_job, status),
                                    .error = offsetof(rp_fflonk_job, error),
                                    .proof = offsetof(rp_fflonk_job, proof),
                                    .proof_bytes = sizeof(rp_fflonk_proof),
                                    .flight_bytes = sizeof(plonk_flight),
                                    .start = batch_start,
                                    .finish = plonk_batch_finish};
  return graphs_batch_prove(&kind, prover, prover ? prover->common.context : NULL,
                            prover ? prover->common.max_in_flight : 0, jobs, n_jobs, err);
}
