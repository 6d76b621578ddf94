/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Kernel arguments of the bucket matrix on GPUs. The rows are those of msm/bucket_matrix_args.h; digits are never
 * stored: both passes over the scalars compute them.
 */
#ifndef REPRISE_ARGS_BUCKET_MATRIX_GPU_ARGS_H
#define REPRISE_ARGS_BUCKET_MATRIX_GPU_ARGS_H

/* Threads: scalars. First pass: counts[row] += 1. Second: entries[next[row]++] = index << 1 | negative. */
struct rp_gpu_digits_args {
  RP_ADDR(const uint32_t) scalars;
  RP_ADDR(uint32_t) counters;            /* counts, or next */
  RP_ADDR(uint32_t) entries;             /* second pass */
  RP_ADDR(uint32_t) error;               /* first pass */
  uint32_t order[8], order_inverse, pad; /* -1 / order mod 2^32 */
  uint32_t bias[8];
  uint32_t n, scalar_words, montgomery, window_bits, windows, merged, buckets, site;
};
RP_ARGS_SIZE(struct rp_gpu_digits_args, 136);

#endif
