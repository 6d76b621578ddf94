/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A key recorded on a device. Proofs with it are made in flight.c.
 */
#include "prover.h"

#include "fit.h"
#include "formats/fail.h"

static rp_status read_options(const rp_plonk_prover_options *options, rp_plonk_prover_options *out, rp_error *err) {
  return graphs_options(out, sizeof *out, options, "Options of a prover", err);
}

rp_status plonk_plan(const plonk_system *system, const char *call, rp_device *device, const plonk_key *key,
                     const rp_plonk_prover_options *options, rp_plan_info *info, rp_error *err) {
  if (!device || !key || !info)
    return support_fail(err, RP_ERR_ARGUMENT, "%s: a device, a key and room are needed.", call);
  static const rp_plan_info none;
  if (!rp_info_write(info, &none, sizeof none))
    return support_fail(err, RP_ERR_ARGUMENT, "%s: info.struct_size is not set.", call);
  rp_plonk_prover_options read;
  rp_status status = read_options(options, &read, err);
  if (status != RP_OK) return status;
  plonk_fit fit;
  status = plonk_fit_make(device, system->build, key, &read, 0, &fit, err);
  if (status == RP_OK || status == RP_ERR_BUDGET) rp_info_write(info, &fit.info, sizeof fit.info);
  if (status == RP_OK) plonk_fit_destroy(&fit);
  return status;
}

rp_status plonk_prover_create(const plonk_system *system, const char *call, rp_device *device, const plonk_key *key,
                              const rp_plonk_prover_options *options, plonk_prover **out, rp_error *err) {
  if (!device || !key) return support_fail(err, RP_ERR_ARGUMENT, "%s: device or key is NULL.", call);
  rp_plonk_prover_options read;
  rp_status status = read_options(options, &read, err);
  if (status != RP_OK) return status;
  plonk_prover *prover = rp_context_alloc(rp_device_context(device), sizeof *prover);
  if (!prover) return support_fail(err, RP_ERR_MEMORY, "Out of memory for a prover.");
  prover->system = system;
  prover->context = rp_device_context(device);
  prover->key = plonk_key_ref((plonk_key *)key); /* only the reference count changes */
  prover->max_in_flight = read.max_in_flight ? read.max_in_flight : 1;
  prover->inspect = read.inspect;
  prover->inspect_user = read.inspect_user;
  plonk_fit fit;
  status = plonk_fit_make(device, system->build, key, &read, 1, &fit, err);
  prover->graph = fit.graph;
  prover->recording = fit.recording;
  if (status == RP_OK) status = g16_copiers_begin(&prover->copiers, device, read.executor, key->info.n_vars, err);
  if (status == RP_OK && !(prover->queue = graphs_queue_new(system->tasks, prover->context, prover,
                                                            prover->max_in_flight, key->info.n_public)))
    status = support_fail(err, RP_ERR_MEMORY, "Out of memory for a prover.");
  if (status == RP_OK) status = system->prepare(key, &prover->vkey, err);
  if (status == RP_OK)
    *out = prover;
  else
    plonk_prover_destroy(prover);
  return status;
}

void plonk_prover_destroy(plonk_prover *prover) {
  if (!prover) return;
  graphs_queue_destroy(prover->queue);
  g16_copiers_end(&prover->copiers, prover->context);
  rp_recording_destroy(prover->recording);
  rp_graph_destroy(prover->graph.graph);
  prover->system->discard(prover->vkey);
  plonk_key_close(prover->key);
  rp_context_free(prover);
}
