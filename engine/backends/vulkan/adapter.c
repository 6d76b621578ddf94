/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * What an adapter (a physical device) offers, and whether that is enough.
 */
#include "state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The features that kernels and programs need. X(member of the feature structs, Vulkan's name) */
#define FEATURES(X)                                         \
  X(v12.bufferDeviceAddress, "bufferDeviceAddress")         \
  X(v12.timelineSemaphore, "timelineSemaphore")             \
  X(v12.storageBuffer8BitAccess, "storageBuffer8BitAccess") \
  X(v12.shaderInt8, "shaderInt8")

static void chain(rp_vk_features *f) {
  memset(f, 0, sizeof *f);
  f->first.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2;
  f->first.pNext = &f->v12;
  f->v12.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES;
}

void rp_vk_wanted_features(rp_vk_features *f, bool int64) {
  chain(f);
  f->first.features.shaderInt64 = int64 ? VK_TRUE : VK_FALSE;
#define WANT(member, name) f->member = VK_TRUE;
  FEATURES(WANT)
#undef WANT
}

/* One structure of the chain. The older extensions have structures of their own for parts of Vulkan 1.2's. */
static void read_structure(const VkBaseInStructure *s, rp_vk_features *f) {
  switch (s->sType) {
  case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2:
    f->first.features = ((const VkPhysicalDeviceFeatures2 *)(const void *)s)->features;
    break;
  case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES:
    f->v12 = *(const VkPhysicalDeviceVulkan12Features *)(const void *)s;
    break;
  case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES:
    f->v12.bufferDeviceAddress =
        ((const VkPhysicalDeviceBufferDeviceAddressFeatures *)(const void *)s)->bufferDeviceAddress;
    break;
  case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES:
    f->v12.timelineSemaphore = ((const VkPhysicalDeviceTimelineSemaphoreFeatures *)(const void *)s)->timelineSemaphore;
    break;
  case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_8BIT_STORAGE_FEATURES:
    f->v12.storageBuffer8BitAccess =
        ((const VkPhysicalDevice8BitStorageFeatures *)(const void *)s)->storageBuffer8BitAccess;
    break;
  case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_FLOAT16_INT8_FEATURES:
    f->v12.shaderInt8 = ((const VkPhysicalDeviceShaderFloat16Int8Features *)(const void *)s)->shaderInt8;
    break;
  default: break;
  }
}

void rp_vk_read_features(const void *next, char *missing, size_t bytes, bool *int64) {
  rp_vk_features f;
  size_t at = 0;
  chain(&f);
  for (const VkBaseInStructure *s = next; s; s = s->pNext) read_structure(s, &f);
  missing[0] = 0;
#define CHECK(member, name) \
  if (!f.member && at < bytes) at += (size_t)snprintf(missing + at, bytes - at, "%s%s", at ? ", " : "", name);
  FEATURES(CHECK)
#undef CHECK
  *int64 = f.first.features.shaderInt64 == VK_TRUE;
}

uint32_t rp_vk_compute_family(const rp_vk_functions *fn, VkPhysicalDevice adapter, uint32_t *timestamp_bits) {
  VkQueueFamilyProperties families[32];
  uint32_t n = sizeof families / sizeof *families, found = UINT32_MAX;
  fn->vkGetPhysicalDeviceQueueFamilyProperties(adapter, &n, families);
  for (uint32_t i = 0; i < n; i++) {
    if (!(families[i].queueFlags & VK_QUEUE_COMPUTE_BIT)) continue;
    const bool alone = !(families[i].queueFlags & VK_QUEUE_GRAPHICS_BIT);
    if (found != UINT32_MAX && !alone) continue;
    found = i;
    *timestamp_bits = families[i].timestampValidBits;
    if (alone) break;
  }
  return found;
}

