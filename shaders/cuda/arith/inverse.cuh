/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Inversion by division steps (Bernstein and Yang, "Fast constant-time gcd computation and modular inversion", 2019, in
 * the variant that starts from delta = 1/2). f, g, and the cofactors d, e with d a = f, e a = g (mod p) are kept in
 * signed limbs of 30 bits; 30 steps at a time are done on the low words alone and then applied to all limbs as one 2x2
 * matrix. No branch and no address depends on the values. An exponentiation would be a chain of three hundred products,
 * with five times the latency.
 */
#ifndef REPRISE_CUDA_INVERSE_CUH
#define REPRISE_CUDA_INVERSE_CUH

#include "arith/carry.cuh"
#include "field_params.h"

/* INV_N limbs hold any value in (-2p, 2p). After INV_BATCHES batches of steps g is zero for every a (Wuille's bound by
 * convex hulls, for delta = 1/2). */
#define INV_BITS 30
#define INV_N ((FP_BITS + 2 + INV_BITS - 1) / INV_BITS)
#define INV_BATCHES (((45907 * FP_BITS + 26313) / 19929 + INV_BITS - 1) / INV_BITS)
#define INV_MASK ((1 << INV_BITS) - 1)

struct inv_number {
  int32_t v[INV_N]; /* all but the last in [0, 2^30) */
};

struct inv_steps {
  int32_t u, v, q, r; /* 2^30 (f, g) := (u f + v g, q f + r g) */
};

/* 30 bits of a little-endian number, from bit 30 i on. */
RP_DEV constexpr uint32_t inv_limb(const uint32_t *words, int i) {
  const int w = INV_BITS * i / 32, s = INV_BITS * i % 32;
  const uint32_t low = w < FP_N ? words[w] >> s : 0, high = s && w + 1 < FP_N ? words[w + 1] << (32 - s) : 0;
  return (low | high) & INV_MASK;
}

RP_DEV constexpr int32_t inv_p(int i) {
  constexpr uint32_t p[FP_N] = FP_MODULUS_32;
  return (int32_t)inv_limb(p, i);
}

/* p^-1 modulo 2^32. Newton's iteration doubles the number of correct bits, of which there are three at first. */
RP_DEV constexpr uint32_t inv_p_inverse() {
  constexpr uint32_t p[FP_N] = FP_MODULUS_32;
  uint32_t x = p[0];
  for (int i = 0; i < 4; i++) x *= 2 - p[0] * x;
  return x;
}

/* INV_BITS division steps on the low words of f and g; *t gets their matrix. Takes and returns zeta = -(delta +
 * 1/2). */
RP_DEV int32_t inv_divsteps(int32_t zeta, uint32_t f, uint32_t g, inv_steps *t) {
  uint32_t u = 1, v = 0, q = 0, r = 1;
#pragma unroll 6
  for (int i = 0; i < INV_BITS; i++) {
    const uint32_t negative = (uint32_t)(zeta >> 31), odd = g & 1, swap = odd & negative;
    const uint32_t k = (odd ^ negative) - negative; /* f is added to an odd g, or subtracted if the two are swapped */
    g += k * f, q += k * u, r += k * v;
    f += swap * g, u = 2 * (u + swap * q), v = 2 * (v + swap * r);
    g >>= 1;
    zeta = (zeta ^ -(int32_t)swap) - 1;
  }
  *t = inv_steps{(int32_t)u, (int32_t)v, (int32_t)q, (int32_t)r};
  return zeta;
}

/* (a x + b y + m p) / 2^30. The division is exact; for f and g, m is 0. */
RP_DEV inv_number inv_combine(int32_t a, const inv_number &x, int32_t b, const inv_number &y, int32_t m) {
  inv_number r;
  int64_t c = (int64_t)a * x.v[0] + (int64_t)b * y.v[0] + (int64_t)m * inv_p(0);
  c >>= INV_BITS;
#pragma unroll
  for (int i = 1; i < INV_N; i++) {
    c += (int64_t)a * x.v[i] + (int64_t)b * y.v[i] + (int64_t)m * inv_p(i);
    r.v[i - 1] = (int32_t)c & INV_MASK;
    c >>= INV_BITS;
  }
  r.v[INV_N - 1] = (int32_t)c;
  return r;
}

