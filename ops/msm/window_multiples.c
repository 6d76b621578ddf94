/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Multiples of points for merged windows.
 *
 * kernel window_multiples window_multiples/2 curves cpu:ifma gpu:128 int64 products:multiples
 */
#include "points/points.h"
#include "msm/bucket_reduce_args.h" /* RP_WINDOW_BITS_MAX */
#include "kernel_tables.h"

/* One item per point. out[j * n + i] = 2^(doublings * j) * in[i] */
struct rp_window_multiples_args {
  RP_ADDR(uint64_t) in;
  RP_ADDR(uint64_t) out; /* affine */
  uint32_t n, doublings, merged, reserved;
};
RP_ARGS_SIZE(struct rp_window_multiples_args, 32);

typedef struct multiples_params {
  uint32_t window_bits, merged;
} multiples_params;

static rp_status shape_multiples(const rp_shape *s) {
  const multiples_params *p = s->params;
  rp_curve curve;
  if (!rp_type_is_affine(s->in_type[0], &curve)) return rp_shape_not_points(s, 0, "affine points");
  if (!p->window_bits || !p->merged || p->window_bits > RP_WINDOW_BITS_MAX || p->merged > 256)
    return rp_shape_fail(s, RP_ERR_ARGUMENT, "%u windows of %u bits, not 1 to 256 windows of 1 to %u bits", p->merged,
                         p->window_bits, RP_WINDOW_BITS_MAX);
  if (s->in_len[0] * p->merged > RP_MAX_LEN)
    return rp_shape_fail(s, RP_ERR_SHAPE, "%llu points times %u windows", (unsigned long long)s->in_len[0], p->merged);
  rp_shape_out(s, 0, s->in_type[0], s->in_len[0] * p->merged);
  return RP_OK;
}

static rp_status lower_multiples(rp_lower *l) {
  const multiples_params *p = rp_lower_params(l);
  const rp_value in = rp_lower_in(l, 0);
  const uint32_t n = (uint32_t)rp_lower_len(l, in);
  rp_curve curve;
  rp_type_is_affine(rp_lower_type(l, in), &curve);
  rp_lower_items(l, &rp_kernels_window_multiples[curve], n, 128,
                 &(struct rp_window_multiples_args){.n = n, .doublings = p->window_bits, .merged = p->merged},
                 (rp_bind[]){RP_BIND(in, RP_READ), RP_BIND(rp_lower_out(l, 0), RP_WRITE)});
  return RP_OK;
}

static const rp_strategy multiples_strategies[] = {
    {.name = "doublings", .devices = RP_ON_ANY, .lower = lower_multiples},
};

const rp_op rp_op_window_multiples = {
    .struct_size = sizeof(rp_op),
    .flags = RP_OP_PURE,
    .name = "window_multiples",
    .params_bytes = sizeof(multiples_params),
    .shape = shape_multiples,
    .strategies = multiples_strategies,
    .n_strategies = 1,
    .schema = RP_SCHEMA(.least_in = 1,
                        RP_PARAMS(RP_PARAM_UPTO(multiples_params, window_bits, 0, UINT32_MAX),
                                  RP_PARAM_UPTO(multiples_params, merged, 0, UINT32_MAX)),
                        .examples = "affine; window_bits=5, merged=3")};

rp_value rp_window_multiples(rp_graph *g, rp_value points, uint32_t window_bits, uint32_t merged) {
  return rp_graph_node(g, &rp_op_window_multiples, &(multiples_params){window_bits, merged}, &points, 1, NULL, 1);
}
