/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The field of p = 2^64 - 2^32 + 1 in canonical form, with the same functions as fp.glsl.
 */
#ifndef REPRISE_VULKAN_GOLDILOCKS_GLSL
#define REPRISE_VULKAN_GOLDILOCKS_GLSL

#define FP_N 2
#define GOLDILOCKS_P 0xffffffff00000001ul
#define GOLDILOCKS_EPSILON 0xfffffffful /* 2^64 mod p */

struct fp {
  uint v[2];
};

uint64_t fp_word(fp a) { return packUint2x32(uvec2(a.v[0], a.v[1])); }
fp fp_of(uint64_t x) { return fp(uint[2](uint(x), uint(x >> 32))); }

fp fp_zero() { return fp_of(0); }
fp fp_one() { return fp_of(1); }
bool fp_is_zero(fp a) { return (a.v[0] | a.v[1]) == 0; }
bool fp_equal(fp a, fp b) { return fp_word(a) == fp_word(b); }
fp fp_select(bool take, fp a, fp b) { return fp_of(take ? fp_word(b) : fp_word(a)); }

fp fp_add(fp a, fp b) {
  const uint64_t s = fp_word(a) + fp_word(b);
  const bool over = s < fp_word(a) || s >= GOLDILOCKS_P;
  return fp_of(over ? s - GOLDILOCKS_P : s); /* modulo 2^64 */
}

fp fp_sub(fp a, fp b) {
  const uint64_t x = fp_word(a), y = fp_word(b);
  return fp_of(x - y + (x < y ? GOLDILOCKS_P : 0ul));
}

/* lo + 2^64 hi: 2^64 = 2^32 - 1 and 2^96 = -1 modulo p. */
fp fp_of_wide(uint64_t lo, uint64_t hi) {
  const uint64_t top = hi >> 32;
  uint64_t t = lo - top;
  if (lo < top) t -= GOLDILOCKS_EPSILON;
  const uint64_t middle = uint(hi) * GOLDILOCKS_EPSILON;
  uint64_t r = t + middle;
  if (r < middle) r += GOLDILOCKS_EPSILON;
  return fp_of(r >= GOLDILOCKS_P ? r - GOLDILOCKS_P : r);
}

fp fp_mul(fp a, fp b) {
  const uint64_t low = uint64_t(a.v[0]) * b.v[0], high = uint64_t(a.v[1]) * b.v[1];
  const uint64_t cross = uint64_t(a.v[0]) * b.v[1] + (low >> 32), other = uint64_t(a.v[1]) * b.v[0] + uint(cross);
  return fp_of_wide(other << 32 | uint(low), high + (cross >> 32) + (other >> 32));
}

#endif
