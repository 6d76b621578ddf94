/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Bucket matrix, filter, accumulation and reduction on GPUs (msm/buckets_gpu_args.h says what each launch does).
 */
#include "lower/gpu.h"

#include <string.h>

#include "msm/buckets_gpu_args.h"

enum {
  DIGITS_BLOCK = 256,
  ACCUMULATE_BLOCK = 128,
  COMBINE_WORKERS = RP_GPU_COMBINE_WORKERS,
  VULKAN_COMBINE = 128,
  RUNS_BLOCK = 128,
  REDUCE_BLOCK = 4 * RP_GPU_REDUCE_WORKERS,
  CLEAR_BLOCK = 256
};

RP_CUDA_DECLARE(bucket_matrix)
RP_CUDA_DECLARE(bucket_filter)
#define DECLARE(NAME, id, base, scalar, weierstrass) \
  RP_CUDA_DECLARE(bucket_accumulate_##id) RP_CUDA_DECLARE(bucket_combine_##id) RP_CUDA_DECLARE(bucket_reduce_##id)
RP_CURVE_LIST(DECLARE)

static const rp_kernel count_kernel =
    RP_GPU_KERNEL(bucket_matrix, bucket_count, struct rp_gpu_digits_args, 4, DIGITS_BLOCK);
static const rp_kernel scatter_kernel =
    RP_GPU_KERNEL(bucket_matrix, bucket_scatter, struct rp_gpu_digits_args, 4, DIGITS_BLOCK);
static const rp_kernel filter_count_kernel =
    RP_GPU_KERNEL(bucket_filter, filter_count, struct rp_gpu_filter_args, 5, RP_GPU_FILTER_BLOCK);
static const rp_kernel filter_write_kernel =
    RP_GPU_KERNEL(bucket_filter, filter_write, struct rp_gpu_filter_args, 5, RP_GPU_FILTER_BLOCK);

/* A span of bucket_combine: two accumulator points and two rows, for half of the workers. */
#define SPAN_BYTES(base) ((2 * RP_GPU_ACC_BYTES(base) + 8 + 15) / 16 * 16)

#define ACCUMULATE(NAME, id, base, scalar, w)                                                                      \
  [RP_CURVE_##NAME] = RP_GPU_KERNEL_OF(bucket_accumulate, id, bucket_accumulate, struct rp_gpu_accumulate_args, 6, \
                                       ACCUMULATE_BLOCK, 0),
#define CLEAR(NAME, id, base, scalar, w) \
  [RP_CURVE_##NAME] =                    \
      RP_GPU_KERNEL_OF(bucket_accumulate, id, bucket_clear, struct rp_gpu_accumulate_args, 6, CLEAR_BLOCK, 0),
#define COMBINE(NAME, id, base, scalar, w)                                                                         \
  [RP_CURVE_##NAME] =                                                                                              \
      RP_GPU_KERNEL_SHARED(bucket_combine, id, bucket_combine, struct rp_gpu_combine_args, 5, 4 * COMBINE_WORKERS, \
                           COMBINE_WORKERS / 2 * SPAN_BYTES(base), VULKAN_COMBINE),
/* A worker is a quad of lanes in CUDA, a thread in Vulkan. */
#define REDUCE(NAME, id, base, scalar, w)                                                                \
  [RP_CURVE_##NAME] =                                                                                    \
      RP_GPU_KERNEL_SHARED(bucket_reduce, id, bucket_reduce, struct rp_gpu_reduce_args, 2, REDUCE_BLOCK, \
                           RP_GPU_REDUCE_WORKERS * RP_GPU_ACC_BYTES(base), RP_GPU_REDUCE_WORKERS),
/* CUDA's alone. */
#define RUNS(NAME, id, base, scalar, w) \
  [RP_CURVE_##NAME] =                   \
      RP_CUDA_KERNEL_OF(bucket_accumulate, id, bucket_runs, struct rp_gpu_reduce_args, 2, RUNS_BLOCK, 0),
#define REDUCE_RUNS(NAME, id, base, scalar, w)                                                               \
  [RP_CURVE_##NAME] = RP_CUDA_KERNEL_OF(bucket_reduce, id, bucket_reduce_runs, struct rp_gpu_reduce_args, 2, \
                                        REDUCE_BLOCK, RP_GPU_REDUCE_WORKERS * RP_GPU_ACC_BYTES(base)),
#define FOLD(NAME, id, base, scalar, w)                                                                    \
  [RP_CURVE_##NAME] =                                                                                      \
      RP_GPU_KERNEL_SHARED(bucket_reduce, id, bucket_fold, struct rp_gpu_reduce_args, 2, 2 * REDUCE_BLOCK, \
                           2 * RP_GPU_REDUCE_WORKERS * RP_GPU_ACC_BYTES(base), 2 * RP_GPU_REDUCE_WORKERS),
#define WINDOW(NAME, id, base, scalar, w) \
  [RP_CURVE_##NAME] = RP_GPU_KERNEL_OF(bucket_reduce, id, window_reduce, struct rp_gpu_window_args, 2, 4, 0),
#define PAIR(NAME, id, base, scalar, w) \
  [RP_CURVE_##NAME] =                   \
      RP_GPU_KERNEL_OF(bucket_accumulate, id, bucket_pair, struct rp_gpu_accumulate_args, 6, ACCUMULATE_BLOCK, 0),
static const rp_kernel pair_kernels[RP_CURVE_COUNT] = {RP_CURVE_LIST(PAIR)};
static const rp_kernel accumulate_kernels[RP_CURVE_COUNT] = {RP_CURVE_LIST(ACCUMULATE)};
static const rp_kernel clear_kernels[RP_CURVE_COUNT] = {RP_CURVE_LIST(CLEAR)};
static const rp_kernel combine_kernels[RP_CURVE_COUNT] = {RP_CURVE_LIST(COMBINE)};
static const rp_kernel reduce_kernels[RP_CURVE_COUNT] = {RP_CURVE_LIST(REDUCE)};
static const rp_kernel runs_kernels[RP_CURVE_COUNT] = {RP_CURVE_LIST(RUNS)};
static const rp_kernel reduce_runs_kernels[RP_CURVE_COUNT] = {RP_CURVE_LIST(REDUCE_RUNS)};
static const rp_kernel fold_kernels[RP_CURVE_COUNT] = {RP_CURVE_LIST(FOLD)};
static const rp_kernel window_kernels[RP_CURVE_COUNT] = {RP_CURVE_LIST(WINDOW)};

/* -1 / order mod 2^32, by Newton's iteration; an even order has none and needs none: its scalars are no field elements. */
static uint32_t order_inverse(uint32_t order) {
  uint32_t x = 1;
  for (int i = 0; i < 5; i++) x *= 2 - order * x;
  return 0 - x;
}

rp_status rp_lower_matrix_gpu(rp_lower *l, const rp_gpu_matrix_plan *p) {
  const uint32_t n = (uint32_t)rp_lower_len(l, p->scalars), rows = p->sets * p->buckets;
  struct rp_gpu_digits_args a = {.n = n,
                                 .scalar_words = rp_lower_type(l, p->scalars)->size_bytes / 4,
                                 .montgomery = rp_lower_type(l, p->scalars)->id != RP_TYPE_U256.id,
                                 .window_bits = p->window_bits,
                                 .windows = p->windows,
                                 .merged = p->merged,
                                 .buckets = p->buckets,
                                 .site = rp_lower_site(l)};
  memcpy(a.order, rp_curve_get(p->curve)->order_le, sizeof a.order);
  a.order_inverse = order_inverse(a.order[0]);
  for (uint32_t w = 0; w + 1 < p->windows; w++) {
    uint32_t bit = w * p->window_bits + p->window_bits - 1;
    a.bias[bit / 32] |= 1u << bit % 32;
  }
  const rp_value counts = rp_lower_scratch(l, "counts", &RP_TYPE_U32, rows);
  const rp_value next = rp_lower_scratch(l, "next", &RP_TYPE_U32, rows);
  const rp_value error = rp_lower_error(l);
  const uint32_t groups = rp_gpu_groups(n, rp_lower_group(l, &count_kernel));
  rp_gpu_fill(l, counts, 0);
  rp_gpu_dispatch(l, &count_kernel, groups, 1, &a,
                  (rp_bind[]){RP_BIND(p->scalars, RP_READ), RP_BIND(counts, RP_READ_WRITE),
                              RP_BIND(counts, RP_READ_WRITE), RP_BIND(error, RP_READ_WRITE | RP_ATOMIC)});
  rp_gpu_scan(l, counts, p->row_ptr, next);
  rp_gpu_dispatch(l, &scatter_kernel, groups, 1, &a,
                  (rp_bind[]){RP_BIND(p->scalars, RP_READ), RP_BIND(next, RP_READ_WRITE), RP_BIND(p->entries, RP_WRITE),
                              RP_BIND(error, RP_READ_WRITE | RP_ATOMIC)});
  return RP_OK;
}

rp_status rp_lower_filter_gpu(rp_lower *l, rp_value row_ptr, rp_value entries, rp_value support, uint32_t n,
                              rp_value out_row_ptr, rp_value out_entries) {
  const uint32_t rows = (uint32_t)(rp_lower_len(l, row_ptr) - 1);
  const struct rp_gpu_filter_args a = {.rows = rows, .n = n};
  const rp_value counts = rp_lower_scratch(l, "counts", &RP_TYPE_U32, rows);
  const rp_value next = rp_lower_scratch(l, "next", &RP_TYPE_U32, rows);
  /* Cuts of at least sixteen entries, and enough threads to hide the latency of what they gather. */
  uint32_t groups = rp_gpu_groups(rp_lower_len(l, entries) / 16 + 1, RP_GPU_FILTER_BLOCK);
  const uint32_t most = rp_lower_limits(l)->workers * 16;
  if (groups > most) groups = most;
  rp_gpu_fill(l, counts, 0);
  rp_gpu_dispatch(l, &filter_count_kernel, groups, 1, &a,
                  (rp_bind[]){RP_BIND(row_ptr, RP_READ), RP_BIND(entries, RP_READ), RP_BIND(support, RP_READ),
                              RP_BIND(counts, RP_READ_WRITE), RP_BIND(counts, RP_READ_WRITE)});
  rp_gpu_scan(l, counts, out_row_ptr, next);
  rp_gpu_dispatch(l, &filter_write_kernel, groups, 1, &a,
                  (rp_bind[]){RP_BIND(row_ptr, RP_READ), RP_BIND(entries, RP_READ), RP_BIND(support, RP_READ),
                              RP_BIND(next, RP_READ_WRITE), RP_BIND(out_entries, RP_WRITE)});
  return RP_OK;
}

rp_status rp_lower_accumulate_gpu(rp_lower *l, rp_curve curve, rp_value row_ptr, rp_value entries, rp_value points,
                                  rp_value sums) {
  enum { MIN_SEGMENT = 8, WAVES = 2 };
  const rp_type *acc = rp_type_accumulator(curve);
  const uint32_t rows = (uint32_t)rp_lower_len(l, sums), cuda = rp_lower_device(l) == RP_DEVICE_CUDA;
  const uint32_t workers = cuda ? COMBINE_WORKERS : rp_lower_group(l, &combine_kernels[curve]);
  const uint64_t most = (uint64_t)rp_lower_limits(l)->workers * 5 * ACCUMULATE_BLOCK * WAVES;
  const uint64_t bound = rp_lower_len(l, entries);
  uint64_t segments = (bound + MIN_SEGMENT - 1) / MIN_SEGMENT;
  if (segments > most) segments = most;
  const struct rp_gpu_accumulate_args a = {.rows = rows,
                                           .segments = (uint32_t)segments,
                                           .min_segment = MIN_SEGMENT,
                                           .points_n = (uint32_t)rp_lower_len(l, points)};
  uint64_t slots = 2 * segments;
  rp_value partials = rp_lower_scratch(l, "partials", acc, slots);
  rp_value slot_rows = rp_lower_scratch(l, "slot_rows", &RP_TYPE_U32, slots);
  rp_bind binds[] = {RP_BIND(row_ptr, RP_READ), RP_BIND(entries, RP_READ),   RP_BIND(points, RP_READ),
                     RP_BIND(sums, RP_WRITE),   RP_BIND(partials, RP_WRITE), RP_BIND(slot_rows, RP_WRITE)};
  rp_gpu_dispatch(l, &accumulate_kernels[curve], rp_gpu_groups(segments, ACCUMULATE_BLOCK), 1, &a, binds);
  rp_gpu_dispatch(l, &pair_kernels[curve], rp_gpu_groups(segments, ACCUMULATE_BLOCK), 1, &a,
                  (rp_bind[]){binds[0], RP_BIND(entries, RP_READ), RP_BIND(points, RP_READ), RP_BIND(sums, RP_WRITE),
                              RP_BIND(partials, RP_READ), RP_BIND(slot_rows, RP_READ_WRITE)});
  rp_gpu_dispatch(l, &clear_kernels[curve], rp_gpu_groups(rows, CLEAR_BLOCK * 4), 1, &a,
                  (rp_bind[]){binds[0], RP_BIND(entries, RP_READ), RP_BIND(points, RP_READ), RP_BIND(sums, RP_WRITE),
                              RP_BIND(row_ptr, RP_READ), RP_BIND(row_ptr, RP_READ)});
  for (int last = 0; !last;) {
    const uint32_t groups = rp_gpu_groups(slots, workers * RP_GPU_COMBINE_SLOTS);
    last = groups == 1;
    const struct rp_gpu_combine_args c = {.slots = (uint32_t)slots, .last = (uint32_t)last};
    const rp_value next = last ? partials : rp_lower_scratch(l, "partials", acc, 2 * (uint64_t)groups);
    const rp_value next_rows = last ? slot_rows : rp_lower_scratch(l, "slot_rows", &RP_TYPE_U32, 2 * (uint64_t)groups);
    rp_gpu_dispatch(l, &combine_kernels[curve], groups, 1, &c,
                    (rp_bind[]){RP_BIND(partials, RP_READ), RP_BIND(slot_rows, RP_READ), RP_BIND(sums, RP_WRITE),
                                RP_BIND(next, last ? RP_READ : RP_WRITE),
                                RP_BIND(next_rows, last ? RP_READ : RP_WRITE)});
    partials = next, slot_rows = next_rows, slots = 2 * (uint64_t)groups;
  }
  return RP_OK;
}

static uint32_t log2_of(uint32_t x) {
  uint32_t r = 0;
  while (x >> (r + 1)) r++;
  return r;
}

/* Buckets a run, or 0: too few buckets for a thread each run. Two workgroups a multiprocessor is what points over an
 * extension field leave room for; more runs would only be more to reduce after. */
static uint32_t run_items(const rp_lower *l, uint64_t buckets) {
  enum { LEAST = 8, MOST = 32 };
  const uint64_t enough = (uint64_t)rp_lower_limits(l)->workers * 2 * RUNS_BLOCK;
  uint32_t items = LEAST;
  if (rp_lower_device(l) != RP_DEVICE_CUDA || buckets / items < enough) return 0;
  while (items < MOST && buckets / items > enough) items *= 2;
  return items;
}

rp_status rp_lower_reduce_gpu(rp_lower *l, rp_curve curve, rp_value sums, rp_value windows, uint32_t sets,
                              uint32_t buckets) {
  /* Buckets a worker: more of them is less work in all, fewer is a shorter chain. Enough workers to hide the latency of
   * a product come first. */
  enum { WORKERS = RP_GPU_REDUCE_WORKERS, WORKERS_AT_ONCE = 48, MOST = 32 };
  const rp_type *acc = rp_type_accumulator(curve);
  const uint32_t run = run_items(l, (uint64_t)sets * buckets);
  const rp_kernel *kernel = &reduce_kernels[curve];
  uint32_t items = 1, log_run = 0;
  if (run) {
    const uint32_t runs = rp_gpu_groups(buckets, run);
    const rp_value pairs = rp_lower_scratch(l, "runs", acc, (uint64_t)sets * runs * 2);
    rp_gpu_dispatch(l, &runs_kernels[curve], rp_gpu_groups(runs, RUNS_BLOCK), sets,
                    &(struct rp_gpu_reduce_args){.buckets = buckets, .items = run},
                    (rp_bind[]){RP_BIND(sums, RP_READ), RP_BIND(pairs, RP_WRITE)});
    kernel = &reduce_runs_kernels[curve], sums = pairs, buckets = runs, log_run = log2_of(run);
  }
  const uint64_t enough = (uint64_t)rp_lower_limits(l)->workers * WORKERS_AT_ONCE;
  while (items < MOST && (uint64_t)sets * buckets / (2 * items) >= enough) items *= 2;
  const uint32_t parts = rp_gpu_groups(buckets, WORKERS * items);
  uint32_t fold_items = 1;
  while (fold_items * WORKERS < parts) fold_items *= 2;
  const rp_value partials = rp_lower_scratch(l, "partials", acc, (uint64_t)sets * parts * 2);
  rp_gpu_dispatch(l, kernel, parts, sets,
                  &(struct rp_gpu_reduce_args){.buckets = buckets, .items = items, .log_scale = log_run},
                  (rp_bind[]){RP_BIND(sums, RP_READ), RP_BIND(partials, RP_WRITE)});
  const uint32_t log_part = log_run + log2_of(WORKERS * items);
  rp_gpu_dispatch(l, &fold_kernels[curve], sets, 1,
                  &(struct rp_gpu_reduce_args){.buckets = parts, .items = fold_items, .log_scale = log_part},
                  (rp_bind[]){RP_BIND(partials, RP_READ), RP_BIND(windows, RP_WRITE)});
  return RP_OK;
}

rp_status rp_lower_window_reduce_gpu(rp_lower *l, rp_curve curve, rp_value windows, rp_value result, uint32_t sets,
                                     uint32_t doublings) {
  rp_gpu_dispatch(l, &window_kernels[curve], 1, 1, &(struct rp_gpu_window_args){.n = sets, .doublings = doublings},
                  (rp_bind[]){RP_BIND(windows, RP_READ), RP_BIND(result, RP_WRITE)});
  return RP_OK;
}
