/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Kernel arguments of a bucket matrix's filter on GPUs.
 */
#ifndef REPRISE_ARGS_BUCKET_FILTER_GPU_ARGS_H
#define REPRISE_ARGS_BUCKET_FILTER_GPU_ARGS_H

/* Threads: equal cuts of the entries. Counts the entries of each row whose point is in `support`, then writes them. */
struct rp_gpu_filter_args {
  RP_ADDR(const uint32_t) row_ptr;
  RP_ADDR(const uint32_t) entries;
  RP_ADDR(const uint32_t) support;
  RP_ADDR(uint32_t) counters;
  RP_ADDR(uint32_t) out_entries;
  uint32_t rows, n; /* points; an entry's point is its index modulo n */
};
RP_ARGS_SIZE(struct rp_gpu_filter_args, 48);
#define RP_GPU_FILTER_BLOCK 256

#endif
