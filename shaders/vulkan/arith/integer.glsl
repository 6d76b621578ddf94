/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Elements of integers that need not be below the modulus.
 */
#ifndef REPRISE_VULKAN_INTEGER_GLSL
#define REPRISE_VULKAN_INTEGER_GLSL

#include "arith/field.glsl"

bool below_p(fp x) {
  uint c = 0, difference;
  [[unroll]] for (int i = 0; i < FP_N; i++) SUB_BORROW(difference, x.v[i], FP_MODULUS_32[i], c)
  return c != 0;
}

/* The element of any integer that fits in the limbs. */
fp fp_of_integer(fp x) {
#if FP_MONTGOMERY
  fp r2;
  [[unroll]] for (int i = 0; i < FP_N; i++) r2.v[i] = FP_R2_32[i];
  return fp_mul(r2, x); /* the second factor may be above p: (r2 x + m p) / R stays below 2p */
#else
  return fp_sub(x, fp_select(below_p(x), fp_modulus(), fp_zero()));
#endif
}

#endif
