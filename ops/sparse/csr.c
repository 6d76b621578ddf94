/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Conversions of sparse matrices: ELLPACK to compressed rows, transpose.
 *
 * kernel ell_compact ell/6 cpu:c gpu:RP_GPU_CSR_BLOCK
 * kernel transpose_count transpose_count/4 cpu:c
 * kernel transpose_totals transpose_totals/2 cpu:c
 * kernel transpose_scatter transpose_scatter/7 cpu:c
 * kernel ell_lengths gpu_ell_lengths/3 gpu:RP_GPU_CSR_BLOCK
 * kernel transpose_keys gpu_transpose_keys/5 gpu:RP_GPU_CSR_BLOCK
 * kernel transpose_rows gpu_transpose_rows/2 gpu:RP_GPU_CSR_BLOCK
 * kernel transpose_entries gpu_transpose_entries/6 gpu:RP_GPU_CSR_BLOCK
 */
#include "lower/gpu.h"
#include "vector/prefix_sum.h"

#include "kernel_tables.h"

/* Conversions of sparse matrices. Values are moved as bytes, size_bytes each; 0 means that there are no values, whose
 * addresses are absent. */

/* ELLPACK to compressed rows, after row_ptr was computed. One item per row; the last row also fills the unused end of
 * the arrays, columns with UINT32_MAX and values with zeros. */
struct rp_ell_args {
  RP_ADDR(uint32_t) out_col;
  RP_ADDR(void) out_val;
  RP_ADDR(const uint32_t) row_ptr;
  RP_ADDR(const uint32_t) col;
  RP_ADDR(const void) val;
  RP_ADDR(void) error;
  uint32_t rows, cols, width, size_bytes, capacity, site;
};
RP_ARGS_SIZE(struct rp_ell_args, 72);

/* Transpose by a stable counting sort over `parts` equal ranges of the entries; count is u32[parts][cols].
 *   transpose_count    one item per part: count[p][c] = entries of column c in part p
 *   transpose_totals   one item per column: total[c] = sum over the parts; count[p][c] = that of the parts before p
 *   transpose_scatter  one item per part: writes entries from position out_row_ptr[c] + count[p][c] on */
struct rp_transpose_count_args {
  RP_ADDR(uint32_t) count;
  RP_ADDR(const uint32_t) row_ptr;
  RP_ADDR(const uint32_t) col;
  RP_ADDR(void) error;
  uint32_t rows, cols, nnz, parts, site, pad;
};
RP_ARGS_SIZE(struct rp_transpose_count_args, 56);

struct rp_transpose_totals_args {
  RP_ADDR(uint32_t) total;
  RP_ADDR(uint32_t) count;
  uint32_t cols, parts;
};
RP_ARGS_SIZE(struct rp_transpose_totals_args, 24);

struct rp_transpose_scatter_args {
  RP_ADDR(uint32_t) out_col;
  RP_ADDR(void) out_val;
  RP_ADDR(uint32_t) count;
  RP_ADDR(const uint32_t) out_row_ptr;
  RP_ADDR(const uint32_t) row_ptr;
  RP_ADDR(const uint32_t) col;
  RP_ADDR(const void) val;
  uint32_t rows, cols, nnz, parts, size_bytes, pad;
};
RP_ARGS_SIZE(struct rp_transpose_scatter_args, 80);

/* ---- ELLPACK to compressed rows ---------------------------------------------------------------------------------- */

struct ell_params {
  uint64_t rows, cols, width;
};
enum { ROW_LEN, ELL_COL, ELL_VAL };
enum { OUT_ROW_PTR, OUT_COL, OUT_VAL };

/* Both operations: with values, there are three operands and three results, and without them two. */
static rp_status csr_check(const rp_draft *d) {
  if (d->n_out == d->n_in) return RP_OK;
  return rp_draft_fail(d, RP_ERR_ARGUMENT, "it has %u operands, and %u results", d->n_in, d->n_out);
}

