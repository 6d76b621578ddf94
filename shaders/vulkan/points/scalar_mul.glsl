/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A point times a scalar, four bits per step. ADD and DOUBLE are the point operations of one thread or of a quad.
 */
#ifndef REPRISE_VULKAN_POINTS_SCALAR_MUL_GLSL
#define REPRISE_VULKAN_POINTS_SCALAR_MUL_GLSL

/* The first steps compute the multiples up to fifteen, the others process one digit each, with four doublings and an
 * addition; both use the same addition. All points are in the array, so that a step keeps no more in registers than an
 * addition needs. */
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
