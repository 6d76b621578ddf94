/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Sparse matrix of ones times a vector of points: shape rule, schemes, lowering.
 *
 * kernel spmv_points_rows spmv_points/5 curves cpu:adx item:128 int64 products:accumulate
 * kernel spmv_points_join spmv_points_join/2 curves item:128 int64 products:tree
 */
#include <stdio.h>
#include <string.h>

#include "lower/gpu.h"
#include "msm/buckets.h"
#include "sparse/csr_entries.h"

#include "kernel_tables.h"

/* y[r] = sum of x[col] over the entries of row r. With `lanes` items per row, item r * lanes + i adds every lanes-th
 * entry from the i-th on, and spmv_points_join adds the sums of a row. */
struct rp_spmv_points_args {
  RP_ADDR(const uint32_t) row_ptr;
  RP_ADDR(const uint32_t) col;
  RP_ADDR(const void) x;
  RP_ADDR(void) y;
  RP_ADDR(uint32_t) error;
  uint32_t n, lanes, cols, nnz, site, pad;
};
RP_ARGS_SIZE(struct rp_spmv_points_args, 64);

/* One item per row: the sum of its `lanes` partial sums. */
struct rp_spmv_points_join_args {
  RP_ADDR(const void) partial;
  RP_ADDR(void) y;
  uint32_t n, lanes;
};
RP_ARGS_SIZE(struct rp_spmv_points_join_args, 24);

/* Partial sums per row of the vector scheme. */
enum { LANES = 8 };

typedef struct params {
  uint64_t rows, cols;
  rp_spmv_scheme scheme;
  uint32_t reserved;
} params;
enum { ROW_PTR, COL, X };

static rp_status shape(const rp_shape *s) {
  const params *p = s->params;
  rp_curve curve;
  const rp_status status = rp_shape_affine(s, X, &curve);
  if (status != RP_OK) return status;
  if (s->in_type[ROW_PTR]->id != RP_TYPE_U32.id || s->in_type[COL]->id != RP_TYPE_U32.id)
    return rp_shape_fail(s, RP_ERR_TYPE, "row_ptr and col must be of type u32");
  if (!p->rows || p->rows >= RP_MAX_LEN / LANES || s->in_len[ROW_PTR] != p->rows + 1)
    return rp_shape_fail(s, RP_ERR_SHAPE, "row_ptr has %llu elements for %llu rows, not one more",
                         (unsigned long long)s->in_len[ROW_PTR], (unsigned long long)p->rows);
  if (s->in_len[COL] > RP_MAX_LEN - LANES)
    return rp_shape_fail(s, RP_ERR_SHAPE, "%llu entries do not fit 32 bits", (unsigned long long)s->in_len[COL]);
  if (s->in_len[X] != p->cols || p->cols > RP_MAX_LEN / 2)
    return rp_shape_fail(s, RP_ERR_SHAPE, "there are %llu points, and the matrix has %llu columns",
                         (unsigned long long)s->in_len[X], (unsigned long long)p->cols);
  rp_shape_out(s, 0, rp_type_accumulator(curve), p->rows);
  return RP_OK;
}

static bool is_scalar(const rp_lower *l) { return ((const params *)rp_lower_params(l))->scheme == RP_SPMV_SCALAR; }
static bool is_vector(const rp_lower *l) { return ((const params *)rp_lower_params(l))->scheme == RP_SPMV_VECTOR; }

/* `lanes` items per row, whose sums go to `y`. */
static rp_status add_rows(rp_lower *l, rp_value y, uint32_t lanes) {
  const params *p = rp_lower_params(l);
  const struct rp_spmv_points_args a = {.n = (uint32_t)p->rows * lanes,
                                        .lanes = lanes,
                                        .cols = (uint32_t)p->cols,
                                        .nnz = (uint32_t)rp_lower_len(l, rp_lower_in(l, COL)),
                                        .site = rp_lower_site(l)};
  const rp_status status = rp_lower_csr_constants(l, (uint32_t)p->rows, a.cols, a.nnz);
  const uint32_t mean = a.nnz / a.n + 1;
  rp_curve curve;
  if (status != RP_OK) return status;
  rp_type_is_affine(rp_lower_type(l, rp_lower_in(l, X)), &curve);
  rp_lower_items(l, &rp_kernels_spmv_points_rows[curve], a.n, rp_grain(mean > 100 ? 15000 : 150 * mean), &a,
                 (rp_bind[]){RP_BIND(rp_lower_in(l, ROW_PTR), RP_READ), RP_BIND(rp_lower_in(l, COL), RP_READ),
                             RP_BIND(rp_lower_in(l, X), RP_READ), RP_BIND(y, RP_WRITE),
                             RP_BIND(rp_lower_error(l), RP_READ_WRITE | RP_ATOMIC)});
  return RP_OK;
}

