/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The fe8_ names of a prime field. Contracts: ops/arith/simd8/fe8.h.
 */
#ifndef REPRISE_OPS_CPU_FE8_DEGREE1_H
#define REPRISE_OPS_CPU_FE8_DEGREE1_H

static inline void fe8_zero(fe8 *r) { fp8_zero(r); }
static inline void fe8_one(fe8 *r) { fp8_one(r); }
static inline void fe8_add(fe8 *r, const fe8 *a, const fe8 *b) { fp8_add(r, a, b); }
static inline void fe8_sub(fe8 *r, const fe8 *a, const fe8 *b) { fp8_sub(r, a, b); }
static inline void fe8_sub_plus(fe8 *r, const fe8 *a, const fe8 *b, uint64_t m) { fp8_sub_plus(r, a, b, m); }
static inline void fe8_add_lazy(fe8 *r, const fe8 *a, const fe8 *b) { fp8_add_lazy(r, a, b); }
static inline void fe8_carry(fe8 *r) { fp8_carry(r); }
static inline void fe8_reduce(fe8 *r) { fp8_reduce_bits(r, 4); }
static inline void fe8_sub_signed(fe8 *r, const fe8 *a, m8 minus_a, const fe8 *b, m8 minus_b, uint64_t m) {
  fp8_sub_signed(r, a, minus_a, b, minus_b, m);
}
static inline m8 fe8_is_clear(const fe8 *a) { return fp8_is_clear(a); }
static inline m8 fe8_may_be_zero(const fe8 *a) { return fp8_may_be_zero(a); }
static inline void fe8_dbl(fe8 *r, const fe8 *a) { fp8_dbl(r, a); }
static inline void fe8_neg(fe8 *r, const fe8 *a) { fp8_neg(r, a); }
FE8_PRODUCT void fe8_mul(fe8 *r, const fe8 *a, const fe8 *b) { fp8_mul(r, a, b); }
FE8_PRODUCT void fe8_sqr(fe8 *r, const fe8 *a) { fp8_sqr(r, a); }

/* With six limbs, the columns of two products do not fit into the registers. With four, squaring is not faster than a
 * product that is computed beside another. */
static inline void fe8_mul_two(fe8 r[2], const fe8 a[2], const fe8 b[2]) {
  if (FP_LIMBS == 4) {
    fp8_mul_two(r, a, b);
  } else {
    for (int c = 0; c < 2; c++) fp8_mul(&r[c], &a[c], &b[c]);
  }
}

static inline void fe8_sqr_two(fe8 r[2], const fe8 a[2]) {
  if (FP_LIMBS == 4) {
    fp8_mul_two(r, a, a);
  } else {
    for (int c = 0; c < 2; c++) fp8_sqr(&r[c], &a[c]);
  }
}

static inline void fe8_cmov(fe8 *r, const fe8 *a, m8 mask) { fp8_cmov(r, a, mask); }
static inline m8 fe8_is_zero(const fe8 *a) { return fp8_is_zero(a); }
static inline m8 fe8_equal(const fe8 *a, const fe8 *b) { return fp8_equal(a, b); }

static inline void fe8_load_at(fe8 *r, const void *const at[8]) { fp8_load_rows(r, at, 0); }
static inline void fe8_load_raw_at(fe8 *r, const void *const at[8]) { fp8_load_raw_rows(r, at, 0); }
static inline void fe8_store_at(void *const at[8], const fe8 *a) { fp8_store_rows(at, 0, a); }
static inline void fe8_store_raw_at(void *const at[8], const fe8 *a) { fp8_store_raw_rows(at, 0, a); }
static inline void fe8_store_raw_wide_at(void *const at[8], const fe8 *a) { fp8_store_raw_wide_rows(at, 0, a); }
static inline void fe8_unscale(fe8 *r, const fe8 *a) { fp8_unscale(r, a); }
static inline void fe8_set1(fe8 *r, const fe *a) { fp8_set1(r, a); }
static inline void fe8_set1_raw(fe8 *r, const fe *a) { fp8_set1_raw(r, a); }

static inline void fe8_rotate(fe8 *r, const fe8 *a, int lanes) { fp8_rotate(r, a, lanes); }

#endif
