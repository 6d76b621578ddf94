/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Conversions of sparse matrices on GPUs.
 */
#include "lower/gpu.h"

#include "sparse/csr_args.h"
#include "kernel_tables.h"

/* Conversions of sparse matrices on GPUs. ELLPACK to compressed rows: ell_lengths, a scan, ell_compact
 * (sparse/csr.c). Transpose: transpose_keys, a stable sort by column (vector/sort_gpu.c), transpose_rows,
 * transpose_entries. */

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

void rp_lower_ell_gpu(rp_lower *l, rp_value row_len, const struct rp_ell_args *args, const rp_bind *binds) {
  const rp_value row_ptr = binds[2].value;
  const rp_value lengths = rp_lower_scratch(l, "lengths", &RP_TYPE_U32, args->rows);
  rp_gpu_dispatch(l, &rp_kernel_ell_lengths, rp_gpu_groups(args->rows, rp_lower_group(l, &rp_kernel_ell_lengths)), 1,
                  &(struct rp_gpu_ell_lengths_args){.rows = args->rows, .width = args->width, .site = args->site},
                  (rp_bind[]){RP_BIND(lengths, RP_WRITE), RP_BIND(row_len, RP_READ),
                              RP_BIND(rp_lower_error(l), RP_READ_WRITE | RP_ATOMIC)});
  rp_gpu_scan(l, lengths, row_ptr, RP_NO_VALUE);
  rp_gpu_dispatch(l, &rp_kernel_ell_compact, rp_gpu_groups(args->capacity, rp_lower_group(l, &rp_kernel_ell_compact)),
                  1, args, binds);
}

static uint32_t bits_of(uint32_t x) {
  uint32_t bits = 0;
  for (; x; x >>= 1) bits++;
  return bits;
}

void rp_lower_transpose_gpu(rp_lower *l, const rp_gpu_transpose_plan *p) {
  const uint32_t nnz = (uint32_t)rp_lower_len(l, p->col);
  const rp_value keys = rp_lower_scratch(l, "keys", &RP_TYPE_U32, nnz);
  const rp_value rows_of = rp_lower_scratch(l, "rows_of", &RP_TYPE_U32, nnz);
  const uint32_t a_thread = rp_lower_device(l) == RP_DEVICE_CUDA ? RP_GPU_CSR_KEYS : 1;
  rp_value sorted, order;
  rp_gpu_dispatch(
      l, &rp_kernel_transpose_keys,
      rp_gpu_groups(nnz > p->rows ? nnz : p->rows, rp_lower_group(l, &rp_kernel_transpose_keys) * a_thread), 1,
      &(struct rp_gpu_transpose_keys_args){.rows = p->rows, .cols = p->cols, .nnz = nnz, .site = rp_lower_site(l)},
      (rp_bind[]){RP_BIND(keys, RP_WRITE), RP_BIND(rows_of, RP_WRITE), RP_BIND(p->row_ptr, RP_READ),
                  RP_BIND(p->col, RP_READ), RP_BIND(rp_lower_error(l), RP_READ_WRITE | RP_ATOMIC)});
  rp_gpu_sort(l, keys, bits_of(p->cols), &sorted, &order);
  rp_gpu_dispatch(l, &rp_kernel_transpose_rows,
                  rp_gpu_groups((uint64_t)p->cols + 1, rp_lower_group(l, &rp_kernel_transpose_rows)), 1,
                  &(struct rp_gpu_transpose_rows_args){.cols = p->cols, .nnz = nnz},
                  (rp_bind[]){RP_BIND(p->out_row_ptr, RP_WRITE), RP_BIND(sorted, RP_READ)});
  rp_gpu_dispatch(l, &rp_kernel_transpose_entries, rp_gpu_groups(nnz, rp_lower_group(l, &rp_kernel_transpose_entries)),
                  1, &(struct rp_gpu_transpose_entries_args){.cols = p->cols, .nnz = nnz, .size_bytes = p->size_bytes},
                  (rp_bind[]){RP_BIND(p->out_col, RP_WRITE), rp_bind_optional(p->out_val, RP_WRITE),
                              RP_BIND(sorted, RP_READ), RP_BIND(order, RP_READ), RP_BIND(rows_of, RP_READ),
                              rp_bind_optional(p->val, RP_READ)});
}
