/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "loader.h"

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <string.h>

rp_status rp_vk_load(rp_vk_functions *fn, char *reason, size_t bytes) {
  memset(fn, 0, sizeof *fn);
  fn->library = dlopen("libvulkan.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!fn->library) {
    snprintf(reason, bytes,
             "no Vulkan loader (libvulkan.so.1 not found): install the package libvulkan1 and the GPU's driver "
             "(mesa-vulkan-drivers, or NVIDIA's nvidia-driver)");
    return RP_ERR_UNAVAILABLE;
  }
  /* A function pointer converted from void*, as POSIX allows for dlsym. */
  void *symbol = dlsym(fn->library, "vkGetInstanceProcAddr");
  memcpy(&fn->vkGetInstanceProcAddr, &symbol, sizeof symbol);
  bool complete = symbol != NULL;
#define LOAD(name) \
  if (complete) fn->name = (PFN_##name)fn->vkGetInstanceProcAddr(NULL, #name);
  RP_VK_GLOBAL_FUNCTIONS(LOAD)
#undef LOAD
  uint32_t version = 0;
  complete = complete && fn->vkEnumerateInstanceVersion && fn->vkCreateInstance;
  const VkResult result = complete ? fn->vkEnumerateInstanceVersion(&version) : VK_SUCCESS;
  if (result == VK_SUCCESS && version >= VK_API_VERSION_1_2) return RP_OK;
  if (result != VK_SUCCESS)
    snprintf(reason, bytes, "the Vulkan loader does not tell its version (vkEnumerateInstanceVersion gave %d)", result);
  else
    snprintf(reason, bytes, "the Vulkan loader is too old: it offers %u.%u, needs 1.2 or newer (package libvulkan1)",
             complete ? VK_API_VERSION_MAJOR(version) : 1, VK_API_VERSION_MINOR(version));
  rp_vk_unload(fn);
  return RP_ERR_UNAVAILABLE;
}

void rp_vk_unload(rp_vk_functions *fn) {
  if (fn->library) dlclose(fn->library);
  fn->library = NULL;
}

static bool has_debug_utils(const rp_vk_functions *fn) {
  VkExtensionProperties list[64];
  uint32_t n = sizeof list / sizeof *list;
  const VkResult result = fn->vkEnumerateInstanceExtensionProperties(NULL, &n, list);
  if (result != VK_SUCCESS && result != VK_INCOMPLETE) return 0;
  for (uint32_t i = 0; i < n; i++)
    if (!strcmp(list[i].extensionName, VK_EXT_DEBUG_UTILS_EXTENSION_NAME)) return 1;
  return 0;
}

typedef struct object_name {
  uint32_t left; /* number of objects to skip */
  char path[1024];
} object_name;

static int find_object(struct dl_phdr_info *info, size_t bytes, void *data) {
  object_name *name = data;
  (void)bytes;
  if (name->left-- > 0) return 0;
  snprintf(name->path, sizeof name->path, "%s", info->dlpi_name);
  return 1;
}

/* The loader unloads a driver's library with the last instance and loads it again for the next one. Each time, NVIDIA's
 * takes space for its thread-local variables from the small area for libraries that are loaded at run time, so that
 * after about thirty times it can no longer be loaded. Therefore drivers, which are recognised by exporting this name,
 * are kept in the process once they are loaded. */
static void keep_drivers(void) {
  object_name name;
  for (uint32_t i = 0; name.left = i, dl_iterate_phdr(find_object, &name); i++) {
    void *library = name.path[0] ? dlopen(name.path, RTLD_LAZY | RTLD_LOCAL | RTLD_NOLOAD) : NULL;
    if (!library) continue;
    if (dlsym(library, "vk_icdGetInstanceProcAddr")) {
      void *again = dlopen(name.path, RTLD_LAZY | RTLD_LOCAL | RTLD_NOLOAD | RTLD_NODELETE);
      if (again) dlclose(again);
    }
    dlclose(library);
  }
}

rp_status rp_vk_create_instance(rp_vk_functions *fn, VkInstance *instance, char *reason, size_t bytes) {
  const char *extensions[] = {VK_EXT_DEBUG_UTILS_EXTENSION_NAME};
  const VkApplicationInfo application = {
      .sType = VK_STRUCTURE_TYPE_APPLICATION_INFO, .pEngineName = "reprise", .apiVersion = VK_API_VERSION_1_2};
  const VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                     .pApplicationInfo = &application,
                                     .enabledExtensionCount = (uint32_t)has_debug_utils(fn),
                                     .ppEnabledExtensionNames = extensions};
  VkResult result = fn->vkCreateInstance(&info, NULL, instance);
  if (result == VK_SUCCESS) keep_drivers();
  if (result == VK_SUCCESS && rp_vk_load_instance(fn, *instance)) return RP_OK;
  if (result == VK_SUCCESS && fn->vkDestroyInstance) fn->vkDestroyInstance(*instance, NULL);
  *instance = VK_NULL_HANDLE;
  snprintf(reason, bytes,
           "no Vulkan driver is installed, or it does not start (vkCreateInstance gave %d): install the GPU's driver "
           "(package mesa-vulkan-drivers, or NVIDIA's nvidia-driver)",
           result);
  return RP_ERR_UNAVAILABLE;
}

bool rp_vk_load_instance(rp_vk_functions *fn, VkInstance instance) {
  bool complete = 1;
#define LOAD(name)                                                   \
  fn->name = (PFN_##name)fn->vkGetInstanceProcAddr(instance, #name); \
  complete = complete && fn->name;
  RP_VK_INSTANCE_FUNCTIONS(LOAD)
#undef LOAD
  return complete;
}

bool rp_vk_load_device(rp_vk_functions *fn, VkInstance instance, VkDevice device) {
  bool complete = 1;
#define LOAD(name)                                               \
  fn->name = (PFN_##name)fn->vkGetDeviceProcAddr(device, #name); \
  complete = complete && fn->name;
  RP_VK_DEVICE_FUNCTIONS(LOAD)
#undef LOAD
#define LOAD(name) fn->name = (PFN_##name)fn->vkGetInstanceProcAddr(instance, #name);
  RP_VK_LABEL_FUNCTIONS(LOAD)
#undef LOAD
#define LOAD(name) fn->name = (PFN_##name)fn->vkGetDeviceProcAddr(device, #name);
  RP_VK_CONDITION_FUNCTIONS(LOAD)
  RP_VK_SHARE_FUNCTIONS(LOAD)
#undef LOAD
  return complete;
}
