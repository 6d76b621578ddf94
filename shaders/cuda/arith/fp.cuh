/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A prime field in Montgomery form over 32-bit limbs, R = 2^(32 FP_LIMBS32), compiled once per field: the include path
 * begins with the folder of its generated field_params.h. Every function takes values below p and returns one below p,
 * unless it says otherwise.
 */
#ifndef REPRISE_CUDA_FP_CUH
#define REPRISE_CUDA_FP_CUH

#include "arith/carry.cuh"
#include "field_params.h"

#define FP_N FP_LIMBS32
/* 1 if 2p fits in the limbs, which saves a carry in every function. secp256k1's fields have no spare bit. */
#define FP_SPARE (FP_BITS < 32 * FP_LIMBS32)

struct alignas(FP_N % 4 == 0 ? 16 : 8) fp {
  uint32_t v[FP_N];
};

/* Limb i of p. Every i is known after unrolling, so that the limbs become immediate operands. */
RP_DEV constexpr uint32_t fp_p(int i) {
  constexpr uint32_t p[FP_N] = FP_MODULUS_32;
  return p[i];
}

RP_DEV fp fp_zero() {
  fp r;
#pragma unroll
  for (int i = 0; i < FP_N; i++) r.v[i] = 0;
  return r;
}

RP_DEV fp fp_one() {
  constexpr fp one = FP_ONE_32;
  return one;
}

RP_DEV bool fp_is_zero(const fp &a) {
  uint32_t t = a.v[0];
#pragma unroll
  for (int i = 1; i < FP_N; i++) t |= a.v[i];
  return t == 0;
}

RP_DEV bool fp_equal(const fp &a, const fp &b) {
  uint32_t t = a.v[0] ^ b.v[0];
#pragma unroll
  for (int i = 1; i < FP_N; i++) t |= a.v[i] ^ b.v[i];
  return t == 0;
}

/* b if take, else a, without a branch. */
RP_DEV fp fp_select(bool take, const fp &a, const fp &b) {
  fp r;
#pragma unroll
  for (int i = 0; i < FP_N; i++) r.v[i] = take ? b.v[i] : a.v[i];
  return r;
}

/* x + carry * 2^(32 N), which must be below 2p, reduced to below p. */
RP_DEV fp fp_reduce_once(const fp &x, uint32_t carry) {
  fp t;
  t.v[0] = sub_cc(x.v[0], fp_p(0));
#pragma unroll
  for (int i = 1; i < FP_N; i++) t.v[i] = subc_cc(x.v[i], fp_p(i));
  uint32_t borrow = subc(FP_SPARE ? 0 : carry, 0);
  return fp_select(FP_SPARE ? borrow == 0 : (int32_t)borrow >= 0, x, t);
}

RP_DEV fp fp_add(const fp &a, const fp &b) {
  fp r;
  r.v[0] = add_cc(a.v[0], b.v[0]);
#pragma unroll
  for (int i = 1; i < FP_N; i++) r.v[i] = addc_cc(a.v[i], b.v[i]);
  uint32_t carry = FP_SPARE ? 0 : addc(0, 0);
  return fp_reduce_once(r, carry);
}

RP_DEV fp fp_sub(const fp &a, const fp &b) {
  fp r;
  r.v[0] = sub_cc(a.v[0], b.v[0]);
#pragma unroll
  for (int i = 1; i < FP_N; i++) r.v[i] = subc_cc(a.v[i], b.v[i]);
  uint32_t borrow = subc(0, 0); /* all ones if a < b */
  r.v[0] = add_cc(r.v[0], fp_p(0) & borrow);
#pragma unroll
  for (int i = 1; i < FP_N - 1; i++) r.v[i] = addc_cc(r.v[i], fp_p(i) & borrow);
  r.v[FP_N - 1] = addc(r.v[FP_N - 1], fp_p(FP_N - 1) & borrow);
  return r;
}

RP_DEV fp fp_neg(const fp &a) { return fp_sub(fp_zero(), a); }
RP_DEV fp fp_dbl(const fp &a) { return fp_add(a, a); }

#if FP_SPARE
/* x[0..N) += b times a[0], a[2], ...: each product is added to a 64-bit column of x. The carry flag holds the carry
 * out. */
RP_DEV void fp_columns(uint32_t *x, const uint32_t *a, uint32_t b) {
  x[0] = mad_lo_cc(a[0], b, x[0]);
  x[1] = madc_hi_cc(a[0], b, x[1]);
#pragma unroll
  for (int j = 2; j < FP_N; j += 2) {
    x[j] = madc_lo_cc(a[j], b, x[j]);
    x[j + 1] = madc_hi_cc(a[j], b, x[j + 1]);
  }
}

/* The same for a[1], a[3], ... while x moves down by two limbs. Its x[1] has been added elsewhere, whose carry comes
 * in; there is no carry out. */
