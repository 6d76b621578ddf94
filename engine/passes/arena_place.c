/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Two values of an arena may share bytes if every dispatch that uses one finishes before any that uses the other
 * starts, by the order that values require (lifetime.c). By transitivity it is enough to compare the last users of one
 * with the first users of the other. Such sharing never makes branches wait.
 *
 * One dispatch fills all cores of a CPU, and on a device that is short of memory, waiting is better than not fitting.
 * There, large values share bytes if the numbers of their users keep them apart, and the hazards pass finds the edges
 * that this adds. These go from smaller to larger numbers like all others, so that no cycle can arise. Small values
 * still share only by the first rule: otherwise the short chains at the end of a branch, which occupy one thread, would
 * delay the next branch.
 *
 * Where the schedule has epochs by which values share, two values share bytes if no epoch has users of both, or lies
 * between users of both: those of one then all come before those of the other, in the sequence from which the hazards
 * pass derives edges.
 *
 * The placement is greedy: larger segments come first, and each is put into the smallest gap that holds it between the
 * segments that it may not overlap, or else after the last of these (the "greedy by size" heuristic of offset
 * assignment; Pisarchyk and Lee, "Efficient Memory Management for Deep Neural Net Inference", 2020). If that takes more
 * than what must be there at once, other orders are tried as well (arena_orders.c), and that which takes least is kept.
 * It compares every two segments. If there are too many segments or dispatches, arena_pools.c places them.
 */
#include "antichain.h"
#include "arena_orders.h"
#include "arena_place.h"
#include "dag.h"

typedef rp_arena_item item;

typedef struct users { /* of one value, ascending */
  const uint32_t *first, *last;
  uint32_t n_first, n_last;
  bool preloaded; /* the host writes it before the first dispatch */
} users;

enum {
  SMALL_PART = 64,       /* values smaller than the largest one divided by this are small */
  GOOD_PART = 40,        /* a placement is good enough if it exceeds its lower bound by at most this fraction of it, */
  REPAIRED_PART = 25,    /* and one that has been repaired by at most this */
  REPAIRED_ITEMS = 512,  /* so few are repaired, */
  REPAIRS = 60,          /* at most as often as this from each order on, */
  REPAIR_WORK = 1 << 23, /* comparing at most this many pairs of items */
  MOST_TOUCHES = 8       /* with more accesses than this times RP_EXACT_STEPS, arena_pools.c is used */
};

/* An item in its block, with the properties of its value that are read most often. */
typedef struct placed {
  uint64_t offset, after;      /* after: the first offset at which another item may begin */
  uint32_t value, first, last; /* the smallest and the largest number of its users, or epoch */
  bool large, preloaded;
} placed;

typedef struct block_items {
  placed *items; /* by offset */
  uint32_t n, capacity;
  uint64_t bytes;
} block_items;

typedef struct work {
  rp_plan *plan;
  const rp_dag *order;
  users *users;          /* by value */
  uint64_t large_bytes;  /* values of at least this size share by number; UINT64_MAX: none does */
  const uint32_t *epoch; /* of a dispatch, if values share by epoch; else NULL */
  item *items;
  uint32_t n_items;
  block_items *bins;
  uint32_t n_bins, cap_bins;
  placed chosen;        /* what is being placed; the next two are rows of bits */
  uint64_t *all_before; /* dispatches that come before all of its first users */
  uint64_t *last_users;
  rp_arena arena;
} work;

/* ---- Users ------------------------------------------------------------------------------------------------------- */

static const uint64_t *row(const work *w, uint32_t dispatch) {
  return w->order->before + dispatch * w->order->row_words;
}

static void set_bits(uint64_t *bits, const uint32_t *list, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) bits[list[i] / 64] |= 1ull << (list[i] % 64);
}

/* Keeps those first users of the value that have no other before them, and those last users that have no other after
 * them. */
