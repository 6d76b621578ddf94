/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Placement of the two arenas, where values share bytes.
 */
#ifndef REPRISE_ENGINE_ARENA_PLACE_H
#define REPRISE_ENGINE_ARENA_PLACE_H

#include "plan.h"

static inline uint64_t rp_segment_bytes(const rp_plan_value *v, uint32_t segment) {
  uint64_t first = segment * v->segment_len, left = v->len - first;
  return (left < v->segment_len ? left : v->segment_len) * v->type->size_bytes;
}

/* Places the values of `space`, which the dispatches of `part` use, and adds the blocks. */
rp_status rp_place_arena(rp_plan *plan, int part, rp_space space, rp_error *err);

#endif
