/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Forests over numbered steps: ancestors by interval labels, and the nearest common ancestor of two steps. A forest
 * that keeps one edge of a graph per step tells in constant time whether it contains a path between two steps.
 */
#ifndef REPRISE_ENGINE_FOREST_H
#define REPRISE_ENGINE_FOREST_H

#include "core.h"

/* Where parents stand relative to their children. */
typedef enum rp_forest_direction { RP_PARENTS_BEFORE, RP_PARENTS_AFTER } rp_forest_direction;

typedef struct rp_forest {
  uint32_t n;       /* steps; n itself is the parent of all roots */
  uint32_t *parent; /* n + 1 */
  /* jump: an ancestor chosen so that O(log n) jumps reach any of them (Myers, "An applicative random-access stack",
   * 1983) */
  uint32_t *depth, *jump;
  uint32_t *begin, *size; /* the labels of i and the steps below it: begin[i] to begin[i] + size[i] - 1 */
} rp_forest;

/* `parent` has n + 1 entries in the arena's memory, each a step or n (a root); the forest keeps it. 0 when out of
 * memory. */
bool rp_forest_build(rp_forest *forest, rp_arena *arena, uint32_t n, uint32_t *parent, rp_forest_direction direction);
/* The nearest common ancestor of two steps, where each step counts as an ancestor of itself; n if there is none. a and
 * b may be n. */
uint32_t rp_forest_meet(const rp_forest *forest, uint32_t a, uint32_t b);

/* Whether `above` is `step` or an ancestor of it. */
static inline bool rp_forest_is_above(const rp_forest *forest, uint32_t above, uint32_t step) {
  return forest->begin[step] - forest->begin[above] < forest->size[above];
}

#endif
