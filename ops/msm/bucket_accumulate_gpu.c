/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Bucket accumulation on GPUs. msm/bucket_combine_gpu_args.h describes the last launches.
 *
 * kernel bucket_combine:bucket_combine gpu_combine/5 curves products:combine
 *        cuda:4*RP_GPU_COMBINE_WORKERS,RP_GPU_COMBINE_WORKERS/2*RP_GPU_COMBINE_SPAN_BYTES(ACC) vulkan:128 int64
 */
#include "lower/gpu.h"

#include "msm/bucket_combine_gpu_args.h"
#include "kernel_tables.h"

/* One thread per segment; segments have equal numbers of entries. The thread finishes the rows that lie inside its
 * segment t. A row that crosses a border leaves a partial sum in slot 2t (it began before the segment) or 2t + 1 (it
 * continues after it). The segment length is max(min_segment, entries / segments rounded up), known only on the device.
 * bucket_pair then adds up the rows that cross a few segments, in the thread of the first one, and clears the sums of
 * empty rows; only heavier rows are left for bucket_combine (bucket_combine_gpu_args.h). The first row may begin at any
 * entry: the rows may be a range of those of a matrix. */
struct rp_gpu_accumulate_args {
  RP_ADDR(const uint32_t) row_ptr;
  RP_ADDR(const uint32_t) entries;
  RP_ADDR(const void) points;
  RP_ADDR(void) sums;
  RP_ADDR(void) partials;      /* accumulator [2 * segments] */
  RP_ADDR(uint32_t) slot_rows; /* [2 * segments]; UINT32_MAX marks an empty slot */
  uint32_t rows, segments, min_segment, points_n;
};
RP_ARGS_SIZE(struct rp_gpu_accumulate_args, 64);
#define RP_GPU_PAIR_SEGMENTS 8      /* rows with more pieces are left to bucket_combine */
#define RP_GPU_ACCUMULATE_BLOCK 128 /* threads */

rp_status rp_lower_accumulate_gpu(rp_lower *l, rp_curve curve, rp_value row_ptr, rp_value entries, rp_value points,
                                  rp_value sums) {
  enum { MIN_SEGMENT = 8, WAVES = 2 };
  const rp_type *acc = rp_type_accumulator(curve);
  const uint32_t rows = (uint32_t)rp_lower_len(l, sums), cuda = rp_lower_device(l) == RP_DEVICE_CUDA;
  const uint32_t workers = cuda ? RP_GPU_COMBINE_WORKERS : rp_lower_group(l, &rp_kernels_bucket_combine[curve]);
  /* Workgroups that a multiprocessor holds at once: over an extension field an addition needs most of the registers.
   * More segments than threads at work would only cut rows into more pieces. */
  const uint32_t at_once = !cuda && rp_field_get(rp_curve_base_field(curve))->degree > 1 ? 2 : 5;
  const uint64_t most = (uint64_t)rp_lower_limits(l)->workers * at_once * RP_GPU_ACCUMULATE_BLOCK * WAVES;
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
  const rp_bind absent = rp_bind_optional(RP_NO_VALUE, RP_READ);
  rp_bind binds[] = {RP_BIND(row_ptr, RP_READ), RP_BIND(entries, RP_READ),   RP_BIND(points, RP_READ),
                     RP_BIND(sums, RP_WRITE),   RP_BIND(partials, RP_WRITE), RP_BIND(slot_rows, RP_WRITE)};
  rp_gpu_dispatch(l, &rp_kernels_bucket_accumulate_gpu[curve], rp_gpu_groups(segments, RP_GPU_ACCUMULATE_BLOCK), 1, &a,
                  binds);
  rp_gpu_dispatch(l, &rp_kernels_bucket_pair[curve], rp_gpu_groups(segments, RP_GPU_ACCUMULATE_BLOCK), 1, &a,
                  (rp_bind[]){binds[0], absent, absent, RP_BIND(sums, RP_WRITE), RP_BIND(partials, RP_READ),
                              RP_BIND(slot_rows, RP_READ_WRITE)});
  for (bool last = 0; !last;) {
    const uint32_t groups = rp_gpu_groups(slots, workers * RP_GPU_COMBINE_SLOTS);
    last = groups == 1;
    const struct rp_gpu_combine_args c = {.slots = (uint32_t)slots, .last = (uint32_t)last};
    const rp_value next = last ? RP_NO_VALUE : rp_lower_scratch(l, "partials", acc, 2 * (uint64_t)groups);
    const rp_value next_rows =
        last ? RP_NO_VALUE : rp_lower_scratch(l, "slot_rows", &RP_TYPE_U32, 2 * (uint64_t)groups);
    rp_gpu_dispatch(l, &rp_kernels_bucket_combine[curve], groups, 1, &c,
                    (rp_bind[]){RP_BIND(partials, RP_READ), RP_BIND(slot_rows, RP_READ), RP_BIND(sums, RP_WRITE),
                                rp_bind_optional(next, RP_WRITE), rp_bind_optional(next_rows, RP_WRITE)});
    partials = next, slot_rows = next_rows, slots = 2 * (uint64_t)groups;
  }
  return RP_OK;
}
