/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Sparse matrix times vector: shape rule, choice of the scheme, lowering.
 *
 * kernel spmv_rows spmv/7 fields cpu:ifma gpu:128 int64 products:coefficients
 * kernel spmv_vector spmv/7 fields gpu:128 int64 products:coefficients
 * kernel spmv_balanced spmv/7 fields cpu:ifma products:coefficients
 * kernel spmv_join spmv_join/3 fields cpu:ifma products:none
 * kernel spmv_clear gpu_spmv/8 fields vulkan:RP_GPU_SPMV_BLOCK products:none
 * kernel spmv_balanced gpu_spmv/8 fields gpu:RP_GPU_SPMV_BLOCK int64 table:spmv_balanced_gpu products:coefficients
 * kernel spmv_join gpu_spmv/8 fields gpu:RP_GPU_SPMV_BLOCK table:spmv_join_gpu products:none
 * kernel spmv_heavy gpu_spmv/8 fields cuda:RP_GPU_SPMV_HEAVY_BLOCK vulkan:RP_GPU_SPMV_BLOCK
 */
#include <stdio.h>
#include <string.h>

#include "lower/gpu.h"
#include "lower/lower.h"
#include "sparse/csr_entries.h"
#include "sparse/spmv_tuning.h"

#include "kernel_tables.h"

/* y = M x, with M in compressed sparse rows. Reads row_ptr[rows] entries, at most `nnz`.
 *   spmv_rows      one item per row
 *   spmv_balanced  one item per `chunk` entries. Rows that are inside one chunk are finished. A row that is cut leaves
 *                  partial sums: partial[2 i] is that of a row which began before chunk i, partial[2 i + 1] that of a
 *                  row which continues after chunk i.
 *   spmv_join      one item per chunk: adds up the row that begins in the chunk and continues after it */

struct rp_spmv_args {
  RP_ADDR(void) y;
  RP_ADDR(const uint32_t) row_ptr;
  RP_ADDR(const uint32_t) col;
  RP_ADDR(const void) val;
  RP_ADDR(const void) x;
  RP_ADDR(void) error;
  RP_ADDR(void) partial; /* used by spmv_balanced only */
  uint32_t rows, cols, nnz, chunk, x_canonical, site;
};
RP_ARGS_SIZE(struct rp_spmv_args, 80);

struct rp_spmv_join_args {
  RP_ADDR(void) y;
  RP_ADDR(const uint32_t) row_ptr;
  RP_ADDR(const void) partial;
  uint32_t rows, nnz, chunk, pad;
};
RP_ARGS_SIZE(struct rp_spmv_join_args, 40);

struct spmv_params {
  uint64_t rows, cols;
  rp_spmv_scheme scheme;
  uint32_t x_canonical, has_table;
  rp_spmv_table table;
};
enum { ROW_PTR, COL, VAL, X };

static rp_status spmv_check(const rp_draft *d) {
  const struct spmv_params *p = d->params;
  if (p->has_table || (p->table.vector_mean == 0 && p->table.balanced_cv2 == 0)) return RP_OK;
  return rp_draft_fail(d, RP_ERR_ARGUMENT, "it has thresholds that it does not use");
}

static rp_status spmv_shape(const rp_shape *s) {
  const struct spmv_params *p = s->params;
  rp_field field;
  if (s->in_type[ROW_PTR]->id != RP_TYPE_U32.id || s->in_type[COL]->id != RP_TYPE_U32.id)
    return rp_shape_fail(s, RP_ERR_TYPE, "row_ptr and col must be of type u32");
  if (!rp_type_is_field(s->in_type[VAL], &field))
    return rp_shape_fail(s, RP_ERR_TYPE, "the values are of type %s, not of a field", s->in_type[VAL]->name);
  const rp_type *x = p->x_canonical ? rp_type_canonical(field) : s->in_type[VAL];
  if (!x || s->in_type[X]->id != x->id)
    return rp_shape_fail(s, RP_ERR_TYPE, "x is of type %s, and must be of type %s", s->in_type[X]->name,
                         x ? x->name : "a prime field");
  if (!p->rows || p->rows >= RP_MAX_LEN || s->in_len[ROW_PTR] != p->rows + 1)
    return rp_shape_fail(s, RP_ERR_SHAPE, "row_ptr has %llu elements for %llu rows, not one more",
                         (unsigned long long)s->in_len[ROW_PTR], (unsigned long long)p->rows);
  if (s->in_len[COL] != s->in_len[VAL] || s->in_len[COL] > RP_MAX_LEN)
    return rp_shape_fail(s, RP_ERR_SHAPE, "there are %llu columns, but %llu values", (unsigned long long)s->in_len[COL],
                         (unsigned long long)s->in_len[VAL]);
  if (s->in_len[X] != p->cols || p->cols > RP_MAX_LEN)
    return rp_shape_fail(s, RP_ERR_SHAPE, "x has %llu elements, and the matrix has %llu columns",
                         (unsigned long long)s->in_len[X], (unsigned long long)p->cols);
  rp_shape_out(s, 0, s->in_type[VAL], p->rows);
  return RP_OK;
}

