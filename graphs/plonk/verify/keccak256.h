/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Keccak-256 as in Ethereum, for public data (transcripts): the sponge of FIPS 202 with a rate of 136 bytes and the
 * padding of the submission to the SHA-3 competition (Bertoni, Daemen, Peeters, Van Assche, "The Keccak reference",
 * version 3.0). SHA3-256 differs only in the first byte of the padding.
 */
#ifndef REPRISE_PLONK_KECCAK256_H
#define REPRISE_PLONK_KECCAK256_H

#include <stddef.h>
#include <stdint.h>

enum { KECCAK_LANES = 25, KECCAK_RATE = 136, KECCAK_BYTES = 32 };
/* The first byte of the padding. */
enum { KECCAK_PADDING = 0x01, KECCAK_PADDING_SHA3 = 0x06 };

/* The digest of data in parts: begin, add any number of times, end. */
typedef struct plonk_keccak {
  uint64_t lane[KECCAK_LANES];
  uint32_t held; /* bytes since the last permutation, below the rate */
} plonk_keccak;

void plonk_keccak_begin(plonk_keccak *state);
void plonk_keccak_add(plonk_keccak *state, const uint8_t *text, size_t bytes);
void plonk_keccak_end(plonk_keccak *state, uint8_t padding, uint8_t digest[KECCAK_BYTES]);

void plonk_keccak256(const uint8_t *text, size_t bytes, uint8_t digest[KECCAK_BYTES]);

#endif
