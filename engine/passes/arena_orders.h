/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The orders in which segments are placed, and what is alive of them at once.
 */
#ifndef REPRISE_ENGINE_ARENA_ORDERS_H
#define REPRISE_ENGINE_ARENA_ORDERS_H

#include "core.h"

typedef struct rp_arena_item {
  uint32_t value, segment;
  uint32_t first, last; /* the first and the last epoch with a user, or number of a user */
  uint32_t bin;
  uint64_t bytes, offset;
} rp_arena_item;

typedef enum rp_arena_order {
  RP_ARENA_BY_SIZE,
  RP_ARENA_BY_AREA,   /* size times length of life */
  RP_ARENA_BY_LENGTH, /* of life */
  RP_ARENA_BY_FIRST,
  RP_ARENA_BY_LAST, /* backwards */
  RP_ARENA_ORDERS
} rp_arena_order;

void rp_arena_items_sort(rp_arena_item *items, uint32_t n, rp_arena_order order);
/* Moves every item that ends above `bytes` half the way to the front, so that it is placed before those that it lies on
 * top of. */
void rp_arena_items_raise(rp_arena_item *items, uint32_t n, uint64_t bytes);
/* The most bytes, each item aligned, that are alive at one of the times 0 to n_times - 1. 0 when out of memory. */
bool rp_arena_items_peak(rp_arena *arena, const rp_arena_item *items, uint32_t n, uint32_t n_times, uint64_t align,
                         uint64_t *bytes);

#endif
