/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Sparse matrix of ones times a vector of points, row by row, see sparse/spmv_points.c. Indices are checked when they
 * are used.
 */
#include "points/points_cpu.h"

#include "sparse/spmv_points_args.h"

/* How many entries ahead x is prefetched, since its points are read in random order. */
enum { AHEAD = 8 };

void RP_FN(spmv_points_rows)(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *worker) {
  const struct rp_spmv_points_args *k = args;
  const aff *x = k->x;
  (void)worker;
  for (uint64_t row = begin; row < end; row++) {
    uint32_t first = k->row_ptr[row], last = k->row_ptr[row + 1];
    acc *sum = (acc *)k->y + row;
    acc_zero(sum);
    if (first > last || last > k->nnz || (!row && first)) {
      rp_fault_report((rp_error_record *)k->error, RP_FAULT_INDEX, k->site, row);
      continue;
    }
    for (uint32_t i = first; i < last; i++) {
      const uint32_t col = k->col[i];
      if (last - i > AHEAD && k->col[i + AHEAD] < k->cols) __builtin_prefetch(&x[k->col[i + AHEAD]]);
      if (col < k->cols)
        pt_add_aff(sum, sum, &x[col]);
      else
        rp_fault_report((rp_error_record *)k->error, RP_FAULT_INDEX, k->site, i);
    }
  }
}
