/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Place: assigns every live value to blocks and offsets in its space. Values of the two arenas share bytes by
 * the rules of arena_place.c; the values of other spaces are packed one after another.
 */
#include "arena_place.h"

#include <reprise/rewrite.h>

#include <stdint.h>

/* ---- Which space ------------------------------------------------------------------------------------------------- */

enum { BOTH = 1u << RP_PART_ONCE | 1u << RP_PART_RUN };

static bool is_aligned(const rp_plan_value *v) { return (uintptr_t)v->data % v->type->align_bytes == 0; }

/* Whether every dispatch that touches a value takes it at any address. */
static void find_any_address(rp_plan *plan) {
  for (uint32_t i = 0; i < plan->n_values; i++) plan->values[i].any_address = 1;
  for (int which = RP_PART_ONCE; which <= RP_PART_RUN; which++) {
    const rp_part *part = &plan->parts[which];
    for (uint32_t d = 0; d < part->n_dispatches; d++)
      for (uint32_t t = 0; t < rp_n_touches(&part->dispatches[d]); t++) {
        const rp_touch touch = rp_touch_at(&part->dispatches[d], t);
        if (!(touch.access & RP_ANY_ADDRESS)) plan->values[touch.value].any_address = 0;
      }
  }
}

/* Constant data can be used in place if the device can access host memory and the data is aligned, or need not be. This
 * holds for borrowed data and for copies that the graph holds. Constants that may be replaced have memory of the
 * recording. */
static bool in_place(const rp_plan *plan, const rp_plan_value *v) {
  return v->origin == RP_ORIGIN_GIVEN && v->data && !(v->flags & RP_REPLACEABLE) &&
         plan->device->info.limits.host_visible && v->n_segments == 1 && (is_aligned(v) || v->any_address);
}

static rp_space resident_space(const rp_plan_value *v) {
  return v->flags & RP_COPIED ? RP_SPACE_ARENA : RP_SPACE_BOUND;
}

/* 0 if the value needs no memory. */
static bool choose_space(rp_plan *plan, rp_plan_value *v) {
  switch (v->origin) {
  case RP_ORIGIN_INPUT:
    v->space = v->flags & RP_EXCHANGE ? RP_SPACE_EXCHANGE : v->flags & RP_RESIDENT ? resident_space(v) : RP_SPACE_INPUT;
    return 1;
  case RP_ORIGIN_ERROR:
  case RP_ORIGIN_GUARD: return 0;
  case RP_ORIGIN_GIVEN:
  case RP_ORIGIN_FILLED:
    v->space = in_place(plan, v) ? RP_SPACE_BORROWED : v->in_part[RP_PART_RUN] ? RP_SPACE_CONSTANT : RP_SPACE_ONCE;
    break;
  case RP_ORIGIN_COMPUTED:
    if (v->output)
      v->space = v->flags & RP_EXCHANGE   ? RP_SPACE_EXCHANGE
                 : v->flags & RP_RESIDENT ? resident_space(v)
                                          : RP_SPACE_OUTPUT;
    else if (plan->nodes[v->node].once)
      v->space = v->in_part[RP_PART_RUN] ? RP_SPACE_CONSTANT : RP_SPACE_ONCE;
    else
      v->space = RP_SPACE_ARENA;
    break;
  case RP_ORIGIN_SCRATCH: v->space = v->in_part[RP_PART_ONCE] ? RP_SPACE_ONCE : RP_SPACE_ARENA; break;
  }
  return v->in_part[RP_PART_ONCE] || v->in_part[RP_PART_RUN];
}

void rp_plan_choose_spaces(rp_plan *plan) {
  find_any_address(plan);
  for (uint32_t i = 0; i < plan->n_values; i++) {
    rp_plan_value *v = &plan->values[i];
    v->placed = v->live && choose_space(plan, v);
  }
}

/* ---- Packing ----------------------------------------------------------------------------------------------------- */

/* An input that runs may take from elsewhere. */
static bool is_lendable(const rp_plan_value *v) { return v->flags & RP_LENDABLE && v->word != RP_NONE; }

/* Places the segments of one space one after another, in blocks of at most the largest allocation. An input that can be
 * lent has a block to itself. */
static bool pack(rp_plan *plan, rp_space space, uint32_t parts) {
  const rp_device_limits *limits = &plan->device->info.limits;
  uint32_t block = RP_NONE;
  bool alone = 0; /* what the block has stays alone there */
  for (uint32_t i = 0; i < plan->n_values; i++) {
    rp_plan_value *v = &plan->values[i];
    if (!v->placed || v->space != space) continue;
    for (uint32_t s = 0; s < v->n_segments; s++) {
      uint64_t bytes = rp_segment_bytes(v, s);
      uint64_t at = block == RP_NONE ? 0 : rp_align_up(plan->blocks[block].block.bytes, limits->align_bytes);
      if (block == RP_NONE || alone || is_lendable(v) || at > limits->max_allocation_bytes ||
          bytes > limits->max_allocation_bytes - at) {
        if (block != RP_NONE) plan->blocks[block].block.bytes = at; /* aligns the staging of the next block */
        block = rp_add_block(plan, space, parts);
        if (block == RP_NONE) return 0;
        at = 0;
      }
      v->segments[s] = (rp_segment){.block = block, .offset = at, .bytes = bytes};
      plan->blocks[block].block.bytes = at + bytes;
      plan->blocks[block].block.secret |= v->secret;
      plan->blocks[block].block.lendable = alone = is_lendable(v);
      if (alone) plan->blocks[block].block.word = v->word;
    }
  }
  return 1;
}

