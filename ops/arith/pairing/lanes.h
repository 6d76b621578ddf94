/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Fp12 of ops/arith/pairing/tower.h over eight lanes, for one pairing at a time: the lanes are the coefficients. Lane 3
 * j + i of `re` and `im` is the real and the imaginary part of the coefficient of v^i w^j, that is of w^(2 i + j);
 * lanes 6 and 7 are zero modulo p. A product is schoolbook: for every power of w, the first factor is shifted by it
 * (coefficients that pass w^6 are multiplied by xi) and multiplied by one coefficient of the second factor. The sums of
 * products are reduced once.
 *
 * Ranges, as working values of fe8.h with proper digits: every function takes values of at most 2p and returns values
 * below 1.6p; S / p is at least 84. Results may alias operands. The values are public, so time may depend on them.
 */
#ifndef REPRISE_OPS_PAIRING_LANES_H
#define REPRISE_OPS_PAIRING_LANES_H

#include "arith/pairing/tower.h"
#include "arith/simd8/fe8.h"

typedef struct lanes12 {
  fp8 re, im;
} lanes12;

typedef struct lane_choice {
  uint64_t from[8]; /* source lane; 8 more for a lane of the second vector */
} lane_choice;

static inline void fp8_choose(fp8 *r, const fp8 *a, const fp8 *b, const lane_choice *c) {
#if RP_SIMD8_IFMA
  const v8 index = v8_load(c->from);
  RP_UNROLL for (int i = 0; i < FP8_N; i++) r->v[i] = _mm512_permutex2var_epi64(a->v[i], index, b->v[i]);
#else
  for (int i = 0; i < FP8_N; i++) {
    uint64_t from[16], to[8];
    v8_store(from, a->v[i]);
    v8_store(from + 8, b->v[i]);
    for (int k = 0; k < 8; k++) to[k] = from[c->from[k]];
    r->v[i] = v8_load(to);
  }
#endif
}

static inline void lanes_choose(lanes12 *r, const lanes12 *a, const lanes12 *b, const lane_choice *c) {
  fp8_choose(&r->re, &a->re, &b->re, c);
  fp8_choose(&r->im, &a->im, &b->im, c);
}

/* r = m p - a */
static inline void fp8_from_multiple(fp8 *r, uint64_t m, const fp8 *a) {
  RP_UNROLL for (int i = 0; i < FP8_N; i++) r->v[i] = v8_sub(v8_set1(fp8_multiple(m, i)), a->v[i]);
  fp8_carry(r);
}

/* r = xi a, for a at most 5p on BLS12 and 3p on BN; the result is reduced by fp8_reduce_bits. */
static inline void lanes_mul_xi(lanes12 *r, const lanes12 *a) {
  const uint64_t most = PAIRING_XI_C0 == 9 ? 3 : 5;
  lanes12 t;
  RP_UNROLL for (int i = 0; i < FP8_N; i++) {
    v8 x = a->re.v[i], y = a->im.v[i];
    if (PAIRING_XI_C0 == 9) x = v8_add(x, v8_shl(x, 3)), y = v8_add(y, v8_shl(y, 3));
    t.re.v[i] = v8_add(v8_sub(x, a->im.v[i]), v8_set1(fp8_multiple(most, i)));
    t.im.v[i] = v8_add(y, a->re.v[i]);
  }
  fp8_carry(&t.re), fp8_reduce_bits(&t.re, 5);
  fp8_carry(&t.im), fp8_reduce_bits(&t.im, 5);
  *r = t;
}

/* re + im u += a b in Fp2, lane by lane; minus_im is congruent to minus the imaginary part of b, and not negative. */
static inline void lanes_add_re(fp8_wide *re, const lanes12 *a, const fp8 *b_re, const fp8 *minus_im) {
  fp8_wide_add_mul(re, &a->re, b_re);
  fp8_wide_add_mul(re, &a->im, minus_im);
}
static inline void lanes_add_im(fp8_wide *im, const lanes12 *a, const fp8 *b_re, const fp8 *b_im) {
  fp8_wide_add_mul(im, &a->re, b_im);
  fp8_wide_add_mul(im, &a->im, b_re);
}

/* Digits of all lanes in memory, so that one lane's can be broadcast to all. */
typedef struct lanes_digits {
  uint64_t digit[FP8_N][8];
} lanes_digits;

static inline void lanes_spread(lanes_digits *r, const fp8 *a) {
  RP_UNROLL for (int i = 0; i < FP8_N; i++) v8_store(r->digit[i], a->v[i]);
}

static inline void fp8_of_lane(fp8 *r, const lanes_digits *a, int lane) {
  RP_UNROLL for (int i = 0; i < FP8_N; i++) r->v[i] = v8_set1(a->digit[i][lane]);
}

