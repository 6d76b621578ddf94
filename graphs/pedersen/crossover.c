/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * From which width on the tree is taken (LP-165: w* = 8 on GPUs, and the CPU always linear).
 */
#include <reprise/pedersen.h>

uint32_t rp_pedersen_crossover(rp_device_kind device) {
  static const uint32_t table[RP_DEVICE_KIND_COUNT] = {
      [RP_DEVICE_CPU] = UINT32_MAX, [RP_DEVICE_CUDA] = 8, [RP_DEVICE_VULKAN] = 8};
  const uint32_t width = (unsigned)device < RP_DEVICE_KIND_COUNT ? table[device] : 0;
  return width ? width : UINT32_MAX;
}