/* Constants that are used in place get one block each, which is the caller's memory. */
static bool borrow(rp_plan *plan) {
  for (uint32_t i = 0; i < plan->n_values; i++) {
    rp_plan_value *v = &plan->values[i];
    if (!v->placed || v->space != RP_SPACE_BORROWED) continue;
    const uint32_t block = rp_add_block(plan, RP_SPACE_BORROWED, BOTH);
    if (block == RP_NONE) return 0;
    plan->blocks[block].block.bytes = v->bytes;
    plan->blocks[block].borrowed = v->data;
    v->segments[0] = (rp_segment){.block = block, .bytes = v->bytes};
  }
  return 1;
}

/* So do values that the caller binds: they lie wherever a run says. */
static bool leave_bound(rp_plan *plan) {
  for (uint32_t i = 0; i < plan->n_values; i++) {
    rp_plan_value *v = &plan->values[i];
    if (!v->placed || v->space != RP_SPACE_BOUND) continue;
    const uint32_t block = rp_add_block(plan, RP_SPACE_BOUND, 1u << RP_PART_RUN);
    if (block == RP_NONE) return 0;
    plan->blocks[block].block.bytes = v->bytes;
    plan->blocks[block].block.word = v->word;
    v->segments[0] = (rp_segment){.block = block, .bytes = v->bytes};
  }
  return 1;
}

/* The staging holds the blocks of inputs (outputs) one after another, in which `pack` placed the values in ascending
 * order. */
static uint64_t lay_staging(rp_plan *plan, rp_space space) {
  uint64_t before = 0;
  uint32_t block = RP_NONE;
  for (uint32_t i = 0; i < plan->n_graph_values; i++) {
    rp_plan_value *v = &plan->values[i];
    if (!v->placed || v->space != space) continue;
    if (block != v->segments[0].block) {
      if (block != RP_NONE) before += plan->blocks[block].block.bytes;
      block = v->segments[0].block;
    }
    v->staging_offset = before + v->segments[0].offset;
  }
  return block == RP_NONE ? 0 : before + plan->blocks[block].block.bytes;
}

/* One parameter block per part: the error record, then the words. */
static bool add_parameters(rp_plan *plan) {
  for (int part = 0; part < 2; part++) {
    if (plan->parts[part].n_dispatches == 0) continue;
    const uint32_t block = rp_add_block(plan, RP_SPACE_PARAMETER, 1u << part);
    if (block == RP_NONE) return 0;
    plan->blocks[block].block.bytes =
        sizeof(rp_error_record) + (part == RP_PART_RUN ? plan->n_words * sizeof(uint64_t) : 0);
  }
  return 1;
}

/* ---- What the programs see --------------------------------------------------------------------------------------- */

static bool list_blocks(rp_plan *plan, int part) {
  rp_part *p = &plan->parts[part];
  p->blocks = rp_arena_array(&plan->arena, plan->n_blocks, sizeof *p->blocks);
  p->block_of = rp_arena_array(&plan->arena, plan->n_blocks, sizeof *p->block_of);
  p->index_of = rp_arena_array(&plan->arena, plan->n_blocks, sizeof *p->index_of);
  if (!p->blocks || !p->block_of || !p->index_of) return 0;
  p->parameters = RP_NONE;
  for (uint32_t b = 0; b < plan->n_blocks; b++) {
    p->index_of[b] = RP_NONE;
    if (!(plan->blocks[b].parts & 1u << part)) continue;
    if (plan->blocks[b].block.space == RP_SPACE_PARAMETER) p->parameters = p->n_blocks;
    p->index_of[b] = p->n_blocks;
    p->blocks[p->n_blocks] = plan->blocks[b].block;
    p->block_of[p->n_blocks++] = b;
  }
  return 1;
}

/* Refuses staged values that have several segments. */
static rp_status check_staged(const rp_plan *plan, rp_error *err) {
  for (uint32_t i = 0; i < plan->n_graph_values; i++) {
    const rp_plan_value *v = &plan->values[i];
    if (!v->placed || v->n_segments == 1) continue;
    if (v->space != RP_SPACE_INPUT && v->space != RP_SPACE_OUTPUT && v->space != RP_SPACE_EXCHANGE) continue;
    return rp_fail(err, RP_ERR_UNSUPPORTED, "'%s' has %llu bytes, more than one allocation of this device (%llu)",
                   v->output ? v->output : v->name, (unsigned long long)v->bytes,
                   (unsigned long long)plan->device->info.limits.max_allocation_bytes);
  }
  return RP_OK;
}

rp_status rp_pass_place(rp_plan *plan, rp_error *err) {
  rp_status status = check_staged(plan, err);
  if (status) return status;
  bool good = pack(plan, RP_SPACE_CONSTANT, BOTH) && borrow(plan) && leave_bound(plan) &&
              pack(plan, RP_SPACE_INPUT, 1u << RP_PART_RUN) && pack(plan, RP_SPACE_OUTPUT, 1u << RP_PART_RUN) &&
              pack(plan, RP_SPACE_EXCHANGE, 1u << RP_PART_RUN);
  if (!good) return rp_plan_fail_memory(err);
  status = rp_place_arena(plan, RP_PART_ONCE, RP_SPACE_ONCE, err);
  if (!status) status = rp_place_arena(plan, RP_PART_RUN, RP_SPACE_ARENA, err);
  if (status) return status;
  plan->input_bytes = lay_staging(plan, RP_SPACE_INPUT);
  plan->output_bytes = lay_staging(plan, RP_SPACE_OUTPUT);
  good = add_parameters(plan) && list_blocks(plan, RP_PART_ONCE) && list_blocks(plan, RP_PART_RUN);
  return good ? RP_OK : rp_plan_fail_memory(err);
}