static bool find_users(work *w, const rp_lives *lives, uint32_t value, uint64_t *bits) {
  const size_t words = w->order->row_words;
  const uint32_t *first = lives->first + lives->first_at[value], *last = lives->last + lives->last_at[value];
  const uint32_t n_first = lives->first_at[value + 1] - lives->first_at[value];
  const uint32_t n_last = lives->last_at[value + 1] - lives->last_at[value];
  uint32_t *keep_first = rp_arena_array(&w->arena, n_first, sizeof *keep_first);
  uint32_t *keep_last = rp_arena_array(&w->arena, n_last, sizeof *keep_last);
  users *u = &w->users[value];
  if (!keep_first || !keep_last) return 0;
  memset(bits, 0, words * sizeof *bits);
  set_bits(bits, first, n_first);
  for (uint32_t i = 0; i < n_first; i++) {
    uint64_t earlier = 0;
    for (size_t k = 0; k <= first[i] / 64; k++) earlier |= bits[k] & row(w, first[i])[k];
    if (!earlier) keep_first[u->n_first++] = first[i];
  }
  memset(bits, 0, words * sizeof *bits); /* now: all dispatches before a later one of them */
  uint32_t at = n_last;
  for (uint32_t i = n_last; i-- > 0;) {
    if (!(bits[last[i] / 64] >> (last[i] % 64) & 1)) keep_last[--at] = last[i];
    for (size_t k = 0; k <= last[i] / 64; k++) bits[k] |= row(w, last[i])[k];
  }
  u->n_last = n_last - at;
  u->first = keep_first;
  u->last = keep_last + at;
  const rp_origin origin = w->plan->values[value].origin;
  u->preloaded = origin == RP_ORIGIN_GIVEN || origin == RP_ORIGIN_FILLED;
  return 1;
}

static void choose_by_epoch(work *w, uint32_t value) {
  const users *u = &w->users[value];
  w->chosen = (placed){.value = value, .first = UINT32_MAX, .preloaded = u->preloaded};
  for (uint32_t i = 0; i < u->n_first; i++)
    if (w->epoch[u->first[i]] < w->chosen.first) w->chosen.first = w->epoch[u->first[i]];
  for (uint32_t i = 0; i < u->n_last; i++)
    if (w->epoch[u->last[i]] > w->chosen.last) w->chosen.last = w->epoch[u->last[i]];
}

static void choose_value(work *w, uint32_t value) {
  const size_t words = w->order->row_words;
  const users *u = &w->users[value];
  if (w->epoch) {
    choose_by_epoch(w, value);
    return;
  }
  w->chosen = (placed){.value = value,
                       .first = u->first[0],
                       .last = u->last[u->n_last - 1],
                       .large = w->plan->values[value].bytes >= w->large_bytes,
                       .preloaded = u->preloaded};
  memset(w->last_users, 0, words * sizeof *w->last_users);
  set_bits(w->last_users, u->last, u->n_last);
  memcpy(w->all_before, row(w, u->first[0]), words * sizeof *w->all_before);
  for (uint32_t i = 1; i < u->n_first; i++)
    for (size_t k = 0; k < words; k++) w->all_before[k] &= row(w, u->first[i])[k];
}

/* Whether all users of `a` finish before any user of the chosen value starts. */
static bool is_before_chosen(const work *w, const users *a) {
  for (uint32_t i = 0; i < a->n_last; i++)
    if (!(w->all_before[a->last[i] / 64] >> (a->last[i] % 64) & 1)) return 0;
  return 1;
}

/* Whether all users of the chosen value finish before any user of `b` starts. */
static bool is_after_chosen(const work *w, const users *b) {
  const users *u = &w->users[w->chosen.value];
  for (uint32_t j = 0; j < b->n_first; j++) {
    const uint64_t *before = row(w, b->first[j]);
    if (u->n_last == 1 && !(before[u->last[0] / 64] >> (u->last[0] % 64) & 1)) return 0;
    for (size_t k = 0; u->n_last > 1 && k < w->order->row_words; k++)
      if (w->last_users[k] & ~before[k]) return 0;
  }
  return 1;
}

