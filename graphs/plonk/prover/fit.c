/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "fit.h"

typedef struct search {
  rp_device *device;
  const rp_plonk_key *key;
  rp_record_options options;
  int record;
  rp_plan_info least; /* the smallest of the plans that were refused */
  rp_error refusal;   /* its status and reason */
} search;

static rp_status refuse(search *s, const rp_plan_info *info, const rp_error *why) {
  if (!s->least.total_bytes || info->total_bytes < s->least.total_bytes) {
    s->least = *info;
    s->refusal = *why;
  }
  return RP_ERR_BUDGET;
}

static rp_status try_kind(search *s, plonk_graph_kind kind, plonk_fit *fit, rp_error *err) {
  fit->info.struct_size = sizeof fit->info;
  rp_status status = plonk_graph_build(s->key, s->device, kind, &fit->graph, err);
  if (status != RP_OK) return status;
  if (!s->record) {
    status = rp_plan_query(s->device, fit->graph.graph, &s->options, &fit->info, err);
    return status == RP_ERR_BUDGET ? refuse(s, &fit->info, err) : status;
  }
  status = rp_record(s->device, fit->graph.graph, &s->options, &fit->recording, err); /* rp_record plans, too */
  if (status == RP_OK) rp_recording_get_plan(fit->recording, &fit->info);
  if (status != RP_ERR_BUDGET) return status;
  const rp_status figures = rp_plan_query(s->device, fit->graph.graph, &s->options, &fit->info, NULL);
  return figures == RP_OK || figures == RP_ERR_BUDGET ? refuse(s, &fit->info, err) : figures;
}

rp_status plonk_fit_make(rp_device *device, const rp_plonk_key *key, const rp_plonk_prover_options *options, int record,
                         plonk_fit *fit, rp_error *err) {
  search s = {.device = device,
              .key = key,
              .record = record,
              .options = {.struct_size = sizeof(rp_record_options),
                          .flags = options->flags,
                          .max_in_flight = options->max_in_flight,
                          .memory_budget_bytes = options->memory_budget_bytes}};
  rp_device_info info = {.struct_size = sizeof info};
  rp_error why = {0};
  rp_device_get_info(device, &info);
  /* Tables shorten the tail of every product on a GPU; on the CPU they would trade arithmetic for cache misses. */
  const int gpu = info.kind == RP_DEVICE_CUDA || info.kind == RP_DEVICE_VULKAN;
  int kind = gpu && options->tables ? PLONK_GRAPH_TABLES : PLONK_GRAPH_PLAIN;
  rp_status status = RP_ERR_BUDGET;
  *fit = (plonk_fit){0};
  for (; kind <= PLONK_GRAPH_LEAN && status == RP_ERR_BUDGET; kind++) {
    plonk_fit_destroy(fit);
    status = try_kind(&s, (plonk_graph_kind)kind, fit, &why);
  }
  if (status == RP_OK) return RP_OK;
  plonk_fit_destroy(fit);
  if (status == RP_ERR_BUDGET && s.least.total_bytes) {
    fit->info = s.least;
    why = s.refusal;
  }
  if (err) *err = why;
  return status;
}

void plonk_fit_destroy(plonk_fit *fit) {
  rp_recording_destroy(fit->recording);
  rp_graph_destroy(fit->graph.graph);
  *fit = (plonk_fit){0};
}
