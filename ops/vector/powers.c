/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Geometric sequences: powers, and a vector times powers (a coset shift).
 *
 * kernel powers powers/3 fields cpu:ifma gpu:256 products:per_result
 * kernel mul_powers mul_powers/4 fields cpu:ifma gpu:256 int64 products:two_per_result
 */
#include "lower/lower.h"

#include "kernel_tables.h"

/* powers: out[i] = scale * base^i; mul_powers: out[i] = x[i] * scale * base^i. Without has_scale the scale is 1 and its
 * address absent. One item per element. */
struct rp_powers_args {
  RP_ADDR(void) out;
  RP_ADDR(const void) base;
  RP_ADDR(const void) scale;
  uint32_t n, has_scale;
};
RP_ARGS_SIZE(struct rp_powers_args, 32);

struct rp_mul_powers_args {
  RP_ADDR(void) out;
  RP_ADDR(const void) x;
  RP_ADDR(const void) base;
  RP_ADDR(const void) scale;
  uint32_t n, has_scale;
};
RP_ARGS_SIZE(struct rp_mul_powers_args, 40);

struct powers_params {
  uint64_t n; /* 0: mul_powers, whose first input is x */
};

static rp_status powers_shape(const rp_shape *s) {
  const struct powers_params *p = s->params;
  uint32_t first = p->n ? 0 : 1;
  rp_field field;
  rp_status st = rp_shape_one_field(s, &field);
  if (st != RP_OK) return st;
  for (uint32_t i = first; i < s->n_in; i++)
    if (s->in_len[i] != 1)
      return rp_shape_fail(s, RP_ERR_SHAPE, "%s has %llu elements, not 1", i == first ? "base" : "scale",
                           (unsigned long long)s->in_len[i]);
  if (p->n > RP_MAX_LEN) return rp_shape_fail(s, RP_ERR_SHAPE, "there are more than 2^32 - 1 elements");
  rp_shape_out(s, 0, s->in_type[0], p->n ? p->n : s->in_len[0]);
  return RP_OK;
}

/* A chunk finds its first power by square and multiply, in about 60 products; 2048 elements make that small. */
static const uint32_t powers_grain = 2048;

/* CUDA: each block takes one run of elements. To begin, a thread needs a chain of products as long as that of ten
 * elements. */
static void dispatch(rp_lower *l, const rp_kernel *kernel, uint32_t n, const void *args, const rp_bind *binds) {
  enum { BLOCKS = 2 }; /* per multiprocessor */
  const uint32_t most = rp_lower_limits(l)->workers * BLOCKS;
  if (rp_lower_device(l) == RP_DEVICE_CUDA && n / kernel->cuda.block >= most)
    rp_lower_blocks(l, kernel, most, 1, args, binds);
  else
    rp_lower_items(l, kernel, n, powers_grain, args, binds);
}

void rp_lower_powers(rp_lower *l, rp_value out, rp_value base, rp_value scale) {
  const struct rp_powers_args args = {.n = (uint32_t)rp_lower_len(l, out), .has_scale = scale.id != 0};
  const rp_bind binds[] = {RP_BIND(out, RP_WRITE), RP_BIND(base, RP_READ), rp_bind_optional(scale, RP_READ)};
  dispatch(l, &rp_kernels_powers[rp_lower_field(l, out)], args.n, &args, binds);
}

static rp_status powers_lower(rp_lower *l) {
  const struct powers_params *p = rp_lower_params(l);
  rp_value out = rp_lower_out(l, 0);
  uint32_t first = p->n ? 0 : 1, has_scale = rp_lower_n_in(l) > first + 1;
  rp_value base = rp_lower_in(l, first), scale = has_scale ? rp_lower_in(l, first + 1) : RP_NO_VALUE;
  if (p->n) {
    rp_lower_powers(l, out, base, scale);
  } else {
    struct rp_mul_powers_args args = {.n = (uint32_t)rp_lower_len(l, out), .has_scale = has_scale};
    rp_bind binds[] = {RP_BIND(out, RP_WRITE), RP_BIND(rp_lower_in(l, 0), RP_READ | RP_IN_PLACE),
                       RP_BIND(base, RP_READ), rp_bind_optional(scale, RP_READ)};
    dispatch(l, &rp_kernels_mul_powers[rp_lower_field(l, out)], args.n, &args, binds);
  }
  return RP_OK;
}

static const rp_strategy powers_strategy = {"chains", RP_ON_ANY, NULL, powers_lower};
const rp_op rp_op_powers = {.struct_size = sizeof(rp_op),
                            .name = "powers",
                            .params_bytes = sizeof(struct powers_params),
                            .shape = powers_shape,
                            .strategies = &powers_strategy,
                            .n_strategies = 1,
                            .flags = RP_OP_PURE,
                            .schema = RP_SCHEMA(.least_in = 1, .most_in = 2,
                                                RP_PARAMS(RP_PARAM_UPTO(struct powers_params, n, 1, UINT64_MAX)),
                                                .examples = "field[1]; n=n | field[1], field[1]; n=n", .products = 1)};
const rp_op rp_op_mul_powers = {
    .struct_size = sizeof(rp_op),
    .name = "mul_powers",
    .params_bytes = sizeof(struct powers_params),
    .shape = powers_shape,
    .strategies = &powers_strategy,
    .n_strategies = 1,
    .flags = RP_OP_PURE,
    .schema = RP_SCHEMA(.least_in = 2, .most_in = 3, RP_PARAMS(RP_PARAM_UPTO(struct powers_params, n, 0, 0)),
                        .examples = "field, field[1] | field, field[1], field[1]", .products = 2)};

rp_value rp_powers(rp_graph *g, rp_value base, rp_value scale, uint64_t n) {
  if (!n) return rp_graph_fail(g, RP_ERR_SHAPE, "powers: no elements are asked for");
  struct powers_params p = {.n = n};
  return rp_graph_node(g, &rp_op_powers, &p, (rp_value[]){base, scale}, scale.id ? 2 : 1, NULL, 1);
}

rp_value rp_mul_powers(rp_graph *g, rp_value x, rp_value base, rp_value scale) {
  struct powers_params p = {.n = 0};
  return rp_graph_node(g, &rp_op_mul_powers, &p, (rp_value[]){x, base, scale}, scale.id ? 3 : 2, NULL, 1);
}
