/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The steps of a program on several lanes. A lane executes its batches one after the other; what a batch needs of
 * another lane, it waits for before it begins. The upload is the first thing on lane 0, and the download the last one.
 */
#ifndef REPRISE_VULKAN_LANES_H
#define REPRISE_VULKAN_LANES_H

#include "core.h"

enum { RP_VK_MOST_LANES = 8 };

typedef struct rp_vk_lane_cost {
  uint64_t ns;      /* what a step is expected to take */
  uint64_t most_ns; /* an estimate that is high for most devices, for batch_ns */
} rp_vk_lane_cost;

typedef struct rp_vk_lane_options {
  uint32_t n_lanes;      /* how many may be used: 1 to RP_VK_MOST_LANES */
  uint64_t hop_ns;       /* from the end of a batch to the beginning of one on another lane that waits for it */
  uint64_t batch_ns;     /* a lane that has done so much work continues in another batch */
  const uint32_t *order; /* one that the edges allow; NULL: the step with the longest path behind it comes first */
  uint64_t random_seed;  /* 0: each step goes to the lane where it can begin first; else to a random one */
} rp_vk_lane_options;

typedef struct rp_vk_lane_wait {
  uint32_t lane, number; /* of the batch whose end is waited for */
} rp_vk_lane_wait;

typedef struct rp_vk_lane_batch {
  uint32_t lane, number;        /* on its lane, from 1 on */
  uint32_t first, n;            /* its steps: order[first ... first + n - 1] */
  uint32_t n_done;              /* steps of its lane up to its end */
  uint32_t first_wait, n_waits; /* at most one wait for each other lane */
} rp_vk_lane_batch;

/* Each batch stands behind those that it waits for, so that lanes may share a queue. The first one has the upload, and
 * the last one has the download; both are on lane 0, and may have no steps. */
typedef struct rp_vk_lanes {
  uint32_t n_lanes; /* that are used */
  uint32_t *order;  /* the steps, batch by batch */
  rp_vk_lane_batch *batches;
  uint32_t n_batches;
  rp_vk_lane_wait *waits;
  uint32_t n_waits;
  uint64_t end_ns; /* when the last step ends, by the expected times, if lanes do not slow each other down */
} rp_vk_lanes;

/* Distributes n steps with these costs. Every edge between two lanes, those from the upload and to the download
 * included, has a wait or follows from waits; no wait follows from others. The arrays of *lanes are in the memory of
 * `arena`, and `scratch` may be freed afterwards. false when out of memory. */
bool rp_vk_find_lanes(rp_arena *arena, rp_arena *scratch, const rp_step *steps, uint32_t n,
                      const rp_vk_lane_cost *costs, const rp_vk_lane_options *options, rp_vk_lanes *lanes);

#endif
