/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Eight elements of a quadratic extension c0 + c1 u, u^2 = -1. Contracts: ops/arith/simd8/fe8.h.
 */
#ifndef REPRISE_OPS_CPU_FE8_DEGREE2_H
#define REPRISE_OPS_CPU_FE8_DEGREE2_H

static inline void fe8_zero(fe8 *r) { fp8_zero(&r->c0), fp8_zero(&r->c1); }
static inline void fe8_one(fe8 *r) { fp8_one(&r->c0), fp8_zero(&r->c1); }

static inline void fe8_add(fe8 *r, const fe8 *a, const fe8 *b) {
  fp8_add(&r->c0, &a->c0, &b->c0);
  fp8_add(&r->c1, &a->c1, &b->c1);
}

static inline void fe8_sub(fe8 *r, const fe8 *a, const fe8 *b) {
  fp8_sub(&r->c0, &a->c0, &b->c0);
  fp8_sub(&r->c1, &a->c1, &b->c1);
}

static inline void fe8_sub_plus(fe8 *r, const fe8 *a, const fe8 *b, uint64_t m) {
  fp8_sub_plus(&r->c0, &a->c0, &b->c0, m);
  fp8_sub_plus(&r->c1, &a->c1, &b->c1, m);
}

static inline void fe8_add_lazy(fe8 *r, const fe8 *a, const fe8 *b) {
  fp8_add_lazy(&r->c0, &a->c0, &b->c0);
  fp8_add_lazy(&r->c1, &a->c1, &b->c1);
}

static inline void fe8_carry(fe8 *r) { fp8_carry(&r->c0), fp8_carry(&r->c1); }
static inline void fe8_reduce(fe8 *r) { fp8_reduce_bits(&r->c0, 4), fp8_reduce_bits(&r->c1, 4); }

static inline void fe8_sub_signed(fe8 *r, const fe8 *a, m8 minus_a, const fe8 *b, m8 minus_b, uint64_t m) {
  fp8_sub_signed(&r->c0, &a->c0, minus_a, &b->c0, minus_b, m);
  fp8_sub_signed(&r->c1, &a->c1, minus_a, &b->c1, minus_b, m);
}

static inline m8 fe8_is_clear(const fe8 *a) { return fp8_is_clear(&a->c0) & fp8_is_clear(&a->c1); }
static inline m8 fe8_may_be_zero(const fe8 *a) { return fp8_may_be_zero(&a->c0) & fp8_may_be_zero(&a->c1); }
static inline void fe8_dbl(fe8 *r, const fe8 *a) { fe8_add(r, a, a); }
static inline void fe8_neg(fe8 *r, const fe8 *a) { fp8_neg(&r->c0, &a->c0), fp8_neg(&r->c1, &a->c1); }

/* Karatsuba, with three products and two reductions. Before the last carries c0 is between -p/16 and 17/16 p; p is
 * added where c0 is below about p/2. c1 = (a0 + a1)(b0 + b1) - a0 b0 - a1 b1 is not negative, and below 8p^2 / S +
 * p. */
FE8_PRODUCT void fe8_mul(fe8 *r, const fe8 *a, const fe8 *b) {
  fp8_wide w0, w1, w2;
  fp8 sum_a, sum_b;
  fp8_add_lazy(&sum_a, &a->c0, &a->c1);
  fp8_add_lazy(&sum_b, &b->c0, &b->c1);
  fp8_carry(&sum_a);
  fp8_carry(&sum_b);
  fp8_wide_zero(&w0);
  fp8_wide_zero(&w1);
  fp8_wide_zero(&w2);
  fp8_wide_add_mul(&w0, &a->c0, &b->c0);
  fp8_wide_add_mul(&w1, &a->c1, &b->c1);
  fp8_wide_add_mul(&w2, &sum_a, &sum_b);
  RP_UNROLL for (int i = 0; i < 2 * FP8_N; i++) {
    w2.v[i] = v8_sub(w2.v[i], v8_add(w0.v[i], w1.v[i]));
    w0.v[i] = v8_sub(w0.v[i], w1.v[i]);
  }
  fp8_redc_columns(w2.v);
  fp8_redc_columns(w0.v);
  const m8 low = v8_gt(v8_set1(fp8_modulus[FP8_TOP] / 2), w0.v[2 * FP8_N - 1]);
  RP_UNROLL for (int i = 0; i < FP8_N; i++) {
    r->c0.v[i] = v8_add_if(low, w0.v[FP8_N + i], v8_set1(fp8_modulus[i]));
    r->c1.v[i] = w2.v[FP8_N + i];
  }
  fp8_carry(&r->c0);
  fp8_carry(&r->c1);
}

