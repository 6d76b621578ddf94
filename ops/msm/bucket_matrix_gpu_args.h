/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Kernel arguments of the bucket matrix on GPUs. The rows are those of msm/bucket_matrix_args.h. Digits are not stored:
 * both kernels compute them from the scalars.
 */
#ifndef REPRISE_ARGS_BUCKET_MATRIX_GPU_ARGS_H
#define REPRISE_ARGS_BUCKET_MATRIX_GPU_ARGS_H

/* One thread per scalar. bucket_count: counts[row] += 1. bucket_scatter: entries[next[row]++] = index << 1 |
 * negative. */
struct rp_gpu_digits_args {
  RP_ADDR(const uint32_t) scalars;
  RP_ADDR(uint32_t) counters;            /* counts, or next */
  RP_ADDR(uint32_t) entries;             /* bucket_scatter only */
  RP_ADDR(uint32_t) error;               /* written by bucket_count only */
  uint32_t order[8], order_inverse, pad; /* -1 / order mod 2^32 */
  uint32_t bias[8];
  uint32_t n, scalar_words, montgomery, window_bits, windows, merged, buckets, site;
};
RP_ARGS_SIZE(struct rp_gpu_digits_args, 136);

#endif
