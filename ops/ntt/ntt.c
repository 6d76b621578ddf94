/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Number-theoretic transform: shape rule and constructor. ntt_lower.c splits it into passes.
 *
 * kernel ntt_pass ntt/5 fields cpu:ifma products:ntt
 * kernel ntt_pass ntt/4 primes cuda:RP_NTT_BLOCK,RP_NTT_TILE_BYTES vulkan:RP_NTT_VULKAN_GROUP(BYTES) int64 products:ntt
 *        table:ntt_pass_gpu
 * kernel ntt_pass_transposed ntt/4 primes cuda:RP_NTT_BLOCK,RP_NTT_TILE_BYTES vulkan:RP_NTT_VULKAN_GROUP(BYTES) int64
 *        products:ntt
 * kernel ntt_few ntt/4 primes cuda:RP_NTT_BLOCK,RP_NTT_TILE_BYTES products:ntt
 * kernel ntt_few_transposed ntt/4 primes cuda:RP_NTT_BLOCK,RP_NTT_TILE_BYTES products:ntt
 */
#include "ntt/ntt.h"

#include <stdio.h>

static const char *const order_names[2][2] = {{"", " natural->reversed"},
                                              {" reversed->natural", " reversed->reversed"}};

static rp_status ntt_shape(const rp_shape *s) {
  const struct ntt_params *p = s->params;
  rp_field field;
  rp_status st = rp_shape_one_field(s, &field);
  if (st != RP_OK) return st;
  const rp_field_host *f = rp_field_get(field);
  uint64_t len = s->in_len[0], n = len / p->batch;
  if (n * p->batch != len || !n || (n & (n - 1))) {
    if (p->batch == 1)
      return rp_shape_fail(s, RP_ERR_SHAPE, "%llu elements are not a power of two; rp_pad appends zeros",
                           (unsigned long long)len);
    return rp_shape_fail(s, RP_ERR_SHAPE, "%llu elements are not %llu transforms (options->batch) of a power of two",
                         (unsigned long long)len, (unsigned long long)p->batch);
  }
  uint64_t need = p->coset == RP_COSET_ROOT_2N ? 2 * n : n, root[12];
  uint32_t log_need = 0;
  while (need >> (log_need + 1)) log_need++;
  if (f->degree != 1) return rp_shape_fail(s, RP_ERR_TYPE, "%s is not a prime field", f->name);
  if (log_need && !f->root(root, p->root, log_need))
    return rp_shape_fail(s, RP_ERR_SHAPE, "%s has no root of unity of order 2^%u in this convention (two-adicity %u)",
                         f->name, log_need, f->two_adicity);
  if (p->coset == RP_COSET_SHIFT) {
    uint64_t shift[12];
    if (!f->from_canonical(shift, p->shift)) return rp_shape_fail(s, RP_ERR_ARGUMENT, "shift is not below the modulus");
    if (f->is_zero(shift)) return rp_shape_fail(s, RP_ERR_ARGUMENT, "shift is zero");
  }
  if (s->n_in == 2 && s->in_len[1] != 1)
    return rp_shape_fail(s, RP_ERR_SHAPE, "the coset shift has %llu elements, not 1", (unsigned long long)s->in_len[1]);
  rp_shape_out(s, 0, s->in_type[0], len);
  return RP_OK;
}

static rp_status ntt_check(const rp_draft *d) {
  const struct ntt_params *p = d->params;
  if (d->n_in == 2 && p->coset != RP_COSET_NONE)
    return rp_draft_fail(d, RP_ERR_ARGUMENT, "there is a coset shift as a value, and a coset in the options as well");
  return RP_OK;
}

static const char *root_of_id(uint32_t id) {
  static const char *const names[] = {NULL, "snarkjs", "halo2", "arkworks", "plonky3"};
  return id < sizeof names / sizeof *names ? names[id] : NULL;
}

static int ntt_describe(const void *params, char *text, size_t bytes) {
  const struct ntt_params *p = params;
  return snprintf(text, bytes, "%s%s%s%s", p->inverse ? "inverse" : "forward", p->coset ? " coset" : "",
                  p->no_scale ? " unscaled" : "", order_names[p->in_order][p->out_order]);
}

