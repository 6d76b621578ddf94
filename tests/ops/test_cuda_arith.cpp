/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The field and point arithmetic of the CUDA kernels, compiled for the processor (cuda_host/ has what CUDA C has beyond
 * C++) and compared with products word by word and with the plain formulas. No GPU is needed, so that a mistake in a
 * carry chain is found wherever the tests run. One executable per curve.
 */
#include "arith/curve.cuh"
#include "arith/endomorphism.cuh"
#include "arith/held.cuh"
#include "arith/jacobian.cuh"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t state = 0x9e3779b97f4a7c15u;
static uint32_t random_word() {
  state ^= state << 13, state ^= state >> 7, state ^= state << 17;
  return (uint32_t)(state >> 16);
}

static void demand(bool good, const char *what) {
  if (good) return;
  fprintf(stderr, "%s: %s differs\n", CURVE_NAME, what);
  exit(1);
}

static bool same(const void *a, const void *b, size_t bytes) { return memcmp(a, b, bytes) == 0; }
#define SAME(a, b, what) demand(same(&(a), &(b), sizeof(a)), what)

/* a b / R modulo p, word by word. */
static fp plain_mul(const fp &a, const fp &b) {
  uint32_t t[2 * FP_N + 1] = {0};
  for (int i = 0; i < FP_N; i++) {
    uint64_t c = 0;
    for (int j = 0; j < FP_N; j++) c += (uint64_t)a.v[i] * b.v[j] + t[i + j], t[i + j] = (uint32_t)c, c >>= 32;
    t[i + FP_N] = (uint32_t)c;
  }
  for (int i = 0; i < FP_N; i++) {
    const uint32_t m = t[i] * FP_N0_32;
    uint64_t c = 0;
    for (int j = 0; j < FP_N; j++) c += (uint64_t)m * fp_p(j) + t[i + j], t[i + j] = (uint32_t)c, c >>= 32;
    for (int j = i + FP_N; j <= 2 * FP_N; j++) c += t[j], t[j] = (uint32_t)c, c >>= 32;
  }
  fp r, less;
  uint64_t borrow = 0;
  for (int i = 0; i < FP_N; i++) {
    const uint64_t d = (uint64_t)t[FP_N + i] - fp_p(i) - borrow;
    r.v[i] = t[FP_N + i], less.v[i] = (uint32_t)d, borrow = d >> 63;
  }
  return t[2 * FP_N] >= borrow ? less : r;
}

/* ---- Values ------------------------------------------------------------------------------------------------------ */

/* x without the bits above those of p, and below p. */
static fp limited(fp x) {
  for (int i = 0; i < FP_N; i++)
    x.v[i] &= FP_BITS >= 32 * (i + 1) ? ~0u : FP_BITS <= 32 * i ? 0 : (1u << FP_BITS % 32) - 1;
  return fp_reduce_once(x, 0);
}

static fp random_fp() {
  fp r;
  for (int i = 0; i < FP_N; i++) r.v[i] = random_word();
  return limited(r);
}

/* Values at the borders: p - 1, p - 2, words of zeros and of ones, single bits. */
static int list_values(fp *v) {
  int n = 0;
  v[n++] = fp_zero(), v[n++] = fp_one(), v[n++] = fp_neg(fp_one());
  fp small = fp_zero(), x;
  small.v[0] = 1, v[n++] = small, v[n++] = fp_neg(small);
  small.v[0] = 2, v[n++] = fp_neg(small);
  for (int kind = 0; kind < 4; kind++) {
    for (int i = 0; i < FP_N; i++) x.v[i] = kind == 0 || kind == 1 + (i & 1) ? ~0u : kind == 3 ? 1u << 31 : 0;
    x = limited(x);
    v[n++] = x, v[n++] = fp_neg(x);
  }
  for (int i = 0; i < FP_N; i++) {
    x = fp_zero(), x.v[i] = ~0u, v[n++] = limited(x);
    x = fp_neg(fp_one()), x.v[i] = 0, v[n++] = x;
  }
  return n;
}

