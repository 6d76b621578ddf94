/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The plans of a graph between fast and small.
 */
#ifndef REPRISE_ENGINE_POINTS_H
#define REPRISE_ENGINE_POINTS_H

#include "plan.h"

typedef struct rp_point {
  uint32_t memory_level;
  rp_schedule schedule;
  uint64_t predicted_ns; /* of a run (cost.h) */
  rp_plan_info info;
} rp_point;

typedef struct rp_points { /* in memory of the context's allocator */
  rp_point *items;
  uint32_t n, capacity;
  uint64_t least_ns; /* no point that is added is predicted to take less */
} rp_points;

/* All good points of a graph, the usual plan first, then by growing time and falling memory, whatever the budget. On
 * failure there are none. */
rp_status rp_points_find(rp_device *device, const rp_graph *graph, const rp_record_options *options, rp_points *points,
                         rp_error *err);
void rp_points_free(rp_points *points, rp_context *context);

#endif
