/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Conversions of sparse matrices on GPUs. ELLPACK to compressed rows: ell_lengths, a scan, ell_compact
 * (sparse/csr_args.h). Transpose: transpose_keys, a stable sort by column (vector/sort_gpu_args.h), transpose_rows,
 * transpose_entries.
 */
#ifndef REPRISE_ARGS_GPU_CSR_H
#define REPRISE_ARGS_GPU_CSR_H

/* One thread per row: lengths[r] = row_len[r]. A length above the width is a fault, and is cut to the width. */
struct rp_gpu_ell_lengths_args {
  RP_ADDR(uint32_t) lengths;
  RP_ADDR(const uint32_t) row_len;
  RP_ADDR(uint32_t) error;
  uint32_t rows, width, site, pad;
};
RP_ARGS_SIZE(struct rp_gpu_ell_lengths_args, 40);

/* One thread per entry, and per row to check. Entries after the end of the last row get the key `cols`. */
struct rp_gpu_transpose_keys_args {
  RP_ADDR(uint32_t) keys;
  RP_ADDR(uint32_t) rows_of;
  RP_ADDR(const uint32_t) row_ptr;
  RP_ADDR(const uint32_t) col;
  RP_ADDR(uint32_t) error;
  uint32_t rows, cols, nnz, site;
};
RP_ARGS_SIZE(struct rp_gpu_transpose_keys_args, 56);

/* One thread per column, and one more: out_row_ptr[c] = number of keys below c. */
struct rp_gpu_transpose_rows_args {
  RP_ADDR(uint32_t) out_row_ptr;
  RP_ADDR(const uint32_t) keys;
  uint32_t cols, nnz;
};
RP_ARGS_SIZE(struct rp_gpu_transpose_rows_args, 24);

/* One thread per entry of the transpose. size_bytes is that of a value; 0 means that there are no values. */
struct rp_gpu_transpose_entries_args {
  RP_ADDR(uint32_t) out_col;
  RP_ADDR(void) out_val;
  RP_ADDR(const uint32_t) keys;
  RP_ADDR(const uint32_t) order;
  RP_ADDR(const uint32_t) rows_of;
  RP_ADDR(const void) val;
  uint32_t cols, nnz, size_bytes, pad;
};
RP_ARGS_SIZE(struct rp_gpu_transpose_entries_args, 64);

#define RP_GPU_CSR_BLOCK 256
#define RP_GPU_CSR_KEYS 8 /* entries per thread of transpose_keys on CUDA; elsewhere one */

#endif
