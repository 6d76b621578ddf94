/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Inversion by division steps (Bernstein and Yang, "Fast constant-time gcd computation and modular inversion", 2019, in
 * the variant that starts from delta = 1/2), as in shaders/cuda/arith/inverse.cuh: f, g, and the cofactors d, e with d
 * a = f, e a = g (mod p) are kept in signed limbs of 30 bits; 30 steps at a time are done on the low words alone and
 * then applied to all limbs as one 2x2 matrix. No branch and no address depends on the values.
 */
#ifndef REPRISE_VULKAN_INVERSE_GLSL
#define REPRISE_VULKAN_INVERSE_GLSL

#include "arith/field.glsl"

/* INV_N limbs, at least two, hold any value in (-2p, 2p). After INV_BATCHES batches of steps g is zero for every a
 * (Wuille's bound by convex hulls, for delta = 1/2). */
#define INV_BITS 30
#define INV_N (FP_BITS + 2 > INV_BITS ? (FP_BITS + 2 + INV_BITS - 1) / INV_BITS : 2)
#define INV_BATCHES (((45907 * FP_BITS + 26313) / 19929 + INV_BITS - 1) / INV_BITS)
#define INV_MASK ((1 << INV_BITS) - 1)

struct inv_number {
  int v[INV_N]; /* all but the last in [0, 2^30) */
};

/* 2^30 (f, g) := (u f + v g, q f + r g) */
struct inv_steps {
  int u, v, q, r;
};

/* A little-endian number in limbs of 30 bits. */
inv_number inv_split(uint words[FP_N]) {
  inv_number r;
  [[unroll]] for (int i = 0; i < INV_N; i++) {
    const int w = INV_BITS * i / 32, s = INV_BITS * i % 32;
    uint bits = w < FP_N ? words[min(w, FP_N - 1)] >> s : 0;
    if (s > 32 - INV_BITS && w + 1 < FP_N) bits |= words[min(w + 1, FP_N - 1)] << (32 - s);
    r.v[i] = int(bits) & INV_MASK;
  }
  return r;
}

/* p^-1 modulo 2^32. Newton's iteration doubles the number of correct bits, of which there are three at first. */
int inv_p_inverse() {
  uint x = FP_MODULUS_32[0];
  [[unroll]] for (int i = 0; i < 4; i++) x *= 2 - FP_MODULUS_32[0] * x;
  return int(x);
}

/* The matrix of INV_BITS division steps on the low words of f and g. Updates zeta = -(delta + 1/2). */
inv_steps inv_divsteps(inout int zeta, uint f, uint g) {
  uint u = 1, v = 0, q = 0, r = 1;
  [[dont_unroll]] for (int round = 0; round < INV_BITS / 6; round++) {
    [[unroll]] for (int i = 0; i < 6; i++) {
      const uint negative = uint(zeta >> 31), odd = g & 1, swap = odd & negative;
      const uint m = (odd ^ negative) - negative; /* f is added to an odd g, or subtracted if the two are swapped */
      g += m * f, q += m * u, r += m * v;
      f += swap * g, u = 2 * (u + swap * q), v = 2 * (v + swap * r);
      g >>= 1;
      zeta = (zeta ^ -int(swap)) - 1;
    }
  }
  return inv_steps(int(u), int(v), int(q), int(r));
}

#if !RP_INT64
ivec2 inv_add(ivec2 c, int a, int b) {
  int high, low;
  imulExtended(a, b, high, low);
  c.x += low;
  c.y += high + int(uint(c.x) < uint(low));
  return c;
}
#endif

/* (a x + b y + m p) / 2^30. The division is exact; for f and g, m is 0. */
inv_number inv_combine(int a, inv_number x, int b, inv_number y, int m, inv_number p) {
  inv_number r;
#if RP_INT64
  int64_t c = 0;
#else
  ivec2 c = ivec2(0);
#endif
  [[unroll]] for (int i = 0; i < INV_N; i++) {
#if RP_INT64
    c += int64_t(a) * x.v[i] + int64_t(b) * y.v[i] + int64_t(m) * p.v[i];
    const int low = int(c);
    c >>= INV_BITS;
#else
    c = inv_add(inv_add(inv_add(c, a, x.v[i]), b, y.v[i]), m, p.v[i]);
    const int low = c.x;
    c = ivec2(c.y << (32 - INV_BITS) | int(uint(c.x) >> INV_BITS), c.y >> INV_BITS);
#endif
    if (i != 0) r.v[i - 1] = low & INV_MASK;
  }
#if RP_INT64
  r.v[INV_N - 1] = int(c);
#else
  r.v[INV_N - 1] = c.x;
#endif
  return r;
}

