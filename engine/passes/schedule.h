/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Schedules: in which epoch each dispatch runs. docs/notes/schedule.md says why it is done this way.
 */
#ifndef REPRISE_ENGINE_PASSES_SCHEDULE_H
#define REPRISE_ENGINE_PASSES_SCHEDULE_H

#include "plan.h"

/* The dispatches of a part and what they keep alive in one space, for schedules. A value is alive from the epoch of its
 * first user to that of its last one. */
typedef struct rp_flow {
  const rp_plan *plan;
  const rp_part *part;
  uint32_t n;                   /* dispatches */
  uint32_t *succ_at, *succs;    /* successors, grouped by dispatch */
  uint64_t *bytes;              /* per value, each segment aligned; 0 if it is not in the space */
  uint32_t *begins_at, *begins; /* per dispatch: the values of which it is a first user */
  uint32_t *ends_at, *ends;     /* per dispatch: the values of which it is a last user */
  uint64_t *path_ns;            /* from the beginning of the dispatch to the end of the part */
  rp_arena arena;
} rp_flow;

/* Wants the order, the lives and the costs of the part, and the space of every value. 0 when out of memory;
 * rp_flow_free is to be called in any case. */
bool rp_flow_open(rp_flow *flow, const rp_plan *plan, int part, rp_space space);
void rp_flow_free(rp_flow *flow);
/* The most bytes that are alive in one epoch; `epoch` per dispatch, below `n_epochs`. UINT64_MAX when out of memory. */
uint64_t rp_flow_peak(const rp_flow *flow, const uint32_t *epoch, uint32_t n_epochs);
/* A topological order of the dispatches in which, one after another, they keep little alive: that of their numbers, or
 * one that a greedy search finds. *peak_bytes is its peak. 0 when out of memory. */
bool rp_flow_serial_order(rp_flow *flow, uint32_t *sequence, uint64_t *peak_bytes);
/* Assigns epochs so that no more than `cap_bytes` are alive in any, and dispatches run early that lead far. `sequence`
 * is of rp_flow_serial_order, and the cap not below its peak. Returns the number of epochs; 0 when out of memory. */
uint32_t rp_flow_squeeze(const rp_flow *flow, const uint32_t *sequence, uint64_t cap_bytes, uint32_t *epoch);

#endif
