/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Counts, then writes, the entries of a bucket matrix whose points are in the bitmap `support`, row by row. Threads
 * take equal shares of the entries, so that a full row costs no more than others.
 */
#include "kernel/kernel.cuh"

#include "msm/bucket_filter_gpu_args.h"
#include "kernel/rows.cuh"

template <bool WRITE> static __device__ void filter(const rp_gpu_filter_args &k) {
  const uint32_t entries = k.row_ptr[k.rows], threads = gridDim.x * blockDim.x;
  const uint32_t cut = entries / threads + 1, id = blockIdx.x * blockDim.x + threadIdx.x;
  uint64_t first = (uint64_t)id * cut;
  if (first >= entries) return;
  uint32_t end = first + cut < entries ? (uint32_t)first + cut : entries;
  uint32_t row = row_of(k.row_ptr, k.rows, (uint32_t)first);
  for (uint32_t i = (uint32_t)first; i < end;) {
    uint32_t stop = k.row_ptr[row + 1] < end ? k.row_ptr[row + 1] : end, kept = 0;
    for (uint32_t j = i; j < stop; j++) {
      uint32_t point = (k.entries[j] >> 1) % k.n;
      kept += k.support[point / 32] >> point % 32 & 1;
    }
    if (kept) {
      uint32_t base = atomicAdd(&k.counters[row], kept);
      for (uint32_t j = i; WRITE && j < stop; j++) {
        uint32_t entry = k.entries[j], point = (entry >> 1) % k.n;
        if (k.support[point / 32] >> point % 32 & 1) k.out_entries[base++] = entry;
      }
    }
    i = stop;
    if (i < end) row = row_after(k.row_ptr, k.rows, row, i);
  }
}

extern "C" __global__ void __launch_bounds__(RP_GPU_FILTER_BLOCK) filter_count(const rp_gpu_filter_args k) {
  filter<false>(k);
}
extern "C" __global__ void __launch_bounds__(RP_GPU_FILTER_BLOCK) filter_write(const rp_gpu_filter_args k) {
  filter<true>(k);
}
