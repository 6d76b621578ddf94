/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Device memory that other programs, or other APIs, share: opaque file descriptors of VK_KHR_external_memory_fd.
 */
#include "state.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static void read_uuid(const rp_vk *vk, uint8_t uuid[16]) {
  VkPhysicalDeviceIDProperties id = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ID_PROPERTIES};
  VkPhysicalDeviceProperties2 p = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &id};
  vk->fn.vkGetPhysicalDeviceProperties2(vk->adapter, &p);
  memcpy(uuid, id.deviceUUID, VK_UUID_SIZE);
}

/* Whether the driver does this with the library's buffers: one of VkExternalMemoryFeatureFlagBits. */
static rp_status ask(const rp_vk *vk, uint32_t wanted, bool *dedicated, rp_error *err) {
  const VkPhysicalDeviceExternalBufferInfo info = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_BUFFER_INFO,
                                                   .usage = RP_VK_BUFFER_USAGE,
                                                   .handleType = (VkExternalMemoryHandleTypeFlagBits)RP_VK_OPAQUE};
  VkExternalBufferProperties p = {.sType = VK_STRUCTURE_TYPE_EXTERNAL_BUFFER_PROPERTIES};
  if (!vk->fn.vkGetMemoryFdKHR)
    return rp_fail(err, RP_ERR_UNSUPPORTED, "the Vulkan device was created without VK_KHR_external_memory_fd");
  vk->fn.vkGetPhysicalDeviceExternalBufferProperties(vk->adapter, &info, &p);
  const uint32_t features = p.externalMemoryProperties.externalMemoryFeatures;
  if (!(features & wanted))
    return rp_fail(err, RP_ERR_UNSUPPORTED, "the Vulkan driver does not share buffers by file descriptors");
  *dedicated = (features & VK_EXTERNAL_MEMORY_FEATURE_DEDICATED_ONLY_BIT) != 0;
  return RP_OK;
}

static rp_vk_outside outside_of(const rp_shared_memory *imported, bool dedicated) {
  return (rp_vk_outside){
      .imported = imported,
      .fd = -1,
      .dedicated = dedicated,
      .buffer = {.sType = VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO, .handleTypes = RP_VK_OPAQUE}};
}

rp_status rp_vk_memory_share(void *state, uint64_t bytes, rp_memory *memory, rp_shared_memory *shared, rp_error *err) {
  rp_vk *vk = state;
  bool dedicated = 0;
  rp_status status = rp_vk_enter(vk, err);
  if (status == RP_OK) status = ask(vk, VK_EXTERNAL_MEMORY_FEATURE_EXPORTABLE_BIT, &dedicated, err);
  if (status == RP_OK && bytes > vk->max_allocation_bytes)
    status = rp_fail(err, RP_ERR_DEVICE_MEMORY, "a buffer of %llu bytes, and this device allows at most %llu",
                     (unsigned long long)bytes, (unsigned long long)vk->max_allocation_bytes);
  if (status != RP_OK) return status;
  rp_vk_outside outside = outside_of(NULL, dedicated);
  status = rp_vk_memory_outside(vk, &outside, 0, bytes, memory, err);
  if (status != RP_OK) return status;
  const VkMemoryGetFdInfoKHR get = {.sType = VK_STRUCTURE_TYPE_MEMORY_GET_FD_INFO_KHR,
                                    .memory = rp_vk_block_of(memory)->chunk->memory,
                                    .handleType = (VkExternalMemoryHandleTypeFlagBits)RP_VK_OPAQUE};
  int fd = -1;
  status = RP_VK(vk, err, vkGetMemoryFdKHR, vk->device, &get, &fd);
  if (status != RP_OK) {
    rp_vk_memory_free(vk, memory);
    return status;
  }
  (void)fcntl(fd, F_SETFD, FD_CLOEXEC); /* fails for no open descriptor */
  *shared = (rp_shared_memory){.kind = RP_SHARE_VULKAN,
                               .fd = fd,
                               .memory_type = outside.memory_type,
                               .dedicated = dedicated,
                               .memory_bytes = outside.memory_bytes,
                               .size_bytes = bytes};
  read_uuid(vk, shared->device);
  return RP_OK;
}

static rp_status check_device(const rp_vk *vk, const rp_shared_memory *shared, rp_error *err) {
  static const uint8_t unknown[16];
  uint8_t uuid[16];
  if (shared->kind != RP_SHARE_VULKAN)
    return rp_fail(err, RP_ERR_UNSUPPORTED, "Vulkan devices import memory of Vulkan (RP_SHARE_VULKAN) only");
  read_uuid(vk, uuid);
  if (memcmp(shared->device, unknown, sizeof unknown) == 0 || memcmp(shared->device, uuid, sizeof uuid) == 0)
    return RP_OK;
  return rp_fail(err, RP_ERR_MISMATCH, "the shared memory is that of another GPU");
}

/* The driver takes a descriptor of its own, and only if it succeeds. */
rp_status rp_vk_memory_import(void *state, const rp_shared_memory *shared, rp_memory *memory, rp_error *err) {
  rp_vk *vk = state;
  bool dedicated = 0;
  rp_status status = rp_vk_enter(vk, err);
  if (status == RP_OK) status = check_device(vk, shared, err);
  if (status == RP_OK) status = ask(vk, VK_EXTERNAL_MEMORY_FEATURE_IMPORTABLE_BIT, &dedicated, err);
  if (status != RP_OK) return status;
  rp_vk_outside outside = outside_of(shared, shared->dedicated != 0);
  outside.fd = fcntl(shared->fd, F_DUPFD_CLOEXEC, 3);
  if (outside.fd < 0) return rp_fail(err, RP_ERR_ARGUMENT, "descriptor %d: %s", (int)shared->fd, strerror(errno));
  status = rp_vk_memory_outside(vk, &outside, shared->offset_bytes, shared->size_bytes, memory, err);
  /* Mesa's software driver (22.3) closes the descriptor if it refuses it; its number may be another one's by now. */
  const bool closed = outside.offered && vk->is_software;
  if (status != RP_OK && !closed) (void)close(outside.fd); /* nothing has been written through it */
  return status;
}
