/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Bucket accumulation as a segmented sum, after the balanced product of cuZK (ePrint 2022/1321): threads take equal
 * numbers of entries whatever the rows, and the pieces of rows that cross the borders of segments are joined in a tree.
 * Any distribution of scalars costs the same.
 */
#include "kernel/kernel.cuh"

#include "msm/bucket_accumulate_gpu_args.h"
#include "msm/bucket_reduce_gpu_args.h"
#include "msm/eisenstein_reduce_gpu_args.h"
#include "msm/eisenstein_grid.h"
#include "arith/curve.cuh"
#include "arith/held.cuh"
#include "kernel/rows.cuh"

#define EMPTY 0xffffffffu

/* The sum of a row so far: in registers, or where these are too few in shared memory. */
#if FE_DEGREE == 1
typedef acc row_sum;
RP_DEV row_sum row_sum_zero() { return acc_zero(); }
RP_DEV void row_sum_add(row_sum &sum, const aff &q) { sum = acc_add_aff(sum, q); }
RP_DEV void row_sum_store(void *array, uint64_t i, const row_sum &sum) { acc_store(array, i, sum); }
#else
static_assert(RP_GPU_ACCUMULATE_BLOCK == HELD_BLOCK, "a thread holds its sum where its index says");
typedef held row_sum;
RP_DEV row_sum row_sum_zero() { return held_zero(); }
RP_DEV void row_sum_add(row_sum &sum, const aff &q) { held_add_aff(sum, q); }
RP_DEV void row_sum_store(void *array, uint64_t i, const row_sum &sum) { acc_store(array, i, held_load(sum)); }
#endif

extern "C" __global__ void __launch_bounds__(RP_GPU_ACCUMULATE_BLOCK)
    bucket_accumulate(const rp_gpu_accumulate_args k) {
  const uint32_t t = blockIdx.x * blockDim.x + threadIdx.x;
  const uint32_t base = k.row_ptr[0], entries = k.row_ptr[k.rows] - base; /* base: rows of a range of the matrix */
  uint32_t length = (entries + k.segments - 1) / k.segments;
  if (length < k.min_segment) length = k.min_segment;
  const uint64_t first = (uint64_t)t * length;
  if (t < k.segments) k.slot_rows[2 * t] = k.slot_rows[2 * t + 1] = EMPTY;
  uint32_t i = 0, end = 0, row = 0, row_end = 0;
  bool began_before = false;
  if (t < k.segments && first < entries) {
    i = base + (uint32_t)first;
    end = first + length < entries ? i + length : base + entries;
    row = row_of(k.row_ptr, k.rows, i);
    row_end = k.row_ptr[row + 1];
    began_before = k.row_ptr[row] < i;
  }
  row_sum sum = row_sum_zero();
  /* The lanes go through the loop together. Without the barriers, those that meet the end of a row would stay apart
   * from the others for good, and half of the warp would idle. */
  for (uint32_t step = 0; step < length; step++) {
    const bool live = i < end;
    if (live) {
      const uint32_t entry = k.entries[i];
      row_sum_add(sum, aff_neg_if(entry & 1, aff_load(k.points, entry >> 1)));
      i++;
    }
    __syncwarp();
    if (live && (i == end || i == row_end)) {
      if (!began_before && i == row_end) {
        row_sum_store(k.sums, row, sum);
      } else {
        const uint32_t slot = 2 * t + !began_before;
        row_sum_store(k.partials, slot, sum);
        k.slot_rows[slot] = row;
      }
      if (i < end) {
        row = row_after(k.row_ptr, k.rows, row, i);
        row_end = k.row_ptr[row + 1];
        began_before = false;
        sum = row_sum_zero();
      }
    }
    __syncwarp();
  }
}

/* Joins the pieces of a row that begins in one segment and ends in one of the next few, which is the usual case. They
 * are in the odd slot of the first segment and in the even slots of the others. Heavy rows are left to the tree
 * (bucket_combine). Rows without entries, which bucket_accumulate never visits, get the sum zero. */
