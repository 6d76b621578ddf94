/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Variable-time inversion by division steps (Bernstein and Yang, "Fast constant-time gcd computation and modular
 * inversion", 2019; the choice of steps follows Pornin and libsecp256k1's doc/safegcd_implementation.md). f, g, and the
 * cofactors d, e with d a = f and e a = g (mod p) are kept in signed 62-bit limbs. 62 steps at a time are done on the
 * low words alone and then applied to all limbs as one 2x2 matrix.
 */
#ifndef REPRISE_OPS_FP_INVERSE_H
#define REPRISE_OPS_FP_INVERSE_H

#define FP_MASK62 (UINT64_MAX >> 2)

typedef struct fp62 {
  int64_t v[FP_LIMBS62]; /* all limbs but the last in [0, 2^62) */
} fp62;

typedef struct fp_steps {
  int64_t u, v, q, r; /* 2^62 (f, g) := (u f + v g, q f + r g) */
} fp_steps;

/* Does 62 steps, all trailing zeros of g in one go; eta is minus the paper's delta. f must be odd. */
static inline int64_t fp_divsteps62_var(int64_t eta, uint64_t f, uint64_t g, fp_steps *t) {
  uint64_t u = 1, v = 0, q = 0, r = 1;
  for (int left = 62;;) {
    const int zeros = __builtin_ctzll(g | (UINT64_MAX << left));
    g >>= zeros, u <<= zeros, v <<= zeros, eta -= zeros, left -= zeros;
    if (left == 0) break;
    int limit;
    uint64_t w;
    if (eta < 0) { /* swap: (f, g) := (g, -f) */
      uint64_t x;
      eta = -eta;
      x = f, f = g, g = 0 - x;
      x = u, u = q, q = 0 - x;
      x = v, v = r, r = 0 - x;
      /* cancel up to 6 bits of g: w = -g / f mod 2^6, where -1 / f = f (f^2 - 2) mod 2^6 */
      limit = eta + 1 > left ? left : (int)eta + 1;
      const uint64_t mask = (UINT64_MAX >> (64 - limit)) & 63;
      w = (f * g * (f * f - 2)) & mask;
    } else { /* cancel up to 4 bits of g */
      limit = eta + 1 > left ? left : (int)eta + 1;
      const uint64_t mask = (UINT64_MAX >> (64 - limit)) & 15;
      w = f + (((f + 1) & 4) << 1);
      w = ((0 - w) * g) & mask;
    }
    g += f * w, q += u * w, r += v * w;
  }
  t->u = (int64_t)u, t->v = (int64_t)v, t->q = (int64_t)q, t->r = (int64_t)r;
  return eta;
}

/* (d, e) := matrix (d, e) / 2^62 mod p, both kept in (-2p, p). */
static inline void fp_update_de62(fp62 *d, fp62 *e, const fp_steps *t) {
  static const uint64_t p[FP_LIMBS62] = FP_MODULUS_62;
  const int64_t sd = d->v[FP_LIMBS62 - 1] >> 63, se = e->v[FP_LIMBS62 - 1] >> 63;
  int64_t md = (t->u & sd) + (t->v & se), me = (t->q & sd) + (t->r & se);
  int128 cd = (int128)t->u * d->v[0] + (int128)t->v * e->v[0];
  int128 ce = (int128)t->q * d->v[0] + (int128)t->r * e->v[0];
  /* multiples of p that clear the low 62 bits */
  md -= (int64_t)((FP_INV_62 * (uint64_t)cd + (uint64_t)md) & FP_MASK62);
  me -= (int64_t)((FP_INV_62 * (uint64_t)ce + (uint64_t)me) & FP_MASK62);
  cd = (cd + (int128)p[0] * md) >> 62;
  ce = (ce + (int128)p[0] * me) >> 62;
  for (int i = 1; i < FP_LIMBS62; i++) {
    cd += (int128)t->u * d->v[i] + (int128)t->v * e->v[i] + (int128)p[i] * md;
    ce += (int128)t->q * d->v[i] + (int128)t->r * e->v[i] + (int128)p[i] * me;
    d->v[i - 1] = (int64_t)((uint64_t)cd & FP_MASK62), cd >>= 62;
    e->v[i - 1] = (int64_t)((uint64_t)ce & FP_MASK62), ce >>= 62;
  }
  d->v[FP_LIMBS62 - 1] = (int64_t)cd;
  e->v[FP_LIMBS62 - 1] = (int64_t)ce;
}

static inline void fp_update_fg62(fp62 *f, fp62 *g, int n, const fp_steps *t) {
  int128 cf = ((int128)t->u * f->v[0] + (int128)t->v * g->v[0]) >> 62;
  int128 cg = ((int128)t->q * f->v[0] + (int128)t->r * g->v[0]) >> 62;
  for (int i = 1; i < n; i++) {
    cf += (int128)t->u * f->v[i] + (int128)t->v * g->v[i];
    cg += (int128)t->q * f->v[i] + (int128)t->r * g->v[i];
    f->v[i - 1] = (int64_t)((uint64_t)cf & FP_MASK62), cf >>= 62;
    g->v[i - 1] = (int64_t)((uint64_t)cg & FP_MASK62), cg >>= 62;
  }
  f->v[n - 1] = (int64_t)cf;
  g->v[n - 1] = (int64_t)cg;
}

/* Drops the top limb if both numbers fit the other limbs; returns the new number of limbs. */
static inline int fp_shorten62(fp62 *f, fp62 *g, int n) {
  const int64_t fn = f->v[n - 1], gn = g->v[n - 1];
  if (n == 1 || (fn ^ fn >> 63) || (gn ^ gn >> 63)) return n;
  f->v[n - 2] = (int64_t)((uint64_t)f->v[n - 2] | (uint64_t)fn << 62);
  g->v[n - 2] = (int64_t)((uint64_t)g->v[n - 2] | (uint64_t)gn << 62);
  return n - 1;
}

static inline void fp_carry62(fp62 *d) {
  for (int i = 0; i + 1 < FP_LIMBS62; i++) {
    d->v[i + 1] += d->v[i] >> 62;
    d->v[i] = (int64_t)((uint64_t)d->v[i] & FP_MASK62);
  }
}

/* Takes d from (-2p, p) to [0, p); negates it if sign is -1. */
static inline void fp_normalize62(fp62 *d, int64_t sign) {
  static const uint64_t p[FP_LIMBS62] = FP_MODULUS_62;
  for (int round = 0; round < 2; round++) {
    const int64_t negative = d->v[FP_LIMBS62 - 1] >> 63;
    for (int i = 0; i < FP_LIMBS62; i++) d->v[i] += (int64_t)p[i] & negative;
    for (int i = 0; round == 0 && i < FP_LIMBS62; i++) d->v[i] = (d->v[i] ^ sign) - sign;
    fp_carry62(d);
  }
}

/* r = a^-1 as plain integers: in [0, p), 0 for 0. Before: a < p. */
static inline void fp_integer_inverse_var(fp_word r[FP_LIMBS], const fp_word a[FP_LIMBS]) {
  static const uint64_t p62[FP_LIMBS62] = FP_MODULUS_62;
  fp62 f, g, d = {{0}}, e = {{1}};
  for (int i = 0; i < FP_LIMBS62; i++) {
    const int bit = 62 * i, w = bit / 64, s = bit % 64;
    uint64_t x = w < FP_LIMBS ? a[w] >> s : 0;
    if (s && w + 1 < FP_LIMBS) x |= a[w + 1] << (64 - s);
    g.v[i] = (int64_t)(x & FP_MASK62);
    f.v[i] = (int64_t)p62[i];
  }
  int64_t eta = -1;
  for (int n = FP_LIMBS62;;) {
    fp_steps t;
    eta = fp_divsteps62_var(eta, (uint64_t)f.v[0], (uint64_t)g.v[0], &t);
    fp_update_de62(&d, &e, &t);
    fp_update_fg62(&f, &g, n, &t);
    int64_t any = 0;
    for (int i = 0; i < n; i++) any |= g.v[i];
    if (!any) { /* f is 1 or -1, or p if a = 0, where d is 0 */
      fp_normalize62(&d, f.v[n - 1] >> 63);
      break;
    }
    n = fp_shorten62(&f, &g, n);
  }
  for (int i = 0; i < FP_LIMBS; i++) r[i] = 0;
  for (int i = 0; i < FP_LIMBS62; i++) {
    const int bit = 62 * i, w = bit / 64, s = bit % 64;
    if (w < FP_LIMBS) r[w] |= (uint64_t)d.v[i] << s;
    if (s > 2 && w + 1 < FP_LIMBS) r[w + 1] |= (uint64_t)d.v[i] >> (64 - s);
  }
}

/* The memory form is a R. Its integer inverse is a^-1 R^-1; the Montgomery product with R^3 makes that a^-1 R. */
static inline void fp_inv_var(fp *r, const fp *a) {
  static const fp r3 = FP_R3_64;
  fp t;
  fp_integer_inverse_var(t.v, a->v);
  fp_mul(r, &t, &r3);
}

#endif
