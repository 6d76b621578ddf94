/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Checked copies of sparse matrices of ones.
 *
 * kernel csr_check csr_check/3 cpu:c item:256
 * kernel csr_entries csr_entries/6 cpu:c item:256
 */
#include "sparse/csr_entries.h"
#include "lower/gpu.h"

#include "kernel_tables.h"

/* bad[0] = 1 if a row pointer is wrong. On GPUs one item per row, and bad[0] is 0 before; on a CPU a single item. */
struct rp_csr_check_args {
  RP_ADDR(const uint32_t) row_ptr;
  RP_ADDR(uint32_t) bad;
  RP_ADDR(uint32_t) error;
  uint32_t n, nnz, site, pad;
};
RP_ARGS_SIZE(struct rp_csr_check_args, 40);

/* One item per row pointer and per entry. */
struct rp_csr_entries_args {
  RP_ADDR(uint32_t) out_row_ptr;
  RP_ADDR(uint32_t) entries;
  RP_ADDR(const uint32_t) row_ptr;
  RP_ADDR(const uint32_t) col;
  RP_ADDR(const uint32_t) bad;
  RP_ADDR(uint32_t) error;
  uint32_t n, rows, cols, site;
};
RP_ARGS_SIZE(struct rp_csr_entries_args, 64);

rp_csr_entries rp_lower_csr_entries(rp_lower *l, rp_value row_ptr, rp_value col, uint32_t rows, uint32_t cols) {
  const uint32_t nnz = (uint32_t)rp_lower_len(l, col);
  const rp_csr_entries made = {rp_lower_scratch(l, "row_ptr", &RP_TYPE_U32, (uint64_t)rows + 1),
                               rp_lower_scratch(l, "entries", &RP_TYPE_U32, nnz)};
  const rp_value bad = rp_lower_scratch(l, "bad", &RP_TYPE_U32, 1);
  const rp_bind error = RP_BIND(rp_lower_error(l), RP_READ_WRITE | RP_ATOMIC);
  const bool gpu = rp_lower_on_gpu(l);
  if (gpu) rp_gpu_fill(l, bad, 0);
  rp_lower_items(l, &rp_kernel_csr_check, gpu ? rows : 1, 1,
                 &(struct rp_csr_check_args){.n = rows, .nnz = nnz, .site = rp_lower_site(l)},
                 (rp_bind[]){RP_BIND(row_ptr, RP_READ), RP_BIND(bad, gpu ? RP_READ_WRITE : RP_WRITE), error});
  const struct rp_csr_entries_args a = {
      .n = nnz > rows ? nnz : rows + 1, .rows = rows, .cols = cols, .site = rp_lower_site(l)};
  rp_lower_items(l, &rp_kernel_csr_entries, a.n, rp_grain(1), &a,
                 (rp_bind[]){RP_BIND(made.row_ptr, RP_WRITE), RP_BIND(made.entries, RP_WRITE),
                             RP_BIND(row_ptr, RP_READ), RP_BIND(col, RP_READ), RP_BIND(bad, RP_READ), error});
  return made;
}
