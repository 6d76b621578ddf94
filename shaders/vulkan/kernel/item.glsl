/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Kernels that are written once for CUDA and Vulkan: shaders/cuda/kernel/item.cuh says how.
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

#define RP_GROUP_ITEM(kernel, args) \
  RP_ARGS(args)                     \
  void main()

#define RP_GROUP_ARRAY(type, name, length) shared type name[length]
#define shared_add(number, x) atomicAdd(number, x)
#define GROUPS n_groups

#endif
