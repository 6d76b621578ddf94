/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Reprise, tier 1: all plans of a graph between fast and small. The calling rules are those of reprise.h.
 */
#ifndef REPRISE_PLANS_H
#define REPRISE_PLANS_H

#include <reprise/inspect.h>

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

/* ---- Plans that are kept ----------------------------------------------------------------------------------------- */

enum {
  /* Compiled kernels too: on Vulkan all that the device has compiled so far, where the driver gives them. Drivers trust
   * such bytes: use them only if they come from somebody who may execute code in this process. */
  RP_PLANS_KERNELS = 1u
};

/* Writes the plans of rp_plan_points, as bytes that rp_plans_use takes in a later process, for recordings of the graph
 * on this device with these options, whatever their flags and budgets. Takes as long as rp_plan_points. The values of
 * inputs and constants are not in it. RP_ERR_UNSUPPORTED: a group of devices. RP_ERR_CANCELLED: `write` has returned
 * something else than 0. */
RP_API RP_CHECKED rp_status rp_plans_keep(rp_device *device, const rp_graph *graph, const rp_record_options *options,
                                          uint32_t flags, rp_write_fn write, void *user, rp_error *err);
/* Recordings of the graph that are made later use these plans instead of searching, and the compiled kernels if `flags`
 * says so; what they compute, and which plan a budget gets, does not change. Plans for several devices may be given one
 * after the other. They are used on a device of the same name, driver and limits, by the same version of the library,
 * for a graph to which nothing has been added since, with the same numbers of run slots and memory levels, and only if
 * they come out with the same figures; otherwise the log has a line (RP_LOG_INFO), and rp_record searches. The data may
 * be anybody's, except for compiled kernels; it is copied. RP_ERR_FORMAT: it is damaged, or something else. */
RP_API RP_CHECKED rp_status rp_plans_use(rp_graph *graph, const void *data, uint64_t size_bytes, uint32_t flags,
                                         rp_error *err);

#ifdef __cplusplus
}
#endif

#endif
