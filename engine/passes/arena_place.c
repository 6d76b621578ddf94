/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Two values of an arena may share bytes if every dispatch that uses one is finished before any that uses the other
 * starts, by the order that values demand (lifetime.c). By transitivity it is enough to compare the last users of one
 * with the first users of the other. Sharing then never makes branches wait.
 *
 * A CPU fills its cores with one dispatch, and any device that is short of memory would rather wait: there large values
 * share bytes if the numbers of their users keep them apart, and the hazards pass finds the edges that this adds. They
 * go from smaller to larger numbers like all others, so that no cycle can arise. Small values still share by the first
 * rule alone, or the short chains at the end of a branch, which occupy one thread, would hold up the next.
 *
 * The placement itself is greedy: larger pieces first, each into the smallest gap that holds it between those pieces
 * that it may not overlap, or else at the lowest end (the "greedy by size" heuristic of offset assignment; Pisarchyk
 * and Lee, "Efficient Memory Management for Deep Neural Net Inference", 2020).
 */
#include "arena_place.h"
#include "dag.h"

typedef struct item {
  uint32_t value, segment;
  uint64_t bytes, offset;
  uint32_t bin; /* RP_NONE: not placed yet */
} item;

typedef struct users { /* of one value, ascending */
  uint32_t *first, *last;
  uint32_t n_first, n_last;
  int preloaded; /* the host writes it before the first dispatch */
} users;

enum { SMALL_PART = 64 }; /* a value is small that has at most so small a part of the largest one's bytes */

typedef struct work {
  rp_plan *plan;
  const rp_dag *order;
  users *users;         /* by value */
  uint64_t large_bytes; /* values of so many bytes share by number; UINT64_MAX: none does */
  item *items;
  uint32_t n_items;
  uint32_t *gaps; /* indices of conflicting items in one bin, by offset */
  rp_arena arena;
} work;

/* ---- Users ---------------------------------------------------------------------------------------------------------
 */

/* Keeps of `all` those with no other of them before (after) them. */
static void extremes(work *w, users *u, const uint32_t *all, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) {
    int is_first = 1, is_last = 1;
    for (uint32_t j = 0; j < i && is_first; j++) is_first = !rp_dag_before(w->order, all[j], all[i]);
    for (uint32_t j = i + 1; j < n && is_last; j++) is_last = !rp_dag_before(w->order, all[i], all[j]);
    if (is_first) u->first[u->n_first++] = all[i];
    if (is_last) u->last[u->n_last++] = all[i];
  }
}

static int collect_users(work *w, const rp_part *part, uint32_t value, uint32_t *all) {
  const rp_plan_value *v = &w->plan->values[value];
  users *u = &w->users[value];
  uint32_t n = 0;
  for (uint32_t d = 0; d < part->n_dispatches; d++) {
    const rp_plan_dispatch *p = &part->dispatches[d];
    uint32_t t = 0;
    while (t < p->n_touches && p->touches[t].value != value) t++;
    if (t < p->n_touches) all[n++] = d;
  }
  u->first = rp_arena_array(&w->arena, n, sizeof *u->first);
  u->last = rp_arena_array(&w->arena, n, sizeof *u->last);
  if (!u->first || !u->last) return 0;
  u->preloaded = v->origin == RP_ORIGIN_GIVEN || v->origin == RP_ORIGIN_FILLED;
  extremes(w, u, all, n);
  return 1;
}

/* All of a is finished before any of b starts. */
static int is_before(const work *w, const users *a, const users *b) {
  if (b->preloaded) return 0;
  for (uint32_t i = 0; i < a->n_last; i++)
    for (uint32_t j = 0; j < b->n_first; j++)
      if (!rp_dag_before(w->order, a->last[i], b->first[j])) return 0;
  return 1;
}

static int is_numbered_before(const users *a, const users *b) {
  return !b->preloaded && a->last[a->n_last - 1] < b->first[0];
}

static int may_share(const work *w, uint32_t a, uint32_t b) {
  const users *x = &w->users[a], *y = &w->users[b];
  if (a == b) return 0;
  if (is_before(w, x, y) || is_before(w, y, x)) return 1;
  const rp_plan_value *v = w->plan->values;
  return v[a].bytes >= w->large_bytes && v[b].bytes >= w->large_bytes &&
         (is_numbered_before(x, y) || is_numbered_before(y, x));
}

/* The CPU shares by number unless it is asked not to and has the memory; others when they are short of it. */
static uint64_t large_bytes(const rp_plan *plan, rp_space space) {
  const int is_cpu = plan->device->info.kind == RP_DEVICE_CPU;
  uint64_t largest = 0;
  if (!plan->memory_level && (!is_cpu || (plan->options.flags & RP_RECORD_SIDE_BY_SIDE))) return UINT64_MAX;
  for (uint32_t i = 0; i < plan->n_values; i++) {
    const rp_plan_value *v = &plan->values[i];
    if (v->placed && v->space == space && v->bytes > largest) largest = v->bytes;
  }
  return largest / SMALL_PART;
}

