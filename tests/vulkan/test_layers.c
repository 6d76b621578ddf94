/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Makes mistakes that the validation layer must report, through the device's own functions. This shows that a run
 * without messages means something (must_complain.sh).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "backends/vulkan/state.h"
#include "device.h"

/* A copy whose result the next copy reads without a barrier between, and a copy of no bytes. */
static void two_mistakes(void **state) {
  (void)state;
  rp_context *context;
  rp_device *device;
  const rp_device_options options = {.struct_size = sizeof options, .kind = RP_DEVICE_VULKAN};
  assert_int_equal(rp_context_create(NULL, &context, NULL), RP_OK);
  assert_int_equal(rp_device_open(context, &options, &device, NULL), RP_OK);
  rp_vk *vk = device->state;
  rp_memory memory;
  assert_int_equal(rp_vk_memory_alloc(vk, RP_MEMORY_DEVICE, 4096, &memory, NULL), RP_OK);
  const rp_vk_block *block = rp_vk_block_of(&memory);
  const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  const VkCommandBuffer commands = vk->transfer_commands;
  assert_int_equal(vk->fn.vkBeginCommandBuffer(commands, &begin), VK_SUCCESS);
  for (uint32_t i = 0; i < 2; i++) {
    const VkBufferCopy copy = {
        .srcOffset = block->offset + 256 * i, .dstOffset = block->offset + 256 * (i + 1), .size = 256};
    vk->fn.vkCmdCopyBuffer(commands, block->buffer, block->buffer, 1, &copy);
  }
  const VkBufferCopy nothing = {.srcOffset = block->offset, .dstOffset = block->offset + 1024, .size = 0};
  vk->fn.vkCmdCopyBuffer(commands, block->buffer, block->buffer, 1, &nothing);
  assert_int_equal(vk->fn.vkEndCommandBuffer(commands), VK_SUCCESS);
  rp_vk_memory_free(vk, &memory);
  rp_device_close(device);
  rp_context_destroy(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(two_mistakes)};
  return cmocka_run_group_tests_name("vulkan layers", tests, NULL, NULL);
}
