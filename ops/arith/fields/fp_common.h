/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * What all prime fields share, whatever their form. Contracts: ops/arith/field.h.
 */
#ifndef REPRISE_OPS_FP_COMMON_H
#define REPRISE_OPS_FP_COMMON_H

static inline void fp_zero(fp *r) { memset(r, 0, sizeof *r); }

static inline void fp_one(fp *r) {
  static const fp one = FP_ONE_64;
  *r = one;
}

static inline int fp_equal(const fp *a, const fp *b) {
  uint64_t d = 0;
  FP_UNROLL
  for (int i = 0; i < FP_LIMBS; i++) d |= a->v[i] ^ b->v[i];
  return d == 0;
}

static inline int fp_is_zero(const fp *a) {
  uint64_t d = 0;
  FP_UNROLL
  for (int i = 0; i < FP_LIMBS; i++) d |= a->v[i];
  return d == 0;
}

static inline void fp_dbl(fp *r, const fp *a) { fp_add(r, a, a); }

static inline void fp_cmov(fp *r, const fp *a, int choose) {
  const uint64_t mask = (uint64_t)0 - (uint64_t)choose;
  FP_UNROLL
  for (int i = 0; i < FP_LIMBS; i++) r->v[i] ^= mask & (r->v[i] ^ a->v[i]);
}

/* a / 2 */
static inline void fp_halve(fp *r, const fp *a) {
  const uint64_t odd = (uint64_t)0 - (a->v[0] & 1);
  uint64_t t[FP_LIMBS], carry = 0;
  FP_UNROLL
  for (int i = 0; i < FP_LIMBS; i++) t[i] = u64_add(a->v[i], fp_modulus[i] & odd, &carry);
  FP_UNROLL
  for (int i = 0; i < FP_LIMBS; i++) r->v[i] = t[i] >> 1 | (i + 1 < FP_LIMBS ? t[i + 1] : carry) << 63;
}

/* Left to right, four bits at a time. */
static inline void fp_pow(fp *r, const fp *a, const uint64_t *e, size_t n) {
  fp table[16];
  fp_one(&table[0]);
  for (int i = 1; i < 16; i++) fp_mul(&table[i], &table[i - 1], a);
  fp_one(r);
  for (size_t i = 16 * n; i-- > 0;) {
    for (int k = 0; k < 4; k++) fp_sqr(r, r);
    const unsigned digit = e[i / 16] >> 4 * (i % 16) & 15;
    if (digit) fp_mul(r, r, &table[digit]);
  }
}

static inline void fp_inv_ct(fp *r, const fp *a) {
  static const uint64_t exponent[FP_LIMBS] = FP_MODULUS_MINUS_2_64;
  fp_pow(r, a, exponent, FP_LIMBS);
}

/* For p = 3 mod 4 the root is a^((p + 1) / 4). Otherwise Tonelli and Shanks: with x = a^((t + 1) / 2), w = a^t and z of
 * order 2^s, the order of w is lowered until it is 1. */
static inline int fp_sqrt_var(fp *r, const fp *a) {
  static const uint64_t exponent[FP_LIMBS] = FP_SQRT_EXPONENT_64;
  fp x, w;
  fp_pow(&x, a, exponent, FP_LIMBS);
#if FP_TWO_ADICITY > 1
  static const fp root = FP_ROOT_SNARKJS_64;
  fp z = root, one, t;
  fp_one(&one);
  fp_mul(&t, &x, a);
  fp_mul(&w, &t, &x);
  x = t;
  for (int s = FP_TWO_ADICITY; !fp_is_zero(a) && !fp_equal(&w, &one);) {
    int k = 0; /* the order of w is 2^k */
    for (t = w; !fp_equal(&t, &one) && k < s; k++) fp_sqr(&t, &t);
    if (k >= s) return 0;
    for (; s > k + 1; s--) fp_sqr(&z, &z);
    fp_mul(&x, &x, &z);
    fp_sqr(&z, &z);
    fp_mul(&w, &w, &z);
    s = k;
  }
#endif
  fp_sqr(&w, &x);
  if (!fp_equal(&w, a)) return 0;
  *r = x;
  return 1;
}

static inline void fp_load(fp *r, const void *memory) { memcpy(r, memory, sizeof *r); }
static inline void fp_store(void *memory, const fp *a) { memcpy(memory, a, sizeof *a); }

static inline void fp_set_u32(fp *r, uint32_t x) {
  const fp_word integer[FP_LIMBS] = {x};
  fp_from_integer_reduce(r, integer);
}

static inline int fp_is_high_var(const fp *a) {
  static const uint64_t half[FP_LIMBS] = FP_HALF_64;
  fp_word c[FP_LIMBS];
  uint64_t borrow = 0;
  fp_to_canonical(c, a);
  FP_UNROLL
  for (int i = 0; i < FP_LIMBS; i++) (void)u64_sub(half[i], c[i], &borrow);
  return (int)borrow;
}

#endif
