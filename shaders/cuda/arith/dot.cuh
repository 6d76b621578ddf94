/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Sums of products with one Montgomery reduction for all of them: each row adds its part of every product before it is
 * reduced (fp.cuh says how the accumulator is laid out).
 */
#ifndef REPRISE_CUDA_DOT_CUH
#define REPRISE_CUDA_DOT_CUH

#include "arith/fp.cuh"

#if FP_SPARE
template <int N> RP_DEV void fp_dot_row(uint32_t *even, uint32_t *odd, const fp *a, const fp *b, int word, bool first) {
  uint32_t p[FP_N + 1];
#pragma unroll
  for (int j = 0; j < FP_N; j++) p[j] = fp_p(j);
  p[FP_N] = 0;
  const uint32_t *a0 = a[0].v, b0 = b[0].v[word];
  if (first) {
#pragma unroll
    for (int j = 0; j < FP_N; j += 2) {
      even[j] = mul_lo(a0[j], b0), even[j + 1] = mul_hi(a0[j], b0);
      odd[j] = mul_lo(a0[j + 1], b0), odd[j + 1] = mul_hi(a0[j + 1], b0);
    }
  } else {
    even[0] = add_cc(even[0], odd[1]);
    fp_shift_columns(odd, a0, b0);
    fp_columns(even, a0, b0);
    odd[FP_N - 1] = addc(odd[FP_N - 1], 0);
  }
#pragma unroll
  for (int t = 1; t < N; t++) {
    uint32_t shifted[FP_N];
#pragma unroll
    for (int j = 0; j < FP_N; j++) shifted[j] = j + 1 < FP_N ? a[t].v[j + 1] : 0;
    fp_columns(odd, shifted, b[t].v[word]);
    fp_columns(even, a[t].v, b[t].v[word]);
    odd[FP_N - 1] = addc(odd[FP_N - 1], 0);
  }
  const uint32_t m = mul_lo(even[0], FP_N0_32);
  fp_columns(odd, p + 1, m);
  fp_columns(even, p, m);
  odd[FP_N - 1] = addc(odd[FP_N - 1], 0);
}

/* Whether there is room for a sum of n products. Between rows the accumulator is below (n + 1) p; within a row it is
 * below 2^32 times that, which must fit in one word more than an element has. The sum at the end is below
 * (n p / R + 1) p, which the same condition keeps below 2p. */
RP_DEV constexpr bool fp_dot_fits(int n) { return (uint64_t)(n + 1) * ((uint64_t)fp_p(FP_N - 1) + 1) <= 0xffffffffull; }

/* a[0] b[0] + ... + a[N - 1] b[N - 1], below p. */
template <int N> RP_DEV fp fp_dot(const fp *a, const fp *b) {
  static_assert(fp_dot_fits(N), "the accumulator overflows");
  uint32_t x[FP_N], y[FP_N];
#pragma unroll
  for (int i = 0; i < FP_N; i += 2) {
    fp_dot_row<N>(x, y, a, b, i, i == 0);
    fp_dot_row<N>(y, x, a, b, i + 1, false);
  }
  fp r; /* (y >> 32) + x */
  r.v[0] = add_cc(x[0], y[1]);
#pragma unroll
  for (int j = 1; j < FP_N - 1; j++) r.v[j] = addc_cc(x[j], y[j + 1]);
  r.v[FP_N - 1] = addc(x[FP_N - 1], 0);
  return fp_reduce_once(r, 0);
}

#endif

#endif
