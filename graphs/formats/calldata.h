/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The arguments of a Solidity verifier as snarkjs prints them (groth16_exportsoliditycalldata.js and
 * plonk_exportsoliditycalldata.js, version 0.7.6): every number is 0x and 64 hexadecimal digits. Over BN254 only, the
 * one curve whose pairings the EVM has (EIP-197).
 */
#ifndef REPRISE_FORMATS_CALLDATA_H
#define REPRISE_FORMATS_CALLDATA_H

#include "json_values.h"

/* Writes a canonical integer of 32 bytes, little-endian, between two marks: "\"" or "". */
void g16_put_word(support_text *text, const char *mark, const uint8_t le[32]);
/* The same for a coordinate of BN254 in memory form, of any alignment. */
void g16_put_coordinate_word(support_text *text, const char *mark, const uint8_t *coordinate);
/* Writes an array of words. */
void g16_put_words(support_text *text, const char *mark, const uint8_t *values, size_t n);

#endif
