/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Prune: a node is live if one of its outputs is an output of the graph, is read by a live node, or is the condition
 * under which a live node runs. Inputs of the graph stay live even if they are not read, because a run is given all of
 * them.
 */
#include "plan.h"

rp_status rp_pass_prune(rp_plan *plan, rp_error *err) {
  (void)err;
  for (uint32_t i = 0; i < plan->n_graph_values; i++) {
    rp_plan_value *v = &plan->values[i];
    v->live = v->output || v->origin == RP_ORIGIN_INPUT;
  }
  for (uint32_t n = plan->n_nodes; n-- > 0;) { /* readers come after what they read */
    rp_plan_node *node = &plan->nodes[n];
    for (uint32_t i = 0; i < node->node.n_out; i++) node->live |= plan->values[node->node.out[i].id - 1].live;
    if (!node->live) continue;
    for (uint32_t i = 0; i < node->node.n_out; i++) plan->values[node->node.out[i].id - 1].live = 1;
    for (uint32_t i = 0; i < node->node.n_in; i++) plan->values[node->node.in[i].id - 1].live = 1;
    for (uint32_t c = node->condition; c; c = plan->conditions[c - 1].parent)
      plan->values[plan->conditions[c - 1].value].live = 1;
  }
  return RP_OK;
}
