/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "decimal.h"

#include "fail.h"

__extension__ typedef unsigned __int128 u128;

enum { LIMBS = G16_DECIMAL_BYTES / 8, CHUNK = 19 /* digits that always fit into 64 bits */ };
static const uint64_t chunk_base = 10000000000000000000u;

size_t g16_to_decimal(const uint8_t *le, uint32_t bytes, char *text) {
  uint64_t limb[LIMBS];
  uint32_t n = bytes / 8;
  char digits[G16_DECIMAL_DIGITS + CHUNK];
  size_t at = sizeof digits;
  for (uint32_t i = 0; i < n; i++) limb[i] = g16_u64(le + (size_t)8 * i);
  while (n && limb[n - 1] == 0) n--;
  while (n) {
    uint64_t rest = 0;
    for (uint32_t i = n; i-- > 0;) {
      u128 part = (u128)rest << 64 | limb[i];
      limb[i] = (uint64_t)(part / chunk_base);
      rest = (uint64_t)(part % chunk_base);
    }
    while (n && limb[n - 1] == 0) n--;
    for (int i = 0; i < CHUNK && (n || rest); i++, rest /= 10) digits[--at] = (char)('0' + rest % 10);
  }
  if (at == sizeof digits) digits[--at] = '0';
  size_t length = sizeof digits - at;
  memcpy(text, digits + at, length);
  text[length] = 0;
  return length;
}

/* limb = limb * factor + term; false if it does not fit. */
static bool multiply_add(uint64_t *limb, uint32_t n, uint64_t factor, uint64_t term) {
  for (uint32_t i = 0; i < n; i++) {
    u128 part = (u128)limb[i] * factor + term;
    limb[i] = (uint64_t)part;
    term = (uint64_t)(part >> 64);
  }
  return term == 0;
}

static int digit_value(char c, uint64_t base) {
  int value = c >= '0' && c <= '9'   ? c - '0'
              : c >= 'a' && c <= 'f' ? c - 'a' + 10
              : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                     : 16;
  return (uint64_t)value < base ? value : -1;
}

bool g16_from_decimal(const char *text, size_t length, uint8_t *le, uint32_t bytes) {
  uint64_t limb[LIMBS] = {0}, base = 10;
  uint32_t n = bytes / 8;
  if (length > 2 && text[0] == '0' && text[1] == 'x') {
    base = 16;
    text += 2;
    length -= 2;
  }
  if (length == 0) return 0;
  while (length) {
    uint64_t value = 0, factor = 1;
    size_t part = length < (base == 10 ? CHUNK : 15) ? length : (base == 10 ? CHUNK : 15);
    for (size_t i = 0; i < part; i++, factor *= base) {
      int digit = digit_value(text[i], base);
      if (digit < 0) return 0;
      value = value * base + (uint64_t)digit;
    }
    if (!multiply_add(limb, n, factor, value)) return 0;
    text += part;
    length -= part;
  }
  for (uint32_t i = 0; i < bytes; i++) le[i] = (uint8_t)(limb[i / 8] >> (i % 8 * 8));
  return 1;
}
