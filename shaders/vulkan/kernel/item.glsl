/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Kernels that are written once for CUDA and Vulkan, item by item: shaders/cuda/kernel/item.cuh says how.
 */
#ifndef REPRISE_VULKAN_ITEM_GLSL
#define REPRISE_VULKAN_ITEM_GLSL

#include "kernel/kernel.glsl"

#include "kernel/fault.glsl"

#define RP_ITEM(kernel, args) \
  RP_ARGS(args)               \
  void item(uint32_t i);      \
  void main() {               \
    const uint32_t i = INDEX; \
    if (i < k.n) item(i);     \
  }                           \
  void item(uint32_t i)

#endif
