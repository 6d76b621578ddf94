/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A Vulkan layer between the validation layer and the driver: the driver's devices have the least limits that Vulkan
 * 1.2 allows, and no 64-bit integers in shaders. The validation layer above then objects to whatever would not run
 * there.
 */
#include <vulkan/vk_layer.h>
#include <vulkan/vulkan_core.h>

#include <string.h>

/* The loader looks these up by the names in the layer's manifest. */
#define EXPORT __attribute__((visibility("default")))
EXPORT PFN_vkVoidFunction VKAPI_CALL least_instance_function(VkInstance instance, const char *name);
EXPORT PFN_vkVoidFunction VKAPI_CALL least_device_function(VkDevice device, const char *name);

/* One instance at a time, one device. What is below is looked up when the instance is made: later the loader gives the
 * functions of its own table, and that begins with the layer on top. */
static PFN_vkGetInstanceProcAddr next_instance;
static PFN_vkGetDeviceProcAddr next_device;
static PFN_vkGetPhysicalDeviceProperties next_properties;
static PFN_vkGetPhysicalDeviceProperties2 next_properties2;
static PFN_vkGetPhysicalDeviceFeatures next_features;
static PFN_vkGetPhysicalDeviceFeatures2 next_features2;
static PFN_vkCreateDevice next_create_device;
static VkInstance current;

static void lower(uint32_t *limit, uint32_t least) {
  if (*limit > least) *limit = least;
}

static void lower_limits(VkPhysicalDeviceProperties *p) {
  VkPhysicalDeviceLimits *l = &p->limits;
  strcpy(p->deviceName, "least");
  lower(&l->maxComputeSharedMemorySize, 16384);
  lower(&l->maxComputeWorkGroupInvocations, 128);
  lower(&l->maxComputeWorkGroupSize[0], 128);
  lower(&l->maxComputeWorkGroupSize[1], 128);
  lower(&l->maxComputeWorkGroupSize[2], 64);
  for (int i = 0; i < 3; i++) lower(&l->maxComputeWorkGroupCount[i], 65535);
  lower(&l->maxPushConstantsSize, 128);
}

static VKAPI_ATTR void VKAPI_CALL properties(VkPhysicalDevice adapter, VkPhysicalDeviceProperties *p) {
  next_properties(adapter, p);
  lower_limits(p);
}

static VKAPI_ATTR void VKAPI_CALL properties2(VkPhysicalDevice adapter, VkPhysicalDeviceProperties2 *p) {
  next_properties2(adapter, p);
  lower_limits(&p->properties);
}

static VKAPI_ATTR void VKAPI_CALL features(VkPhysicalDevice adapter, VkPhysicalDeviceFeatures *f) {
  next_features(adapter, f);
  f->shaderInt64 = VK_FALSE;
}

static VKAPI_ATTR void VKAPI_CALL features2(VkPhysicalDevice adapter, VkPhysicalDeviceFeatures2 *f) {
  next_features2(adapter, f);
  f->features.shaderInt64 = VK_FALSE;
}

/* The loader's own structure in a chain of create infos: the link to the layer or driver below. */
static VkLayerInstanceCreateInfo *instance_link(const void *chain) {
  VkLayerInstanceCreateInfo *i = (VkLayerInstanceCreateInfo *)chain;
  while (i && !(i->sType == VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO && i->function == VK_LAYER_LINK_INFO))
    i = (VkLayerInstanceCreateInfo *)i->pNext;
  return i;
}

static VKAPI_ATTR VkResult VKAPI_CALL create_instance(const VkInstanceCreateInfo *info, const VkAllocationCallbacks *a,
                                                      VkInstance *instance) {
  VkLayerInstanceCreateInfo *link = instance_link(info->pNext);
  if (!link) return VK_ERROR_INITIALIZATION_FAILED;
  next_instance = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
  link->u.pLayerInfo = link->u.pLayerInfo->pNext;
  const VkResult result = ((PFN_vkCreateInstance)next_instance(NULL, "vkCreateInstance"))(info, a, instance);
  if (result != VK_SUCCESS) return result;
  current = *instance;
  next_properties = (PFN_vkGetPhysicalDeviceProperties)next_instance(current, "vkGetPhysicalDeviceProperties");
  next_properties2 = (PFN_vkGetPhysicalDeviceProperties2)next_instance(current, "vkGetPhysicalDeviceProperties2");
  next_features = (PFN_vkGetPhysicalDeviceFeatures)next_instance(current, "vkGetPhysicalDeviceFeatures");
  next_features2 = (PFN_vkGetPhysicalDeviceFeatures2)next_instance(current, "vkGetPhysicalDeviceFeatures2");
  next_create_device = (PFN_vkCreateDevice)next_instance(current, "vkCreateDevice");
  return result;
}

static VKAPI_ATTR VkResult VKAPI_CALL create_device(VkPhysicalDevice adapter, const VkDeviceCreateInfo *info,
                                                    const VkAllocationCallbacks *a, VkDevice *device) {
  VkLayerDeviceCreateInfo *link = (VkLayerDeviceCreateInfo *)info->pNext;
  while (link && !(link->sType == VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO && link->function == VK_LAYER_LINK_INFO))
    link = (VkLayerDeviceCreateInfo *)link->pNext;
  if (!link) return VK_ERROR_INITIALIZATION_FAILED;
  next_device = link->u.pLayerInfo->pfnNextGetDeviceProcAddr;
  link->u.pLayerInfo = link->u.pLayerInfo->pNext;
  return next_create_device(adapter, info, a, device);
}

PFN_vkVoidFunction VKAPI_CALL least_device_function(VkDevice device, const char *name) {
  if (!strcmp(name, "vkGetDeviceProcAddr")) return (PFN_vkVoidFunction)least_device_function;
  return next_device(device, name);
}

PFN_vkVoidFunction VKAPI_CALL least_instance_function(VkInstance instance, const char *name) {
  static const struct {
    const char *name;
    PFN_vkVoidFunction function;
  } own[] = {{"vkGetInstanceProcAddr", (PFN_vkVoidFunction)least_instance_function},
             {"vkGetDeviceProcAddr", (PFN_vkVoidFunction)least_device_function},
             {"vkCreateInstance", (PFN_vkVoidFunction)create_instance},
             {"vkCreateDevice", (PFN_vkVoidFunction)create_device},
             {"vkGetPhysicalDeviceProperties", (PFN_vkVoidFunction)properties},
             {"vkGetPhysicalDeviceProperties2", (PFN_vkVoidFunction)properties2},
             {"vkGetPhysicalDeviceFeatures", (PFN_vkVoidFunction)features},
             {"vkGetPhysicalDeviceFeatures2", (PFN_vkVoidFunction)features2}};
  for (size_t i = 0; i < sizeof own / sizeof *own; i++)
    if (!strcmp(name, own[i].name)) return own[i].function;
  return next_instance ? next_instance(instance, name) : NULL;
}