/* Lane 3 j + i holds w^(2 i + j). */
static const int lane_of_power[6] = {0, 3, 1, 4, 2, 5};

/* The choice that multiplies by w^s, from a and xi a. */
static const lane_choice lanes_shift[6] = {{{0, 1, 2, 3, 4, 5, 6, 7}},
                                           {{5 + 8, 3, 4, 0, 1, 2, 6, 7}},
                                           {{2 + 8, 0, 1, 5 + 8, 3, 4, 6, 7}},
                                           {{4 + 8, 5 + 8, 3, 2 + 8, 0, 1, 6, 7}},
                                           {{1 + 8, 2 + 8, 0, 4 + 8, 5 + 8, 3, 6, 7}},
                                           {{3 + 8, 4 + 8, 5 + 8, 1 + 8, 2 + 8, 0, 6, 7}}};

FP8_CALL void lanes_mul(lanes12 *r, const lanes12 *a, const lanes12 *b) {
  lanes12 xi, shifted[6];
  lanes_digits re, im, minus_im;
  fp8 minus, x, y;
  fp8_wide t;
  fp8_from_multiple(&minus, 2, &b->im);
  lanes_spread(&re, &b->re), lanes_spread(&im, &b->im), lanes_spread(&minus_im, &minus);
  lanes_mul_xi(&xi, a);
  for (int s = 0; s < 6; s++) lanes_choose(&shifted[s], a, &xi, &lanes_shift[s]);
  fp8_wide_zero(&t);
  for (int s = 0; s < 6; s++) {
    fp8_of_lane(&x, &re, lane_of_power[s]), fp8_of_lane(&y, &minus_im, lane_of_power[s]);
    lanes_add_re(&t, &shifted[s], &x, &y);
  }
  fp8_redc(&r->re, t.v);
  fp8_wide_zero(&t);
  for (int s = 0; s < 6; s++) {
    fp8_of_lane(&x, &re, lane_of_power[s]), fp8_of_lane(&y, &im, lane_of_power[s]);
    lanes_add_im(&t, &shifted[s], &x, &y);
  }
  fp8_redc(&r->im, t.v);
}

/* With a = a0 + a1 w and m = a0 a1: the square is ((a0 + a1)(a0 + v a1) - m - v m) + 2 m w. Both products in Fp6 are
 * done side by side, in lanes 0 to 2 and 3 to 5. */
FP8_CALL void lanes_sqr(lanes12 *r, const lanes12 *a) {
  static const lane_choice low = {{0, 1, 2, 0, 1, 2, 6, 7}}, high = {{3, 4, 5, 6, 6, 6, 6, 7}},
                           high_v = {{5 + 8, 3, 4, 6, 6, 6, 6, 7}}, first_high = {{0, 1, 2, 3 + 8, 4 + 8, 5 + 8, 6, 7}},
                           times_v[3] = {{{0, 1, 2, 3, 4, 5, 6, 7}},
                                         {{2 + 8, 0, 1, 5 + 8, 3, 4, 6, 7}},
                                         {{1 + 8, 2 + 8, 0, 4 + 8, 5 + 8, 3, 6, 7}}},
                           spread[3] = {
                               {{0, 0, 0, 3, 3, 3, 6, 7}}, {{1, 1, 1, 4, 4, 4, 6, 7}}, {{2, 2, 2, 5, 5, 5, 6, 7}}};
  lanes12 xi, x, y, t, s[3], b;
  fp8_wide re, im;
  fp8 minus;
  lanes_mul_xi(&xi, a);
  lanes_choose(&x, a, a, &low);
  lanes_choose(&t, a, a, &high);
  fp8_add_lazy(&x.re, &x.re, &t.re), fp8_add_lazy(&x.im, &x.im, &t.im); /* a0 + a1, a0 */
  lanes_choose(&t, a, &xi, &high_v);
  fp8_add_lazy(&y.re, &a->re, &t.re), fp8_add_lazy(&y.im, &a->im, &t.im);
  lanes_choose(&y, &y, a, &first_high); /* a0 + v a1, a1 */
  fp8_carry(&x.re), fp8_carry(&x.im), fp8_carry(&y.re), fp8_carry(&y.im);
  fp8_reduce_bits(&x.re, 4), fp8_reduce_bits(&x.im, 4);
  lanes_mul_xi(&xi, &x);
  fp8_wide_zero(&re), fp8_wide_zero(&im);
  for (int i = 0; i < 3; i++) lanes_choose(&s[i], &x, &xi, &times_v[i]);
  for (int i = 0; i < 3; i++) {
    lanes_choose(&b, &y, &y, &spread[i]);
    fp8_from_multiple(&minus, 4, &b.im);
    lanes_add_re(&re, &s[i], &b.re, &minus);
  }
  for (int i = 0; i < 3; i++) {
    lanes_choose(&b, &y, &y, &spread[i]);
    lanes_add_im(&im, &s[i], &b.re, &b.im);
  }
  fp8_redc(&t.re, re.v), fp8_redc(&t.im, im.v); /* below 2p */
  lanes_mul_xi(&xi, &t);
  lanes_choose(&x, &t, &t, &high), lanes_choose(&y, &t, &xi, &high_v);
  const m8 first = 7;
  RP_UNROLL for (int i = 0; i < FP8_N; i++) {
    const v8 four = v8_set1(fp8_multiple(4, i));
    v8 p = v8_sub(v8_sub(v8_add(t.re.v[i], four), x.re.v[i]), y.re.v[i]);
    r->re.v[i] = v8_select(first, v8_add(t.re.v[i], t.re.v[i]), p);
    p = v8_sub(v8_sub(v8_add(t.im.v[i], four), x.im.v[i]), y.im.v[i]);
    r->im.v[i] = v8_select(first, v8_add(t.im.v[i], t.im.v[i]), p);
  }
  fp8_carry(&r->re), fp8_reduce_bits(&r->re, 4);
  fp8_carry(&r->im), fp8_reduce_bits(&r->im, 4);
}

