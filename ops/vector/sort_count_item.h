/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * How often each digit occurs in a block of keys (ops/vector/sort_gpu.c), on GPUs (shaders/cuda/kernel/item.cuh). There
 * is one thread per digit.
 */
RP_GROUP_ARRAY(uint32_t, counts, THREADS_sort_count);

RP_GROUP_ITEM(sort_count, rp_gpu_sort_args) {
  counts[THREAD] = 0;
  barrier();
  const uint32_t first = GROUP * RP_GPU_SORT_ITEMS * THREADS_sort_count + THREAD, mask = (1u << k.bits) - 1;
  for (uint32_t j = 0; j < RP_GPU_SORT_ITEMS; j++) {
    const uint32_t i = j * THREADS_sort_count;
    if (first + i < k.n) shared_add(counts[load_u32(at(k.keys, first, 4), i) >> k.shift & mask], 1u);
  }
  barrier();
  if (THREAD >> k.bits == 0) store_u32(k.counts, THREAD * k.blocks + GROUP, counts[THREAD]);
}
