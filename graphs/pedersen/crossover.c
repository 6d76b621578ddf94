/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * From which width on the tree is taken. Measured with examples/tables.c (docs/sources.md): on a CPU the linear sum
 * wins at every width; on an H200 the tree does, but below a width of 8 every device takes the linear sum, as the
 * interface promises. Through Vulkan the tree wins there up to 128, the linear sum from 256 on: no threshold has both,
 * and 8 stays.
 */
#include <reprise/pedersen.h>

uint32_t rp_pedersen_crossover(rp_device_kind device) {
  static const uint32_t table[RP_DEVICE_KIND_COUNT] = {
      [RP_DEVICE_CPU] = UINT32_MAX, [RP_DEVICE_CUDA] = 8, [RP_DEVICE_VULKAN] = 8};
  const uint32_t width = (unsigned)device < RP_DEVICE_KIND_COUNT ? table[device] : 0;
  return width ? width : UINT32_MAX;
}
