/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Fill, and exclusive prefix sum of u32 in three launches (ops/vector/scan_gpu.c).
 */
#include "kernel/kernel.glsl"

#include "vector/scan_gpu_args.h"

#define ITEMS RP_GPU_SCAN_ITEMS

#ifdef ENTRY_fill
RP_ARGS(rp_gpu_fill_args)
void main() {
  for (uint i = INDEX; i < k.n; i += n_groups * THREADS) store_u32(k.out, i, k.value);
}
#else
RP_ARGS(rp_gpu_scan_args)

/* The sum of x over the threads before this one; `total` gets the sum over all. All threads of the workgroup call
 * together. Steps take turns with the halves of the array. */
shared uint sums[2 * gl_WorkGroupSize.x];
uint group_scan(uint x, inout uint total) {
  uint half_at = 0, sum = x;
  sums[THREAD] = x;
  barrier();
  for (uint d = 1; d < THREADS; d *= 2) {
    if (THREAD >= d) sum += sums[half_at + THREAD - d];
    half_at = THREADS - half_at;
    sums[half_at + THREAD] = sum;
    barrier();
  }
  total = sums[half_at + THREADS - 1];
  barrier();
  return sum - x;
}
#endif

#ifdef ENTRY_scan_sums
void main() {
  uint first = GROUP * THREADS * ITEMS + THREAD, sum = 0, total = 0;
  for (uint j = 0; j < ITEMS; j++, first += THREADS)
    if (first < k.n) sum += load_u32(k.in, first);
  group_scan(sum, total);
  if (THREAD == 0) store_u32(k.block_sums, GROUP, total);
}
#endif

#ifdef ENTRY_scan_blocks
void main() {
  uint carry = 0, total = 0;
  for (uint first = 0; first < k.blocks; first += THREADS) {
    const uint i = first + THREAD, x = i < k.blocks ? load_u32(k.block_sums, i) : 0;
    const uint before = group_scan(x, total);
    if (i < k.blocks) store_u32(k.block_sums, i, carry + before);
    carry += total;
  }
  if (THREAD == 0) store_u32(k.out, k.n, carry);
}
#endif

#ifdef ENTRY_scan_apply
void main() {
  uint carry = load_u32(k.block_sums, GROUP), total = 0;
  for (uint j = 0; j < ITEMS; j++) {
    const uint i = (GROUP * ITEMS + j) * THREADS + THREAD;
    const uint before = carry + group_scan(i < k.n ? load_u32(k.in, i) : 0, total);
    if (i < k.n) {
      store_u32(k.out, i, before);
      store_u32(k.copy, i, before);
    }
    carry += total;
  }
}
#endif
