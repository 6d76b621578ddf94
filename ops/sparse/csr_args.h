/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Conversions of sparse matrices. Values are moved as bytes, `size_bytes` each; 0: there are none.
 */
#ifndef REPRISE_ARGS_CSR_H
#define REPRISE_ARGS_CSR_H

/* ELLPACK to compressed rows; row_ptr is there already. Item: a row; the last row fills up the unused end of the
 * arrays: columns UINT32_MAX, values zero. */
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

/* Transpose by a stable counting sort over `parts` equal ranges of the non-zeros; count is u32[parts][cols].
 *   transpose_count    count[p][c] = entries of column c in part p; item: a part
 *   transpose_totals   total[c] = sum over the parts, count[p][c] = that of the parts before p; item: a column
 *   transpose_scatter  to row_ptr[c] + count[p][c], counting on; item: a part */
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

#endif
