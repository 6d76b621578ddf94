/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Kernel arguments of bucket accumulation on GPUs. bucket_combine_gpu_args.h then adds the rows that have many pieces.
 */
#ifndef REPRISE_ARGS_BUCKET_ACCUMULATE_GPU_ARGS_H
#define REPRISE_ARGS_BUCKET_ACCUMULATE_GPU_ARGS_H

/* One thread per segment; segments have equal numbers of entries. The thread finishes the rows that lie inside its
 * segment t. A row that crosses a border leaves a partial sum in slot 2t (it began before the segment) or 2t + 1 (it
 * continues after it). The segment length is max(min_segment, entries / segments rounded up), known only on the device.
 * bucket_pair then adds up the rows that cross a few segments, in the thread of the first one; only heavier rows are
 * left for bucket_combine. The first row may begin at any entry: the rows may be a range of those of a matrix. */
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
#define RP_GPU_CLEAR_BLOCK 256

#endif
