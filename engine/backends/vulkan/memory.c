/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Device memory, staging, the caller's buffers, and synchronous copies. Drivers allow few allocations (only 4096 are
 * guaranteed), so small blocks share one.
 */
#include "state.h"

#include <string.h>

enum { ALIGN = 256, SHARED_BYTES = 16 << 20, SMALL_BYTES = 2 << 20, TRANSFER_BYTES = 8 << 20 };

/* The first allowed memory type with all flags of `must`, preferably with all of `want` and none of `avoid`. */
static uint32_t find_type(const rp_vk *vk, uint32_t allowed, uint32_t must, uint32_t want, uint32_t avoid) {
  uint32_t found = UINT32_MAX, found_score = 0;
  for (uint32_t i = 0; i < vk->memory_types.memoryTypeCount; i++) {
    const uint32_t flags = vk->memory_types.memoryTypes[i].propertyFlags;
    if (!(allowed >> i & 1) || (flags & must) != must) continue;
    const uint32_t score = 1 + 2 * ((flags & want) == want) + !(flags & avoid);
    if (score > found_score) found = i, found_score = score;
  }
  return found;
}

static uint32_t type_for(const rp_vk *vk, rp_memory_kind kind, uint32_t allowed) {
  const uint32_t host = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
  switch (kind) {
  case RP_MEMORY_STAGING_UP: return find_type(vk, allowed, host, 0, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT);
  case RP_MEMORY_STAGING_DOWN:
    return find_type(vk, allowed, host, VK_MEMORY_PROPERTY_HOST_CACHED_BIT, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT);
  default: return find_type(vk, allowed, 0, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT, VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT);
  }
}

/* ---- Chunks ------------------------------------------------------------------------------------------------------ */

static void destroy_chunk(rp_vk *vk, rp_vk_chunk *chunk) {
  vk->fn.vkDestroyBuffer(vk->device, chunk->buffer, NULL);
  vk->fn.vkFreeMemory(vk->device, chunk->memory, NULL);
  rp_host_free(vk->context, chunk, sizeof *chunk);
}

/* Both queue families share the buffers, without transfers of ownership: a buffer has no layout or compression that
 * sharing could cost, small blocks lie in one buffer, and what an upload overwrites need not be preserved. */
static rp_status create_buffer(rp_vk *vk, rp_vk_chunk *c, const void *next, rp_error *err) {
  const uint32_t families[2] = {vk->family, vk->upload_family};
  const bool is_shared = vk->upload_queue != VK_NULL_HANDLE;
  const VkBufferCreateInfo buffer = {
      .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
      .pNext = next,
      .size = c->bytes,
      .sharingMode = is_shared ? VK_SHARING_MODE_CONCURRENT : VK_SHARING_MODE_EXCLUSIVE,
      .queueFamilyIndexCount = is_shared ? 2 : 0,
      .pQueueFamilyIndices = families,
      .usage =
          RP_VK_BUFFER_USAGE |
          (c->kind == RP_MEMORY_STAGING_UP && vk->has_conditions ? VK_BUFFER_USAGE_CONDITIONAL_RENDERING_BIT_EXT : 0)};
  return RP_VK(vk, err, vkCreateBuffer, vk->device, &buffer, NULL, &c->buffer);
}

/* The allocation for the chunk's buffer; `outside` changes it for memory that is shared with other programs. */
static rp_status allocate(rp_vk *vk, rp_vk_chunk *c, rp_vk_outside *outside, rp_error *err) {
  VkMemoryRequirements needs;
  vk->fn.vkGetBufferMemoryRequirements(vk->device, c->buffer, &needs);
  VkMemoryAllocateFlagsInfo flags = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
                                     .flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT};
  VkMemoryAllocateInfo allocate = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                   .pNext = &flags,
                                   .allocationSize = needs.size,
                                   .memoryTypeIndex = type_for(vk, c->kind, needs.memoryTypeBits)};
  if (allocate.memoryTypeIndex == UINT32_MAX)
    return rp_fail(err, RP_ERR_UNSUPPORTED, "the Vulkan driver has no memory for buffers that the host can use");
  rp_status status = outside ? rp_vk_outside_check(outside, &needs, err) : RP_OK;
  if (status != RP_OK) return status;
  if (outside) flags.pNext = rp_vk_outside_chain(outside, c->buffer, &allocate);
  return RP_VK(vk, err, vkAllocateMemory, vk->device, &allocate, NULL, &c->memory);
}

