/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "plan_search.h"

rp_status graphs_search_refused(graphs_search *search, const rp_plan_info *info, const rp_error *why) {
  if (!search->least.total_bytes || info->total_bytes < search->least.total_bytes) {
    search->least = *info;
    search->refusal = *why;
  }
  return RP_ERR_BUDGET;
}

rp_status graphs_search_try(graphs_search *search, const rp_graph *graph, rp_recording **recording, rp_plan_info *info,
                            rp_error *why) {
  *info = (rp_plan_info){.struct_size = sizeof *info};
  if (!search->record) {
    const rp_status status = rp_plan_query(search->device, graph, &search->options, info, why);
    return status == RP_ERR_BUDGET ? graphs_search_refused(search, info, why) : status;
  }
  const rp_status status = rp_record(search->device, graph, &search->options, recording, why); /* it plans, too */
  if (status == RP_OK) rp_recording_get_plan(*recording, info);
  if (status != RP_ERR_BUDGET) return status;
  const rp_status figures = rp_plan_query(search->device, graph, &search->options, info, NULL);
  return figures == RP_OK || figures == RP_ERR_BUDGET ? graphs_search_refused(search, info, why) : figures;
}

rp_status graphs_search_failed(const graphs_search *search, rp_status status, const rp_error *why, rp_plan_info *info,
                               rp_error *err) {
  const bool smallest = status == RP_ERR_BUDGET && search->least.total_bytes;
  if (smallest) *info = search->least;
  if (err) *err = smallest ? search->refusal : *why;
  return status;
}
