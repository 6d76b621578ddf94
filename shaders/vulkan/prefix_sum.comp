/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Exclusive prefix sum of u32 with sums of 64 bits, so that a total that does not fit is seen (ops/args/scan.h).
 */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "kernel.glsl"

#include "args/scan.h"
#include "fault.glsl"

uint64_t load_u64(uint64_t array, uint i) { return packUint2x32(rp_u64(array + 8ul * i).v[0]); }
void store_u64(uint64_t array, uint i, uint64_t x) { rp_u64(array + 8ul * i).v[0] = unpackUint2x32(x); }

/* The threads' sum before this one's; `total` gets that of all. Two halves of the array take turns. */
shared uint64_t sums[2 * gl_WorkGroupSize.x];
uint64_t sum_before(uint64_t x, inout uint64_t total) {
  uint half_at = 0;
  uint64_t sum = x;
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

#ifdef ENTRY_block_sums_u32
RP_ARGS(rp_block_sums_args)
void main() {
  const uint first = GROUP * k.block, n = min(k.n - first, k.block);
  uint64_t sum = 0, total = 0;
  for (uint i = THREAD; i < n; i += THREADS) sum += load_u32(k.in, first + i);
  sum_before(sum, total);
  if (THREAD == 0) store_u64(k.sums, GROUP, total);
}
#endif

#ifdef ENTRY_scan_u64
/* One workgroup: a sum for each of thousands of elements. */
RP_ARGS(rp_scan_sums_args)
void main() {
  uint64_t carry = 0, total = 0;
  for (uint first = 0; first < k.n; first += THREADS) {
    const uint i = first + THREAD;
    const uint64_t before = sum_before(i < k.n ? load_u64(k.sums, i) : 0, total);
    if (i < k.n) store_u64(k.sums, i, carry + before);
    carry += total;
  }
}
#endif

#ifdef ENTRY_offset_scan_u32
RP_ARGS(rp_offset_scan_args)
void main() {
  const uint first = GROUP * k.block, n = min(k.n - first, k.block);
  uint64_t carry = load_u64(k.sums, GROUP), total = 0;
  for (uint row = 0; row < n; row += THREADS) {
    const uint i = first + row + THREAD;
    const bool valid = row + THREAD < n;
    const uint x = valid ? load_u32(k.in, i) : 0;
    const uint64_t before = carry + sum_before(x, total);
    if (x > k.most) rp_fault(k.error, RP_FAULT_INDEX, k.site, i);
    if (valid) store_u32(k.out, i, uint(before));
    carry += total;
  }
  if (first + n < k.n || THREAD != 0) return;
  store_u32(k.out, k.n, uint(carry));
  if (carry >> 32 != 0) rp_fault(k.error, RP_FAULT_INDEX, k.site, k.n);
}
#endif
