/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Orders of indices that lowerings and kernels must agree on.
 */
#ifndef REPRISE_OPS_BITS_H
#define REPRISE_OPS_BITS_H

#include <stdint.h>

/* The lowest `bits` bits of x in reverse order. */
static inline uint32_t rp_bit_reverse(uint32_t x, uint32_t bits) {
  x = (x & 0x55555555u) << 1 | (x >> 1 & 0x55555555u);
  x = (x & 0x33333333u) << 2 | (x >> 2 & 0x33333333u);
  x = (x & 0x0f0f0f0fu) << 4 | (x >> 4 & 0x0f0f0f0fu);
  x = x << 24 | (x & 0xff00u) << 8 | (x >> 8 & 0xff00u) | x >> 24;
  return bits ? x >> (32 - bits) : 0;
}

#endif
