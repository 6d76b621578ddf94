/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Compressed encodings of affine points (ops/points/compress_args.h). One thread per point.
 */
#include "kernel/kernel.glsl"

#include "kernel/fault.glsl"
#include "points/compress_args.h"

RP_ARGS(rp_compress_args)

/* Whether y > p - y, which is 2 y > p; p is odd. */
bool is_larger(addr y, uint words) {
  if (load_u32(y, words - 1) >> 31 != 0) return true;
  for (uint w = words; w-- > 0;) {
    const uint below = w != 0 ? w - 1 : 0, p = load_u32(k.modulus, w);
    const uint twice = load_u32(y, w) << 1 | (load_u32(y, below) >> 31 & uint(w != 0));
    if (twice != p) return twice > p;
  }
  return false;
}

bool is_zero(addr x, uint words) {
  uint any = 0;
  for (uint w = 0; w < words; w++) any |= load_u32(x, w);
  return any == 0;
}

void main() {
  const uint i = INDEX, words = k.size_words, prefix = k.format == RP_COMPRESS_SEC1 ? 1 : 0;
  if (i >= k.n) return;
  const addr x = at(k.in, i, 8 * words), y = at(x, words, 4), to = at(k.out, i, 4 * words + prefix);
  const bool infinite = is_zero(x, 2 * words), larger = is_larger(y, words);
  const bool minus = k.format == RP_COMPRESS_VERKLE && !larger && !is_zero(x, words);
  uint borrow = 0;
  if (prefix != 0) rp_u8(to).v[0] = uint8_t(2 + (load_u32(y, 0) & 1));
  if (prefix != 0 && infinite) rp_fault(k.error, RP_FAULT_ENCODING, k.site, i);
  for (uint w = 0; w < words; w++) {
    const uint of_x = load_u32(x, w);
    uint v = of_x;
    if (minus) {
      const uint p = load_u32(k.modulus, w);
      v = p - of_x - borrow;
      borrow = p < of_x || (p == of_x && borrow != 0) ? 1 : 0;
    }
    if (w + 1 == words) v |= RP_COMPRESS_FLAGS(k.format, infinite, larger) << 24;
    for (uint b = 0; b < 4; b++) rp_u8(at(to, prefix + 4 * (words - w) - 1 - b, 1)).v[0] = uint8_t(v >> 8 * b & 0xff);
  }
}
