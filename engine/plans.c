/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The points of a graph for a caller, as structs and as bytes.
 */
#include "kept_plans.h"
#include "recording.h"

#include <reprise/plans.h>

static rp_plan_point point_of(const rp_point *p) {
  return (rp_plan_point){.memory_level = p->memory_level,
                         .dispatches = p->info.dispatches,
                         .levels = p->info.levels,
                         .total_bytes = p->info.total_bytes,
                         .constant_bytes = p->info.constant_bytes,
                         .arena_bytes = p->info.arena_bytes,
                         .predicted_ns = p->predicted_ns};
}

rp_status rp_plan_points(rp_device *device, const rp_graph *graph, const rp_record_options *options,
                         rp_plan_point *points, uint32_t capacity, uint32_t *count, rp_error *err) {
  rp_record_options o;
  rp_points found;
  if (!device || !graph || !count || (!points && capacity)) return rp_fail_null(err, "rp_plan_points");
  *count = 0;
  const uint32_t stride = capacity ? points[0].struct_size : 0;
  if (capacity && stride < sizeof stride)
    return rp_fail(err, RP_ERR_ARGUMENT, "rp_plan_points: points[0].struct_size is not set");
  rp_status status = rp_device_check(device, err);
  if (!status) status = rp_record_options_read(&o, options, "rp_plan_points", err);
  if (!status) status = rp_points_find(device, graph, &o, &found, err);
  if (status) return status;
  for (uint32_t i = 0; i < found.n && i < capacity; i++) {
    const rp_plan_point point = point_of(&found.items[i]);
    char *theirs = (char *)points + (size_t)i * stride;
    memcpy(theirs, &stride, sizeof stride);
    rp_info_write(theirs, &point, sizeof point);
  }
  *count = found.n;
  rp_points_free(&found, device->context);
  return RP_OK;
}

rp_status rp_plans_keep(rp_device *device, const rp_graph *graph, const rp_record_options *options, uint32_t flags,
                        rp_write_fn write, void *user, rp_error *err) {
  rp_record_options o;
  rp_points points;
  if (!device || !graph || !write) return rp_fail_null(err, "rp_plans_keep");
  if (flags & ~RP_PLANS_KERNELS) return rp_fail(err, RP_ERR_ARGUMENT, "rp_plans_keep: flags 0x%x are not known", flags);
  rp_status status = rp_device_check(device, err);
  if (!status) status = rp_record_options_read(&o, options, "rp_plans_keep", err);
  if (!status && device->members)
    status = rp_fail(err, RP_ERR_UNSUPPORTED, "rp_plans_keep: a group of devices has one plan");
  if (!status) status = rp_points_find(device, graph, &o, &points, err);
  if (status) return status;
  status = rp_kept_plans_write(device, graph, &o, &points, flags, write, user, err);
  rp_points_free(&points, device->context);
  return status;
}
