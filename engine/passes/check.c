/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Check: the builder had no error, and there is something to compute.
 */
#include "plan.h"

rp_status rp_pass_check(rp_plan *plan, rp_error *err) {
  const rp_graph *g = plan->graph;
  if (g->error.status) return rp_fail(err, g->error.status, "%s", g->error.reason);
  if (g->n_outputs == 0)
    return rp_fail(err, RP_ERR_STATE, "%s: the graph has no output; rp_graph_output adds one", g->name);
  for (uint32_t i = 0; i < plan->n_graph_values; i++) {
    const rp_plan_value *v = &plan->values[i];
    if (v->type->size_bytes > plan->device->info.limits.max_allocation_bytes)
      return rp_fail(err, RP_ERR_UNSUPPORTED, "%s: an element of %s is larger than this device can allocate", g->name,
                     v->type->name);
  }
  return RP_OK;
}