/* What comes before has smaller numbers, so that comparing the numbers rules out most pairs. */
static bool may_share_with_chosen(const work *w, const placed *o) {
  const placed *c = &w->chosen;
  const bool before = o->last < c->first && !c->preloaded, after = c->last < o->first && !o->preloaded;
  if (!before && !after) return 0;
  if (w->epoch || (o->large && c->large)) return 1;
  return before ? is_before_chosen(w, &w->users[o->value]) : is_after_chosen(w, &w->users[o->value]);
}

/* ---- Offsets ----------------------------------------------------------------------------------------------------- */

/* Finds the smallest gap of the bin that holds the item, or its end; false if the bin would become larger than one
 * allocation. */
static bool fit(const work *w, item *it, const block_items *bin) {
  const rp_device_limits *limits = &w->plan->device->info.limits;
  uint64_t end = 0, best = UINT64_MAX, best_gap = UINT64_MAX;
  for (uint32_t k = 0; k < bin->n; k++) {
    const placed *o = &bin->items[k];
    if (o->after <= end && o->offset < end + it->bytes) continue; /* it bounds no gap and moves no end */
    if (may_share_with_chosen(w, o)) continue;
    if (o->offset >= end + it->bytes && o->offset - end < best_gap) best_gap = o->offset - end, best = end;
    if (o->after > end) end = o->after;
  }
  if (best == UINT64_MAX) best = end;
  if (best > limits->max_allocation_bytes || it->bytes > limits->max_allocation_bytes - best) return 0;
  it->offset = best;
  return 1;
}

static bool insert(const work *w, const item *it, block_items *bin) {
  if (!rp_grow(w->plan->context, (void **)&bin->items, &bin->capacity, bin->n, sizeof *bin->items)) return 0;
  uint32_t low = 0, high = bin->n; /* the first item with a larger offset lies between */
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (bin->items[middle].offset > it->offset)
      high = middle;
    else
      low = middle + 1;
  }
  memmove(bin->items + low + 1, bin->items + low, (bin->n - low) * sizeof *bin->items);
  bin->items[low] = w->chosen;
  bin->items[low].offset = it->offset;
  bin->items[low].after = rp_align_up(it->offset + it->bytes, w->plan->device->info.limits.align_bytes);
  bin->n++;
  return 1;
}

/* ---- All together ------------------------------------------------------------------------------------------------ */

static bool make_items(work *w, rp_space space, uint32_t n_items) {
  const rp_plan *p = w->plan;
  w->items = rp_arena_array(&w->arena, n_items, sizeof *w->items);
  if (!w->items) return 0;
  for (uint32_t i = 0; i < p->n_values; i++) {
    const rp_plan_value *v = &p->values[i];
    if (!v->placed || v->space != space) continue;
    choose_value(w, i);
    for (uint32_t s = 0; s < v->n_segments; s++)
      w->items[w->n_items++] = (item){
          .value = i, .segment = s, .first = w->chosen.first, .last = w->chosen.last, .bytes = rp_segment_bytes(v, s)};
  }
  return 1;
}

static void free_bins(work *w) {
  for (uint32_t b = 0; b < w->n_bins; b++)
    rp_grow_free(w->plan->context, w->bins[b].items, w->bins[b].capacity, sizeof(placed));
  rp_grow_free(w->plan->context, w->bins, w->cap_bins, sizeof *w->bins);
  w->bins = NULL;
  w->n_bins = w->cap_bins = 0;
}

/* Gives each item a bin and an offset, in the order of the items; *bytes is what all bins take. */
static bool place_items(work *w, uint64_t *bytes) {
  *bytes = 0;
  free_bins(w);
  for (uint32_t i = 0; i < w->n_items; i++) {
    item *it = &w->items[i];
    uint32_t b = 0;
    if (i == 0 || it->value != w->chosen.value) choose_value(w, it->value);
    while (b < w->n_bins && !fit(w, it, &w->bins[b])) b++;
    if (b == w->n_bins) {
      if (!rp_grow(w->plan->context, (void **)&w->bins, &w->cap_bins, w->n_bins, sizeof *w->bins)) return 0;
      w->bins[w->n_bins++] = (block_items){0};
      if (!fit(w, it, &w->bins[b])) return 0;
    }
    it->bin = b;
    block_items *bin = &w->bins[b];
    if (it->offset + it->bytes > bin->bytes) {
      *bytes += it->offset + it->bytes - bin->bytes;
      bin->bytes = it->offset + it->bytes;
    }
    if (!insert(w, it, bin)) return 0;
  }
  return 1;
}

