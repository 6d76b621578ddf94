/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A key recorded on a device. Proofs with it are made in prove.c.
 */
#include "prover.h"
#include "fit.h"

#include "formats/fail.h"
#include "plonk/verify/verify.h"

static rp_status read_options(const rp_plonk_prover_options *options, rp_plonk_prover_options *out, rp_error *err) {
  return graphs_options(out, sizeof *out, options, "Options of a prover", err);
}

rp_status rp_plonk_plan(rp_device *device, const rp_plonk_key *key, const rp_plonk_prover_options *options,
                        rp_plan_info *info, rp_error *err) {
  if (!device || !key || !info)
    return graphs_fail(err, RP_ERR_ARGUMENT, "rp_plonk_plan: a device, a key and room are needed.");
  static const rp_plan_info none;
  if (!rp_info_write(info, &none, sizeof none))
    return graphs_fail(err, RP_ERR_ARGUMENT, "rp_plonk_plan: info.struct_size is not set.");
  rp_plonk_prover_options read;
  rp_status status = read_options(options, &read, err);
  if (status != RP_OK) return status;
  plonk_fit fit;
  status = plonk_fit_make(device, key, &read, 0, &fit, err);
  if (status == RP_OK || status == RP_ERR_BUDGET) rp_info_write(info, &fit.info, sizeof fit.info);
  if (status == RP_OK) plonk_fit_destroy(&fit);
  return status;
}

rp_status rp_plonk_prover_create(rp_device *device, const rp_plonk_key *key, const rp_plonk_prover_options *options,
                                 rp_plonk_prover **out, rp_error *err) {
  if (!out) return graphs_fail(err, RP_ERR_ARGUMENT, "rp_plonk_prover_create: prover is NULL.");
  *out = NULL;
  if (!device || !key) return graphs_fail(err, RP_ERR_ARGUMENT, "rp_plonk_prover_create: device or key is NULL.");
  rp_plonk_prover_options read;
  rp_status status = read_options(options, &read, err);
  if (status != RP_OK) return status;
  rp_plonk_prover *prover = rp_context_alloc(rp_device_context(device), sizeof *prover);
  if (!prover) return graphs_fail(err, RP_ERR_MEMORY, "Out of memory for a prover.");
  prover->context = rp_device_context(device);
  prover->key = plonk_key_ref((rp_plonk_key *)key); /* only the reference count changes */
  prover->max_in_flight = read.max_in_flight ? read.max_in_flight : 1;
  prover->inspect = read.inspect;
  prover->inspect_user = read.inspect_user;
  plonk_fit fit;
  status = plonk_fit_make(device, key, &read, 1, &fit, err);
  prover->graph = fit.graph;
  prover->recording = fit.recording;
  if (status == RP_OK) status = g16_copiers_begin(&prover->copiers, device, read.executor, key->info.n_vars, err);
  if (status == RP_OK) status = plonk_vkey_new("The key", &key->vk, 1, &prover->vkey, err);
  if (status == RP_OK)
    *out = prover;
  else
    rp_plonk_prover_destroy(prover);
  return status;
}

void rp_plonk_prover_destroy(rp_plonk_prover *prover) {
  if (!prover) return;
  g16_copiers_end(&prover->copiers, prover->context);
  rp_recording_destroy(prover->recording);
  rp_graph_destroy(prover->graph.graph);
  rp_plonk_vkey_destroy(prover->vkey);
  rp_plonk_key_close(prover->key);
  rp_context_free(prover);
}

const rp_graph *rp_plonk_prover_graph(const rp_plonk_prover *prover) { return prover ? prover->graph.graph : NULL; }
rp_recording *rp_plonk_prover_recording(rp_plonk_prover *prover) { return prover ? prover->recording : NULL; }
