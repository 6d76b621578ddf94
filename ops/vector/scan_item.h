/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * fill, and the prefix sum of u32 in three launches (ops/vector/scan_gpu.c), on GPUs (shaders/cuda/kernel/item.cuh).
 */
#ifdef ENTRY_fill
RP_GROUP_ITEM(fill, rp_gpu_fill_args) {
  for (uint32_t i = INDEX; i < k.n; i += GROUPS * THREADS) store_u32(k.out, i, k.value);
}
#endif

#if defined(ENTRY_scan_sums) || defined(ENTRY_scan_blocks) || defined(ENTRY_scan_apply)
#include "kernel/group_sum.h"
#endif

#ifdef ENTRY_scan_sums
RP_GROUP_ITEM(scan_sums, rp_gpu_scan_args) {
  uint32_t first = GROUP * THREADS_scan_sums * RP_GPU_SCAN_ITEMS + THREAD, sum = 0, total = 0;
  for (uint32_t j = 0; j < RP_GPU_SCAN_ITEMS; j++, first += THREADS_scan_sums)
    if (first < k.n) sum += load_u32(k.in, first);
  sum_before(sum, total);
  if (THREAD == 0) store_u32(k.block_sums, GROUP, total);
}
#endif

#ifdef ENTRY_scan_blocks
RP_GROUP_ITEM(scan_blocks, rp_gpu_scan_args) {
  uint32_t carry = 0, total = 0;
  for (uint32_t first = 0; first < k.blocks; first += THREADS) {
    const uint32_t i = first + THREAD, x = i < k.blocks ? load_u32(k.block_sums, i) : 0;
    const uint32_t before = sum_before(x, total);
    if (i < k.blocks) store_u32(k.block_sums, i, carry + before);
    carry += total;
  }
  if (THREAD == 0) store_u32(k.out, k.n, carry);
}
#endif

#ifdef ENTRY_scan_apply
RP_GROUP_ITEM(scan_apply, rp_gpu_scan_args) {
  uint32_t carry = load_u32(k.block_sums, GROUP), total = 0;
  for (uint32_t j = 0; j < RP_GPU_SCAN_ITEMS; j++) {
    const uint32_t i = (GROUP * RP_GPU_SCAN_ITEMS + j) * THREADS_scan_apply + THREAD;
    const uint32_t before = carry + sum_before(i < k.n ? load_u32(k.in, i) : 0, total);
    if (i < k.n) {
      store_u32(k.out, i, before);
      store_u32(k.copy, i, before);
    }
    carry += total;
  }
}
#endif
