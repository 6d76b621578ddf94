/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "arena_place.h"

uint32_t rp_add_block(rp_plan *plan, rp_space space, uint32_t parts) {
  if (!rp_grow(plan->context, (void **)&plan->blocks, &plan->cap_blocks, plan->n_blocks, sizeof *plan->blocks))
    return RP_NONE;
  plan->blocks[plan->n_blocks] = (rp_plan_block){.block = {.space = space}, .parts = parts};
  return plan->n_blocks++;
}

void rp_put_segment(rp_plan *plan, uint32_t value, uint32_t segment, uint32_t block, uint64_t offset) {
  rp_plan_value *v = &plan->values[value];
  rp_block *b = &plan->blocks[block].block;
  const uint64_t bytes = rp_segment_bytes(v, segment);
  v->segments[segment] = (rp_segment){.block = block, .offset = offset, .bytes = bytes};
  if (offset + bytes > b->bytes) b->bytes = offset + bytes;
  b->secret |= v->secret;
}
