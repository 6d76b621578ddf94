/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Window reduction: Horner's rule over the sums of the windows.
 */
#include "msm/buckets.h"
#include "lower/lower.h"
#include "lower/gpu.h"
#include "msm/bucket_reduce_args.h"
#include "kernel_tables.h"

typedef struct params {
  uint32_t sets, doublings;
} params;

static rp_status shape(const rp_shape *s) {
  const params *p = s->params;
  rp_curve curve;
  if (!rp_type_is_accumulator(s->in_type[0], &curve))
    return rp_shape_fail(s, RP_ERR_TYPE, "the windows are of type %s, not accumulator points", s->in_type[0]->name);
  if (s->in_len[0] != p->sets)
    return rp_shape_fail(s, RP_ERR_SHAPE, "there are %llu windows, and the matrix has %u",
                         (unsigned long long)s->in_len[0], p->sets);
  rp_shape_out(s, 0, s->in_type[0], 1);
  return RP_OK;
}

static rp_status lower_cpu(rp_lower *l) {
  const params *p = rp_lower_params(l);
  rp_curve curve;
  rp_type_is_accumulator(rp_lower_type(l, rp_lower_in(l, 0)), &curve);
  rp_lower_items(l, &rp_kernels_window_reduce[curve], 1, 1,
                 &(struct rp_window_reduce_args){.n = p->sets, .doublings = p->doublings},
                 (rp_bind[]){RP_BIND(rp_lower_in(l, 0), RP_READ), RP_BIND(rp_lower_out(l, 0), RP_WRITE)});
  return RP_OK;
}

static rp_status lower_gpu(rp_lower *l) {
  const params *p = rp_lower_params(l);
  rp_curve curve;
  rp_type_is_accumulator(rp_lower_type(l, rp_lower_in(l, 0)), &curve);
  return rp_lower_window_reduce_gpu(l, curve, rp_lower_in(l, 0), rp_lower_out(l, 0), p->sets, p->doublings);
}

static const rp_strategy strategies[] = {
    {.name = "horner", .devices = RP_ON(RP_DEVICE_CPU), .lower = lower_cpu},
    {.name = "horner", .devices = RP_ON_GPU, .lower = lower_gpu},
};

const rp_op rp_op_window_reduce = {
    .struct_size = sizeof(rp_op),
    .flags = RP_OP_PURE,
    .name = "window_reduce",
    .params_bytes = sizeof(params),
    .shape = shape,
    .strategies = strategies,
    .n_strategies = sizeof strategies / sizeof *strategies,
    .schema =
        RP_SCHEMA(.least_in = 1, RP_PARAMS(RP_PARAM_UPTO(params, sets, 1, RP_WINDOWS_MAX),
                                           RP_PARAM_UPTO(params, doublings, 1, RP_WINDOWS_MAX + RP_WINDOW_BITS_MAX)))};

rp_value rp_window_reduce(rp_graph *g, const rp_buckets *b, rp_value windows) {
  params p;
  if (!rp_buckets_check_dims(g, b, rp_op_window_reduce.name)) return RP_NO_VALUE;
  p = (params){b->windows, b->window_bits * b->merged};
  return rp_graph_node(g, &rp_op_window_reduce, &p, &windows, 1, NULL, 1);
}
