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

/* Room for what the steps refer to, in their order. */
typedef struct step_room {
  rp_ref *refs;
  uint32_t *preds;
} step_room;

static void fill_step(const rp_plan *plan, rp_part *part, const uint32_t *step_of, uint32_t index, step_room *room) {
  const uint32_t d = part->dispatch_of[index];
  const rp_plan_dispatch *from = &part->dispatches[d];
  const uint32_t n_refs = from->n_touches; /* the guard's included */
  rp_ref *refs = room->refs;
  uint32_t *preds = room->preds;
  room->refs += n_refs;
  room->preds += part->n_preds[d];
  for (uint32_t i = 0; i < n_refs; i++) refs[i] = rp_touch_ref(plan, part, &from->touches[i]);
  for (uint32_t i = 0; i < part->n_preds[d]; i++) {
    preds[i] = step_of[part->preds[d][i]];
    part->steps[preds[i]].n_succs++;
  }
  rp_step *s = &part->steps[index];
  s->kind = from->kind;
  s->kernel = from->kernel;
  s->label = from->label;
  memcpy(s->groups, from->groups, sizeof s->groups);
  s->grain = from->grain;
  s->refs = refs;
  s->n_refs = n_refs - from->guarded;
  s->guard = from->guarded ? refs + s->n_refs : NULL;
  s->when = from->when;
  s->args = from->args;
  s->word = from->word;
  s->level = part->level[d];
  s->preds = preds;
  s->n_preds = part->n_preds[d];
  s->alone_ns = part->costs[d].alone_ns;
  s->share = part->costs[d].share;
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
  part->level = rp_arena_array(&plan->arena, n, sizeof *part->level);
  part->steps = rp_arena_array(&plan->arena, n, sizeof *part->steps);
  part->dispatch_of = rp_arena_array(&plan->arena, n, sizeof *part->dispatch_of);
  uint32_t *step_of = rp_arena_array(&plan->arena, n, sizeof *step_of);
  step_room room = {.refs = rp_arena_array(&plan->arena, part->n_touches, sizeof *room.refs),
                    .preds = rp_arena_array(&plan->arena, part->n_edges, sizeof *room.preds)};
  if (!part->level || !part->steps || !part->dispatch_of || !step_of || !room.refs || !room.preds)
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
  uint32_t *at = rp_arena_array(&plan->arena, part->n_levels, sizeof *at);
  if (!at) return rp_plan_fail_memory(err);
  number(part, step_of, part->dispatch_of, at);
  for (uint32_t i = 0; i < n; i++) fill_step(plan, part, step_of, i, &room);
  return fill_succs(plan, part) ? RP_OK : rp_plan_fail_memory(err);
}

rp_status rp_pass_levels(rp_plan *plan, rp_error *err) {
  rp_status status = level_part(plan, &plan->parts[RP_PART_ONCE], err);
  if (!status) status = level_part(plan, &plan->parts[RP_PART_RUN], err);
  return !status && !rp_plan_list_uploads(plan) ? rp_plan_fail_memory(err) : status;
}
