/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Tools for a sweep over intervals: sorting bounds, also those that occur often, and a set of numbers (where pieces
 * start) as a hierarchy of bit maps, which finds the largest member that is not above a given number in a few steps.
 */
#ifndef REPRISE_ENGINE_STARTS_H
#define REPRISE_ENGINE_STARTS_H

#include "core.h"

typedef struct rp_bound {
  uint64_t at;
  uint32_t whose;
} rp_bound;

/* Sorts by `at`; stable. `spare` has as much room as `bounds`. */
void rp_bounds_sort(rp_bound *bounds, rp_bound *spare, uint32_t n);

/* A set of few bounds, each with an index, in the order in which they came. */
enum { RP_FEW = 512 };
typedef struct rp_few {
  rp_bound sorted[RP_FEW], spare[RP_FEW];
  uint64_t at[RP_FEW];
  uint32_t rank[RP_FEW], n;
  uint32_t slots[4 * RP_FEW]; /* a hash table with linear probing: index + 1, or 0 */
} rp_few;

void rp_few_reset(rp_few *few);
/* The index of a bound, which is added if it is not there; RP_FEW if there is no room for it. */
uint32_t rp_few_add(rp_few *few, uint64_t at);
/* Sets the rank of each index: how many bounds are smaller. */
void rp_few_sort(rp_few *few);

enum { RP_STARTS_LEVELS = 6 }; /* 64^6 numbers */

typedef struct rp_starts {
  uint64_t *level[RP_STARTS_LEVELS]; /* bit i of a level says that word i of the level below has bits */
} rp_starts;

/* Makes room for numbers below n in the arena's memory; 0 when out of memory. */
bool rp_starts_prepare(rp_starts *starts, rp_arena *arena, uint32_t n);
/* Makes it the set {0}, for numbers up to `most`. */
void rp_starts_reset(rp_starts *starts, uint32_t most);
void rp_starts_add(rp_starts *starts, uint32_t x);
void rp_starts_remove(rp_starts *starts, uint32_t x); /* x is not 0 */
/* The largest member that is at most x; 0 is always a member. */
uint32_t rp_starts_find(const rp_starts *starts, uint32_t x);

#endif