static rp_status lower_rows(rp_lower *l) { return add_rows(l, rp_lower_out(l, 0), 1); }

static rp_status lower_vector(rp_lower *l) {
  const params *p = rp_lower_params(l);
  const rp_value y = rp_lower_out(l, 0);
  const rp_value partial = rp_lower_scratch(l, "partial", rp_lower_type(l, y), p->rows * LANES);
  const rp_status status = add_rows(l, partial, LANES);
  rp_curve curve;
  if (status != RP_OK) return status;
  rp_type_is_affine(rp_lower_type(l, rp_lower_in(l, X)), &curve);
  rp_lower_items(l, &rp_kernels_spmv_points_join[curve], p->rows, 0,
                 &(struct rp_spmv_points_join_args){.n = (uint32_t)p->rows, .lanes = LANES},
                 (rp_bind[]){RP_BIND(partial, RP_READ), RP_BIND(y, RP_WRITE)});
  return RP_OK;
}

static rp_status lower_balanced(rp_lower *l) {
  const params *p = rp_lower_params(l);
  const rp_value x = rp_lower_in(l, X), y = rp_lower_out(l, 0);
  const uint64_t nnz = rp_lower_len(l, rp_lower_in(l, COL));
  const rp_status status = rp_lower_csr_constants(l, (uint32_t)p->rows, (uint32_t)p->cols, (uint32_t)nnz);
  rp_curve curve;
  if (status != RP_OK) return status;
  rp_type_is_affine(rp_lower_type(l, x), &curve);
  const rp_csr_entries m =
      rp_lower_csr_entries(l, rp_lower_in(l, ROW_PTR), rp_lower_in(l, COL), (uint32_t)p->rows, (uint32_t)p->cols);
  if (rp_lower_on_gpu(l)) return rp_lower_accumulate_gpu(l, curve, m.row_ptr, m.entries, x, y);
  return rp_lower_accumulate_cpu(l, &(rp_accumulate_plan){.curve = curve,
                                                          .row_ptr = m.row_ptr,
                                                          .entries = m.entries,
                                                          .points = x,
                                                          .sums = y,
                                                          .rows = (uint32_t)p->rows,
                                                          .max_entries = nnz});
}

static int describe(const void *params_, char *text, size_t bytes) {
  const params *p = params_;
  return snprintf(text, bytes, "%llu x %llu", (unsigned long long)p->rows, (unsigned long long)p->cols);
}

static const rp_strategy strategies[] = {{"scalar", RP_ON_ANY, is_scalar, lower_rows},
                                         {"vector", RP_ON_GPU, is_vector, lower_vector},
                                         {"vector", RP_ON_ANY, is_vector, lower_rows},
                                         {"balanced", RP_ON_ANY, NULL, lower_balanced}};
const rp_op rp_op_spmv_points = {.struct_size = sizeof(rp_op),
                                 .name = "spmv_points",
                                 .params_bytes = sizeof(params),
                                 .shape = shape,
                                 .strategies = strategies,
                                 .n_strategies = sizeof strategies / sizeof *strategies,
                                 .describe = describe,
                                 .flags = RP_OP_PURE,
                                 .schema =
                                     RP_SCHEMA(.least_in = 3,
                                               RP_PARAMS(RP_PARAM_ANY(params, rows), RP_PARAM_ANY(params, cols),
                                                         RP_PARAM_UPTO(params, scheme, RP_SPMV_AUTO, RP_SPMV_BALANCED)),
                                               .examples = "u32[n+1], u32[3n], affine; rows=n, cols=n | "
                                                           "u32[n+1], u32[3n], affine; rows=n, cols=n, scheme=1 | "
                                                           "u32[n+1], u32[3n], affine; rows=n, cols=n, scheme=2")};

rp_value rp_spmv_points(rp_graph *g, const rp_csr *m, rp_value points, rp_spmv_scheme scheme) {
  params p;
  if (!m) return rp_graph_fail(g, RP_ERR_ARGUMENT, "spmv_points: the matrix is NULL");
  if (m->val.id) return rp_graph_fail(g, RP_ERR_ARGUMENT, "spmv_points: the matrix has values; it must be one of ones");
  if ((uint32_t)scheme > RP_SPMV_BALANCED)
    return rp_graph_fail(g, RP_ERR_ARGUMENT, "spmv_points: scheme %u is unknown", (unsigned)scheme);
  memset(&p, 0, sizeof p); /* clears the padding too, because parameters are compared as bytes */
  p.rows = m->rows, p.cols = m->cols, p.scheme = scheme;
  return rp_graph_node(g, &rp_op_spmv_points, &p, (rp_value[]){m->row_ptr, m->col, points}, 3, NULL, 1);
}