static rp_status ell_shape(const rp_shape *s) {
  const struct ell_params *p = s->params;
  if (!p->rows || !p->width || p->rows >= RP_MAX_LEN || p->width > RP_MAX_LEN / p->rows || p->cols > RP_MAX_LEN)
    return rp_shape_fail(s, RP_ERR_SHAPE, "%llu rows of %llu slots are not 1 to 2^32 - 1 elements",
                         (unsigned long long)p->rows, (unsigned long long)p->width);
  if (s->in_type[ROW_LEN]->id != RP_TYPE_U32.id || s->in_type[ELL_COL]->id != RP_TYPE_U32.id)
    return rp_shape_fail(s, RP_ERR_TYPE, "row lengths and columns must be of type u32");
  if (s->in_len[ROW_LEN] != p->rows || s->in_len[ELL_COL] != p->rows * p->width)
    return rp_shape_fail(s, RP_ERR_SHAPE, "%llu row lengths and %llu columns for %llu rows of %llu slots",
                         (unsigned long long)s->in_len[ROW_LEN], (unsigned long long)s->in_len[ELL_COL],
                         (unsigned long long)p->rows, (unsigned long long)p->width);
  if (s->n_in > ELL_VAL && s->in_len[ELL_VAL] != s->in_len[ELL_COL])
    return rp_shape_fail(s, RP_ERR_SHAPE, "there are %llu columns, but %llu values",
                         (unsigned long long)s->in_len[ELL_COL], (unsigned long long)s->in_len[ELL_VAL]);
  rp_shape_out(s, OUT_ROW_PTR, &RP_TYPE_U32, p->rows + 1);
  rp_shape_out(s, OUT_COL, &RP_TYPE_U32, s->in_len[ELL_COL]);
  if (s->n_in > ELL_VAL) rp_shape_out(s, OUT_VAL, s->in_type[ELL_VAL], s->in_len[ELL_VAL]);
  return RP_OK;
}

/* The arguments of the kernel that moves the entries; row_ptr must be computed before it runs. */
static struct rp_ell_args ell_begin(rp_lower *l, rp_bind binds[6]) {
  const struct ell_params *p = rp_lower_params(l);
  bool has_val = rp_lower_n_in(l) > ELL_VAL;
  rp_value col = rp_lower_in(l, ELL_COL), out_col = rp_lower_out(l, OUT_COL);
  rp_value val = has_val ? rp_lower_in(l, ELL_VAL) : RP_NO_VALUE;
  rp_value out_val = has_val ? rp_lower_out(l, OUT_VAL) : RP_NO_VALUE;
  binds[0] = RP_BIND(out_col, RP_WRITE);
  binds[1] = rp_bind_optional(out_val, RP_WRITE);
  binds[2] = RP_BIND(rp_lower_out(l, OUT_ROW_PTR), RP_READ);
  binds[3] = RP_BIND(col, RP_READ);
  binds[4] = rp_bind_optional(val, RP_READ);
  binds[5] = RP_BIND(rp_lower_error(l), RP_READ_WRITE | RP_ATOMIC);
  return (struct rp_ell_args){.rows = (uint32_t)p->rows,
                              .cols = (uint32_t)p->cols,
                              .width = (uint32_t)p->width,
                              .size_bytes = has_val ? rp_lower_type(l, val)->size_bytes : 0,
                              .capacity = (uint32_t)(p->rows * p->width),
                              .site = rp_lower_site(l)};
}

static rp_status ell_lower(rp_lower *l) {
  rp_bind binds[6];
  struct rp_ell_args args = ell_begin(l, binds);
  rp_lower_prefix_sum(l, rp_lower_out(l, OUT_ROW_PTR), rp_lower_in(l, ROW_LEN), args.width);
  rp_lower_items(l, &rp_kernel_ell_compact, args.rows, rp_grain(args.width < 5000 ? 2 * args.width : 10000), &args,
                 binds);
  return RP_OK;
}

static rp_status ell_lower_gpu(rp_lower *l) {
  rp_bind binds[6];
  struct rp_ell_args args = ell_begin(l, binds);
  rp_lower_ell_gpu(l, rp_lower_in(l, ROW_LEN), &args, binds);
  return RP_OK;
}

static const rp_strategy ell_strategies[] = {{"compact", RP_ON(RP_DEVICE_CPU), NULL, ell_lower},
                                             {"compact", RP_ON_GPU, NULL, ell_lower_gpu}};
const rp_op rp_op_ell_to_csr = {
    .struct_size = sizeof(rp_op),
    .name = "ell_to_csr",
    .params_bytes = sizeof(struct ell_params),
    .shape = ell_shape,
    .strategies = ell_strategies,
    .n_strategies = 2,
    .flags = RP_OP_PURE,
    .schema = RP_SCHEMA(.least_in = 2, .most_in = 3, .least_out = 2, .most_out = 3, .check = csr_check,
                        RP_PARAMS(RP_PARAM_ANY(struct ell_params, rows), RP_PARAM_ANY(struct ell_params, cols),
                                  RP_PARAM_ANY(struct ell_params, width)))};

