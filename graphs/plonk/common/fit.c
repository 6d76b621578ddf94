/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "fit.h"

#include "plan_search.h"

static rp_status try_kind(graphs_search *s, plonk_build *build, const plonk_key *key, plonk_graph_kind kind,
                          plonk_fit *fit, rp_error *why) {
  const rp_status status = build(key, s->device, kind, &fit->graph, why);
  return status == RP_OK ? graphs_search_try(s, fit->graph.graph, &fit->recording, &fit->info, why) : status;
}

rp_status plonk_fit_make(rp_device *device, plonk_build *build, const plonk_key *key,
                         const rp_plonk_prover_options *options, bool record, plonk_fit *fit, rp_error *err) {
  graphs_search s = {.device = device,
                     .record = record,
                     .options = {.struct_size = sizeof(rp_record_options),
                                 .flags = options->flags,
                                 .max_in_flight = options->max_in_flight,
                                 .memory_budget_bytes = options->memory_budget_bytes}};
  rp_error why = {0};
  *fit = (plonk_fit){0};
  rp_status status = try_kind(&s, build, key, options->tables ? PLONK_GRAPH_TABLES : PLONK_GRAPH_PLAIN, fit, &why);
  if (status == RP_ERR_BUDGET) {
    plonk_fit_destroy(fit);
    status = try_kind(&s, build, key, PLONK_GRAPH_LEAN, fit, &why);
  }
  if (status == RP_OK) return RP_OK;
  plonk_fit_destroy(fit);
  return graphs_search_failed(&s, status, &why, &fit->info, err);
}

void plonk_fit_destroy(plonk_fit *fit) {
  rp_recording_destroy(fit->recording);
  rp_graph_destroy(fit->graph.graph);
  *fit = (plonk_fit){0};
}