uint32_t rp_vk_count_queues(const rp_vk_functions *fn, VkPhysicalDevice adapter, uint32_t family) {
  VkQueueFamilyProperties families[32];
  uint32_t n = sizeof families / sizeof *families;
  fn->vkGetPhysicalDeviceQueueFamilyProperties(adapter, &n, families);
  if (family >= n || families[family].queueCount == 0) return 1;
  return families[family].queueCount < RP_VK_MOST_LANES ? families[family].queueCount : RP_VK_MOST_LANES;
}

/* Whether the queues of a driver were seen to run side by side (docs/notes/vulkan-groth16.md has the figures). What a
 * driver that was not measured makes of several queues may be slower than one. */
static bool runs_queues_side_by_side(VkDriverId driver) { return driver == VK_DRIVER_ID_NVIDIA_PROPRIETARY; }

uint32_t rp_vk_choose_lanes(const rp_vk_functions *fn, VkPhysicalDevice adapter, uint32_t n_queues, bool *forced) {
  const char *wish = getenv("REPRISE_VULKAN_LANES");
  const unsigned long n = wish ? strtoul(wish, NULL, 10) : 0;
  *forced = n > 0;
  if (wish && !strcmp(wish, "auto")) return n_queues;
  if (n) return n < RP_VK_MOST_LANES ? (uint32_t)n : RP_VK_MOST_LANES;
  VkPhysicalDeviceVulkan12Properties p12 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES};
  VkPhysicalDeviceProperties2 p = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &p12};
  fn->vkGetPhysicalDeviceProperties2(adapter, &p);
  *forced = runs_queues_side_by_side(p12.driverID);
  return *forced ? n_queues : 1;
}

uint32_t rp_vk_upload_family(const rp_vk_functions *fn, VkPhysicalDevice adapter) {
  VkQueueFamilyProperties families[32];
  uint32_t n = sizeof families / sizeof *families;
  const VkQueueFlags transfer = VK_QUEUE_TRANSFER_BIT, harmless = VK_QUEUE_SPARSE_BINDING_BIT | VK_QUEUE_PROTECTED_BIT;
  fn->vkGetPhysicalDeviceQueueFamilyProperties(adapter, &n, families);
  for (uint32_t i = 0; i < n; i++)
    if ((families[i].queueFlags & ~harmless) == transfer && families[i].queueCount) return i;
  return UINT32_MAX;
}

static bool has_extension(const rp_vk_functions *fn, VkPhysicalDevice adapter, const char *name) {
  VkExtensionProperties list[512];
  uint32_t n = sizeof list / sizeof *list;
  const VkResult result = fn->vkEnumerateDeviceExtensionProperties(adapter, NULL, &n, list);
  if (result != VK_SUCCESS && result != VK_INCOMPLETE) return 0;
  for (uint32_t i = 0; i < n; i++)
    if (!strcmp(list[i].extensionName, name)) return 1;
  return 0;
}

bool rp_vk_offers_conditions(const rp_vk_functions *fn, VkPhysicalDevice adapter) {
  rp_vk_features f;
  VkPhysicalDeviceConditionalRenderingFeaturesEXT conditions = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CONDITIONAL_RENDERING_FEATURES_EXT};
  if (!has_extension(fn, adapter, VK_EXT_CONDITIONAL_RENDERING_EXTENSION_NAME)) return 0;
  chain(&f);
  f.v12.pNext = &conditions;
  fn->vkGetPhysicalDeviceFeatures2(adapter, &f.first);
  return conditions.conditionalRendering == VK_TRUE;
}

bool rp_vk_offers_sharing(const rp_vk_functions *fn, VkPhysicalDevice adapter) {
  return has_extension(fn, adapter, VK_KHR_EXTERNAL_MEMORY_FD_EXTENSION_NAME);
}

