/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Eight elements of a prime field in 52-bit digits. Contracts: ops/arith/simd8/fe8.h.
 *
 * Comparisons with 2p look only at the top digit, which holds at least 17 bits of p, so that a sum may exceed 2p by
 * less than 2^-14 p. This excess does not grow: every function accepts operands within the bound and returns a result
 * within it.
 */
#ifndef REPRISE_OPS_CPU_FP8_ARITHMETIC_H
#define REPRISE_OPS_CPU_FP8_ARITHMETIC_H

#define FP8_N FP_LIMBS52
#define FP8_TOP (FP8_N - 1)
#define FP8_MASK (UINT64_MAX >> 12)

/* Whether fp8_mul_two may use short steps: n0 is at most a quarter of 2^52, and p of S / 64, so that products stay
 * tight. */
#define FP8_SHORT_STEPS (FP_BITS + 6 <= 52 * FP_LIMBS52 && FP_N0_52 >> 50 == 0)

static const uint64_t fp8_modulus[FP8_N] = FP_MODULUS_52;

/* Digit i of m p, for m at most 2^11; the top digit may exceed 52 bits. */
static inline uint64_t fp8_multiple(uint64_t m, int i) {
  uint64_t carry = 0, digit = 0;
  for (int j = 0; j <= i; j++) {
    carry += m * fp8_modulus[j];
    digit = j == FP8_TOP ? carry : carry & FP8_MASK;
    carry >>= 52;
  }
  return digit;
}

/* Digit i of (n0 p + 1) / 2^52, where n0 is -1 / p mod 2^52. */
static inline uint64_t fp8_short_digit(int i) {
  uint128 carry = 1;
  uint64_t digit = 0;
  for (int j = 0; j <= i + 1; j++) {
    if (j < FP8_N) carry += (uint128)fp8_modulus[j] * FP_N0_52;
    digit = (uint64_t)carry & FP8_MASK;
    carry >>= 52;
  }
  return digit;
}

/* Propagates carries, which may be negative; the top digit may then become negative. */
static inline void fp8_carry(fp8 *r) {
  const v8 mask = v8_set1(FP8_MASK);
  RP_UNROLL for (int i = 0; i < FP8_TOP; i++) {
    r->v[i + 1] = v8_add(r->v[i + 1], v8_sar(r->v[i], 52));
    r->v[i] = v8_and(r->v[i], mask);
  }
}

static inline void fp8_zero(fp8 *r) { RP_UNROLL for (int i = 0; i < FP8_N; i++) r->v[i] = v8_set1(0); }

static inline void fp8_one(fp8 *r) {
  static const uint64_t one[FP8_N] = FP_ONE_52;
  RP_UNROLL for (int i = 0; i < FP8_N; i++) r->v[i] = v8_set1(one[i]);
}

static inline void fp8_cmov(fp8 *r, const fp8 *a, m8 mask) {
  RP_UNROLL for (int i = 0; i < FP8_N; i++) r->v[i] = v8_select(mask, r->v[i], a->v[i]);
}

/* Lane i takes lane (i + lanes) mod 8; lanes is 1, 2 or 4. */
static inline void fp8_rotate(fp8 *r, const fp8 *a, int lanes) {
  RP_UNROLL for (int i = 0; i < FP8_N; i++) r->v[i] = lanes == 4   ? v8_rotate4(a->v[i])
                                                      : lanes == 2 ? v8_rotate2(a->v[i])
                                                                   : v8_rotate1(a->v[i]);
}

static inline void fp8_add(fp8 *r, const fp8 *a, const fp8 *b) {
  RP_UNROLL for (int i = 0; i < FP8_N; i++) r->v[i] = v8_add(a->v[i], b->v[i]);
  const m8 above = v8_gt(r->v[FP8_TOP], v8_set1(fp8_multiple(2, FP8_TOP)));
  RP_UNROLL for (int i = 0; i < FP8_N; i++) r->v[i] = v8_sub_if(above, r->v[i], v8_set1(fp8_multiple(2, i)));
  fp8_carry(r);
}

/* a - b, plus 2p unless a's top digit is larger. If a is near 0 and b above 2p, that is slightly negative, and 3p is
 * added instead. */