extern "C" __global__ void __launch_bounds__(128) bucket_pair(const rp_gpu_accumulate_args k) {
  const uint32_t t = blockIdx.x * blockDim.x + threadIdx.x;
  for (uint32_t row = t; row < k.rows; row += gridDim.x * blockDim.x)
    if (k.row_ptr[row] == k.row_ptr[row + 1]) acc_store(k.sums, row, acc_zero());
  const uint32_t base = k.row_ptr[0], entries = k.row_ptr[k.rows] - base;
  if (t + 1 >= k.segments) return;
  uint32_t length = (entries + k.segments - 1) / k.segments;
  if (length < k.min_segment) length = k.min_segment;
  const uint32_t row = k.slot_rows[2 * t + 1];
  if (row == EMPTY) return;
  const uint32_t last = (k.row_ptr[row + 1] - base - 1) / length;
  if (last - t > RP_GPU_PAIR_SEGMENTS) return;
  acc sum = acc_load(k.partials, 2 * t + 1);
  k.slot_rows[2 * t + 1] = EMPTY;
  for (uint32_t i = t + 1; i <= last; i++) {
    sum = acc_add(sum, acc_load(k.partials, 2 * i));
    k.slot_rows[2 * i] = EMPTY;
  }
  acc_store(k.sums, row, sum);
}

/* Neighbouring buckets, of which `last` is the index of the last one: *w is the sum of (i + 1) * bucket[i], *sum the
 * plain sum. */
static __device__ __forceinline__ void sum_run(const void *in, uint64_t first, uint32_t last, acc *weighted,
                                               acc *plain) {
  uint32_t i = last;
  acc s = acc_load(in, first + i), w = s;
  while (i--) {
    acc b = acc_load(in, first + i);
    /* s += bucket, then w += s: a loop, so that the code of an addition appears once. */
#pragma unroll 1
    for (int half = 0; half < 2; half++) {
      const acc sum = acc_add(half ? w : s, b);
      if (half)
        w = sum;
      else
        b = s = sum;
    }
  }
  *weighted = w, *plain = s;
}

/* One run per thread. */
extern "C" __global__ void __launch_bounds__(128) bucket_runs(const rp_gpu_reduce_args k) {
  const uint32_t run = blockIdx.x * blockDim.x + threadIdx.x, runs = (k.buckets + k.items - 1) / k.items;
  if (run >= runs) return;
  const uint32_t first = run * k.items;
  const uint32_t last = (k.buckets - first < k.items ? k.buckets - first : k.items) - 1;
  acc w, s;
  sum_run(k.in, (uint64_t)blockIdx.y * k.buckets + first, last, &w, &s);
  const uint64_t out = 2 * ((uint64_t)blockIdx.y * runs + run);
  acc_store(k.out, out, w);
  acc_store(k.out, out + 1, s);
}

#if CURVE_ENDOMORPHISM
/* One run of a row per thread. Neighbouring threads have neighbouring rows, of which the first ones reach the run's
 * columns: so whole warps have nothing to do, rather than lanes of all warps. */
extern "C" __global__ void __launch_bounds__(128) eisenstein_runs(const rp_gpu_eisenstein_args k) {
  const uint32_t row = blockIdx.x * blockDim.x + threadIdx.x, first = blockIdx.y << k.log_run;
  if (row > k.columns) return;
  const uint32_t reach = rp_eisenstein_reach(k.columns, row), most = 1u << k.log_run;
  if (reach <= first) return;
  acc w, s;
  sum_run(k.in, (uint64_t)row * k.columns + first, (reach - first < most ? reach - first : most) - 1, &w, &s);
  const uint64_t out = 2 * ((uint64_t)blockIdx.y * (k.columns + 1) + row);
  acc_store(k.out, out, w);
  acc_store(k.out, out + 1, s);
}
#endif