static rp_status fill_chunk(rp_vk *vk, rp_vk_chunk *c, rp_vk_outside *outside, rp_error *err) {
  rp_status status = create_buffer(vk, c, outside ? &outside->buffer : NULL, err);
  if (status == RP_OK) status = allocate(vk, c, outside, err);
  if (status == RP_OK) status = RP_VK(vk, err, vkBindBufferMemory, vk->device, c->buffer, c->memory, 0);
  void *host = NULL;
  if (status == RP_OK && c->kind != RP_MEMORY_DEVICE)
    status = RP_VK(vk, err, vkMapMemory, vk->device, c->memory, 0, VK_WHOLE_SIZE, 0, &host);
  if (status != RP_OK) return status;
  c->host = host;
  const VkBufferDeviceAddressInfo address = {.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
                                             .buffer = c->buffer};
  c->address = vk->fn.vkGetBufferDeviceAddress(vk->device, &address);
  return RP_OK;
}

static rp_status create_chunk(rp_vk *vk, rp_memory_kind kind, uint64_t bytes, rp_vk_outside *outside,
                              rp_vk_chunk **chunk, rp_error *err) {
  rp_vk_chunk *c = rp_host_alloc(vk->context, sizeof *c, _Alignof(rp_vk_chunk));
  if (!c) return rp_fail(err, RP_ERR_MEMORY, "out of host memory for a block of device memory");
  *c = (rp_vk_chunk){.kind = kind, .bytes = bytes};
  rp_status status = fill_chunk(vk, c, outside, err);
  if (status != RP_OK) {
    destroy_chunk(vk, c);
    return status;
  }
  *chunk = c;
  return RP_OK;
}

/* Called with vk->lock held. */
static rp_status take(rp_vk *vk, rp_memory_kind kind, uint64_t bytes, rp_vk_block *block, rp_error *err) {
  const uint64_t rounded = (bytes + ALIGN - 1) / ALIGN * ALIGN;
  rp_vk_chunk *c = rounded <= SMALL_BYTES ? vk->chunks : NULL;
  while (c && (c->kind != kind || c->bytes - c->used < rounded)) c = c->next;
  if (!c) {
    rp_status status = create_chunk(vk, kind, rounded <= SMALL_BYTES ? SHARED_BYTES : rounded, NULL, &c, err);
    if (status != RP_OK) return status;
    c->next = vk->chunks;
    vk->chunks = c;
  }
  *block = (rp_vk_block){.chunk = c, .buffer = c->buffer, .offset = c->used};
  c->used += rounded;
  c->users++;
  return RP_OK;
}

static void give_back(rp_vk *vk, rp_vk_chunk *chunk) {
  if (--chunk->users) return;
  chunk->used = 0;
  rp_vk_chunk **at = &vk->chunks;
  while (*at != chunk) at = &(*at)->next;
  *at = chunk->next;
  destroy_chunk(vk, chunk);
}

/* ---- Blocks ------------------------------------------------------------------------------------------------------ */

static rp_status new_block(rp_vk *vk, rp_memory *memory, rp_vk_block **block, rp_error *err) {
  memset(memory, 0, sizeof *memory);
  *block = rp_host_alloc(vk->context, sizeof **block, _Alignof(rp_vk_block));
  return *block ? RP_OK : rp_fail(err, RP_ERR_MEMORY, "out of host memory for a block of device memory");
}

rp_status rp_vk_memory_alloc(void *state, rp_memory_kind kind, uint64_t bytes, rp_memory *memory, rp_error *err) {
  rp_vk *vk = state;
  rp_vk_block *block;
  rp_status status = rp_vk_enter(vk, err);
  if (status == RP_OK && bytes > vk->max_allocation_bytes)
    status = rp_fail(err, RP_ERR_DEVICE_MEMORY,
                     "%llu bytes are needed in one allocation, and this device allows at most %llu",
                     (unsigned long long)bytes, (unsigned long long)vk->max_allocation_bytes);
  if (status == RP_OK) status = new_block(vk, memory, &block, err);
  if (status != RP_OK) return status;
  pthread_mutex_lock(&vk->lock);
  status = take(vk, kind, bytes, block, err);
  pthread_mutex_unlock(&vk->lock);
  if (status != RP_OK) {
    rp_host_free(vk->context, block, sizeof *block);
    return status;
  }
  memory->native = block;
  memory->bytes = bytes;
  memory->address = block->chunk->address + block->offset;
  if (block->chunk->host) memory->host = block->chunk->host + block->offset;
  return RP_OK;
}

