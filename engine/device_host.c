/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Devices for programs that bring something of their own: handles of a driver, memory.
 */
#include "device.h"
#include "secret.h"

/* ---- Opening ----------------------------------------------------------------------------------------------------- */

static rp_status check_host(const rp_host_device *h, const rp_device_options *o, rp_error *err) {
  const bool handles = o->kind == RP_DEVICE_VULKAN && o->native[0];
  if (o->kind <= RP_DEVICE_AUTO || o->kind >= RP_DEVICE_KIND_COUNT)
    return rp_fail(err, RP_ERR_ARGUMENT, "rp_device_open_for: options.kind names no kind of device");
  if (!h->allocator.alloc != !h->allocator.free)
    return rp_fail(err, RP_ERR_ARGUMENT, "rp_device_open_for: an allocator needs both alloc and free");
  if (!h->lock_queue != !h->unlock_queue)
    return rp_fail(err, RP_ERR_ARGUMENT, "rp_device_open_for: lock_queue and unlock_queue go together");
  if ((h->vulkan_features || h->lock_queue) && !handles)
    return rp_fail(err, RP_ERR_ARGUMENT,
                   "rp_device_open_for: features and queue locks are those of a caller's VkDevice, and options.native "
                   "names none");
  return RP_OK;
}

rp_status rp_device_open_for(rp_context *context, const rp_device_options *options, const rp_host_device *host,
                             rp_device **device, rp_error *err) {
  rp_device_options o;
  rp_host_device h;
  if (device) *device = NULL;
  if (!context || !device) return rp_fail_null(err, "rp_device_open_for");
  rp_status status = rp_context_check(context, err);
  if (status) return status;
  if (!rp_options_read(&o, sizeof o, options) || !rp_options_read(&h, sizeof h, host))
    return rp_fail(err, RP_ERR_ARGUMENT, "rp_device_open_for: struct_size is not set");
  status = check_host(&h, &o, err);
  if (status) return status;
  const rp_backend *backend = rp_backend_of(o.kind);
  return o.native[0] && backend ? rp_device_open_on(context, backend, &o, &h, device, err)
                                : rp_device_open_named(context, &o, &h, device, err);
}
