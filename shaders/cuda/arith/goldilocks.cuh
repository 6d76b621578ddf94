/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The field of p = 2^64 - 2^32 + 1 in canonical form, with the same functions as fp.cuh.
 */
#ifndef REPRISE_CUDA_GOLDILOCKS_CUH
#define REPRISE_CUDA_GOLDILOCKS_CUH

#include "arith/carry.cuh"
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

RP_DEV uint64_t goldilocks_join(uint32_t lo, uint32_t hi) { return (uint64_t)hi << 32 | lo; }

/* A loose value is any 64-bit integer of its class, not always the one below p. Here and in fp_sub_loose, a may be
 * loose and b must be below p; the result is loose. A carry or borrow is worth 2^32 - 1, and correcting for it never
 * gives another: with a carry the sum is below p - 1, and with a borrow the difference is at least 2^32. */
RP_DEV fp fp_add_loose(const fp &a, const fp &b) {
  uint32_t lo = add_cc((uint32_t)a.v, (uint32_t)b.v), hi = addc_cc((uint32_t)(a.v >> 32), (uint32_t)(b.v >> 32));
  const uint32_t carry = addc(0, 0);
  lo = sub_cc(lo, carry);
  hi = subc(hi, 0 - carry);
  return fp{goldilocks_join(lo, hi)};
}

RP_DEV fp fp_sub_loose(const fp &a, const fp &b) {
  uint32_t lo = sub_cc((uint32_t)a.v, (uint32_t)b.v), hi = subc_cc((uint32_t)(a.v >> 32), (uint32_t)(b.v >> 32));
  const uint32_t borrow = subc(0, 0); /* 2^32 - 1 with a borrow, else 0 */
  lo = sub_cc(lo, borrow);
  hi = subc(hi, 0);
  return fp{goldilocks_join(lo, hi)};
}

/* Reduces a loose value a to the value below p: a >= p if and only if a + 2^32 - 1 carries, and the sum is then a -
 * p. */
RP_DEV fp fp_canonical(const fp &a) {
  const uint32_t lo = add_cc((uint32_t)a.v, (uint32_t)GOLDILOCKS_EPSILON), hi = addc_cc((uint32_t)(a.v >> 32), 0);
  return addc(0, 0) ? fp{goldilocks_join(lo, hi)} : a;
}

/* Takes loose values, returns one below p. 2^64 = 2^32 - 1 and 2^96 = -1 modulo p, so that a product with the words x0
 * to x3 is (x0 + 2^32 x1) - x3 + x2 (2^32 - 1). */
RP_DEV fp fp_mul(const fp &a, const fp &b) {
  const uint32_t a0 = (uint32_t)a.v, a1 = (uint32_t)(a.v >> 32), b0 = (uint32_t)b.v, b1 = (uint32_t)(b.v >> 32);
  const uint64_t low = (uint64_t)a0 * b0, mid = (uint64_t)a0 * b1 + (low >> 32);
  const uint64_t cross = (uint64_t)a1 * b0 + (uint32_t)mid;
  const uint64_t high = (uint64_t)a1 * b1 + (mid >> 32) + (cross >> 32);
  uint32_t lo = sub_cc((uint32_t)low, (uint32_t)(high >> 32)), hi = subc_cc((uint32_t)cross, 0);
  const uint32_t borrow = subc(0, 0);
  lo = sub_cc(lo, borrow);
  hi = subc(hi, 0);
  lo = mad_lo_cc((uint32_t)high, (uint32_t)GOLDILOCKS_EPSILON, lo);
  hi = madc_hi_cc((uint32_t)high, (uint32_t)GOLDILOCKS_EPSILON, hi);
  /* The sum is below 2p. p is subtracted if it carries, or if adding 2^32 - 1 to it carries. */
  const uint32_t carry = addc(0, 0), less_lo = add_cc(lo, (uint32_t)GOLDILOCKS_EPSILON), less_hi = addc_cc(hi, 0);
  return fp{addc(carry, 0) ? goldilocks_join(less_lo, less_hi) : goldilocks_join(lo, hi)};
}

RP_DEV fp fp_sqr(const fp &a) { return fp_mul(a, a); }

#endif
