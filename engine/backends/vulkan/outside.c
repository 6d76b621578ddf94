/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The allocation of memory that is imported or to be shared (rp_vk_outside).
 */
#include "state.h"

rp_status rp_vk_outside_check(const rp_vk_outside *o, const VkMemoryRequirements *needs, rp_error *err) {
  const rp_shared_memory *m = o->imported;
  if (!m) return RP_OK;
  if (m->memory_type >= 32 || !(needs->memoryTypeBits >> m->memory_type & 1))
    return rp_fail(err, RP_ERR_ARGUMENT, "memory of type %u cannot hold buffers of this Vulkan device", m->memory_type);
  if (m->memory_bytes < needs->size)
    return rp_fail(err, RP_ERR_ARGUMENT,
                   "a Vulkan buffer of these sizes needs %llu bytes of memory, and there are %llu",
                   (unsigned long long)needs->size, (unsigned long long)m->memory_bytes);
  return RP_OK;
}

const void *rp_vk_outside_chain(rp_vk_outside *o, VkBuffer buffer, VkMemoryAllocateInfo *allocate) {
  o->alone =
      (VkMemoryDedicatedAllocateInfo){.sType = VK_STRUCTURE_TYPE_MEMORY_DEDICATED_ALLOCATE_INFO, .buffer = buffer};
  const void *rest = o->dedicated ? &o->alone : NULL;
  if (o->imported) {
    allocate->allocationSize = o->imported->memory_bytes;
    allocate->memoryTypeIndex = o->imported->memory_type;
  }
  o->offered = 1;
  o->memory_bytes = allocate->allocationSize;
  o->memory_type = allocate->memoryTypeIndex;
  o->export = (VkExportMemoryAllocateInfo){
      .sType = VK_STRUCTURE_TYPE_EXPORT_MEMORY_ALLOCATE_INFO, .pNext = rest, .handleTypes = RP_VK_OPAQUE};
  o->import = (VkImportMemoryFdInfoKHR){.sType = VK_STRUCTURE_TYPE_IMPORT_MEMORY_FD_INFO_KHR,
                                        .pNext = rest,
                                        .handleType = (VkExternalMemoryHandleTypeFlagBits)RP_VK_OPAQUE,
                                        .fd = o->fd};
  return o->imported ? (const void *)&o->import : &o->export;
}
