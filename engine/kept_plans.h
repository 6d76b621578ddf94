/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * What is known of the plans of a graph from an earlier time (rp_plans_use): the points of one device each, and
 * compiled kernels. It chooses among plans that could be found anew, and changes nothing of what they compute. What
 * does not belong to the device, the library and the graph is not used.
 */
#ifndef REPRISE_ENGINE_KEPT_PLANS_H
#define REPRISE_ENGINE_KEPT_PLANS_H

#include "points.h"

/* Writes the points as bytes (rp_plans_keep), with the compiled kernels of the device if `flags` has
 * RP_PLANS_KERNELS. */
rp_status rp_kept_plans_write(const rp_device *device, const rp_graph *graph, const rp_record_options *options,
                              const rp_points *points, uint32_t flags, rp_write_fn write, void *user, rp_error *err);
/* The points that are kept for this device and these options, the usual plan first; NULL if there are none that fit,
 * with a line in the log for each that is of this kind of device. They live as long as the graph. */
const rp_points *rp_kept_plans_find(rp_device *device, const rp_graph *graph, const rp_record_options *options);
/* Gives the device the compiled kernels that are kept for it. */
void rp_kept_plans_prepare(rp_device *device, const rp_graph *graph);

#endif
