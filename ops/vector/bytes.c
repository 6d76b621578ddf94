/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Values to bytes and bytes to integers.
 *
 * kernel to_bytes to_bytes/2 cpu:c gpu:256
 * kernel from_bytes from_bytes/2 cpu:c gpu:256
 */
#include "lower/lower.h"

#include <reprise/transcript.h>

#include "vector/bytes_args.h"
#include "kernel_tables.h"

#include <stdio.h>

/* Words of an integer of that type, or 0. */
static uint32_t words_of(const rp_type *type) {
  const rp_type *const types[] = {&RP_TYPE_U32, &RP_TYPE_U64, &RP_TYPE_U256, &RP_TYPE_U384};
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    if (types[i]->id == type->id) return type->size_bytes / 4;
  return 0;
}

static bool is_encoding(rp_encoding e) { return e == RP_BIG_ENDIAN || e == RP_LITTLE_ENDIAN; }

/* ---- to_bytes ---------------------------------------------------------------------------------------------------- */

struct to_params {
  rp_encoding encoding;
};

static rp_status to_shape(const rp_shape *s) {
  const uint32_t words = words_of(s->in_type[0]);
  if (!words)
    return rp_shape_fail(s, RP_ERR_TYPE,
                         "type %s has no bytes here; integers, elements of prime fields and affine "
                         "points have",
                         s->in_type[0]->name);
  if (s->in_len[0] > RP_MAX_LEN / (4 * words))
    return rp_shape_fail(s, RP_ERR_SHAPE, "%llu integers of %u bytes are more than 2^32 - 1 bytes",
                         (unsigned long long)s->in_len[0], 4 * words);
  rp_shape_out(s, 0, &RP_TYPE_U8, s->in_len[0] * 4 * words);
  return RP_OK;
}

static rp_status to_lower(rp_lower *l) {
  const struct to_params *p = rp_lower_params(l);
  const rp_value in = rp_lower_in(l, 0);
  const uint32_t words = words_of(rp_lower_type(l, in));
  struct rp_to_bytes_args a = {.n = (uint32_t)rp_lower_len(l, in) * words,
                               .size_words = p->encoding == RP_BIG_ENDIAN ? words : 0};
  rp_bind binds[] = {RP_BIND(rp_lower_out(l, 0), RP_WRITE), RP_BIND(in, RP_READ)};
  rp_lower_items(l, &rp_kernel_to_bytes, a.n, rp_grain(2), &a, binds);
  return RP_OK;
}

static int to_describe(const void *params, char *text, size_t bytes) {
  const struct to_params *p = params;
  return snprintf(text, bytes, "%s-endian", p->encoding == RP_BIG_ENDIAN ? "big" : "little");
}

static const rp_strategy to_strategy = {.name = "words", .devices = RP_ON_ANY, .lower = to_lower};
const rp_op rp_op_to_bytes = {
    .struct_size = sizeof(rp_op),
    .flags = RP_OP_PURE,
    .name = "to_bytes",
    .params_bytes = sizeof(struct to_params),
    .shape = to_shape,
    .strategies = &to_strategy,
    .n_strategies = 1,
    .describe = to_describe,
    .schema =
        RP_SCHEMA(.least_in = 1, RP_PARAMS(RP_PARAM_UPTO(struct to_params, encoding, RP_BIG_ENDIAN, RP_LITTLE_ENDIAN)),
                  .examples = "canonical; encoding=1")};

rp_value rp_to_bytes(rp_graph *g, rp_value x, rp_encoding encoding) {
  rp_field field;
  rp_curve curve;
  if (!rp_value_check(g, x, "to_bytes", "the operand")) return RP_NO_VALUE;
  if (!is_encoding(encoding))
    return rp_graph_fail(g, RP_ERR_ARGUMENT, "to_bytes: encoding %d is neither big-endian nor little-endian",
                         (int)encoding);
  if (rp_value_type(g, x)->id == RP_TYPE_U8.id) return rp_graph_error(g)->status == RP_OK ? x : RP_NO_VALUE;
  if (rp_type_is_affine(rp_value_type(g, x), &curve)) x = rp_point_coordinates(g, x);
  if (x.id && rp_type_is_field(rp_value_type(g, x), &field)) {
    if (rp_field_get(field)->degree != 1)
      return rp_graph_fail(g, RP_ERR_TYPE,
                           "to_bytes: the order of the coefficients of %s is not defined here; encode "
                           "them one by one",
                           rp_field_name(field));
    x = rp_to_canonical(g, x);
  }
  return rp_graph_node(g, &rp_op_to_bytes, &(struct to_params){encoding}, &x, 1, NULL, 1);
}

/* ---- from_bytes -------------------------------------------------------------------------------------------------- */

struct from_params {
  uint64_t row_bytes; /* 0: one row */
  rp_encoding encoding;
  uint32_t size_words, skip_bytes, bits;
};

