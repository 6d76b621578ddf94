/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * GLV decomposition of a scalar into two of half the length: k = k1 + k2 lambda mod r, where (beta x, y) = lambda
 * (x, y). It halves the number of doublings, or gives two chains that run side by side (Gallant, Lambert, Vanstone,
 * CRYPTO 2001; constants: ops/derive/derive_glv.h).
 */
#ifndef REPRISE_CUDA_GLV_CUH
#define REPRISE_CUDA_GLV_CUH

#include "arith/curve.cuh"

#if CURVE_GLV
/* `word` holds the absolute value of a half-scalar in digits of four bits, from -8 to 7, each with 8 added. */
static constexpr int GLV_DIGITS = 33;
struct half_scalar {
  uint32_t word[5];
  bool negative;
};

RP_DEV int half_digit(const half_scalar &k, int i) { return (int)(k.word[i / 8] >> i % 8 * 4 & 15) - 8; }

/* r = the low N words of a b. r must not overlap a or b. */
template <int N, int A, int B> RP_DEV void multiply_words(uint32_t *r, const uint32_t *a, const uint32_t *b) {
#pragma unroll
  for (int i = 0; i < N; i++) r[i] = 0;
#pragma unroll
  for (int i = 0; i < A; i++) {
    uint64_t t = 0;
#pragma unroll
    for (int j = 0; j < B && i + j < N; j++) {
      t += (uint64_t)a[i] * b[j] + r[i + j];
      r[i + j] = (uint32_t)t;
      t >>= 32;
    }
    if (i + B < N) r[i + B] = (uint32_t)t;
  }
}

/* k1, or k2 if `second`: that coordinate of (k, 0) less the nearest multiples of the two short lattice vectors. */
static __device__ __noinline__ half_scalar scalar_half(const uint32_t k[8], bool second) {
  constexpr uint32_t a1[5] = CURVE_GLV_A1_32, b1[5] = CURVE_GLV_B1_32, g1[7] = CURVE_GLV_G1_32;
  constexpr uint32_t a2[5] = CURVE_GLV_A2_32, b2[5] = CURVE_GLV_B2_32, g2[7] = CURVE_GLV_G2_32;
  half_scalar half;
  uint32_t *x = half.word;
#pragma unroll
  for (int i = 0; i < 5; i++) x[i] = second ? 0 : k[i];
#pragma unroll
  for (int v = 0; v < 2; v++) {
    uint32_t g[7], vector[5], product[15], multiple[5];
#pragma unroll
    for (int i = 0; i < 7; i++) g[i] = v ? g2[i] : g1[i];
#pragma unroll
    for (int i = 0; i < 5; i++) vector[i] = second ? (v ? b2[i] : b1[i]) : (v ? a2[i] : a1[i]);
    multiply_words<15, 8, 7>(product, k, g);
    uint64_t carry = product[9] >> 31; /* the highest bit that is cut off: rounds to nearest */
#pragma unroll
    for (int i = 0; i < 5; i++) {
      carry += product[10 + i];
      multiple[i] = (uint32_t)carry;
      carry >>= 32;
    }
    multiply_words<5, 5, 5>(product, multiple, vector);
    uint64_t borrow = 0;
#pragma unroll
    for (int i = 0; i < 5; i++) {
      const uint64_t t = (uint64_t)x[i] - product[i] - borrow;
      x[i] = (uint32_t)t;
      borrow = t >> 63;
    }
  }
  half.negative = x[4] >> 31;
  const uint32_t flip = half.negative ? 0xffffffffu : 0;
  uint64_t carry = half.negative;
#pragma unroll
  for (int i = 0; i < 5; i++) { /* the absolute value; the next loop adds 8 to every digit */
    carry += (uint64_t)(x[i] ^ flip);
    x[i] = (uint32_t)carry;
    carry >>= 32;
  }
  carry = 0;
#pragma unroll
  for (int i = 0; i < 5; i++) {
    carry += (uint64_t)x[i] + (i < 4 ? 0x88888888u : 8u);
    x[i] = (uint32_t)carry;
    carry >>= 32;
  }
  return half;
}

RP_DEV fe curve_beta() {
  constexpr fe beta = CURVE_BETA_32;
  return beta;
}
#endif

#endif
