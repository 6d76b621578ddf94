/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Multi-scalar multiplication as one node. When the graph is planned it becomes, as suits the device and the memory
 * level (msm_costs.h), one kernel with shared doublings, or the steps of a product with buckets, with or without
 * precomputed multiples of the points.
 */
#include "msm/buckets.h"
#include "msm/eisenstein.h"
#include "msm/msm_costs.h"
#include "msm/msm_small.h"
#include "lower/lower.h"

#include <stdio.h>

typedef struct params {
  uint64_t batch;
  uint32_t window_bits, precompute;
} params;

enum { IN_SCALARS, IN_POINTS };

static rp_status check(const rp_draft *d) {
  const params *p = d->params;
  rp_curve curve;
  if (!rp_type_is_affine(rp_value_type(d->graph, d->in[IN_POINTS]), &curve)) return RP_OK; /* see the shape rule */
  return rp_msm_check_windows(d, curve, p->window_bits, p->precompute);
}

static rp_status shape(const rp_shape *s) {
  const params *p = s->params;
  const uint64_t n = s->in_len[IN_POINTS];
  rp_curve curve;
  rp_status status = rp_shape_affine(s, IN_POINTS, &curve);
  if (status == RP_OK) status = rp_shape_msm_scalars(s, IN_SCALARS, curve);
  if (status != RP_OK) return status;
  if (n > RP_MAX_LEN || p->batch > RP_MAX_LEN || s->in_len[IN_SCALARS] != n * p->batch)
    return rp_shape_fail(
        s, RP_ERR_SHAPE, "%llu scalars for %llu points; there must be %llu for each point (options->batch)",
        (unsigned long long)s->in_len[IN_SCALARS], (unsigned long long)n, (unsigned long long)p->batch);
  rp_shape_out(s, 0, rp_type_accumulator(curve), p->batch);
  return RP_OK;
}

/* One product through a bucket matrix. */
static rp_value with_buckets(rp_graph *g, rp_value scalars, rp_value points, const rp_bucket_options *options) {
  rp_buckets b = rp_bucket_matrix(g, scalars, options);
  return rp_window_reduce(g, &b, rp_bucket_windows(g, &b, points));
}

/* Products with the multiples of the points that rp_eisenstein_multiples makes. */
static rp_status with_eisenstein_digits(rp_expand *x, rp_value scalars, rp_value points, uint32_t windows) {
  const params *p = x->params;
  rp_graph *g = x->graph;
  const uint64_t n = rp_value_len(g, points);
  rp_curve curve = 0;
  rp_type_is_affine(rp_value_type(g, points), &curve);
  rp_value *parts = rp_expand_alloc(x, p->batch * sizeof *parts);
  if (!parts) return RP_ERR_MEMORY;
  rp_expand_note(x, ", %u windows of Eisenstein integers", windows);
  points = rp_eisenstein_multiples(g, points, windows);
  for (uint64_t i = 0; i < p->batch; i++) {
    const rp_value own = p->batch == 1 ? scalars : rp_slice(g, scalars, i * n, n);
    const rp_buckets b = rp_eisenstein_matrix(g, own, curve, windows);
    parts[i] = rp_eisenstein_sums(g, &b, points, windows);
  }
  x->out[0] = p->batch == 1 ? parts[0] : rp_concat(g, parts, (uint32_t)p->batch);
  return RP_OK;
}