/* The m for which a x + b y + m p is divisible by 2^30 and the quotient of x and y in (-2p, p) is in (-2p, p) again. */
RP_DEV int32_t inv_multiple(int32_t a, const inv_number &x, int32_t b, const inv_number &y) {
  const int32_t m = (a & x.v[INV_N - 1] >> 31) + (b & y.v[INV_N - 1] >> 31);
  const uint32_t low = (uint32_t)a * (uint32_t)x.v[0] + (uint32_t)b * (uint32_t)y.v[0];
  return m - (int32_t)((inv_p_inverse() * low + (uint32_t)m) & INV_MASK);
}

RP_DEV void inv_carry(inv_number *x) {
#pragma unroll
  for (int i = 0; i + 1 < INV_N; i++) {
    x->v[i + 1] += x->v[i] >> INV_BITS;
    x->v[i] &= INV_MASK;
  }
}

/* Takes *x from (-2p, p) to [0, p), negated if sign is -1; otherwise sign is 0. */
RP_DEV void inv_normalize(inv_number *x, int32_t sign) {
#pragma unroll
  for (int round = 0; round < 2; round++) {
    const int32_t negative = x->v[INV_N - 1] >> 31;
#pragma unroll
    for (int i = 0; i < INV_N; i++) {
      x->v[i] += inv_p(i) & negative;
      if (round == 0) x->v[i] = (x->v[i] ^ sign) - sign;
    }
    inv_carry(x);
  }
}

/* a^-1 modulo p, both integers below p; 0 for 0. `out` and `a` may be the same. */
RP_DEV void inv_integer(uint32_t *out, const uint32_t *a) {
  inv_number f, g, d, e;
#pragma unroll
  for (int i = 0; i < INV_N; i++) {
    f.v[i] = inv_p(i);
    g.v[i] = (int32_t)inv_limb(a, i);
    d.v[i] = 0;
    e.v[i] = i == 0;
  }
  int32_t zeta = -1;
#pragma unroll 1
  for (int batch = 0; batch < INV_BATCHES; batch++) {
    inv_steps t;
    zeta = inv_divsteps(zeta, (uint32_t)f.v[0] | (INV_N > 1 ? (uint32_t)f.v[1] << INV_BITS : 0),
                        (uint32_t)g.v[0] | (INV_N > 1 ? (uint32_t)g.v[1] << INV_BITS : 0), &t);
    const int32_t md = inv_multiple(t.u, d, t.v, e), me = inv_multiple(t.q, d, t.r, e);
    const inv_number d_next = inv_combine(t.u, d, t.v, e, md), f_next = inv_combine(t.u, f, t.v, g, 0);
    e = inv_combine(t.q, d, t.r, e, me);
    g = inv_combine(t.q, f, t.r, g, 0);
    d = d_next;
    f = f_next;
  }
  inv_normalize(&d, f.v[INV_N - 1] >> 31); /* f is 1 or -1; for a = 0 it is p, and d is 0 */
#pragma unroll
  for (int w = 0; w < FP_N; w++) {
    const int i = 32 * w / INV_BITS, s = 32 * w % INV_BITS;
    out[w] = i < INV_N ? (uint32_t)d.v[i] >> s : 0;
    if (i + 1 < INV_N) out[w] |= (uint32_t)d.v[i + 1] << (INV_BITS - s);
    if (s > 28 && i + 2 < INV_N) out[w] |= (uint32_t)d.v[i + 2] << (2 * INV_BITS - s);
  }
}

#endif
