/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * y = M x, M in compressed sparse rows. Reads row_ptr[rows] non-zeros, at most `nnz`.
 *   spmv_rows      item: a row
 *   spmv_balanced  item: `chunk` non-zeros. Rows that lie in one chunk are finished; of a row that is cut, partial[2 i]
 *                  gets the part of a row that began before chunk i, partial[2 i + 1] that of one that goes on behind
 *                  it.
 *   spmv_join      item: a chunk; adds up the row that begins in it and goes on behind it
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
  RP_ADDR(void) partial; /* balanced; else any */
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
