/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Maps of wires, eight at a time, against the same wire by wire, for all lengths up to some words, at any address.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "groth16/formats/gnark_map.h"

enum { MOST = 75, ADDRESSES = 8, KINDS = 6 };

static uint64_t seed;

static uint64_t next(void) { /* splitmix64: Steele, Lea, Flood 2014 */
  uint64_t z = seed += 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return z ^ z >> 31;
}

/* All zero, all one, a single one, a single zero, long runs, random; what surrounds it is neither 0 nor 1. */
static uint8_t *fill(uint8_t memory[MOST + ADDRESSES + 8], uint32_t address, uint32_t n, int kind) {
  uint8_t *map = memory + address;
  const uint64_t one = n ? next() % n : 0;
  memset(memory, 0xff, MOST + ADDRESSES + 8);
  for (uint32_t i = 0; i < n; i++)
    map[i] = kind == 0   ? 0
             : kind == 1 ? 1
             : kind == 2 ? i == one
             : kind == 3 ? i != one
             : kind == 4 ? i / 13 % 2
                         : (uint8_t)(next() & 1);
  return map;
}

static void as_wire_by_wire(void **state) {
  uint8_t memory[MOST + ADDRESSES + 8];
  (void)state;
  for (uint32_t n = 0; n <= MOST; n++)
    for (uint32_t address = 0; address < ADDRESSES; address++)
      for (int kind = 0; kind < KINDS; kind++) {
        const uint8_t *map = fill(memory, address, n, kind);
        uint64_t ones = 0;
        uint32_t bits = 0;
        for (uint32_t i = 0; i < n; i++) ones += map[i];
        for (uint32_t i = 0; i < n && i < 32; i++) bits |= (uint32_t)map[i] << i;
        assert_true(g16_map_is_valid(map, n));
        assert_int_equal(g16_map_count(map, n), ones);
        assert_int_equal(g16_map_bits(map, n < 32 ? n : 32), bits);
      }
}

static void any_other_value_is_found(void **state) {
  uint8_t memory[MOST + ADDRESSES + 8];
  (void)state;
  for (uint32_t n = 1; n <= MOST; n++)
    for (uint32_t at = 0; at < n; at++)
      for (int bit = 1; bit < 8; bit++) {
        uint8_t *map = fill(memory, at % ADDRESSES, n, KINDS - 1);
        map[at] |= (uint8_t)(1 << bit);
        assert_false(g16_map_is_valid(map, n));
      }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(as_wire_by_wire), cmocka_unit_test(any_other_value_is_found)};
  return cmocka_run_group_tests_name("maps of wires", tests, NULL, NULL);
}
