/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * An input of fuzz_verify: texts with a zero byte between them. The first is a verification key, the second the public
 * signals, and the others are proofs.
 */
#ifndef REPRISE_TESTS_FUZZ_VERIFY_INPUT_H
#define REPRISE_TESTS_FUZZ_VERIFY_INPUT_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { VERIFY_KEY, VERIFY_PUBLIC, VERIFY_PROOF, VERIFY_PARTS = VERIFY_PROOF + 4, VERIFY_SIGNALS = 16 };

typedef struct verify_input {
  const char *text[VERIFY_PARTS];
  size_t bytes[VERIFY_PARTS];
  size_t parts; /* if there are VERIFY_PARTS, the last one has the rest, zero bytes included */
} verify_input;

static inline verify_input verify_split(const uint8_t *data, size_t size) {
  verify_input in = {0};
  const char *at = (const char *)data, *end = at + size;
  while (at < end && in.parts < VERIFY_PARTS) {
    const char *zero = in.parts + 1 < VERIFY_PARTS ? memchr(at, 0, (size_t)(end - at)) : NULL;
    const char *stop = zero ? zero : end;
    in.text[in.parts] = at;
    in.bytes[in.parts++] = (size_t)(stop - at);
    at = zero ? stop + 1 : end;
  }
  return in;
}

#endif
