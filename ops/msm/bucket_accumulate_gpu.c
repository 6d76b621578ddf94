/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Bucket accumulation on GPUs (msm/bucket_accumulate_gpu_args.h and bucket_combine_gpu_args.h say what each launch
 * does).
 */
#include "lower/gpu.h"

#include "msm/bucket_accumulate_gpu_args.h"
#include "msm/bucket_combine_gpu_args.h"

enum { ACCUMULATE_BLOCK = 128, COMBINE_WORKERS = RP_GPU_COMBINE_WORKERS, VULKAN_COMBINE = 128, CLEAR_BLOCK = 256 };

#define DECLARE(NAME, id, base, scalar, weierstrass) \
  RP_CUDA_DECLARE(bucket_accumulate_##id) RP_CUDA_DECLARE(bucket_combine_##id)
RP_CURVE_LIST(DECLARE)

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
#define PAIR(NAME, id, base, scalar, w) \
  [RP_CURVE_##NAME] =                   \
      RP_GPU_KERNEL_OF(bucket_accumulate, id, bucket_pair, struct rp_gpu_accumulate_args, 6, ACCUMULATE_BLOCK, 0),
static const rp_kernel pair_kernels[RP_CURVE_COUNT] = {RP_CURVE_LIST(PAIR)};
static const rp_kernel accumulate_kernels[RP_CURVE_COUNT] = {RP_CURVE_LIST(ACCUMULATE)};
static const rp_kernel clear_kernels[RP_CURVE_COUNT] = {RP_CURVE_LIST(CLEAR)};
static const rp_kernel combine_kernels[RP_CURVE_COUNT] = {RP_CURVE_LIST(COMBINE)};

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
