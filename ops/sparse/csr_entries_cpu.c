/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Checked copies of sparse matrices of ones on the CPU, see sparse/csr_entries.c.
 */
#include <reprise/kernel.h>

#include "sparse/csr_entries_args.h"

void rp_cpu_csr_check(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *worker) {
  const struct rp_csr_check_args *k = args;
  uint32_t bad = 0;
  (void)begin, (void)end, (void)worker;
  for (uint64_t r = 0; r < k->n; r++) {
    const uint32_t first = k->row_ptr[r], last = k->row_ptr[r + 1];
    if (first <= last && last <= k->nnz && (r || !first)) continue;
    rp_fault_report((rp_error_record *)k->error, RP_FAULT_INDEX, k->site, r);
    bad = 1;
  }
  *k->bad = bad;
}

void rp_cpu_csr_entries(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *worker) {
  const struct rp_csr_entries_args *k = args;
  const uint32_t used = *k->bad ? 0 : k->row_ptr[k->rows];
  (void)worker;
  for (uint64_t i = begin; i < end && i <= k->rows; i++) k->out_row_ptr[i] = *k->bad ? 0 : k->row_ptr[i];
  for (uint64_t i = begin; i < end && i < used; i++) {
    const uint32_t col = k->col[i];
    if (col >= k->cols) rp_fault_report((rp_error_record *)k->error, RP_FAULT_INDEX, k->site, i);
    k->entries[i] = col < k->cols ? col << 1 : 0;
  }
}
