/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * SHA-256 (FIPS 180-4) of public data: of short texts from which generators are derived, and of files that are pinned
 * by their digest.
 */
#ifndef REPRISE_SUPPORT_SHA256_H
#define REPRISE_SUPPORT_SHA256_H

#include <stddef.h>
#include <stdint.h>

enum { SHA256_BYTES = 32, SHA256_BLOCK = 64 };

/* The digest of data in parts: begin, add any number of times, end. */
typedef struct pedersen_sha256_state {
  uint32_t h[8];
  uint64_t bytes;
  uint8_t block[SHA256_BLOCK];
} pedersen_sha256_state;
void pedersen_sha256_begin(pedersen_sha256_state *state);
void pedersen_sha256_add(pedersen_sha256_state *state, const uint8_t *text, size_t bytes);
void pedersen_sha256_end(pedersen_sha256_state *state, uint8_t digest[SHA256_BYTES]);

void pedersen_sha256(const uint8_t *text, size_t bytes, uint8_t digest[SHA256_BYTES]);

#endif
