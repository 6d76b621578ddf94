/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Accumulator points to affine form, with one inversion per workgroup.
 */
#ifndef REPRISE_VULKAN_AFFINE_GLSL
#define REPRISE_VULKAN_AFFINE_GLSL

#include "arith/curve.glsl"
#include "arith/group_inverse.glsl"

/* p in affine form. All threads of the workgroup call together. A denominator of zero, which is that of infinity,
 * counts as 1. */
aff group_to_affine(acc p) {
  const fe denominator = ACC_DENOMINATOR(p);
  return acc_to_aff_with(p, group_inverse(fe_select(fe_is_zero(denominator), denominator, fe_one())));
}

#endif
