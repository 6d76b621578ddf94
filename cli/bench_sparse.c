/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Sparse matrices and indices for benchmarks: n non-zeros, on average eight per row. In skewed ones, one of every 64
 * rows has half of the non-zeros of all 64.
 */
#include "bench.h"

#include <stdlib.h>

enum { PER_ROW = 8, PERIOD = 64, SHORT = 4 };

/* Row lengths as running sums, and random columns; as constants or as inputs. Without values. */
static rp_csr of_ones(bench_build *b, bool skewed, bool constant) {
  const uint64_t rows = b->n < PER_ROW ? 1 : b->n / PER_ROW, period = rows < PERIOD ? rows : PERIOD;
  rp_csr m = {.rows = rows, .cols = rows};
  uint32_t *row_ptr = constant ? malloc((rows + 1) * sizeof *row_ptr) : bench_u32(b, rows + 1, 0, &m.row_ptr);
  uint32_t *col = bench_u32(b, b->n, rows, &m.col), at = 0;
  if (row_ptr && col) {
    for (uint64_t r = 0; r < rows; r++) {
      row_ptr[r] = at;
      at += !skewed ? PER_ROW : r % period ? SHORT : (uint32_t)(period * PER_ROW - (period - 1) * SHORT);
    }
    row_ptr[rows] = (uint32_t)b->n;
  }
  if (constant && !row_ptr) m.row_ptr = rp_graph_fail(b->graph, RP_ERR_MEMORY, "out of host memory for the data");
  if (constant && row_ptr) m.row_ptr = rp_graph_constant(b->graph, "row_ptr", &RP_TYPE_U32, rows + 1, row_ptr, 0);
  if (constant) free(row_ptr);
  return m;
}

static rp_csr matrix(bench_build *b, bool skewed, bool constant) {
  rp_csr m = of_ones(b, skewed, constant);
  m.val = bench_elements(b, b->field, b->n);
  return m;
}

static rp_value product(bench_build *b, bool skewed) {
  const rp_csr m = matrix(b, skewed, 1);
  return rp_spmv(b->graph, &m, bench_elements(b, b->field, m.cols), NULL);
}

rp_value bench_build_spmv(bench_build *b) { return product(b, 0); }
rp_value bench_build_spmv_skewed(bench_build *b) { return product(b, 1); }

rp_value bench_build_spmv_points(bench_build *b) {
  const rp_csr m = of_ones(b, 0, 0);
  return rp_spmv_points(b->graph, &m, bench_points(b, m.cols, 0), RP_SPMV_AUTO);
}

rp_value bench_build_csr_transpose(bench_build *b) {
  const rp_csr m = matrix(b, 0, 0);
  return rp_csr_transpose(b->graph, &m).val;
}

rp_value bench_build_gather(bench_build *b) {
  rp_value index = RP_NO_VALUE, x = bench_elements(b, b->field, b->n);
  (void)bench_u32(b, b->n, b->n, &index);
  return rp_gather(b->graph, x, index);
}

rp_value bench_build_select(bench_build *b) {
  rp_value condition = RP_NO_VALUE;
  (void)bench_u32(b, 1, 2, &condition);
  return rp_select(b->graph, condition, bench_elements(b, b->field, b->n), bench_elements(b, b->field, b->n));
}

rp_value bench_build_prefix_sum(bench_build *b) {
  rp_value x = RP_NO_VALUE;
  (void)bench_u32(b, b->n, PER_ROW, &x);
  return rp_prefix_sum(b->graph, x);
}

/* The size of a column number, in elements. */
static double index_part(const bench_build *b) { return 4.0 / rp_field_get(b->field)->size_bytes; }

bench_cost bench_cost_spmv(const bench_build *b) {
  const double n = (double)b->n;
  return (bench_cost){.products = n, .moved = n * (1 + 2.0 / PER_ROW + index_part(b))};
}

/* Every entry and its column is read once and written once. */
bench_cost bench_cost_csr_transpose(const bench_build *b) {
  return (bench_cost){.moved = 2 * (double)b->n * (1 + index_part(b))};
}

bench_cost bench_cost_gather(const bench_build *b) { return (bench_cost){.moved = (double)b->n * (2 + index_part(b))}; }

bench_cost bench_cost_prefix_sum(const bench_build *b) {
  return (bench_cost){.moved = 2 * (double)b->n * index_part(b)};
}