/* The m for which a x + b y + m p is divisible by 2^30 and the quotient of x and y in (-2p, p) is in (-2p, p) again. */
int inv_multiple(int a, inv_number x, int b, inv_number y) {
  const int m = (a & x.v[INV_N - 1] >> 31) + (b & y.v[INV_N - 1] >> 31);
  return m - ((inv_p_inverse() * (a * x.v[0] + b * y.v[0]) + m) & INV_MASK);
}

/* Takes x from (-2p, p) to [0, p), negated if sign is -1; otherwise sign is 0. */
inv_number inv_normalize(inv_number x, int sign, inv_number p) {
  [[unroll]] for (int round = 0; round < 2; round++) {
    const int negative = x.v[INV_N - 1] >> 31;
    [[unroll]] for (int i = 0; i < INV_N; i++) {
      x.v[i] += p.v[i] & negative;
      if (round == 0) x.v[i] = (x.v[i] ^ sign) - sign;
    }
    [[unroll]] for (int i = 0; i + 1 < INV_N; i++) {
      x.v[i + 1] += x.v[i] >> INV_BITS;
      x.v[i] &= INV_MASK;
    }
  }
  return x;
}

/* a^-1 modulo p, both integers below p; 0 for 0. */
fp inv_integer(fp a) {
  const inv_number p = inv_split(FP_MODULUS_32);
  inv_number f = p, g = inv_split(a.v), d, e;
  [[unroll]] for (int i = 0; i < INV_N; i++) {
    d.v[i] = 0;
    e.v[i] = i == 0 ? 1 : 0;
  }
  int zeta = -1;
  [[dont_unroll]] for (int batch = 0; batch < INV_BATCHES; batch++) {
    const uint f_low = uint(f.v[0]) | uint(f.v[1]) << INV_BITS, g_low = uint(g.v[0]) | uint(g.v[1]) << INV_BITS;
    const inv_steps t = inv_divsteps(zeta, f_low, g_low);
    const inv_number d_next = inv_combine(t.u, d, t.v, e, inv_multiple(t.u, d, t.v, e), p);
    const inv_number f_next = inv_combine(t.u, f, t.v, g, 0, p);
    e = inv_combine(t.q, d, t.r, e, inv_multiple(t.q, d, t.r, e), p);
    g = inv_combine(t.q, f, t.r, g, 0, p);
    d = d_next;
    f = f_next;
  }
  d = inv_normalize(d, f.v[INV_N - 1] >> 31, p); /* f is 1 or -1; for a = 0 it is p, and d is 0 */
  fp r;
  [[unroll]] for (int w = 0; w < FP_N; w++) {
    const int i = 32 * w / INV_BITS, s = 32 * w % INV_BITS;
    r.v[w] = i < INV_N ? uint(d.v[min(i, INV_N - 1)]) >> s : 0;
    if (i + 1 < INV_N) r.v[w] |= uint(d.v[min(i + 1, INV_N - 1)]) << (INV_BITS - s);
    if (s > 2 * INV_BITS - 32 && i + 2 < INV_N) r.v[w] |= uint(d.v[min(i + 2, INV_N - 1)]) << (2 * INV_BITS - s);
  }
  return r;
}

/* The inverse of a; 0 for 0. It keeps one thread busy for ten thousand cycles or more, so inversions are batched
 * wherever possible. */
fp fp_inv(fp a) {
#if FP_MONTGOMERY
  fp r3; /* the memory form is a R, and its inverse as an integer is a^-1 R^-1 */
  [[unroll]] for (int i = 0; i < FP_N; i++) r3.v[i] = FP_R3_32[i];
  return fp_mul(inv_integer(a), r3);
#else
  return inv_integer(a);
#endif
}

#if FE_DEGREE == 1
#define fe_inv fp_inv
#else
fe fe_inv(fe a) {
  const fp norm = fp_inv(fp_add(fp_mul(a.c0, a.c0), fp_mul(a.c1, a.c1)));
  return fe(fp_mul(a.c0, norm), fp_neg(fp_mul(a.c1, norm)));
}
#endif

#endif
