/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Guards: the parameter words that say whether the dispatches under a condition run. A guard is computed in each run by
 * a dispatch of its own, from the value of the condition and the guard of the condition around it. That dispatch always
 * runs, so that a guard is 0 wherever what its condition is computed from has been skipped.
 */
#include "lowering.h"

bool rp_plan_implies(const rp_plan *plan, uint32_t inner, uint32_t outer) {
  while (inner && inner != outer) inner = plan->conditions[inner - 1].parent;
  return inner == outer;
}

rp_touch rp_plan_guard_touch(const rp_plan *plan, uint32_t condition) {
  return (rp_touch){.value = plan->guard_value,
                    .bound = plan->guard_value,
                    .access = RP_READ,
                    .first = plan->conditions[condition - 1].word,
                    .count = 1};
}

static rp_status add_guard(rp_plan *plan, uint32_t condition, rp_error *err) {
  rp_plan_condition *c = &plan->conditions[condition - 1];
  const uint32_t n_touches = 2 + (c->parent != 0);
  const char *full = rp_plan_is_full(plan, n_touches);
  if (full) return rp_fail(err, RP_ERR_UNSUPPORTED, "%s: %s", plan->graph->name, full);
  rp_touch *touches = rp_arena_array(&plan->arena, n_touches, sizeof *touches);
  const char *label = rp_arena_format(&plan->arena, "%s%s%s", c->path, *c->path ? "/" : "", c->when ? "if" : "if not");
  if (!touches || !label) return rp_plan_fail_memory(err);
  c->word = plan->n_words++;
  touches[0] = rp_plan_guard_touch(plan, condition);
  touches[0].access = RP_WRITE;
  touches[1] = (rp_touch){.value = c->value, .bound = c->value, .access = RP_READ, .count = 1};
  rp_plan_find(plan, &touches[1].value, &touches[1].first);
  plan->values[touches[1].value].in_part[RP_PART_RUN] = 1;
  if (c->parent) touches[2] = rp_plan_guard_touch(plan, c->parent);
  for (uint32_t i = 0; i < n_touches; i++) touches[i].address = i;
  const rp_pattern step = {
      .kind = RP_STEP_GUARD, .label = label, .groups = {1, 1, 1}, .n_refs = n_touches, .when = c->when};
  const rp_plan_pattern pattern = {.step = step, .touches = touches, .node = RP_NONE};
  const bool added = rp_part_add_own(plan, RP_PART_RUN, &pattern);
  return added ? RP_OK : rp_plan_fail_memory(err);
}

rp_status rp_plan_add_guard(rp_plan *plan, uint32_t condition, rp_error *err) {
  rp_status status = RP_OK;
  uint32_t outermost;
  do { /* those around it first; each turn adds the outermost one that is not there */
    outermost = 0;
    for (uint32_t c = condition; c && plan->conditions[c - 1].word == RP_NONE; c = plan->conditions[c - 1].parent)
      outermost = c;
    if (outermost) status = add_guard(plan, outermost, err);
  } while (outermost && !status);
  return status;
}

/* ---- What a run costs -------------------------------------------------------------------------------------------- */

/* The condition of a dispatch of the part that runs each time. */
static uint32_t condition_of(const rp_plan *plan, const rp_plan_dispatch *d) {
  return rp_is_guarded(d) ? plan->nodes[rp_node_of(d)].condition : 0;
}

/* Marks in `idle` the conditions whose branch costs less than the other one; `ns` has what the dispatches under each
 * condition cost, `other` room for all values of the graph. Conditions come after those around them, and what is begun
 * in a branch comes before the other branch. */
static void choose_branches(const rp_plan *plan, uint64_t *ns, uint32_t *other, bool *idle) {
  for (uint32_t k = plan->n_conditions; k-- > 0;) {
    const rp_plan_condition *c = &plan->conditions[k];
    const uint32_t o = other[c->value]; /* a number */
    const rp_plan_condition *x = o ? &plan->conditions[o - 1] : NULL;
    uint64_t adds = ns[k];
    if (x && x->parent == c->parent && x->when != c->when) {
      const uint32_t less = ns[o - 1] < ns[k] ? o - 1 : k;
      idle[less] = 1;
      adds -= ns[less]; /* the other branch has added all of its own */
      other[c->value] = 0;
    } else if (c->number == k + 1) {
      other[c->value] = k + 1;
    }
    if (c->parent) ns[c->parent - 1] += adds;
  }
  for (uint32_t k = 0; k < plan->n_conditions; k++)
    if (plan->conditions[k].parent) idle[k] |= idle[plan->conditions[k].parent - 1];
}

const rp_cost *rp_plan_costs_of_run(const rp_plan *plan, rp_arena *arena) {
  const rp_part *p = &plan->parts[RP_PART_RUN];
  if (!plan->n_conditions) return p->costs;
  rp_cost *costs = rp_arena_array(arena, p->n_dispatches, sizeof *costs);
  uint64_t *ns = rp_arena_array(arena, plan->n_conditions, sizeof *ns);
  uint32_t *other = rp_arena_array(arena, plan->n_graph_values, sizeof *other);
  bool *idle = rp_arena_array(arena, plan->n_conditions, sizeof *idle);
  if (!costs || !ns || !other || !idle) return NULL;
  for (uint32_t d = 0; d < p->n_dispatches; d++) {
    const uint32_t c = condition_of(plan, &p->dispatches[d]);
    if (c) ns[c - 1] += p->costs[d].alone_ns * p->costs[d].share / RP_COST_WHOLE;
  }
  choose_branches(plan, ns, other, idle);
  for (uint32_t d = 0; d < p->n_dispatches; d++) {
    const uint32_t c = condition_of(plan, &p->dispatches[d]);
    costs[d] = c && idle[c - 1] ? (rp_cost){.alone_ns = 0, .share = 1} : p->costs[d];
  }
  return costs;
}
