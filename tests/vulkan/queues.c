/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "queues.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

enum { MAX_SEMAPHORES = 1024 };
enum { NOTHING, BARRIER, COPY, DISPATCH }; /* commands */

queues queues_seen;
static rp_vk_functions real;
static VkQueue driver;
static uint32_t n_queues;
static char handles[RP_VK_MOST_LANES]; /* their addresses are the queues */
static struct {
  VkSubmitInfo batches[MAX_PENDING];
  uint32_t n;
} pending[RP_VK_MOST_LANES];
static struct {
  VkSemaphore semaphore;
  uint64_t value; /* that it has reached, or will reach after what the driver has */
} known[MAX_SEMAPHORES];
static uint32_t n_known;
static struct {
  VkCommandBuffer commands;
  int first; /* what it begins with */
} buffers[MAX_SEEN];
static uint32_t n_buffers;

static uint32_t buffer_of(VkCommandBuffer commands) {
  uint32_t i = 0;
  while (i < n_buffers && buffers[i].commands != commands) i++;
  if (i < n_buffers) return i;
  assert_true(n_buffers < MAX_SEEN);
  buffers[n_buffers].commands = commands;
  return n_buffers++;
}

static void add_command(VkCommandBuffer commands, int kind) {
  const uint32_t i = buffer_of(commands);
  if (buffers[i].first == NOTHING) buffers[i].first = kind;
}

static VkResult begin(VkCommandBuffer c, const VkCommandBufferBeginInfo *info) {
  buffers[buffer_of(c)].first = NOTHING;
  return real.vkBeginCommandBuffer(c, info);
}

static void dispatch(VkCommandBuffer c, uint32_t x, uint32_t y, uint32_t z) {
  add_command(c, DISPATCH);
  real.vkCmdDispatch(c, x, y, z);
}

static void copy(VkCommandBuffer c, VkBuffer from, VkBuffer to, uint32_t n, const VkBufferCopy *regions) {
  add_command(c, COPY);
  real.vkCmdCopyBuffer(c, from, to, n, regions);
}

static void barrier(VkCommandBuffer c, VkPipelineStageFlags from, VkPipelineStageFlags to, VkDependencyFlags flags,
                    uint32_t n, const VkMemoryBarrier *barriers, uint32_t n_buffer, const VkBufferMemoryBarrier *buffer,
                    uint32_t n_image, const VkImageMemoryBarrier *image) {
  if (n == 1 && barriers->dstAccessMask & VK_ACCESS_SHADER_READ_BIT) add_command(c, BARRIER);
  real.vkCmdPipelineBarrier(c, from, to, flags, n, barriers, n_buffer, buffer, n_image, image);
}

static uint64_t *value_of(VkSemaphore semaphore) {
  uint32_t i = 0;
  while (i < n_known && known[i].semaphore != semaphore) i++;
  if (i == n_known) {
    assert_true(n_known < MAX_SEMAPHORES);
    known[n_known].semaphore = semaphore, known[n_known++].value = 0;
  }
  return &known[i].value;
}

static bool may_begin(const VkSubmitInfo *batch) {
  const VkTimelineSemaphoreSubmitInfo *timeline = batch->pNext;
  for (uint32_t i = 0; i < batch->waitSemaphoreCount; i++)
    if (*value_of(batch->pWaitSemaphores[i]) < timeline->pWaitSemaphoreValues[i]) return false;
  return true;
}

static VkResult execute(const VkSubmitInfo *batch) {
  const VkTimelineSemaphoreSubmitInfo *timeline = batch->pNext;
  for (uint32_t i = 0; i < batch->signalSemaphoreCount; i++) {
    uint64_t *value = value_of(batch->pSignalSemaphores[i]);
    if (*value >= timeline->pSignalSemaphoreValues[i]) fail_msg("a semaphore would not rise");
    *value = timeline->pSignalSemaphoreValues[i];
  }
  for (uint32_t i = 0; i < batch->commandBufferCount; i++) {
    assert_true(queues_seen.n_executed < MAX_SEEN);
    queues_seen.executed[queues_seen.n_executed++] = batch->pCommandBuffers[i];
    if (i == 0 && batch->waitSemaphoreCount && buffers[buffer_of(batch->pCommandBuffers[i])].first == DISPATCH)
      fail_msg("a batch waits, and no barrier stands before its first dispatch");
  }
  return real.vkQueueSubmit(driver, 1, batch, VK_NULL_HANDLE);
}

