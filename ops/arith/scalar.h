/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * 256-bit scalars as integers of four 64-bit words, least significant first. Functions take variable time.
 */
#ifndef RP_CPU_SCALAR_H
#define RP_CPU_SCALAR_H

#include <stdbool.h>
#include <stdint.h>

enum { RP_NAF_DIGITS = 257 };

static inline bool rp_scalar_below(const uint64_t a[4], const uint64_t b[4]) {
  for (int i = 3; i >= 0; i--)
    if (a[i] != b[i]) return a[i] < b[i];
  return 0;
}

/* Bits [bit, bit + n) for n < 64; bits beyond the top are zero. */
static inline uint64_t rp_scalar_bits(const uint64_t a[4], uint32_t bit, uint32_t n) {
  uint32_t word = bit / 64, shift = bit % 64;
  uint64_t x;
  if (word > 3) return 0;
  x = a[word] >> shift;
  if (shift && word < 3) x |= a[word + 1] << (64 - shift);
  return x & (((uint64_t)1 << n) - 1);
}

/* The non-adjacent form of the given width: digits are zero, or odd with absolute value below 2^(width - 1); of `width`
 * consecutive digits at most one is not zero. Returns the index of the top digit, or -1 for zero; digits above it are
 * not written. */
static inline int rp_scalar_naf(int8_t naf[RP_NAF_DIGITS], const uint64_t a[4], uint32_t width) {
  uint32_t carry = 0;
  int top = -1;
  for (uint32_t bit = 0; bit < RP_NAF_DIGITS;) {
    uint32_t digit;
    if (rp_scalar_bits(a, bit, 1) == carry) {
      naf[bit++] = 0;
      continue;
    }
    digit = (uint32_t)rp_scalar_bits(a, bit, width) + carry;
    carry = digit >> (width - 1);
    top = (int)bit;
    naf[bit++] = (int8_t)((int)digit - (int)(carry << width));
    for (uint32_t i = 1; i < width && bit < RP_NAF_DIGITS; i++) naf[bit++] = 0;
  }
  return top;
}

#endif
