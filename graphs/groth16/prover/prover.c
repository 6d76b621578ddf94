/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A key recorded on a device. How single proofs run on it: prove.c.
 */
#include "prover.h"

#include "groth16/formats/fail.h"
#include "groth16/formats/parallel.h"

#include <stdlib.h>

static rp_status read_options(const rp_groth16_prover_options *options, rp_groth16_prover_options *out, rp_error *err) {
  *out = (rp_groth16_prover_options){.struct_size = sizeof *out};
  if (!options) return RP_OK;
  if (options->struct_size < sizeof options->struct_size)
    return graphs_fail(err, RP_ERR_ARGUMENT, "Options of a prover: struct_size is not set.");
  memcpy(out, options, options->struct_size < sizeof *out ? options->struct_size : sizeof *out);
  return RP_OK;
}

static rp_record_options record_options(const rp_groth16_prover_options *options) {
  return (rp_record_options){.struct_size = sizeof(rp_record_options),
                             .flags = options->flags,
                             .max_in_flight = options->max_in_flight,
                             .memory_budget_bytes = options->memory_budget_bytes};
}

/* Tables are for GPUs, where they shorten the tail of every product; on the CPU they would trade arithmetic for cache misses.
 * They are given up when they do not fit the memory. */
static rp_status build_graph(rp_device *device, const rp_groth16_key *key, const rp_groth16_prover_options *options,
                             g16_graph *graph, rp_error *err) {
  const rp_record_options record = record_options(options);
  rp_device_info device_info;
  rp_plan_info plan;
  rp_device_get_info(device, &device_info);
  const int gpu = device_info.kind == RP_DEVICE_CUDA || device_info.kind == RP_DEVICE_VULKAN;
  if (gpu && options->tables) {
    rp_status status = g16_graph_build(key, device_info.kind, 1, graph, err);
    if (status != RP_OK) return status;
    if (rp_plan_query(device, graph->graph, &record, &plan, err) != RP_ERR_BUDGET) return RP_OK;
    rp_graph_destroy(graph->graph);
  }
  return g16_graph_build(key, device_info.kind, 0, graph, err);
}

/* The products are made after the quotient's run, from the witness in its staging. */
static rp_record_options streamed_options(const rp_groth16_prover_options *options) {
  rp_record_options record = record_options(options);
  record.flags |= RP_RECORD_KEEP_INPUTS;
  return record;
}

/* The last resort, for a key that does not fit: its points are streamed. */
static rp_status plan_streamed(rp_device *device, const rp_groth16_key *key, const rp_groth16_prover_options *options,
                               g16_graph *graph, rp_plan_info *quotient, rp_plan_info *info, rp_error *err) {
  const rp_record_options record = streamed_options(options);
  rp_device_info device_info;
  rp_device_get_info(device, &device_info);
  rp_status status = g16_graph_build_quotient(key, device_info.kind, graph, err);
  if (status == RP_OK) status = rp_plan_query(device, graph->graph, &record, quotient, err);
  if (status == RP_OK) status = g16_streamed_plan(device, key, options->memory_budget_bytes, quotient, info, err);
  return status;
}

rp_status rp_groth16_plan(rp_device *device, const rp_groth16_key *key, const rp_groth16_prover_options *options,
                          rp_plan_info *info, rp_error *err) {
  if (!device || !key || !info)
    return graphs_fail(err, RP_ERR_ARGUMENT, "rp_groth16_plan: a device, a key and room are needed.");
  *info = (rp_plan_info){0};
  rp_groth16_prover_options read;
  rp_status status = read_options(options, &read, err);
  if (status != RP_OK) return status;
  rp_record_options record = record_options(&read);
  g16_graph graph;
  status = build_graph(device, key, &read, &graph, err);
  if (status == RP_OK) status = rp_plan_query(device, graph.graph, &record, info, err);
  rp_graph_destroy(graph.graph);
  if (status != RP_ERR_BUDGET) return status;
  rp_plan_info quotient;
  if (plan_streamed(device, key, &read, &graph, &quotient, info, NULL) == RP_OK) status = RP_OK;
  rp_graph_destroy(graph.graph);
  return status;
}

/* A device of its own has the host copy and check the witness while it waits. A few threads reach the host's memory
 * bandwidth; a witness that is copied in tens of microseconds is not worth waking one for. The CPU device's threads are
 * busy with the proofs themselves, of which this is a hundredth. */