/* ---- Products ---------------------------------------------------------------------------------------------------- */

static void check_fp(const fp &a, const fp &b) {
  const fp ab = plain_mul(a, b), aa = plain_mul(a, a), got = fp_mul(a, b), square = fp_sqr(a);
  SAME(got, ab, "fp_mul");
  SAME(square, aa, "fp_sqr");
#if FP_SPARE
  const fp reduced = wide_reduce(wide_mul(a.v, b.v));
  SAME(reduced, ab, "wide_mul");
#endif
}

static void check_sum([[maybe_unused]] const fp &a, [[maybe_unused]] const fp &b, [[maybe_unused]] const fp &c,
                      [[maybe_unused]] const fp &d) {
#if FE_DEGREE == 1 && FP_SPARE && !CURVE_EDWARDS
  const fp got = fe_sub_products<fp_dot_fits(2)>(a, b, c, d), want = fp_sub(plain_mul(a, b), plain_mul(c, d));
  SAME(got, want, "fe_sub_products");
#elif FE_DEGREE == 2
  const fe x = {a, b}, y = {c, d}, got = fe_mul(x, y), square = fe_sqr(x);
  const fe want = {fp_sub(plain_mul(a, c), plain_mul(b, d)), fp_add(plain_mul(a, d), plain_mul(b, c))};
  const fp ab = plain_mul(a, b);
  const fe want_square = {fp_sub(plain_mul(a, a), plain_mul(b, b)), fp_add(ab, ab)};
  SAME(got, want, "fe_mul");
  SAME(square, want_square, "fe_sqr");
#endif
}

/* ---- Points ------------------------------------------------------------------------------------------------------ */

#if FE_DEGREE == 2
/* The formulas hold for any coordinates, whether or not the points lie on the curve. */
static fe random_fe() { return fe{random_fp(), random_fp()}; }

static void check_held() {
  held sum = held_zero();
  acc want = acc_zero();
  aff last = aff_zero();
  for (int i = 0; i < 400; i++) {
    const uint32_t kind = random_word() % 8;
    aff q = {random_fe(), random_fe()};
    if (kind == 0) q = aff_zero();
    if (kind == 1 && i % 3) q = last; /* after a sum that began with it: a double */
    if (kind == 2) q = aff_neg_if(true, last);
    if (kind == 3) sum = held_zero(), want = acc_zero();
    threadIdx.x = 77;
    held_add_aff(sum, q);
    if (kind == 1 || kind == 3) { /* again, so that equal and opposite points meet */
      want = acc_add_aff(want, q);
      const aff r = aff_neg_if(random_word() & 1, q);
      threadIdx.x = 78; /* another thread's point is another */
      held other = held_zero();
      held_add_aff(other, r);
      threadIdx.x = 77;
      held_add_aff(sum, r);
      q = r;
    }
    want = acc_add_aff(want, q);
    const acc got = held_load(sum);
    SAME(got, want, "held_add_aff");
    last = q;
  }
}
#else
static void check_held() {}
#endif

#if !CURVE_EDWARDS
/* A chain of doublings, against the same in XYZZ coordinates: x and y over both denominators. */
static void check_jacobian(const aff &p) {
  jac j = jac_from_aff(p);
  acc a = acc_from_aff(p);
  for (int i = 0; i < 9; i++) {
    const acc b = jac_to_acc(j);
    const fe x = fe_mul(a.x, b.zz), y = fe_mul(a.y, b.zzz), u = fe_mul(b.x, a.zz), v = fe_mul(b.y, a.zzz);
    SAME(x, u, "x of jac_dbl");
    SAME(y, v, "y of jac_dbl");
    demand(acc_is_zero(a) == acc_is_zero(b), "whether jac_dbl gives zero");
    j = jac_dbl(j), a = acc_dbl(a);
  }
}

