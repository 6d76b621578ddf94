/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Plans are asked for, and recordings made and destroyed, whether for one device (record.c) or for a group
 * (group/plan.c).
 */
#include "group/group.h"

rp_status rp_plan_query(rp_device *device, const rp_graph *graph, const rp_record_options *options, rp_plan_info *info,
                        rp_error *err) {
  static const rp_plan_info none;
  if (!info) return rp_fail_null(err, "rp_plan_query");
  if (!rp_info_write(info, &none, sizeof none))
    return rp_fail(err, RP_ERR_ARGUMENT, "rp_plan_query: info.struct_size is not set");
  if (!device || !graph) return rp_fail_null(err, "rp_plan_query");
  rp_record_options o;
  rp_plan *plan = NULL;
  rp_plan_info least = {0};
  rp_status status = rp_device_check(device, err);
  if (!status) status = rp_record_options_read(&o, options, "rp_plan_query", err);
  if (status) return status;
  status = device->members ? rp_group_plan_create(device, graph, &o, 0, &plan, err)
                           : rp_plan_create(device, graph, &o, rp_device_available_bytes(device), &plan, &least, err);
  rp_info_write(info, status ? &least : &plan->info, sizeof least);
  rp_group_plan_destroy(plan);
  return status;
}

rp_status rp_record(rp_device *device, const rp_graph *graph, const rp_record_options *options,
                    rp_recording **recording, rp_error *err) {
  if (recording) *recording = NULL;
  if (!recording || !device || !graph) return rp_fail_null(err, "rp_record");
  rp_record_options o;
  rp_status status = rp_device_check(device, err);
  if (!status) status = rp_record_options_read(&o, options, "rp_record", err);
  if (status) return status;
  return device->members ? rp_group_record(device, graph, &o, recording, err)
                         : rp_record_on_device(device, graph, &o, recording, err);
}

void rp_recording_destroy(rp_recording *recording) {
  if (!recording) return;
  rp_context *context = recording->device->context;
  rp_pieces *pieces = recording->plan->pieces;
  rp_context_retain(context); /* for the pieces, which are freed after the program of the group that starts them */
  rp_recording_close(recording);
  rp_pieces_free(pieces);
  rp_context_release(context);
}
