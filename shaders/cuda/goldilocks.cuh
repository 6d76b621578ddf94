/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The field of p = 2^64 - 2^32 + 1 in canonical form, with the same functions as fp.cuh.
 */
#ifndef REPRISE_CUDA_GOLDILOCKS_CUH
#define REPRISE_CUDA_GOLDILOCKS_CUH

#include "carry.cuh"
#include "field_params.h"

#define FP_N 2
#define GOLDILOCKS_P 0xffffffff00000001ull
#define GOLDILOCKS_EPSILON 0xffffffffull /* 2^64 mod p */

struct alignas(8) fp {
  uint64_t v;
};

RP_DEV fp fp_zero() { return fp{0}; }
RP_DEV fp fp_one() { return fp{1}; }
RP_DEV bool fp_is_zero(const fp &a) { return a.v == 0; }
RP_DEV bool fp_equal(const fp &a, const fp &b) { return a.v == b.v; }
RP_DEV fp fp_select(bool take, const fp &a, const fp &b) { return fp{take ? b.v : a.v}; }

RP_DEV fp fp_add(const fp &a, const fp &b) {
  uint64_t s = a.v + b.v;
  bool over = s < a.v || s >= GOLDILOCKS_P;
  return fp{over ? s - GOLDILOCKS_P : s}; /* modulo 2^64 */
}

RP_DEV fp fp_sub(const fp &a, const fp &b) { return fp{a.v - b.v + (a.v < b.v ? GOLDILOCKS_P : 0)}; }
RP_DEV fp fp_neg(const fp &a) { return fp{a.v ? GOLDILOCKS_P - a.v : 0}; }
RP_DEV fp fp_dbl(const fp &a) { return fp_add(a, a); }

/* 2^64 = 2^32 - 1 and 2^96 = -1 modulo p. */
RP_DEV fp fp_mul(const fp &a, const fp &b) {
  const uint32_t a0 = (uint32_t)a.v, a1 = (uint32_t)(a.v >> 32), b0 = (uint32_t)b.v, b1 = (uint32_t)(b.v >> 32);
  const uint64_t low = (uint64_t)a0 * b0, mid = (uint64_t)a0 * b1 + (low >> 32), cross = (uint64_t)a1 * b0 + (uint32_t)mid;
  const uint64_t lo = cross << 32 | (uint32_t)low, hi = (uint64_t)a1 * b1 + (mid >> 32) + (cross >> 32);
  uint64_t top = hi >> 32, t = lo - top;
  if (lo < top) t -= GOLDILOCKS_EPSILON;
  uint64_t middle = (uint32_t)hi * GOLDILOCKS_EPSILON, r = t + middle;
  if (r < middle) r += GOLDILOCKS_EPSILON;
  return fp{r >= GOLDILOCKS_P ? r - GOLDILOCKS_P : r};
}

RP_DEV fp fp_sqr(const fp &a) { return fp_mul(a, a); }

#endif
