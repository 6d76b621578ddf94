/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Stands between the library and the driver while a device is opened, and pretends that the adapter lacks something, or
 * has a second queue family, for transfers alone. Programs that use this are linked with -Wl,--wrap (CMakeLists.txt).
 */
#ifndef REPRISE_TESTS_VULKAN_PRETEND_H
#define REPRISE_TESTS_VULKAN_PRETEND_H

#include "backends/vulkan/state.h"

/* X(feature struct, its member, Vulkan's name): the features that a device must have. */
#define PRETEND_FEATURES(X)                                  \
  X(v12, bufferDeviceAddress, "bufferDeviceAddress")         \
  X(v12, timelineSemaphore, "timelineSemaphore")             \
  X(v12, storageBuffer8BitAccess, "storageBuffer8BitAccess") \
  X(v12, shaderInt8, "shaderInt8")

typedef struct pretended_submit {
  int is_upload;
  uint32_t n;                 /* batches */
  VkSemaphore waits, signals; /* what the first batch waits for and the last one signals; NULL: none */
  uint64_t wait_value, signal_value;
} pretended_submit;
enum { MAX_SUBMITS = 256 };

typedef struct pretence {
  const char *lacks;    /* name of a feature; NULL: none */
  uint32_t api_version; /* 0 in this and the next two: as it is */
  uint32_t shared_bytes, max_group;
  int no_compute;
  int has_upload_family;           /* added behind the real ones */
  int interposed;                  /* interpose_into is called while the device is opened */
  int hardware;                    /* the adapter reports that it is a GPU */
  VkResult no_device, no_adapters; /* results of these calls; VK_SUCCESS: the real ones */
  VkResult no_version, no_instance;
  VkResult no_extensions; /* of the instance and of the device; a wrong list is written even if the call fails */
  /* Recorded by the functions that this replaces. */
  uint32_t instance_extensions; /* number enabled in the last instance */
  uint32_t instances;           /* that were made */
  uint32_t shared_buffers;      /* created for both families */
  pretended_submit submits[MAX_SUBMITS];
  uint32_t n_submits;
  uint32_t labels, open_labels; /* begun; not ended */
  char label[256];              /* the last one that was begun */
} pretence;

/* All zero: the device as it is. */
extern pretence pretend;

#endif
