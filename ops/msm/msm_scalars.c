/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Scalars for several multi-scalar products: sorted into buckets once. msm_scalars has no elements in memory; when the
 * graph is planned, it becomes a bucket matrix, whose windows are chosen then, and each msm_of a product with it.
 */
#include "msm/buckets.h"
#include "msm/eisenstein.h"
#include "msm/msm_costs.h"
#include "lower/lower.h"

#include <stdio.h>

typedef struct params {
  rp_curve curve;
  uint32_t window_bits, precompute, products, constant_points, in_subgroup;
} params;

enum { IN_SCALARS = 0 };

/* What msm_of needs of the expansion of msm_scalars. */
typedef struct sorted {
  rp_buckets rows;
  uint32_t eisenstein; /* rp_msm_strategy */
  rp_field field;      /* of the scalars */
  rp_value support;    /* of the latest filter */
  rp_buckets
      filtered; /* the matrix for that support, kept because products with the same support mostly follow each other */
} sorted;

/* ---- msm_scalars ------------------------------------------------------------------------------------------------- */

static rp_status check(const rp_draft *d) {
  const params *p = d->params;
  return rp_msm_check_windows(d, p->curve, p->window_bits, p->precompute);
}

static rp_status shape(const rp_shape *s) {
  const params *p = s->params;
  const rp_status status = rp_shape_msm_scalars(s, IN_SCALARS, p->curve);
  if (status == RP_OK) rp_shape_out(s, 0, &rp_type_msm_scalars, s->in_len[IN_SCALARS]);
  return status;
}

/* Of affine points of the curves whose order is that of `curve`, the largest. */
static uint32_t largest_point(rp_curve curve) {
  uint32_t most = 0;
  for (rp_curve c = 0; c < RP_CURVE_COUNT; c++)
    if (rp_curve_scalar_field(c) == rp_curve_scalar_field(curve) && rp_type_affine(c)->size_bytes > most)
      most = rp_type_affine(c)->size_bytes;
  return most;
}

static void note(const rp_expand *x, uint32_t eisenstein, uint32_t window_bits) {
  if (eisenstein) {
    rp_expand_note(x, ", %u windows of Eisenstein integers", eisenstein);
  } else {
    rp_expand_note(x, ", windows of %u bits", window_bits);
  }
}

static rp_status expand(rp_expand *x) {
  const params *p = x->params;
  const rp_msm_problem problem = {.curve = p->curve,
                                  .n = rp_value_len(x->graph, x->in[IN_SCALARS]),
                                  .batch = 1,
                                  .products = p->products,
                                  .constant_points = p->constant_points != 0,
                                  .point_bytes = largest_point(p->curve),
                                  .window_bits = p->window_bits,
                                  .precompute = p->precompute,
                                  .in_subgroup = p->in_subgroup != 0};
  const rp_msm_strategy s = rp_msm_choose(x->device, x->limits, x->memory_level, &problem);
  sorted *made = rp_expand_alloc(x, sizeof *made);
  if (!made) return RP_ERR_MEMORY;
  made->eisenstein = s.eisenstein;
  note(x, s.eisenstein, s.window_bits);
  made->rows = s.eisenstein ? rp_eisenstein_matrix(x->graph, x->in[IN_SCALARS], p->curve, s.eisenstein)
                            : rp_bucket_matrix(x->graph, x->in[IN_SCALARS],
                                               &(rp_bucket_options){.struct_size = sizeof(rp_bucket_options),
                                                                    .curve = p->curve,
                                                                    .window_bits = s.window_bits,
                                                                    .merged = s.merged});
  made->field = rp_curve_scalar_field(p->curve);
  x->out_data[0] = made;
  return RP_OK;
}

static int describe(const void *params_, char *text, size_t bytes) {
  const params *p = params_;
  return snprintf(text, bytes, "%s products=%u window_bits=%u precompute=%u", rp_curve_name(p->curve), p->products,
                  p->window_bits, p->precompute);
}

const rp_op rp_op_msm_scalars = {
    .struct_size = sizeof(rp_op),
    .flags = RP_OP_PURE,
    .name = "msm_scalars",
    .params_bytes = sizeof(params),
    .shape = shape,
    .describe = describe,
    .schema =
        RP_SCHEMA(.version = 2, .least_in = 1, .check = check,
                  RP_PARAMS(RP_PARAM_CURVE(params, curve), RP_PARAM_UPTO(params, window_bits, 0, RP_WINDOW_BITS_MAX),
                            RP_PARAM_UPTO(params, precompute, 0, RP_WINDOWS_MAX),
                            RP_PARAM_UPTO(params, products, 1, UINT32_MAX), RP_PARAM_FLAG(params, constant_points),
                            RP_PARAM_FLAG_SINCE(2, params, in_subgroup))),
    .expand = expand};

