/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The Vulkan loader, opened at run time: nothing is linked, so that programs also run on machines without it. Functions
 * are fetched for the one instance and device that they are used with.
 */
#ifndef REPRISE_VULKAN_LOADER_H
#define REPRISE_VULKAN_LOADER_H

#define VK_NO_PROTOTYPES
#include <stdbool.h>
#include <vulkan/vulkan_core.h>

#include "core.h"

/* clang-format off */
#define RP_VK_GLOBAL_FUNCTIONS(X)                                                                                      \
  X(vkEnumerateInstanceVersion) X(vkEnumerateInstanceExtensionProperties) X(vkCreateInstance)
#define RP_VK_INSTANCE_FUNCTIONS(X)                                                                                    \
  X(vkDestroyInstance) X(vkEnumeratePhysicalDevices) X(vkGetPhysicalDeviceProperties2) X(vkGetPhysicalDeviceFeatures2) \
  X(vkGetPhysicalDeviceMemoryProperties) X(vkGetPhysicalDeviceMemoryProperties2)                                       \
  X(vkGetPhysicalDeviceQueueFamilyProperties) X(vkEnumerateDeviceExtensionProperties) X(vkCreateDevice)                \
  X(vkGetDeviceProcAddr) X(vkGetPhysicalDeviceExternalBufferProperties)
#define RP_VK_DEVICE_FUNCTIONS(X)                                                                                      \
  X(vkDestroyDevice) X(vkGetDeviceQueue) X(vkQueueSubmit) X(vkAllocateMemory) X(vkFreeMemory) X(vkMapMemory)           \
  X(vkCreateBuffer) X(vkDestroyBuffer) X(vkGetBufferMemoryRequirements) X(vkBindBufferMemory)                          \
  X(vkGetBufferDeviceAddress) X(vkCreateShaderModule) X(vkDestroyShaderModule) X(vkCreatePipelineLayout)               \
  X(vkDestroyPipelineLayout) X(vkCreatePipelineCache) X(vkGetPipelineCacheData) X(vkMergePipelineCaches)               \
  X(vkDestroyPipelineCache)                                                                                            \
  X(vkCreateComputePipelines) X(vkDestroyPipeline) X(vkCreateCommandPool) X(vkDestroyCommandPool)                      \
  X(vkAllocateCommandBuffers) X(vkResetCommandPool) X(vkBeginCommandBuffer) X(vkEndCommandBuffer) X(vkCmdCopyBuffer)   \
  X(vkCmdFillBuffer) X(vkCmdPipelineBarrier) X(vkCmdBindPipeline) X(vkCmdPushConstants) X(vkCmdDispatch)               \
  X(vkCmdDispatchIndirect)                                                                                             \
  X(vkCreateQueryPool) X(vkDestroyQueryPool) X(vkCmdResetQueryPool) X(vkCmdWriteTimestamp)                             \
  X(vkGetQueryPoolResults) X(vkCreateSemaphore) X(vkDestroySemaphore) X(vkWaitSemaphores)                             \
  X(vkGetSemaphoreCounterValue) X(vkSignalSemaphore) X(vkQueueWaitIdle)
/* NULL if VK_EXT_debug_utils is missing. */
#define RP_VK_LABEL_FUNCTIONS(X) X(vkCmdBeginDebugUtilsLabelEXT) X(vkCmdEndDebugUtilsLabelEXT)
/* NULL if VK_EXT_conditional_rendering is missing or not enabled. */
#define RP_VK_CONDITION_FUNCTIONS(X) X(vkCmdBeginConditionalRenderingEXT) X(vkCmdEndConditionalRenderingEXT)
/* NULL if VK_KHR_external_memory_fd is missing or not enabled. */
#define RP_VK_SHARE_FUNCTIONS(X) X(vkGetMemoryFdKHR)
/* clang-format on */

typedef struct rp_vk_functions {
  void *library;
  PFN_vkGetInstanceProcAddr vkGetInstanceProcAddr;
#define RP_VK_MEMBER(name) PFN_##name name;
  RP_VK_GLOBAL_FUNCTIONS(RP_VK_MEMBER)
  RP_VK_INSTANCE_FUNCTIONS(RP_VK_MEMBER)
  RP_VK_DEVICE_FUNCTIONS(RP_VK_MEMBER)
  RP_VK_LABEL_FUNCTIONS(RP_VK_MEMBER)
  RP_VK_CONDITION_FUNCTIONS(RP_VK_MEMBER)
  RP_VK_SHARE_FUNCTIONS(RP_VK_MEMBER)
#undef RP_VK_MEMBER
} rp_vk_functions;

/* Opens the loader. On failure `reason` says what is missing, and nothing stays open. */
rp_status rp_vk_load(rp_vk_functions *fn, char *reason, size_t bytes);
void rp_vk_unload(rp_vk_functions *fn);
/* An instance of Vulkan 1.2, with VK_EXT_debug_utils if there is one. */
rp_status rp_vk_create_instance(rp_vk_functions *fn, VkInstance *instance, char *reason, size_t bytes);
/* Fetch the functions of an instance, and of a device; false if one is missing. */
bool rp_vk_load_instance(rp_vk_functions *fn, VkInstance instance);
bool rp_vk_load_device(rp_vk_functions *fn, VkInstance instance, VkDevice device);

/* The functions and the instance of a context, which is made if nobody uses it, and destroyed when its last user
 * leaves. `fn` and `instance` may be NULL. On failure `reason` says why, and there is nothing to leave. */
rp_status rp_vk_instance_use(rp_context *context, rp_vk_functions *fn, VkInstance *instance, char *reason,
                             size_t bytes);
void rp_vk_instance_leave(rp_context *context);

#endif
