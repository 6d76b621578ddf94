/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Prime fields below 2^31 in Montgomery form, R = 2^32, one word per element, with the same functions as fp.cuh. Of x
 * and x - p, the one that did not wrap is the smaller.
 */
#ifndef REPRISE_CUDA_FP_SMALL_CUH
#define REPRISE_CUDA_FP_SMALL_CUH

#include "arith/carry.cuh"
#include "field_params.h"

#define FP_N 1

struct alignas(4) fp {
  uint32_t v[1];
};

RP_DEV constexpr uint32_t fp_p(int i) {
  constexpr uint32_t p[1] = FP_MODULUS_32;
  return p[i];
}

RP_DEV fp fp_zero() { return fp{{0}}; }
RP_DEV fp fp_one() {
  constexpr fp one = FP_ONE_32;
  return one;
}
RP_DEV bool fp_is_zero(const fp &a) { return a.v[0] == 0; }
RP_DEV bool fp_equal(const fp &a, const fp &b) { return a.v[0] == b.v[0]; }
RP_DEV fp fp_select(bool take, const fp &a, const fp &b) { return fp{{take ? b.v[0] : a.v[0]}}; }

RP_DEV fp fp_add(const fp &a, const fp &b) {
  const uint32_t t = a.v[0] + b.v[0];
  return fp{{min(t, t - fp_p(0))}};
}

RP_DEV fp fp_sub(const fp &a, const fp &b) {
  const uint32_t t = a.v[0] - b.v[0];
  return fp{{min(t, t + fp_p(0))}};
}

RP_DEV fp fp_neg(const fp &a) { return fp_sub(fp_zero(), a); }
RP_DEV fp fp_dbl(const fp &a) { return fp_add(a, a); }

/* One of the factors may be any word. Two wide products and one of 32 bits; the sum is below 2^64, because 2p is below
 * R. */
RP_DEV fp fp_mul(const fp &a, const fp &b) {
  const uint64_t t = (uint64_t)a.v[0] * b.v[0];
  const uint32_t m = (uint32_t)t * FP_N0_32, q = (uint32_t)((t + (uint64_t)m * fp_p(0)) >> 32);
  return fp{{min(q, q - fp_p(0))}};
}

RP_DEV fp fp_sqr(const fp &a) { return fp_mul(a, a); }

#endif
