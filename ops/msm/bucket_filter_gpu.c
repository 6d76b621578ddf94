/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The filter of a bucket matrix on GPUs.
 */
#include "lower/gpu.h"

#include "kernel_tables.h"

/* Kernel arguments of the bucket filter on GPUs. */

/* Each thread has an equal share of the entries. filter_count counts, for each row, the entries whose point is in
 * `support`; filter_write writes them. */
struct rp_gpu_filter_args {
  RP_ADDR(const uint32_t) row_ptr;
  RP_ADDR(const uint32_t) entries;
  RP_ADDR(const uint32_t) support;
  RP_ADDR(uint32_t) counters;
  RP_ADDR(uint32_t) out_entries;
  uint32_t rows, n; /* n is the number of points; an entry's point is its index modulo n */
};
RP_ARGS_SIZE(struct rp_gpu_filter_args, 48);
#define RP_GPU_FILTER_BLOCK 256

rp_status rp_lower_filter_gpu(rp_lower *l, rp_value row_ptr, rp_value entries, rp_value support, uint32_t n,
                              rp_value out_row_ptr, rp_value out_entries) {
  const uint32_t rows = (uint32_t)(rp_lower_len(l, row_ptr) - 1);
  const struct rp_gpu_filter_args a = {.rows = rows, .n = n};
  const rp_value counts = rp_lower_scratch(l, "counts", &RP_TYPE_U32, rows);
  const rp_value next = rp_lower_scratch(l, "next", &RP_TYPE_U32, rows);
  /* At least sixteen entries per thread, and enough threads to hide the latency of their gathers. */
  uint32_t groups = rp_gpu_groups(rp_lower_len(l, entries) / 16 + 1, RP_GPU_FILTER_BLOCK);
  const uint32_t most = rp_lower_limits(l)->workers * 16;
  if (groups > most) groups = most;
  rp_gpu_fill(l, counts, 0);
  rp_gpu_dispatch(l, &rp_kernel_filter_count, groups, 1, &a,
                  (rp_bind[]){RP_BIND(row_ptr, RP_READ), RP_BIND(entries, RP_READ), RP_BIND(support, RP_READ),
                              RP_BIND(counts, RP_READ_WRITE), rp_bind_optional(RP_NO_VALUE, RP_WRITE)});
  rp_gpu_scan(l, counts, out_row_ptr, next);
  rp_gpu_dispatch(l, &rp_kernel_filter_write, groups, 1, &a,
                  (rp_bind[]){RP_BIND(row_ptr, RP_READ), RP_BIND(entries, RP_READ), RP_BIND(support, RP_READ),
                              RP_BIND(next, RP_READ_WRITE), RP_BIND(out_entries, RP_WRITE)});
  return RP_OK;
}
