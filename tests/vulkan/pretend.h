/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Stands between the library and the driver while a device is opened: the adapter lacks something, or has a second
 * queue family, for transfers alone. What a test is to see so is linked with -Wl,--wrap (CMakeLists.txt).
 */
#ifndef REPRISE_TESTS_VULKAN_PRETEND_H
#define REPRISE_TESTS_VULKAN_PRETEND_H

#include "backends/vulkan/state.h"

/* X(member of the feature structs, Vulkan's name): what a device cannot do without. */
#define PRETEND_FEATURES(X)                                  \
  X(v12, bufferDeviceAddress, "bufferDeviceAddress")         \
  X(v12, timelineSemaphore, "timelineSemaphore")             \
  X(v12, storageBuffer8BitAccess, "storageBuffer8BitAccess") \
  X(v12, shaderInt8, "shaderInt8")

typedef struct pretended_submit {
  int is_upload;
  uint32_t n;                 /* batches */
  VkSemaphore waits, signals; /* the first batch's wait and the last batch's signal; NULL: none */
  uint64_t wait_value, signal_value;
} pretended_submit;
enum { MAX_SUBMITS = 256 };

typedef struct pretence {
  const char *lacks;    /* feature */
  uint32_t api_version; /* 0, and below: as it is */
  uint32_t shared_bytes, max_group;
  int no_compute;
  int has_upload_family;           /* behind the real ones */
  int interposed;                  /* interpose.h is let in while the device is opened */
  int hardware;                    /* the adapter is no software */
  VkResult no_device, no_adapters; /* what creating a device, listing adapters gives; VK_SUCCESS: as it is */
  VkResult no_version, no_instance;
  VkResult no_extensions; /* of the instance and of the device; a list that is wrong is written all the same */
  /* What was seen, since the device was opened. */
  uint32_t instance_extensions; /* that the last instance was asked for with */
  uint32_t shared_buffers;      /* created for both families */
  pretended_submit submits[MAX_SUBMITS];
  uint32_t n_submits;
  uint32_t labels, open_labels; /* begun; not ended */
  char label[256];              /* the last one that was begun */
} pretence;

/* All zero: as it is. */
extern pretence pretend;

#endif
