/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Bucket accumulation as a segmented sum, after the balanced product of cuZK (ePrint 2022/1321): threads take equal
 * numbers of entries whatever the rows, and the pieces of rows that cross the borders of segments are joined in a tree.
 * Any distribution of scalars costs the same.
 */
#extension GL_KHR_shader_subgroup_basic : require
#include "kernel/kernel.glsl"

#include "msm/bucket_accumulate_gpu_args.h"
#include "arith/curve_small.glsl"
#include "kernel/rows.h"

#define EMPTY 0xffffffffu

RP_ARGS(rp_gpu_accumulate_args)

uint segment_length(uint entries) { return max((entries + k.segments - 1) / k.segments, k.min_segment); }

#ifdef ENTRY_bucket_accumulate
void main() {
  const uint t = INDEX, base = load_u32(k.row_ptr, 0); /* not 0: rows of a range of the matrix */
  const uint entries = load_u32(k.row_ptr, k.rows) - base, length = segment_length(entries);
  if (t < k.segments) store_u32(k.slot_rows, 2 * t, EMPTY);
  if (t < k.segments) store_u32(k.slot_rows, 2 * t + 1, EMPTY);
  uint i = 0, end = 0, row = 0, row_end = 0;
  bool began_before = false;
  if (t < k.segments && t < (entries + length - 1) / length) {
    i = base + t * length;
    end = i + min(length, entries - t * length);
    row = row_of(k.row_ptr, k.rows, i);
    row_end = load_u32(k.row_ptr, row + 1);
    began_before = load_u32(k.row_ptr, row) < i;
  }
  acc sum = acc_zero();
  /* The threads of a subgroup go through the loop together. Without the barriers, those that meet the end of a row may
   * stay apart from the others for good, and part of the subgroup would idle. */
  for (uint step = 0; step < length; step++) {
    const bool live = i < end;
    if (live) {
      const uint entry = load_u32(k.entries, i);
      sum = acc_add_aff(sum, aff_neg_if((entry & 1) != 0, aff_load(k.points, entry >> 1)));
      i++;
    }
    subgroupBarrier();
    if (live && (i == end || i == row_end)) {
      const bool is_whole = !began_before && i == row_end;
      const uint slot = 2 * t + (began_before ? 0 : 1);
      acc_store(is_whole ? k.sums : k.partials, is_whole ? row : slot, sum);
      if (!is_whole) store_u32(k.slot_rows, slot, row);
      if (i < end) {
        row = row_after(k.row_ptr, k.rows, row, i);
        row_end = load_u32(k.row_ptr, row + 1);
        began_before = false;
        sum = acc_zero();
      }
    }
    subgroupBarrier();
  }
}
#endif

#ifdef ENTRY_bucket_pair
/* Joins the pieces of a row that begins in one segment and ends in one of the next few, which is the usual case. They
 * are in the odd slot of the first segment and in the even slots of the others. Heavy rows are left to the tree
 * (bucket_combine). Rows without entries, which bucket_accumulate never visits, get the sum zero. */
void main() {
  const uint t = INDEX, base = load_u32(k.row_ptr, 0);
  for (uint row = t; row < k.rows; row += n_groups * THREADS)
    if (load_u32(k.row_ptr, row) == load_u32(k.row_ptr, row + 1)) acc_store(k.sums, row, acc_zero());
  const uint length = segment_length(load_u32(k.row_ptr, k.rows) - base);
  if (t + 1 >= k.segments) return;
  const uint row = load_u32(k.slot_rows, 2 * t + 1);
  if (row == EMPTY) return;
  const uint last = (load_u32(k.row_ptr, row + 1) - base - 1) / length;
  if (last - t > RP_GPU_PAIR_SEGMENTS) return;
  acc sum = acc_load(k.partials, 2 * t + 1);
  store_u32(k.slot_rows, 2 * t + 1, EMPTY);
  for (uint i = t + 1; i <= last; i++) {
    sum = acc_add_small(sum, acc_load(k.partials, 2 * i));
    store_u32(k.slot_rows, 2 * i, EMPTY);
  }
  acc_store(k.sums, row, sum);
}
#endif
