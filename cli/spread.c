/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The context and the device of a call, or the devices that --device lists. Several devices share the proofs, as a
 * pool, or make each proof together, as a group.
 */
#include "cli.h"

rp_status cli_open_context(cli_session *session, rp_error *err) {
  return session->context ? RP_OK : rp_context_create(NULL, &session->context, err);
}

/* The devices of a call, with "all of a kind" written out. */
typedef struct list {
  rp_device_options of[CLI_MOST_DEVICES];
  unsigned n;
} list;

static rp_status add(list *l, const rp_device_options *device, rp_error *err) {
  if (l->n < CLI_MOST_DEVICES) {
    l->of[l->n++] = *device;
    return RP_OK;
  }
  snprintf(err->reason, sizeof err->reason, "--device lists more than %d devices", CLI_MOST_DEVICES);
  return err->status = RP_ERR_ARGUMENT;
}

static rp_status add_all_of_kind(rp_context *context, list *l, const rp_device_options *kind, rp_error *err) {
  rp_device_info found[CLI_MOST_DEVICES] = {{.struct_size = sizeof *found}};
  const char *reason = "there is none";
  uint32_t n = 0, n_added = 0;
  rp_status status = rp_devices(context, found, CLI_MOST_DEVICES, &n, err);
  for (uint32_t i = 0; i < n && i < CLI_MOST_DEVICES && status == RP_OK; i++) {
    if (found[i].kind != kind->kind) continue;
    if (!found[i].available) {
      reason = found[i].reason;
      continue;
    }
    rp_device_options one = *kind;
    one.index = found[i].index;
    status = add(l, &one, err);
    n_added++;
  }
  if (status != RP_OK || n_added) return status;
  snprintf(err->reason, sizeof err->reason, "%s:* names no device: %.300s", rp_device_kind_name(kind->kind), reason);
  return err->status = RP_ERR_UNAVAILABLE;
}

static rp_status list_devices(const cli_call *call, rp_context *context, list *l, rp_error *err) {
  rp_status status = RP_OK;
  for (unsigned i = 0; i < call->n_devices && status == RP_OK; i++) {
    rp_device_options device = call->devices[i];
    device.memory_budget_bytes = call->memory_bytes;
    if (!device.cpu_threads) device.cpu_threads = call->device.cpu_threads;
    status = device.index == CLI_ALL_OF_KIND ? add_all_of_kind(context, l, &device, err) : add(l, &device, err);
  }
  return status;
}

static rp_status open_all(const cli_call *call, cli_session *session, list *l, rp_device **devices, rp_error *err) {
  *l = (list){.n = 0};
  rp_status status = cli_open_context(session, err);
  if (status == RP_OK) status = list_devices(call, session->context, l, err);
  for (unsigned i = 0; i < l->n && status == RP_OK; i++)
    status = rp_device_open(session->context, &l->of[i], &devices[i], err);
  return status;
}

rp_status cli_open_pool(const cli_call *call, cli_session *session, uint32_t max_in_flight, rp_error *err) {
  list l;
  rp_device *devices[CLI_MOST_DEVICES] = {0};
  rp_status status = open_all(call, session, &l, devices, err);
  const rp_pool_options options = {.struct_size = sizeof options, .max_in_flight = max_in_flight};
  if (status == RP_OK) status = rp_pool_create(devices, l.n, &options, &session->pool, err);
  session->device = devices[0];
  for (unsigned i = 1; i < l.n; i++) rp_device_release(devices[i]); /* the pool keeps them */
  return status;
}

static rp_status open_group(const cli_call *call, cli_session *session, rp_error *err) {
  list l;
  rp_device *devices[CLI_MOST_DEVICES] = {0};
  rp_status status = open_all(call, session, &l, devices, err);
  if (status == RP_OK) status = rp_group_open(session->context, devices, l.n, &session->device, err);
  for (unsigned i = 0; i < l.n; i++) rp_device_release(devices[i]); /* the group keeps them */
  return status;
}

rp_status cli_open_device(const cli_call *call, cli_session *session, rp_error *err) {
  if (call->n_devices) return open_group(call, session, err);
  rp_status status = cli_open_context(session, err);
  if (status != RP_OK) return status;
  rp_device_options options = call->device;
  options.memory_budget_bytes = call->memory_bytes;
  cli_progress *progress = cli_progress_begin("opening the device");
  status = rp_device_open(session->context, &options, &session->device, err);
  cli_progress_end(progress);
  return status;
}

void cli_say_left_out(const cli_call *call, cli_session *session, const rp_recording *recording) {
  uint32_t pieces[CLI_MOST_DEVICES] = {0};
  rp_group_plan plan = {.struct_size = sizeof plan, .pieces = pieces};
  if (!recording || session->said_left_out || !call->n_devices) return;
  session->said_left_out = 1;
  if (rp_recording_get_group_plan(recording, &plan, NULL) != RP_OK) return;
  for (uint32_t d = 0; d < plan.n_devices; d++) {
    rp_device_info info = {.struct_size = sizeof info};
    if (pieces[d]) continue;
    rp_device_get_info(rp_group_device(session->device, d), &info);
    fprintf(stderr, "reprise %s: device %u, %s:%u, is left out: a proof would not be done sooner with it\n",
            call->command->name, d, rp_device_kind_name(info.kind), info.index);
  }
}
