/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Products of twice the limbs, not reduced, so that several are added before one Montgomery reduction; for fields with
 * a spare bit.
 */
#ifndef REPRISE_CUDA_WIDE_CUH
#define REPRISE_CUDA_WIDE_CUH

#include "arith/fp.cuh"

#if FP_SPARE
struct wide {
  uint32_t v[2 * FP_N];
};

/* One row of wide_mul: adds b times the even limbs of a to `full`, from limb i on, and b times the odd ones to `open`,
 * from limb i + 1 on. No row has written the last column of `open` yet, except for the carry that the row before has
 * left there; the carry of `full` is left for the next row. */
RP_DEV void wide_row(uint32_t *full, uint32_t *open, const uint32_t *a, uint32_t b, int i) {
  full[i] = mad_lo_cc(a[0], b, full[i]);
  full[i + 1] = madc_hi_cc(a[0], b, full[i + 1]);
#pragma unroll
  for (int j = 2; j < FP_N; j += 2) {
    full[i + j] = madc_lo_cc(a[j], b, full[i + j]);
    full[i + j + 1] = madc_hi_cc(a[j], b, full[i + j + 1]);
  }
  full[i + FP_N] = addc(0, 0);
#pragma unroll
  for (int j = 1; j < FP_N; j += 2) {
    open[i + j] = j == 1 ? mad_lo_cc(a[j], b, open[i + j]) : madc_lo_cc(a[j], b, open[i + j]);
    open[i + j + 1] = j == FP_N - 1 ? madc_hi(a[j], b, 0) : madc_hi_cc(a[j], b, open[i + j + 1]);
  }
}

/* a b, for any limbs. Columns of 64 bits that begin at an even limb are in `even`, the others in `odd`. */
RP_DEV wide wide_mul(const uint32_t *a, const uint32_t *b) {
  uint32_t even[2 * FP_N], odd[2 * FP_N];
#pragma unroll
  for (int j = 0; j < FP_N; j++) {
    uint32_t *column = (j & 1 ? odd : even) + j;
    column[0] = mul_lo(a[j], b[0]), column[1] = mul_hi(a[j], b[0]);
  }
  even[FP_N] = 0;
#pragma unroll
  for (int i = 1; i < FP_N; i++) wide_row(i & 1 ? odd : even, i & 1 ? even : odd, a, b[i], i);
  wide r;
  r.v[0] = even[0];
  r.v[1] = add_cc(even[1], odd[1]);
#pragma unroll
  for (int k = 2; k < 2 * FP_N - 1; k++) r.v[k] = addc_cc(even[k], odd[k]);
  r.v[2 * FP_N - 1] = addc(even[2 * FP_N - 1], odd[2 * FP_N - 1]);
  return r;
}

/* a - b, modulo R^2. */
RP_DEV wide wide_sub(const wide &a, const wide &b) {
  wide r;
  r.v[0] = sub_cc(a.v[0], b.v[0]);
#pragma unroll
  for (int k = 1; k < 2 * FP_N - 1; k++) r.v[k] = subc_cc(a.v[k], b.v[k]);
  r.v[2 * FP_N - 1] = subc(a.v[2 * FP_N - 1], b.v[2 * FP_N - 1]);
  return r;
}

/* x, plus p R if x is negative, in two's complement. */
RP_DEV wide wide_positive(const wide &x) {
  const uint32_t mask = (uint32_t)((int32_t)x.v[2 * FP_N - 1] >> 31);
  wide r = x;
  r.v[FP_N] = add_cc(x.v[FP_N], fp_p(0) & mask);
#pragma unroll
  for (int k = 1; k < FP_N - 1; k++) r.v[FP_N + k] = addc_cc(x.v[FP_N + k], fp_p(k) & mask);
  r.v[2 * FP_N - 1] = addc(x.v[2 * FP_N - 1], fp_p(FP_N - 1) & mask);
  return r;
}

/* x / R modulo p, below p, for an x below p R. */
RP_DEV fp wide_reduce(const wide &x) { return fp_reduce_wide(x.v); }

/* a + b, which is below 2p and not reduced. */
RP_DEV fp fp_sum(const fp &a, const fp &b) {
  fp r;
  r.v[0] = add_cc(a.v[0], b.v[0]);
#pragma unroll
  for (int i = 1; i < FP_N - 1; i++) r.v[i] = addc_cc(a.v[i], b.v[i]);
  r.v[FP_N - 1] = addc(a.v[FP_N - 1], b.v[FP_N - 1]);
  return r;
}
#endif

#endif
