/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Opening Vulkan devices, created by the library or by the caller.
 */
#include "state.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ADAPTERS = 32 };

static uint32_t list_adapters(const rp_vk_functions *fn, VkInstance instance, VkPhysicalDevice *adapters) {
  uint32_t n = MAX_ADAPTERS;
  VkResult result = fn->vkEnumeratePhysicalDevices(instance, &n, adapters);
  return result == VK_SUCCESS || result == VK_INCOMPLETE ? n : 0;
}

static rp_status enumerate(rp_context *context, rp_device_info *infos, uint32_t capacity, uint32_t *count) {
  rp_vk_functions fn;
  VkInstance instance;
  VkPhysicalDevice adapters[MAX_ADAPTERS];
  uint32_t n = 0;
  rp_device_info absent;
  memset(&absent, 0, sizeof absent);
  absent.kind = RP_DEVICE_VULKAN;
  snprintf(absent.name, sizeof absent.name, "Vulkan");
  if (rp_vk_instance_use(context, &fn, &instance, absent.reason, sizeof absent.reason) == RP_OK) {
    n = list_adapters(&fn, instance, adapters);
    for (uint32_t i = 0; i < n && i < capacity; i++) rp_vk_describe(&fn, adapters[i], i, &infos[i]);
    if (n == 0)
      snprintf(absent.reason, sizeof absent.reason,
               "the Vulkan loader finds no driver for a GPU: install the package mesa-vulkan-drivers, or NVIDIA's "
               "nvidia-driver");
    rp_vk_instance_leave(context);
  }
  if (n == 0) {
    if (capacity > 0) infos[0] = absent;
    n = 1;
  }
  *count = n;
  return RP_OK;
}

static bool hold(rp_context *context) {
  char reason[256]; /* enumerate gives it */
  return rp_vk_instance_use(context, NULL, NULL, reason, sizeof reason) == RP_OK;
}

/* Device nodes of GPU drivers: DRM, NVIDIA, Adreno, Mali, WSL. Software drivers have none. */
static bool no_hardware(void) {
  static const char *const nodes[] = {"/dev/dri/renderD*", "/dev/nvidiactl", "/dev/kgsl-3d0", "/dev/mali0", "/dev/dxg"};
  bool found = false;
  for (size_t i = 0; i < sizeof nodes / sizeof *nodes && !found; i++) {
    glob_t matches;
    const int result = glob(nodes[i], GLOB_NOSORT, NULL, &matches);
    found = result != GLOB_NOMATCH; /* a folder that cannot be read may contain one */
    if (result == 0) globfree(&matches);
  }
  return !found;
}

static bool is_lost(void *state) { return atomic_load(&((rp_vk *)state)->lost); }

/* ---- Opening ----------------------------------------------------------------------------------------------------- */

static rp_status create_device(rp_vk *vk, rp_error *err) {
  rp_vk_features features;
  rp_vk_wanted_features(&features, vk->int64);
  const char *extensions[2];
  uint32_t n_extensions = 0;
  VkPhysicalDeviceConditionalRenderingFeaturesEXT conditions = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CONDITIONAL_RENDERING_FEATURES_EXT, .conditionalRendering = VK_TRUE};
  vk->has_conditions = rp_vk_offers_conditions(&vk->fn, vk->adapter);
  if (vk->has_conditions) features.v12.pNext = &conditions;
  if (vk->has_conditions) extensions[n_extensions++] = VK_EXT_CONDITIONAL_RENDERING_EXTENSION_NAME;
  if (rp_vk_offers_sharing(&vk->fn, vk->adapter)) extensions[n_extensions++] = VK_KHR_EXTERNAL_MEMORY_FD_EXTENSION_NAME;
  float priorities[RP_VK_MOST_LANES];
  for (uint32_t i = 0; i < RP_VK_MOST_LANES; i++) priorities[i] = 1;
  VkDeviceQueueCreateInfo queues[2] = {{.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                        .queueFamilyIndex = vk->family,
                                        .queueCount = vk->n_queues,
                                        .pQueuePriorities = priorities}};
  queues[1] = queues[0];
  queues[1].queueFamilyIndex = vk->upload_family;
  queues[1].queueCount = 1;
  const VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                   .pNext = &features.first,
                                   .queueCreateInfoCount = vk->upload_family == UINT32_MAX ? 1 : 2,
                                   .pQueueCreateInfos = queues,
                                   .enabledExtensionCount = n_extensions,
                                   .ppEnabledExtensionNames = extensions};
  rp_status status = RP_VK(vk, err, vkCreateDevice, vk->adapter, &info, NULL, &vk->device);
  vk->owns_device = status == RP_OK;
  return status;
}