/* ---- Constant matrices ------------------------------------------------------------------------------------------- */

/* Whether row_ptr begins with 0 and never decreases, whatever it ends with. Then *squares is the sum of the squares of
 * the lengths of all rows, which is at most row_ptr[rows]^2 and does not overflow. */
static bool rows_are_good(const uint32_t *row_ptr, uint64_t rows, uint64_t *squares) {
  uint64_t sum = 0;
  uint32_t bad = row_ptr[0];
  for (uint64_t r = 0; r < rows; r++) {
    const uint32_t length = row_ptr[r + 1] - row_ptr[r];
    bad |= row_ptr[r + 1] < row_ptr[r];
    sum += (uint64_t)length * length;
  }
  *squares = sum;
  return bad == 0;
}

static bool columns_are_good(const uint32_t *col, uint64_t n, uint64_t cols) {
  uint32_t most = 0;
  for (uint64_t i = 0; i < n; i++) most = col[i] > most ? col[i] : most;
  return n == 0 || most < cols;
}

/* The note of a node (rp_lower_note) whose constant parts are good: the variance of the lengths of its rows, a double
 * that is never negative, with this bit, its sign. It is not the scheme, which also depends on the device. */
#define NOTE_GOOD (1ull << 63)

static uint64_t note_of(double variance) {
  uint64_t bits;
  variance = variance > 0 ? variance : 0; /* not below 0 where it was rounded */
  memcpy(&bits, &variance, sizeof bits);
  return bits | NOTE_GOOD;
}

static double variance_in(uint64_t note) {
  const uint64_t bits = note & ~NOTE_GOOD;
  double variance;
  memcpy(&variance, &bits, sizeof variance);
  return variance;
}

/* The note, if the constant parts of the matrix are good, else 0; parts that are not constant count as good. Each part
 * is read until it has been good once. Without constant rows, the variance is 0. */
static uint64_t examine(const rp_lower *l) {
  const struct spmv_params *p = rp_lower_params(l);
  const uint32_t *row_ptr = rp_lower_constant_data(l, rp_lower_in(l, ROW_PTR));
  const uint32_t *col = rp_lower_constant_data(l, rp_lower_in(l, COL));
  uint64_t note = rp_lower_note(l), squares = 0, end = rp_lower_len(l, rp_lower_in(l, VAL));
  if (note) return note;
  double variance = 0;
  if (row_ptr) {
    const uint64_t last = row_ptr[p->rows]; /* read once, since a mapped file may change */
    if (last > end || !rows_are_good(row_ptr, p->rows, &squares)) return 0;
    const double mean = (double)last / (double)p->rows;
    variance = (double)squares / (double)p->rows - mean * mean;
    end = last;
  }
  if (col && !columns_are_good(col, end, p->cols)) return 0;
  note = note_of(variance);
  rp_lower_set_note(l, note);
  return note;
}

/* Says what examine has objected to. RP_OK: the data has changed meanwhile, and nothing is wrong now. Kernels check
 * every index as well, when they use it. */
static rp_status refuse(rp_lower *l, const struct rp_spmv_args *a) {
  const uint32_t *row_ptr = rp_lower_constant_data(l, rp_lower_in(l, ROW_PTR));
  const uint32_t *col = rp_lower_constant_data(l, rp_lower_in(l, COL));
  const uint32_t end = row_ptr ? row_ptr[a->rows] : a->nnz;
  if (row_ptr) {
    if (row_ptr[0]) return rp_lower_fail(l, RP_ERR_INPUT, "row_ptr[0] is %u, not 0", row_ptr[0]);
    for (uint32_t r = 0; r < a->rows; r++)
      if (row_ptr[r] > row_ptr[r + 1]) return rp_lower_fail(l, RP_ERR_INPUT, "row_ptr decreases after row %u", r);
    if (end > a->nnz) return rp_lower_fail(l, RP_ERR_INPUT, "row_ptr ends at %u, but there are %u values", end, a->nnz);
  }
  for (uint32_t i = 0; col && i < end; i++)
    if (col[i] >= a->cols)
      return rp_lower_fail(l, RP_ERR_INPUT, "column %u of entry %u is not below %u", col[i], i, a->cols);
  return RP_OK;
}

