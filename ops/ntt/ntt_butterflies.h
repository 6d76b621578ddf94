/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The layers of a sub-transform in cache, for both networks. Included by ntt_cpu_tmpl.c.
 *
 * If 4p fits limbs of 64 bits, elements stay unreduced between the layers (D. Harvey, Faster arithmetic for
 * number-theoretic transforms, J. Symb. Comp. 60, 2014): below 4p in the plain network, below 2p in the transposed one.
 * A butterfly then has one conditional subtraction instead of three. ntt_reduce gives the canonical element at the end.
 */
#ifndef REPRISE_OPS_NTT_BUTTERFLIES_H
#define REPRISE_OPS_NTT_BUTTERFLIES_H

#include <stdbool.h>

#define NTT_LAZY (FE_DEGREE == 1 && FP_MONTGOMERY && FP_WORD_BYTES == 8 && FP_BITS + 2 <= 8 * FP_BYTES)

#if NTT_LAZY

static inline uint64_t twice_modulus(int i) { return fp_modulus[i] << 1 | (i ? fp_modulus[i - 1] >> 63 : 0); }

/* From x < 4p to x < 2p. */
#if FP_ADX_ASSEMBLY && FP_LIMBS == 4 && FP_BITS + 2 <= 256
/* By conditional moves, as the reductions of fp_mul_adx.h. */
static inline __attribute__((always_inline)) void ntt_halve(fe *x) {
  uint64_t d0 = x->v[0], d1 = x->v[1], d2 = x->v[2], d3 = x->v[3];
  __asm__("subq %[m0], %[d0]\n\t"
          "sbbq %[m1], %[d1]\n\t"
          "sbbq %[m2], %[d2]\n\t"
          "sbbq %[m3], %[d3]\n\t"
          "cmovcq %[x0], %[d0]\n\t"
          "cmovcq %[x1], %[d1]\n\t"
          "cmovcq %[x2], %[d2]\n\t"
          "cmovcq %[x3], %[d3]"
          : [d0] "+&r"(d0), [d1] "+&r"(d1), [d2] "+&r"(d2), [d3] "+&r"(d3)
          : [x0] "rm"(x->v[0]), [x1] "rm"(x->v[1]), [x2] "rm"(x->v[2]), [x3] "rm"(x->v[3]), [m0] "r"(twice_modulus(0)),
            [m1] "r"(twice_modulus(1)), [m2] "r"(twice_modulus(2)), [m3] "r"(twice_modulus(3))
          : "cc");
  x->v[0] = d0, x->v[1] = d1, x->v[2] = d2, x->v[3] = d3;
}
#else
static inline void ntt_halve(fe *x) {
  uint64_t d[FP_LIMBS], borrow = 0;
  FP_UNROLL
  for (int i = 0; i < FP_LIMBS; i++) d[i] = u64_sub(x->v[i], twice_modulus(i), &borrow);
  const uint64_t keep = (uint64_t)0 - borrow;
  FP_UNROLL
  for (int i = 0; i < FP_LIMBS; i++) x->v[i] = d[i] ^ (keep & (d[i] ^ x->v[i]));
}
#endif

/* r = a + b < 4p for a, b < 2p. */
static inline void ntt_add(fe *r, const fe *a, const fe *b) {
  uint64_t carry = 0;
  FP_UNROLL
  for (int i = 0; i < FP_LIMBS; i++) r->v[i] = u64_add(a->v[i], b->v[i], &carry);
}

/* r = a - b + 2p < 4p for a, b < 2p. One chain of carries after the other, since a processor has one carry flag. */
static inline void ntt_sub(fe *r, const fe *a, const fe *b) {
  uint64_t raised[FP_LIMBS], borrow = 0, carry = 0;
  FP_UNROLL
  for (int i = 0; i < FP_LIMBS; i++) raised[i] = u64_add(a->v[i], twice_modulus(i), &carry);
  FP_UNROLL
  for (int i = 0; i < FP_LIMBS; i++) r->v[i] = u64_sub(raised[i], b->v[i], &borrow);
}

/* r = a w < 2p for a < 4p, w < p. Inlined by force: a call takes a tenth of a transform's time (gcc 12, MULX/ADX). */
static inline __attribute__((always_inline)) void ntt_mul(fe *r, const fe *a, const fe *w) {
  (void)fp_mul_unreduced(r->v, a, w);
}

static inline void ntt_reduce(fe *x) {
  ntt_halve(x);
  fp_reduce_once(x, x->v, 0);
}