/* Gives the driver one batch that may begin; *any: there was one. */
static VkResult step(bool *any) {
  uint32_t ready[RP_VK_MOST_LANES], n_ready = 0;
  for (uint32_t q = 0; q < n_queues; q++)
    if (pending[q].n && may_begin(&pending[q].batches[0])) ready[n_ready++] = q;
  *any = n_ready > 0;
  if (n_ready == 0) return VK_SUCCESS;
  queues_seen.seed = queues_seen.seed * UINT64_C(6364136223846793005) + 1442695040888963407;
  const uint32_t q = ready[(queues_seen.seed >> 33) % n_ready];
  const VkSubmitInfo batch = pending[q].batches[0];
  memmove(pending[q].batches, pending[q].batches + 1, --pending[q].n * sizeof batch);
  return execute(&batch);
}

static VkResult drain(void) {
  bool any = !queues_seen.holds;
  VkResult result = VK_SUCCESS;
  while (any && result == VK_SUCCESS) result = step(&any);
  return result;
}

bool queues_step(void) {
  bool any;
  assert_int_equal(step(&any), VK_SUCCESS);
  assert_int_equal(real.vkQueueWaitIdle(driver), VK_SUCCESS);
  return any;
}

static uint32_t index_of(VkQueue queue) {
  for (uint32_t q = 1; q < n_queues; q++)
    if (queue == (VkQueue)(void *)&handles[q]) return q;
  assert_ptr_equal(queue, driver);
  return 0;
}

static VkResult submit(VkQueue queue, uint32_t n, const VkSubmitInfo *batches, VkFence fence) {
  const uint32_t q = index_of(queue);
  (void)fence;
  if (++queues_seen.calls == queues_seen.fail_in) return VK_ERROR_OUT_OF_DEVICE_MEMORY;
  assert_true(pending[q].n + n <= MAX_PENDING);
  memcpy(pending[q].batches + pending[q].n, batches, n * sizeof *batches);
  pending[q].n += n;
  return q == 0 ? drain() : VK_SUCCESS;
}

static VkResult signal_now(VkDevice device, const VkSemaphoreSignalInfo *info) {
  *value_of(info->semaphore) = info->value;
  const VkResult result = real.vkSignalSemaphore(device, info);
  return result == VK_SUCCESS ? drain() : result;
}

static VkResult wait(VkDevice device, const VkSemaphoreWaitInfo *info, uint64_t timeout) {
  if (timeout == UINT64_MAX && *value_of(info->pSemaphores[0]) < info->pValues[0])
    fail_msg("the host would wait for ever");
  return real.vkWaitSemaphores(device, info, timeout);
}

void queues_begin(rp_vk *vk, uint32_t n, uint64_t seed) {
  queues_seen = (queues){.seed = seed};
  real = vk->fn;
  driver = vk->queue;
  n_queues = vk->n_queues = vk->n_lanes = n;
  n_known = n_buffers = 0;
  *value_of(vk->transfer_done) = vk->transfer_value;
  memset(pending, 0, sizeof pending);
  for (uint32_t q = 1; q < n; q++) vk->queues[q] = (VkQueue)(void *)&handles[q];
  vk->forces_lanes = true;
  vk->hop_ns = 0; /* small steps go to other lanes, too */
  vk->fn.vkBeginCommandBuffer = begin;
  vk->fn.vkCmdDispatch = dispatch;
  vk->fn.vkCmdCopyBuffer = copy;
  vk->fn.vkCmdPipelineBarrier = barrier;
  vk->fn.vkQueueSubmit = submit;
  vk->fn.vkSignalSemaphore = signal_now;
  vk->fn.vkWaitSemaphores = wait;
}

void queues_end(rp_vk *vk) {
  for (uint32_t q = 0; q < n_queues; q++) assert_int_equal(pending[q].n, 0);
  vk->fn.vkBeginCommandBuffer = real.vkBeginCommandBuffer;
  vk->fn.vkCmdDispatch = real.vkCmdDispatch;
  vk->fn.vkCmdCopyBuffer = real.vkCmdCopyBuffer;
  vk->fn.vkCmdPipelineBarrier = real.vkCmdPipelineBarrier;
  vk->fn.vkQueueSubmit = real.vkQueueSubmit;
  vk->fn.vkSignalSemaphore = real.vkSignalSemaphore;
  vk->fn.vkWaitSemaphores = real.vkWaitSemaphores;
  vk->n_queues = vk->n_lanes = 1;
  vk->forces_lanes = false;
}
