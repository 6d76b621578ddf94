/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Reduction of buckets and of windows on GPUs.
 */
#include "lower/gpu.h"

#include "kernel_tables.h"

/* Kernel arguments of the reduction of buckets and of windows on GPUs. */

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

static uint32_t log2_of(uint32_t x) {
  uint32_t r = 0;
  while (x >> (r + 1)) r++;
  return r;
}

/* Buckets per run, or 0 if there are too few buckets to give each thread a run. Points over an extension field leave
 * room for two workgroups per multiprocessor; shorter runs than needed to fill these would only leave more to reduce
 * afterwards. */
static uint32_t run_items(const rp_lower *l, uint64_t buckets) {
  enum { LEAST = 8, MOST = 32 };
  const uint64_t enough = (uint64_t)rp_lower_limits(l)->workers * 2 * RP_GPU_RUNS_BLOCK;
  uint32_t items = LEAST;
  if (rp_lower_device(l) != RP_DEVICE_CUDA || buckets / items < enough) return 0;
  while (items < MOST && buckets / items > enough) items *= 2;
  return items;
}

rp_status rp_lower_reduce_gpu(rp_lower *l, rp_curve curve, rp_value sums, rp_value windows, uint32_t sets,
                              uint32_t buckets) {
  /* Buckets per worker: more of them make less work in all, fewer make a shorter chain of additions. First of all there
   * must be enough workers to hide the latency of a product. */
  enum { WORKERS = RP_GPU_REDUCE_WORKERS, WORKERS_AT_ONCE = 48, MOST = 32 };
  const rp_type *acc = rp_type_accumulator(curve);
  const uint32_t run = run_items(l, (uint64_t)sets * buckets);
  const rp_kernel *kernel = &rp_kernels_bucket_reduce_gpu[curve];
  uint32_t items = 1, log_run = 0;
  if (run) {
    const uint32_t runs = rp_gpu_groups(buckets, run);
    const rp_value pairs = rp_lower_scratch(l, "runs", acc, (uint64_t)sets * runs * 2);
    rp_gpu_dispatch(l, &rp_kernels_bucket_runs[curve], rp_gpu_groups(runs, RP_GPU_RUNS_BLOCK), sets,
                    &(struct rp_gpu_reduce_args){.buckets = buckets, .items = run},
                    (rp_bind[]){RP_BIND(sums, RP_READ), RP_BIND(pairs, RP_WRITE)});
    kernel = &rp_kernels_bucket_reduce_runs[curve], sums = pairs, buckets = runs, log_run = log2_of(run);
  }
  const uint64_t enough = (uint64_t)rp_lower_limits(l)->workers * WORKERS_AT_ONCE;
  while (items < MOST && (uint64_t)sets * buckets / (2 * items) >= enough) items *= 2;
  const uint32_t parts = rp_gpu_groups(buckets, WORKERS * items);
  /* Half of the workers of the fold: each is four threads. */
  const uint32_t fold_workers = rp_lower_group(l, &rp_kernels_bucket_fold_gpu[curve]) / 8;
  uint32_t fold_items = 1;
  while (fold_items * fold_workers < parts) fold_items *= 2;
  const rp_value partials = rp_lower_scratch(l, "partials", acc, (uint64_t)sets * parts * 2);
  rp_gpu_dispatch(l, kernel, parts, sets,
                  &(struct rp_gpu_reduce_args){.buckets = buckets, .items = items, .log_scale = log_run},
                  (rp_bind[]){RP_BIND(sums, RP_READ), RP_BIND(partials, RP_WRITE)});
  const uint32_t log_part = log_run + log2_of(WORKERS * items);
  rp_gpu_dispatch(l, &rp_kernels_bucket_fold_gpu[curve], sets, 1,
                  &(struct rp_gpu_reduce_args){.buckets = parts, .items = fold_items, .log_scale = log_part},
                  (rp_bind[]){RP_BIND(partials, RP_READ), RP_BIND(windows, RP_WRITE)});
  return RP_OK;
}

rp_status rp_lower_window_reduce_gpu(rp_lower *l, rp_curve curve, rp_value windows, rp_value result, uint32_t sets,
                                     uint32_t doublings) {
  rp_gpu_dispatch(l, &rp_kernels_window_reduce_gpu[curve], 1, 1,
                  &(struct rp_gpu_window_args){.n = sets, .doublings = doublings},
                  (rp_bind[]){RP_BIND(windows, RP_READ), RP_BIND(result, RP_WRITE)});
  return RP_OK;
}