#else

static inline void ntt_halve(fe *x) { (void)x; }
static inline void ntt_add(fe *r, const fe *a, const fe *b) { fe_add(r, a, b); }
static inline void ntt_sub(fe *r, const fe *a, const fe *b) { fe_sub(r, a, b); }
static inline void ntt_mul(fe *r, const fe *a, const fe *w) { fe_mul(r, a, w); }
static inline void ntt_reduce(fe *x) { (void)x; }

#endif

/* The twiddle of block b. For the inverse and b > 0 it is minus the twiddle of w^-1 (ntt/ntt_args.h). */
static inline const fe *twiddle_of(const struct rp_ntt_args *k, uint32_t b) {
  const fe *table = k->twiddles;
  if (k->flags & RP_NTT_INVERSE && b > 1) b ^= (1u << (31 - __builtin_clz(b))) - 1;
  return &table[b];
}

#if FP_WORD_BYTES == 8 /* ntt_small.h has the layers over smaller words */

/* (x, y) <- (x + w y, x - w y) over `half` pairs. For the inverse, w is minus the twiddle, so the results are
 * swapped. Inlined by force, so that the direction is not tested for every pair. */
static inline __attribute__((always_inline)) void plain_block(fe *x, uint32_t half, const fe *w, bool inverse) {
  fe *y = x + half;
  for (uint32_t j = 0; j < half; j++) {
    fe t, u = x[j];
    ntt_mul(&t, &y[j], w);
    ntt_halve(&u);
    ntt_add(inverse ? &y[j] : &x[j], &u, &t);
    ntt_sub(inverse ? &x[j] : &y[j], &u, &t);
  }
}

/* The same for block 0, whose twiddle is 1. */
static inline void plain_first_block(fe *x, uint32_t half) {
  fe *y = x + half;
  for (uint32_t j = 0; j < half; j++) {
    fe u = x[j], t = y[j];
    ntt_halve(&u);
    ntt_halve(&t);
    ntt_add(&x[j], &u, &t);
    ntt_sub(&y[j], &u, &t);
  }
}

/* (x, y) <- (x + y, w (x - y)) */
static inline __attribute__((always_inline)) void transposed_block(fe *x, uint32_t half, const fe *w, bool inverse) {
  fe *y = x + half;
  for (uint32_t j = 0; j < half; j++) {
    fe t, u = x[j];
    ntt_sub(&t, inverse ? &y[j] : &u, inverse ? &u : &y[j]);
    ntt_add(&u, &u, &y[j]);
    ntt_halve(&u);
    x[j] = u;
    ntt_mul(&y[j], &t, w);
  }
}

static inline void transposed_first_block(fe *x, uint32_t half) {
  fe *y = x + half;
  for (uint32_t j = 0; j < half; j++) {
    fe t, u = x[j];
    ntt_sub(&t, &u, &y[j]);
    ntt_add(&u, &u, &y[j]);
    ntt_halve(&u);
    ntt_halve(&t);
    x[j] = u;
    y[j] = t;
  }
}

static void layers_plain(const struct rp_ntt_args *k, fe *x, uint32_t block) {
  bool inverse = (k->flags & RP_NTT_INVERSE) != 0;
  for (uint32_t i = 0; i < k->layers; i++) {
    uint32_t half = 1u << (k->layers - 1 - i);
    for (uint32_t q = 0; q < 1u << i; q++) {
      uint32_t b = (block << i) + q;
      if (!b)
        plain_first_block(x, half);
      else if (inverse)
        plain_block(x + 2 * half * q, half, twiddle_of(k, b), 1);
      else
        plain_block(x + 2 * half * q, half, twiddle_of(k, b), 0);
    }
  }
}

static void layers_transposed(const struct rp_ntt_args *k, fe *x, uint32_t block) {
  bool inverse = (k->flags & RP_NTT_INVERSE) != 0;
  for (uint32_t i = k->layers; i-- > 0;) {
    uint32_t half = 1u << (k->layers - 1 - i);
    for (uint32_t q = 0; q < 1u << i; q++) {
      uint32_t b = (block << i) + q;
      if (!b)
        transposed_first_block(x, half);
      else if (inverse)
        transposed_block(x + 2 * half * q, half, twiddle_of(k, b), 1);
      else
        transposed_block(x + 2 * half * q, half, twiddle_of(k, b), 0);
    }
  }
}

#endif

#endif
