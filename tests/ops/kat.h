/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Known answers of tests/data for field vectors: elements as big-endian hexadecimal text, digests, hashed inputs.
 */
#ifndef REPRISE_TESTS_OPS_KAT_H
#define REPRISE_TESTS_OPS_KAT_H

#include <reprise/ops.h>

#include "json.h"

/* The array->n elements of an array, in memory form. Free with free(). */
void *kat_elements(rp_field field, const json *array);
void kat_element(rp_field field, const json *text, void *r);
/* Fails unless the SHA-256 of the bytes is the given one. */
void kat_assert_digest(const void *data, size_t bytes, const json *hex, const char *what);
/* Fails unless the n elements are those of the array `want`, or, if that is a text, their canonical little-endian
 * integers have it as their SHA-256. */
void kat_assert(rp_field field, const void *got, uint64_t n, const json *want, const char *what);
int kat_equals(rp_field field, const void *got, const json *text);
/* r = SHA256(m || 00) || SHA256(m || 01), or SHA256(m) alone, as a big-endian integer mod p. */
void kat_hash_wide(rp_field field, const void *m, size_t bytes, void *r);
void kat_hash(rp_field field, const void *m, size_t bytes, void *r);
/* Appends x in four bytes, most significant first. */
size_t kat_put_u32be(uint8_t *m, size_t at, uint32_t x);

#endif
