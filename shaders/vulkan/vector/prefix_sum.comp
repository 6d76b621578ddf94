/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Exclusive prefix sum of u32 with sums of 64 bits, so that a total that does not fit in 32 bits is noticed
 * (ops/vector/prefix_sum.c).
 */
#include "kernel/kernel.glsl"

#include "vector/prefix_sum_args.h"
#include "kernel/fault.glsl"

uvec2 add(uvec2 a, uvec2 b) {
  a.x += b.x;
  a.y += b.y + uint(a.x < b.x);
  return a;
}

/* The sum of x over the threads before this one; `total` gets the sum over all. All threads of the workgroup call
 * together. Steps take turns with the halves of the array. */
shared uvec2 sums[2 * gl_WorkGroupSize.x];
uvec2 sum_before(uvec2 x, inout uvec2 total) {
  uint half_at = 0;
  uvec2 before = uvec2(0);
  sums[THREAD] = x;
  barrier();
  for (uint d = 1; d < THREADS; d *= 2) {
    if (THREAD >= d) before = add(before, sums[half_at + THREAD - d]);
    half_at = THREADS - half_at;
    sums[half_at + THREAD] = add(before, x);
    barrier();
  }
  total = sums[half_at + THREADS - 1];
  barrier();
  return before;
}

#ifdef ENTRY_block_sums_u32
RP_ARGS(rp_block_sums_args)
void main() {
  const uint first = GROUP * k.block, n = min(k.n - first, k.block);
  uvec2 sum = uvec2(0), total = uvec2(0);
  for (uint i = THREAD; i < n; i += THREADS) sum = add(sum, uvec2(load_u32(k.in, first + i), 0));
  sum_before(sum, total);
  if (THREAD == 0) rp_u64(at(k.sums, GROUP, 8)).v[0] = total;
}
#endif

#ifdef ENTRY_scan_u64
/* One workgroup is enough: each sum stands for thousands of elements. */
RP_ARGS(rp_scan_sums_args)
void main() {
  uvec2 carry = uvec2(0), total = uvec2(0);
  for (uint first = 0; first < k.n; first += THREADS) {
    const uint i = first + THREAD;
    uvec2 sum = uvec2(0);
    if (i < k.n) sum = rp_u64(at(k.sums, i, 8)).v[0];
    sum = add(carry, sum_before(sum, total));
    if (i < k.n) rp_u64(at(k.sums, i, 8)).v[0] = sum;
    carry = add(carry, total);
  }
}
#endif

#ifdef ENTRY_offset_scan_u32
RP_ARGS(rp_offset_scan_args)
void main() {
  const uint first = GROUP * k.block, n = min(k.n - first, k.block);
  uvec2 carry = rp_u64(at(k.sums, GROUP, 8)).v[0], total = uvec2(0);
  for (uint row = 0; row < n; row += THREADS) {
    const uint i = first + row + THREAD;
    const bool valid = row + THREAD < n;
    const uint x = valid ? load_u32(k.in, i) : 0;
    const uvec2 before = add(carry, sum_before(uvec2(x, 0), total));
    if (x > k.most) rp_fault(k.error, RP_FAULT_INDEX, k.site, i);
    if (valid) store_u32(k.out, i, before.x);
    carry = add(carry, total);
  }
  if (first + n < k.n || THREAD != 0) return;
  store_u32(k.out, k.n, carry.x);
  if (carry.y != 0) rp_fault(k.error, RP_FAULT_INDEX, k.site, k.n);
}
#endif
