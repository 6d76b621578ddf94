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

/* ---- The caller's memory ----------------------------------------------------------------------------------------- */

/* On the CPU whole pages are asked for, because secrets share no page with anything else. */
static uint64_t wanted(const rp_device *device, uint64_t bytes, uint64_t *align) {
  *align = device->info.limits.host_visible ? rp_page_bytes() : device->info.limits.align_bytes;
  return device->info.limits.host_visible ? rp_align_up(bytes, *align) : bytes;
}

rp_status rp_device_borrow(rp_device *device, uint64_t bytes, rp_memory *memory, rp_error *err) {
  uint64_t align;
  const rp_device_allocator *a = &device->allocator;
  const uint64_t whole = wanted(device, bytes, &align);
  if (!device->backend->memory_wrap)
    return rp_fail(err, RP_ERR_UNSUPPORTED, "%s devices cannot use memory of the caller", device->backend->name);
  void *lent = a->alloc(a->user, whole, align);
  if (!lent)
    return rp_fail(err, RP_ERR_DEVICE_MEMORY, "the caller's allocator has no %llu bytes of device memory",
                   (unsigned long long)whole);
  rp_status status = device->backend->memory_wrap(device->state, lent, bytes, memory, err);
  const uint64_t address = status ? 0 : memory->address;
  if (!status && address % align) {
    if (device->backend->memory_unwrap) device->backend->memory_unwrap(device->state, memory);
    status = rp_fail(err, RP_ERR_ARGUMENT, "the caller's allocator gave address 0x%llx, not a multiple of %llu",
                     (unsigned long long)address, (unsigned long long)align);
  }
  if (status)
    a->free(a->user, lent, whole);
  else
    memory->lent = lent;
  return status;
}

void rp_device_give_back(rp_device *device, rp_memory *memory) {
  uint64_t align;
  const rp_device_allocator *a = &device->allocator;
  void *lent = memory->lent;
  const uint64_t whole = wanted(device, memory->bytes, &align);
  if (rp_device_is_foreign(device)) return;
  if (device->backend->memory_unwrap) device->backend->memory_unwrap(device->state, memory);
  a->free(a->user, lent, whole);
}