/* The number of multiprocessors, which no core structure gives; a typical number if no extension gives it either. */
static uint32_t count_workers(const rp_vk_functions *fn, VkPhysicalDevice adapter, bool software) {
  enum { USUAL = 32 };
  if (software) return (uint32_t)sysconf(_SC_NPROCESSORS_ONLN);
  VkPhysicalDeviceShaderSMBuiltinsPropertiesNV sm = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_SM_BUILTINS_PROPERTIES_NV};
  VkPhysicalDeviceShaderCorePropertiesAMD core = {.sType =
                                                      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_CORE_PROPERTIES_AMD};
  VkPhysicalDeviceProperties2 p = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2};
  if (has_extension(fn, adapter, VK_NV_SHADER_SM_BUILTINS_EXTENSION_NAME)) {
    p.pNext = &sm;
    fn->vkGetPhysicalDeviceProperties2(adapter, &p);
    return sm.shaderSMCount;
  }
  if (has_extension(fn, adapter, VK_AMD_SHADER_CORE_PROPERTIES_EXTENSION_NAME)) {
    p.pNext = &core;
    fn->vkGetPhysicalDeviceProperties2(adapter, &p);
    return core.shaderEngineCount * core.shaderArraysPerEngineCount * core.computeUnitsPerShaderArray;
  }
  return USUAL;
}

static uint64_t local_memory(const rp_vk_functions *fn, VkPhysicalDevice adapter) {
  VkPhysicalDeviceMemoryProperties m;
  fn->vkGetPhysicalDeviceMemoryProperties(adapter, &m);
  uint64_t most = 0;
  for (uint32_t i = 0; i < m.memoryHeapCount; i++)
    if (m.memoryHeaps[i].flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT && m.memoryHeaps[i].size > most)
      most = m.memoryHeaps[i].size;
  return most;
}

uint64_t rp_vk_free_bytes(const rp_vk_functions *fn, VkPhysicalDevice adapter) {
  VkPhysicalDeviceMemoryBudgetPropertiesEXT budget = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_BUDGET_PROPERTIES_EXT};
  VkPhysicalDeviceMemoryProperties2 m = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_PROPERTIES_2,
                                         .pNext = &budget};
  uint32_t heap = UINT32_MAX;
  if (!has_extension(fn, adapter, VK_EXT_MEMORY_BUDGET_EXTENSION_NAME)) return 0;
  fn->vkGetPhysicalDeviceMemoryProperties2(adapter, &m);
  const VkMemoryHeap *heaps = m.memoryProperties.memoryHeaps;
  for (uint32_t i = 0; i < m.memoryProperties.memoryHeapCount; i++)
    if (heaps[i].flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT && (heap == UINT32_MAX || heaps[i].size > heaps[heap].size))
      heap = i;
  if (heap == UINT32_MAX || budget.heapBudget[heap] < budget.heapUsage[heap]) return 0;
  return budget.heapBudget[heap] - budget.heapUsage[heap];
}

static bool offers_int64(const rp_vk_functions *fn, VkPhysicalDevice adapter) {
  rp_vk_features f;
  chain(&f);
  fn->vkGetPhysicalDeviceFeatures2(adapter, &f.first);
  return f.first.features.shaderInt64 == VK_TRUE;
}

/* What kernels need of subgroups beyond the basic operations, which every device has (arith/quads.glsl). */
static bool has_quads(const rp_vk_functions *fn, VkPhysicalDevice adapter) {
  const VkSubgroupFeatureFlags needed = VK_SUBGROUP_FEATURE_VOTE_BIT | VK_SUBGROUP_FEATURE_QUAD_BIT;
  VkPhysicalDeviceSubgroupProperties of = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES};
  VkPhysicalDeviceProperties2 p = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &of};
  fn->vkGetPhysicalDeviceProperties2(adapter, &p);
  return (of.supportedStages & VK_SHADER_STAGE_COMPUTE_BIT) && (of.supportedOperations & needed) == needed;
}

