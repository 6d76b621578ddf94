/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The layers of a sub-transform in cache, both networks. Included by ntt_tmpl.c.
 */
#ifndef REPRISE_OPS_NTT_BUTTERFLIES_H
#define REPRISE_OPS_NTT_BUTTERFLIES_H

static inline uint32_t cpu_bit_reverse(uint32_t x, uint32_t bits) {
  x = (x & 0x55555555u) << 1 | (x >> 1 & 0x55555555u);
  x = (x & 0x33333333u) << 2 | (x >> 2 & 0x33333333u);
  x = (x & 0x0f0f0f0fu) << 4 | (x >> 4 & 0x0f0f0f0fu);
  x = x << 24 | (x & 0xff00u) << 8 | (x >> 8 & 0xff00u) | x >> 24;
  return bits ? x >> (32 - bits) : 0;
}

/* Twiddle of block b; for the inverse, minus the twiddle (args/ntt.h), for b > 0. */
static inline const fe *twiddle_of(const struct rp_ntt_args *k, uint32_t b) {
  const fe *table = k->twiddles;
  if (k->flags & RP_NTT_INVERSE && b > 1) b ^= (1u << (31 - __builtin_clz(b))) - 1;
  return &table[b];
}

/* (x, y) <- (x + w y, x - w y) over `half` pairs; the inverse has -w at hand and swaps the results. */
static inline void plain_block(fe *x, uint32_t half, const fe *w, int inverse) {
  fe *y = x + half;
  for (uint32_t j = 0; j < half; j++) {
    fe t, u = x[j];
    fe_mul(&t, &y[j], w);
    fe_add(inverse ? &y[j] : &x[j], &u, &t);
    fe_sub(inverse ? &x[j] : &y[j], &u, &t);
  }
}

/* (x, y) <- (x + y, w (x - y)) */
static inline void transposed_block(fe *x, uint32_t half, const fe *w, int inverse) {
  fe *y = x + half;
  for (uint32_t j = 0; j < half; j++) {
    fe t;
    if (inverse)
      fe_sub(&t, &y[j], &x[j]);
    else
      fe_sub(&t, &x[j], &y[j]);
    fe_add(&x[j], &x[j], &y[j]);
    fe_mul(&y[j], &t, w);
  }
}

/* The twiddle is 1, for either network. */
static inline void trivial_block(fe *x, uint32_t half) {
  fe *y = x + half;
  for (uint32_t j = 0; j < half; j++) {
    fe u = x[j];
    fe_add(&x[j], &u, &y[j]);
    fe_sub(&y[j], &u, &y[j]);
  }
}

static void layers_plain(const struct rp_ntt_args *k, fe *x, uint32_t block) {
  int inverse = (k->flags & RP_NTT_INVERSE) != 0;
  for (uint32_t i = 0; i < k->layers; i++) {
    uint32_t half = 1u << (k->layers - 1 - i);
    for (uint32_t q = 0; q < 1u << i; q++) {
      uint32_t b = (block << i) + q;
      if (b)
        plain_block(x + 2 * half * q, half, twiddle_of(k, b), inverse);
      else
        trivial_block(x, half);
    }
  }
}

static void layers_transposed(const struct rp_ntt_args *k, fe *x, uint32_t block) {
  int inverse = (k->flags & RP_NTT_INVERSE) != 0;
  for (uint32_t i = k->layers; i-- > 0;) {
    uint32_t half = 1u << (k->layers - 1 - i);
    for (uint32_t q = 0; q < 1u << i; q++) {
      uint32_t b = (block << i) + q;
      if (b)
        transposed_block(x + 2 * half * q, half, twiddle_of(k, b), inverse);
      else
        trivial_block(x, half);
    }
  }
}

#endif
