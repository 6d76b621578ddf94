/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Lifetime: the order among dispatches that follows from their values alone, and the dispatches with which the life of
 * each value begins and ends. Where placement puts two values into the same bytes because this order keeps them apart,
 * it adds nothing to the order.
 */
#include "dag.h"
#include "plan.h"

/* Lists the steps of the marked spans by value, ascending: advances at[value] for each entry of `list`. If `list` is
 * NULL, only counts, in at[value + 1]. */
static void list_marked(const rp_span *spans, uint32_t n, uint32_t n_values, bool last, uint32_t *at, uint32_t *list,
                        uint32_t *latest) {
  for (uint32_t v = 0; v < n_values; v++) latest[v] = RP_NONE;
  for (uint32_t i = 0; i < n; i++) {
    const rp_span *x = &spans[i];
    if (!(last ? x->last : x->first) || latest[x->place] == x->step) continue;
    latest[x->place] = x->step;
    if (list)
      list[at[x->place]++] = x->step;
    else
      at[x->place + 1]++;
  }
}

static uint32_t *make_list(rp_arena *arena, const rp_span *spans, uint32_t n, uint32_t n_values, bool last,
                           uint32_t **list_at) {
  uint32_t *at = rp_arena_array(arena, n_values + 2u, sizeof *at);
  uint32_t *latest = rp_arena_array(arena, n_values, sizeof *latest);
  if (!at || !latest) return NULL;
  list_marked(spans, n, n_values, last, at + 1, NULL, latest);
  for (uint32_t v = 2; v <= n_values + 1; v++) at[v] += at[v - 1];
  uint32_t *list = rp_arena_array(arena, at[n_values + 1], sizeof *list);
  if (list) list_marked(spans, n, n_values, last, at + 1, list, latest);
  *list_at = at;
  return list;
}

static rp_status order_part(rp_plan *plan, rp_part *part, rp_error *err) {
  const uint32_t n = (uint32_t)part->n_touches;
  uint32_t i = 0;
  part->order = rp_arena_alloc(&plan->arena, sizeof *part->order, 8);
  rp_span *spans = rp_host_alloc(plan->context, n * sizeof *spans, 8);
  bool good = part->order && spans;
  for (uint32_t d = 0; good && d < part->n_dispatches; d++) {
    for (uint32_t t = 0; t < rp_n_touches(&part->dispatches[d]); t++) {
      const rp_touch touch = rp_touch_at(&part->dispatches[d], t);
      spans[i++] = (rp_span){.place = touch.value,
                             .step = d,
                             .begin = touch.first,
                             .end = touch.first + touch.count,
                             .access = touch.access};
    }
  }
  good =
      good && rp_dag_build(part->order, plan->context, part->n_dispatches, spans, n, plan->n_values, plan->exact_steps);
  if (good) {
    rp_lives *l = &part->lives;
    l->first = make_list(&part->order->arena, spans, n, plan->n_values, 0, &l->first_at);
    l->last = make_list(&part->order->arena, spans, n, plan->n_values, 1, &l->last_at);
    good = l->first && l->last;
  }
  rp_host_free(plan->context, spans, n * sizeof *spans);
  return good ? RP_OK : rp_plan_fail_memory(err);
}

rp_status rp_pass_lifetime(rp_plan *plan, rp_error *err) {
  rp_status status = order_part(plan, &plan->parts[RP_PART_ONCE], err);
  return status ? status : order_part(plan, &plan->parts[RP_PART_RUN], err);
}
