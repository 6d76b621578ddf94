/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Conversions of sparse matrices. Values are moved as bytes, size_bytes each; 0 means that there are no values, whose
 * addresses are absent.
 */
#ifndef REPRISE_ARGS_CSR_H
#define REPRISE_ARGS_CSR_H

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

#endif
