/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "arena_orders.h"

static int by_place(const rp_arena_item *a, const rp_arena_item *b) {
  if (a->value != b->value) return a->value < b->value ? -1 : 1;
  return a->segment < b->segment ? -1 : a->segment > b->segment;
}

static int by_size(const void *x, const void *y) {
  const rp_arena_item *a = x, *b = y;
  if (a->bytes != b->bytes) return a->bytes > b->bytes ? -1 : 1;
  return by_place(a, b);
}

static int by_length(const void *x, const void *y) { /* of life; then by size */
  const rp_arena_item *a = x, *b = y;
  const uint32_t i = a->last - a->first, j = b->last - b->first;
  return i != j ? (i > j ? -1 : 1) : by_size(x, y);
}

static int by_area(const void *x, const void *y) { /* size times length of life */
  const rp_arena_item *a = x, *b = y;
  const double i = (double)a->bytes * (a->last - a->first + 1), j = (double)b->bytes * (b->last - b->first + 1);
  return i != j ? (i > j ? -1 : 1) : by_size(x, y);
}

static int by_first(const void *x, const void *y) {
  const rp_arena_item *a = x, *b = y;
  return a->first != b->first ? (a->first < b->first ? -1 : 1) : by_size(x, y);
}

static int by_last(const void *x, const void *y) { /* backwards */
  const rp_arena_item *a = x, *b = y;
  return a->last != b->last ? (a->last > b->last ? -1 : 1) : by_size(x, y);
}

void rp_arena_items_sort(rp_arena_item *items, uint32_t n, rp_arena_order order) {
  static const rp_compare_fn orders[RP_ARENA_ORDERS] = {[RP_ARENA_BY_SIZE] = by_size,
                                                        [RP_ARENA_BY_AREA] = by_area,
                                                        [RP_ARENA_BY_LENGTH] = by_length,
                                                        [RP_ARENA_BY_FIRST] = by_first,
                                                        [RP_ARENA_BY_LAST] = by_last};
  rp_sort(items, n, sizeof *items, orders[order]);
}

void rp_arena_items_raise(rp_arena_item *items, uint32_t n, uint64_t bytes) {
  for (uint32_t i = 0; i < n; i++) {
    const rp_arena_item item = items[i];
    const uint32_t to = i / 2;
    if (item.offset + item.bytes <= bytes) continue;
    memmove(items + to + 1, items + to, (i - to) * sizeof *items);
    items[to] = item;
  }
}

bool rp_arena_items_peak(rp_arena *arena, const rp_arena_item *items, uint32_t n, uint32_t n_times, uint64_t align,
                         uint64_t *bytes) {
  uint64_t *change = rp_arena_array(arena, n_times + 1u, sizeof *change), live = 0;
  if (!change) return 0;
  for (uint32_t i = 0; i < n; i++) { /* modulo 2^64; the sum is never negative */
    change[items[i].first] += rp_align_up(items[i].bytes, align);
    change[items[i].last + 1] -= rp_align_up(items[i].bytes, align);
  }
  *bytes = 0;
  for (uint32_t t = 0; t < n_times; t++) {
    live += change[t];
    if (live > *bytes) *bytes = live;
  }
  return 1;
}