static inline void fp8_sub(fp8 *r, const fp8 *a, const fp8 *b) {
  RP_UNROLL for (int i = 0; i < FP8_N; i++) r->v[i] = v8_sub(a->v[i], b->v[i]);
  const v8 top = r->v[FP8_TOP];
  const m8 below = (m8)~v8_gt(top, v8_set1(0)), far_below = v8_gt(v8_set1(2 - fp8_multiple(2, FP8_TOP)), top);
  RP_UNROLL for (int i = 0; i < FP8_N; i++) {
    r->v[i] = v8_add_if(below, r->v[i], v8_set1(fp8_multiple(2, i)));
    r->v[i] = v8_add_if(far_below, r->v[i], v8_set1(fp8_modulus[i]));
  }
  fp8_carry(r);
}

static inline void fp8_dbl(fp8 *r, const fp8 *a) { fp8_add(r, a, a); }

static inline void fp8_neg(fp8 *r, const fp8 *a) {
  fp8 zero;
  fp8_zero(&zero);
  fp8_sub(r, &zero, a);
}

static inline void fp8_add_lazy(fp8 *r, const fp8 *a, const fp8 *b) {
  RP_UNROLL for (int i = 0; i < FP8_N; i++) r->v[i] = v8_add(a->v[i], b->v[i]);
}

static inline void fp8_sub_lazy(fp8 *r, const fp8 *a, const fp8 *b) {
  RP_UNROLL for (int i = 0; i < FP8_N; i++) r->v[i] = v8_add(v8_sub(a->v[i], b->v[i]), v8_set1(fp8_multiple(4, i)));
}

static inline void fp8_sub_plus(fp8 *r, const fp8 *a, const fp8 *b, uint64_t m) {
  RP_UNROLL for (int i = 0; i < FP8_N; i++) r->v[i] = v8_add(v8_sub(a->v[i], b->v[i]), v8_set1(fp8_multiple(m, i)));
  fp8_carry(r);
}

static inline void fp8_sub_signed(fp8 *r, const fp8 *a, m8 minus_a, const fp8 *b, m8 minus_b, uint64_t m) {
  RP_UNROLL for (int i = 0; i < FP8_N; i++) {
    const v8 x = v8_add_or_sub(minus_a, v8_set1(fp8_multiple(m, i)), a->v[i]);
    r->v[i] = v8_add_or_sub((m8)~minus_b, x, b->v[i]);
  }
  fp8_carry(r);
}

/* For a = k p the product of the lowest digit with -1 / p is -k mod 2^52. Multiples below 8p are all found; other
 * values match with probability 2^-49. */
static inline m8 fp8_may_be_zero(const fp8 *a) {
  const v8 k = v8_and(v8_madlo(v8_set1(7), a->v[0], v8_set1(FP_N0_52)), v8_set1(FP8_MASK));
  return v8_gt(v8_set1(8), k);
}

/* ---- Products ---------------------------------------------------------------------------------------------------- */

static inline void fp8_wide_zero(fp8_wide *w) { RP_UNROLL for (int i = 0; i < 2 * FP8_N; i++) w->v[i] = v8_set1(0); }

/* w += a b, for one digit a. */
static inline void fp8_wide_add_row(v8 *w, v8 a, const fp8 *b) {
  RP_UNROLL for (int j = 0; j < FP8_N; j++) w[j] = v8_madlo(w[j], a, b->v[j]);
  RP_UNROLL for (int j = 0; j < FP8_N; j++) w[j + 1] = v8_madhi(w[j + 1], a, b->v[j]);
}

/* Each product adds up to 2n terms below 2^52 to a column, so that 64 bits hold 2^12 / 2n products. */
static inline void fp8_wide_add_mul(fp8_wide *w, const fp8 *a, const fp8 *b) {
  RP_UNROLL for (int i = 0; i < FP8_N; i++) fp8_wide_add_row(w->v + i, a->v[i], b);
}

/* One step of Montgomery's reduction: adds the multiple of p that clears the lowest digit of t, and the carry of its
 * column to the next one. Columns may be negative. m is chosen so that the lowest column plus the low half of its
 * product with the modulus is a multiple of 2^52; only the carry is needed, which is the column divided by 2^52,
 * rounded up. */
static inline void fp8_redc_step(v8 *t) {
  const v8 m = v8_madlo(v8_set1(0), t[0], v8_set1(FP_N0_52));
  t[1] = v8_add(t[1], v8_sar(v8_add(t[0], v8_set1(FP8_MASK)), 52));
  RP_UNROLL for (int j = 1; j < FP8_N; j++) t[j] = v8_madlo(t[j], m, v8_set1(fp8_modulus[j]));
  RP_UNROLL for (int j = 0; j < FP8_N; j++) t[j + 1] = v8_madhi(t[j + 1], m, v8_set1(fp8_modulus[j]));
}

