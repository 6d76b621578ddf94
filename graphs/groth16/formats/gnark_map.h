/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Maps of wires, one byte per wire: 1 if it has no point, else 0. They have as many bytes as the circuit has wires, and
 * are read before anything can go to a device; so eight at a time.
 */
#ifndef REPRISE_GROTH16_GNARK_MAP_H
#define REPRISE_GROTH16_GNARK_MAP_H

#include "formats/fail.h"

/* Whether n bytes are 0 or 1. */
static inline bool g16_map_is_valid(const uint8_t *map, uint64_t n) {
  uint64_t any = 0, i = 0;
  for (; i + 8 <= n; i += 8) any |= g16_u64(map + i);
  for (; i < n; i++) any |= map[i];
  return (any & ~UINT64_C(0x0101010101010101)) == 0;
}

/* The number of ones among n bytes. */
static inline uint64_t g16_map_count(const uint8_t *map, uint64_t n) {
  uint64_t ones = 0, i = 0;
  for (; i + 8 <= n; i += 8) ones += g16_u64(map + i) * UINT64_C(0x0101010101010101) >> 56;
  for (; i < n; i++) ones += map[i];
  return ones;
}

/* Bit k is byte k, of n <= 32 bytes; the bits behind them are 0. Of the product's terms 2^(8 k + 7 (j + 1)), no two are
 * equal, and those with j = 7 - k make its highest byte. */
static inline uint32_t g16_map_bits(const uint8_t *map, uint32_t n) {
  uint32_t bits = 0, i = 0;
  for (; i + 8 <= n; i += 8) bits |= (uint32_t)(g16_u64(map + i) * UINT64_C(0x0102040810204080) >> 56) << i;
  for (; i < n; i++) bits |= (uint32_t)map[i] << i;
  return bits;
}

#endif