void rp_vk_memory_free(void *state, rp_memory *memory) {
  rp_vk *vk = state;
  rp_vk_block *block = memory->native;
  if (!block) return;
  if (block->chunk) {
    pthread_mutex_lock(&vk->lock);
    give_back(vk, block->chunk);
    pthread_mutex_unlock(&vk->lock);
  }
  rp_host_free(vk->context, block, sizeof *block);
  memset(memory, 0, sizeof *memory);
}

rp_status rp_vk_memory_wrap(void *state, void *native, uint64_t bytes, rp_memory *memory, rp_error *err) {
  rp_vk *vk = state;
  rp_vk_block *block;
  rp_status status = new_block(vk, memory, &block, err);
  if (status != RP_OK) return status;
  const VkBuffer buffer = (VkBuffer)native;
  const VkBufferDeviceAddressInfo address = {.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO, .buffer = buffer};
  *block = (rp_vk_block){.buffer = buffer};
  *memory =
      (rp_memory){.address = vk->fn.vkGetBufferDeviceAddress(vk->device, &address), .bytes = bytes, .native = block};
  return RP_OK;
}

/* The chunk is full from the beginning, so that no block of the library's is ever put into it. */
rp_status rp_vk_memory_outside(rp_vk *vk, rp_vk_outside *outside, uint64_t offset, uint64_t bytes, rp_memory *memory,
                               rp_error *err) {
  rp_vk_block *block;
  rp_vk_chunk *c = NULL;
  rp_status status = new_block(vk, memory, &block, err);
  if (status != RP_OK) return status;
  status = create_chunk(vk, RP_MEMORY_DEVICE, offset + bytes, outside, &c, err);
  if (status != RP_OK) {
    rp_host_free(vk->context, block, sizeof *block);
    return status;
  }
  c->used = c->bytes;
  c->users = 1;
  pthread_mutex_lock(&vk->lock);
  c->next = vk->chunks;
  vk->chunks = c;
  pthread_mutex_unlock(&vk->lock);
  *block = (rp_vk_block){.chunk = c, .buffer = c->buffer, .offset = offset};
  *memory = (rp_memory){.address = c->address + offset, .bytes = bytes, .native = block};
  return RP_OK;
}

void rp_vk_memory_unwrap(void *state, rp_memory *memory) { rp_vk_memory_free(state, memory); }

/* ---- Synchronous copies ------------------------------------------------------------------------------------------ */

rp_status rp_vk_transfer_open(rp_vk *vk, rp_error *err) {
  const VkCommandPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                        .flags = VK_COMMAND_POOL_CREATE_TRANSIENT_BIT,
                                        .queueFamilyIndex = vk->family};
  rp_status status = RP_VK(vk, err, vkCreateCommandPool, vk->device, &pool, NULL, &vk->transfer_pool);
  if (status != RP_OK) return status;
  const VkCommandBufferAllocateInfo commands = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                                .commandPool = vk->transfer_pool,
                                                .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                                .commandBufferCount = 1};
  status = RP_VK(vk, err, vkAllocateCommandBuffers, vk->device, &commands, &vk->transfer_commands);
  if (status == RP_OK) status = rp_vk_create_timeline(vk, &vk->transfer_done, err);
  if (status == RP_OK) status = rp_vk_memory_alloc(vk, RP_MEMORY_STAGING_DOWN, TRANSFER_BYTES, &vk->transfer, err);
  return status;
}

void rp_vk_transfer_close(rp_vk *vk) {
  /* After a failure, a copy may still be running. */
  const rp_status ended =
      vk->transfer_value ? rp_vk_wait_for(vk, vk->transfer_done, vk->transfer_value, UINT64_MAX, NULL) : RP_OK;
  (void)ended;
  rp_vk_memory_free(vk, &vk->transfer);
  rp_vk_destroy_timeline(vk, vk->transfer_done);
  vk->fn.vkDestroyCommandPool(vk->device, vk->transfer_pool, NULL);
}

