/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Kernel arguments of the reduction of buckets and of windows on GPUs.
 */
#ifndef REPRISE_ARGS_BUCKET_REDUCE_GPU_ARGS_H
#define REPRISE_ARGS_BUCKET_REDUCE_GPU_ARGS_H

/* One block per part and set. The workers of a block reduce RP_GPU_REDUCE_WORKERS * items buckets to a pair (sum of (i
 * + 1) * bucket[i], sum of bucket[i]), where i is the index within the part; bucket_fold joins the parts of a set. In
 * CUDA, if there are many buckets, each thread of bucket_runs first sums a run of them to such a pair, and the blocks
 * reduce the pairs. */
struct rp_gpu_reduce_args {
  RP_ADDR(const void) in; /* bucket sums [set][buckets], or pairs [set][runs or parts][2] */
  RP_ADDR(void) out;      /* pairs [set][runs or parts][2]; of the fold: [set] */
  uint32_t buckets;       /* buckets, runs or parts per set */
  uint32_t items;         /* how many of them each worker reduces, a power of two */
  uint32_t log_scale;     /* log2 of the buckets in each pair */
  uint32_t pad;
};
RP_ARGS_SIZE(struct rp_gpu_reduce_args, 32);
#define RP_GPU_REDUCE_WORKERS 32 /* per block; the fold has twice as many, in Vulkan at most */

struct rp_gpu_window_args {
  RP_ADDR(const void) windows;
  RP_ADDR(void) result;
  uint32_t n, doublings;
};
RP_ARGS_SIZE(struct rp_gpu_window_args, 24);
#define RP_GPU_RUNS_BLOCK 128 /* threads per block */

#endif
