/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The writing half of json_values.h.
 */
#include "json_values.h"

#include "decimal.h"
#include "fail.h"

void g16_put_number(support_text *text, const uint8_t *le, uint32_t bytes) {
  char digits[G16_DECIMAL_DIGITS + 1];
  support_put(text, "\"");
  support_put_bytes(text, digits, g16_to_decimal(le, bytes, digits));
  support_put(text, "\"");
}

static void put_coordinate(support_text *text, const g16_family *family, const uint8_t *element) {
  uint64_t aligned[6], canonical[6];
  memcpy(aligned, element, family->fq_bytes);
  rp_field_get(family->fq)->to_canonical(canonical, aligned);
  g16_put_number(text, (const uint8_t *)canonical, family->fq_bytes);
}

void g16_put_element(support_text *text, const g16_family *family, const uint8_t *element, uint32_t degree, int depth) {
  if (degree == 1) {
    put_coordinate(text, family, element);
    return;
  }
  support_put(text, "[");
  for (uint32_t i = 0; i < degree; i++) {
    support_put_item(text, i == 0, depth + 1);
    put_coordinate(text, family, element + (size_t)i * family->fq_bytes);
  }
  support_put_close(text, "]", depth);
}

void g16_put_point(support_text *text, const g16_family *family, uint32_t degree, const void *point, int depth) {
  uint64_t zero[12] = {0}, one[12] = {0};
  uint32_t bytes = degree * family->fq_bytes;
  const uint8_t *x = point, *y = x + bytes, *z = (const uint8_t *)one;
  rp_field_get(family->fq)->one(one);
  if (memcmp(x, zero, bytes) == 0 && memcmp(y, zero, bytes) == 0) {
    y = z;
    z = (const uint8_t *)zero;
  }
  const uint8_t *const coordinate[3] = {x, y, z};
  support_put(text, "[");
  for (int i = 0; i < 3; i++) {
    support_put_item(text, i == 0, depth + 1);
    g16_put_element(text, family, coordinate[i], degree, depth + 1);
  }
  support_put_close(text, "]", depth);
}

rp_status g16_public_write(const uint8_t *values, size_t n, support_text *text, rp_error *err) {
  support_put(text, "[");
  for (size_t i = 0; i < n; i++) {
    support_put_item(text, i == 0, 1);
    g16_put_number(text, values + 32 * i, 32);
  }
  support_put_close(text, "]", 0); /* on a line of its own even for an empty list, as snarkjs writes it */
  return support_put_end(text, err);
}
