/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Helpers for reporting errors, and others that every reader needs.
 */
#ifndef REPRISE_FORMATS_FAIL_H
#define REPRISE_FORMATS_FAIL_H

#include "job.h"
#include "text/error.h"

#include <stdbool.h>
#include <string.h>

/* Little-endian integers at any alignment. */
static inline uint32_t g16_u32(const uint8_t *p) {
  return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}
static inline uint64_t g16_u64(const uint8_t *p) { return (uint64_t)g16_u32(p) | (uint64_t)g16_u32(p + 4) << 32; }

/* Whether the little-endian integer a is below b. `bytes` is a multiple of 8. Variable time. */
static inline bool g16_below(const uint8_t *a, const uint8_t *b, uint32_t bytes) {
  for (uint32_t i = bytes; i != 0; i -= 8) {
    uint64_t x = g16_u64(a + i - 8), y = g16_u64(b + i - 8);
    if (x != y) return x < y;
  }
  return 0;
}

/* Whether a point in its memory form is infinity: all zero. `bytes` is a multiple of 8. Variable time. */
static inline bool g16_is_infinity(const uint8_t *point, uint32_t bytes) {
  for (uint32_t i = 0; i < bytes; i += 8)
    if (g16_u64(point + i) != 0) return 0;
  return 1;
}

/* The same as g16_below in constant time, for the values of a witness. */
static inline int g16_below_ct(const uint8_t *a, const uint8_t *b, uint32_t bytes) {
  uint64_t borrow = 0;
  for (uint32_t i = 0; i < bytes; i += 8) {
    uint64_t x = g16_u64(a + i), y = g16_u64(b + i), d = x - y;
    borrow = (uint64_t)(x < y) | ((uint64_t)(d < borrow));
  }
  return (int)borrow;
}

#endif