/* The same with the multiple t[0] n0 p, one digit longer than m p: since n0 p + 1 is a multiple of 2^52, no m has to be
 * computed first, and the next step waits for one product instead of three. */
static inline void fp8_redc_short_step(v8 *t) {
  const v8 carry = v8_sar(t[0], 52);
  RP_UNROLL for (int j = 0; j < FP8_N; j++) t[j + 1] = v8_madlo(t[j + 1], t[0], v8_set1(fp8_short_digit(j)));
  RP_UNROLL for (int j = 0; j < FP8_N; j++) t[j + 2] = v8_madhi(t[j + 2], t[0], v8_set1(fp8_short_digit(j)));
  t[1] = v8_add(t[1], carry);
}

/* Montgomery's reduction, digit by digit: t / S mod p, below t / S + p, is left in the upper columns. */
static inline void fp8_redc_columns(v8 t[2 * FP8_N]) { RP_UNROLL for (int i = 0; i < FP8_N; i++) fp8_redc_step(t + i); }

static inline void fp8_redc(fp8 *r, v8 t[2 * FP8_N]) {
  fp8_redc_columns(t);
  RP_UNROLL for (int i = 0; i < FP8_N; i++) r->v[i] = t[FP8_N + i];
  fp8_carry(r);
}

/* The product of tight values is below 4p^2 / S + p, at most 5/4 p. */
FP8_PRODUCT void fp8_mul(fp8 *r, const fp8 *a, const fp8 *b) {
  fp8_wide w;
  fp8_wide_zero(&w);
  fp8_wide_add_mul(&w, a, b);
  fp8_redc(r, w.v);
}

/* The products a[c] b[c] / S mod p, for c = 0 and 1, in the upper columns of w[c]. Steps alternate, so that the one's
 * additions fill the time in which the other waits for its own. After short steps the result is below t / S + (1 + n0 /
 * 2^52) p, where t is the product: at most 5/4 p more than t / S where they are used. */
static inline void fp8_mul_two_columns(fp8_wide w[2], const fp8 *const a[2], const fp8 *const b[2]) {
  RP_UNROLL for (int c = 0; c < 2; c++) fp8_wide_zero(&w[c]);
  RP_UNROLL for (int i = 0; i < FP8_N; i++) {
    RP_UNROLL for (int c = 0; c < 2; c++) fp8_wide_add_row(w[c].v + i, a[c]->v[i], b[c]);
  }
  RP_UNROLL for (int i = 0; i < FP8_N; i++) {
    RP_UNROLL for (int c = 0; c < 2; c++) {
      if (FP8_SHORT_STEPS && i < FP8_TOP) {
        fp8_redc_short_step(w[c].v + i);
      } else {
        fp8_redc_step(w[c].v + i);
      }
    }
  }
}

FP8_CALL void fp8_mul_two(fp8 *r, const fp8 *a, const fp8 *b) {
  const fp8 *const left[2] = {&a[0], &a[1]}, *const right[2] = {&b[0], &b[1]};
  fp8_wide w[2];
  fp8_mul_two_columns(w, left, right);
  RP_UNROLL for (int c = 0; c < 2; c++) {
    RP_UNROLL for (int i = 0; i < FP8_N; i++) r[c].v[i] = w[c].v[FP8_N + i];
    fp8_carry(&r[c]);
  }
}

FP8_PRODUCT void fp8_sqr(fp8 *r, const fp8 *a) {
  fp8_wide w;
  fp8_wide_zero(&w);
  RP_UNROLL for (int i = 0; i < FP8_N; i++) {
    RP_UNROLL for (int j = i + 1; j < FP8_N; j++) {
      w.v[i + j] = v8_madlo(w.v[i + j], a->v[i], a->v[j]);
      w.v[i + j + 1] = v8_madhi(w.v[i + j + 1], a->v[i], a->v[j]);
    }
  }
  RP_UNROLL for (int i = 0; i < FP8_N; i++) {
    w.v[2 * i] = v8_madlo(v8_add(w.v[2 * i], w.v[2 * i]), a->v[i], a->v[i]);
    w.v[2 * i + 1] = v8_madhi(v8_add(w.v[2 * i + 1], w.v[2 * i + 1]), a->v[i], a->v[i]);
  }
  fp8_redc(r, w.v);
}