rp_csr rp_ell_to_csr(rp_graph *g, const rp_ell *m) {
  if (!m) {
    rp_graph_fail(g, RP_ERR_ARGUMENT, "ell_to_csr: the matrix is NULL");
    return (rp_csr){0};
  }
  struct ell_params p = {.rows = m->rows, .cols = m->cols, .width = m->width};
  uint32_t has_val = m->val.id != 0;
  rp_value out[3] = {{0}};
  rp_graph_node(g, &rp_op_ell_to_csr, &p, (rp_value[]){m->row_len, m->col, m->val}, 2 + has_val, out, 2 + has_val);
  return (rp_csr){.row_ptr = out[0], .col = out[1], .val = out[2], .rows = m->rows, .cols = m->cols};
}

/* ---- Transpose --------------------------------------------------------------------------------------------------- */

struct transpose_params {
  uint64_t rows, cols;
};
enum { ROW_PTR, COL, VAL };

static rp_status transpose_shape(const rp_shape *s) {
  const struct transpose_params *p = s->params;
  if (!p->rows || !p->cols || p->rows >= RP_MAX_LEN || p->cols >= RP_MAX_LEN)
    return rp_shape_fail(s, RP_ERR_SHAPE, "%llu rows and %llu columns are not 1 to 2^32 - 2",
                         (unsigned long long)p->rows, (unsigned long long)p->cols);
  if (s->in_type[ROW_PTR]->id != RP_TYPE_U32.id || s->in_type[COL]->id != RP_TYPE_U32.id)
    return rp_shape_fail(s, RP_ERR_TYPE, "row_ptr and col must be of type u32");
  if (s->in_len[ROW_PTR] != p->rows + 1 || s->in_len[COL] > RP_MAX_LEN)
    return rp_shape_fail(s, RP_ERR_SHAPE, "row_ptr has %llu elements for %llu rows, not one more",
                         (unsigned long long)s->in_len[ROW_PTR], (unsigned long long)p->rows);
  if (s->n_in > VAL && s->in_len[VAL] != s->in_len[COL])
    return rp_shape_fail(s, RP_ERR_SHAPE, "there are %llu columns, but %llu values", (unsigned long long)s->in_len[COL],
                         (unsigned long long)s->in_len[VAL]);
  rp_shape_out(s, OUT_ROW_PTR, &RP_TYPE_U32, p->cols + 1);
  rp_shape_out(s, OUT_COL, &RP_TYPE_U32, s->in_len[COL]);
  if (s->n_in > VAL) rp_shape_out(s, OUT_VAL, s->in_type[VAL], s->in_len[VAL]);
  return RP_OK;
}

/* For each part, the number of entries in each column: as many parts as workers, but no more memory than `col`
 * takes. */
static uint32_t parts_of(const rp_lower *l, uint64_t nnz, uint64_t cols) {
  uint64_t parts = rp_lower_limits(l)->workers;
  if (parts * cols > nnz) parts = nnz / cols;
  return parts ? (uint32_t)parts : 1;
}

