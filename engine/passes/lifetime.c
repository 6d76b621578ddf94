/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Lifetime: the order among dispatches that their values alone demand. Placement may put two values into the same bytes
 * only where this order already keeps them apart, and so never adds to it.
 */
#include "dag.h"
#include "plan.h"

static rp_status order_part(rp_plan *plan, rp_part *part, rp_error *err) {
  uint32_t n = 0, i = 0;
  for (uint32_t d = 0; d < part->n_dispatches; d++) n += part->dispatches[d].n_touches;
  part->order = rp_arena_alloc(&plan->arena, sizeof *part->order, 8);
  rp_span *spans = rp_host_alloc(plan->context, n * sizeof *spans, 8);
  int good = part->order && spans;
  for (uint32_t d = 0; good && d < part->n_dispatches; d++) {
    for (uint32_t t = 0; t < part->dispatches[d].n_touches; t++) {
      const rp_touch *touch = &part->dispatches[d].touches[t];
      spans[i++] = (rp_span){.place = touch->value,
                             .step = d,
                             .begin = touch->first,
                             .end = touch->first + touch->count,
                             .access = touch->access};
    }
  }
  good = good && rp_dag_build(part->order, plan->context, part->n_dispatches, spans, n);
  rp_host_free(plan->context, spans, n * sizeof *spans);
  return good ? RP_OK : rp_plan_fail_memory(err);
}

rp_status rp_pass_lifetime(rp_plan *plan, rp_error *err) {
  rp_status status = order_part(plan, &plan->parts[RP_PART_ONCE], err);
  return status ? status : order_part(plan, &plan->parts[RP_PART_RUN], err);
}
