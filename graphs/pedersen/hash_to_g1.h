/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Hashing to BN254 G1: RFC 9380, suite BN254G1_XMD:SHA-256_SVDW_RO_. Variable time, for public texts.
 */
#ifndef REPRISE_PEDERSEN_HASH_TO_G1_H
#define REPRISE_PEDERSEN_HASH_TO_G1_H

#include <stddef.h>
#include <stdint.h>

enum { HASH_TO_G1_MOST = 64 }; /* most bytes of a text, and of a tag */

/* affine: 64 bytes in memory form, aligned to 8 bytes. */
void pedersen_hash_to_g1(const uint8_t *text, size_t bytes, const char *tag, void *affine);

#endif