static const rp_strategy strategies[] = {
    {"tiles", RP_ON(RP_DEVICE_CPU) | RP_ON(RP_DEVICE_NULL), NULL, rp_ntt_lower_cpu},
    {"shared_memory", RP_ON_GPU, NULL, rp_ntt_lower_gpu}};
const rp_op rp_op_ntt = {
    .struct_size = sizeof(rp_op),
    .name = "ntt",
    .params_bytes = sizeof(struct ntt_params),
    .shape = ntt_shape,
    .strategies = strategies,
    .n_strategies = 2,
    .describe = ntt_describe,
    .flags = RP_OP_PURE,
    .schema = RP_SCHEMA(.least_in = 1, .most_in = 2, .check = ntt_check,
                        RP_PARAMS(RP_PARAM_UPTO(struct ntt_params, batch, 1, UINT64_MAX),
                                  RP_PARAM_NAMED(struct ntt_params, root, RP_ROOT_SNARKJS, RP_ROOT_PLONKY3, root_of_id),
                                  RP_PARAM_UPTO(struct ntt_params, in_order, RP_ORDER_NATURAL, RP_ORDER_BIT_REVERSED),
                                  RP_PARAM_UPTO(struct ntt_params, out_order, RP_ORDER_NATURAL, RP_ORDER_BIT_REVERSED),
                                  RP_PARAM_UPTO(struct ntt_params, coset, RP_COSET_NONE, RP_COSET_SHIFT),
                                  RP_PARAM_FLAG(struct ntt_params, inverse), RP_PARAM_FLAG(struct ntt_params, no_scale),
                                  RP_PARAM(RP_PARAM_BYTES, struct ntt_params, shift, 0, 0)))};

/* ratio: RP_NO_VALUE, or the element by whose powers coefficients are multiplied. */
static rp_value transform(rp_graph *g, rp_value x, rp_value ratio, const rp_ntt_options *o) {
  if (o->root < RP_ROOT_SNARKJS || o->root > RP_ROOT_PLONKY3)
    return rp_graph_fail(g, RP_ERR_ARGUMENT,
                         "ntt: options->root has no default: choose RP_ROOT_SNARKJS or another convention");
  if ((uint32_t)o->in_order > 1 || (uint32_t)o->out_order > 1 || (uint32_t)o->coset > RP_COSET_SHIFT)
    return rp_graph_fail(g, RP_ERR_ARGUMENT, "ntt: order or coset is none of the enumeration");
  struct ntt_params p = {.root = o->root,
                         .inverse = o->inverse != 0,
                         .batch = o->batch ? o->batch : 1,
                         .in_order = o->in_order,
                         .out_order = o->out_order,
                         .coset = o->coset,
                         .no_scale = o->no_scale != 0};
  if (p.coset == RP_COSET_SHIFT) memcpy(p.shift, o->shift, sizeof p.shift);
  return rp_graph_node(g, &rp_op_ntt, &p, (rp_value[]){x, ratio}, ratio.id ? 2 : 1, NULL, 1);
}

rp_value rp_ntt(rp_graph *g, rp_value x, const rp_ntt_options *options) {
  rp_ntt_options o = {0};
  if (!rp_options_read(&o, sizeof o, options))
    return rp_graph_fail(g, RP_ERR_ARGUMENT, "ntt: options->struct_size is not set");
  return transform(g, x, RP_NO_VALUE, &o);
}

rp_value rp_ntt_coset(rp_graph *g, rp_value x, rp_value shift, const rp_ntt_options *options) {
  const rp_batch_inverse_options strict = {.struct_size = sizeof strict, .zero = RP_ZERO_STRICT};
  rp_ntt_options o = {0};
  if (!rp_options_read(&o, sizeof o, options))
    return rp_graph_fail(g, RP_ERR_ARGUMENT, "ntt_coset: options->struct_size is not set");
  if (o.coset != RP_COSET_NONE)
    return rp_graph_fail(g, RP_ERR_ARGUMENT, "ntt_coset: the shift is an operand; options->coset must be none");
  if (!rp_value_check(g, shift, "ntt_coset", "the shift")) return RP_NO_VALUE;
  if (o.inverse) shift = rp_batch_inverse(g, shift, &strict);
  return shift.id ? transform(g, x, shift, &o) : shift;
}