/* Instance, adapter, device and queue of the caller. */
static rp_status take_handles(rp_vk *vk, const rp_device_options *o, rp_error *err) {
  char reason[256];
  if (!o->native[1] || !o->native[2] || !o->native[3])
    return rp_fail(err, RP_ERR_ARGUMENT, "native: give instance, physical device, device and queue, or none of them");
  const rp_status status = rp_vk_load(&vk->fn, reason, sizeof reason);
  if (status != RP_OK) return rp_fail(err, status, "Vulkan: %s", reason);
  vk->instance = (VkInstance)o->native[0];
  if (!rp_vk_load_instance(&vk->fn, vk->instance))
    return rp_fail(err, RP_ERR_UNAVAILABLE, "the caller's VkInstance lacks functions of Vulkan 1.2");
  vk->adapter = (VkPhysicalDevice)o->native[1];
  vk->device = (VkDevice)o->native[2];
  vk->queue = (VkQueue)o->native[3];
  vk->family = o->native_index;
  (void)rp_vk_compute_family(&vk->fn, vk->adapter, &vk->timestamp_bits);
  return RP_OK;
}

/* An adapter of this machine, and how many queues of it there will be. The device is created later. */
static rp_status find_adapter(rp_vk *vk, uint32_t index, rp_error *err) {
  char reason[256];
  VkPhysicalDevice adapters[MAX_ADAPTERS];
  const rp_status status = rp_vk_instance_use(vk->context, &vk->fn, &vk->instance, reason, sizeof reason);
  if (status != RP_OK) return rp_fail(err, status, "Vulkan: %s", reason);
  vk->uses_instance = 1;
  const uint32_t n = list_adapters(&vk->fn, vk->instance, adapters);
  if (index >= n)
    return rp_fail(err, RP_ERR_UNAVAILABLE, "Vulkan device %u was asked for, and the machine has %u", index, n);
  vk->adapter = adapters[index];
  vk->family = rp_vk_compute_family(&vk->fn, vk->adapter, &vk->timestamp_bits);
  vk->upload_family = rp_vk_upload_family(&vk->fn, vk->adapter);
  vk->n_queues = rp_vk_count_queues(&vk->fn, vk->adapter, vk->family);
  return RP_OK;
}

/* Unless the caller tells, it cannot be known with which features the device was created. */
static rp_status read_callers_features(rp_vk *vk, rp_device_info *info, rp_error *err) {
  char reason[256];
  bool int64 = rp_vk_int64_is_forced();
  if (vk->host.vulkan_features) {
    rp_vk_read_features(vk->host.vulkan_features, reason, sizeof reason, &int64);
    if (reason[0])
      return rp_fail(err, RP_ERR_UNSUPPORTED, "the caller's VkDevice was created without the features %s", reason);
  }
  if (!int64) info->limits.has_int64 = 0;
  return RP_OK;
}

