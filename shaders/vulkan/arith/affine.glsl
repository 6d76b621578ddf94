/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Accumulator points to affine form, with one inversion a workgroup.
 */
#ifndef REPRISE_VULKAN_AFFINE_GLSL
#define REPRISE_VULKAN_AFFINE_GLSL

#include "arith/curve.glsl"
#include "kernel/group_inverse.glsl"

/* All threads call together. Points at infinity take part with one. */
aff group_to_affine(acc p) {
  const fe denominator = ACC_DENOMINATOR(p);
  return acc_to_aff_with(p, group_inverse(fe_select(fe_is_zero(denominator), denominator, fe_one())));
}

#endif
