/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Reads behind the end of a buffer, which GPU-assisted validation must report. This shows that its silence elsewhere
 * means something (must_complain.sh). The layer omits the access itself.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "backends/vulkan/state.h"
#include "device.h"

#include "backends/vulkan/bind_args.h"

enum { BYTES = 4 << 20 }; /* large enough for a buffer of its own */

extern const uint32_t reprise_vulkan_bind_copy[];
static const rp_kernel kernel = {.struct_size = sizeof(rp_kernel),
                                 .name = "bind_copy",
                                 .args_bytes = sizeof(struct rp_bind_copy_args),
                                 .n_binds = 3,
                                 .vulkan = {.spirv = reprise_vulkan_bind_copy, .group = RP_BIND_GROUP}};

static void run(rp_vk *vk, const struct rp_bind_copy_args *args) {
  const rp_kernel *const kernels[] = {&kernel};
  const VkCommandBuffer c = vk->transfer_commands;
  const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  const uint32_t head[2] = {0, 1};
  const uint64_t value = ++vk->transfer_value;
  const VkTimelineSemaphoreSubmitInfo timeline = {.sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
                                                  .signalSemaphoreValueCount = 1,
                                                  .pSignalSemaphoreValues = &value};
  const VkSubmitInfo submit = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                               .pNext = &timeline,
                               .commandBufferCount = 1,
                               .pCommandBuffers = &c,
                               .signalSemaphoreCount = 1,
                               .pSignalSemaphores = &vk->transfer_done};
  assert_int_equal(rp_vk_compile(vk, kernels, 1, NULL), RP_OK);
  assert_int_equal(vk->fn.vkBeginCommandBuffer(c, &begin), VK_SUCCESS);
  vk->fn.vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_COMPUTE, rp_vk_pipeline_of(vk, &kernel));
  vk->fn.vkCmdPushConstants(c, vk->layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof head, head);
  vk->fn.vkCmdPushConstants(c, vk->layout, VK_SHADER_STAGE_COMPUTE_BIT, RP_VK_PUSH_HEAD, sizeof *args, args);
  vk->fn.vkCmdDispatch(c, 1, 1, 1);
  assert_int_equal(vk->fn.vkEndCommandBuffer(c), VK_SUCCESS);
  assert_int_equal(vk->fn.vkQueueSubmit(vk->queue, 1, &submit, VK_NULL_HANDLE), VK_SUCCESS);
  assert_int_equal(rp_vk_wait_for(vk, vk->transfer_done, value, UINT64_MAX, NULL), RP_OK);
}

static void behind_the_end(void **state) {
  (void)state;
  rp_context *context;
  rp_device *device;
  const rp_device_options options = {.struct_size = sizeof options, .kind = RP_DEVICE_VULKAN};
  assert_int_equal(rp_context_create(NULL, &context, NULL), RP_OK);
  assert_int_equal(rp_device_open(context, &options, &device, NULL), RP_OK);
  rp_vk *vk = device->state;
  rp_memory memory;
  assert_int_equal(rp_vk_memory_alloc(vk, RP_MEMORY_DEVICE, BYTES, &memory, NULL), RP_OK);
  const struct rp_bind_copy_args args = {.value = (void *)(uintptr_t)memory.address,
                                         .word = (void *)(uintptr_t)memory.address,
                                         .record = (void *)(uintptr_t)(memory.address + BYTES),
                                         .is_output = 1};
  run(vk, &args);
  rp_vk_memory_free(vk, &memory);
  rp_device_close(device);
  rp_context_destroy(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(behind_the_end)};
  return cmocka_run_group_tests_name("vulkan layers, addresses", tests, NULL, NULL);
}
