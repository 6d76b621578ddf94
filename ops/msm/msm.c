/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Multi-scalar multiplication: few points in one kernel with shared doublings, many through a bucket matrix.
 */
#include "msm/buckets.h"
#include "lower/lower.h"
#include "points/points_args.h"
#include "msm/msm_tuning.h"
#include "lower/gpu.h"

#include <stdio.h>
#include <stdlib.h>

#define RP_KERNEL msm_small
#define RP_KERNEL_IFMA
#define RP_KERNEL_ARGS struct rp_msm_small_args
#define RP_KERNEL_BINDS 5
#include "kernel/curve_kernels.h"

typedef struct params {
  uint64_t batch;
} params;

enum { IN_SCALARS, IN_POINTS };

static rp_status shape(const rp_shape *s) {
  const params *p = s->params;
  rp_curve curve;
  if (!rp_type_is_affine(s->in_type[IN_POINTS], &curve))
    return rp_shape_fail(s, RP_ERR_TYPE, "points are of type %s, not affine points", s->in_type[IN_POINTS]->name);
  if (s->in_type[IN_SCALARS]->id != RP_TYPE_U256.id)
    return rp_shape_fail(s, RP_ERR_TYPE, "scalars are of type %s, not u256", s->in_type[IN_SCALARS]->name);
  rp_shape_out(s, 0, rp_type_accumulator(curve), p->batch);
  return RP_OK;
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

/* A workgroup a result. */
enum { SMALL_GROUP = 128 };
#define SMALL(NAME, id, base, scalar, w)                                                                    \
  [RP_CURVE_##NAME] = RP_GPU_KERNEL_SHARED(points, id, msm_small, struct rp_msm_small_args, 5, SMALL_GROUP, \
                                           SMALL_GROUP * RP_GPU_ACC_BYTES(base), SMALL_GROUP),
#define DECLARE(NAME, id, base, scalar, w) RP_CUDA_DECLARE(points_##id)
RP_CURVE_LIST(DECLARE)
static const rp_kernel small_gpu[RP_CURVE_COUNT] = {RP_CURVE_LIST(SMALL)};

static rp_status lower_gpu(rp_lower *l) {
  const params *p = rp_lower_params(l);
  const rp_value scalars = rp_lower_in(l, IN_SCALARS), points = rp_lower_in(l, IN_POINTS);
  rp_curve curve;
  rp_type_is_affine(rp_lower_type(l, points), &curve);
  rp_gpu_dispatch(l, &small_gpu[curve], (uint32_t)p->batch, 1,
                  &(struct rp_msm_small_args){.n = (uint32_t)rp_lower_len(l, points), .site = rp_lower_site(l)},
                  (rp_bind[]){RP_BIND(scalars, RP_READ), RP_BIND(points, RP_READ),
                              RP_BIND(rp_lower_out(l, 0), RP_WRITE),
                              RP_BIND(rp_lower_error(l), RP_READ_WRITE | RP_ATOMIC), RP_BIND(points, RP_READ)});
  return RP_OK;
}

static int describe(const void *params_, char *text, size_t bytes) {
  return snprintf(text, bytes, "batch=%llu", (unsigned long long)((const params *)params_)->batch);
}

static const rp_strategy strategies[] = {
    {.name = "shared_doublings", .devices = RP_ON(RP_DEVICE_CPU), .lower = lower_cpu},
    {.name = "workgroups", .devices = RP_ON_GPU, .lower = lower_gpu},
};

static const rp_op op = {.struct_size = sizeof(rp_op),
                         .name = "msm_small",
                         .params_bytes = sizeof(params),
                         .shape = shape,
                         .strategies = strategies,
                         .n_strategies = sizeof strategies / sizeof *strategies,
                         .describe = describe};

/* One product through a bucket matrix. */
static rp_value msm_buckets(rp_graph *g, rp_value scalars, rp_value points, rp_value multiples,
                            const rp_bucket_options *options) {
  rp_buckets b = rp_bucket_matrix(g, scalars, options);
  return rp_window_reduce(g, &b, rp_bucket_windows(g, &b, options->merged > 1 ? multiples : points));
}

rp_value rp_msm(rp_graph *g, rp_value scalars, rp_value points, const rp_msm_options *options) {
  const uint64_t n = rp_value_len(g, points);
  rp_msm_options o;
  if (!rp_options_read(&o, sizeof o, options)) return rp_graph_fail(g, RP_ERR_ARGUMENT, "msm: struct_size is not set");
  const uint64_t batch = o.batch ? o.batch : 1;
  rp_bucket_options bo = {.struct_size = sizeof bo, .window_bits = o.window_bits, .merged = 1};
  rp_value multiples = RP_NO_VALUE, result;
  rp_value *parts;
  if (!rp_value_check(g, points, "msm", "points") || !rp_value_check(g, scalars, "msm", "scalars")) return RP_NO_VALUE;
  if (!rp_type_is_affine(rp_value_type(g, points), &bo.curve))
    return rp_graph_fail(g, RP_ERR_TYPE, "msm: points are of type %s, not affine points",
                         rp_value_type(g, points)->name);
  if (rp_value_len(g, scalars) != n * batch)
    return rp_graph_fail(g, RP_ERR_SHAPE, "msm: %llu scalars for %llu points in a batch of %llu",
                         (unsigned long long)rp_value_len(g, scalars), (unsigned long long)n,
                         (unsigned long long)batch);
  rp_scope_begin(g, "msm");
  /* Field elements go through the matrix, whose digit kernel converts them. */
  if (!o.window_bits && !o.precompute && n <= rp_msm_small_points() &&
      rp_value_type(g, scalars)->id == RP_TYPE_U256.id) {
    result = rp_graph_node(g, &op, &(params){batch}, (rp_value[]){scalars, points}, 2, NULL, 1);
    rp_scope_end(g);
    return result;
  }
  if (o.precompute > 1) bo.merged = o.precompute;
  if (!bo.window_bits) bo.window_bits = rp_window_bits_choose(bo.curve, n, bo.merged);
  if (bo.merged > 1) multiples = rp_window_multiples(g, points, bo.window_bits, bo.merged);
  if (batch == 1) {
    result = msm_buckets(g, scalars, points, multiples, &bo);
  } else if ((parts = malloc(batch * sizeof *parts))) {
    for (uint64_t i = 0; i < batch; i++)
      parts[i] = msm_buckets(g, rp_slice(g, scalars, i * n, n), points, multiples, &bo);
    result = rp_concat(g, parts, (uint32_t)batch);
    free(parts);
  } else {
    result = rp_graph_fail(g, RP_ERR_MEMORY, "msm: batch of %llu", (unsigned long long)batch);
  }
  rp_scope_end(g);
  return result;
}
