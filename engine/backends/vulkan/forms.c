/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Which form of a kernel a device gets if the kernel has both: with 64-bit integers, or without.
 */
#include "state.h"

#include <stdlib.h>
#include <string.h>

/* The faster form by driver, measured (docs/notes/vulkan-arithmetic.md has the figures). A driver that is not listed
 * gets the 64-bit form if it supports 64-bit integers: a product then takes 171 multiply-adds of 32 by 32 into 64 bits
 * without carries, instead of 256 products of 32 bits with their carries. */
static const struct {
  VkDriverId driver;
  bool int64;
} measured[] = {
    {VK_DRIVER_ID_MESA_LLVMPIPE, 1},
    {VK_DRIVER_ID_NVIDIA_PROPRIETARY, 1},
};

static bool forced_to(const char *value) {
  const char *forced = getenv("REPRISE_VULKAN_INT64");
  return forced && !strcmp(forced, value);
}

bool rp_vk_int64_is_forced(void) { return forced_to("1"); }

bool rp_vk_takes_int64(VkDriverId driver, bool offered) {
  if (forced_to("0")) return 0;
  if (forced_to("1")) return offered;
  for (size_t i = 0; i < sizeof measured / sizeof *measured; i++)
    if (measured[i].driver == driver) return offered && measured[i].int64;
  return offered;
}
