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

/* Decides for each value whether it needs memory, and in which space. */
void rp_plan_choose_spaces(rp_plan *plan);
/* Whether there are so many values or dispatches that values take bytes from pools (arena_pools.c), whatever the epochs
 * of the schedule are. Wants the order of the part, and the space of every value. */
bool rp_arena_has_pools(const rp_plan *plan, int part, rp_space space);
/* Places the values of `space`, which the dispatches of `part` use, and adds the blocks. */
rp_status rp_place_arena(rp_plan *plan, int part, rp_space space, rp_error *err);
/* The same for many values or dispatches, in a time that grows little faster than their number. Values of at least
 * `large_bytes` share by the numbers of their users. 0 when out of memory. */
bool rp_place_pools(rp_plan *plan, int part, rp_space space, uint64_t large_bytes);

/* Adds an empty block and returns its index; RP_NONE when out of memory. */
uint32_t rp_add_block(rp_plan *plan, rp_space space, uint32_t parts);
/* Stores where a segment lies, extends its block to the segment's end, and makes it secret if the value is. */
void rp_put_segment(rp_plan *plan, uint32_t value, uint32_t segment, uint32_t block, uint64_t offset);

#endif
