/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Joins the pieces of rows that are cut into many. A workgroup takes a run of slots: each thread sums a few in turn,
 * and a segmented tree over the threads follows. Of the rows in its slots, a thread or a workgroup stores the sums of
 * those that are complete, and keeps at most two partial sums: of the first row, which may have begun before, and of
 * the last, which may go on.
 */
#include "kernel/kernel.glsl"

#include "msm/bucket_combine_gpu_args.h"
#include "arith/curve_small.glsl"

#define EMPTY 0xffffffffu

RP_ARGS(rp_gpu_combine_args)

struct span {
  acc left, right; /* partial sums of the first and of the last row; if they are the same row, left holds it */
  uint left_row, right_row;
};

/* a becomes the span of a followed by b, which must follow it in the order of slots. Rows that lie between the first
 * and the last one are complete, and their sums are stored. */
void join(inout span a, span b) {
  if (b.left_row == EMPTY) return;
  if (a.left_row == EMPTY) {
    a = b;
    return;
  }
  const bool a_single = a.left_row == a.right_row, b_single = b.left_row == b.right_row;
  if (a.right_row == b.left_row) {
    acc open = a.right;
    if (a_single) open = a.left;
    open = acc_add_small(open, b.left);
    if (a_single)
      a.left = open;
    else
      a.right = open;
    if (b_single) return;
    if (!a_single) acc_store(k.sums, a.right_row, a.right);
  } else {
    if (!a_single) acc_store(k.sums, a.right_row, a.right);
    if (!b_single) acc_store(k.sums, b.left_row, b.left);
  }
  a.right = b.right;
  if (b_single) a.right = b.left;
  a.right_row = b.right_row;
}

#include "kernel/exchange.glsl"

shared uvec2 exchanged_rows[gl_WorkGroupSize.x];

void main() {
  const uint first = INDEX * RP_GPU_COMBINE_SLOTS;
  span s;
  s.left_row = s.right_row = EMPTY;
  /* First the slots of the thread, then the spans of the threads at a distance of d = 1, 2, 4 ...: threads at odd
   * multiples of d hand theirs to the threads d to the left. */
  for (uint step = 0, d = 1; step < RP_GPU_COMBINE_SLOTS || d < THREADS; step++) {
    span other;
    other.left_row = other.right_row = EMPTY;
    if (step < RP_GPU_COMBINE_SLOTS) {
      if (first + step < k.slots) {
        other.left_row = other.right_row = load_u32(k.slot_rows, first + step);
        if (other.left_row != EMPTY) other.left = acc_load(k.partials, first + step);
      }
    } else {
      const uint from = (THREAD + d) % THREADS;
      exchanged_rows[THREAD] = uvec2(s.left_row, s.right_row);
      other.left = acc_of_thread(s.left, from);
      other.right = acc_of_thread(s.right, from);
      if ((THREAD & (2 * d - 1)) == 0) {
        other.left_row = exchanged_rows[from].x;
        other.right_row = exchanged_rows[from].y;
      }
      barrier();
      d *= 2;
    }
    join(s, other);
  }
  if (THREAD != 0) return;
  const bool single = s.left_row == s.right_row;
  const addr sums = k.last != 0 ? k.sums : k.next_partials;
  if (k.last == 0) {
    store_u32(k.next_slot_rows, 2 * GROUP, s.left_row);
    store_u32(k.next_slot_rows, 2 * GROUP + 1, single ? EMPTY : s.right_row);
  }
  if (s.left_row == EMPTY) return;
  acc_store(sums, k.last != 0 ? s.left_row : 2 * GROUP, s.left);
  if (!single) acc_store(sums, k.last != 0 ? s.right_row : 2 * GROUP + 1, s.right);
}
