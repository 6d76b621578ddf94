/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Replaces the Vulkan backend in a library that is built without it.
 */
#include "backend.h"

#include <stdio.h>

static const char why[] =
    "this library was built without the Vulkan backend: build it with -DREPRISE_VULKAN=ON, which needs the packages "
    "libvulkan-dev, glslc and spirv-tools";

static rp_status enumerate(rp_context *context, rp_device_info *infos, uint32_t capacity, uint32_t *count) {
  (void)context;
  *count = 1;
  if (capacity == 0) return RP_OK;
  infos[0] = (rp_device_info){.kind = RP_DEVICE_VULKAN};
  snprintf(infos[0].name, sizeof infos[0].name, "Vulkan");
  snprintf(infos[0].reason, sizeof infos[0].reason, "%s", why);
  return RP_OK;
}

static rp_status open_device(rp_context *context, const rp_device_options *options, void **state, rp_device_info *info,
                             rp_error *err) {
  (void)context, (void)options, (void)state, (void)info;
  return rp_fail(err, RP_ERR_UNAVAILABLE, "%s", why);
}

const rp_backend rp_backend_vulkan = {
    .name = "vulkan", .kind = RP_DEVICE_VULKAN, .enumerate = enumerate, .open = open_device};
