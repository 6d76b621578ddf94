/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Integers to bytes and back (ops/vector/bytes_args.h): one thread per word.
 */
#include "kernel/kernel.glsl"

#include "vector/bytes_args.h"

#ifdef ENTRY_to_bytes
RP_ARGS(rp_to_bytes_args)

uint bytes_reversed(uint x) {
  x = (x & 0x00ff00ff) << 8 | (x >> 8 & 0x00ff00ff);
  return x << 16 | x >> 16;
}

void main() {
  const uint i = INDEX;
  if (i >= k.n) return;
  if (k.size_words == 0) {
    store_u32(k.out, i, load_u32(k.in, i));
    return;
  }
  const uint word = i % k.size_words;
  store_u32(k.out, i, bytes_reversed(load_u32(k.in, i - word + (k.size_words - 1 - word))));
}
#endif

#ifdef ENTRY_from_bytes
RP_ARGS(rp_from_bytes_args)

void main() {
  const uint i = INDEX;
  if (i >= k.n) return;
  const uint word = i % k.size_words;
  const addr row = at(k.in, i / k.size_words, k.row_bytes);
  uint x = 0;
  [[unroll]] for (uint b = 0; b < 4; b++) {
    const uint place = k.skip_bytes + 4 * word + b; /* skip_bytes is below 2^29 */
    const addr byte = at(row, RP_BYTE_OF_ROW(place, k.row_bytes, k.big_endian), 1);
    if (place < k.row_bytes) x |= uint(rp_u8(byte).v[0]) << 8 * b;
  }
  store_u32(k.out, i, x & RP_WORD_MASK(word, k.bits));
}
#endif
