/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A point times a scalar, four bits per step. ADD and DOUBLE are additions by one thread or by a quad.
 */
#ifndef REPRISE_VULKAN_POINTS_SCALAR_MUL_GLSL
#define REPRISE_VULKAN_POINTS_SCALAR_MUL_GLSL

/* First the multiples up to fifteen, then for each digit four doublings and an addition: one place for both. The array
 * holds all of it, so that a step has no more values at hand than an addition. */
#define RESULT 16
acc multiply(uint s[8], aff p) {
  acc t[17];
  t[0] = acc_zero();
  t[1] = acc_from_aff(p);
  t[RESULT] = acc_zero();
  for (int step = -14; step < 64; step++) {
    int to = step + 16, from = to - 1;
    uint other = 1;
    if (step >= 0) {
      to = from = RESULT;
      other = s[(63 - step) / 8] >> (63 - step) % 8 * 4 & 15;
      for (int j = 0; j < 4 && step > 0; j++) t[RESULT] = DOUBLE(t[RESULT]);
    }
    t[to] = ADD(t[from], t[other]);
  }
  return t[RESULT];
}

#endif
