/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Kernel arguments of bucket accumulation on GPUs. Rows in many pieces are then put together
 * (bucket_combine_gpu_args.h).
 */
#ifndef REPRISE_ARGS_BUCKET_ACCUMULATE_GPU_ARGS_H
#define REPRISE_ARGS_BUCKET_ACCUMULATE_GPU_ARGS_H

/* Level 0: threads are segments of equal numbers of entries. A row inside one segment is finished; a row that crosses a
 * border leaves a partial sum in slot 2t (it began before) or 2t + 1 (it goes on). The segment length is
 * max(min_segment, entries / segments rounded up), known on the device alone. Rows over a few segments are then summed
 * by the thread of the first; what is left for the tree are heavy rows. */
struct rp_gpu_accumulate_args {
  RP_ADDR(const uint32_t) row_ptr;
  RP_ADDR(const uint32_t) entries;
  RP_ADDR(const void) points;
  RP_ADDR(void) sums;
  RP_ADDR(void) partials;      /* accumulator [2 * segments] */
  RP_ADDR(uint32_t) slot_rows; /* [2 * segments], UINT32_MAX: empty */
  uint32_t rows, segments, min_segment, points_n;
};
RP_ARGS_SIZE(struct rp_gpu_accumulate_args, 64);
#define RP_GPU_PAIR_SEGMENTS 8      /* more of them are left to the tree */
#define RP_GPU_ACCUMULATE_BLOCK 128 /* threads */
#define RP_GPU_CLEAR_BLOCK 256

#endif
