/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Closing a device, when its last user is gone.
 */
#include "recording.h"

#include <stdio.h>

static void close_now(rp_device *d) {
  rp_context *context = d->context;
  if (!rp_device_is_foreign(d)) d->backend->close(d->state);
  if (!rp_context_is_forked(context)) rp_device_close_gate(d);
  rp_arena_free(&d->costs_arena);
  rp_host_free(context, d, sizeof *d);
  atomic_fetch_sub(&context->devices, 1);
  rp_context_release(context);
}

/* Writes "2 recordings, 1 buffer (the latest recording is of graph 'square')". */
static void left_of(rp_device *d, char *text, size_t bytes) {
  char counts[160], graph[96] = "";
  const uint32_t all = atomic_load(&d->references), recordings = atomic_load(&d->n_recordings),
                 buffers = atomic_load(&d->n_buffers), known = 1 + recordings + buffers;
  const rp_left left[] = {{recordings, "recording", "recordings"},
                          {buffers, "buffer", "buffers"},
                          {all > known ? all - known : 0, "other user", "other users"}};
  rp_left_text(left, 3, counts, sizeof counts);
  const bool forked =
      rp_context_is_forked(d->context); /* a thread that does not exist in the child may hold the lock */
  if (!forked) rp_device_lock(d);
  if (d->recordings && !forked)
    snprintf(graph, sizeof graph, " (the latest recording is of graph '%.48s')", d->recordings->plan->graph->name);
  if (!forked) rp_device_unlock(d);
  snprintf(text, bytes, "%s%s", counts, graph);
}

void rp_device_retain(rp_device *device) {
  if (device) atomic_fetch_add(&device->references, 1);
}

void rp_device_release(rp_device *device) {
  if (device && atomic_fetch_sub(&device->references, 1) == 1) close_now(device);
}

void rp_device_close(rp_device *device) {
  if (!device) return;
  if (atomic_load(&device->references) > 1) {
    char left[256];
    left_of(device, left, sizeof left);
    rp_log(device->context, RP_LOG_WARNING,
           "%s:%u is closed before what uses it: %s; it stays open until the last is gone", device->backend->name,
           device->info.index, left);
  }
  rp_device_release(device);
}

rp_status rp_device_try_close(rp_device *device, rp_error *err) {
  unsigned one = 1;
  if (!device) return RP_OK;
  if (!atomic_compare_exchange_strong(&device->references, &one, 0)) {
    char left[256];
    left_of(device, left, sizeof left);
    return rp_fail(err, RP_ERR_STATE, "%s:%u is in use: %s; destroy these first", device->backend->name,
                   device->info.index, left);
  }
  close_now(device);
  return RP_OK;
}
