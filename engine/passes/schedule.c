/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Schedule: what each dispatch costs, in which epoch it runs, and by which rule values then share bytes.
 *
 * Without a cap on memory a dispatch runs in the first epoch that its predecessors allow. With one, squeeze.c chooses
 * the epochs of the replayed part. Placement, edges and levels follow from them.
 */
#include "schedule.h"

#include "arena_place.h"
#include "dag.h"

/* The model does not ask for labels. */
static bool estimate_costs(rp_plan *plan, rp_part *part) {
  part->costs = rp_arena_array(&plan->passes, part->n_dispatches, sizeof *part->costs);
  if (!part->costs) return 0;
  const rp_arena_mark mark = rp_arena_now(&plan->passes);
  for (uint32_t d = 0; d < part->n_dispatches; d++) {
    const rp_cost_size size = rp_plan_size(plan, &part->dispatches[d], plan->costs ? &plan->passes : NULL);
    if (!size.label) return 0;
    part->costs[d] = rp_cost_of(&plan->device->info, plan->costs, &size);
    rp_arena_rewind(&plan->passes, mark);
  }
  return 1;
}

/* Each dispatch as early as its predecessors allow. */
static void schedule_earliest(rp_part *part) {
  const rp_dag *o = part->order;
  for (uint32_t d = 0; d < part->n_dispatches; d++) {
    part->epoch[d] = 0;
    for (uint32_t e = o->first[d]; e < o->first[d + 1]; e++)
      if (part->epoch[o->preds[e]] >= part->epoch[d]) part->epoch[d] = part->epoch[o->preds[e]] + 1;
    if (part->n_epochs <= part->epoch[d]) part->n_epochs = part->epoch[d] + 1;
  }
}

static bool squeeze(rp_plan *plan, rp_part *part) {
  rp_flow flow;
  uint64_t peak = part->serial_bytes;
  bool good = rp_flow_open(&flow, plan, RP_PART_RUN, RP_SPACE_ARENA);
  uint32_t *own = good && !part->serial ? rp_arena_array(&flow.arena, flow.n, sizeof *own) : NULL;
  if (!part->serial) good = own && rp_flow_serial_order(&flow, own, &peak);
  const uint64_t cap = peak > plan->schedule.cap_bytes ? peak : plan->schedule.cap_bytes;
  if (good && part->n_dispatches) part->n_epochs = rp_flow_squeeze(&flow, own ? own : part->serial, cap, part->epoch);
  good = good && (part->n_epochs || !part->n_dispatches);
  rp_flow_free(&flow);
  return good;
}

/* The dispatches by epoch, and in one epoch by number. */
static bool put_in_sequence(rp_plan *plan, rp_part *part, bool by_epoch) {
  part->sequence = rp_arena_array(&plan->passes, part->n_dispatches, sizeof *part->sequence);
  uint32_t *at = rp_arena_array(&plan->passes, part->n_epochs + 1u, sizeof *at);
  if (!part->sequence || !at) return 0;
  for (uint32_t d = 0; by_epoch && d < part->n_dispatches; d++) at[part->epoch[d] + 1]++;
  for (uint32_t e = 1; by_epoch && e <= part->n_epochs; e++) at[e] += at[e - 1];
  for (uint32_t d = 0; d < part->n_dispatches; d++) part->sequence[by_epoch ? at[part->epoch[d]]++ : d] = d;
  return 1;
}

static rp_status schedule_part(rp_plan *plan, int which, rp_error *err) {
  rp_part *part = &plan->parts[which];
  const bool by_epoch = rp_plan_sharing(plan, which) == RP_SHARE_BY_EPOCH;
  const bool capped = by_epoch && plan->schedule.cap_bytes != UINT64_MAX;
  part->epoch = rp_arena_array(&plan->passes, part->n_dispatches, sizeof *part->epoch);
  part->n_epochs = 0;
  if (!part->epoch || !estimate_costs(plan, part)) return rp_plan_fail_memory(err);
  if (!capped)
    schedule_earliest(part);
  else if (!squeeze(plan, part))
    return rp_plan_fail_memory(err);
  return put_in_sequence(plan, part, by_epoch) ? RP_OK : rp_plan_fail_memory(err);
}

/* The CPU, whose dispatches fill all cores by themselves, and devices that are short of memory share by number. */
static rp_sharing usual_sharing(const rp_plan *plan) {
  return rp_plan_shares_by_number(plan) ? RP_SHARE_BY_NUMBER : RP_SHARE_BY_ORDER;
}

rp_status rp_pass_schedule(rp_plan *plan, rp_error *err) {
  if (plan->schedule.sharing == RP_SHARE_AS_USUAL)
    plan->schedule = (rp_schedule){.sharing = usual_sharing(plan), .cap_bytes = UINT64_MAX};
  rp_plan_choose_spaces(plan);
  rp_status status = schedule_part(plan, RP_PART_ONCE, err);
  return status ? status : schedule_part(plan, RP_PART_RUN, err);
}
