/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The VkInstance of a context: all who use it at the same time have the same one, because making one loads every driver
 * of the machine.
 */
#include "loader.h"

#include <stdio.h>

struct rp_vk_instance {
  rp_vk_functions fn; /* with the loader's library, and without functions of devices */
  VkInstance instance;
  uint32_t users;
};

static rp_status make(rp_context *context, char *reason, size_t bytes) {
  struct rp_vk_instance *made = rp_host_alloc(context, sizeof *made, _Alignof(struct rp_vk_instance));
  if (!made) {
    snprintf(reason, bytes, "out of host memory for an instance");
    return RP_ERR_MEMORY;
  }
  memset(made, 0, sizeof *made);
  rp_status status = rp_vk_load(&made->fn, reason, bytes);
  if (status == RP_OK) {
    status = rp_vk_create_instance(&made->fn, &made->instance, reason, bytes);
    if (status != RP_OK) rp_vk_unload(&made->fn);
  }
  if (status == RP_OK)
    context->vulkan = made;
  else
    rp_host_free(context, made, sizeof *made);
  return status;
}

rp_status rp_vk_instance_use(rp_context *context, rp_vk_functions *fn, VkInstance *instance, char *reason,
                             size_t bytes) {
  pthread_mutex_lock(&context->lock);
  const rp_status status = context->vulkan ? RP_OK : make(context, reason, bytes);
  if (status == RP_OK) {
    context->vulkan->users++;
    if (fn) *fn = context->vulkan->fn, fn->library = NULL; /* which stays the instance's */
    if (instance) *instance = context->vulkan->instance;
  }
  pthread_mutex_unlock(&context->lock);
  return status;
}

void rp_vk_instance_leave(rp_context *context) {
  pthread_mutex_lock(&context->lock);
  struct rp_vk_instance *last = --context->vulkan->users ? NULL : context->vulkan;
  if (last) {
    last->fn.vkDestroyInstance(last->instance, NULL);
    rp_vk_unload(&last->fn);
    rp_host_free(context, last, sizeof *last);
    context->vulkan = NULL;
  }
  pthread_mutex_unlock(&context->lock);
}
