/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "calldata.h"

#include <string.h>

enum { WORD = 32 };

void g16_put_word(support_text *text, const char *mark, const uint8_t le[32]) {
  static const char digit[] = "0123456789abcdef";
  char hex[2 * WORD + 1];
  for (int i = 0; i < WORD; i++) {
    const uint8_t byte = le[WORD - 1 - i];
    hex[2 * i] = digit[byte >> 4];
    hex[2 * i + 1] = digit[byte & 15];
  }
  hex[2 * WORD] = 0;
  support_put(text, mark);
  support_put(text, "0x");
  support_put(text, hex);
  support_put(text, mark);
}

void g16_put_coordinate_word(support_text *text, const char *mark, const uint8_t *coordinate) {
  uint64_t aligned[4], canonical[4];
  memcpy(aligned, coordinate, sizeof aligned);
  rp_field_get(RP_FIELD_BN254_FP)->to_canonical(canonical, aligned);
  g16_put_word(text, mark, (const uint8_t *)canonical);
}

void g16_put_words(support_text *text, const char *mark, const uint8_t *values, size_t n) {
  support_put(text, "[");
  for (size_t i = 0; i < n; i++) {
    if (i != 0) support_put(text, ",");
    g16_put_word(text, mark, values + WORD * i);
  }
  support_put(text, "]");
}
