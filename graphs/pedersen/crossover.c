/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * From which width on the tree is taken. Measured with examples/tables.c (docs/sources.md): on a CPU the linear sum wins at
 * every width, as in LP-165; on an H200 the tree does, but below LP-165's w* = 8 every device takes the linear sum. Through
 * Vulkan the tree wins there up to 128, the linear sum from 256 on: no threshold has both, and LP-165's stays.
 */
#include <reprise/pedersen.h>

uint32_t rp_pedersen_crossover(rp_device_kind device) {
  static const uint32_t table[RP_DEVICE_KIND_COUNT] = {
      [RP_DEVICE_CPU] = UINT32_MAX, [RP_DEVICE_CUDA] = 8, [RP_DEVICE_VULKAN] = 8};
  const uint32_t width = (unsigned)device < RP_DEVICE_KIND_COUNT ? table[device] : 0;
  return width ? width : UINT32_MAX;
}
