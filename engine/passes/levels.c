/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Levels: the level of a step is the length of the longest path that leads to it. Steps are numbered by level, and
 * inside a level in the order of lowering; then they are filled in for the backend.
 */
#include "hazards.h"

/* `at` has one counter per level, all zero. */
static void number(const rp_part *part, uint32_t *step_of, uint32_t *dispatch_of, uint32_t *at) {
  for (uint32_t d = 0; d < part->n_dispatches; d++) at[part->level[d]]++;
  for (uint32_t level = 0, n = 0; level < part->n_levels; level++) {
    n += at[level];
    at[level] = n - at[level];
  }
  for (uint32_t d = 0; d < part->n_dispatches; d++) {
    step_of[d] = at[part->level[d]]++;
    dispatch_of[step_of[d]] = d;
  }
}

/* The references of a dispatch, or the bases of a call. `refs` and `bases` are room for those of all. */
static void fill_refs(const rp_plan *plan, const rp_part *part, const rp_plan_dispatch *d, rp_ref **refs) {
  rp_pattern *pattern = (rp_pattern *)&d->pattern->step; /* which only this dispatch has */
  pattern->refs = *refs;
  for (uint32_t i = 0; i < rp_n_touches(d); i++) {
    const rp_touch touch = rp_touch_at(d, i);
    *(*refs)++ = rp_touch_ref(plan, part, &touch);
  }
}

static void fill_bases(const rp_plan *plan, const rp_part *part, rp_plan_call *call, rp_base **bases) {
  call->step.at = *bases;
  for (uint32_t i = 0; i < call->n; i++, ++*bases) {
    const rp_plan_base *from = &call->at[i];
    if (from->value == RP_NONE) continue; /* no dispatch uses it */
    const rp_ref ref = rp_touch_ref(
        plan, part, &(rp_touch){.value = from->value, .bound = from->bound, .first = from->first, .count = 1});
    **bases = (rp_base){.offset = ref.offset, .block = ref.block, .bound = ref.bound};
  }
}

/* The dispatches of a call follow each other. */
static bool begins_call(const rp_part *part, uint32_t d) {
  return part->dispatches[d].call && (d == 0 || part->dispatches[d - 1].call != part->dispatches[d].call);
}

static bool fill_places(rp_plan *plan, const rp_part *part) {
  uint64_t n_refs = 0, n_bases = 0;
  for (uint32_t d = 0; d < part->n_dispatches; d++) {
    if (!part->dispatches[d].call) n_refs += rp_n_touches(&part->dispatches[d]);
    if (begins_call(part, d)) n_bases += part->dispatches[d].call->n;
  }
  rp_ref *refs = rp_arena_array(&plan->arena, n_refs, sizeof *refs);
  rp_base *bases = rp_arena_array(&plan->arena, n_bases, sizeof *bases);
  if (!refs || !bases) return 0;
  for (uint32_t d = 0; d < part->n_dispatches; d++) {
    if (!part->dispatches[d].call) fill_refs(plan, part, &part->dispatches[d], &refs);
    if (begins_call(part, d)) fill_bases(plan, part, part->dispatches[d].call, &bases);
  }
  return 1;
}

/* `room`: for the predecessors of all steps, in their order. */
static void fill_step(rp_part *part, const uint32_t *step_of, uint32_t index, uint32_t **room) {
  const uint32_t d = part->dispatch_of[index];
  const rp_plan_dispatch *from = &part->dispatches[d];
  uint32_t *preds = *room;
  *room += part->n_preds[d];
  for (uint32_t i = 0; i < part->n_preds[d]; i++) {
    preds[i] = step_of[part->preds[d][i]];
    part->steps[preds[i]].n_succs++;
  }
  rp_step *s = &part->steps[index];
  s->pattern = &from->pattern->step;
  s->call = from->call ? &from->call->step : NULL;
  s->level = part->level[d];
  s->preds = preds;
  s->n_preds = part->n_preds[d];
  s->alone_ns = part->costs[d].alone_ns;
  s->share = part->costs[d].share;
  part->epoch_of[index] = part->epoch[d];
}

static bool fill_succs(rp_plan *plan, rp_part *part) {
  uint32_t *all = rp_arena_array(&plan->arena, part->n_edges, sizeof *all);
  if (!all) return 0;
  for (uint32_t i = 0; i < part->n_dispatches; i++) {
    part->steps[i].succs = all;
    all += part->steps[i].n_succs;
    part->steps[i].n_succs = 0;
  }
  for (uint32_t i = 0; i < part->n_dispatches; i++) {
    for (uint32_t p = 0; p < part->steps[i].n_preds; p++) {
      rp_step *pred = &part->steps[part->steps[i].preds[p]];
      ((uint32_t *)pred->succs)[pred->n_succs++] = i;
    }
  }
  return 1;
}

static rp_status level_part(rp_plan *plan, rp_part *part, rp_error *err) {
  uint32_t n = part->n_dispatches;
  part->level = rp_arena_array(&plan->passes, n, sizeof *part->level);
  part->steps = rp_arena_array(&plan->arena, n, sizeof *part->steps);
  part->epoch_of = rp_arena_array(&plan->arena, n, sizeof *part->epoch_of);
  part->dispatch_of = rp_arena_array(&plan->passes, n, sizeof *part->dispatch_of);
  uint32_t *step_of = rp_arena_array(&plan->passes, n, sizeof *step_of);
  uint32_t *preds = rp_arena_array(&plan->arena, part->n_edges, sizeof *preds);
  if (!part->level || !part->steps || !part->epoch_of || !part->dispatch_of || !step_of || !preds ||
      !fill_places(plan, part))
    return rp_plan_fail_memory(err);
  part->n_levels = 0;
  for (uint32_t i = 0; i < n; i++) {
    const uint32_t d = part->sequence[i];
    for (uint32_t p = 0; p < part->n_preds[d]; p++) {
      uint32_t below = part->level[part->preds[d][p]];
      if (part->level[d] <= below) part->level[d] = below + 1;
    }
    if (part->n_levels <= part->level[d]) part->n_levels = part->level[d] + 1;
  }
  uint32_t *at = rp_arena_array(&plan->passes, part->n_levels, sizeof *at);
  if (!at) return rp_plan_fail_memory(err);
  number(part, step_of, part->dispatch_of, at);
  for (uint32_t i = 0; i < n; i++) fill_step(part, step_of, i, &preds);
  return fill_succs(plan, part) ? RP_OK : rp_plan_fail_memory(err);
}

rp_status rp_pass_levels(rp_plan *plan, rp_error *err) {
  rp_status status = level_part(plan, &plan->parts[RP_PART_ONCE], err);
  if (!status) status = level_part(plan, &plan->parts[RP_PART_RUN], err);
  return !status && !rp_plan_list_uploads(plan) ? rp_plan_fail_memory(err) : status;
}