rp_value rp_msm_scalars(rp_graph *g, rp_value scalars, const rp_msm_scalars_options *options) {
  rp_msm_scalars_options o;
  if (!options || !rp_options_read(&o, sizeof o, options) || (unsigned)o.curve >= RP_CURVE_COUNT)
    return rp_graph_fail(g, RP_ERR_ARGUMENT, "msm_scalars: options with a curve are needed");
  if (!rp_value_check(g, scalars, "msm_scalars", "scalars")) return RP_NO_VALUE;
  const params p = {.curve = o.curve,
                    .window_bits = o.window_bits,
                    .precompute = o.precompute,
                    .products = o.products ? o.products : 1,
                    .constant_points = o.constant_points != 0,
                    .in_subgroup = o.in_subgroup != 0};
  return rp_graph_node(g, &rp_op_msm_scalars, &p, &scalars, 1, NULL, 1);
}

/* ---- msm_of ------------------------------------------------------------------------------------------------------ */

enum { OF_SCALARS, OF_POINTS, OF_SUPPORT };

static rp_status of_shape(const rp_shape *s) {
  rp_curve curve;
  const rp_status status = rp_shape_affine(s, OF_POINTS, &curve);
  const uint64_t n = s->in_len[OF_SCALARS];
  if (status != RP_OK) return status;
  if (s->in_type[OF_SCALARS]->id != rp_type_msm_scalars.id)
    return rp_shape_fail(s, RP_ERR_TYPE, "the scalars are of type %s, not a result of msm_scalars",
                         s->in_type[OF_SCALARS]->name);
  if (s->in_len[OF_POINTS] != n)
    return rp_shape_fail(s, RP_ERR_SHAPE, "there are %llu points for %llu scalars",
                         (unsigned long long)s->in_len[OF_POINTS], (unsigned long long)n);
  if (s->n_in > OF_SUPPORT && s->in_type[OF_SUPPORT]->id != RP_TYPE_U32.id)
    return rp_shape_fail(s, RP_ERR_TYPE, "the support is of type %s, not u32", s->in_type[OF_SUPPORT]->name);
  if (s->n_in > OF_SUPPORT && s->in_len[OF_SUPPORT] != (n + 31) / 32)
    return rp_shape_fail(s, RP_ERR_SHAPE, "the support has %llu words, and %llu points need %llu",
                         (unsigned long long)s->in_len[OF_SUPPORT], (unsigned long long)n,
                         (unsigned long long)((n + 31) / 32));
  rp_shape_out(s, 0, rp_type_accumulator(curve), 1);
  return RP_OK;
}

static rp_status of_expand(rp_expand *x) {
  rp_graph *g = x->graph;
  sorted *made = x->in_data[OF_SCALARS];
  rp_value points = x->in[OF_POINTS];
  if (!made) {
    rp_graph_fail(g, RP_ERR_ARGUMENT, "msm_of: the scalars are not a result of msm_scalars");
    return RP_ERR_ARGUMENT;
  }
  const rp_buckets *rows = &made->rows;
  rp_curve curve = 0;
  rp_type_is_affine(rp_value_type(g, points), &curve);
  if (rp_curve_scalar_field(curve) != made->field) {
    rp_graph_fail(g, RP_ERR_TYPE, "msm_of: the points of %s have another order than the scalars", rp_curve_name(curve));
    return RP_ERR_TYPE;
  }
  if (x->n_in > OF_SUPPORT) {
    if (made->support.id != x->in[OF_SUPPORT].id) {
      made->support = x->in[OF_SUPPORT];
      made->filtered = rp_bucket_filter(g, rows, made->support);
    }
    rows = &made->filtered;
  }
  note(x, made->eisenstein, rows->window_bits);
  if (made->eisenstein) {
    points = rp_eisenstein_multiples(g, points, made->eisenstein);
    x->out[0] = rp_eisenstein_sums(g, rows, points, made->eisenstein);
    return RP_OK;
  }
  if (rows->merged > 1) points = rp_window_multiples(g, points, rows->window_bits, rows->merged);
  x->out[0] = rp_window_reduce(g, rows, rp_bucket_windows(g, rows, points));
  return RP_OK;
}

const rp_op rp_op_msm_of = {.struct_size = sizeof(rp_op),
                            .flags = RP_OP_PURE,
                            .name = "msm_of",
                            .shape = of_shape,
                            .schema = RP_SCHEMA(.least_in = 2, .most_in = 3),
                            .expand = of_expand};

rp_value rp_msm_of(rp_graph *g, rp_value scalars, rp_value points, rp_value support) {
  return rp_graph_node(g, &rp_op_msm_of, NULL, (rp_value[]){scalars, points, support}, support.id ? 3 : 2, NULL, 1);
}
