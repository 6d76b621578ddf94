/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Timeline semaphores.
 */
#include "state.h"

#include <string.h>

rp_status rp_vk_create_timeline(rp_vk *vk, VkSemaphore *semaphore, rp_error *err) {
  const VkSemaphoreTypeCreateInfo type = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
                                          .semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE};
  const VkSemaphoreCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO, .pNext = &type};
  return RP_VK(vk, err, vkCreateSemaphore, vk->device, &info, NULL, semaphore);
}

/* Returns false if there is no memory for it. */
static bool keep(rp_vk *vk, VkSemaphore semaphore) {
  pthread_mutex_lock(&vk->lock);
  if (vk->n_kept == vk->kept_capacity) {
    const uint32_t capacity = vk->kept_capacity ? 2 * vk->kept_capacity : 64;
    VkSemaphore *more = rp_host_alloc(vk->context, capacity * sizeof *more, _Alignof(VkSemaphore));
    if (more) {
      if (vk->n_kept) memcpy(more, vk->kept, vk->n_kept * sizeof *more);
      rp_host_free(vk->context, vk->kept, vk->kept_capacity * sizeof *more);
      vk->kept = more;
      vk->kept_capacity = capacity;
    }
  }
  const bool room = vk->n_kept < vk->kept_capacity;
  if (room) vk->kept[vk->n_kept++] = semaphore;
  pthread_mutex_unlock(&vk->lock);
  return room;
}

void rp_vk_destroy_timeline(rp_vk *vk, VkSemaphore semaphore) {
  if (semaphore && vk->is_software && keep(vk, semaphore)) return;
  vk->fn.vkDestroySemaphore(vk->device, semaphore, NULL);
}

void rp_vk_destroy_kept(rp_vk *vk) {
  for (uint32_t q = 0; q < vk->n_queues && vk->n_kept; q++) {
    rp_vk_lock_queue(vk, vk->queues[q]);
    (void)vk->fn.vkQueueWaitIdle(vk->queues[q]);
    rp_vk_unlock_queue(vk, vk->queues[q]);
  }
  for (uint32_t i = 0; i < vk->n_kept; i++) vk->fn.vkDestroySemaphore(vk->device, vk->kept[i], NULL);
  rp_host_free(vk->context, vk->kept, vk->kept_capacity * sizeof *vk->kept);
}

rp_status rp_vk_wait_for(rp_vk *vk, VkSemaphore semaphore, uint64_t value, uint64_t timeout_ns, rp_error *err) {
  const VkSemaphoreWaitInfo info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO,
                                    .semaphoreCount = 1,
                                    .pSemaphores = &semaphore,
                                    .pValues = &value};
  const VkResult result = vk->fn.vkWaitSemaphores(vk->device, &info, timeout_ns);
  if (result == VK_TIMEOUT) return RP_ERR_TIMEOUT;
  const rp_status status = rp_vk_check(vk, result, "vkWaitSemaphores", err);
  if (status != RP_OK) atomic_store(&vk->lost, 1);
  return status;
}
