/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "pretend.h"

#include "interpose.h"

#include <stdio.h>
#include <string.h>

enum { MAX_FAMILIES = 32 };

pretence pretend;
static rp_vk_functions before, real; /* the functions without an instance, and with one */
static int queue_for_uploads;        /* its address is the handle */

static VkQueue upload_queue(void) { return (VkQueue)(void *)&queue_for_uploads; }

/* ---- The adapter ------------------------------------------------------------------------------------------------- */

static void features(VkPhysicalDevice adapter, VkPhysicalDeviceFeatures2 *f) {
  real.vkGetPhysicalDeviceFeatures2(adapter, f);
  VkPhysicalDeviceVulkan12Features *v12 = f->pNext;
  if (!pretend.lacks || !v12) return;
#define LACK(from, member, name) \
  if (!strcmp(pretend.lacks, name)) from->member = VK_FALSE;
  PRETEND_FEATURES(LACK)
#undef LACK
}

static void properties(VkPhysicalDevice adapter, VkPhysicalDeviceProperties2 *p) {
  real.vkGetPhysicalDeviceProperties2(adapter, p);
  VkPhysicalDeviceLimits *limits = &p->properties.limits;
  if (pretend.hardware) p->properties.deviceType = VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU;
  if (pretend.api_version) p->properties.apiVersion = pretend.api_version;
  if (pretend.shared_bytes) limits->maxComputeSharedMemorySize = pretend.shared_bytes;
  if (pretend.max_group)
    limits->maxComputeWorkGroupInvocations = limits->maxComputeWorkGroupSize[0] = pretend.max_group;
}

static uint32_t count_families(VkPhysicalDevice adapter) {
  uint32_t n = 0;
  real.vkGetPhysicalDeviceQueueFamilyProperties(adapter, &n, NULL);
  return n;
}

static uint32_t adapter_families; /* how many families are real; the index of the pretended one */
static uint32_t compute_family;   /* the real family that stands in for it */
static VkQueue the_queue;

static void families(VkPhysicalDevice adapter, uint32_t *n, VkQueueFamilyProperties *f) {
  real.vkGetPhysicalDeviceQueueFamilyProperties(adapter, n, f);
  if (!f) return;
  adapter_families = count_families(adapter);
  for (uint32_t i = 0; i < *n; i++)
    if (pretend.no_compute) f[i].queueFlags &= ~(VkQueueFlags)VK_QUEUE_COMPUTE_BIT;
  /* A real family for transfers alone is hidden. */
  for (uint32_t i = 0; i < *n && pretend.has_upload_family; i++)
    if (!(f[i].queueFlags & (VK_QUEUE_COMPUTE_BIT | VK_QUEUE_GRAPHICS_BIT))) f[i].queueFlags = 0;
  if (pretend.has_upload_family)
    f[(*n)++] =
        (VkQueueFamilyProperties){.queueFlags = VK_QUEUE_TRANSFER_BIT | VK_QUEUE_SPARSE_BINDING_BIT, .queueCount = 2};
}

static VkResult adapters(VkInstance instance, uint32_t *n, VkPhysicalDevice *list) {
  return pretend.no_adapters != VK_SUCCESS ? pretend.no_adapters : real.vkEnumeratePhysicalDevices(instance, n, list);
}

/* ---- Before there is an instance --------------------------------------------------------------------------------- */

static VkResult version(uint32_t *v) {
  return pretend.no_version != VK_SUCCESS ? pretend.no_version : before.vkEnumerateInstanceVersion(v);
}

/* Writes a list that a caller must not read, because the call fails. */
static VkResult wrong_extension(uint32_t *n, VkExtensionProperties *list, const char *name) {
  if (list && *n) snprintf(list->extensionName, sizeof list->extensionName, "%s", name);
  return pretend.no_extensions;
}

static VkResult extensions(const char *layer, uint32_t *n, VkExtensionProperties *list) {
  if (pretend.no_extensions != VK_SUCCESS) return wrong_extension(n, list, VK_EXT_DEBUG_UTILS_EXTENSION_NAME);
  return before.vkEnumerateInstanceExtensionProperties(layer, n, list);
}

