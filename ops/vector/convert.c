/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Conversions at the border: canonical integers, Montgomery form, single constants.
 *
 * kernel from_canonical from_canonical/3 fields cpu:ifma gpu:256 products:per_result
 * kernel to_canonical to_canonical/2 fields cpu:ifma gpu:256 products:per_result
 */
#include <string.h>

#include "lower/lower.h"

#include "kernel_tables.h"

/* Canonical integers to field elements and back. One item per element. */
struct rp_from_canonical_args {
  RP_ADDR(void) out;
  RP_ADDR(const void) in;
  RP_ADDR(void) error;
  uint32_t n, reduce, site, pad;
};
RP_ARGS_SIZE(struct rp_from_canonical_args, 40);

struct rp_to_canonical_args {
  RP_ADDR(void) out;
  RP_ADDR(const void) in;
  uint32_t n, pad;
};
RP_ARGS_SIZE(struct rp_to_canonical_args, 24);

struct convert_params {
  rp_field field;
  uint32_t reduce;
};

static rp_status from_shape(const rp_shape *s) {
  const struct convert_params *p = s->params;
  const rp_field_host *f = rp_field_get(p->field);
  if (f->degree != 1) return rp_shape_fail(s, RP_ERR_TYPE, "%s is not a prime field", f->name);
  if (s->in_type[0]->id != rp_type_canonical(p->field)->id)
    return rp_shape_fail(
        s, RP_ERR_TYPE,
        "its input is of type %s; canonical integers of %s are of type %s (elements need no conversion)",
        s->in_type[0]->name, f->name, rp_type_canonical(p->field)->name);
  if (s->in_len[0] > RP_MAX_LEN) return rp_shape_fail(s, RP_ERR_SHAPE, "there are more than 2^32 - 1 elements");
  rp_shape_out(s, 0, rp_type_field(p->field), s->in_len[0]);
  return RP_OK;
}

static rp_status from_lower(rp_lower *l) {
  const struct convert_params *p = rp_lower_params(l);
  rp_value out = rp_lower_out(l, 0);
  struct rp_from_canonical_args args = {
      .n = (uint32_t)rp_lower_len(l, out), .reduce = p->reduce, .site = rp_lower_site(l)};
  rp_bind binds[] = {RP_BIND(out, RP_WRITE), RP_BIND(rp_lower_in(l, 0), RP_READ | RP_IN_PLACE),
                     RP_BIND(rp_lower_error(l), RP_READ_WRITE | RP_ATOMIC)};
  rp_lower_items(l, &rp_kernels_from_canonical[p->field], args.n, rp_grain(12), &args, binds);
  return RP_OK;
}

static rp_status to_shape(const rp_shape *s) {
  rp_field field;
  rp_status st = rp_shape_one_field(s, &field);
  if (st != RP_OK) return st;
  if (rp_field_get(field)->degree != 1)
    return rp_shape_fail(s, RP_ERR_TYPE, "%s is not a prime field", rp_field_name(field));
  rp_shape_out(s, 0, rp_type_canonical(field), s->in_len[0]);
  return RP_OK;
}

static rp_status to_lower(rp_lower *l) {
  rp_value out = rp_lower_out(l, 0), in = rp_lower_in(l, 0);
  struct rp_to_canonical_args args = {.n = (uint32_t)rp_lower_len(l, out)};
  rp_bind binds[] = {RP_BIND(out, RP_WRITE), RP_BIND(in, RP_READ | RP_IN_PLACE)};
  rp_lower_items(l, &rp_kernels_to_canonical[rp_lower_field(l, in)], args.n, rp_grain(12), &args, binds);
  return RP_OK;
}

static const rp_strategy from_strategy = {"elements", RP_ON_ANY, NULL, from_lower};
static const rp_strategy to_strategy = {"elements", RP_ON_ANY, NULL, to_lower};
const rp_op rp_op_from_canonical = {
    .struct_size = sizeof(rp_op),
    .name = "from_canonical",
    .params_bytes = sizeof(struct convert_params),
    .shape = from_shape,
    .strategies = &from_strategy,
    .n_strategies = 1,
    .flags = RP_OP_PURE,
    .schema =
        RP_SCHEMA(.least_in = 1,
                  RP_PARAMS(RP_PARAM_FIELD(struct convert_params, field), RP_PARAM_FLAG(struct convert_params, reduce)),
                  .examples = "canonical; field=prime | canonical; field=prime, reduce=1", .products = 1)};
const rp_op rp_op_to_canonical = {.struct_size = sizeof(rp_op),
                                  .name = "to_canonical",
                                  .shape = to_shape,
                                  .strategies = &to_strategy,
                                  .n_strategies = 1,
                                  .flags = RP_OP_PURE,
                                  .schema = RP_SCHEMA(.least_in = 1, .examples = "prime", .products = 1)};

rp_value rp_from_canonical(rp_graph *g, rp_value x, rp_field field, const rp_convert_options *options) {
  rp_convert_options o = {0};
  if (!rp_options_read(&o, sizeof o, options))
    return rp_graph_fail(g, RP_ERR_ARGUMENT, "from_canonical: options->struct_size is not set");
  if (!rp_field_get(field)) return rp_graph_fail(g, RP_ERR_TYPE, "from_canonical: no such field: %d", (int)field);
  struct convert_params p = {.field = field, .reduce = o.reduce != 0};
  return rp_graph_node(g, &rp_op_from_canonical, &p, &x, 1, NULL, 1);
}

rp_value rp_to_canonical(rp_graph *g, rp_value x) {
  return rp_graph_node(g, &rp_op_to_canonical, NULL, &x, 1, NULL, 1);
}

rp_value rp_field_constant(rp_graph *g, const char *name, rp_field field, const uint8_t *canonical_le) {
  const rp_field_host *f = rp_field_get(field);
  uint64_t element[12];
  if (!f || !canonical_le) return rp_graph_fail(g, RP_ERR_ARGUMENT, "field_constant: no such field, or no bytes");
  if (!f->from_canonical(element, canonical_le))
    return rp_graph_fail(g, RP_ERR_INPUT, "field_constant %s: not below the modulus of %s", name ? name : "", f->name);
  return rp_graph_constant(g, name, rp_type_field(field), 1, element, 0);
}

/* x times 2^(64 limbs) or its inverse if elements are kept as plain integers; x itself if they are kept in Montgomery
 * form. The memory form of one tells which. */
static rp_value scale_by_r(rp_graph *g, rp_value x, bool inverse) {
  if (!rp_value_check(g, x, "montgomery conversion", "the operand")) return RP_NO_VALUE;
  const rp_field_host *f = rp_field_get(rp_value_field(g, x));
  if (!f) return rp_graph_fail(g, RP_ERR_TYPE, "montgomery conversion: the operand is not of a field");
  uint64_t one[12], r[12];
  uint8_t canonical[96], power[65] = {0};
  f->one(one);
  f->to_canonical(canonical, one);
  if (memcmp(canonical, one, f->size_bytes) != 0) return rp_graph_error(g)->status == RP_OK ? x : RP_NO_VALUE;
  power[f->size_bytes] = 1;
  f->from_bytes_reduce(r, power, f->size_bytes + 1u);
  if (inverse) f->inv(r, r);
  return rp_mul(g, x, rp_graph_constant(g, "montgomery", rp_type_field(f->id), 1, r, 0));
}

rp_value rp_from_montgomery(rp_graph *g, rp_value x) { return scale_by_r(g, x, 1); }
rp_value rp_to_montgomery(rp_graph *g, rp_value x) { return scale_by_r(g, x, 0); }