static rp_status open_handles(rp_vk *vk, const rp_device_options *o, rp_device_info *info, rp_error *err) {
  rp_status status = o->native[0] ? take_handles(vk, o, err) : find_adapter(vk, o->index, err);
  if (status != RP_OK) return status;
  rp_vk_describe(&vk->fn, vk->adapter, o->index, info);
  if (!info->available) return rp_fail(err, RP_ERR_UNAVAILABLE, "%s: %s", info->name, info->reason);
  if (vk->device) status = read_callers_features(vk, info, err);
  if (status != RP_OK) return status;
  vk->n_lanes = rp_vk_choose_lanes(&vk->fn, vk->adapter, vk->n_queues, &vk->forces_lanes);
  if (vk->n_queues > vk->n_lanes) vk->n_queues = vk->n_lanes;
  vk->host.vulkan_features = NULL;
  vk->int64 = info->limits.has_int64 != 0;
  vk->is_software = info->software;
  vk->limits = info->limits;
  return vk->device ? RP_OK : create_device(vk, err);
}

static rp_status open_objects(rp_vk *vk, const rp_device_options *o, rp_error *err) {
  if (!rp_vk_load_device(&vk->fn, vk->instance, vk->device))
    return rp_fail(err, RP_ERR_UNAVAILABLE, "the Vulkan device lacks functions of Vulkan 1.2");
  vk->has_labels = vk->fn.vkCmdBeginDebugUtilsLabelEXT && vk->fn.vkCmdEndDebugUtilsLabelEXT;
  vk->has_conditions =
      vk->has_conditions && vk->fn.vkCmdBeginConditionalRenderingEXT && vk->fn.vkCmdEndConditionalRenderingEXT;
  for (uint32_t i = 0; i < vk->n_queues && !vk->queue; i++)
    vk->fn.vkGetDeviceQueue(vk->device, vk->family, i, &vk->queues[i]);
  if (vk->queue)
    vk->queues[0] = vk->queue;
  else
    vk->queue = vk->queues[0];
  if (vk->upload_family != UINT32_MAX) vk->fn.vkGetDeviceQueue(vk->device, vk->upload_family, 0, &vk->upload_queue);
  VkPhysicalDeviceProperties2 p = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2};
  vk->fn.vkGetPhysicalDeviceProperties2(vk->adapter, &p);
  memcpy(vk->max_groups, p.properties.limits.maxComputeWorkGroupCount, sizeof vk->max_groups);
  vk->timestamp_ns = p.properties.limits.timestampPeriod;
  vk->fn.vkGetPhysicalDeviceMemoryProperties(vk->adapter, &vk->memory_types);
  const VkPushConstantRange push = {.stageFlags = VK_SHADER_STAGE_COMPUTE_BIT, .size = RP_VK_PUSH_BYTES};
  const VkPipelineLayoutCreateInfo layout = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                             .pushConstantRangeCount = 1,
                                             .pPushConstantRanges = &push};
  rp_status status = RP_VK(vk, err, vkCreatePipelineLayout, vk->device, &layout, NULL, &vk->layout);
  if (status == RP_OK) status = rp_vk_cache_open(vk, o->cache_dir, &p.properties, err);
  return status == RP_OK ? rp_vk_transfer_open(vk, err) : status;
}

static void close_objects(rp_vk *vk) {
  rp_vk_transfer_close(vk);
  rp_vk_destroy_kept(vk);
  for (uint32_t i = 0; i < vk->n_pipelines; i++) vk->fn.vkDestroyPipeline(vk->device, vk->pipelines[i].pipeline, NULL);
  while (vk->chunks) {
    rp_vk_chunk *chunk = vk->chunks;
    vk->chunks = chunk->next;
    vk->fn.vkDestroyBuffer(vk->device, chunk->buffer, NULL);
    vk->fn.vkFreeMemory(vk->device, chunk->memory, NULL);
    rp_host_free(vk->context, chunk, sizeof *chunk);
  }
  rp_vk_cache_close(vk);
  vk->fn.vkDestroyPipelineLayout(vk->device, vk->layout, NULL);
}