static const rp_type *integers_of(uint32_t words) {
  return words == 1 ? &RP_TYPE_U32 : words == 2 ? &RP_TYPE_U64 : words == 8 ? &RP_TYPE_U256 : &RP_TYPE_U384;
}

static rp_status from_check(const rp_draft *d) {
  const struct from_params *p = d->params;
  if (words_of(integers_of(p->size_words)) != p->size_words)
    return rp_draft_fail(d, RP_ERR_ARGUMENT, "there are no integers of %u words", p->size_words);
  if (p->bits > 32 * p->size_words)
    return rp_draft_fail(d, RP_ERR_ARGUMENT, "%u bits do not fit %s", p->bits, integers_of(p->size_words)->name);
  return RP_OK;
}

static rp_status from_shape(const rp_shape *s) {
  const struct from_params *p = s->params;
  const uint64_t len = s->in_len[0], row = p->row_bytes ? p->row_bytes : len;
  if (s->in_type[0]->id != RP_TYPE_U8.id)
    return rp_shape_fail(s, RP_ERR_TYPE, "its input is of type %s, not u8", s->in_type[0]->name);
  if (len % row || len > RP_MAX_LEN)
    return rp_shape_fail(s, RP_ERR_SHAPE, "%llu bytes are not up to 2^32 - 1 in rows of %llu", (unsigned long long)len,
                         (unsigned long long)row);
  if (len / row > RP_MAX_LEN / p->size_words) return rp_shape_fail(s, RP_ERR_SHAPE, "there are too many rows");
  rp_shape_out(s, 0, integers_of(p->size_words), len / row);
  return RP_OK;
}

static rp_status from_lower(rp_lower *l) {
  const struct from_params *p = rp_lower_params(l);
  const rp_value in = rp_lower_in(l, 0), out = rp_lower_out(l, 0);
  const uint64_t rows = rp_lower_len(l, out);
  struct rp_from_bytes_args a = {.n = (uint32_t)rows * p->size_words,
                                 .size_words = p->size_words,
                                 .row_bytes = rows ? (uint32_t)(rp_lower_len(l, in) / rows) : 0,
                                 .skip_bytes = p->skip_bytes,
                                 .bits = p->bits,
                                 .big_endian = p->encoding == RP_BIG_ENDIAN};
  rp_bind binds[] = {RP_BIND(out, RP_WRITE), RP_BIND(in, RP_READ)};
  rp_lower_items(l, &rp_kernel_from_bytes, a.n, rp_grain(6), &a, binds);
  return RP_OK;
}

static const rp_strategy from_strategy = {.name = "words", .devices = RP_ON_ANY, .lower = from_lower};
const rp_op rp_op_from_bytes = {
    .struct_size = sizeof(rp_op),
    .flags = RP_OP_PURE,
    .name = "from_bytes",
    .params_bytes = sizeof(struct from_params),
    .shape = from_shape,
    .strategies = &from_strategy,
    .n_strategies = 1,
    .schema = RP_SCHEMA(.least_in = 1, .check = from_check,
                        RP_PARAMS(RP_PARAM_ANY(struct from_params, row_bytes),
                                  RP_PARAM_UPTO(struct from_params, encoding, RP_BIG_ENDIAN, RP_LITTLE_ENDIAN),
                                  RP_PARAM_UPTO(struct from_params, size_words, 1, 12),
                                  RP_PARAM_UPTO(struct from_params, skip_bytes, 0, UINT32_MAX / 8),
                                  RP_PARAM_UPTO(struct from_params, bits, 1, 384)))};

rp_value rp_from_bytes(rp_graph *g, rp_value bytes, const rp_type *type, const rp_bytes_options *options) {
  rp_bytes_options o = {0};
  if (!options || !rp_options_read(&o, sizeof o, options))
    return rp_graph_fail(g, RP_ERR_ARGUMENT,
                         "from_bytes: options->struct_size is not set; the encoding has no default");
  const uint32_t words = type ? words_of(type) : 0;
  if (!words)
    return rp_graph_fail(g, RP_ERR_TYPE, "from_bytes: integers are of type u32, u64, u256 or u384, not %s",
                         type ? type->name : "NULL");
  if (!is_encoding(o.encoding))
    return rp_graph_fail(g, RP_ERR_ARGUMENT, "from_bytes: encoding %d is neither big-endian nor little-endian",
                         (int)o.encoding);
  if (o.skip_bits % 8)
    return rp_graph_fail(g, RP_ERR_ARGUMENT, "from_bytes: skip_bits is %u, not a multiple of 8", o.skip_bits);
  if (o.bits > 32 * words)
    return rp_graph_fail(g, RP_ERR_ARGUMENT, "from_bytes: %u bits do not fit %s", o.bits, type->name);
  const struct from_params p = {.row_bytes = o.row_bytes,
                                .encoding = o.encoding,
                                .size_words = words,
                                .skip_bytes = o.skip_bits / 8,
                                .bits = o.bits ? o.bits : 32 * words};
  return rp_graph_node(g, &rp_op_from_bytes, &p, &bytes, 1, NULL, 1);
}