RP_DEV void fp_shift_columns(uint32_t *x, const uint32_t *a, uint32_t b) {
#pragma unroll
  for (int j = 0; j < FP_N - 2; j += 2) {
    x[j] = madc_lo_cc(a[j + 1], b, x[j + 2]);
    x[j + 1] = madc_hi_cc(a[j + 1], b, x[j + 3]);
  }
  x[FP_N - 2] = madc_lo_cc(a[FP_N - 1], b, 0);
  x[FP_N - 1] = madc_hi(a[FP_N - 1], b, 0);
}

/* One row of the product and its reduction. The accumulator is split into two arrays of 64-bit columns, so that each
 * lo/hi pair is one wide multiply-add: `even` begins at limb 0, `odd` at limb 1. After a row limb 0 is zero and the two
 * arrays swap roles. (The arrangement is known from sppark and from Emmart's work on Montgomery products on GPUs.) */
RP_DEV void fp_row(uint32_t *even, uint32_t *odd, const uint32_t *a, uint32_t b, bool first) {
  uint32_t p[FP_N + 1];
#pragma unroll
  for (int j = 0; j < FP_N; j++) p[j] = fp_p(j);
  p[FP_N] = 0;
  if (first) {
#pragma unroll
    for (int j = 0; j < FP_N; j += 2) {
      even[j] = mul_lo(a[j], b), even[j + 1] = mul_hi(a[j], b);
      odd[j] = mul_lo(a[j + 1], b), odd[j + 1] = mul_hi(a[j + 1], b);
    }
  } else {
    /* `odd` was the `even` of the previous row. Its limb 0 is zero; its limb 1 is at limb 0 now and is added to `even`;
     * the others move down by two, because `odd` begins at limb 1. */
    even[0] = add_cc(even[0], odd[1]);
    fp_shift_columns(odd, a, b);
    fp_columns(even, a, b);
    odd[FP_N - 1] = addc(odd[FP_N - 1], 0);
  }
  uint32_t m = mul_lo(even[0], FP_N0_32);
  fp_columns(odd, p + 1, m);
  fp_columns(even, p, m);
  odd[FP_N - 1] = addc(odd[FP_N - 1], 0);
}

RP_DEV fp fp_mul(const fp &a, const fp &b) {
  uint32_t x[FP_N], y[FP_N];
#pragma unroll
  for (int i = 0; i < FP_N; i += 2) {
    fp_row(x, y, a.v, b.v[i], i == 0);
    fp_row(y, x, a.v, b.v[i + 1], false);
  }
  fp r; /* (y >> 32) + x */
  r.v[0] = add_cc(x[0], y[1]);
#pragma unroll
  for (int j = 1; j < FP_N - 1; j++) r.v[j] = addc_cc(x[j], y[j + 1]);
  r.v[FP_N - 1] = addc(x[FP_N - 1], 0);
  return fp_reduce_once(r, 0);
}

/* One row of a reduction alone: as fp_row, without a product. */
RP_DEV void fp_reduce_row(uint32_t *even, uint32_t *odd, bool first) {
  uint32_t p[FP_N + 1];
#pragma unroll
  for (int j = 0; j < FP_N; j++) p[j] = fp_p(j);
  p[FP_N] = 0;
  const uint32_t m = mul_lo(first ? even[0] : even[0] + odd[1], FP_N0_32);
  if (first) {
#pragma unroll
    for (int j = 0; j < FP_N; j += 2) odd[j] = mul_lo(p[j + 1], m), odd[j + 1] = mul_hi(p[j + 1], m);
  } else {
    even[0] = add_cc(even[0], odd[1]);
    fp_shift_columns(odd, p, m);
  }
  fp_columns(even, p, m);
  odd[FP_N - 1] = addc(odd[FP_N - 1], 0);
}

/* x[0..2N) / R modulo p, below p; x is below p R. */
RP_DEV fp fp_reduce_wide(const uint32_t *x) {
  uint32_t even[FP_N], odd[FP_N];
#pragma unroll
  for (int j = 0; j < FP_N; j++) even[j] = x[j];
#pragma unroll
  for (int i = 0; i < FP_N; i += 2) {
    fp_reduce_row(even, odd, i == 0);
    fp_reduce_row(odd, even, false);
  }
  fp r; /* (odd >> 32) + even + x[N..2N), below 2p */
  r.v[0] = add_cc(even[0], odd[1]);
#pragma unroll
  for (int j = 1; j < FP_N - 1; j++) r.v[j] = addc_cc(even[j], odd[j + 1]);
  r.v[FP_N - 1] = addc(even[FP_N - 1], 0);
  r.v[0] = add_cc(r.v[0], x[FP_N]);
#pragma unroll
  for (int j = 1; j < FP_N - 1; j++) r.v[j] = addc_cc(r.v[j], x[FP_N + j]);
  r.v[FP_N - 1] = addc(r.v[FP_N - 1], x[2 * FP_N - 1]);
  return fp_reduce_once(r, 0);
}

