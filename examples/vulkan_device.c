/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * A program with a VkDevice of its own. Its queue fills a buffer, a recording doubles it, and the queue copies the
 * result to memory that the host sees: three pieces of work that wait for each other by one timeline semaphore, and one
 * wait of the host at the end. Prints 6 6 6 6 (every 32-bit half of an element was filled with 3). */

#include <reprise/host_program.h>
#include <reprise/ops.h>
#include <reprise/page.h>
#include <pthread.h>
#include <stdio.h>
#include <vulkan/vulkan.h>

enum { N = 1024, BYTES = 8 * N };

typedef struct program {
  VkInstance instance;
  VkPhysicalDevice adapter;
  VkDevice device;
  VkQueue queue;
  uint32_t family;
  VkSemaphore timeline;
  VkCommandPool pool;
  VkCommandBuffer fill, copy;
  VkBuffer buffers[2]; /* on the device: the recording's input and output; seen by the host */
  VkDeviceMemory memory[2];
  const uint32_t *result;
  pthread_mutex_t queue_lock; /* held while the queue is used, by the library too */
} program;

static void lock(void *user, void *queue) { (void)queue, pthread_mutex_lock(user); }
static void unlock(void *user, void *queue) { (void)queue, pthread_mutex_unlock(user); }

#define MUST(call)                                                          \
  if ((call) != VK_SUCCESS) {                                               \
    fprintf(stderr, "SKIP: this machine's Vulkan does not do %s\n", #call); \
    return false;                                                           \
  }

static bool find_family(program *p) {
  VkQueueFamilyProperties families[16];
  uint32_t n = 16;
  vkGetPhysicalDeviceQueueFamilyProperties(p->adapter, &n, families);
  for (p->family = 0; p->family < n; p->family++)
    if (families[p->family].queueFlags & VK_QUEUE_COMPUTE_BIT) return true;
  return false;
}

static bool make_buffer(program *p, int i, VkMemoryPropertyFlags wanted) {
  const VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                   .size = i == 0 ? 2 * BYTES : BYTES,
                                   .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
                                            VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT |
                                            VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT};
  MUST(vkCreateBuffer(p->device, &info, NULL, &p->buffers[i]))
  VkMemoryRequirements needs;
  VkPhysicalDeviceMemoryProperties types;
  vkGetBufferMemoryRequirements(p->device, p->buffers[i], &needs);
  vkGetPhysicalDeviceMemoryProperties(p->adapter, &types);
  uint32_t type = 0;
  while (type + 1 < types.memoryTypeCount &&
         (!(needs.memoryTypeBits >> type & 1) || (types.memoryTypes[type].propertyFlags & wanted) != wanted))
    type++;
  const VkMemoryAllocateFlagsInfo flags = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
                                           .flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT};
  const VkMemoryAllocateInfo allocate = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                         .pNext = &flags,
                                         .allocationSize = needs.size,
                                         .memoryTypeIndex = type};
  MUST(vkAllocateMemory(p->device, &allocate, NULL, &p->memory[i]))
  MUST(vkBindBufferMemory(p->device, p->buffers[i], p->memory[i], 0))
  return true;
}

static bool record_commands(program *p) {
  const VkCommandPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                        .queueFamilyIndex = p->family};
  MUST(vkCreateCommandPool(p->device, &pool, NULL, &p->pool))
  const VkCommandBufferAllocateInfo allocate = {
      .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, .commandPool = p->pool, .commandBufferCount = 2};
  VkCommandBuffer both[2];
  MUST(vkAllocateCommandBuffers(p->device, &allocate, both))
  p->fill = both[0], p->copy = both[1];
  const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  const VkBufferCopy all = {.srcOffset = BYTES, .size = BYTES};
  MUST(vkBeginCommandBuffer(p->fill, &begin))
  vkCmdFillBuffer(p->fill, p->buffers[0], 0, BYTES, 3);
  MUST(vkEndCommandBuffer(p->fill))
  MUST(vkBeginCommandBuffer(p->copy, &begin))
  vkCmdCopyBuffer(p->copy, p->buffers[0], p->buffers[1], 1, &all);
  const VkMemoryBarrier to_host = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                   .srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
                                   .dstAccessMask = VK_ACCESS_HOST_READ_BIT};
  vkCmdPipelineBarrier(p->copy, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &to_host, 0, NULL, 0,
                       NULL);
  MUST(vkEndCommandBuffer(p->copy))
  return true;
}