/* Whether all users of `value` come before all users of the chosen one, by the rule by which the two may share. */
static bool comes_before_chosen(const work *w, uint32_t value) {
  const users *u = &w->users[value];
  if (w->chosen.preloaded || u->last[u->n_last - 1] >= w->chosen.first) return 0;
  return (w->chosen.large && w->plan->values[value].bytes >= w->large_bytes) || is_before_chosen(w, u);
}

/* Of items that do not share by epoch. Two that are not in order must not overlap; if some only share by number, more
 * pairs than that may not, and this is a lower bound of the least that the items can take. */
static bool find_antichain(work *w, uint64_t *bytes) {
  const size_t words = (w->n_items + 63u) / 64;
  uint64_t *later = rp_arena_array(&w->arena, w->n_items * words, sizeof *later);
  uint64_t *weights = rp_arena_array(&w->arena, w->n_items, sizeof *weights);
  if (!later || !weights) return 0;
  rp_arena_items_sort(w->items, w->n_items, RP_ARENA_BY_FIRST);
  for (uint32_t b = 0; b < w->n_items; b++) {
    weights[b] = rp_align_up(w->items[b].bytes, w->plan->device->info.limits.align_bytes);
    choose_value(w, w->items[b].value);
    for (uint32_t a = 0; a < b; a++)
      if (comes_before_chosen(w, w->items[a].value)) later[a * words + b / 64] |= 1ull << (b % 64);
  }
  rp_antichain_close(later, w->n_items);
  return rp_antichain_weigh(&w->arena, w->n_items, weights, later, bytes);
}

#define UNBOUNDED (UINT64_MAX / 2)

/* A lower bound of what the items take; UNBOUNDED, so that one order is tried, of many that do not share by epoch. 0
 * when out of memory. */
static bool find_bound(work *w, uint32_t n_epochs, uint64_t *bytes) {
  *bytes = UNBOUNDED;
  if (!w->epoch) return w->n_items > RP_ANTICHAIN_MOST || find_antichain(w, bytes);
  return rp_arena_items_peak(&w->arena, w->items, w->n_items, n_epochs, w->plan->device->info.limits.align_bytes,
                             bytes);
}

/* The smallest placement so far. */
typedef struct best {
  item *items;
  uint64_t bytes;
} best;

static bool improve(work *w, best *b) {
  uint64_t bytes;
  if (!place_items(w, &bytes)) return 0;
  if (bytes >= b->bytes) return 1;
  b->bytes = bytes;
  memcpy(b->items, w->items, w->n_items * sizeof *w->items);
  return 1;
}

/* From each order on, again and again what ends above `enough` is placed earlier. */
static bool repair(work *w, best *b, uint64_t enough) {
  const uint32_t most = REPAIR_WORK / (w->n_items * w->n_items), n = most < REPAIRS ? most : REPAIRS;
  for (uint32_t o = 0; o < RP_ARENA_ORDERS; o++) {
    rp_arena_items_sort(w->items, w->n_items, (rp_arena_order)o);
    for (uint32_t r = 0; r <= n && b->bytes > enough; r++) {
      if (r) rp_arena_items_raise(w->items, w->n_items, enough);
      if (!improve(w, b)) return 0;
    }
  }
  return 1;
}

/* Places the items in one order after another until a placement is good enough, and keeps the smallest. */
static bool place_best(work *w, rp_part *part) {
  best b = {rp_arena_array(&w->arena, w->n_items, sizeof *b.items), UINT64_MAX};
  uint64_t bound;
  if (!b.items || !find_bound(w, part->n_epochs, &bound)) return 0;
  part->alive_bytes = bound == UNBOUNDED ? 0 : bound;
  for (uint32_t o = 0; o < RP_ARENA_ORDERS && (o == 0 || b.bytes > bound + bound / GOOD_PART); o++) {
    rp_arena_items_sort(w->items, w->n_items, (rp_arena_order)o);
    if (!improve(w, &b)) return 0;
  }
  if (w->n_items <= REPAIRED_ITEMS && !repair(w, &b, bound + bound / REPAIRED_PART)) return 0;
  w->items = b.items;
  return 1;
}