/* ---- Reduction --------------------------------------------------------------------------------------------------- */

/* Reduces r < 2^bits p, for bits <= 32, to below p + 2^-14 p. Let t be the top 52 bits of r and p' those of p, rounded
 * up: q = t 2^103 / p' / 2^(103 - bits) is the quotient or one less, since each rounding costs less than 2^(bits -
 * 50). */
static inline void fp8_reduce_bits(fp8 *r, int bits) {
  enum { P_LOW = FP_BITS - 52 };
  const uint64_t p_top = (fp8_modulus[P_LOW / 52] >> P_LOW % 52) +
                         (P_LOW % 52 ? fp8_modulus[P_LOW / 52 + 1] << (52 - P_LOW % 52) & FP8_MASK : 0) + 1;
  const uint64_t mu = (uint64_t)(((uint128)1 << 103) / p_top);
  const int low = P_LOW + bits, word = low / 52, shift = low % 52;
  v8 t = v8_shr(r->v[word], (unsigned)shift);
  if (shift && word < FP8_TOP) t = v8_or(t, v8_shl(r->v[word + 1], (unsigned)(52 - shift)));
  const v8 q = v8_shr(v8_madhi(v8_set1(0), t, v8_set1(mu)), (unsigned)(51 - bits));
  /* r - q p is r + q (S - p) mod S */
  uint64_t carry = 1;
  RP_UNROLL for (int i = 0; i < FP8_N; i++) {
    const uint64_t x = (~fp8_modulus[i] & FP8_MASK) + carry;
    carry = x >> 52;
    const v8 minus = v8_set1(x & FP8_MASK);
    r->v[i] = v8_madlo(r->v[i], q, minus);
    if (i < FP8_TOP) r->v[i + 1] = v8_madhi(r->v[i + 1], q, minus);
  }
  fp8_carry(r);
  r->v[FP8_TOP] = v8_and(r->v[FP8_TOP], v8_set1(FP8_MASK));
}

static inline void fp8_tighten(fp8 *r) {
  fp8_carry(r);
  fp8_reduce_bits(r, 4);
}

/* A sum of 32 products of tight values is reduced to below (32 * 4 p / S + 1) p, at most 9p. */
static inline void fp8_wide_reduce(fp8 *r, const fp8_wide *w) {
  fp8_wide t = *w;
  fp8_redc(r, t.v);
  fp8_reduce_bits(r, 4);
}

/* Subtracts limit in the lanes where a >= limit. Exact; digits must be proper and stay so. */
static inline void fp8_sub_once(fp8 *a, const uint64_t limit[FP8_N]) {
  fp8 d;
  RP_UNROLL for (int i = 0; i < FP8_N; i++) d.v[i] = v8_sub(a->v[i], v8_set1(limit[i]));
  fp8_carry(&d);
  fp8_cmov(a, &d, (m8)~v8_gt(v8_set1(0), d.v[FP8_TOP]));
}

/* From tight to [0, p). */
static inline void fp8_canonical(fp8 *a) {
  fp8_sub_once(a, fp8_modulus);
  fp8_sub_once(a, fp8_modulus);
}

/* A tight value is zero mod p when it is 0, p or 2p. */
static inline m8 fp8_is_zero(const fp8 *a) {
  const v8 zero = v8_set1(0);
  v8 d0 = zero, d1 = zero, d2 = zero;
  RP_UNROLL for (int i = 0; i < FP8_N; i++) {
    d0 = v8_or(d0, a->v[i]);
    d1 = v8_or_xor(d1, a->v[i], v8_set1(fp8_modulus[i]));
    d2 = v8_or_xor(d2, a->v[i], v8_set1(fp8_multiple(2, i)));
  }
  return v8_eq(d0, zero) | v8_eq(d1, zero) | v8_eq(d2, zero);
}

static inline m8 fp8_is_clear(const fp8 *a) {
  v8 any = a->v[0];
  RP_UNROLL for (int i = 1; i < FP8_N; i++) any = v8_or(any, a->v[i]);
  return v8_eq(any, v8_set1(0));
}

static inline m8 fp8_equal(const fp8 *a, const fp8 *b) {
  fp8 d;
  fp8_sub(&d, a, b);
  return fp8_is_zero(&d);
}

#endif
