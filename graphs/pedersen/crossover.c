/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * From which width on the tree is used, measured with examples/tables.c (docs/sources.md). On a CPU the linear sum is
 * faster at every width. On an H200 with CUDA the tree is; but below a width of 8 every device uses the linear sum, as
 * the interface promises. With Vulkan on an H200 the tree is faster up to 128, and the linear sum from 256 on: no
 * single threshold gives both, so it is 8 too.
 */
#include <reprise/pedersen.h>

uint32_t rp_pedersen_crossover(rp_device_kind device) {
  static const uint32_t table[RP_DEVICE_KIND_COUNT] = {
      [RP_DEVICE_CPU] = UINT32_MAX, [RP_DEVICE_CUDA] = 8, [RP_DEVICE_VULKAN] = 8};
  const uint32_t width = (unsigned)device < RP_DEVICE_KIND_COUNT ? table[device] : 0;
  return width ? width : UINT32_MAX;
}