static rp_status find_executor(rp_groth16_prover *prover, rp_device *device, const rp_executor *callers,
                               rp_error *err) {
  enum { MOST_THREADS = 8, LEAST_VALUES = 1 << 14 };
  rp_device_info info;
  rp_device_get_info(device, &info);
  if (callers) {
    if (!callers->parallel)
      return graphs_fail(err, RP_ERR_ARGUMENT, "The executor of a prover has no function `parallel`.");
    prover->callers_executor = *callers;
    prover->executor = &prover->callers_executor;
    return RP_OK;
  }
  uint32_t threads = g16_processors();
  if (threads > MOST_THREADS) threads = MOST_THREADS;
  if (info.limits.host_visible || threads == 1 || prover->key->info.n_vars < LEAST_VALUES) return RP_OK;
  prover->crew = g16_crew_new(threads - 1);
  if (!prover->crew) return graphs_fail(err, RP_ERR_MEMORY, "Out of memory for the threads of a prover.");
  prover->executor = g16_crew_executor(prover->crew);
  return RP_OK;
}

/* Takes the place of a graph that did not fit. RP_ERR_BUDGET leaves `err` as it is. */
static rp_status stream(rp_groth16_prover *prover, rp_device *device, const rp_groth16_prover_options *options,
                        rp_error *err) {
  const rp_record_options record = streamed_options(options);
  rp_plan_info quotient, all;
  rp_error why;
  rp_graph_destroy(prover->graph.graph);
  rp_status status = plan_streamed(device, prover->key, options, &prover->graph, &quotient, &all, &why);
  if (status == RP_OK) status = rp_record(device, prover->graph.graph, &record, &prover->recording, &why);
  if (status == RP_OK)
    status = g16_streamed_create(device, prover->key, options->memory_budget_bytes, &quotient, &prover->streamed, &why);
  if (status != RP_OK && status != RP_ERR_BUDGET && err) *err = why;
  return status;
}

rp_status rp_groth16_prover_create(rp_device *device, const rp_groth16_key *key,
                                   const rp_groth16_prover_options *options, rp_groth16_prover **out, rp_error *err) {
  if (!out) return graphs_fail(err, RP_ERR_ARGUMENT, "rp_groth16_prover_create: nowhere to put the prover.");
  *out = NULL;
  if (!device || !key) return graphs_fail(err, RP_ERR_ARGUMENT, "rp_groth16_prover_create: no device or no key.");
  rp_groth16_prover_options read;
  rp_status status = read_options(options, &read, err);
  if (status != RP_OK) return status;
  rp_groth16_prover *prover = calloc(1, sizeof *prover);
  if (!prover) return graphs_fail(err, RP_ERR_MEMORY, "Out of memory for a prover.");
  prover->key = g16_key_ref((rp_groth16_key *)key); /* the count alone changes */
  prover->max_in_flight = read.max_in_flight ? read.max_in_flight : 1;
  prover->inspect = read.inspect;
  prover->inspect_user = read.inspect_user;
  rp_record_options record = record_options(&read);
  status = build_graph(device, key, &read, &prover->graph, err);
  if (status == RP_OK) status = rp_record(device, prover->graph.graph, &record, &prover->recording, err);
  if (status == RP_ERR_BUDGET && prover->graph.graph) status = stream(prover, device, &read, err);
  if (status == RP_OK) status = find_executor(prover, device, read.executor, err);
  if (status == RP_OK && !read.no_verify) status = g16_vkey_new("The key", &key->vk, 1, &prover->vkey, err);
  if (status == RP_OK)
    *out = prover;
  else
    rp_groth16_prover_destroy(prover);
  return status;
}

void rp_groth16_prover_destroy(rp_groth16_prover *prover) {
  if (!prover) return;
  g16_crew_destroy(prover->crew);
  g16_streamed_destroy(prover->streamed);
  rp_recording_destroy(prover->recording);
  rp_graph_destroy(prover->graph.graph);
  rp_groth16_vkey_destroy(prover->vkey);
  rp_groth16_key_close(prover->key);
  free(prover);
}

const rp_graph *rp_groth16_prover_graph(const rp_groth16_prover *prover) { return prover ? prover->graph.graph : NULL; }
rp_recording *rp_groth16_prover_recording(rp_groth16_prover *prover) { return prover ? prover->recording : NULL; }

rp_status rp_groth16_save(rp_groth16_prover *prover, const char *path, rp_error *err) {
  if (!prover || !path) return graphs_fail(err, RP_ERR_ARGUMENT, "rp_groth16_save: no prover or no path.");
  return g16_key_save(prover->key, path, err);
}