static VkResult device_extensions(VkPhysicalDevice adapter, const char *layer, uint32_t *n,
                                  VkExtensionProperties *list) {
  if (pretend.no_extensions != VK_SUCCESS) return wrong_extension(n, list, VK_NV_SHADER_SM_BUILTINS_EXTENSION_NAME);
  return real.vkEnumerateDeviceExtensionProperties(adapter, layer, n, list);
}

static VkResult create_instance(const VkInstanceCreateInfo *info, const VkAllocationCallbacks *a, VkInstance *i) {
  pretend.instance_extensions = info->enabledExtensionCount;
  pretend.instances++;
  return pretend.no_instance != VK_SUCCESS ? pretend.no_instance : before.vkCreateInstance(info, a, i);
}

/* ---- A device without that family -------------------------------------------------------------------------------- */

static VkResult create_device(VkPhysicalDevice adapter, const VkDeviceCreateInfo *info, const VkAllocationCallbacks *a,
                              VkDevice *device) {
  if (pretend.no_device != VK_SUCCESS) return pretend.no_device;
  VkDeviceCreateInfo without = *info;
  VkDeviceQueueCreateInfo queues[MAX_FAMILIES];
  without.queueCreateInfoCount = 0;
  without.pQueueCreateInfos = queues;
  for (uint32_t i = 0; i < info->queueCreateInfoCount; i++)
    if (!pretend.has_upload_family || info->pQueueCreateInfos[i].queueFamilyIndex != adapter_families)
      queues[without.queueCreateInfoCount++] = info->pQueueCreateInfos[i];
  compute_family = queues[0].queueFamilyIndex;
  return real.vkCreateDevice(adapter, &without, a, device);
}

static void get_queue(VkDevice device, uint32_t family, uint32_t index, VkQueue *queue) {
  if (pretend.has_upload_family && family == adapter_families)
    *queue = upload_queue();
  else
    real.vkGetDeviceQueue(device, family, index, queue);
}

static VkResult create_pool(VkDevice device, const VkCommandPoolCreateInfo *info, const VkAllocationCallbacks *a,
                            VkCommandPool *pool) {
  VkCommandPoolCreateInfo real_info = *info;
  if (pretend.has_upload_family && info->queueFamilyIndex == adapter_families)
    real_info.queueFamilyIndex = compute_family;
  return real.vkCreateCommandPool(device, &real_info, a, pool);
}

static VkResult create_buffer(VkDevice device, const VkBufferCreateInfo *info, const VkAllocationCallbacks *a,
                              VkBuffer *buffer) {
  VkBufferCreateInfo real_info = *info;
  if (info->sharingMode == VK_SHARING_MODE_CONCURRENT) {
    pretend.shared_buffers += info->queueFamilyIndexCount == 2 &&
                              info->pQueueFamilyIndices[0] != info->pQueueFamilyIndices[1] &&
                              info->pQueueFamilyIndices[1] == adapter_families;
    real_info.sharingMode = VK_SHARING_MODE_EXCLUSIVE;
    real_info.queueFamilyIndexCount = 0;
  }
  return real.vkCreateBuffer(device, &real_info, a, buffer);
}

static VkResult submit(VkQueue queue, uint32_t n, const VkSubmitInfo *infos, VkFence fence) {
  const VkTimelineSemaphoreSubmitInfo *first = infos[0].pNext, *last = infos[n - 1].pNext;
  if (pretend.n_submits < MAX_SUBMITS) {
    pretended_submit *s = &pretend.submits[pretend.n_submits++];
    *s = (pretended_submit){.is_upload = queue == upload_queue(), .n = n};
    if (infos[0].waitSemaphoreCount) {
      s->waits = infos[0].pWaitSemaphores[0];
      s->wait_value = first->pWaitSemaphoreValues[0];
    }
    if (infos[n - 1].signalSemaphoreCount) {
      s->signals = infos[n - 1].pSignalSemaphores[0];
      s->signal_value = last->pSignalSemaphoreValues[0];
    }
  }
  return real.vkQueueSubmit(queue == upload_queue() ? the_queue : queue, n, infos, fence);
}

/* ---- Labels ------------------------------------------------------------------------------------------------------ */

static void begin_label(VkCommandBuffer commands, const VkDebugUtilsLabelEXT *label) {
  pretend.labels++;
  pretend.open_labels++;
  snprintf(pretend.label, sizeof pretend.label, "%s", label->pLabelName);
  if (real.vkCmdBeginDebugUtilsLabelEXT) real.vkCmdBeginDebugUtilsLabelEXT(commands, label);
}
static void end_label(VkCommandBuffer commands) {
  pretend.open_labels--;
  if (real.vkCmdEndDebugUtilsLabelEXT) real.vkCmdEndDebugUtilsLabelEXT(commands);
}

