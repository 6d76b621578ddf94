/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Sums of products with one reduction at the end. In a Montgomery field the accumulator is an integer of 2 n + 1 words
 * that holds the sum of val * x as integers: a product without reduction costs about half of one with it, x = 0 costs
 * nothing, and x = 1 an addition. What it stands for is that sum times R^-1, the sum of Montgomery products. The top word
 * counts overflows: 2^64 products fit.
 */
#ifndef REPRISE_OPS_SPMV_DOT_H
#define REPRISE_OPS_SPMV_DOT_H

#include "cpu.h"

#if FE_DEGREE == 1 && FP_MONTGOMERY

/* As FP_UNROLL, for the longer loops here. */
#define DOT_UNROLL _Pragma("GCC unroll 16")

typedef struct dot {
  uint64_t t[2 * FP_LIMBS + 1];
} dot;

static inline void dot_begin(dot *d) {
  for (int i = 0; i <= 2 * FP_LIMBS; i++) d->t[i] = 0;
}

/* + a 2^(64 at) */
static inline void dot_add_shifted(dot *d, const fe *a, int at) {
  uint64_t carry = 0;
  DOT_UNROLL
  for (int i = 0; i < FP_LIMBS; i++) d->t[at + i] = u64_add(d->t[at + i], a->v[i], &carry);
  DOT_UNROLL
  for (int i = at + FP_LIMBS; i <= 2 * FP_LIMBS; i++) d->t[i] = u64_add(d->t[i], 0, &carry);
}

static inline void dot_add_product(dot *d, const fe *a, const uint64_t x[FP_LIMBS]) {
  uint64_t p[2 * FP_LIMBS], carry = 0, hi = 0;
  DOT_UNROLL
  for (int j = 0; j < FP_LIMBS; j++) p[j] = u64_mac(a->v[0], x[j], hi, 0, &hi);
  p[FP_LIMBS] = hi;
  DOT_UNROLL
  for (int i = 1; i < FP_LIMBS; i++) {
    hi = 0;
    DOT_UNROLL
    for (int j = 0; j < FP_LIMBS; j++) p[i + j] = u64_mac(a->v[i], x[j], p[i + j], hi, &hi);
    p[i + FP_LIMBS] = hi;
  }
  DOT_UNROLL
  for (int i = 0; i < 2 * FP_LIMBS; i++) d->t[i] = u64_add(d->t[i], p[i], &carry);
  d->t[2 * FP_LIMBS] += carry;
}

/* x as it lies in memory, Montgomery or canonical: 0 is 0 in both; 1 is R mod p in the one, 1 in the other. */
static inline void dot_add(dot *d, const fe *val, const fe *x, const fe *one, int canonical) {
  if (fe_is_zero(x)) return;
  if (fe_equal(x, one))
    dot_add_shifted(d, val, canonical ? 0 : FP_LIMBS);
  else
    dot_add_product(d, val, x->v);
}

static inline void dot_end(const dot *d, fe *r) {
  static const fp r2 = FP_R2_64, one = FP_ONE_64;
  uint64_t t[2 * FP_LIMBS + 1], borrow = 0;
  DOT_UNROLL
  for (int i = 0; i <= 2 * FP_LIMBS; i++) t[i] = d->t[i];
  DOT_UNROLL
  for (int i = 0; i < FP_LIMBS; i++) {
    uint64_t f = t[i] * FP_N0_64, hi = 0, carry = 0;
    DOT_UNROLL
    for (int j = 0; j < FP_LIMBS; j++) t[i + j] = u64_mac(f, fp_modulus[j], t[i + j], hi, &hi);
    t[i + FP_LIMBS] = u64_add(t[i + FP_LIMBS], hi, &carry);
    DOT_UNROLL
    for (int k = i + FP_LIMBS + 1; k <= 2 * FP_LIMBS; k++) t[k] = u64_add(t[k], 0, &carry);
  }
  /* The quotient is low + high R. montgomery(low, R) = low and montgomery(high, R^2) = high R, both mod p. */
  fp low;
  DOT_UNROLL
  for (int i = 0; i < FP_LIMBS; i++) {
    low.v[i] = t[FP_LIMBS + i];
    (void)u64_sub(low.v[i], fp_modulus[i], &borrow);
  }
  if (!borrow) fp_mul(&low, &low, &one);
  if (t[2 * FP_LIMBS]) {
    fp high = {{t[2 * FP_LIMBS]}};
    fp_mul(&high, &high, &r2);
    fp_add(&low, &low, &high);
  }
  *r = low;
}

#else

typedef fe dot;
static inline void dot_begin(dot *d) { fe_zero(d); }

static inline void dot_add(dot *d, const fe *val, const fe *x, const fe *one, int canonical) {
  fe t;
  (void)one;
  (void)canonical;
  if (fe_is_zero(x)) return;
  fe_mul(&t, val, x);
  fe_add(d, d, &t);
}

static inline void dot_end(const dot *d, fe *r) { *r = *d; }

#endif
#endif