static rp_status transpose_lower(rp_lower *l) {
  const struct transpose_params *p = rp_lower_params(l);
  bool has_val = rp_lower_n_in(l) > VAL;
  rp_value row_ptr = rp_lower_in(l, ROW_PTR), col = rp_lower_in(l, COL);
  rp_value val = has_val ? rp_lower_in(l, VAL) : RP_NO_VALUE;
  rp_value out_row_ptr = rp_lower_out(l, OUT_ROW_PTR), out_col = rp_lower_out(l, OUT_COL);
  rp_value out_val = has_val ? rp_lower_out(l, OUT_VAL) : RP_NO_VALUE;
  uint64_t nnz = rp_lower_len(l, col);
  uint32_t cols = (uint32_t)p->cols, parts = parts_of(l, nnz, p->cols);
  rp_value count = rp_lower_scratch(l, "count", &RP_TYPE_U32, (uint64_t)parts * cols);
  rp_value total = rp_lower_scratch(l, "total", &RP_TYPE_U32, cols);

  struct rp_transpose_count_args count_args = {
      .rows = (uint32_t)p->rows, .cols = cols, .nnz = (uint32_t)nnz, .parts = parts, .site = rp_lower_site(l)};
  rp_bind count_binds[] = {RP_BIND(count, RP_WRITE), RP_BIND(row_ptr, RP_READ), RP_BIND(col, RP_READ),
                           RP_BIND(rp_lower_error(l), RP_READ_WRITE | RP_ATOMIC)};
  rp_lower_items(l, &rp_kernel_transpose_count, parts, 1, &count_args, count_binds);

  struct rp_transpose_totals_args totals_args = {.cols = cols, .parts = parts};
  rp_bind totals_binds[] = {RP_BIND(total, RP_WRITE), RP_BIND(count, RP_READ_WRITE)};
  rp_lower_items(l, &rp_kernel_transpose_totals, cols, rp_grain(1 + parts), &totals_args, totals_binds);
  rp_lower_prefix_sum(l, out_row_ptr, total, UINT32_MAX);

  struct rp_transpose_scatter_args args = {.rows = (uint32_t)p->rows,
                                           .cols = cols,
                                           .nnz = (uint32_t)nnz,
                                           .parts = parts,
                                           .size_bytes = has_val ? rp_lower_type(l, val)->size_bytes : 0};
  rp_bind binds[] = {RP_BIND(out_col, RP_WRITE),    rp_bind_optional(out_val, RP_WRITE), RP_BIND(count, RP_READ_WRITE),
                     RP_BIND(out_row_ptr, RP_READ), RP_BIND(row_ptr, RP_READ),           RP_BIND(col, RP_READ),
                     rp_bind_optional(val, RP_READ)};
  rp_lower_items(l, &rp_kernel_transpose_scatter, parts, 1, &args, binds);
  return RP_OK;
}

static rp_status transpose_lower_gpu(rp_lower *l) {
  const struct transpose_params *p = rp_lower_params(l);
  const bool has_val = rp_lower_n_in(l) > VAL;
  const rp_value col = rp_lower_in(l, COL), out_col = rp_lower_out(l, OUT_COL);
  const rp_value val = has_val ? rp_lower_in(l, VAL) : RP_NO_VALUE;
  rp_lower_transpose_gpu(l, &(rp_gpu_transpose_plan){.row_ptr = rp_lower_in(l, ROW_PTR),
                                                     .col = col,
                                                     .val = val,
                                                     .out_row_ptr = rp_lower_out(l, OUT_ROW_PTR),
                                                     .out_col = out_col,
                                                     .out_val = has_val ? rp_lower_out(l, OUT_VAL) : RP_NO_VALUE,
                                                     .rows = (uint32_t)p->rows,
                                                     .cols = (uint32_t)p->cols,
                                                     .size_bytes = has_val ? rp_lower_type(l, val)->size_bytes : 0});
  return RP_OK;
}

static const rp_strategy transpose_strategies[] = {{"counting sort", RP_ON(RP_DEVICE_CPU), NULL, transpose_lower},
                                                   {"radix sort", RP_ON_GPU, NULL, transpose_lower_gpu}};
const rp_op rp_op_csr_transpose = {
    .struct_size = sizeof(rp_op),
    .name = "csr_transpose",
    .params_bytes = sizeof(struct transpose_params),
    .shape = transpose_shape,
    .strategies = transpose_strategies,
    .n_strategies = 2,
    .flags = RP_OP_PURE,
    .schema =
        RP_SCHEMA(.least_in = 2, .most_in = 3, .least_out = 2, .most_out = 3, .check = csr_check,
                  RP_PARAMS(RP_PARAM_ANY(struct transpose_params, rows), RP_PARAM_ANY(struct transpose_params, cols)))};

rp_csr rp_csr_transpose(rp_graph *g, const rp_csr *m) {
  if (!m) {
    rp_graph_fail(g, RP_ERR_ARGUMENT, "csr_transpose: the matrix is NULL");
    return (rp_csr){0};
  }
  struct transpose_params p = {.rows = m->rows, .cols = m->cols};
  uint32_t has_val = m->val.id != 0;
  rp_value out[3] = {{0}};
  rp_graph_node(g, &rp_op_csr_transpose, &p, (rp_value[]){m->row_ptr, m->col, m->val}, 2 + has_val, out, 2 + has_val);
  return (rp_csr){.row_ptr = out[0], .col = out[1], .val = out[2], .rows = m->cols, .cols = m->rows};
}
