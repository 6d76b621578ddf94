/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * How many bytes of values dispatches keep alive, and an order of running them one after another in which these are
 * few.
 */
#include "schedule.h"

#include "arena_place.h"
#include "dag.h"

/* ---- Lists ------------------------------------------------------------------------------------------------------- */

static bool is_here(const rp_flow *f, uint32_t value) { return f->bytes[value] != 0; }

static void weigh(rp_flow *f, rp_space space) {
  const uint64_t align = f->plan->device->info.limits.align_bytes;
  for (uint32_t v = 0; v < f->plan->n_values; v++) {
    const rp_plan_value *x = &f->plan->values[v];
    if (!x->placed || x->space != space) continue;
    for (uint32_t s = 0; s < x->n_segments; s++) f->bytes[v] += rp_align_up(rp_segment_bytes(x, s), align);
  }
}

/* Groups the values by the dispatches of a list that has those of value v from list[at[v]] on. */
static bool group(rp_flow *f, const uint32_t *list, const uint32_t *at, uint32_t **by_at, uint32_t **by) {
  uint32_t *to = *by_at = rp_arena_array(&f->arena, f->n + 2u, sizeof *to);
  if (!to) return 0;
  for (uint32_t v = 0; v < f->plan->n_values; v++)
    for (uint32_t i = at[v]; is_here(f, v) && i < at[v + 1]; i++) to[list[i] + 2]++;
  for (uint32_t d = 2; d < f->n + 2; d++) to[d] += to[d - 1];
  *by = rp_arena_array(&f->arena, to[f->n + 1], sizeof **by);
  if (!*by) return 0;
  for (uint32_t v = 0; v < f->plan->n_values; v++)
    for (uint32_t i = at[v]; is_here(f, v) && i < at[v + 1]; i++) (*by)[to[list[i] + 1]++] = v;
  return 1;
}

/* The cost by the model, if the schedule says so, or else the one of the plan, which may be measured. */
static uint64_t cost_of(const rp_flow *f, uint32_t d) {
  if (!f->plan->schedule.by_model) return f->part->costs[d].alone_ns;
  const rp_cost_size size = rp_plan_size(f->plan, &f->part->dispatches[d], NULL);
  return rp_cost_of(&f->plan->device->info, NULL, &size).alone_ns;
}

static bool list_succs(rp_flow *f) {
  const rp_dag *o = f->part->order;
  f->succ_at = rp_arena_array(&f->arena, f->n + 2u, sizeof *f->succ_at);
  f->succs = rp_arena_array(&f->arena, o->n_edges, sizeof *f->succs);
  f->path_ns = rp_arena_array(&f->arena, f->n, sizeof *f->path_ns);
  if (!f->succ_at || !f->succs || !f->path_ns) return 0;
  for (uint32_t e = 0; e < o->n_edges; e++) f->succ_at[o->preds[e] + 2]++;
  for (uint32_t d = 2; d < f->n + 2; d++) f->succ_at[d] += f->succ_at[d - 1];
  for (uint32_t d = 0; d < f->n; d++)
    for (uint32_t e = o->first[d]; e < o->first[d + 1]; e++) f->succs[f->succ_at[o->preds[e] + 1]++] = d;
  for (uint32_t d = f->n; d-- > 0;) {
    for (uint32_t i = f->succ_at[d]; i < f->succ_at[d + 1]; i++)
      if (f->path_ns[f->succs[i]] > f->path_ns[d]) f->path_ns[d] = f->path_ns[f->succs[i]];
    f->path_ns[d] += cost_of(f, d);
  }
  return 1;
}

bool rp_flow_open(rp_flow *flow, const rp_plan *plan, int part, rp_space space) {
  const rp_part *p = &plan->parts[part];
  *flow = (rp_flow){.plan = plan, .part = p, .n = p->n_dispatches};
  rp_arena_init(&flow->arena, plan->context);
  flow->bytes = rp_arena_array(&flow->arena, plan->n_values, sizeof *flow->bytes);
  if (!flow->bytes) return 0;
  weigh(flow, space);
  return group(flow, p->lives.first, p->lives.first_at, &flow->begins_at, &flow->begins) &&
         group(flow, p->lives.last, p->lives.last_at, &flow->ends_at, &flow->ends) && list_succs(flow);
}

void rp_flow_free(rp_flow *flow) { rp_arena_free(&flow->arena); }

/* ---- What is alive ----------------------------------------------------------------------------------------------- */

