/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Reading tests/data.
 */
#include "vectors.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

json_t *vectors_load(const char *file) {
  char path[1024];
  json_error_t err;
  snprintf(path, sizeof path, "%s/%s", TEST_DATA_DIR, file);
  json_t *root = json_load_file(path, JSON_REJECT_DUPLICATES, &err);
  if (!root) fail_msg("%s:%d: %s", path, err.line, err.text);
  return root;
}

json_t *vectors_get(const json_t *object, const char *key) {
  json_t *value = json_object_get(object, key);
  if (!value) fail_msg("no key %s", key);
  return value;
}

const char *vectors_text(const json_t *object, const char *key) {
  const char *text = json_string_value(vectors_get(object, key));
  if (!text) fail_msg("%s is no text", key);
  return text;
}

static unsigned digit(char c) {
  const char *digits = "0123456789abcdef", *at = c ? strchr(digits, c) : NULL;
  if (!at) fail_msg("no hexadecimal digit: %c", c);
  return (unsigned)(at - digits);
}

void vectors_hex_le(const char *hex, uint8_t *le, size_t bytes) {
  if (hex[0] == '0' && hex[1] == 'x') hex += 2;
  const size_t n = strlen(hex);
  assert_true(n <= 2 * bytes);
  memset(le, 0, bytes);
  for (size_t i = 0; i < n; i++) le[i / 2] |= (uint8_t)(digit(hex[n - 1 - i]) << 4 * (i % 2));
}

void vectors_hex(const char *hex, uint8_t *out, size_t bytes) {
  assert_int_equal(strlen(hex), 2 * bytes);
  for (size_t i = 0; i < bytes; i++) out[i] = (uint8_t)(digit(hex[2 * i]) << 4 | digit(hex[2 * i + 1]));
}

void vectors_element(const rp_field_host *field, const json_t *value, void *r) {
  uint8_t canonical[96];
  const uint32_t bytes = field->canonical_bytes / field->degree;
  for (uint32_t i = 0; i < field->degree; i++) {
    const char *hex = json_string_value(field->degree > 1 ? json_array_get(value, i) : value);
    assert_non_null(hex);
    vectors_hex_le(hex, canonical + i * bytes, bytes);
  }
  assert_true(field->from_canonical(r, canonical));
}

void vectors_point(const rp_curve_host *curve, const json_t *value, void *affine) {
  const rp_field_host *f = rp_field_get(curve->base);
  vectors_element(f, vectors_get(value, "x"), affine);
  vectors_element(f, vectors_get(value, "y"), (uint8_t *)affine + f->size_bytes);
}

void vectors_assert_element(const rp_field_host *field, const void *got, const json_t *want) {
  uint64_t element[12];
  vectors_element(field, want, element);
  assert_memory_equal(got, element, field->size_bytes);
}
