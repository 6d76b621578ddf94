/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Prime fields below 2^31 in Montgomery form, R = 2^32, one word per element, with the same functions as fp.glsl. Of x
 * and x - p, the one that did not wrap is the smaller.
 */
#ifndef REPRISE_VULKAN_FP_SMALL_GLSL
#define REPRISE_VULKAN_FP_SMALL_GLSL

#include "arith/limbs.glsl"

#define FP_N 1
#define FP_P FP_MODULUS_32[0]

struct fp {
  uint v[1];
};

fp fp_of_word(uint x) { return fp(uint[1](x)); }
fp fp_zero() { return fp_of_word(0); }
fp fp_one() { return fp_of_word(FP_ONE_32[0]); }
bool fp_is_zero(fp a) { return a.v[0] == 0; }
bool fp_equal(fp a, fp b) { return a.v[0] == b.v[0]; }
fp fp_select(bool take, fp a, fp b) { return fp_of_word(take ? b.v[0] : a.v[0]); }

fp fp_add(fp a, fp b) {
  const uint t = a.v[0] + b.v[0];
  return fp_of_word(min(t, t - FP_P));
}

fp fp_sub(fp a, fp b) {
  const uint t = a.v[0] - b.v[0];
  return fp_of_word(min(t, t + FP_P));
}

/* One of the factors may be any word. The low words of the product and of m p cancel; they carry unless both are
 * zero. */
fp fp_mul(fp a, fp b) {
  uint high, low, more, unused;
  umulExtended(a.v[0], b.v[0], high, low);
  umulExtended(low * FP_N0_32, FP_P, more, unused);
  const uint q = high + more + uint(low != 0);
  return fp_of_word(min(q, q - FP_P));
}

fp fp_sqr(fp a) { return fp_mul(a, a); }

#endif
