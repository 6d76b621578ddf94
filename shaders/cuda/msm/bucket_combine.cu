/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Joins the pieces of rows that are cut into many: each worker sums a few slots in turn, and a segmented tree over
 * the workers follows. Most slots are empty, and for a heavy row the chain of additions determines the time, so each
 * worker is a quad of lanes. Of the rows in its slots, a worker or a block stores the sums of those that are complete,
 * and keeps at most two partial sums: of the first row, which may have begun before, and of the last, which may go on.
 */
#define RP_CUDA_SMALL_CODE
#include "kernel/kernel.cuh"

#include "msm/bucket_combine_gpu_args.h"
#include "arith/quad.cuh"

#define WORKERS RP_GPU_COMBINE_WORKERS
#define EMPTY 0xffffffffu

struct span {
  acc left, right; /* partial sums of the first and of the last row; if they are the same row, left holds it */
  uint32_t left_row, right_row;
};

static __device__ __forceinline__ bool is_lead() { return threadIdx.x % 4 == 0; }

static __device__ __forceinline__ void store(void *sums, uint32_t row, const acc &sum) {
  if (is_lead()) acc_store(sums, row, sum);
}

/* *a becomes the span of *a followed by *b, which must follow it in the order of slots. Rows that lie between the first
 * and the last one are complete, and their sums are stored. */
static __device__ void join(span *a, const span *b, void *sums) {
  if (b->left_row == EMPTY) return;
  if (a->left_row == EMPTY) {
    *a = *b;
    return;
  }
  const bool a_single = a->left_row == a->right_row, b_single = b->left_row == b->right_row;
  if (a->right_row == b->left_row) {
    quad_add(a_single ? &a->left : &a->right, &b->left);
    if (b_single) return;
    if (!a_single) store(sums, a->right_row, a->right);
  } else {
    if (!a_single) store(sums, a->right_row, a->right);
    if (!b_single) store(sums, b->left_row, b->left);
  }
  a->right = b_single ? b->left : b->right;
  a->right_row = b->right_row;
}

extern "C" __global__ void __launch_bounds__(4 * WORKERS) bucket_combine(const rp_gpu_combine_args k) {
  extern __shared__ uint4 shared[];
  span *spans = (span *)shared, s;
  const uint32_t worker = threadIdx.x / 4, first = (blockIdx.x * WORKERS + worker) * RP_GPU_COMBINE_SLOTS;
  s.left_row = s.right_row = EMPTY;
#pragma unroll 1
  for (uint32_t j = 0; j < RP_GPU_COMBINE_SLOTS && first + j < k.slots; j++) {
    span one;
    one.left_row = one.right_row = k.slot_rows[first + j];
    if (one.left_row == EMPTY) continue;
    one.left = acc_load(k.partials, first + j);
    join(&s, &one, k.sums);
  }
  if (__syncthreads_or(s.left_row != EMPTY))
    for (uint32_t d = 1; d < WORKERS; d *= 2) {
      /* Workers at odd multiples of d hand their spans to the workers d to the left. */
      if (is_lead() && (worker & (2 * d - 1)) == d) spans[worker / (2 * d)] = s;
      __syncthreads();
      if ((worker & (2 * d - 1)) == 0) join(&s, &spans[worker / (2 * d)], k.sums);
      __syncthreads();
    }
  if (threadIdx.x) return;
  const bool single = s.left_row == s.right_row;
  if (k.last) {
    if (s.left_row == EMPTY) return;
    acc_store(k.sums, s.left_row, s.left);
    if (!single) acc_store(k.sums, s.right_row, s.right);
    return;
  }
  k.next_slot_rows[2 * blockIdx.x] = s.left_row;
  k.next_slot_rows[2 * blockIdx.x + 1] = single ? EMPTY : s.right_row;
  if (s.left_row == EMPTY) return;
  acc_store(k.next_partials, 2 * blockIdx.x, s.left);
  if (!single) acc_store(k.next_partials, 2 * blockIdx.x + 1, s.right);
}
