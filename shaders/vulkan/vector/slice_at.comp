/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Slices whose ends are computed.
 */
#include "kernel/kernel.glsl"

#include "vector/slice_at_args.h"
#include "kernel/fault.glsl"

RP_ARGS(rp_slice_at_args)
void main() {
  const uint i = INDEX, first = k.has_first != 0 ? load_u32(k.first, 0) : 0;
  const uint count = k.has_count != 0 ? load_u32(k.count, 0) : k.n;
  if (i >= k.n) return;
  if (count > k.n || first > k.len || count > k.len - first) {
    if (i == 0) rp_fault(k.error, RP_FAULT_INDEX, k.site, 0);
    return;
  }
  const bool there = i < count;
  const addr src = at(k.x, there ? first + i : 0, k.size_bytes), dst = at(k.out, i, k.size_bytes);
  if (k.size_bytes % 8 == 0)
    for (uint j = 0; j < k.size_bytes; j += 8)
      rp_u64(at(dst, j, 1)).v[0] = there ? rp_u64(at(src, j, 1)).v[0] : uvec2(0);
  else
    for (uint j = 0; j < k.size_bytes; j++) rp_u8(at(dst, j, 1)).v[0] = there ? rp_u8(at(src, j, 1)).v[0] : uint8_t(0);
}
