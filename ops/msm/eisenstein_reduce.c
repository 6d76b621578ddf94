/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Reduction of the buckets of Eisenstein digits: the sum of (x + y zeta) * bucket[x + y zeta].
 *
 * kernel eisenstein_reduce eisenstein_reduce/2 ids:bn254_g1,bn254_g2,bls12_381_g1,bls12_381_g2 cpu:adx
 *        products:bucket_sums
 */
#include "msm/eisenstein.h"
#include "msm/eisenstein_reduce.h"
#include "lower/lower.h"
#include "kernel_tables.h"

/* One item in all. */
struct rp_eisenstein_reduce_args {
  RP_ADDR(const uint64_t) sums; /* accumulators [columns + 1][columns] */
  RP_ADDR(uint64_t) result;     /* one accumulator */
  uint32_t columns, reserved;
};
RP_ARGS_SIZE(struct rp_eisenstein_reduce_args, 24);

typedef struct params {
  uint32_t columns;
} params;

rp_status rp_shape_eisenstein_curve(const rp_shape *s, rp_curve curve) {
  if (rp_curve_endomorphism(curve)) return RP_OK;
  return rp_shape_fail(s, RP_ERR_TYPE, "the points are of %s, which has no endomorphism here", rp_curve_name(curve));
}

static rp_status shape(const rp_shape *s) {
  const params *p = s->params;
  rp_curve curve;
  if (!rp_type_is_accumulator(s->in_type[0], &curve))
    return rp_shape_fail(s, RP_ERR_TYPE, "the sums are of type %s, not accumulator points", s->in_type[0]->name);
  if (s->in_len[0] != (uint64_t)p->columns * (p->columns + 1))
    return rp_shape_fail(s, RP_ERR_SHAPE, "there are %llu sums, and the matrix has %u times %u buckets",
                         (unsigned long long)s->in_len[0], p->columns + 1, p->columns);
  rp_shape_out(s, 0, s->in_type[0], 1);
  return rp_shape_eisenstein_curve(s, curve);
}

rp_status rp_lower_eisenstein_cpu(rp_lower *l, rp_curve curve, rp_value sums, rp_value result, uint32_t columns) {
  rp_lower_items(l, &rp_kernels_eisenstein_reduce[curve], 1, 1, &(struct rp_eisenstein_reduce_args){.columns = columns},
                 (rp_bind[]){RP_BIND(sums, RP_READ), RP_BIND(result, RP_WRITE)});
  return RP_OK;
}

static rp_status lower_cpu(rp_lower *l) {
  const params *p = rp_lower_params(l);
  rp_curve curve;
  rp_type_is_accumulator(rp_lower_type(l, rp_lower_in(l, 0)), &curve);
  return rp_lower_eisenstein_cpu(l, curve, rp_lower_in(l, 0), rp_lower_out(l, 0), p->columns);
}

static rp_status lower_gpu(rp_lower *l) {
  const params *p = rp_lower_params(l);
  rp_curve curve;
  rp_type_is_accumulator(rp_lower_type(l, rp_lower_in(l, 0)), &curve);
  return rp_lower_eisenstein_gpu(l, curve, rp_lower_in(l, 0), rp_lower_out(l, 0), p->columns);
}

static const rp_strategy strategies[] = {
    {.name = "running_sums", .devices = RP_ON(RP_DEVICE_CPU), .lower = lower_cpu},
    {.name = "suffix_sums", .devices = RP_ON_GPU, .lower = lower_gpu},
};

const rp_op rp_op_eisenstein_reduce = {
    .struct_size = sizeof(rp_op),
    .flags = RP_OP_PURE,
    .name = "eisenstein_reduce",
    .params_bytes = sizeof(params),
    .shape = shape,
    .strategies = strategies,
    .n_strategies = sizeof strategies / sizeof *strategies,
    .schema = RP_SCHEMA(.least_in = 1, RP_PARAMS(RP_PARAM_UPTO(params, columns, 1, RP_EISENSTEIN_COLUMNS_MOST)),
                        .examples = "bn254_g1.acc[20]; columns=4")};

rp_value rp_eisenstein_reduce(rp_graph *g, rp_value sums, uint32_t columns) {
  return rp_graph_node(g, &rp_op_eisenstein_reduce, &(params){columns}, &sums, 1, NULL, 1);
}
