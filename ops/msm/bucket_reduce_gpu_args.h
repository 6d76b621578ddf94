/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Kernel arguments of the reduction of buckets and of windows on GPUs.
 */
#ifndef REPRISE_ARGS_BUCKET_REDUCE_GPU_ARGS_H
#define REPRISE_ARGS_BUCKET_REDUCE_GPU_ARGS_H

/* Blocks: (part, set). A block's workers reduce RP_GPU_REDUCE_WORKERS * items buckets to (sum of (i + 1) * bucket,
 * plain sum), i within the part; the last launch folds the parts of a set. In CUDA many buckets are first summed in
 * runs, each by a thread, to such pairs, and the blocks reduce these. */
struct rp_gpu_reduce_args {
  RP_ADDR(const void) in; /* first: bucket sums [set][buckets]; then pairs [set][runs or parts][2] */
  RP_ADDR(void) out;      /* pairs [set][runs or parts][2]; fold: [set] */
  uint32_t buckets;       /* of a set, or runs, or parts of it */
  uint32_t items;         /* those of a worker, a power of two */
  uint32_t log_scale;     /* of pairs: log2 of the buckets of each */
  uint32_t pad;
};
RP_ARGS_SIZE(struct rp_gpu_reduce_args, 32);
#define RP_GPU_REDUCE_WORKERS 32 /* a block; the fold has twice as many */

struct rp_gpu_window_args {
  RP_ADDR(const void) windows;
  RP_ADDR(void) result;
  uint32_t n, doublings;
};
RP_ARGS_SIZE(struct rp_gpu_window_args, 24);
#define RP_GPU_RUNS_BLOCK 128 /* threads */

#endif