static rp_status expand(rp_expand *x) {
  const params *p = x->params;
  rp_graph *g = x->graph;
  const rp_value scalars = x->in[IN_SCALARS];
  rp_value points = x->in[IN_POINTS];
  rp_msm_problem problem = {.n = rp_value_len(g, points),
                            .batch = p->batch,
                            .products = 1,
                            .constant_points = rp_value_is_constant(g, points),
                            .point_bytes = rp_value_type(g, points)->size_bytes,
                            .window_bits = p->window_bits,
                            .precompute = p->precompute};
  rp_type_is_affine(rp_value_type(g, points), &problem.curve);
  const rp_endomorphism *endomorphism = rp_curve_endomorphism(problem.curve);
  problem.in_subgroup = endomorphism && endomorphism->all_points;
  /* Field elements need the bucket matrix, whose digit kernel converts them. */
  if (!p->window_bits && p->precompute <= 1 && rp_value_type(g, scalars)->id == RP_TYPE_U256.id &&
      rp_msm_prefers_small(x->device, x->memory_level, &problem)) {
    x->out[0] = rp_msm_small(g, scalars, points, p->batch);
    return RP_OK;
  }
  const rp_msm_strategy s = rp_msm_choose(x->device, x->limits, x->memory_level, &problem);
  const rp_bucket_options options = {
      .struct_size = sizeof options, .curve = problem.curve, .window_bits = s.window_bits, .merged = s.merged};
  if (s.eisenstein) return with_eisenstein_digits(x, scalars, points, s.eisenstein);
  rp_expand_note(x, ", windows of %u bits", s.window_bits);
  if (s.merged > 1) points = rp_window_multiples(g, points, s.window_bits, s.merged);
  if (p->batch == 1) {
    x->out[0] = with_buckets(g, scalars, points, &options);
    return RP_OK;
  }
  rp_value *parts = rp_expand_alloc(x, p->batch * sizeof *parts);
  if (!parts) return RP_ERR_MEMORY;
  for (uint64_t i = 0; i < p->batch; i++)
    parts[i] = with_buckets(g, rp_slice(g, scalars, i * problem.n, problem.n), points, &options);
  x->out[0] = rp_concat(g, parts, (uint32_t)p->batch);
  return RP_OK;
}

static int describe(const void *params_, char *text, size_t bytes) {
  const params *p = params_;
  return snprintf(text, bytes, "batch=%llu window_bits=%u precompute=%u", (unsigned long long)p->batch, p->window_bits,
                  p->precompute);
}

const rp_op rp_op_msm = {.struct_size = sizeof(rp_op),
                         .flags = RP_OP_PURE,
                         .name = "msm",
                         .params_bytes = sizeof(params),
                         .shape = shape,
                         .describe = describe,
                         .schema = RP_SCHEMA(.least_in = 2, .check = check,
                                             RP_PARAMS(RP_PARAM_UPTO(params, batch, 1, UINT32_MAX),
                                                       RP_PARAM_UPTO(params, window_bits, 0, RP_WINDOW_BITS_MAX),
                                                       RP_PARAM_UPTO(params, precompute, 0, RP_WINDOWS_MAX))),
                         .expand = expand};

rp_value rp_msm(rp_graph *g, rp_value scalars, rp_value points, const rp_msm_options *options) {
  const uint64_t n = rp_value_len(g, points);
  rp_msm_options o;
  if (!rp_options_read(&o, sizeof o, options))
    return rp_graph_fail(g, RP_ERR_ARGUMENT, "msm: options->struct_size is not set");
  const params p = {.batch = o.batch ? o.batch : 1, .window_bits = o.window_bits, .precompute = o.precompute};
  if (!rp_value_check(g, points, "msm", "points") || !rp_value_check(g, scalars, "msm", "scalars")) return RP_NO_VALUE;
  if (!rp_type_is_affine(rp_value_type(g, points), NULL))
    return rp_graph_fail(g, RP_ERR_TYPE, "msm: the points are of type %s, not affine points",
                         rp_value_type(g, points)->name);
  if (rp_value_len(g, scalars) != n * p.batch)
    return rp_graph_fail(
        g, RP_ERR_SHAPE, "msm: %llu scalars for %llu points; there must be %llu for each point (options->batch)",
        (unsigned long long)rp_value_len(g, scalars), (unsigned long long)n, (unsigned long long)p.batch);
  return rp_graph_node(g, &rp_op_msm, &p, (rp_value[]){scalars, points}, 2, NULL, 1);
}
