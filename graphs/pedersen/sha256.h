/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * SHA-256 (FIPS 180-4) of short public texts, from which generators are derived.
 */
#ifndef REPRISE_PEDERSEN_SHA256_H
#define REPRISE_PEDERSEN_SHA256_H

#include <stddef.h>
#include <stdint.h>

enum { SHA256_BYTES = 32, SHA256_BLOCK = 64 };

void pedersen_sha256(const uint8_t *text, size_t bytes, uint8_t digest[SHA256_BYTES]);

#endif
