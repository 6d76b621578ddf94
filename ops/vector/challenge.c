/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Challenges and indices from digests, as nodes of other operations.
 */
#include "lower/lower.h"

#include <reprise/transcript.h>

#include <string.h>

enum { MOST_BYTES = 64, ELEMENT_WORDS = 12 };

/* 2^(8 bytes) as a constant of one element. */
static rp_value power_of_two(rp_graph *g, const rp_field_host *f, uint32_t bytes) {
  uint8_t le[MOST_BYTES + 1] = {0};
  uint64_t element[ELEMENT_WORDS];
  le[bytes] = 1;
  f->from_bytes_reduce(element, le, bytes + 1);
  return rp_graph_constant(g, "two_to_the_bits", rp_type_field(f->id), 1, element, 0);
}

/* By Horner's rule over parts that fit a canonical integer, the most significant one first. */
rp_value rp_challenge(rp_graph *g, rp_value bytes, uint64_t row_bytes, rp_field field, rp_encoding encoding) {
  const rp_field_host *f = rp_field_get(field);
  const rp_convert_options reduce = {.struct_size = sizeof reduce, .reduce = 1};
  if (!f || f->degree != 1)
    return rp_graph_fail(g, RP_ERR_TYPE, "challenge: %s is not a prime field", f ? f->name : "the field");
  if (!row_bytes || row_bytes > MOST_BYTES)
    return rp_graph_fail(g, RP_ERR_ARGUMENT, "challenge: rows of %llu bytes, not 1 to 64",
                         (unsigned long long)row_bytes);
  const uint32_t part = f->canonical_bytes;
  uint32_t at = (uint32_t)((row_bytes - 1) / part * part);
  rp_value sum = RP_NO_VALUE;
  for (;; at -= part) {
    const rp_bytes_options o = {
        .struct_size = sizeof o, .encoding = encoding, .row_bytes = row_bytes, .skip_bits = 8 * at};
    const rp_value integer = rp_from_bytes(g, bytes, rp_type_canonical(field), &o);
    const rp_value x = rp_from_canonical(g, integer, field, &reduce);
    sum = sum.id ? rp_add(g, rp_mul(g, sum, power_of_two(g, f, part)), x) : x;
    if (!at || !x.id) return sum;
  }
}

rp_value rp_low_bits(rp_graph *g, rp_value x, uint32_t bits) {
  rp_field field;
  rp_curve curve;
  if (!rp_value_check(g, x, "low_bits", "the operand")) return RP_NO_VALUE;
  if (!bits || bits > 32)
    return rp_graph_fail(g, RP_ERR_ARGUMENT, "low_bits: %u bits are asked for, not 1 to 32", bits);
  const rp_type *type = rp_value_type(g, x);
  if (type->id == RP_TYPE_U8.id || rp_type_is_affine(type, &curve))
    return rp_graph_fail(g, RP_ERR_TYPE, "low_bits: type %s has no integers of 32 bits or more", type->name);
  if (rp_type_is_field(type, &field) && rp_field_get(field)->degree == 1) type = rp_type_canonical(field);
  const rp_bytes_options o = {
      .struct_size = sizeof o, .encoding = RP_LITTLE_ENDIAN, .row_bytes = type->size_bytes, .bits = bits};
  return rp_from_bytes(g, rp_to_bytes(g, x, RP_LITTLE_ENDIAN), &RP_TYPE_U32, &o);
}
