/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * What every call of the driver needs: its result as a status, lost devices, the lock of queues.
 */
#include "state.h"

rp_status rp_vk_check(rp_vk *vk, VkResult result, const char *what, rp_error *err) {
  switch (result) {
  case VK_SUCCESS: return RP_OK;
  case VK_ERROR_DEVICE_LOST:
    atomic_store(&vk->lost, 1);
    return rp_fail(err, RP_ERR_DEVICE_LOST,
                   "Vulkan device lost in %s: a driver reset, or a kernel that ran too long; close the device and "
                   "open it again",
                   what);
  case VK_ERROR_OUT_OF_DEVICE_MEMORY:
  case VK_ERROR_TOO_MANY_OBJECTS:
    return rp_fail(err, RP_ERR_DEVICE_MEMORY,
                   "%s: out of device memory; close other programs or lower the memory budget", what);
  case VK_ERROR_OUT_OF_HOST_MEMORY: return rp_fail(err, RP_ERR_MEMORY, "%s: out of host memory", what);
  case VK_ERROR_INVALID_EXTERNAL_HANDLE:
    return rp_fail(err, RP_ERR_ARGUMENT, "%s: the descriptor is no memory that this driver has shared", what);
  default: return rp_fail(err, RP_ERR_INTERNAL, "%s gave VkResult %d", what, (int)result);
  }
}

rp_status rp_vk_enter(rp_vk *vk, rp_error *err) {
  if (!atomic_load(&vk->lost)) return RP_OK;
  return rp_fail(err, RP_ERR_DEVICE_LOST, "Vulkan device was lost earlier; close the device and open it again");
}

void rp_vk_lock_queue(rp_vk *vk, VkQueue queue) {
  pthread_mutex_lock(&vk->queue_lock);
  if (vk->host.lock_queue) vk->host.lock_queue(vk->host.lock_user, (void *)queue);
}

void rp_vk_unlock_queue(rp_vk *vk, VkQueue queue) {
  if (vk->host.unlock_queue) vk->host.unlock_queue(vk->host.lock_user, (void *)queue);
  pthread_mutex_unlock(&vk->queue_lock);
}
