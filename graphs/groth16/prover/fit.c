/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "fit.h"

#include "formats/fail.h"
#include "plan_search.h"

rp_status g16_fit_graph(rp_device *device, const rp_groth16_key *key, const rp_groth16_prover_options *options,
                        g16_graph *graph, rp_error *err) {
  rp_context *context = rp_device_context(device);
  const bool tables = options->tables != 0;
  g16_cut cut;
  if (options->batch > 1 && rp_group_size(device) > 1)
    return support_fail(err, RP_ERR_UNSUPPORTED,
                        "A run on several devices makes one proof together: batch must be 1, and is %u.",
                        options->batch);
  if (options->batch > 1) return g16_graph_build_batch(key, context, tables, options->batch, graph, err);
  const rp_status status = g16_cut_for(device, key, options->first_percent, &cut, err);
  return status == RP_OK ? g16_graph_build(key, context, tables, &cut, graph, err) : status;
}

static rp_status try_resident(graphs_search *s, const rp_groth16_key *key, const rp_groth16_prover_options *options,
                              g16_fit *fit, rp_error *why) {
  const rp_status status = g16_fit_graph(s->device, key, options, &fit->graph, why);
  return status == RP_OK ? graphs_search_try(s, fit->graph.graph, &fit->recording, &fit->info, why) : status;
}

/* The smallest plan fitted the memory that was free, but others have taken some of it since. Which part of the plan
 * found too little does not help the caller. */
static rp_status refuse_late(graphs_search *s, g16_streamed_plan *plan, uint64_t budget, rp_error *why) {
  rp_device_info info = {.struct_size = sizeof info};
  rp_device_get_info(s->device, &info);
  plan->info.total_bytes = plan->least_bytes;
  (void)support_fail(why, RP_ERR_BUDGET,
                     "groth16 needs %llu bytes on %s:%u with the key's points streamed, and others have taken some of "
                     "the %llu bytes that were free",
                     (unsigned long long)plan->least_bytes, rp_device_kind_name(info.kind), info.index,
                     (unsigned long long)budget);
  return graphs_search_refused(s, &plan->info, why);
}

static rp_status try_streamed(graphs_search *s, const rp_groth16_key *key, g16_fit *fit, rp_error *why) {
  uint64_t budget = rp_device_available_bytes(s->device);
  g16_streamed_plan plan = {0};
  if (s->options.memory_budget_bytes && s->options.memory_budget_bytes < budget)
    budget = s->options.memory_budget_bytes;
  rp_status status = g16_graph_build_quotient(key, rp_device_context(s->device), &fit->graph, why);
  if (status == RP_OK) status = g16_streamed_fit(s->device, key, fit->graph.graph, budget, &s->options, &plan, why);
  fit->info = plan.info;
  if (status == RP_ERR_BUDGET && plan.least_bytes && plan.least_bytes <= budget)
    return refuse_late(s, &plan, budget, why);
  if (status == RP_ERR_BUDGET) return graphs_search_refused(s, &plan.info, why);
  if (status != RP_OK || !s->record) return status;
  status = rp_record(s->device, fit->graph.graph, &plan.quotient, &fit->recording, why);
  if (status == RP_OK) status = g16_streamed_create(s->device, key, &plan, &fit->streamed, why);
  return status == RP_ERR_BUDGET ? refuse_late(s, &plan, budget, why) : status;
}

rp_status g16_fit_make(rp_device *device, const rp_groth16_key *key, const rp_groth16_prover_options *options,
                       bool record, g16_fit *fit, rp_error *err) {
  graphs_search s = {.device = device,
                     .record = record,
                     .options = {.struct_size = sizeof(rp_record_options),
                                 .flags = options->flags,
                                 .max_in_flight = options->max_in_flight,
                                 .memory_budget_bytes = options->memory_budget_bytes}};
  rp_error why = {0};
  *fit = (g16_fit){0};
  rp_status status = try_resident(&s, key, options, fit, &why);
  if (status == RP_ERR_BUDGET && options->batch <= 1 && !key->unread) {
    g16_fit_destroy(fit);
    status = try_streamed(&s, key, fit, &why);
  }
  if (status == RP_OK) return RP_OK;
  g16_fit_destroy(fit);
  return graphs_search_failed(&s, status, &why, &fit->info, err);
}

void g16_fit_destroy(g16_fit *fit) {
  g16_streamed_destroy(fit->streamed);
  rp_recording_destroy(fit->recording);
  rp_graph_destroy(fit->graph.graph);
  *fit = (g16_fit){0};
}