/* ---- Offsets -------------------------------------------------------------------------------------------------------
 */

static int by_size(const void *x, const void *y) {
  const item *a = x, *b = y;
  if (a->bytes != b->bytes) return a->bytes > b->bytes ? -1 : 1;
  if (a->value != b->value) return a->value < b->value ? -1 : 1;
  return a->segment < b->segment ? -1 : a->segment > b->segment;
}

/* Items of the bin that `it` may not overlap, in w->gaps by offset. */
static uint32_t obstacles(work *w, const item *it, uint32_t bin) {
  uint32_t n = 0;
  for (const item *o = w->items; o < it; o++) { /* larger ones are placed already */
    if (o->bin != bin || may_share(w, o->value, it->value)) continue;
    uint32_t k = n++;
    while (k > 0 && w->items[w->gaps[k - 1]].offset > o->offset) w->gaps[k] = w->gaps[k - 1], k--;
    w->gaps[k] = (uint32_t)(o - w->items);
  }
  return n;
}

/* The smallest gap that holds the item, or the end, as long as the bin does not pass one allocation. */
static int fit(work *w, item *it, uint32_t bin) {
  const rp_device_limits *limits = &w->plan->device->info.limits;
  uint32_t n = obstacles(w, it, bin);
  uint64_t end = 0, best = UINT64_MAX, best_gap = UINT64_MAX;
  for (uint32_t k = 0; k < n; k++) {
    const item *o = &w->items[w->gaps[k]];
    if (o->offset >= end + it->bytes && o->offset - end < best_gap) best_gap = o->offset - end, best = end;
    uint64_t after = rp_align_up(o->offset + o->bytes, limits->align_bytes);
    if (after > end) end = after;
  }
  if (best == UINT64_MAX) best = end;
  if (best > limits->max_allocation_bytes || it->bytes > limits->max_allocation_bytes - best) return 0;
  it->offset = best;
  it->bin = bin;
  return 1;
}

/* ---- All together --------------------------------------------------------------------------------------------------
 */

static int make_items(work *w, rp_space space) {
  const rp_plan *p = w->plan;
  uint64_t n = 0;
  for (uint32_t i = 0; i < p->n_values; i++)
    if (p->values[i].placed && p->values[i].space == space) n += p->values[i].n_segments;
  if (n >= RP_NONE) return 0;
  w->items = rp_arena_array(&w->arena, n, sizeof *w->items);
  w->gaps = rp_arena_array(&w->arena, n, sizeof *w->gaps);
  if (!w->items || !w->gaps) return 0;
  for (uint32_t i = 0; i < p->n_values; i++) {
    const rp_plan_value *v = &p->values[i];
    for (uint32_t s = 0; v->placed && v->space == space && s < v->n_segments; s++)
      w->items[w->n_items++] = (item){.value = i, .segment = s, .bytes = rp_segment_bytes(v, s), .bin = RP_NONE};
  }
  rp_sort(w->items, w->n_items, sizeof *w->items, by_size);
  return 1;
}

static int place_items(work *w, int part, rp_space space) {
  rp_plan *p = w->plan;
  uint32_t n_bins = 0, base = p->n_blocks;
  for (uint32_t i = 0; i < w->n_items; i++) {
    item *it = &w->items[i];
    uint32_t bin = 0;
    while (bin < n_bins && !fit(w, it, bin)) bin++;
    if (bin == n_bins) {
      if (!rp_grow(p->context, (void **)&p->blocks, &p->cap_blocks, p->n_blocks, sizeof *p->blocks)) return 0;
      p->blocks[p->n_blocks++] = (rp_plan_block){.block = {.space = space}, .parts = 1u << part};
      n_bins++;
      if (!fit(w, it, bin)) return 0;
    }
    rp_plan_value *v = &p->values[it->value];
    rp_block *b = &p->blocks[base + it->bin].block;
    v->segments[it->segment] = (rp_segment){.block = base + it->bin, .offset = it->offset, .bytes = it->bytes};
    if (it->offset + it->bytes > b->bytes) b->bytes = it->offset + it->bytes;
    b->secret |= v->secret;
  }
  return 1;
}

rp_status rp_place_arena(rp_plan *plan, int part, rp_space space, rp_error *err) {
  work w = {.plan = plan, .order = plan->parts[part].order, .large_bytes = large_bytes(plan, space)};
  rp_arena_init(&w.arena, plan->context);
  w.users = rp_arena_array(&w.arena, plan->n_values, sizeof *w.users);
  uint32_t *all = rp_arena_array(&w.arena, plan->parts[part].n_dispatches, sizeof *all);
  int good = w.users && all;
  for (uint32_t i = 0; i < plan->n_values && good; i++)
    if (plan->values[i].placed && plan->values[i].space == space) good = collect_users(&w, &plan->parts[part], i, all);
  good = good && make_items(&w, space) && place_items(&w, part, space);
  rp_arena_free(&w.arena);
  return good ? RP_OK : rp_plan_fail_memory(err);
}