rp_status rp_lower_csr_constants(rp_lower *l, uint32_t rows, uint32_t cols, uint32_t nnz) {
  return refuse(l, &(struct rp_spmv_args){.rows = rows, .cols = cols, .nnz = nnz});
}

/* ---- Choice of the scheme ---------------------------------------------------------------------------------------- */

rp_spmv_table rp_spmv_table_of(rp_device_kind device) {
  return rp_spmv_tables[(unsigned)device < RP_DEVICE_KIND_COUNT && device != RP_DEVICE_AUTO ? device : RP_DEVICE_CPU];
}

static rp_spmv_scheme scheme_of(const rp_lower *l) {
  const struct spmv_params *p = rp_lower_params(l);
  if (p->scheme != RP_SPMV_AUTO) return p->scheme;
  const uint32_t *row_ptr = rp_lower_constant_data(l, rp_lower_in(l, ROW_PTR));
  if (!row_ptr) return RP_SPMV_BALANCED;
  const uint64_t note = examine(l);
  if (!note) return RP_SPMV_BALANCED; /* the matrix is damaged; lowering reports how */
  const double mean = (double)row_ptr[p->rows] / (double)p->rows, variance = variance_in(note);
  const rp_spmv_table t = p->has_table ? p->table : rp_spmv_table_of(rp_lower_device(l));
  if (variance >= t.balanced_cv2 * mean * mean) return RP_SPMV_BALANCED;
  return mean >= t.vector_mean ? RP_SPMV_VECTOR : RP_SPMV_SCALAR;
}

static bool is_scalar(const rp_lower *l) { return scheme_of(l) == RP_SPMV_SCALAR; }
static bool is_vector(const rp_lower *l) { return scheme_of(l) == RP_SPMV_VECTOR; }

/* ---- Lowering ---------------------------------------------------------------------------------------------------- */

static rp_status begin(rp_lower *l, struct rp_spmv_args *args, rp_bind binds[7]) {
  const struct spmv_params *p = rp_lower_params(l);
  *args = (struct rp_spmv_args){.rows = (uint32_t)p->rows,
                                .cols = (uint32_t)p->cols,
                                .nnz = (uint32_t)rp_lower_len(l, rp_lower_in(l, VAL)),
                                .x_canonical = p->x_canonical,
                                .site = rp_lower_site(l)};
  binds[0] = RP_BIND(rp_lower_out(l, 0), RP_WRITE);
  for (uint32_t i = 0; i < 4; i++) binds[1 + i] = RP_BIND(rp_lower_in(l, i), RP_READ);
  binds[5] = RP_BIND(rp_lower_error(l), RP_READ_WRITE | RP_ATOMIC);
  binds[6] = RP_BIND(rp_lower_in(l, X), RP_READ);
  return examine(l) ? RP_OK : refuse(l, args);
}

static rp_status lower_rows(rp_lower *l) {
  struct rp_spmv_args args;
  rp_bind binds[7];
  rp_status st = begin(l, &args, binds);
  if (st != RP_OK) return st;
  uint32_t mean = args.nnz / args.rows + 1;
  rp_lower_items(l, &rp_kernels_spmv_rows[rp_lower_field(l, rp_lower_out(l, 0))], args.rows,
                 rp_grain(mean > 1000 ? 10000 : 15 * mean), &args, binds);
  return RP_OK;
}

/* 32 threads per row. */
static rp_status lower_vector_gpu(rp_lower *l) {
  struct rp_spmv_args args;
  rp_bind binds[7];
  rp_status st = begin(l, &args, binds);
  if (st != RP_OK) return st;
  rp_lower_items(l, &rp_kernels_spmv_vector[rp_lower_field(l, rp_lower_out(l, 0))], (uint64_t)args.rows * 32, 0, &args,
                 binds);
  return RP_OK;
}

static rp_status lower_balanced_gpu(rp_lower *l) {
  struct rp_spmv_args args;
  rp_bind binds[7];
  rp_status st = begin(l, &args, binds);
  if (st == RP_OK) rp_lower_spmv_gpu(l, &args, binds);
  return st;
}

