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
  uint64_t predicted_ns; /* of a run, as plans are chosen by: only for comparing points, unless the graph has costs */
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
 * on this device with these options, whatever their flags and budgets, and the costs by which they were found, if the
 * graph has measured ones for the device (rp_costs_use). Takes as long as rp_plan_points. The values of inputs and
 * constants are not in it. RP_ERR_UNSUPPORTED: a group of devices. RP_ERR_CANCELLED: `write` did not return 0. */
RP_API RP_CHECKED rp_status rp_plans_keep(rp_device *device, const rp_graph *graph, const rp_record_options *options,
                                          uint32_t flags, rp_write_fn write, void *user, rp_error *err);
/* Recordings of the graph that are made later use these plans instead of searching, and the compiled kernels if
 * `flags` says so; what they compute, and which plan a budget gets, does not change. The graph also gets their costs,
 * if they have some. Plans for several devices may be given one after the other. They are used on a device of the same
 * name, driver and limits, by the same version of the library, for a graph to which nothing has been added since and
 * that has no other costs, with the same numbers of run slots and memory levels, and only if they come out with the
 * same figures; otherwise the log has a line (RP_LOG_INFO), and rp_record searches. The data may be anybody's, except
 * for compiled kernels; it is copied. RP_ERR_FORMAT: it is damaged, or something else. */
RP_API RP_CHECKED rp_status rp_plans_use(rp_graph *graph, const void *data, uint64_t size_bytes, uint32_t flags,
                                         rp_error *err);

/* ---- Costs that are measured ------------------------------------------------------------------------------------- */

/* What dispatches cost is estimated from their numbers of groups and bytes, whatever their kernels; that is enough to
 * compare plans. Measured costs know the kernels. */

/* Writes what the kernels of these recordings cost, as bytes that rp_costs_use takes: for each kernel and size of a
 * dispatch, and again for each label (rp_node_info.name), the median of the latest 32 runs, corrected for what ran
 * beside it; and the time to start a dispatch. The recordings, of any graphs, are of one device and were made with
 * RP_RECORD_PROFILE, and at least one run of each has finished; times are best if no other run was in flight. No value
 * of an array is in the bytes. RP_ERR_STATE: one has no times. RP_ERR_ARGUMENT: the devices differ.
 * RP_ERR_UNSUPPORTED: a group of devices. RP_ERR_CANCELLED: `write` did not return 0. */
RP_API RP_CHECKED rp_status rp_costs_keep(rp_recording *const *recordings, uint32_t n_recordings, rp_write_fn write,
                                          void *user, rp_error *err);
/* Plans of the graph that are made later predict times by these costs and choose by them; what is computed does not
 * change. Between the measured sizes of a kernel, times are interpolated. For a kernel that was not measured, the
 * estimate is multiplied by how many times longer than estimated the measured ones took. Costs for several devices may
 * be given one after the other; of several for one device, the latest count. They are used on a device of the same
 * name, driver and limits, by the same version of the library; otherwise the log has a line (RP_LOG_INFO), and times
 * are estimated. rp_plans_keep keeps them with the plans that it finds by them. The data may be anybody's; it is
 * copied. RP_ERR_FORMAT: it is damaged, or something else. */
RP_API RP_CHECKED rp_status rp_costs_use(rp_graph *graph, const void *data, uint64_t size_bytes, rp_error *err);
/* The same for all graphs that have no costs for the device, such as those of provers, of pools and of groups that the
 * device is in. The costs hold for recordings that are made later, and replace those of an earlier call. A prover that
 * was made with RP_RECORD_PROFILE measures by its proofs (rp_groth16_prover_recording, rp_plonk_prover_recording,
 * rp_fflonk_prover_recording). RP_ERR_FORMAT, or RP_ERR_MISMATCH: another device, driver or version of the library, on
 * which the costs are to be measured again; neither changes anything. RP_ERR_UNSUPPORTED: a group of devices. The bytes
 * are copied, and kept until the device is closed. Any thread may call it. */
RP_API RP_CHECKED rp_status rp_costs_use_on(rp_device *device, const void *data, uint64_t size_bytes, rp_error *err);

#ifdef __cplusplus
}
#endif

#endif
