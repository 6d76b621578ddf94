/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Finds a step that comes after several others.
 */
#ifndef REPRISE_ENGINE_MEETING_H
#define REPRISE_ENGINE_MEETING_H

#include "dag.h"

typedef struct rp_meeting {
  uint32_t *succs, *first; /* as preds and first in rp_dag, but for successors */
} rp_meeting;

/* Takes its memory from the arena; 0 when out of memory. */
bool rp_meeting_open(rp_meeting *meeting, rp_arena *arena, const rp_dag *dag);
/* A step that equals or comes after each of `steps`; dag->n if none was found. It is the earliest one if a search of
 * bounded length finds it, and otherwise the first to which the forest of successors leads from all of them. */
uint32_t rp_meeting_find(const rp_meeting *meeting, const rp_dag *dag, const uint32_t *steps, uint32_t n);

#endif
