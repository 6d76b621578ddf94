/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * y = M x, with M in compressed sparse rows. Reads row_ptr[rows] entries, at most `nnz`.
 *   spmv_rows      one item per row
 *   spmv_balanced  one item per `chunk` entries. Rows that are inside one chunk are finished. A row that is cut leaves
 *                  partial sums: partial[2 i] is that of a row which began before chunk i, partial[2 i + 1] that of a
 *                  row which continues after chunk i.
 *   spmv_join      one item per chunk: adds up the row that begins in the chunk and continues after it
 */
#ifndef REPRISE_ARGS_SPMV_H
#define REPRISE_ARGS_SPMV_H

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

#endif
