/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Exclusive prefix sum of u32, see vector/prefix_sum.c.
 */
#include <reprise/kernel.h>

#include "vector/prefix_sum_args.h"

static uint64_t block_end(uint64_t first, uint32_t block, uint32_t n) { return first + block < n ? first + block : n; }

void rp_cpu_block_sums_u32(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *w) {
  const struct rp_block_sums_args *k = args;
  (void)w;
  for (uint64_t b = begin; b < end; b++) {
    uint64_t first = b * k->block, last = block_end(first, k->block, k->n), sum = 0;
    for (uint64_t i = first; i < last; i++) sum += k->in[i];
    k->sums[b] = sum;
  }
}

void rp_cpu_scan_u64(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *w) {
  const struct rp_scan_sums_args *k = args;
  uint64_t sum = 0;
  (void)w;
  if (begin == end) return;
  for (uint64_t b = 0; b < k->n; b++) {
    uint64_t block = k->sums[b];
    k->sums[b] = sum;
    sum += block;
  }
}

void rp_cpu_offset_scan_u32(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *w) {
  const struct rp_offset_scan_args *k = args;
  (void)w;
  for (uint64_t b = begin; b < end; b++) {
    uint64_t first = b * k->block, last = block_end(first, k->block, k->n), sum = k->sums[b];
    for (uint64_t i = first; i < last; i++) {
      if (k->in[i] > k->most) rp_fault_report(k->error, RP_FAULT_INDEX, k->site, i);
      k->out[i] = (uint32_t)sum;
      sum += k->in[i];
    }
    if (last < k->n) continue;
    k->out[k->n] = (uint32_t)sum;
    if (sum > UINT32_MAX) rp_fault_report(k->error, RP_FAULT_INDEX, k->site, k->n);
  }
}