static bool put_items(work *w, int part, rp_space space) {
  const uint32_t base = w->plan->n_blocks;
  uint32_t n_bins = 0;
  for (uint32_t i = 0; i < w->n_items; i++)
    if (w->items[i].bin >= n_bins) n_bins = w->items[i].bin + 1;
  for (uint32_t b = 0; b < n_bins; b++)
    if (rp_add_block(w->plan, space, 1u << part) == RP_NONE) return 0;
  for (uint32_t i = 0; i < w->n_items; i++) {
    const item *it = &w->items[i];
    rp_put_segment(w->plan, it->value, it->segment, base + it->bin, it->offset);
  }
  return 1;
}

static bool place_all(work *w, int part, rp_space space, uint32_t n_items) {
  const rp_plan *p = w->plan;
  const size_t words = w->order->row_words;
  uint64_t *bits = rp_arena_array(&w->arena, words, sizeof *bits);
  w->users = rp_arena_array(&w->arena, p->n_values, sizeof *w->users);
  w->all_before = rp_arena_array(&w->arena, words, sizeof *w->all_before);
  w->last_users = rp_arena_array(&w->arena, words, sizeof *w->last_users);
  bool good = bits && w->users && w->all_before && w->last_users;
  for (uint32_t i = 0; i < p->n_values && good; i++)
    if (p->values[i].placed && p->values[i].space == space) good = find_users(w, &p->parts[part].lives, i, bits);
  good = good && make_items(w, space, n_items) && place_best(w, &w->plan->parts[part]) && put_items(w, part, space);
  free_bins(w);
  return good;
}

/* The CPU shares by number; others only if they are short of memory. */
bool rp_plan_shares_by_number(const rp_plan *plan) { return plan->memory_level || plan->device->takes_turns; }

static uint64_t large_bytes(const rp_plan *plan, int part, rp_space space) {
  uint64_t largest = 0;
  if (rp_plan_sharing(plan, part) != RP_SHARE_BY_NUMBER) return UINT64_MAX;
  for (uint32_t i = 0; i < plan->n_values; i++) {
    const rp_plan_value *v = &plan->values[i];
    if (v->placed && v->space == space && v->bytes > largest) largest = v->bytes;
  }
  return largest / SMALL_PART;
}

static uint64_t count_items(const rp_plan *plan, rp_space space) {
  uint64_t n = 0;
  for (uint32_t i = 0; i < plan->n_values; i++)
    if (plan->values[i].placed && plan->values[i].space == space) n += plan->values[i].n_segments;
  return n;
}

bool rp_arena_has_pools(const rp_plan *plan, int part, rp_space space) {
  const rp_part *p = &plan->parts[part];
  return !p->order->before || p->n_touches > MOST_TOUCHES * (uint64_t)plan->exact_steps ||
         count_items(plan, space) > plan->exact_steps;
}

rp_status rp_place_arena(rp_plan *plan, int part, rp_space space, rp_error *err) {
  const rp_part *p = &plan->parts[part];
  work w = {.plan = plan, .order = p->order, .large_bytes = large_bytes(plan, part, space)};
  const uint64_t n_items = count_items(plan, space);
  plan->parts[part].alive_bytes = 0;
  if (rp_plan_sharing(plan, part) == RP_SHARE_BY_EPOCH) w.epoch = p->epoch;
  if (n_items == 0) return RP_OK;
  if (rp_arena_has_pools(plan, part, space))
    return rp_place_pools(plan, part, space, w.large_bytes) ? RP_OK : rp_plan_fail_memory(err);
  rp_arena_init(&w.arena, plan->context);
  const bool good = place_all(&w, part, space, (uint32_t)n_items);
  rp_arena_free(&w.arena);
  return good ? RP_OK : rp_plan_fail_memory(err);
}
