/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Reprise, tier 1: all plans of a graph between fast and small. The calling rules are those of reprise.h.
 */
#ifndef REPRISE_PLANS_H
#define REPRISE_PLANS_H

#include <reprise/reprise.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rp_plan_point {
  uint32_t struct_size;
  uint32_t memory_level;       /* RP_MEMORY_FULL .. RP_MEMORY_STREAMED */
  uint32_t dispatches, levels; /* of a run */
  uint64_t total_bytes;        /* a recording with this budget gets this plan */
  uint64_t constant_bytes, arena_bytes;
  uint64_t predicted_ns; /* of a run, by the model that chooses among plans; only for comparing points */
} rp_plan_point;

/* The plans of a graph on a device that are worth choosing from: the usual plan first, then the others in the order of
 * growing time and shrinking memory. A plan that is slower than another takes less memory. Nothing is allocated on the
 * device, and no budget matters, neither the device's nor that of the options. Writes the first `capacity` points, and
 * sets *count to the number of points, even if that is more; `points` may be NULL if capacity is 0.
 * points[0].struct_size is set by the caller, as for rp_devices. Takes as long as planning for a budget that the usual
 * plan does not fit. */
RP_API RP_CHECKED rp_status rp_plan_points(rp_device *device, const rp_graph *graph, const rp_record_options *options,
                                           rp_plan_point *points, uint32_t capacity, uint32_t *count, rp_error *err);

#ifdef __cplusplus
}
#endif

#endif
