/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "kat.h"

#include <openssl/sha.h>
#include <stdio.h>

#include "data.h"
#include "device.h"

void kat_element(rp_field field, const json *text, void *r) {
  const rp_field_host *f = rp_field_get(field);
  uint8_t le[96];
  json_integer(text, 1, le, f->canonical_bytes);
  if (!f->from_canonical(r, le)) fail_msg("%s is not below the modulus of %s", json_text(text), f->name);
}

void *kat_elements(rp_field field, const json *array) {
  uint32_t size = rp_field_get(field)->size_bytes;
  uint8_t *out = malloc(array->n * size), *at = out;
  assert_non_null(out);
  for (const json *i = array->item; i; i = i->next, at += size) kat_element(field, i, at);
  return out;
}

void kat_assert_digest(const void *data, size_t bytes, const json *hex, const char *what) {
  uint8_t digest[SHA256_DIGEST_LENGTH];
  char text[2 * SHA256_DIGEST_LENGTH + 1];
  SHA256(data, bytes, digest);
  for (size_t i = 0; i < sizeof digest; i++) snprintf(text + 2 * i, 3, "%02x", digest[i]);
  if (strcmp(text, json_text(hex)) != 0) fail_msg("%s on %s: digest %s, not %s", what, device_name(), text, hex->text);
}

void kat_assert(rp_field field, const void *got, uint64_t n, const json *want, const char *what) {
  if (want->kind == JSON_ARRAY) {
    assert_int_equal(want->n, n);
    void *elements = kat_elements(field, want);
    data_assert_equal(field, got, elements, n, what);
    free(elements);
    return;
  }
  void *canonical = data_canonical(field, got, n);
  kat_assert_digest(canonical, n * rp_field_get(field)->canonical_bytes, want, what);
  free(canonical);
}

int kat_equals(rp_field field, const void *got, const json *text) {
  uint64_t want[12];
  kat_element(field, text, want);
  return !memcmp(got, want, rp_field_get(field)->size_bytes);
}

static void reduce_be(rp_field field, const uint8_t *be, size_t bytes, void *r) {
  uint8_t le[2 * SHA256_DIGEST_LENGTH];
  for (size_t i = 0; i < bytes; i++) le[i] = be[bytes - 1 - i];
  rp_field_get(field)->from_bytes_reduce(r, le, bytes);
}

void kat_hash(rp_field field, const void *m, size_t bytes, void *r) {
  uint8_t digest[SHA256_DIGEST_LENGTH];
  SHA256(m, bytes, digest);
  reduce_be(field, digest, sizeof digest, r);
}

void kat_hash_wide(rp_field field, const void *m, size_t bytes, void *r) {
  uint8_t digest[2 * SHA256_DIGEST_LENGTH], text[128];
  assert_true(bytes < sizeof text);
  memcpy(text, m, bytes);
  for (uint8_t i = 0; i < 2; i++) {
    text[bytes] = i;
    SHA256(text, bytes + 1, digest + i * SHA256_DIGEST_LENGTH);
  }
  reduce_be(field, digest, sizeof digest, r);
}

size_t kat_put_u32be(uint8_t *m, size_t at, uint32_t x) {
  for (int i = 3; i >= 0; i--) m[at++] = (uint8_t)(x >> 8 * i);
  return at;
}