/* ---- In the library's place -------------------------------------------------------------------------------------- */

void *__real_dlsym(void *library, const char *name);
void *__wrap_dlsym(void *library, const char *name);
rp_status __real_rp_vk_create_instance(rp_vk_functions *fn, VkInstance *instance, char *reason, size_t bytes);
rp_status __wrap_rp_vk_create_instance(rp_vk_functions *fn, VkInstance *instance, char *reason, size_t bytes);
int __real_rp_vk_load_device(rp_vk_functions *fn, VkInstance instance, VkDevice device);
int __wrap_rp_vk_load_device(rp_vk_functions *fn, VkInstance instance, VkDevice device);

/* Replaces the functions that need no instance; all others are the loader's. */
static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL function(VkInstance instance, const char *name) {
  const PFN_vkVoidFunction found = before.vkGetInstanceProcAddr(instance, name);
#define STAND_IN(vk_name, ours)                     \
  if (found && !strcmp(name, #vk_name)) {           \
    before.vk_name = (PFN_##vk_name)found;          \
    return (PFN_vkVoidFunction)(PFN_##vk_name)ours; \
  }
  STAND_IN(vkEnumerateInstanceVersion, version)
  STAND_IN(vkEnumerateInstanceExtensionProperties, extensions)
  STAND_IN(vkCreateInstance, create_instance)
#undef STAND_IN
  return found;
}

void *__wrap_dlsym(void *library, const char *name) {
  void *symbol = __real_dlsym(library, name);
  if (!symbol || strcmp(name, "vkGetInstanceProcAddr") != 0) return symbol;
  const PFN_vkGetInstanceProcAddr ours = function;
  memcpy(&before.vkGetInstanceProcAddr, &symbol, sizeof symbol);
  memcpy(&symbol, &ours, sizeof symbol);
  return symbol;
}

rp_status __wrap_rp_vk_create_instance(rp_vk_functions *fn, VkInstance *instance, char *reason, size_t bytes) {
  rp_status status = __real_rp_vk_create_instance(fn, instance, reason, bytes);
  real = *fn;
  if (status != RP_OK) return status;
  fn->vkGetPhysicalDeviceFeatures2 = features;
  fn->vkGetPhysicalDeviceProperties2 = properties;
  fn->vkGetPhysicalDeviceQueueFamilyProperties = families;
  fn->vkCreateDevice = create_device;
  fn->vkEnumeratePhysicalDevices = adapters;
  fn->vkEnumerateDeviceExtensionProperties = device_extensions;
  return status;
}

int __wrap_rp_vk_load_device(rp_vk_functions *fn, VkInstance instance, VkDevice device) {
  const int complete = __real_rp_vk_load_device(fn, instance, device);
  const rp_vk_functions adapters_real = real; /* those above stand in the table by now */
  real = *fn;
  real.vkGetPhysicalDeviceFeatures2 = adapters_real.vkGetPhysicalDeviceFeatures2;
  real.vkGetPhysicalDeviceProperties2 = adapters_real.vkGetPhysicalDeviceProperties2;
  real.vkGetPhysicalDeviceQueueFamilyProperties = adapters_real.vkGetPhysicalDeviceQueueFamilyProperties;
  real.vkCreateDevice = adapters_real.vkCreateDevice;
  real.vkEnumeratePhysicalDevices = adapters_real.vkEnumeratePhysicalDevices;
  real.vkEnumerateDeviceExtensionProperties = adapters_real.vkEnumerateDeviceExtensionProperties;
  if (pretend.has_upload_family) real.vkGetDeviceQueue(device, compute_family, 0, &the_queue);
  fn->vkGetDeviceQueue = get_queue;
  fn->vkCreateCommandPool = create_pool;
  fn->vkCreateBuffer = create_buffer;
  fn->vkQueueSubmit = submit;
  fn->vkCmdBeginDebugUtilsLabelEXT = begin_label;
  fn->vkCmdEndDebugUtilsLabelEXT = end_label;
  if (pretend.interposed) interpose_into(fn);
  return complete;
}
