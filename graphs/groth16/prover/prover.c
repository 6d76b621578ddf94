/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A key recorded on a device. Proofs with it are made in prove.c.
 */
#include "prover.h"
#include "fit.h"
#include "key_unread.h"

#include "formats/fail.h"

static rp_status read_options(const rp_groth16_key *key, const rp_groth16_prover_options *options,
                              rp_groth16_prover_options *out, rp_error *err) {
  const rp_status status = graphs_options(out, sizeof *out, options, "Options of a prover", err);
  if (status != RP_OK) return status;
  if (out->first_percent > 100)
    return support_fail(err, RP_ERR_ARGUMENT, "Options of a prover: first_percent is %u, and at most 100.",
                        out->first_percent);
  if (out->batch <= 1) return RP_OK;
  if (out->batch > G16_BATCH_MAX)
    return support_fail(err, RP_ERR_ARGUMENT, "A run makes at most %d proofs, and the options ask for %u.",
                        G16_BATCH_MAX, out->batch);
  if (!key->info.gnark) return RP_OK;
  return support_fail(err, RP_ERR_UNSUPPORTED, "%s is a key of gnark, of which a run makes one proof: batch must be 1.",
                      support_label(g16_key_name(key)));
}

rp_status rp_groth16_plan(rp_device *device, const rp_groth16_key *key, const rp_groth16_prover_options *options,
                          rp_plan_info *info, rp_error *err) {
  if (!device || !key || !info)
    return support_fail(err, RP_ERR_ARGUMENT, "rp_groth16_plan: a device, a key and room are needed.");
  static const rp_plan_info none;
  if (!rp_info_write(info, &none, sizeof none))
    return support_fail(err, RP_ERR_ARGUMENT, "rp_groth16_plan: info.struct_size is not set.");
  rp_groth16_prover_options read;
  rp_status status = read_options(key, options, &read, err);
  if (status != RP_OK) return status;
  g16_fit fit;
  status = g16_fit_make(device, key, &read, 0, &fit, err);
  if (status == RP_OK || status == RP_ERR_BUDGET) rp_info_write(info, &fit.info, sizeof fit.info);
  if (status == RP_OK) g16_fit_destroy(&fit);
  return status;
}

rp_status rp_groth16_plan_points(rp_device *device, const rp_groth16_key *key, const rp_groth16_prover_options *options,
                                 rp_plan_point *points, uint32_t capacity, uint32_t *count, rp_error *err) {
  if (count) *count = 0;
  if (!device || !key || !count)
    return support_fail(err, RP_ERR_ARGUMENT, "rp_groth16_plan_points: device, key or count is NULL.");
  rp_groth16_prover_options read;
  g16_graph graph = {0};
  rp_status status = read_options(key, options, &read, err);
  if (status == RP_OK) status = g16_fit_graph(device, key, &read, &graph, err);
  const rp_record_options with = {.struct_size = sizeof with, .flags = read.flags, .max_in_flight = read.max_in_flight};
  if (status == RP_OK) status = rp_plan_points(device, graph.graph, &with, points, capacity, count, err);
  rp_graph_destroy(graph.graph);
  return status;
}

rp_status rp_groth16_prover_create(rp_device *device, const rp_groth16_key *key,
                                   const rp_groth16_prover_options *options, rp_groth16_prover **out, rp_error *err) {
  if (!out) return support_fail(err, RP_ERR_ARGUMENT, "rp_groth16_prover_create: prover is NULL.");
  *out = NULL;
  if (!device || !key) return support_fail(err, RP_ERR_ARGUMENT, "rp_groth16_prover_create: device or key is NULL.");
  rp_groth16_prover_options read;
  rp_status status = read_options(key, options, &read, err);
  if (status != RP_OK) return status;
  if (!read.no_verify && !key->vk.ic)
    return support_fail(err, RP_ERR_ARGUMENT,
                        "%s holds nothing that verifies its proofs: open it with its verifying key, or ask for "
                        "unverified proofs (no_verify).",
                        support_label(g16_key_name(key)));
  rp_groth16_prover *prover = rp_context_alloc(rp_device_context(device), sizeof *prover);
  if (!prover) return support_fail(err, RP_ERR_MEMORY, "Out of memory for a prover.");
  prover->context = rp_device_context(device);
  prover->key = g16_key_ref((rp_groth16_key *)key); /* only the reference count changes */
  prover->max_in_flight = read.max_in_flight ? read.max_in_flight : 1;
  prover->inspect = read.inspect;
  prover->inspect_user = read.inspect_user;
  g16_fit fit;
  status = g16_fit_make(device, key, &read, 1, &fit, err);
  prover->graph = fit.graph;
  prover->recording = fit.recording;
  prover->streamed = fit.streamed;
  const uint64_t n_values = key->info.n_vars * (read.batch ? read.batch : 1);
  if (status == RP_OK) status = g16_copiers_begin(&prover->copiers, device, read.executor, n_values, err);
  if (status == RP_OK && !(prover->queue = graphs_queue_new(&g16_tasks_kind, prover->context, prover,
                                                            prover->max_in_flight, key->info.n_public)))
    status = support_fail(err, RP_ERR_MEMORY, "Out of memory for a prover.");
  if (status == RP_OK && !read.no_verify) status = g16_vkey_new("The key", &key->vk, 1, &prover->vkey, err);
  if (status == RP_OK)
    *out = prover;
  else
    rp_groth16_prover_destroy(prover);
  return status;
}

void rp_groth16_prover_destroy(rp_groth16_prover *prover) {
  if (!prover) return;
  graphs_queue_destroy(prover->queue);
  g16_copiers_end(&prover->copiers, prover->context);
  g16_streamed_destroy(prover->streamed);
  rp_recording_destroy(prover->recording);
  rp_graph_destroy(prover->graph.graph);
  rp_groth16_vkey_destroy(prover->vkey);
  rp_groth16_key_close(prover->key);
  rp_context_free(prover);
}

const rp_graph *rp_groth16_prover_graph(const rp_groth16_prover *prover) { return prover ? prover->graph.graph : NULL; }

rp_status rp_groth16_prover_witness(const rp_groth16_prover *prover, rp_port_info *info, rp_error *err) {
  if (!prover || !info) return support_fail(err, RP_ERR_ARGUMENT, "rp_groth16_prover_witness: prover or info is NULL.");
  return rp_recording_get_input(prover->recording, 0, info, err);
}

rp_recording *rp_groth16_prover_recording(rp_groth16_prover *prover) { return prover ? prover->recording : NULL; }

rp_status rp_groth16_save(rp_groth16_prover *prover, const char *path, rp_error *err) {
  if (!prover || !path) return support_fail(err, RP_ERR_ARGUMENT, "rp_groth16_save: prover or path is NULL.");
  if (!prover->key->vk.ic)
    return support_fail(err, RP_ERR_ARGUMENT,
                        "%s was opened without its verifying key, which belongs into the file: open it with that.",
                        support_label(g16_key_name(prover->key)));
  rp_status status = rp_context_check(prover->context, err);
  if (status == RP_OK) status = g16_unread_refuse(prover->key, "save it", err);
  return status != RP_OK ? status : g16_key_save(prover->key, prover->context, path, err);
}