static rp_status lower_balanced(rp_lower *l) {
  struct rp_spmv_args args;
  rp_bind binds[7];
  rp_status st = begin(l, &args, binds);
  if (st != RP_OK) return st;
  rp_value y = rp_lower_out(l, 0);
  rp_field field = rp_lower_field(l, y);
  args.chunk =
      2048; /* long enough for two partial sums per chunk to cost little, short enough for many chunks per worker */
  uint32_t chunks = (uint32_t)(((uint64_t)args.nnz + args.chunk - 1) / args.chunk);
  rp_value partial = rp_lower_scratch(l, "partial", rp_type_field(field), 2 * (uint64_t)chunks);
  binds[6] = RP_BIND(partial, RP_WRITE);
  rp_lower_items(l, &rp_kernels_spmv_balanced[field], chunks, rp_grain(12 * args.chunk), &args, binds);
  if (chunks < 2) return RP_OK;
  struct rp_spmv_join_args join = {.rows = args.rows, .nnz = args.nnz, .chunk = args.chunk};
  rp_bind join_binds[] = {RP_BIND(y, RP_READ_WRITE), RP_BIND(rp_lower_in(l, ROW_PTR), RP_READ),
                          RP_BIND(partial, RP_READ)};
  rp_lower_items(l, &rp_kernels_spmv_join[field], chunks, rp_grain(50), &join, join_binds);
  return RP_OK;
}

static int spmv_describe(const void *params, char *text, size_t bytes) {
  const struct spmv_params *p = params;
  return snprintf(text, bytes, "%llu x %llu%s", (unsigned long long)p->rows, (unsigned long long)p->cols,
                  p->x_canonical ? " canonical" : "");
}

static const rp_strategy strategies[] = {{"scalar", RP_ON_ANY, is_scalar, lower_rows},
                                         {"vector", RP_ON_GPU, is_vector, lower_vector_gpu},
                                         {"vector", RP_ON_ANY, is_vector, lower_rows},
                                         {"balanced", RP_ON_GPU, NULL, lower_balanced_gpu},
                                         {"balanced", RP_ON_ANY, NULL, lower_balanced}};
const rp_op rp_op_spmv = {
    .struct_size = sizeof(rp_op),
    .name = "spmv",
    .params_bytes = sizeof(struct spmv_params),
    .shape = spmv_shape,
    .strategies = strategies,
    .n_strategies = sizeof strategies / sizeof *strategies,
    .describe = spmv_describe,
    .flags = RP_OP_PURE,
    .schema = RP_SCHEMA(.least_in = 4, .check = spmv_check,
                        RP_PARAMS(RP_PARAM_ANY(struct spmv_params, rows), RP_PARAM_ANY(struct spmv_params, cols),
                                  RP_PARAM_UPTO(struct spmv_params, scheme, RP_SPMV_AUTO, RP_SPMV_BALANCED),
                                  RP_PARAM_FLAG(struct spmv_params, x_canonical),
                                  RP_PARAM_FLAG(struct spmv_params, has_table),
                                  RP_PARAM(RP_PARAM_FLOAT, struct spmv_params, table.vector_mean, 0, 0),
                                  RP_PARAM(RP_PARAM_FLOAT, struct spmv_params, table.balanced_cv2, 0, 0)),
                        .examples = "u32[n+1], u32[3n], field[3n], field; rows=n, cols=n, scheme=1")};

rp_value rp_spmv(rp_graph *g, const rp_csr *m, rp_value x, const rp_spmv_options *options) {
  rp_spmv_options o = {0};
  if (!m) return rp_graph_fail(g, RP_ERR_ARGUMENT, "spmv: the matrix is NULL");
  if (!rp_options_read(&o, sizeof o, options))
    return rp_graph_fail(g, RP_ERR_ARGUMENT, "spmv: options->struct_size is not set");
  if ((uint32_t)o.scheme > RP_SPMV_BALANCED)
    return rp_graph_fail(g, RP_ERR_ARGUMENT, "spmv: scheme %u is unknown", (unsigned)o.scheme);
  struct spmv_params p;
  memset(&p, 0, sizeof p); /* clears the padding too, because parameters are compared as bytes */
  p.rows = m->rows, p.cols = m->cols, p.scheme = o.scheme, p.x_canonical = o.x_canonical != 0;
  if (o.table) p.table = *o.table, p.has_table = 1;
  return rp_graph_node(g, &rp_op_spmv, &p, (rp_value[]){m->row_ptr, m->col, m->val, x}, 4, NULL, 1);
}
