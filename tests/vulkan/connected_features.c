/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * What test_connected.c asks of devices that the caller has created: their features.
 */
#include "work.h"
#include "program.h"
#include "recording.h"
#include <reprise/host_program.h>

void features_are_read(void **state);

/* The features are found in all forms that they have, and those that are missing are named. */
void features_are_read(void **state) {
  (void)state;
  char missing[256];
  bool int64;
  VkPhysicalDeviceShaderFloat16Int8Features int8 = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_FLOAT16_INT8_FEATURES, .shaderInt8 = VK_TRUE};
  VkPhysicalDevice8BitStorageFeatures storage = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_8BIT_STORAGE_FEATURES,
                                                 .pNext = &int8,
                                                 .storageBuffer8BitAccess = VK_TRUE};
  VkPhysicalDeviceTimelineSemaphoreFeatures timeline = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES,
      .pNext = &storage,
      .timelineSemaphore = VK_TRUE};
  VkPhysicalDeviceBufferDeviceAddressFeatures address = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES,
      .pNext = &timeline,
      .bufferDeviceAddress = VK_TRUE};
  VkPhysicalDeviceFeatures2 all = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .pNext = &address};
  rp_vk_read_features(&all, missing, sizeof missing, &int64);
  assert_string_equal(missing, "");
  assert_int_equal(int64, 0);
  all.features.shaderInt64 = VK_TRUE;
  timeline.timelineSemaphore = VK_FALSE;
  storage.pNext = NULL;
  rp_vk_read_features(&all, missing, sizeof missing, &int64);
  assert_string_equal(missing, "timelineSemaphore, shaderInt8");
  assert_int_equal(int64, 1);
  bench own;
  rp_device *device = NULL;
  rp_error err = {0};
  bench_open(&own);
  rp_vk *vk = own.device->state;
  const rp_device_options options = {.struct_size = sizeof options,
                                     .kind = RP_DEVICE_VULKAN,
                                     .native = {vk->instance, vk->adapter, vk->device, vk->queue},
                                     .native_index = vk->family};
  const rp_host_device host = {.struct_size = sizeof host, .vulkan_features = &all};
  EXPECT(RP_ERR_UNSUPPORTED, rp_device_open_for(own.context, &options, &host, &device, &err), &err);
  assert_non_null(strstr(err.reason, "without the features timelineSemaphore, shaderInt8"));
  assert_null(device);
  bench_close(&own);
}
