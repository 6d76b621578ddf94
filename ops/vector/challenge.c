/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Challenges from digests, and indices, as nodes of other operations.
 *
 * kernel challenge challenge/3 primes cpu:c gpu:128 products:challenge
 */
#include "lower/lower.h"

#include <reprise/transcript.h>

#include "kernel_tables.h"

#include <stdio.h>

/* The integer that a row of bytes encodes, modulo the order of a prime field: by Horner's rule over parts of as many
 * bytes as an element has, the most significant one first. `power` is 2^(bits of a part), an element. One item per
 * row. */
struct rp_challenge_args {
  RP_ADDR(void) out;
  RP_ADDR(const uint8_t) in;
  RP_ADDR(const void) power;
  uint32_t n, row_bytes, big_endian, pad;
};
RP_ARGS_SIZE(struct rp_challenge_args, 40);

/* Which byte of a row is byte `at` of its integer, counted from the least significant. */
#define RP_CHALLENGE_BYTE(at, row_bytes, big_endian) ((big_endian) != 0u ? (row_bytes)-1u - (at) : (at))

enum { MOST_BYTES = 64 };

typedef struct params {
  uint64_t row_bytes;
  rp_field field;
  rp_encoding encoding;
} params;

static rp_status check(const rp_draft *d) {
  const params *p = d->params;
  if (rp_field_get(p->field)->degree == 1) return RP_OK;
  return rp_draft_fail(d, RP_ERR_TYPE, "%s is not a prime field", rp_field_name(p->field));
}

static rp_status shape(const rp_shape *s) {
  const params *p = s->params;
  if (s->in_type[0]->id != RP_TYPE_U8.id)
    return rp_shape_fail(s, RP_ERR_TYPE, "its input is of type %s, not u8", s->in_type[0]->name);
  if (s->in_len[0] % p->row_bytes || s->in_len[0] > RP_MAX_LEN)
    return rp_shape_fail(s, RP_ERR_SHAPE, "%llu bytes are not up to 2^32 - 1 in rows of %llu",
                         (unsigned long long)s->in_len[0], (unsigned long long)p->row_bytes);
  rp_shape_out(s, 0, rp_type_field(p->field), s->in_len[0] / p->row_bytes);
  return RP_OK;
}

/* 2^(bits of an element) */
static rp_status fill_power(const void *user, void *dst, uint64_t len) {
  const rp_field_host *f = rp_field_get(*(const rp_field *)user);
  uint8_t le[MOST_BYTES + 1] = {0};
  (void)len;
  le[f->canonical_bytes] = 1;
  f->from_bytes_reduce(dst, le, f->canonical_bytes + 1);
  return RP_OK;
}

static rp_status lower(rp_lower *l) {
  const params *p = rp_lower_params(l);
  const rp_value in = rp_lower_in(l, 0), out = rp_lower_out(l, 0);
  const rp_type *type = rp_type_field(p->field);
  const struct rp_challenge_args args = {.n = (uint32_t)rp_lower_len(l, out),
                                         .row_bytes = (uint32_t)p->row_bytes,
                                         .big_endian = p->encoding == RP_BIG_ENDIAN};
  char key[64];
  snprintf(key, sizeof key, "challenge/power/%s", type->name);
  const rp_value power = rp_lower_constant(l, key, type, 1, fill_power, &p->field, sizeof p->field);
  const rp_bind binds[] = {RP_BIND(out, RP_WRITE), RP_BIND(in, RP_READ), RP_BIND(power, RP_READ)};
  rp_lower_items(l, &rp_kernels_challenge[p->field], args.n, rp_grain(200), &args, binds);
  return RP_OK;
}

static const rp_strategy strategy = {.name = "rows", .devices = RP_ON_ANY, .lower = lower};
const rp_op rp_op_challenge = {
    .struct_size = sizeof(rp_op),
    .flags = RP_OP_PURE,
    .name = "challenge",
    .params_bytes = sizeof(params),
    .shape = shape,
    .strategies = &strategy,
    .n_strategies = 1,
    .schema = RP_SCHEMA(.least_in = 1, .check = check,
                        RP_PARAMS(RP_PARAM_UPTO(params, row_bytes, 1, MOST_BYTES), RP_PARAM_FIELD(params, field),
                                  RP_PARAM_UPTO(params, encoding, RP_BIG_ENDIAN, RP_LITTLE_ENDIAN)),
                        .examples = "u8[64n]; row_bytes=64, field=prime, encoding=2")};

rp_value rp_challenge(rp_graph *g, rp_value bytes, uint64_t row_bytes, rp_field field, rp_encoding encoding) {
  const rp_field_host *f = rp_field_get(field);
  if (!f || f->degree != 1)
    return rp_graph_fail(g, RP_ERR_TYPE, "challenge: %s is not a prime field", f ? f->name : "the field");
  if (!row_bytes || row_bytes > MOST_BYTES)
    return rp_graph_fail(g, RP_ERR_ARGUMENT, "challenge: rows of %llu bytes, not 1 to 64",
                         (unsigned long long)row_bytes);
  if (encoding != RP_BIG_ENDIAN && encoding != RP_LITTLE_ENDIAN)
    return rp_graph_fail(g, RP_ERR_ARGUMENT, "challenge: encoding %d is neither big-endian nor little-endian",
                         (int)encoding);
  const params p = {.row_bytes = row_bytes, .field = field, .encoding = encoding};
  return rp_graph_node(g, &rp_op_challenge, &p, &bytes, 1, NULL, 1);
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