/* Whether the points are the same: x and y over both denominators. */
static bool equal_points(const acc &a, const acc &b) {
  if (acc_is_zero(a) || acc_is_zero(b)) return acc_is_zero(a) && acc_is_zero(b);
  return fe_equal(fe_mul(a.x, b.zz), fe_mul(b.x, a.zz)) && fe_equal(fe_mul(a.y, b.zzz), fe_mul(b.y, a.zzz));
}

/* Additions, against those in XYZZ coordinates: of 0, q, -q, 2 q and another point, not normalised, and q. */
static void check_additions(const aff &p, const aff &q) {
  const aff none = aff_zero(), minus = aff_neg_if(true, q), firsts[] = {none, q, minus, p}, seconds[] = {none, q};
  for (const aff &first : firsts)
    for (const aff &second : seconds) {
      jac j = jac_from_aff(first);
      acc a = acc_from_aff(first);
      demand(equal_points(jac_to_acc(jac_add_aff(j, second)), acc_add_aff(a, second)), "jac_add_aff");
      j = jac_add_aff(jac_dbl(j), second), a = acc_add_aff(acc_dbl(a), second); /* 3 q, or infinity and so on */
      demand(equal_points(jac_to_acc(j), a), "jac_add_aff to a double");
      demand(equal_points(jac_to_acc(jac_add_aff(j, minus)), acc_add_aff(a, minus)), "jac_add_aff of a negative");
      demand(equal_points(jac_to_acc(jac_add_aff(j, q)), acc_add_aff(a, q)), "jac_add_aff after jac_add_aff");
    }
  /* (Z^2 x, Z^3 y, Z) is q, for any Z but 0. */
  const fe z = fe_is_zero(p.x) ? fe_one() : p.x, zz = fe_sqr(z);
  const jac scaled = jac{fe_mul(q.x, zz), fe_mul(q.y, fe_mul(zz, z)), z};
  demand(equal_points(jac_to_acc(jac_add_aff(scaled, q)), acc_dbl(acc_from_aff(q))), "jac_add_aff of equal points");
  demand(acc_is_zero(jac_to_acc(jac_add_aff(scaled, minus))), "jac_add_aff of opposite points");
}

static void check_doublings() {
  check_jacobian(aff_zero());
  for (int i = 0; i < 200; i++) {
    aff p = aff_zero();
    for (size_t k = 0; k < sizeof p / sizeof(fp); k++) ((fp *)&p)[k] = random_fp();
    check_jacobian(p);
    aff q = p;
    for (size_t k = 0; k < sizeof q / sizeof(fp); k++) ((fp *)&q)[k] = random_fp();
    check_additions(p, q);
    p.y = fe_zero();
    check_jacobian(p);
  }
}
#else
static void check_doublings() {}
#endif

#if CURVE_ENDOMORPHISM
/* beta is a cube root of unity other than 1. */
static void check_beta() {
  for (int i = 0; i < 20; i++) {
    fe a;
    for (size_t k = 0; k < sizeof a / sizeof(fp); k++) ((fp *)&a)[k] = random_fp();
    const fe b = fe_mul_beta(a), c = fe_mul_beta(b), d = fe_mul_beta(c), again = fe_mul_beta_again(b, a);
    SAME(c, again, "fe_mul_beta_again");
    SAME(d, a, "fe_mul_beta three times");
    demand(!fe_equal(a, b), "fe_mul_beta from its operand");
  }
}
#else
static void check_beta() {}
#endif

int main(void) {
  enum { MOST = 64, RANDOM = 3000 };
  fp v[MOST];
  const int n = list_values(v);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      check_fp(v[i], v[j]);
      for (int k = 0; k < n; k++) check_sum(v[i], v[j], v[k], v[(i + j + k) % n]);
    }
  for (int i = 0; i < RANDOM; i++) {
    const fp a = random_fp(), b = random_fp(), c = random_fp(), d = random_fp();
    check_fp(a, b);
    check_sum(a, b, c, d);
    check_sum(a, v[i % n], v[i / 7 % n], d);
  }
  check_held();
  check_doublings();
  check_beta();
  printf("%s: %d values\n", CURVE_NAME, n);
  return 0;
}
