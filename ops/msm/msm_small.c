/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Multi-scalar products of few points, with shared doublings and no buckets.
 *
 * kernel msm_small msm_small/5 curves cpu:ifma products:few
 * kernel msm_small msm_small/4 curves gpu:128,128*ACC int64 table:msm_small_gpu products:few
 */
#include "msm/msm_small.h"
#include "msm/msm_costs.h"
#include "points/points.h"
#include "lower/gpu.h"
#include "kernel_tables.h"

#include <stdio.h>

/* One item per result. Each result is the sum of n products over the same points. */
struct rp_msm_small_args {
  RP_ADDR(uint64_t) scalars; /* [result][n] U256 */
  RP_ADDR(uint64_t) points;  /* [n] affine */
  RP_ADDR(uint64_t) out;     /* [result] accumulator */
  RP_ADDR(uint32_t) error;
  RP_ADDR(uint64_t) workspace; /* CPU only: [worker][workspace_words] */
  uint32_t n, workspace_words, site, reserved;
};
RP_ARGS_SIZE(struct rp_msm_small_args, 56);

typedef struct params {
  uint64_t batch;
} params;

enum { IN_SCALARS, IN_POINTS };

/* The kernels count points in one workgroup's lanes; rp_msm chooses this operation for few points only. */
static rp_status check(const rp_draft *d) {
  const params *p = d->params;
  const uint64_t n = rp_value_len(d->graph, d->in[IN_POINTS]), scalars = rp_value_len(d->graph, d->in[IN_SCALARS]);
  if (n <= RP_MSM_SMALL_MOST && scalars == n * p->batch) return RP_OK;
  return rp_draft_fail(d, RP_ERR_SHAPE, "%llu scalars for %llu points (at most %d) in a batch of %llu",
                       (unsigned long long)scalars, (unsigned long long)n, RP_MSM_SMALL_MOST,
                       (unsigned long long)p->batch);
}

static rp_status shape(const rp_shape *s) {
  const params *p = s->params;
  rp_curve curve;
  rp_status status = rp_shape_affine(s, IN_POINTS, &curve);
  if (status == RP_OK) status = rp_shape_scalars(s, IN_SCALARS);
  if (status == RP_OK) rp_shape_out(s, 0, rp_type_accumulator(curve), p->batch);
  return status;
}

static rp_status lower_cpu(rp_lower *l) {
  const params *p = rp_lower_params(l);
  const rp_value scalars = rp_lower_in(l, IN_SCALARS), points = rp_lower_in(l, IN_POINTS);
  struct rp_msm_small_args a = {.n = (uint32_t)rp_lower_len(l, points), .site = rp_lower_site(l)};
  rp_value workspace;
  rp_curve curve;
  rp_type_is_affine(rp_lower_type(l, points), &curve);
  a.workspace_words = rp_msm_small_words(a.n, rp_type_accumulator(curve)->size_bytes);
  workspace = rp_lower_scratch(l, "workspace", &RP_TYPE_U64, (uint64_t)rp_lower_limits(l)->workers * a.workspace_words);
  rp_lower_items(l, &rp_kernels_msm_small[curve], p->batch, 1, &a,
                 (rp_bind[]){RP_BIND(scalars, RP_READ), RP_BIND(points, RP_READ), RP_BIND(rp_lower_out(l, 0), RP_WRITE),
                             RP_BIND(rp_lower_error(l), RP_READ_WRITE | RP_ATOMIC), RP_BIND(workspace, RP_READ_WRITE)});
  return RP_OK;
}

/* One workgroup per result. */
static rp_status lower_gpu(rp_lower *l) {
  const params *p = rp_lower_params(l);
  const rp_value scalars = rp_lower_in(l, IN_SCALARS), points = rp_lower_in(l, IN_POINTS);
  rp_curve curve;
  rp_type_is_affine(rp_lower_type(l, points), &curve);
  rp_gpu_dispatch(l, &rp_kernels_msm_small_gpu[curve], (uint32_t)p->batch, 1,
                  &(struct rp_msm_small_args){.n = (uint32_t)rp_lower_len(l, points), .site = rp_lower_site(l)},
                  (rp_bind[]){RP_BIND(scalars, RP_READ), RP_BIND(points, RP_READ),
                              RP_BIND(rp_lower_out(l, 0), RP_WRITE),
                              RP_BIND(rp_lower_error(l), RP_READ_WRITE | RP_ATOMIC)});
  return RP_OK;
}

static int describe(const void *params_, char *text, size_t bytes) {
  return snprintf(text, bytes, "batch=%llu", (unsigned long long)((const params *)params_)->batch);
}

static const rp_strategy strategies[] = {
    {.name = "shared_doublings", .devices = RP_ON(RP_DEVICE_CPU), .lower = lower_cpu},
    {.name = "workgroups", .devices = RP_ON_GPU, .lower = lower_gpu},
};

const rp_op rp_op_msm_small = {.struct_size = sizeof(rp_op),
                               .flags = RP_OP_PURE,
                               .name = "msm_small",
                               .params_bytes = sizeof(params),
                               .shape = shape,
                               .strategies = strategies,
                               .n_strategies = sizeof strategies / sizeof *strategies,
                               .describe = describe,
                               .schema = RP_SCHEMA(.least_in = 2, .check = check,
                                                   RP_PARAMS(RP_PARAM_UPTO(params, batch, 1, UINT32_MAX)),
                                                   .examples = "scalar[48], affine[3]; batch=16")};

rp_value rp_msm_small(rp_graph *g, rp_value scalars, rp_value points, uint64_t batch) {
  return rp_graph_node(g, &rp_op_msm_small, &(params){batch}, (rp_value[]){scalars, points}, 2, NULL, 1);
}
