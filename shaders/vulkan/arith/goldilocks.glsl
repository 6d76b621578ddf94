/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The field of p = 2^64 - 2^32 + 1 in canonical form, with the same functions as fp.glsl. Modulo 2^64, adding p is
 * subtracting 2^32 - 1, and the other way round. Modulo p, 2^64 = 2^32 - 1 and 2^96 = -1.
 */
#ifndef REPRISE_VULKAN_GOLDILOCKS_GLSL
#define REPRISE_VULKAN_GOLDILOCKS_GLSL

#include "arith/limbs.glsl"

#define FP_N 2

struct fp {
  uint v[2];
};

fp fp_of_u32(uint x) { return fp(uint[2](x, 0)); }
fp fp_zero() { return fp_of_u32(0); }
fp fp_one() { return fp_of_u32(1); }
fp fp_modulus() { return fp(uint[2](1, 0xffffffffu)); }
bool fp_is_zero(fp a) { return (a.v[0] | a.v[1]) == 0; }
bool fp_equal(fp a, fp b) { return a.v[0] == b.v[0] && a.v[1] == b.v[1]; }
fp fp_select(bool take, fp a, fp b) { return fp(uint[2](take ? b.v[0] : a.v[0], take ? b.v[1] : a.v[1])); }

#if RP_INT64
#define GOLDILOCKS_P 0xffffffff00000001ul
#define GOLDILOCKS_EPSILON 0xfffffffful /* 2^64 mod p */

uint64_t fp_word(fp a) { return packUint2x32(uvec2(a.v[0], a.v[1])); }
fp fp_of(uint64_t x) { return fp(uint[2](uint(x), uint(x >> 32))); }

fp fp_add(fp a, fp b) {
  const uint64_t s = fp_word(a) + fp_word(b);
  const bool over = s < fp_word(a) || s >= GOLDILOCKS_P;
  return fp_of(over ? s - GOLDILOCKS_P : s); /* modulo 2^64 */
}

fp fp_sub(fp a, fp b) {
  const uint64_t x = fp_word(a), y = fp_word(b);
  return fp_of(x - y + (x < y ? GOLDILOCKS_P : 0ul));
}

/* w0 + 2^32 w1 + 2^64 w2 + 2^96 w3 */
fp fp_of_words(uint w0, uint w1, uint w2, uint w3) {
  const uint64_t lo = packUint2x32(uvec2(w0, w1));
  uint64_t t = lo - w3;
  if (lo < w3) t -= GOLDILOCKS_EPSILON;
  const uint64_t middle = w2 * GOLDILOCKS_EPSILON;
  uint64_t r = t + middle;
  if (r < middle) r += GOLDILOCKS_EPSILON;
  return fp_of(r >= GOLDILOCKS_P ? r - GOLDILOCKS_P : r);
}
#else
fp fp_add(fp a, fp b) {
  uint x, y, c = 0;
  ADD_CARRY(x, a.v[0], b.v[0], c)
  ADD_CARRY(y, a.v[1], b.v[1], c)
  const bool over = c != 0 || (y == 0xffffffffu && x != 0);
  return over ? fp(uint[2](x - 1, y + uint(x != 0))) : fp(uint[2](x, y));
}

fp fp_sub(fp a, fp b) {
  uint x, y, c = 0;
  SUB_BORROW(x, a.v[0], b.v[0], c)
  SUB_BORROW(y, a.v[1], b.v[1], c)
  return fp(uint[2](x + c, y - (x != 0xffffffffu ? c : 0)));
}

/* w0 + 2^32 w1 + 2^64 w2 + 2^96 w3 */
fp fp_of_words(uint w0, uint w1, uint w2, uint w3) {
  uint x, y, c = 0;
  SUB_BORROW(x, w0, w3, c)
  SUB_BORROW(y, w1, 0, c)
  y -= x != 0xffffffffu ? c : 0;
  x += c;
  c = 0;
  ADD_CARRY(x, x, 0u - w2, c)
  ADD_CARRY(y, y, w2 - uint(w2 != 0), c)
  const bool over = c != 0 || (y == 0xffffffffu && x != 0);
  return over ? fp(uint[2](x - 1, y + uint(x != 0))) : fp(uint[2](x, y));
}
#endif

fp fp_mul(fp a, fp b) {
  uint w[4], c = 0;
  PRODUCT_CARRY(w[0], a.v[0], b.v[0], 0, c)
  PRODUCT_CARRY(w[1], a.v[1], b.v[0], 0, c)
  w[2] = c;
  c = 0;
  PRODUCT_CARRY(w[1], a.v[0], b.v[1], w[1], c)
  PRODUCT_CARRY(w[2], a.v[1], b.v[1], w[2], c)
  return fp_of_words(w[0], w[1], w[2], c);
}

fp fp_sqr(fp a) { return fp_mul(a, a); }

#endif