/* One copy between a block of staging, from `at` on, and `memory`: records, submits and waits. */
static rp_status transfer(rp_vk *vk, const rp_memory *memory, uint64_t offset, const rp_memory *host, uint64_t at,
                          uint64_t bytes, bool up, rp_error *err) {
  const rp_vk_block *device = rp_vk_block_of(memory), *staging = rp_vk_block_of(host);
  const VkCommandBuffer c = vk->transfer_commands;
  const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                          .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT};
  rp_status status = RP_VK(vk, err, vkResetCommandPool, vk->device, vk->transfer_pool, 0);
  if (status == RP_OK) status = RP_VK(vk, err, vkBeginCommandBuffer, c, &begin);
  if (status != RP_OK) return status;
  const VkBufferCopy copy = {.srcOffset = up ? staging->offset + at : device->offset + offset,
                             .dstOffset = up ? device->offset + offset : staging->offset + at,
                             .size = bytes};
  const VkMemoryBarrier after = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                 .srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
                                 .dstAccessMask = up ? VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT
                                                     : VK_ACCESS_HOST_READ_BIT};
  vk->fn.vkCmdCopyBuffer(c, up ? staging->buffer : device->buffer, up ? device->buffer : staging->buffer, 1, &copy);
  vk->fn.vkCmdPipelineBarrier(c, VK_PIPELINE_STAGE_TRANSFER_BIT,
                              up ? VK_PIPELINE_STAGE_ALL_COMMANDS_BIT : VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &after, 0,
                              NULL, 0, NULL);
  status = RP_VK(vk, err, vkEndCommandBuffer, c);
  if (status != RP_OK) return status;
  const uint64_t value = vk->transfer_value + 1;
  const VkTimelineSemaphoreSubmitInfo timeline = {.sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
                                                  .signalSemaphoreValueCount = 1,
                                                  .pSignalSemaphoreValues = &value};
  const VkSubmitInfo submit = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                               .pNext = &timeline,
                               .commandBufferCount = 1,
                               .pCommandBuffers = &c,
                               .signalSemaphoreCount = 1,
                               .pSignalSemaphores = &vk->transfer_done};
  rp_vk_lock_queue(vk, vk->queue);
  status = RP_VK(vk, err, vkQueueSubmit, vk->queue, 1, &submit, VK_NULL_HANDLE);
  rp_vk_unlock_queue(vk, vk->queue);
  if (status != RP_OK) return status;
  vk->transfer_value = value;
  return rp_vk_wait_for(vk, vk->transfer_done, value, UINT64_MAX, err);
}

rp_status rp_vk_memory_write(void *state, rp_memory *memory, uint64_t offset, const void *data, uint64_t bytes,
                             rp_error *err) {
  rp_vk *vk = state;
  rp_status status = rp_vk_enter(vk, err);
  pthread_mutex_lock(&vk->transfer_lock);
  for (uint64_t at = 0; status == RP_OK && at < bytes; at += TRANSFER_BYTES) {
    const uint64_t part = bytes - at < TRANSFER_BYTES ? bytes - at : TRANSFER_BYTES;
    memcpy(vk->transfer.host, (const char *)data + at, part);
    status = transfer(vk, memory, offset + at, &vk->transfer, 0, part, 1, err);
  }
  pthread_mutex_unlock(&vk->transfer_lock);
  return status;
}

/* The threads of a ring take turns here, and read their next pieces meanwhile. */
rp_status rp_vk_memory_send(void *state, rp_memory *memory, uint64_t offset, const rp_memory *staging,
                            uint64_t staging_offset, uint64_t bytes, rp_error *err) {
  rp_vk *vk = state;
  rp_status status = rp_vk_enter(vk, err);
  pthread_mutex_lock(&vk->transfer_lock);
  if (status == RP_OK) status = transfer(vk, memory, offset, staging, staging_offset, bytes, 1, err);
  pthread_mutex_unlock(&vk->transfer_lock);
  return status;
}

rp_status rp_vk_memory_read(void *state, const rp_memory *memory, uint64_t offset, void *data, uint64_t bytes,
                            rp_error *err) {
  rp_vk *vk = state;
  rp_status status = rp_vk_enter(vk, err);
  pthread_mutex_lock(&vk->transfer_lock);
  for (uint64_t at = 0; status == RP_OK && at < bytes; at += TRANSFER_BYTES) {
    const uint64_t part = bytes - at < TRANSFER_BYTES ? bytes - at : TRANSFER_BYTES;
    status = transfer(vk, memory, offset + at, &vk->transfer, 0, part, 0, err);
    if (status == RP_OK) memcpy((char *)data + at, vk->transfer.host, part);
  }
  pthread_mutex_unlock(&vk->transfer_lock);
  return status;
}