/* The square in the cyclotomic subgroup (Granger, Scott, ePrint 2009/565, section 3.2). With the pairs (x, y) = (c00,
 * c11), (c10, c02), (c01, c12), lanes 0 to 2 become 3 (x^2 + xi y^2) - 2 g, and lanes 3 to 5, each from another pair, 6
 * x y + 2 g, where g is the old value of the lane. */
FP8_CALL void lanes_cyclotomic_sqr(lanes12 *r, const lanes12 *a) {
  static const lane_choice p1 = {{0, 3, 1, 1, 0, 3, 6, 7}}, q1 = {{0, 3, 1, 5 + 8, 4, 2, 6, 7}},
                           p2 = {{4, 2, 5, 1, 0, 3, 6, 7}}, q2 = {{4 + 8, 2 + 8, 5 + 8, 5 + 8, 4, 2, 6, 7}};
  lanes12 xi, p[2], q[2], t;
  fp8 minus[2];
  fp8_wide w;
  lanes_mul_xi(&xi, a);
  lanes_choose(&p[0], a, a, &p1), lanes_choose(&q[0], a, &xi, &q1);
  lanes_choose(&p[1], a, a, &p2), lanes_choose(&q[1], a, &xi, &q2);
  for (int i = 0; i < 2; i++) fp8_from_multiple(&minus[i], 2, &q[i].im);
  fp8_wide_zero(&w);
  for (int i = 0; i < 2; i++) lanes_add_re(&w, &p[i], &q[i].re, &minus[i]);
  fp8_redc(&t.re, w.v);
  fp8_wide_zero(&w);
  for (int i = 0; i < 2; i++) lanes_add_im(&w, &p[i], &q[i].re, &q[i].im);
  fp8_redc(&t.im, w.v);
  const m8 first = 7;
  RP_UNROLL for (int i = 0; i < FP8_N; i++) {
    const v8 four = v8_set1(fp8_multiple(4, i));
    v8 t3 = v8_add(v8_add(t.re.v[i], t.re.v[i]), t.re.v[i]), g2 = v8_add(a->re.v[i], a->re.v[i]);
    r->re.v[i] = v8_add(t3, v8_select(first, g2, v8_sub(four, g2)));
    t3 = v8_add(v8_add(t.im.v[i], t.im.v[i]), t.im.v[i]), g2 = v8_add(a->im.v[i], a->im.v[i]);
    r->im.v[i] = v8_add(t3, v8_select(first, g2, v8_sub(four, g2)));
  }
  fp8_carry(&r->re), fp8_reduce_bits(&r->re, 4);
  fp8_carry(&r->im), fp8_reduce_bits(&r->im, 4);
}

/* Two lines of one pair, evaluated at P: four lanes per line, which hold slope times -x/y and offset times 1/y. */
typedef struct lanes_lines {
  lanes_digits value, minus;
} lanes_lines;

