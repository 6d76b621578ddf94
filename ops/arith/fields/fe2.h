/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The quadratic extension c0 + c1 u, u^2 = -1, of a prime field with p = 3 mod 4. Contracts: ops/arith/field.h.
 */
#ifndef REPRISE_OPS_FE2_H
#define REPRISE_OPS_FE2_H

static inline void fe_zero(fe *r) { fp_zero(&r->c0), fp_zero(&r->c1); }
static inline void fe_one(fe *r) { fp_one(&r->c0), fp_zero(&r->c1); }
static inline int fe_equal(const fe *a, const fe *b) { return fp_equal(&a->c0, &b->c0) & fp_equal(&a->c1, &b->c1); }
static inline int fe_is_zero(const fe *a) { return fp_is_zero(&a->c0) & fp_is_zero(&a->c1); }
static inline void fe_add(fe *r, const fe *a, const fe *b) {
  fp_add(&r->c0, &a->c0, &b->c0), fp_add(&r->c1, &a->c1, &b->c1);
}
static inline void fe_sub(fe *r, const fe *a, const fe *b) {
  fp_sub(&r->c0, &a->c0, &b->c0), fp_sub(&r->c1, &a->c1, &b->c1);
}
static inline void fe_dbl(fe *r, const fe *a) { fp_dbl(&r->c0, &a->c0), fp_dbl(&r->c1, &a->c1); }
static inline void fe_neg(fe *r, const fe *a) { fp_neg(&r->c0, &a->c0), fp_neg(&r->c1, &a->c1); }

#if FP_ADX_ASSEMBLY && FP_BITS <= 64 * FP_LIMBS - 2
/* Four products, but two reductions, and hardly any sums. */
static inline void fe_mul(fe *r, const fe *a, const fe *b) {
  uint64_t c0[FP_LIMBS], c1[FP_LIMBS];
  fp minus;
  fp_neg(&minus, &a->c1);
  fp_mul_two_unreduced(c0, &a->c0, &b->c0, &minus, &b->c1);
  fp_mul_two_unreduced(c1, &a->c0, &b->c1, &a->c1, &b->c0);
  fp_reduce_once(&r->c0, c0, 0);
  fp_reduce_once(&r->c1, c1, 0);
}
#else
/* Karatsuba, with three products. */
static inline void fe_mul(fe *r, const fe *a, const fe *b) {
  fp s, t, u, v;
  fp_add(&s, &a->c0, &a->c1);
  fp_add(&t, &b->c0, &b->c1);
  fp_mul(&s, &s, &t);
  fp_mul(&u, &a->c0, &b->c0);
  fp_mul(&v, &a->c1, &b->c1);
  fp_sub(&r->c0, &u, &v);
  fp_sub(&s, &s, &u);
  fp_sub(&r->c1, &s, &v);
}
#endif

/* (c0 + c1)(c0 - c1) + 2 c0 c1 u */
static inline void fe_sqr(fe *r, const fe *a) {
  fp s, d, t;
  fp_add(&s, &a->c0, &a->c1);
  fp_sub(&d, &a->c0, &a->c1);
  fp_mul(&t, &a->c0, &a->c1);
  fp_mul(&r->c0, &s, &d);
  fp_dbl(&r->c1, &t);
}

static inline void fe_cmov(fe *r, const fe *a, int choose) {
  fp_cmov(&r->c0, &a->c0, choose);
  fp_cmov(&r->c1, &a->c1, choose);
}

/* c0^2 + c1^2 */
static inline void fe_norm(fp *r, const fe *a) {
  fp t;
  fp_sqr(&t, &a->c0);
  fp_sqr(r, &a->c1);
  fp_add(r, r, &t);
}

static inline void fe_conjugate(fe *r, const fe *a) {
  r->c0 = a->c0;
  fp_neg(&r->c1, &a->c1);
}

static inline void fe_mul_fp(fe *r, const fe *a, const fp *b) {
  const fp t = *b;
  fp_mul(&r->c0, &a->c0, &t);
  fp_mul(&r->c1, &a->c1, &t);
}

static inline void fe_inv_var(fe *r, const fe *a) {
  fp n;
  fe_norm(&n, a);
  fp_inv_var(&n, &n);
  fe_conjugate(r, a);
  fe_mul_fp(r, r, &n);
}

static inline void fe_inv_ct(fe *r, const fe *a) {
  fp n;
  fe_norm(&n, a);
  fp_inv_ct(&n, &n);
  fe_conjugate(r, a);
  fe_mul_fp(r, r, &n);
}

static inline void fe_pow(fe *r, const fe *a, const uint64_t *e, size_t n) {
  const fe base = *a;
  fe_one(r);
  for (size_t i = 64 * n; i-- > 0;) {
    fe_sqr(r, r);
    if (e[i / 64] >> i % 64 & 1) fe_mul(r, r, &base);
  }
}

/* With n^2 = c0^2 + c1^2, the root x + y u has x^2 = (c0 + n) / 2 or (c0 - n) / 2, and y = c1 / (2 x). */
static inline int fe_sqrt_var(fe *r, const fe *a) {
  fp n, x, y, t;
  if (fp_is_zero(&a->c1)) {
    if (fp_sqrt_var(&x, &a->c0)) {
      r->c0 = x, fp_zero(&r->c1);
    } else {
      fp_neg(&t, &a->c0);
      if (!fp_sqrt_var(&y, &t)) return 0;
      fp_zero(&r->c0), r->c1 = y;
    }
    return 1;
  }
  fe_norm(&n, a);
  if (!fp_sqrt_var(&n, &n)) return 0;
  fp_add(&t, &a->c0, &n);
  fp_halve(&t, &t);
  if (!fp_sqrt_var(&x, &t)) {
    fp_sub(&t, &t, &n);
    if (!fp_sqrt_var(&x, &t)) return 0;
  }
  fp_dbl(&t, &x);
  fp_inv_var(&t, &t);
  fp_mul(&r->c1, &a->c1, &t);
  r->c0 = x;
  return 1;
}

static inline int fe_from_canonical(fe *r, const uint64_t *canonical) {
  fe t;
  if (!fp_from_canonical(&t.c0, canonical) || !fp_from_canonical(&t.c1, canonical + FP_LIMBS)) return 0;
  *r = t;
  return 1;
}

static inline void fe_to_canonical(uint64_t *canonical, const fe *a) {
  fp_to_canonical(canonical, &a->c0);
  fp_to_canonical(canonical + FP_LIMBS, &a->c1);
}

static inline void fe_load(fe *r, const void *memory) { memcpy(r, memory, sizeof *r); }
static inline void fe_store(void *memory, const fe *a) { memcpy(memory, a, sizeof *a); }

#endif
