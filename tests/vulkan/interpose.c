/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "interpose.h"

#include "device.h"

#include <string.h>

interposed interpose;
static rp_vk_functions real;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* pipelines are compiled by several threads */

/* Counts a call. Returns the error with which it is to fail, or VK_SUCCESS. */
static VkResult meet(enum interposed_call call) {
  pthread_mutex_lock(&lock);
  interpose.calls[call]++;
  int fails = 0;
  if (interpose.fail_call == (int)call) {
    fails = !--interpose.fail_in;
    if (fails && interpose.fail_again)
      interpose.fail_again--, interpose.fail_in = 1;
    else if (fails)
      interpose.fail_call = -1;
  }
  pthread_mutex_unlock(&lock);
  return fails ? interpose.fail_result : VK_SUCCESS;
}

#define PASS(name, ...)                       \
  const VkResult verdict = meet(CALL_##name); \
  return verdict ? verdict : real.name(__VA_ARGS__)

static VkResult allocate(VkDevice d, const VkMemoryAllocateInfo *i, const VkAllocationCallbacks *a, VkDeviceMemory *o) {
  PASS(vkAllocateMemory, d, i, a, o);
}
static VkResult map(VkDevice d, VkDeviceMemory m, VkDeviceSize at, VkDeviceSize n, VkMemoryMapFlags f, void **o) {
  PASS(vkMapMemory, d, m, at, n, f, o);
}
static VkResult create_buffer(VkDevice d, const VkBufferCreateInfo *i, const VkAllocationCallbacks *a, VkBuffer *o) {
  PASS(vkCreateBuffer, d, i, a, o);
}
static VkResult bind(VkDevice d, VkBuffer b, VkDeviceMemory m, VkDeviceSize at) {
  PASS(vkBindBufferMemory, d, b, m, at);
}
static VkResult module(VkDevice d, const VkShaderModuleCreateInfo *i, const VkAllocationCallbacks *a,
                       VkShaderModule *o) {
  PASS(vkCreateShaderModule, d, i, a, o);
}
static VkResult pipelines(VkDevice d, VkPipelineCache c, uint32_t n, const VkComputePipelineCreateInfo *i,
                          const VkAllocationCallbacks *a, VkPipeline *o) {
  if (interpose.compiling) interpose.compiling();
  PASS(vkCreateComputePipelines, d, c, n, i, a, o);
}
static VkResult layout(VkDevice d, const VkPipelineLayoutCreateInfo *i, const VkAllocationCallbacks *a,
                       VkPipelineLayout *o) {
  PASS(vkCreatePipelineLayout, d, i, a, o);
}
static VkResult cache(VkDevice d, const VkPipelineCacheCreateInfo *i, const VkAllocationCallbacks *a,
                      VkPipelineCache *o) {
  PASS(vkCreatePipelineCache, d, i, a, o);
}
static VkResult pool(VkDevice d, const VkCommandPoolCreateInfo *i, const VkAllocationCallbacks *a, VkCommandPool *o) {
  PASS(vkCreateCommandPool, d, i, a, o);
}
static VkResult commands(VkDevice d, const VkCommandBufferAllocateInfo *i, VkCommandBuffer *o) {
  PASS(vkAllocateCommandBuffers, d, i, o);
}
static VkResult reset(VkDevice d, VkCommandPool p, VkCommandPoolResetFlags f) { PASS(vkResetCommandPool, d, p, f); }
static VkResult begin(VkCommandBuffer c, const VkCommandBufferBeginInfo *i) { PASS(vkBeginCommandBuffer, c, i); }
static VkResult end(VkCommandBuffer c) { PASS(vkEndCommandBuffer, c); }
static VkResult semaphore(VkDevice d, const VkSemaphoreCreateInfo *i, const VkAllocationCallbacks *a, VkSemaphore *o) {
  PASS(vkCreateSemaphore, d, i, a, o);
}
static VkResult queries(VkDevice d, const VkQueryPoolCreateInfo *i, const VkAllocationCallbacks *a, VkQueryPool *o) {
  PASS(vkCreateQueryPool, d, i, a, o);
}
static VkResult submit(VkQueue q, uint32_t n, const VkSubmitInfo *i, VkFence f) {
  interpose.first_waits = i[0].waitSemaphoreCount;
  interpose.last_wait = interpose.first_waits ? i[0].pWaitSemaphores[interpose.first_waits - 1] : VK_NULL_HANDLE;
  interpose.batches = n;
  interpose.first_signals = i[0].signalSemaphoreCount;
  interpose.waiting = 0;
  for (uint32_t k = 0; k < n; k++) interpose.waiting += i[k].waitSemaphoreCount > 0;
  PASS(vkQueueSubmit, q, n, i, f);
}
/* Waits even if the call is to fail: a lost device has ended its work, so that its objects may be destroyed. */
static VkResult wait(VkDevice d, const VkSemaphoreWaitInfo *i, uint64_t timeout) {
  const VkResult result = real.vkWaitSemaphores(d, i, timeout), verdict = meet(CALL_vkWaitSemaphores);
  return verdict ? verdict : result;
}

static VkResult results(VkDevice d, VkQueryPool p, uint32_t first, uint32_t n, size_t bytes, void *data,
                        VkDeviceSize stride, VkQueryResultFlags flags) {
  const VkResult verdict = meet(CALL_vkGetQueryPoolResults);
  if (verdict) return verdict;
  const VkResult result = real.vkGetQueryPoolResults(d, p, first, n, bytes, data, stride, flags);
  if (interpose.stamps) interpose.stamps(first, n, data);
  return result;
}

static void record(recorded_kind kind) {
  interpose.recordings++;
  if (interpose.n_recorded < MAX_RECORDED) interpose.recorded[interpose.n_recorded++] = kind;
}

static void barrier(VkCommandBuffer c, VkPipelineStageFlags from, VkPipelineStageFlags to, VkDependencyFlags f,
                    uint32_t n, const VkMemoryBarrier *m, uint32_t nb, const VkBufferMemoryBarrier *b, uint32_t ni,
                    const VkImageMemoryBarrier *i) {
  if ((int64_t)interpose.n_barriers++ == interpose.drop_barrier) return;
  record(to & VK_PIPELINE_STAGE_HOST_BIT ? RECORDED_TO_HOST : RECORDED_BARRIER);
  real.vkCmdPipelineBarrier(c, from, to, f, n, m, nb, b, ni, i);
}
static void dispatch(VkCommandBuffer c, uint32_t x, uint32_t y, uint32_t z) {
  record(RECORDED_DISPATCH);
  real.vkCmdDispatch(c, x, y, z);
}
static void copy(VkCommandBuffer c, VkBuffer from, VkBuffer to, uint32_t n, const VkBufferCopy *regions) {
  record(RECORDED_COPY);
  real.vkCmdCopyBuffer(c, from, to, n, regions);
}
static void fill(VkCommandBuffer c, VkBuffer b, VkDeviceSize at, VkDeviceSize n, uint32_t word) {
  record(RECORDED_FILL);
  real.vkCmdFillBuffer(c, b, at, n, word);
}

void interpose_reset(void) {
  memset(&interpose, 0, sizeof interpose);
  interpose.fail_call = -1;
  interpose.drop_barrier = -1;
}

void interpose_begin(rp_device *device) {
  interpose_reset();
  interpose_into(&((rp_vk *)device->state)->fn);
}

void interpose_into(rp_vk_functions *fn) {
  if (fn->vkQueueSubmit != submit) real = *fn;
  fn->vkCreatePipelineLayout = layout;
  fn->vkCreatePipelineCache = cache;
  fn->vkAllocateMemory = allocate;
  fn->vkMapMemory = map;
  fn->vkCreateBuffer = create_buffer;
  fn->vkBindBufferMemory = bind;
  fn->vkCreateShaderModule = module;
  fn->vkCreateComputePipelines = pipelines;
  fn->vkCreateCommandPool = pool;
  fn->vkAllocateCommandBuffers = commands;
  fn->vkResetCommandPool = reset;
  fn->vkBeginCommandBuffer = begin;
  fn->vkEndCommandBuffer = end;
  fn->vkCreateSemaphore = semaphore;
  fn->vkCreateQueryPool = queries;
  fn->vkQueueSubmit = submit;
  fn->vkWaitSemaphores = wait;
  fn->vkGetQueryPoolResults = results;
  fn->vkCmdPipelineBarrier = barrier;
  fn->vkCmdDispatch = dispatch;
  fn->vkCmdCopyBuffer = copy;
  fn->vkCmdFillBuffer = fill;
}
