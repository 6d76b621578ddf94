/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The critical path of a part: the longest chain of steps of which each must wait for the one before it.
 */
#ifndef REPRISE_ENGINE_CRITICAL_H
#define REPRISE_ENGINE_CRITICAL_H

#include "backend.h"
#include "core.h"

typedef struct rp_critical {
  uint64_t total_ns; /* of the path */
  uint32_t *path;    /* its steps, first to last */
  uint32_t n_path;
  uint64_t *slack_ns; /* per step: how much longer it could take without making the path longer */
  uint64_t *gain_ns;  /* per step: how much shorter the path would be if the step took no time */
} rp_critical;

/* `ns` is what each of n steps takes. The arrays are in the arena's memory; 0 when out of memory. Takes O(n + e log n)
 * steps for e edges. */
bool rp_critical_find(rp_arena *arena, const rp_step *steps, uint32_t n, const uint64_t *ns, rp_critical *critical);

#endif