static void close_device(void *state) {
  rp_vk *vk = state;
  if (!vk) return;
  if (vk->device && vk->fn.vkDestroyPipelineLayout) close_objects(vk);
  rp_host_free(vk->context, vk->pipelines, vk->pipelines_capacity * sizeof *vk->pipelines);
  if (vk->owns_device && vk->fn.vkDestroyDevice) vk->fn.vkDestroyDevice(vk->device, NULL);
  if (vk->uses_instance) rp_vk_instance_leave(vk->context);
  rp_vk_unload(&vk->fn);
  pthread_mutex_destroy(&vk->compile_lock);
  pthread_mutex_destroy(&vk->transfer_lock);
  pthread_mutex_destroy(&vk->queue_lock);
  pthread_mutex_destroy(&vk->lock);
  rp_host_free(vk->context, vk, sizeof *vk);
}

static rp_status open_for(rp_context *context, const rp_device_options *options, const rp_host_device *host,
                          void **state, rp_device_info *info, rp_error *err) {
  *state = NULL;
  rp_vk *vk = rp_host_alloc(context, sizeof *vk, _Alignof(rp_vk));
  if (!vk) return rp_fail(err, RP_ERR_MEMORY, "out of host memory for a Vulkan device");
  memset(vk, 0, sizeof *vk);
  vk->context = context;
  vk->host = *host;
  pthread_mutex_init(&vk->lock, NULL);
  pthread_mutex_init(&vk->queue_lock, NULL);
  pthread_mutex_init(&vk->transfer_lock, NULL);
  pthread_mutex_init(&vk->compile_lock, NULL);
  vk->upload_family = UINT32_MAX;
  vk->n_queues = 1;
  vk->compile_stack_bytes = RP_VK_COMPILE_STACK_BYTES;
  rp_status status = open_handles(vk, options, info, err);
  if (status == RP_OK) {
    vk->max_allocation_bytes = info->limits.max_allocation_bytes;
    vk->workers = info->limits.workers;
    vk->batch_ns = RP_VK_BATCH_NS;
    vk->section_ns = RP_VK_SECTION_NS;
    vk->hop_ns = RP_VK_HOP_NS;
  }
  if (status == RP_OK) status = open_objects(vk, options, err);
  if (status != RP_OK) {
    close_device(vk);
    return status;
  }
  *state = vk;
  return RP_OK;
}

static rp_status open_device(rp_context *context, const rp_device_options *options, void **state, rp_device_info *info,
                             rp_error *err) {
  const rp_host_device nothing = {.struct_size = sizeof nothing};
  return open_for(context, options, &nothing, state, info, err);
}

static uint64_t free_bytes(void *state) {
  const rp_vk *vk = state;
  return rp_vk_free_bytes(&vk->fn, vk->adapter);
}

static bool skips(const void *state) {
  (void)state;
  return true;
}

const rp_backend rp_backend_vulkan = {
    .name = "vulkan",
    .kind = RP_DEVICE_VULKAN,
    .skips = skips,
    .enumerate = enumerate,
    .hold = hold,
    .let_go = rp_vk_instance_leave,
    .no_hardware = no_hardware,
    .open = open_device,
    .open_for = open_for,
    .close = close_device,
    .memory_alloc = rp_vk_memory_alloc,
    .memory_free = rp_vk_memory_free,
    .memory_wrap = rp_vk_memory_wrap,
    .memory_unwrap = rp_vk_memory_unwrap,
    .memory_share = rp_vk_memory_share,
    .memory_import = rp_vk_memory_import,
    .memory_write = rp_vk_memory_write,
    .memory_send = rp_vk_memory_send,
    .memory_read = rp_vk_memory_read,
    .program_create = rp_vk_program_create,
    .program_destroy = rp_vk_program_destroy,
    .program_host_bytes = rp_vk_program_host_bytes,
    .submit = rp_vk_submit,
    .submit_runs = rp_vk_submit_runs,
    .record_into = rp_vk_record_into,
    .latest_fault = rp_vk_latest_fault,
    .wait = rp_vk_wait,
    .cancel = rp_vk_cancel,
    .wipe = rp_vk_wipe,
    .counters = rp_vk_counters,
    .progress = rp_vk_progress,
    .timings = rp_vk_timings,
    .is_lost = is_lost,
    .pipelines_get = rp_vk_cache_get,
    .pipelines_add = rp_vk_cache_add,
    .free_bytes = free_bytes,
};
