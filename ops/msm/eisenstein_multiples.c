/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Multiples of points for digits of Eisenstein integers.
 *
 * kernel eisenstein_multiples eisenstein_multiples/2 ids:bn254_g1,bn254_g2,bls12_381_g1,bls12_381_g2 cpu:adx
 *        gpu:128 int64 products:eisenstein_multiples
 */
#include "msm/eisenstein.h"
#include "points/points.h"
#include "kernel_tables.h"

/* One item per point. out[(r * windows + w) * n + i] = omega^r base^w in[i] */
struct rp_eisenstein_multiples_args {
  RP_ADDR(uint64_t) in;
  RP_ADDR(uint64_t) out; /* affine */
  uint32_t n, windows, base, reserved;
};
RP_ARGS_SIZE(struct rp_eisenstein_multiples_args, 32);

typedef struct params {
  uint32_t windows;
} params;

static rp_status shape(const rp_shape *s) {
  const params *p = s->params;
  const uint64_t multiples = 3 * (uint64_t)p->windows;
  rp_curve curve;
  if (!rp_type_is_affine(s->in_type[0], &curve)) return rp_shape_not_points(s, 0, "affine points");
  if (!rp_curve_endomorphism(curve))
    return rp_shape_fail(s, RP_ERR_TYPE, "the points are of %s, which has no endomorphism here", rp_curve_name(curve));
  if (p->windows < RP_EISENSTEIN_WINDOWS_LEAST || p->windows > RP_EISENSTEIN_WINDOWS_MOST)
    return rp_shape_fail(s, RP_ERR_ARGUMENT, "%u windows, not %d to %d", p->windows, RP_EISENSTEIN_WINDOWS_LEAST,
                         RP_EISENSTEIN_WINDOWS_MOST);
  if (s->in_len[0] > RP_MAX_LEN / multiples)
    return rp_shape_fail(s, RP_ERR_SHAPE, "%llu points times %llu multiples", (unsigned long long)s->in_len[0],
                         (unsigned long long)multiples);
  rp_shape_out(s, 0, s->in_type[0], s->in_len[0] * multiples);
  return RP_OK;
}

static rp_status lower(rp_lower *l) {
  const params *p = rp_lower_params(l);
  const rp_value in = rp_lower_in(l, 0);
  const uint32_t n = (uint32_t)rp_lower_len(l, in);
  rp_curve curve;
  rp_type_is_affine(rp_lower_type(l, in), &curve);
  const uint32_t base = rp_eisenstein_of(curve, p->windows).base;
  rp_lower_items(l, &rp_kernels_eisenstein_multiples[curve], n, 128,
                 &(struct rp_eisenstein_multiples_args){.n = n, .windows = p->windows, .base = base},
                 (rp_bind[]){RP_BIND(in, RP_READ), RP_BIND(rp_lower_out(l, 0), RP_WRITE)});
  return RP_OK;
}

static const rp_strategy strategies[] = {{.name = "doublings", .devices = RP_ON_ANY, .lower = lower}};

const rp_op rp_op_eisenstein_multiples = {
    .struct_size = sizeof(rp_op),
    .flags = RP_OP_PURE,
    .name = "eisenstein_multiples",
    .params_bytes = sizeof(params),
    .shape = shape,
    .strategies = strategies,
    .n_strategies = 1,
    .schema = RP_SCHEMA(.least_in = 1, RP_PARAMS(RP_PARAM_UPTO(params, windows, 0, UINT32_MAX)),
                        .examples = "bn254_g1; windows=12 | bn254_g2; windows=10 | bls12_381_g1; windows=43 | "
                                    "bls12_381_g2; windows=11")};

rp_value rp_eisenstein_multiples(rp_graph *g, rp_value points, uint32_t windows) {
  return rp_graph_node(g, &rp_op_eisenstein_multiples, &(params){windows}, &points, 1, NULL, 1);
}
