/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Device memory from the caller's allocator.
 */
#include "device.h"
#include "secret.h"

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
