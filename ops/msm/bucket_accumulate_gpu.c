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

typedef struct cut {
  uint64_t segments;
  uint32_t least; /* entries of a segment */
} cut;

/* Over an extension field an addition needs most of the registers, so that a multiprocessor holds fewer workgroups at
 * once. More segments than threads at work would only cut rows into more pieces. */
static cut usual_cut(const rp_lower *l, rp_curve curve, uint64_t entries) {
  enum { LEAST = 8, WAVES = 2 };
  const bool few = rp_lower_device(l) != RP_DEVICE_CUDA && rp_field_get(rp_curve_base_field(curve))->degree > 1;
  const uint64_t most = (uint64_t)rp_lower_limits(l)->workers * (few ? 2 : 5) * RP_GPU_ACCUMULATE_BLOCK * WAVES;
  const uint64_t segments = (entries + LEAST - 1) / LEAST;
  return (cut){segments < most ? segments : most, LEAST};
}

/* On CUDA, with coordinates of 32 bytes, a multiprocessor holds four workgroups at once, and all segments take equally
 * long: whole waves leave none idle. A row of m pieces takes m - 1 more additions, of general points and by few lanes
 * of each warp, so there is a second wave only if segments are long even then. */
static cut even_cut(const rp_lower *l, uint64_t entries) {
  enum { SHORT = 8, LONG = 24, AT_ONCE = 4 };
  const uint64_t wave = (uint64_t)rp_lower_limits(l)->workers * AT_ONCE * RP_GPU_ACCUMULATE_BLOCK;
  const uint64_t most = entries / LONG < 2 * wave ? wave : 2 * wave, segments = (entries + SHORT - 1) / SHORT;
  return (cut){segments < most ? segments : most, entries / LONG < wave ? SHORT : LONG};
}

rp_status rp_lower_accumulate_gpu(rp_lower *l, rp_curve curve, rp_value row_ptr, rp_value entries, rp_value points,
                                  rp_value sums) {
  const rp_type *acc = rp_type_accumulator(curve);
  const uint32_t rows = (uint32_t)rp_lower_len(l, sums), cuda = rp_lower_device(l) == RP_DEVICE_CUDA;
  const uint32_t workers = cuda ? RP_GPU_COMBINE_WORKERS : rp_lower_group(l, &rp_kernels_bucket_combine[curve]);
  const rp_field_host *field = rp_field_get(rp_curve_base_field(curve));
  const uint64_t entries_most = rp_lower_len(l, entries);
  const cut c = cuda && field->degree == 1 && field->size_bytes == 32 ? even_cut(l, entries_most)
                                                                      : usual_cut(l, curve, entries_most);
  const uint64_t segments = c.segments;
  const struct rp_gpu_accumulate_args a = {.rows = rows,
                                           .segments = (uint32_t)segments,
                                           .min_segment = c.least,
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
    const struct rp_gpu_combine_args join = {.slots = (uint32_t)slots, .last = (uint32_t)last};
    const rp_value next = last ? RP_NO_VALUE : rp_lower_scratch(l, "partials", acc, 2 * (uint64_t)groups);
    const rp_value next_rows =
        last ? RP_NO_VALUE : rp_lower_scratch(l, "slot_rows", &RP_TYPE_U32, 2 * (uint64_t)groups);
    rp_gpu_dispatch(l, &rp_kernels_bucket_combine[curve], groups, 1, &join,
                    (rp_bind[]){RP_BIND(partials, RP_READ), RP_BIND(slot_rows, RP_READ), RP_BIND(sums, RP_WRITE),
                                rp_bind_optional(next, RP_WRITE), rp_bind_optional(next_rows, RP_WRITE)});
    partials = next, slot_rows = next_rows, slots = 2 * (uint64_t)groups;
  }
  return RP_OK;
}
