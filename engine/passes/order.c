/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Order: nodes that depend on constants alone come first and run once; the rest follows. Within each of the two, nodes
 * keep the order of the builder's calls, which is topological because a value exists before it is used.
 *
 * A node with an output of the graph runs each time, even if its inputs are constants, because outputs belong to a
 * run's slot. A node that runs once does so under no condition.
 */
#include "plan.h"

static bool value_is_constant(const rp_plan *plan, rp_value value) {
  const rp_plan_value *v = &plan->values[value.id - 1];
  return v->origin == RP_ORIGIN_GIVEN || (v->origin == RP_ORIGIN_COMPUTED && plan->nodes[v->node].once);
}

rp_status rp_pass_order(rp_plan *plan, rp_error *err) {
  plan->order = rp_arena_array(&plan->arena, plan->n_nodes, sizeof *plan->order);
  if (!plan->order) return rp_plan_fail_memory(err);
  for (uint32_t n = 0; n < plan->n_nodes; n++) {
    rp_plan_node *p = &plan->nodes[n];
    p->once = p->live;
    for (uint32_t i = 0; i < p->node.n_in; i++) p->once &= value_is_constant(plan, p->node.in[i]);
    for (uint32_t i = 0; i < p->node.n_out; i++) p->once &= !plan->values[p->node.out[i].id - 1].output;
    if (p->once) p->condition = 0;
    if (p->once) plan->order[plan->n_order++] = n;
  }
  for (uint32_t n = 0; n < plan->n_nodes; n++)
    if (plan->nodes[n].live && !plan->nodes[n].once) plan->order[plan->n_order++] = n;
  return RP_OK;
}
