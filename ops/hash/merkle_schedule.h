/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The dispatches of a Merkle tree, as numbers.
 */
#ifndef REPRISE_OPS_MERKLE_SCHEDULE_H
#define REPRISE_OPS_MERKLE_SCHEDULE_H

#include <stdbool.h>

#include <reprise/ops.h>

enum { MERKLE_STEPS_MAX = 64 };

/* Computes nodes [offset, 2 offset), in groups, and then the levels - 1 levels above them, as far as each group
 * completes them. */
typedef struct merkle_step {
  uint32_t offset, group, levels;
  bool shared; /* 1: use the kernel that keeps the digests of a group in shared memory */
} merkle_step;

typedef struct merkle_plan {
  rp_merkle_schedule schedule;
  uint32_t group; /* 0: chosen */
  uint32_t published_count;
  uint32_t shared_group; /* nodes that a GPU's workgroup computes at the same time, with several threads each */
  rp_merkle_table table; /* fill 0: the device's */
} merkle_plan;

/* RP_OK if such a tree can be made; else *why is a sentence that says why not. */
rp_status rp_merkle_plan_check(const merkle_plan *plan, uint64_t leaves, const char **why);
/* Writes the steps and returns their number. Before: rp_merkle_plan_check gave RP_OK. */
uint32_t rp_merkle_steps(const merkle_plan *plan, uint64_t leaves, rp_device_kind device, uint32_t workers,
                         merkle_step steps[MERKLE_STEPS_MAX]);

#endif