/* The features that the library needs: the program enables them, and passes this struct on to the library. */
static VkPhysicalDeviceVulkan12Features features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
                                                    .storageBuffer8BitAccess = VK_TRUE,
                                                    .shaderInt8 = VK_TRUE,
                                                    .timelineSemaphore = VK_TRUE,
                                                    .bufferDeviceAddress = VK_TRUE};

static bool open_vulkan(program *p) {
  const VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO, .apiVersion = VK_API_VERSION_1_2};
  const VkInstanceCreateInfo instance = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                         .pApplicationInfo = &application};
  uint32_t one = 1;
  MUST(vkCreateInstance(&instance, NULL, &p->instance))
  const VkResult listed = vkEnumeratePhysicalDevices(p->instance, &one, &p->adapter);
  if ((listed != VK_SUCCESS && listed != VK_INCOMPLETE) || one == 0 || !find_family(p))
    return fprintf(stderr, "SKIP: no Vulkan device\n"), 0;
  const float priority = 1;
  const VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                         .queueFamilyIndex = p->family,
                                         .queueCount = 1,
                                         .pQueuePriorities = &priority};
  const VkDeviceCreateInfo device = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                     .pNext = &features,
                                     .queueCreateInfoCount = 1,
                                     .pQueueCreateInfos = &queue};
  MUST(vkCreateDevice(p->adapter, &device, NULL, &p->device))
  vkGetDeviceQueue(p->device, p->family, 0, &p->queue);
  const VkSemaphoreTypeCreateInfo type = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
                                          .semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE};
  const VkSemaphoreCreateInfo timeline = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO, .pNext = &type};
  MUST(vkCreateSemaphore(p->device, &timeline, NULL, &p->timeline))
  const VkMemoryPropertyFlags host = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
  if (!make_buffer(p, 0, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT) || !make_buffer(p, 1, host)) return false;
  void *mapped;
  MUST(vkMapMemory(p->device, p->memory[1], 0, VK_WHOLE_SIZE, 0, &mapped))
  p->result = mapped;
  return record_commands(p);
}

/* The program's own work: waits for `from`, then sets the semaphore to `to`. */
static VkResult submit(program *p, VkCommandBuffer commands, uint64_t from, uint64_t to) {
  const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_TRANSFER_BIT;
  const VkTimelineSemaphoreSubmitInfo values = {.sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
                                                .waitSemaphoreValueCount = 1,
                                                .pWaitSemaphoreValues = &from,
                                                .signalSemaphoreValueCount = 1,
                                                .pSignalSemaphoreValues = &to};
  const VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                             .pNext = &values,
                             .waitSemaphoreCount = 1,
                             .pWaitSemaphores = &p->timeline,
                             .pWaitDstStageMask = &stage,
                             .commandBufferCount = 1,
                             .pCommandBuffers = &commands,
                             .signalSemaphoreCount = 1,
                             .pSignalSemaphores = &p->timeline};
  pthread_mutex_lock(&p->queue_lock);
  const VkResult result = vkQueueSubmit(p->queue, 1, &info, VK_NULL_HANDLE);
  pthread_mutex_unlock(&p->queue_lock);
  return result;
}

/* The run waits for 1 and signals 2. One half of the buffer is its input and the other its output, which kernels access
 * in place. */
