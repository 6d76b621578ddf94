/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "fit.h"

#include "formats/fail.h"

typedef struct search {
  rp_device *device;
  const rp_groth16_key *key;
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

static rp_status try_resident(search *s, int tables, g16_fit *fit, rp_error *err) {
  fit->info.struct_size = sizeof fit->info;
  rp_status status = g16_graph_build(s->key, s->device, tables, &fit->graph, err);
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

/* It was planned with the memory that was free then, and others have taken some of it since. */
static rp_status refuse_late(search *s, g16_streamed_plan *plan, uint64_t budget, rp_error *err) {
  rp_device_info info = {.struct_size = sizeof info};
  rp_device_get_info(s->device, &info);
  plan->info.total_bytes = plan->least_bytes;
  (void)graphs_fail(err, RP_ERR_BUDGET,
                    "groth16 needs %llu bytes on %s:%u with the key's points streamed, and others have taken some of "
                    "the %llu bytes that were free",
                    (unsigned long long)plan->least_bytes, rp_device_kind_name(info.kind), info.index,
                    (unsigned long long)budget);
  return refuse(s, &plan->info, err);
}

static rp_status try_streamed(search *s, g16_fit *fit, rp_error *err) {
  uint64_t budget = rp_device_available_bytes(s->device);
  g16_streamed_plan plan = {0};
  if (s->options.memory_budget_bytes && s->options.memory_budget_bytes < budget)
    budget = s->options.memory_budget_bytes;
  rp_status status = g16_graph_build_quotient(s->key, s->device, &fit->graph, err);
  if (status == RP_OK) status = g16_streamed_fit(s->device, s->key, fit->graph.graph, budget, &s->options, &plan, err);
  fit->info = plan.info;
  if (status == RP_ERR_BUDGET) return refuse(s, &plan.info, err);
  if (status != RP_OK || !s->record) return status;
  status = rp_record(s->device, fit->graph.graph, &plan.quotient, &fit->recording, err);
  if (status == RP_OK) status = g16_streamed_create(s->device, s->key, &plan, &fit->streamed, err);
  return status == RP_ERR_BUDGET ? refuse_late(s, &plan, budget, err) : status;
}

rp_status g16_fit_make(rp_device *device, const rp_groth16_key *key, const rp_groth16_prover_options *options,
                       int record, g16_fit *fit, rp_error *err) {
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
  rp_status status = RP_ERR_BUDGET;
  *fit = (g16_fit){0};
  for (int tables = gpu && options->tables; tables >= 0 && status == RP_ERR_BUDGET; tables--) {
    g16_fit_destroy(fit);
    status = try_resident(&s, tables, fit, &why);
  }
  if (status == RP_ERR_BUDGET) {
    g16_fit_destroy(fit);
    status = try_streamed(&s, fit, &why);
  }
  if (status == RP_OK) return RP_OK;
  g16_fit_destroy(fit);
  if (status == RP_ERR_BUDGET && s.least.total_bytes) {
    fit->info = s.least;
    why = s.refusal;
  }
  if (err) *err = why;
  return status;
}

void g16_fit_destroy(g16_fit *fit) {
  g16_streamed_destroy(fit->streamed);
  rp_recording_destroy(fit->recording);
  rp_graph_destroy(fit->graph.graph);
  *fit = (g16_fit){0};
}
