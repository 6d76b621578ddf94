/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Endomorphisms and GLV decomposition of scalars, for derive.c (Gallant, Lambert, Vanstone: "Faster Point
 * Multiplication on Elliptic Curves with Efficient Endomorphisms", CRYPTO 2001). If (beta x, y) = lambda (x, y) for all
 * points of the subgroup, k P = k1 P + k2 (beta x, y) for any k1 + k2 lambda = k mod r. The vectors (a, b) with a + b
 * lambda = 0 mod r form a lattice; two consecutive steps of Euclid's algorithm for r and lambda give two short ones.
 * Subtracting the nearest integral combination of these from (k, 0) leaves (k1, k2).
 */
#ifndef REPRISE_DERIVE_GLV_H
#define REPRISE_DERIVE_GLV_H

#include "derive_pairing.h"

enum { GLV_SHIFT = 320, GLV_FACTOR_WORDS = 7, GLV_WORDS = 5, GLV_SUM_BITS = 129 };

static bool cube_root_of_unity(const modulus *m, big *root) {
  big rest, one = big_u64(1), third = big_divmod(big_sub(m->p, one), big_u64(3), &rest);
  if (rest.w[0]) return 0;
  *root = one;
  for (uint64_t g = 2; !big_cmp(root, &one); g++) *root = mod_pow(m, big_u64(g), third);
  return 1;
}

/* Coordinates over a prime field have c[1] = 0. */
typedef struct glv_point {
  big2 x, y;
} glv_point;

static bool big2_equal(const big2 *a, const big2 *b) {
  return !big_cmp(&a->c[0], &b->c[0]) && !big_cmp(&a->c[1], &b->c[1]);
}

static big2 big2_add(const modulus *m, big2 a, big2 b) {
  return (big2){{mod_add(m, a.c[0], b.c[0]), mod_add(m, a.c[1], b.c[1])}};
}

static big2 big2_sub(const modulus *m, big2 a, big2 b) {
  return (big2){{mod_sub(m, a.c[0], b.c[0]), mod_sub(m, a.c[1], b.c[1])}};
}

/* The sum of affine points of y^2 = x^3 + b, which must not be opposite or infinity. */
static glv_point glv_add(const modulus *m, glv_point p, glv_point q) {
  big2 num, den, slope;
  if (!big2_equal(&p.x, &q.x)) {
    num = big2_sub(m, q.y, p.y), den = big2_sub(m, q.x, p.x);
  } else {
    const big2 square = big2_mul(m, p.x, p.x);
    num = big2_add(m, square, big2_add(m, square, square)), den = big2_add(m, p.y, p.y);
  }
  slope = big2_mul(m, num, big2_inv(m, den));
  const big2 x = big2_sub(m, big2_sub(m, big2_mul(m, slope, slope), p.x), q.x);
  return (glv_point){x, big2_sub(m, big2_mul(m, slope, big2_sub(m, p.x, x)), p.y)};
}

static glv_point glv_mul(const modulus *m, big k, glv_point p) {
  glv_point r = p;
  for (int i = (int)big_bits(&k) - 2; i >= 0; i--) {
    r = glv_add(m, r, r);
    if (big_bit(&k, (unsigned)i)) r = glv_add(m, r, p);
  }
  return r;
}

/* round(2^320 t / r) */
static big glv_factor(big t, const big *r) {
  for (int i = 0; i < GLV_SHIFT; i++) t = big_add(t, t);
  return big_divmod(big_add(t, big_shr(*r, 1)), *r, NULL);
}

/* x or -x as a signed integer of 160 bits. */
static big glv_signed(big x, bool negative) {
  big power = big_u64(1), zero = {{0}};
  for (int i = 0; i < 32 * GLV_WORDS; i++) power = big_add(power, power);
  return negative && big_cmp(&x, &zero) ? big_sub(power, x) : x;
}

/* The short vectors of the lattice and the factors, which depend on the order and lambda only. */
static void put_lattice(output *o, const modulus *order, big lambda) {
  big r[2] = {order->p, lambda}, t[2] = {{{0}}, big_u64(1)};
  bool odd = 1; /* t[1] is positive; t[0] is zero and counts as negative */
  for (;;) {    /* each half of a scalar is at most half of the sum of two coordinates */
    const big a = big_add(r[0], r[1]), b = big_add(t[0], t[1]);
    if (big_bits(&b) > GLV_SUM_BITS) fail("vectors are not short", "GLV");
    if (big_bits(&a) <= GLV_SUM_BITS) break;
    big rest, q = big_divmod(r[0], r[1], &rest);
    const big next = big_add(t[0], big_mul(t[1], &q));
    r[0] = r[1], r[1] = rest, t[0] = t[1], t[1] = next;
    odd = !odd;
  }
  const big vector[4] = {r[0], glv_signed(t[0], !odd), r[1], glv_signed(t[1], odd)};
  const char *name[4] = {"CURVE_GLV_A1", "CURVE_GLV_B1", "CURVE_GLV_A2", "CURVE_GLV_B2"};
  for (int i = 0; i < 4; i++) put_limbs(o, name[i], &vector[i], GLV_WORDS, 32);
  const big g1 = glv_factor(t[1], &order->p), g2 = glv_factor(t[0], &order->p);
  put_limbs(o, "CURVE_GLV_G1", &g1, GLV_FACTOR_WORDS, 32);
  put_limbs(o, "CURVE_GLV_G2", &g2, GLV_FACTOR_WORDS, 32);
}

/* Writes CURVE_BETA, an element of the prime field, and the constants of the decomposition. CURVE_GLV_A1 to _B2 are the
 * two vectors; round(k G1 / 2^320) and round(k G2 / 2^320) are the multiples of vectors 1 and 2 to subtract from (k,
 * 0). lambda follows from the order, so that G1 and G2 of a pairing have the same; beta is the one of the two roots
 * that fits. `one` is 1 in memory form. */
static void put_endomorphism(output *o, const modulus *base, big one, const modulus *order, glv_point generator) {
  big beta, lambda;
  if (!cube_root_of_unity(base, &beta) || !cube_root_of_unity(order, &lambda)) fail("no cube root of unity", "GLV");
  lambda = mod_mul(order, lambda, lambda);
  const glv_point image = glv_mul(base, lambda, generator);
  for (int i = 0;; i++) {
    const big2 x = {{mod_mul(base, beta, generator.x.c[0]), mod_mul(base, beta, generator.x.c[1])}};
    if (big2_equal(&image.x, &x) && big2_equal(&image.y, &generator.y)) break;
    if (i) fail("no cube root of unity is the endomorphism's", "GLV");
    beta = mod_mul(base, beta, beta);
  }
  put_element(o, base, one, 1, "CURVE_BETA", &beta);
  put_lattice(o, order, lambda);
}

#endif