static rp_status run_between(program *p, rp_run *run, rp_value in, rp_value out, rp_buffer *buffer) {
  const rp_sync wait = {RP_SYNC_VULKAN, (void *)p->timeline, 1}, signal = {RP_SYNC_VULKAN, (void *)p->timeline, 2};
  const rp_submit_options links = {
      .struct_size = sizeof links, .waits = &wait, .n_waits = 1, .signals = &signal, .n_signals = 1};
  rp_status status = rp_run_bind_input(run, in, buffer, 0);
  if (status == RP_OK) status = rp_run_bind_output(run, out, buffer, BYTES);
  if (status == RP_OK && submit(p, p->fill, 0, 1) != VK_SUCCESS) status = RP_ERR_INTERNAL;
  if (status == RP_OK) status = rp_run_submit_with(run, &links);
  if (status == RP_OK && submit(p, p->copy, 2, 3) != VK_SUCCESS) status = RP_ERR_INTERNAL;
  const uint64_t last = 3;
  const VkSemaphoreWaitInfo end = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO,
                                   .semaphoreCount = 1,
                                   .pSemaphores = &p->timeline,
                                   .pValues = &last};
  if (status == RP_OK && vkWaitSemaphores(p->device, &end, UINT64_MAX) != VK_SUCCESS) status = RP_ERR_DEVICE_LOST;
  return status == RP_OK ? rp_run_wait(run, UINT64_MAX) : status;
}

static bool compute(program *p, const char *page) {
  const rp_device_options options = {.struct_size = sizeof options,
                                     .kind = RP_DEVICE_VULKAN,
                                     .native = {p->instance, p->adapter, p->device, p->queue},
                                     .native_index = p->family};
  const rp_host_device host = {.struct_size = sizeof host,
                               .vulkan_features = &features,
                               .lock_user = &p->queue_lock,
                               .lock_queue = lock,
                               .unlock_queue = unlock};
  rp_context *context = NULL;
  rp_device *device = NULL;
  rp_graph *g = NULL;
  rp_recording *recording = NULL;
  rp_buffer *buffer = NULL;
  rp_run *run = NULL;
  rp_value in = RP_NO_VALUE, out = RP_NO_VALUE;
  rp_error err = {0};
  rp_status status = rp_context_create(NULL, &context, &err);
  if (status == RP_OK) status = rp_device_open_for(context, &options, &host, &device, &err);
  if (status == RP_OK) status = rp_buffer_wrap(device, (void *)p->buffers[0], 2 * BYTES, &buffer, &err);
  if (status == RP_OK) status = rp_graph_create(context, "double", &g, &err);
  if (status == RP_OK) {
    in = rp_graph_input(g, "in", rp_type_field(RP_FIELD_GOLDILOCKS), N, RP_RESIDENT);
    rp_scope_begin(g, "double");
    rp_scope_title(g, "Double: %d elements", N);
    out = rp_add(g, in, in);
    rp_graph_output(g, "out", out, RP_RESIDENT);
    rp_scope_end(g);
    status = rp_record(device, g, NULL, &recording, &err);
  }
  if (status == RP_OK) status = rp_run_begin(recording, UINT64_MAX, &run, &err);
  if (status == RP_OK && (status = run_between(p, run, in, out, buffer)) != RP_OK) err = *rp_run_error(run);
  const rp_view_source view = {.struct_size = sizeof view, .recording = recording};
  if (status == RP_OK && page) status = rp_view_write(&view, page, &err); /* the graph, for a browser */
  if (status == RP_OK)
    printf("%u %u %u %u\n", p->result[0], p->result[1], p->result[2], p->result[2 * N - 1]);
  else
    fprintf(stderr, "%s: %s\n", rp_status_name(status), err.reason);
  rp_run_end(run);
  rp_recording_destroy(recording);
  rp_graph_destroy(g);
  rp_buffer_destroy(buffer);
  rp_device_close(device);
  rp_context_destroy(context);
  return status == RP_OK;
}

int main(int argc, char **argv) {
  program p = {.queue_lock = PTHREAD_MUTEX_INITIALIZER};
  const int opened = open_vulkan(&p), computed = opened && compute(&p, argc > 1 ? argv[1] : NULL);
  if (p.device) {
    for (int i = 0; i < 2; i++) {
      vkDestroyBuffer(p.device, p.buffers[i], NULL);
      vkFreeMemory(p.device, p.memory[i], NULL);
    }
    vkDestroyCommandPool(p.device, p.pool, NULL);
    vkDestroySemaphore(p.device, p.timeline, NULL);
    vkDestroyDevice(p.device, NULL);
  }
  if (p.instance) vkDestroyInstance(p.instance, NULL);
  return computed ? 0 : opened ? 1 : 77;
}
