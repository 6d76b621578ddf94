/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Sparse matrix of ones times a vector of points on GPUs, see sparse/spmv_points.c. Indices are checked when they are
 * used.
 */
#ifdef ENTRY_spmv_points_rows
RP_ITEM(spmv_points_rows, rp_spmv_points_args) {
  const uint32_t row = i / k.lanes, lane = i - row * k.lanes;
  const uint32_t first = load_u32(k.row_ptr, row);
  uint32_t last = load_u32(k.row_ptr, row + 1);
  if (first > last || last > k.nnz || (row == 0 && first != 0)) {
    rp_fault(k.error, RP_FAULT_INDEX, k.site, row);
    last = first;
  }
  acc sum = acc_zero();
  for (uint32_t j = lane; j < last - first; j += k.lanes) {
    const uint32_t col = load_u32(k.col, first + j);
    if (col < k.cols)
      sum = acc_add_aff(sum, aff_load(k.x, col));
    else
      rp_fault(k.error, RP_FAULT_INDEX, k.site, first + j);
  }
  acc_store(k.y, i, sum);
}
#endif

#ifdef ENTRY_spmv_points_join
RP_ITEM(spmv_points_join, rp_spmv_points_join_args) {
  acc sum = acc_load(k.partial, i * k.lanes);
  for (uint32_t j = 1; j < k.lanes; j++) sum = acc_add(sum, acc_load(k.partial, i * k.lanes + j));
  acc_store(k.y, i, sum);
}
#endif
