/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Scalar multiplication on eight lanes with one point per lane: windows of four bits with digits from -8 to 7, so that
 * all lanes double and add together, and multiples in affine form. Included by scalar_mul_cpu_tmpl.c. Variable time.
 */
#ifndef REPRISE_OPS_CPU_SCALAR_MUL8_H
#define REPRISE_OPS_CPU_SCALAR_MUL8_H

enum { DIGIT_BITS = 4, DIGITS = 256 / DIGIT_BITS + 1, MULTIPLES = 1 << (DIGIT_BITS - 1) };

#if CURVE_EDWARDS
#include "points/multiples8_edwards.h"
#else
#include "points/multiples8.h"
#endif

typedef int8_t digits8[DIGITS][8]; /* [k][lane], least significant first */

/* Writes the digits of a scalar to a lane. Returns the index of the top nonzero digit, or -1. */
static int digits8_of(digits8 digit, uint64_t lane, const uint64_t scalar[4]) {
  uint64_t carry = 0;
  int top = -1;
  for (int k = 0; k < DIGITS; k++) {
    uint64_t x = (k < DIGITS - 1 ? scalar[k / 16] >> DIGIT_BITS * (k % 16) & 15 : 0) + carry;
    carry = x >= MULTIPLES;
    digit[k][lane] = (int8_t)((int)x - (carry ? 2 * MULTIPLES : 0));
    if (digit[k][lane]) top = k;
  }
  return top;
}

/* In each lane, the sum of its points (one in each of `groups` groups of eight) times their scalars. Digits above `top`
 * must be zero. */
static void digits8_sum(sum8 *r, const multiples8 *table, const digits8 *digit, uint32_t groups, int top) {
  sum8_zero(r);
  for (int k = top; k >= 0; k--) {
    for (int i = 0; i < DIGIT_BITS && k < top; i++) sum8_dbl(r, r);
    for (uint32_t g = 0; g < groups; g++) multiples8_add(r, &table[g], digit[g][k]);
  }
}

#endif
