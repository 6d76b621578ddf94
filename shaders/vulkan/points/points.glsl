/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Reads points of either form, as accumulators.
 */
#ifndef REPRISE_VULKAN_POINTS_POINTS_GLSL
#define REPRISE_VULKAN_POINTS_POINTS_GLSL

acc load(addr array, uint i, uint affine) {
  return affine != 0 ? acc_from_aff(aff_load(array, i)) : acc_load(array, i);
}

#endif
