/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Checked copies of sparse matrices of ones on GPUs, see sparse/csr_entries.c.
 */
#ifdef ENTRY_csr_check
RP_ITEM(csr_check, rp_csr_check_args) {
  const uint32_t first = load_u32(k.row_ptr, i), last = load_u32(k.row_ptr, i + 1);
  if (first > last || last > k.nnz || (i == 0 && first != 0)) {
    rp_fault(k.error, RP_FAULT_INDEX, k.site, i);
    store_u32(k.bad, 0, 1);
  }
}
#endif

#ifdef ENTRY_csr_entries
RP_ITEM(csr_entries, rp_csr_entries_args) {
  const bool good = load_u32(k.bad, 0) == 0;
  uint32_t used = 0;
  if (good) used = load_u32(k.row_ptr, k.rows);
  if (i <= k.rows) {
    uint32_t first = 0;
    if (good) first = load_u32(k.row_ptr, i);
    store_u32(k.out_row_ptr, i, first);
  }
  if (i < used) {
    uint32_t col = load_u32(k.col, i);
    if (col >= k.cols) {
      rp_fault(k.error, RP_FAULT_INDEX, k.site, i);
      col = 0;
    }
    store_u32(k.entries, i, col << 1);
  }
}
#endif
