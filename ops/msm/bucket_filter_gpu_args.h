/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Kernel arguments of the bucket filter on GPUs.
 */
#ifndef REPRISE_ARGS_BUCKET_FILTER_GPU_ARGS_H
#define REPRISE_ARGS_BUCKET_FILTER_GPU_ARGS_H

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

#endif