/* (c0 + c1)(c0 - c1 + 5p) + 2 c0 c1 u with unreduced sums: for c0 and c1 below 4.2p the factors are below 8.4p and
 * 9.2p, so that their product is below 77 p^2 / S + p, which is tight because p is at most S / 84. */
FE8_PRODUCT void fe8_sqr(fe8 *r, const fe8 *a) {
  fp8 sum, difference, twice;
  fp8_add_lazy(&sum, &a->c0, &a->c1);
  fp8_carry(&sum);
  fp8_sub_plus(&difference, &a->c0, &a->c1, 5);
  fp8_add_lazy(&twice, &a->c0, &a->c0);
  fp8_carry(&twice);
  fp8_mul(&r->c1, &twice, &a->c1);
  fp8_mul(&r->c0, &sum, &difference);
}

static inline void fe8_mul_two(fe8 r[2], const fe8 a[2], const fe8 b[2]) {
  for (int c = 0; c < 2; c++) fe8_mul(&r[c], &a[c], &b[c]);
}

static inline void fe8_sqr_two(fe8 r[2], const fe8 a[2]) {
  for (int c = 0; c < 2; c++) fe8_sqr(&r[c], &a[c]);
}

static inline void fe8_cmov(fe8 *r, const fe8 *a, m8 mask) {
  fp8_cmov(&r->c0, &a->c0, mask);
  fp8_cmov(&r->c1, &a->c1, mask);
}

static inline m8 fe8_is_zero(const fe8 *a) { return fp8_is_zero(&a->c0) & fp8_is_zero(&a->c1); }
static inline m8 fe8_equal(const fe8 *a, const fe8 *b) { return fp8_equal(&a->c0, &b->c0) & fp8_equal(&a->c1, &b->c1); }

static inline void fe8_load_at(fe8 *r, const void *const at[8]) {
  fp8_load_rows(&r->c0, at, 0);
  fp8_load_rows(&r->c1, at, FP_BYTES);
}

static inline void fe8_load_raw_at(fe8 *r, const void *const at[8]) {
  fp8_load_raw_rows(&r->c0, at, 0);
  fp8_load_raw_rows(&r->c1, at, FP_BYTES);
}

static inline void fe8_store_at(void *const at[8], const fe8 *a) {
  fp8_store_rows(at, 0, &a->c0);
  fp8_store_rows(at, FP_BYTES, &a->c1);
}

static inline void fe8_store_raw_at(void *const at[8], const fe8 *a) {
  fp8_store_raw_rows(at, 0, &a->c0);
  fp8_store_raw_rows(at, FP_BYTES, &a->c1);
}

static inline void fe8_store_raw_wide_at(void *const at[8], const fe8 *a) {
  fp8_store_raw_wide_rows(at, 0, &a->c0);
  fp8_store_raw_wide_rows(at, FP_BYTES, &a->c1);
}

static inline void fe8_unscale(fe8 *r, const fe8 *a) { fp8_unscale(&r->c0, &a->c0), fp8_unscale(&r->c1, &a->c1); }
static inline void fe8_set1(fe8 *r, const fe *a) { fp8_set1(&r->c0, &a->c0), fp8_set1(&r->c1, &a->c1); }
static inline void fe8_set1_raw(fe8 *r, const fe *a) { fp8_set1_raw(&r->c0, &a->c0), fp8_set1_raw(&r->c1, &a->c1); }

static inline void fe8_rotate(fe8 *r, const fe8 *a, int lanes) {
  fp8_rotate(&r->c0, &a->c0, lanes);
  fp8_rotate(&r->c1, &a->c1, lanes);
}

#endif