/* f *= the line `which` (0 or 1). D-twist: 1 + slope w + offset w^3; M-twist: offset + slope w^2 + w^3. */
FP8_CALL void lanes_mul_line(lanes12 *f, const lanes_lines *l, int which) {
  enum {
    SLOPE_POWER = PAIRING_M_TWIST ? 2 : 1,
    OFFSET_POWER = PAIRING_M_TWIST ? 0 : 3,
    ONE_POWER = PAIRING_M_TWIST ? 3 : 0
  };
  lanes12 xi, s[2], one;
  fp8 x, y;
  fp8_wide t;
  lanes_mul_xi(&xi, f);
  lanes_choose(&s[0], f, &xi, &lanes_shift[SLOPE_POWER]);
  lanes_choose(&s[1], f, &xi, &lanes_shift[OFFSET_POWER]);
  lanes_choose(&one, f, &xi, &lanes_shift[ONE_POWER]);
  fp8_wide_zero(&t);
  for (int i = 0; i < 2; i++) {
    fp8_of_lane(&x, &l->value, 4 * which + 2 * i), fp8_of_lane(&y, &l->minus, 4 * which + 2 * i + 1);
    lanes_add_re(&t, &s[i], &x, &y);
  }
  fp8_redc_columns(t.v);
  RP_UNROLL for (int i = 0; i < FP8_N; i++) f->re.v[i] = v8_add(t.v[FP8_N + i], one.re.v[i]);
  fp8_wide_zero(&t);
  for (int i = 0; i < 2; i++) {
    fp8_of_lane(&x, &l->value, 4 * which + 2 * i), fp8_of_lane(&y, &l->value, 4 * which + 2 * i + 1);
    lanes_add_im(&t, &s[i], &x, &y);
  }
  fp8_redc_columns(t.v);
  RP_UNROLL for (int i = 0; i < FP8_N; i++) f->im.v[i] = v8_add(t.v[FP8_N + i], one.im.v[i]);
  fp8_carry(&f->re), fp8_reduce_bits(&f->re, 4);
  fp8_carry(&f->im), fp8_reduce_bits(&f->im, 4);
}

static inline void lanes_conjugate(lanes12 *r, const lanes12 *a) {
  const m8 high = 0x38;
  RP_UNROLL for (int i = 0; i < FP8_N; i++) {
    const v8 two = v8_set1(fp8_multiple(2, i));
    r->re.v[i] = v8_select(high, a->re.v[i], v8_sub(two, a->re.v[i]));
    r->im.v[i] = v8_select(high, a->im.v[i], v8_sub(two, a->im.v[i]));
  }
  fp8_carry(&r->re), fp8_carry(&r->im);
}

static inline void lanes_load(lanes12 *r, const fp12 *a) {
  static const fe zero;
  const void *at[8];
  for (int k = 0; k < 8; k++) at[k] = k < 6 ? &a->c[k / 3].c[k % 3] : &zero;
  fp8_load_rows(&r->re, at, 0);
  fp8_load_rows(&r->im, at, sizeof(fp));
}

static inline void lanes_store(fp12 *r, const lanes12 *a) {
  fe rest;
  void *at[8];
  for (int k = 0; k < 8; k++) at[k] = k < 6 ? &r->c[k / 3].c[k % 3] : &rest;
  fp8_store_rows(at, 0, &a->re);
  fp8_store_rows(at, sizeof(fp), &a->im);
}

static inline void lanes_frobenius(lanes12 *r, const lanes12 *a) {
  fp12 power;
  lanes12 c;
  fp8 minus, minus_im;
  fp8_wide t;
  lanes12 conjugate = *a;
  for (int k = 0; k < 6; k++) power.c[k % 2].c[k / 2] = fp12_frobenius_power[k];
  fe_one(&power.c[0].c[0]);
  lanes_load(&c, &power);
  fp8_from_multiple(&minus, 2, &c.im);
  fp8_from_multiple(&minus_im, 2, &a->im);
  conjugate.im = minus_im;
  fp8_wide_zero(&t);
  lanes_add_re(&t, &conjugate, &c.re, &minus);
  fp8_redc(&r->re, t.v);
  fp8_wide_zero(&t);
  lanes_add_im(&t, &conjugate, &c.re, &c.im);
  fp8_redc(&r->im, t.v);
}

/* Lanes: (-x/y) 2^k twice, (1/y) 2^k twice, then the same four again, with k of fp8_memory.h. The product with the raw
 * coefficients of two lines is then a working value. */
static inline void lanes_evaluator(fp8 *r, const fp *neg_x_over_y, const fp *inv_y) {
  fp e[2] = {*neg_x_over_y, *inv_y};
  const void *at[8];
  for (int i = 0; i < FP8_K; i++) fp_dbl(&e[0], &e[0]), fp_dbl(&e[1], &e[1]);
  for (int k = 0; k < 8; k++) at[k] = &e[k / 2 % 2];
  fp8_load_rows(r, at, 0);
}

/* `lines` points to two lines, each slope and offset. */
static inline void lanes_evaluate(lanes_lines *r, const void *lines, const fp8 *at_p) {
  const void *at[8];
  fp8 t, minus;
  for (int k = 0; k < 8; k++) at[k] = (const fp *)lines + k;
  fp8_load_raw_rows(&t, at, 0);
  fp8_mul(&t, &t, at_p);
  fp8_from_multiple(&minus, 2, &t);
  lanes_spread(&r->value, &t), lanes_spread(&r->minus, &minus);
}

#endif
