/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Integers of up to 384 bits between little-endian bytes and decimal digits.
 */
#ifndef REPRISE_FORMATS_DECIMAL_H
#define REPRISE_FORMATS_DECIMAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { G16_DECIMAL_BYTES = 48, G16_DECIMAL_DIGITS = 116 /* of 2^384 - 1 */ };

/* `bytes` is a multiple of 8, at most G16_DECIMAL_BYTES. Writes the digits and a NUL, at most G16_DECIMAL_DIGITS + 1
 * characters, and returns the number of digits. */
size_t g16_to_decimal(const uint8_t *le, uint32_t bytes, char *text);

/* Reads decimal digits, or 0x and hexadecimal digits; leading zeros are allowed, anything else is not. 0 if the text is
 * not such a number, or the number is not below 256^bytes. */
bool g16_from_decimal(const char *text, size_t length, uint8_t *le, uint32_t bytes);

#endif
