/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The backend's own kernels (bind_args.h).
 */
#include "kernel/kernel.glsl"

#include "bind_args.h"

#ifdef ENTRY_bind_copy
RP_ARGS(rp_bind_copy_args)

void move(addr to, addr from, uint words, uint rest) {
  const uint stride = n_groups * THREADS;
  for (uint i = INDEX; i < words; i += stride) rp_u128(at(to, i, 16)).v[0] = rp_u128(at(from, i, 16)).v[0];
  to = at(to, words, 16), from = at(from, words, 16);
  for (uint i = INDEX; i < rest; i += stride) rp_u8(at(to, i, 1)).v[0] = rp_u8(at(from, i, 1)).v[0];
}

void main() {
  if (k.is_output != 0 && load_u32(k.record, 0) != 0) return;
  const uvec2 caller = rp_u64(k.word).v[0];
  if ((caller.x | caller.y) == 0) return;
  const addr other = address_of(caller);
  const addr to = k.is_output != 0 ? other : k.value, from = k.is_output != 0 ? k.value : other;
  if (((low_word(to) | low_word(from)) & 15) == 0) {
    move(to, from, k.bytes_hi << 28 | k.bytes_lo >> 4, k.bytes_lo & 15);
    return;
  }
  const uint part = 1u << 31, parts = k.bytes_hi << 1 | k.bytes_lo >> 31;
  for (uint i = 0; i < parts; i++) move(at(to, i, part), at(from, i, part), 0, part);
  move(at(to, parts, part), at(from, parts, part), 0, k.bytes_lo & part - 1);
}
#endif

#ifdef ENTRY_guard
RP_ARGS(rp_guard_args)

void main() {
  bool runs = (load_u32(k.condition, 0) != 0) == (k.when != 0);
  if (k.has_around != 0) runs = runs && load_u32(k.around, 0) != 0;
  for (uint i = INDEX; i < k.n; i += n_groups * THREADS)
    rp_u32(at(k.commands, i, 4)).v[0] = runs ? rp_u32(at(k.sizes, i, 4)).v[0] : 0;
  if (INDEX == 0) rp_u32(at(k.guard, 0, 4)).v[0] = runs ? 1 : 0;
}
#endif
