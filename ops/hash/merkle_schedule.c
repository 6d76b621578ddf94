/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "hash/merkle_schedule.h"

#include "hash/merkle_args.h"

#include <stdbool.h>

#define LEAVES_MAX ((uint64_t)1 << 30) /* kernels count elements in 32 bits */

static bool is_power_of_two(uint64_t n) { return n && !(n & (n - 1)); }

static uint32_t log2_of(uint64_t n) {
  uint32_t bits = 0;
  while (n >>= 1) bits++;
  return bits;
}

uint32_t rp_merkle_published_dispatches(uint64_t leaves, uint32_t group) {
  if (!is_power_of_two(leaves) || !is_power_of_two(group) || group > leaves / 4) return 0;
  if (leaves >> 2 == group) return 2;
  const uint32_t above = log2_of(leaves >> (2 + log2_of(group)));
  return leaves >> 3 == group ? above + 2 : above + 1;
}

rp_status rp_merkle_plan_check(const merkle_plan *plan, uint64_t leaves, const char **why) {
  const bool blocks = plan->schedule == RP_MERKLE_BLOCKS;
  *why = NULL;
  if (!is_power_of_two(leaves) || leaves < 2)
    *why = "a tree has a power of two of leaves, at least two";
  else if (leaves > LEAVES_MAX)
    *why = "a tree has at most 2^30 leaves";
  else if (plan->group && (!is_power_of_two(plan->group) || plan->group > RP_MERKLE_GROUP_MAX))
    *why = "a group is a power of two, at most 256";
  else if (plan->schedule == RP_MERKLE_LEVELS && plan->group > leaves / 2)
    *why = "a group is at most half of the leaves";
  else if (blocks && (leaves < 4 || plan->group > leaves / 4))
    *why = "a group of blocks is at most a quarter of the leaves";
  else if (blocks && plan->published_count && plan->group == 1 && leaves >= 16)
    *why = "the published count of dispatches does not reach the root with groups of one";
  return *why ? RP_ERR_SHAPE : RP_OK;
}

/* Measured with examples/tables.c (docs/sources.md). CPU: subtrees are no slower than levels at any size, and twice as
 * fast at 64 leaves; the number of work items makes no difference. CUDA, on an H200: subtrees are nearly four times as
 * fast for trees of up to 2^14 leaves, and 64 nodes per worker are best; through Vulkan the same holds with 32. */
static const rp_merkle_table tables[RP_DEVICE_KIND_COUNT] = {[RP_DEVICE_CPU] = {.subtrees = 2, .fill = 4},
                                                             [RP_DEVICE_CUDA] = {.subtrees = 2, .fill = 64},
                                                             [RP_DEVICE_VULKAN] = {.subtrees = 2, .fill = 32},
                                                             [RP_DEVICE_NULL] = {.subtrees = 2, .fill = 4}};

rp_merkle_table rp_merkle_table_of(rp_device_kind device) {
  return tables[(unsigned)device < RP_DEVICE_KIND_COUNT && device != RP_DEVICE_AUTO ? device : RP_DEVICE_CPU];
}

static uint32_t at_most(uint64_t a, uint64_t b) { return (uint32_t)(a < b ? a : b); }

static uint32_t levels_of(uint64_t leaves, uint32_t group, merkle_step *steps) {
  uint32_t n = 0;
  for (uint64_t offset = leaves / 2; offset; offset /= 2)
    steps[n++] = (merkle_step){.offset = (uint32_t)offset, .group = at_most(offset, group), .levels = 1};
  return n;
}

static uint32_t blocks_of(uint64_t leaves, uint32_t group, uint32_t count, merkle_step *steps) {
  const uint32_t shift = log2_of(group) + 1;
  uint64_t offset = leaves / 4;
  uint32_t n = 0, reached = 0; /* the root */
  steps[n++] = (merkle_step){.offset = (uint32_t)(leaves / 2), .group = at_most(leaves / 2, group), .levels = 1};
  while (count ? n < count : !reached) {
    const uint32_t g = at_most(offset, group);
    steps[n++] = (merkle_step){.offset = (uint32_t)offset, .group = g, .levels = log2_of(g) + 1};
    reached = offset >> log2_of(g) == 1;
    offset = offset >> shift ? offset >> shift : 1;
  }
  return n;
}

/* On a GPU each level has one thread per node while there are enough nodes to fill it. On a CPU, work items are
 * subtrees from the leaves on: `fill` items per worker, of at least sixteen nodes each, since kernels may hash eight
 * nodes at a time. */
enum { GPU_GROUP = 128, CPU_LEAST = 16, CPU_MOST = 1024 };

static uint32_t subtrees_of(const merkle_plan *plan, uint64_t leaves, rp_device_kind device, uint64_t filled,
                            merkle_step *steps) {
  const bool gpu = (RP_ON_GPU & RP_ON(device)) != 0;
  uint64_t offset = leaves / 2;
  uint32_t n = 0;
  for (; gpu && offset > filled; offset /= 2)
    steps[n++] = (merkle_step){.offset = (uint32_t)offset, .group = at_most(offset, GPU_GROUP), .levels = 1};
  while (offset) {
    uint32_t most = plan->shared_group;
    if (!gpu)
      for (most = CPU_MOST; most > CPU_LEAST && offset / most < filled;) most /= 2;
    const uint32_t group = at_most(offset, most), levels = log2_of(group) + 1;
    steps[n++] = (merkle_step){.offset = (uint32_t)offset, .group = group, .levels = levels, .shared = gpu};
    offset >>= levels;
  }
  return n;
}

uint32_t rp_merkle_steps(const merkle_plan *plan, uint64_t leaves, rp_device_kind device, uint32_t workers,
                         merkle_step steps[MERKLE_STEPS_MAX]) {
  const uint32_t group = plan->group ? plan->group : RP_MERKLE_GROUP_MAX;
  const rp_merkle_table table = plan->table.fill ? plan->table : rp_merkle_table_of(device);
  rp_merkle_schedule schedule = plan->schedule;
  if (schedule == RP_MERKLE_AUTO) schedule = leaves < table.subtrees ? RP_MERKLE_LEVELS : RP_MERKLE_SUBTREES;
  switch (schedule) {
  case RP_MERKLE_LEVELS: return levels_of(leaves, plan->group ? group : GPU_GROUP, steps);
  case RP_MERKLE_BLOCKS: {
    const uint32_t b = at_most(group, leaves / 4);
    return blocks_of(leaves, b, plan->published_count ? rp_merkle_published_dispatches(leaves, b) : 0, steps);
  }
  default: return subtrees_of(plan, leaves, device, (uint64_t)workers * table.fill, steps);
  }
}
