/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "digest.h"

#include "sha256.h"
#include "text/error.h"

#include <stdlib.h>
#include <string.h>

rp_status support_file_sha256(const support_file *file, uint8_t digest[SUPPORT_SHA256_BYTES], rp_error *err) {
  enum { BLOCK = 1 << 18 };
  uint8_t *block = malloc(BLOCK);
  if (!block) return support_fail(err, RP_ERR_MEMORY, "%s: out of memory for a digest.", support_file_name(file));
  pedersen_sha256_state state;
  pedersen_sha256_begin(&state);
  rp_status status = RP_OK;
  const uint64_t size = support_file_size(file);
  for (uint64_t at = 0; at < size && status == RP_OK; at += BLOCK) {
    const uint64_t part = size - at < BLOCK ? size - at : BLOCK;
    const uint8_t *data;
    status = support_file_peek(file, at, part, block, &data, err);
    if (status == RP_OK) pedersen_sha256_add(&state, data, part);
  }
  pedersen_sha256_end(&state, digest);
  free(block);
  return status;
}

void support_sha256_text(const uint8_t digest[SUPPORT_SHA256_BYTES], char text[SUPPORT_SHA256_TEXT]) {
  static const char digits[] = "0123456789abcdef";
  for (int i = 0; i < SUPPORT_SHA256_BYTES; i++) {
    text[2 * i] = digits[digest[i] >> 4];
    text[2 * i + 1] = digits[digest[i] & 15];
  }
  text[2 * SUPPORT_SHA256_BYTES] = 0;
}

rp_status support_file_pinned(const support_file *file, const uint8_t digest[SUPPORT_SHA256_BYTES], rp_error *err) {
  uint8_t own[SUPPORT_SHA256_BYTES];
  char is[SUPPORT_SHA256_TEXT], expected[SUPPORT_SHA256_TEXT];
  rp_status status = support_file_sha256(file, own, err);
  if (status != RP_OK || memcmp(own, digest, sizeof own) == 0) return status;
  support_sha256_text(own, is);
  support_sha256_text(digest, expected);
  return support_fail(err, RP_ERR_MISMATCH, "%s: is not the file that was asked for: its SHA-256 is %s, not %s.",
                      support_file_name(file), is, expected);
}
