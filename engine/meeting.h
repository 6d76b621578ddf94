/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A step that comes after several others.
 */
#ifndef REPRISE_ENGINE_MEETING_H
#define REPRISE_ENGINE_MEETING_H

#include "dag.h"

typedef struct rp_meeting {
  uint32_t *succs, *first; /* as in rp_dag, the other way round */
} rp_meeting;

/* In the arena's memory; 0 when out of memory. */
int rp_meeting_open(rp_meeting *meeting, rp_arena *arena, const rp_dag *dag);
/* A step that is each of `steps` or comes after it; dag->n if none was found. The earliest, where a search of bounded
 * length from few steps finds it, or else the first that the forest of successors leads to. */
uint32_t rp_meeting_find(const rp_meeting *meeting, const rp_dag *dag, const uint32_t *steps, uint32_t n);

#endif
