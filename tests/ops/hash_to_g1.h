/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Hashing to BN254 G1, suite BN254G1_XMD:SHA-256_SVDW_RO_ of RFC 9380: the generators of seeded Pedersen commitments
 * are such points. Short and slow; for tests.
 */
#ifndef REPRISE_TESTS_OPS_HASH_TO_G1_H
#define REPRISE_TESTS_OPS_HASH_TO_G1_H

#include <stddef.h>
#include <stdint.h>

/* affine: 64 bytes in memory form, 8-byte aligned. At most 64 bytes of message and of domain separation tag. */
void hash_to_g1(const uint8_t *message, size_t bytes, const char *dst, void *affine);

#endif
