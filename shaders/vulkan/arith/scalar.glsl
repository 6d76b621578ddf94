/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef REPRISE_VULKAN_SCALAR_GLSL
#define REPRISE_VULKAN_SCALAR_GLSL

#include "curve_params.glsl"

/* s gets the words of scalar i, a canonical integer. False if it is not below the group order. */
bool scalar_load(inout uint s[8], addr scalars, uint i) {
  const addr words = at(scalars, i, 32);
  bool below = false, decided = false;
  [[unroll]] for (int j = 7; j >= 0; j--) {
    s[j] = load_u32(words, j);
    uint o = 0;
    if (j < 2 * CURVE_SCALAR_LIMBS) o = CURVE_ORDER_32[j];
    if (!decided && s[j] != o) decided = true, below = s[j] < o;
  }
  return below;
}

#endif