uint64_t rp_flow_peak(const rp_flow *flow, const uint32_t *epoch, uint32_t n_epochs) {
  const rp_lives *l = &flow->part->lives;
  const size_t bytes = ((size_t)n_epochs + 1) * sizeof(uint64_t);
  uint64_t *change = rp_host_alloc(flow->plan->context, bytes, 8), live = 0, peak = 0;
  if (!change) return UINT64_MAX;
  memset(change, 0, bytes);
  for (uint32_t v = 0; v < flow->plan->n_values; v++) {
    if (!is_here(flow, v)) continue;
    uint32_t from = UINT32_MAX, to = 0;
    for (uint32_t i = l->first_at[v]; i < l->first_at[v + 1]; i++)
      if (epoch[l->first[i]] < from) from = epoch[l->first[i]];
    for (uint32_t i = l->last_at[v]; i < l->last_at[v + 1]; i++)
      if (epoch[l->last[i]] > to) to = epoch[l->last[i]];
    change[from] += flow->bytes[v];
    change[to + 1] -= flow->bytes[v]; /* modulo 2^64; the sum is never negative */
  }
  for (uint32_t e = 0; e < n_epochs; e++) {
    live += change[e];
    if (live > peak) peak = live;
  }
  rp_host_free(flow->plan->context, change, bytes);
  return peak;
}

/* ---- One after another ------------------------------------------------------------------------------------------- */

typedef struct walk {
  const rp_flow *flow;
  uint32_t *waits, *ready, n_ready; /* ready: those that became ready last come last */
  uint32_t *users;                  /* per value: last users that have not run */
  unsigned char *begun;             /* per value */
} walk;

/* By how many bytes the values that are alive grow with the dispatch, and how many bytes of values begin with it. */
static int64_t change_of(const walk *l, uint32_t d, uint64_t *begun) {
  const rp_flow *f = l->flow;
  uint64_t ended = 0;
  *begun = 0;
  for (uint32_t i = f->begins_at[d]; i < f->begins_at[d + 1]; i++)
    if (!l->begun[f->begins[i]]) *begun += f->bytes[f->begins[i]];
  for (uint32_t i = f->ends_at[d]; i < f->ends_at[d + 1]; i++)
    if (l->users[f->ends[i]] == 1) ended += f->bytes[f->ends[i]];
  return (int64_t)(*begun - ended);
}

/* The ready dispatch after which the fewest bytes are alive; if these are no fewer than now, one that continues what
 * was begun last is preferred. Looks at the latest ones only. */
static uint32_t choose(const walk *l) {
  enum { LOOKED_AT = 64 };
  uint32_t best = l->n_ready - 1;
  int64_t best_change = INT64_MAX;
  for (uint32_t i = l->n_ready; i-- > 0 && l->n_ready - i <= LOOKED_AT;) {
    uint64_t begun;
    const int64_t change = change_of(l, l->ready[i], &begun);
    if (change < best_change) best_change = change, best = i;
  }
  return best;
}

static void run(walk *l, uint32_t d) {
  const rp_flow *f = l->flow;
  for (uint32_t i = f->begins_at[d]; i < f->begins_at[d + 1]; i++) l->begun[f->begins[i]] = 1;
  for (uint32_t i = f->ends_at[d]; i < f->ends_at[d + 1]; i++) l->users[f->ends[i]]--;
  for (uint32_t i = f->succ_at[d]; i < f->succ_at[d + 1]; i++)
    if (!--l->waits[f->succs[i]]) l->ready[l->n_ready++] = f->succs[i];
}

static bool search(const rp_flow *f, rp_arena *arena, uint32_t *sequence) {
  const rp_lives *lives = &f->part->lives;
  walk l = {.flow = f};
  l.waits = rp_arena_array(arena, f->n, sizeof *l.waits);
  l.ready = rp_arena_array(arena, f->n, sizeof *l.ready);
  l.users = rp_arena_array(arena, f->plan->n_values, sizeof *l.users);
  l.begun = rp_arena_array(arena, f->plan->n_values, 1);
  if (!l.waits || !l.ready || !l.users || !l.begun) return 0;
  for (uint32_t v = 0; v < f->plan->n_values; v++) l.users[v] = lives->last_at[v + 1] - lives->last_at[v];
  for (uint32_t d = f->n; d-- > 0;) {
    l.waits[d] = f->part->order->first[d + 1] - f->part->order->first[d];
    if (!l.waits[d]) l.ready[l.n_ready++] = d;
  }
  for (uint32_t n = 0; n < f->n; n++) {
    const uint32_t at = choose(&l), d = sequence[n] = l.ready[at];
    memmove(l.ready + at, l.ready + at + 1, (--l.n_ready - at) * sizeof *l.ready);
    run(&l, d);
  }
  return 1;
}

bool rp_flow_serial_order(rp_flow *flow, uint32_t *sequence, uint64_t *peak_bytes) {
  uint32_t *position = rp_arena_array(&flow->arena, flow->n, sizeof *position);
  if (!position || !search(flow, &flow->arena, sequence)) return 0;
  for (uint32_t i = 0; i < flow->n; i++) position[sequence[i]] = i;
  *peak_bytes = rp_flow_peak(flow, position, flow->n);
  for (uint32_t i = 0; i < flow->n; i++) position[i] = i;
  const uint64_t by_number = rp_flow_peak(flow, position, flow->n);
  if (*peak_bytes == UINT64_MAX || by_number == UINT64_MAX) return 0;
  if (by_number > *peak_bytes) return 1;
  *peak_bytes = by_number;
  memcpy(sequence, position, flow->n * sizeof *sequence);
  return 1;
}
