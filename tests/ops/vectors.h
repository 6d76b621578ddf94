/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Reading tests/data: JSON whose numbers are big-endian hexadecimal text, with or without 0x. Anything missing or
 * malformed fails the test.
 */
#ifndef REPRISE_TESTS_OPS_VECTORS_H
#define REPRISE_TESTS_OPS_VECTORS_H

#include <reprise/host.h>

#include <jansson.h>

json_t *vectors_load(const char *file); /* a file of tests/data; release with json_decref */
json_t *vectors_get(const json_t *object, const char *key);
const char *vectors_text(const json_t *object, const char *key);
/* Exactly `bytes` bytes, least significant first; shorter text is filled with zeros, longer text fails. */
void vectors_hex_le(const char *hex, uint8_t *le, size_t bytes);
/* Exactly `bytes` bytes in the order written. */
void vectors_hex(const char *hex, uint8_t *out, size_t bytes);
/* Canonical text, or an array of two for an extension, to memory form. */
void vectors_element(const rp_field_host *field, const json_t *value, void *r);
/* {"x": ..., "y": ...} */
void vectors_point(const rp_curve_host *curve, const json_t *value, void *affine);
void vectors_assert_element(const rp_field_host *field, const void *got, const json_t *want);

#endif