/* Writes what is missing, or the empty string. */
static void find_missing(const rp_vk_functions *fn, VkPhysicalDevice adapter, const VkPhysicalDeviceProperties *p,
                         char *reason, size_t bytes) {
  size_t at = 0;
  uint32_t timestamps;
  reason[0] = 0;
  if (p->apiVersion < VK_API_VERSION_1_2) {
    snprintf(reason, bytes, "the driver offers Vulkan %u.%u, needs 1.2 or newer", VK_API_VERSION_MAJOR(p->apiVersion),
             VK_API_VERSION_MINOR(p->apiVersion));
    return;
  }
  rp_vk_features f;
  chain(&f);
  fn->vkGetPhysicalDeviceFeatures2(adapter, &f.first);
#define CHECK(member, name) \
  if (!f.member && at < bytes) at += (size_t)snprintf(reason + at, bytes - at, "%s%s", at ? ", " : "needs ", name);
  FEATURES(CHECK)
#undef CHECK
  if (!has_quads(fn, adapter) && at < bytes)
    at += (size_t)snprintf(reason + at, bytes - at, "%svotes and quads of subgroups in compute shaders",
                           at ? ", " : "needs ");
  if (p->limits.maxComputeSharedMemorySize < RP_VK_MIN_SHARED && at < bytes)
    at += (size_t)snprintf(reason + at, bytes - at, "%s%d bytes of workgroup memory", at ? ", " : "needs ",
                           RP_VK_MIN_SHARED);
  if (rp_vk_compute_family(fn, adapter, &timestamps) == UINT32_MAX && at < bytes)
    at += (size_t)snprintf(reason + at, bytes - at, "%sa compute queue", at ? ", " : "needs ");
  if (at && at < bytes) snprintf(reason + at, bytes - at, ", which this driver does not offer");
}

void rp_vk_describe(const rp_vk_functions *fn, VkPhysicalDevice adapter, uint32_t index, rp_device_info *info) {
  VkPhysicalDeviceVulkan12Properties p12 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES};
  VkPhysicalDeviceVulkan11Properties p11 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_PROPERTIES};
  VkPhysicalDeviceProperties2 p = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2};
  memset(info, 0, sizeof *info);
  info->kind = RP_DEVICE_VULKAN;
  info->index = index;
  fn->vkGetPhysicalDeviceProperties2(adapter, &p);
  const uint32_t version = p.properties.apiVersion;
  if (version >= VK_API_VERSION_1_2) {
    p.pNext = &p11, p11.pNext = &p12;
    fn->vkGetPhysicalDeviceProperties2(adapter, &p);
  }
  const VkPhysicalDeviceLimits *from = &p.properties.limits;
  snprintf(info->name, sizeof info->name, "%.120s", p.properties.deviceName);
  snprintf(info->driver, sizeof info->driver, "Vulkan %u.%u.%u, %.60s", VK_API_VERSION_MAJOR(version),
           VK_API_VERSION_MINOR(version), VK_API_VERSION_PATCH(version), p12.driverName);
  info->software = p.properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
  find_missing(fn, adapter, &p.properties, info->reason, sizeof info->reason);
  info->available = !info->reason[0];
  /* Shaders index words of four bytes with a signed 32-bit integer. */
  const uint64_t most = UINT64_C(1) << 32;
  rp_device_limits *l = &info->limits;
  l->workers = count_workers(fn, adapter, info->software != 0);
  l->subgroup = p11.subgroupSize ? p11.subgroupSize : 1;
  l->max_group = from->maxComputeWorkGroupInvocations < from->maxComputeWorkGroupSize[0]
                     ? from->maxComputeWorkGroupInvocations
                     : from->maxComputeWorkGroupSize[0];
  l->shared_bytes = from->maxComputeSharedMemorySize;
  l->max_args_bytes = 4096;
  l->max_groups = UINT32_MAX; /* in the first dimension; a dispatch with more than the device allows is split */
  l->max_allocation_bytes = p11.maxMemoryAllocationSize < most ? p11.maxMemoryAllocationSize : most;
  l->memory_bytes = local_memory(fn, adapter);
  l->align_bytes = 256;
  l->has_int64 = version >= VK_API_VERSION_1_2 && rp_vk_takes_int64(p12.driverID, offers_int64(fn, adapter));
  info->memory_budget_bytes = l->memory_bytes / 10 * 9;
}
