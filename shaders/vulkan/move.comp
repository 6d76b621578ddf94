/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Moving elements of any type.
 */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "kernel.glsl"

#include "args/move.h"
#include "fault.glsl"

/* A thread an element would scatter the accesses; the grid walks the bytes instead. */
#ifdef ENTRY_copy
RP_ARGS(rp_copy_args)
void main() {
  const uint64_t bytes = uint64_t(k.n) * k.size_bytes, stride = uint64_t(n_groups) * THREADS;
  const uint64_t words = ((k.out | k.in) & 15) == 0 ? bytes / 16 : 0;
  for (uint64_t i = INDEX; i < words; i += stride) rp_u128(k.out + 16 * i).v[0] = rp_u128(k.in + 16 * i).v[0];
  for (uint64_t i = words * 16 + INDEX; i < bytes; i += stride) rp_u8(k.out + i).v[0] = rp_u8(k.in + i).v[0];
}
#endif

#ifdef ENTRY_zero
RP_ARGS(rp_zero_args)
void main() {
  const uint64_t bytes = uint64_t(k.n) * k.size_bytes, stride = uint64_t(n_groups) * THREADS;
  const uint64_t words = (k.out & 15) == 0 ? bytes / 16 : 0;
  for (uint64_t i = INDEX; i < words; i += stride) rp_u128(k.out + 16 * i).v[0] = uvec4(0);
  for (uint64_t i = words * 16 + INDEX; i < bytes; i += stride) rp_u8(k.out + i).v[0] = uint8_t(0);
}
#endif

#ifdef ENTRY_gather
RP_ARGS(rp_gather_args)
void main() {
  const uint i = INDEX;
  if (i >= k.n) return;
  const uint from = load_u32(k.index, i);
  if (from >= k.len) {
    rp_fault(k.error, RP_FAULT_INDEX, k.site, i);
    return;
  }
  const uint64_t src = k.x + uint64_t(from) * k.size_bytes, dst = k.out + uint64_t(i) * k.size_bytes;
  if (k.size_bytes % 8 == 0)
    for (uint j = 0; j < k.size_bytes; j += 8) rp_u64(dst + j).v[0] = rp_u64(src + j).v[0];
  else
    for (uint j = 0; j < k.size_bytes; j++) rp_u8(dst + j).v[0] = rp_u8(src + j).v[0];
}
#endif
