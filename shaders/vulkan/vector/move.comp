/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Moving elements of any type.
 */
#include "kernel/kernel.glsl"

#include "vector/move_args.h"
#include "kernel/fault.glsl"

/* The number of whole 16-byte words in n elements; 0 if `addresses`, the low words joined by or, is not a multiple of
 * 16. A value has at most 2^32 bytes. */
uint words_of(uint n, uint size_bytes, uint addresses) {
  uint high, low;
  umulExtended(n, size_bytes, high, low);
  return (addresses & 15) == 0 ? high << 28 | low >> 4 : 0;
}

/* bytes_behind: the number of bytes after the last whole word, fewer than 2^32. rounds_of: how many of them, `stride`
 * apart, belong to thread i. */
uint bytes_behind(uint words, uint n, uint size_bytes) { return words == 0 ? n * size_bytes : n * size_bytes % 16; }
uint rounds_of(uint n, uint i, uint stride) { return i < n ? (n - 1 - i) / stride + 1 : 0; }

/* One thread per element would scatter the accesses; the grid goes over the bytes instead. */
void copy_bytes(addr dst, addr src, uint n, uint size_bytes, uint index, uint stride) {
  const uint words = words_of(n, size_bytes, low_word(dst) | low_word(src));
  uint i = index;
  for (; i < words; i += stride) rp_u128(at(dst, i, 16)).v[0] = rp_u128(at(src, i, 16)).v[0];
  const addr to = at(dst, words, 16), from = at(src, words, 16);
  i = index;
  for (uint rounds = rounds_of(bytes_behind(words, n, size_bytes), i, stride); rounds != 0; rounds--, i += stride)
    rp_u8(at(to, i, 1)).v[0] = rp_u8(at(from, i, 1)).v[0];
}

#ifdef ENTRY_copy
RP_ARGS(rp_copy_args)
void main() { copy_bytes(k.out, k.in, k.n, k.size_bytes, INDEX, n_groups * THREADS); }
#endif

#ifdef ENTRY_select_elements
RP_ARGS(rp_select_args)
void main() {
  const bool first = load_u32(k.condition, 0) != 0;
  copy_bytes(k.out, first ? k.a : k.b, k.n, k.size_bytes, INDEX, n_groups * THREADS);
}
#endif

#ifdef ENTRY_zero
RP_ARGS(rp_zero_args)
void main() {
  const uint stride = n_groups * THREADS, words = words_of(k.n, k.size_bytes, low_word(k.out));
  uint i = INDEX;
  for (; i < words; i += stride) rp_u128(at(k.out, i, 16)).v[0] = uvec4(0);
  const addr to = at(k.out, words, 16);
  i = INDEX;
  for (uint rounds = rounds_of(bytes_behind(words, k.n, k.size_bytes), i, stride); rounds != 0; rounds--, i += stride)
    rp_u8(at(to, i, 1)).v[0] = uint8_t(0);
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
  const addr src = at(k.x, from, k.size_bytes), dst = at(k.out, i, k.size_bytes);
  if (k.size_bytes % 8 == 0)
    for (uint j = 0; j < k.size_bytes; j += 8) rp_u64(at(dst, j, 1)).v[0] = rp_u64(at(src, j, 1)).v[0];
  else
    for (uint j = 0; j < k.size_bytes; j++) rp_u8(at(dst, j, 1)).v[0] = rp_u8(at(src, j, 1)).v[0];
}
#endif
