/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "loader.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

rp_status rp_vk_load(rp_vk_functions *fn, char *reason, size_t bytes) {
  memset(fn, 0, sizeof *fn);
  fn->library = dlopen("libvulkan.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!fn->library) {
    snprintf(reason, bytes, "no Vulkan loader (libvulkan.so.1 not found); install the loader and a driver for the GPU");
    return RP_ERR_UNAVAILABLE;
  }
  /* A function pointer through void*, as POSIX has it for dlsym. */
  void *symbol = dlsym(fn->library, "vkGetInstanceProcAddr");
  memcpy(&fn->vkGetInstanceProcAddr, &symbol, sizeof symbol);
  int complete = symbol != NULL;
#define LOAD(name) \
  if (complete) fn->name = (PFN_##name)fn->vkGetInstanceProcAddr(NULL, #name);
  RP_VK_GLOBAL_FUNCTIONS(LOAD)
#undef LOAD
  uint32_t version = 0;
  complete = complete && fn->vkEnumerateInstanceVersion && fn->vkCreateInstance;
  if (complete) fn->vkEnumerateInstanceVersion(&version);
  if (version >= VK_API_VERSION_1_2) return RP_OK;
  snprintf(reason, bytes, "the Vulkan loader is too old: it offers %u.%u, needs 1.2 or newer",
           complete ? VK_API_VERSION_MAJOR(version) : 1, VK_API_VERSION_MINOR(version));
  rp_vk_unload(fn);
  return RP_ERR_UNAVAILABLE;
}

void rp_vk_unload(rp_vk_functions *fn) {
  if (fn->library) dlclose(fn->library);
  fn->library = NULL;
}

static int has_debug_utils(const rp_vk_functions *fn) {
  VkExtensionProperties list[64];
  uint32_t n = sizeof list / sizeof *list;
  fn->vkEnumerateInstanceExtensionProperties(NULL, &n, list);
  for (uint32_t i = 0; i < n; i++)
    if (!strcmp(list[i].extensionName, VK_EXT_DEBUG_UTILS_EXTENSION_NAME)) return 1;
  return 0;
}

/* A driver's library leaves the process with the last instance and comes back with the next one. NVIDIA's takes room for
 * its thread-local variables each time out of the little that libraries loaded at run time may have, so that after some ten
 * rounds it does not load again. One instance that nobody uses, and the loader with it, therefore stays until the end. */
static void keep_drivers(const rp_vk_functions *fn, const VkInstanceCreateInfo *info) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  static VkInstance kept;
  pthread_mutex_lock(&lock);
  if (!kept && fn->vkCreateInstance(info, NULL, &kept) == VK_SUCCESS)
    (void)dlopen("libvulkan.so.1", RTLD_NOW | RTLD_LOCAL);
  pthread_mutex_unlock(&lock);
}

rp_status rp_vk_create_instance(rp_vk_functions *fn, VkInstance *instance, char *reason, size_t bytes) {
  const char *extensions[] = {VK_EXT_DEBUG_UTILS_EXTENSION_NAME};
  const VkApplicationInfo application = {
      .sType = VK_STRUCTURE_TYPE_APPLICATION_INFO, .pEngineName = "reprise", .apiVersion = VK_API_VERSION_1_2};
  const VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                     .pApplicationInfo = &application,
                                     .enabledExtensionCount = (uint32_t)has_debug_utils(fn),
                                     .ppEnabledExtensionNames = extensions};
  keep_drivers(fn, &info);
  VkResult result = fn->vkCreateInstance(&info, NULL, instance);
  if (result == VK_SUCCESS && rp_vk_load_instance(fn, *instance)) return RP_OK;
  if (result == VK_SUCCESS && fn->vkDestroyInstance) fn->vkDestroyInstance(*instance, NULL);
  *instance = VK_NULL_HANDLE;
  snprintf(reason, bytes, "no Vulkan driver is installed, or it does not start (vkCreateInstance gave %d)", result);
  return RP_ERR_UNAVAILABLE;
}

int rp_vk_load_instance(rp_vk_functions *fn, VkInstance instance) {
  int complete = 1;
#define LOAD(name)                                                   \
  fn->name = (PFN_##name)fn->vkGetInstanceProcAddr(instance, #name); \
  complete = complete && fn->name;
  RP_VK_INSTANCE_FUNCTIONS(LOAD)
#undef LOAD
  return complete;
}

int rp_vk_load_device(rp_vk_functions *fn, VkInstance instance, VkDevice device) {
  int complete = 1;
#define LOAD(name)                                               \
  fn->name = (PFN_##name)fn->vkGetDeviceProcAddr(device, #name); \
  complete = complete && fn->name;
  RP_VK_DEVICE_FUNCTIONS(LOAD)
#undef LOAD
#define LOAD(name) fn->name = (PFN_##name)fn->vkGetInstanceProcAddr(instance, #name);
  RP_VK_LABEL_FUNCTIONS(LOAD)
#undef LOAD
  return complete;
}
