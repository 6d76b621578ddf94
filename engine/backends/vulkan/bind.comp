/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The backend's own kernels (bind_args.h).
 */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "kernel.glsl"

#include "bind_args.h"

#ifdef ENTRY_bind_copy
RP_ARGS(rp_bind_copy_args)
void main() {
  const uint64_t caller = packUint2x32(rp_u64(k.word).v[0]);
  if (caller == 0 || (k.is_output != 0 && load_u32(k.record, 0) != 0)) return;
  const uint64_t bytes = packUint2x32(uvec2(k.bytes_lo, k.bytes_hi));
  const uint64_t src = k.is_output != 0 ? k.value : caller, dst = k.is_output != 0 ? caller : k.value;
  const uint64_t wide = ((src | dst) & 15) != 0 ? 0 : bytes / 16, stride = n_groups * THREADS;
  for (uint64_t i = INDEX; i < wide; i += stride) rp_u128(dst + 16 * i).v[0] = rp_u128(src + 16 * i).v[0];
  for (uint64_t i = wide * 16 + INDEX; i < bytes; i += stride) rp_u8(dst + i).v[0] = rp_u8(src + i).v[0];
}
#endif

#ifdef ENTRY_bind_count
RP_ARGS(rp_bind_count_args)
void main() {
  store_u32(k.command, 0, min(load_u32(k.counter, 0), k.bound));
  store_u32(k.command, 1, k.y);
  store_u32(k.command, 2, k.z);
}
#endif