/* Row i of the products of different limbs: a[i] times a[first], a[first + 2] and so on. Its carry goes to a column
 * that the next row of the same parity writes. */
RP_DEV void fp_square_row(uint32_t *columns, const uint32_t *a, int i, int first) {
  columns[i + first] = mad_lo_cc(a[i], a[first], columns[i + first]);
  columns[i + first + 1] = madc_hi_cc(a[i], a[first], columns[i + first + 1]);
#pragma unroll
  for (int j = first + 2; j < FP_N; j += 2) {
    columns[i + j] = madc_lo_cc(a[i], a[j], columns[i + j]);
    columns[i + j + 1] = madc_hi_cc(a[i], a[j], columns[i + j + 1]);
  }
  const int behind = i + first + (FP_N - 1 - first) / 2 * 2 + 2;
  if (behind < 2 * FP_N) columns[behind] = addc(columns[behind], 0);
}

/* x[0..2N) = a^2. Products of different limbs are added once and doubled; then the squares of limbs are added. Columns
 * of 64 bits that begin at an even limb are in `even`, the others in `odd`. */
RP_DEV void fp_square_wide(uint32_t *x, const uint32_t *a) {
  uint32_t even[2 * FP_N], odd[2 * FP_N];
#pragma unroll
  for (int k = 0; k < 2 * FP_N; k++) even[k] = odd[k] = 0;
#pragma unroll
  for (int j = 1; j < FP_N; j++) {
    uint32_t *column = (j & 1 ? odd : even) + j;
    column[0] = mul_lo(a[0], a[j]), column[1] = mul_hi(a[0], a[j]);
  }
#pragma unroll
  for (int i = 1; i + 1 < FP_N; i++) {
    fp_square_row(odd, a, i, i + 1);
    if (i + 2 < FP_N) fp_square_row(even, a, i, i + 2);
  }
  x[0] = 0;
  x[1] = odd[1];
  x[2] = add_cc(even[2], odd[2]);
#pragma unroll
  for (int k = 3; k < 2 * FP_N - 1; k++) x[k] = addc_cc(even[k], odd[k]);
  x[2 * FP_N - 1] = addc(0, 0);
#pragma unroll
  for (int k = 2 * FP_N - 1; k > 0; k--) x[k] = __funnelshift_l(x[k - 1], x[k], 1);
  x[0] = mad_lo_cc(a[0], a[0], 0);
  x[1] = madc_hi_cc(a[0], a[0], x[1]);
#pragma unroll
  for (int i = 1; i < FP_N; i++) {
    x[2 * i] = madc_lo_cc(a[i], a[i], x[2 * i]);
    x[2 * i + 1] = madc_hi_cc(a[i], a[i], x[2 * i + 1]);
  }
}

RP_DEV fp fp_sqr(const fp &a) {
  uint32_t x[2 * FP_N];
  fp_square_wide(x, a.v);
  return fp_reduce_wide(x);
}
#else
/* Row by row (coarsely integrated operand scanning). Without a spare bit the running sum needs one more word. */
RP_DEV fp fp_mul(const fp &a, const fp &b) {
  uint32_t t[FP_N + 2];
#pragma unroll
  for (int i = 0; i < FP_N + 2; i++) t[i] = 0;
#pragma unroll
  for (int i = 0; i < FP_N; i++) {
    uint64_t c = 0;
#pragma unroll
    for (int j = 0; j < FP_N; j++) {
      c += (uint64_t)a.v[j] * b.v[i] + t[j];
      t[j] = (uint32_t)c;
      c >>= 32;
    }
    c += t[FP_N];
    t[FP_N] = (uint32_t)c;
    t[FP_N + 1] = (uint32_t)(c >> 32);
    uint32_t m = t[0] * FP_N0_32;
    c = ((uint64_t)m * fp_p(0) + t[0]) >> 32;
#pragma unroll
    for (int j = 1; j < FP_N; j++) {
      c += (uint64_t)m * fp_p(j) + t[j];
      t[j - 1] = (uint32_t)c;
      c >>= 32;
    }
    c += t[FP_N];
    t[FP_N - 1] = (uint32_t)c;
    t[FP_N] = t[FP_N + 1] + (uint32_t)(c >> 32);
  }
  fp r;
#pragma unroll
  for (int i = 0; i < FP_N; i++) r.v[i] = t[i];
  return fp_reduce_once(r, t[FP_N]);
}

RP_DEV fp fp_sqr(const fp &a) { return fp_mul(a, a); }
#endif

#endif
