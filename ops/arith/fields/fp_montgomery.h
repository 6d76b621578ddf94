/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Prime fields in Montgomery form, 64-bit limbs: the arithmetic that depends on the form. Contracts: ops/arith/field.h.
 */
#ifndef REPRISE_OPS_FP_MONTGOMERY_H
#define REPRISE_OPS_FP_MONTGOMERY_H

/* With a spare top bit, 2p fits the limbs: the sum of two elements has no carry out, and the product's accumulator
 * needs no extra word (Acar; the "no-carry" form is by gnark's authors, hackmd.io/@gnark/modular_multiplication). */
#define FP_HAS_SPARE_BIT (FP_BITS < 64 * FP_LIMBS)

static const uint64_t fp_modulus[FP_LIMBS] = FP_MODULUS_64;

/* The assembly needs more registers than sanitizers and unoptimised builds have left. */
#if defined(__GNUC__) && defined(__OPTIMIZE__) && FP_HAS_SPARE_BIT && (FP_LIMBS == 4 || FP_LIMBS == 6)
#define FP_FITS_ASSEMBLY 1
#else
#define FP_FITS_ASSEMBLY 0
#endif

#if defined(__aarch64__) && FP_FITS_ASSEMBLY
#define FP_ARM64_ASSEMBLY 1
#include "arith/fields/fp_mul_arm64.h"
#else
#define FP_ARM64_ASSEMBLY 0
#endif

#if defined(__x86_64__) && defined(__BMI2__) && defined(__ADX__) && FP_FITS_ASSEMBLY && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define FP_ADX_ASSEMBLY 1
#include "arith/fields/fp_mul_adx.h"
#else
#define FP_ADX_ASSEMBLY 0
#endif
#define FP_ASSEMBLY (FP_ARM64_ASSEMBLY || FP_ADX_ASSEMBLY)
#define FP_SUM_ASSEMBLY (FP_ARM64_ASSEMBLY || (FP_ADX_ASSEMBLY && FP_LIMBS == 4))

/* r = T - p if T >= p, else T, where T = carry 2^(64 n) + t < 2p for n limbs. */
static inline void fp_reduce_once(fp *r, const uint64_t t[FP_LIMBS], uint64_t carry) {
#if FP_SUM_ASSEMBLY
  (void)carry; /* which a spare bit leaves 0 */
  fp_reduce_words(r, t);
#else
  uint64_t d[FP_LIMBS], borrow = 0;
  FP_UNROLL
  for (int i = 0; i < FP_LIMBS; i++) d[i] = u64_sub(t[i], fp_modulus[i], &borrow);
  const uint64_t keep = (uint64_t)0 - (uint64_t)(carry < borrow);
  FP_UNROLL
  for (int i = 0; i < FP_LIMBS; i++) r->v[i] = d[i] ^ (keep & (d[i] ^ t[i]));
#endif
}

static inline void fp_add(fp *r, const fp *a, const fp *b) {
  uint64_t t[FP_LIMBS], carry = 0;
#if FP_ARM64_ASSEMBLY
  fp_add_words(t, a, b);
#else
  FP_UNROLL
  for (int i = 0; i < FP_LIMBS; i++) t[i] = u64_add(a->v[i], b->v[i], &carry);
#endif
  fp_reduce_once(r, t, FP_HAS_SPARE_BIT ? 0 : carry);
}

static inline void fp_sub(fp *r, const fp *a, const fp *b) {
#if FP_SUM_ASSEMBLY
  fp_sub_words(r, a, b);
#else
  uint64_t t[FP_LIMBS], borrow = 0, carry = 0;
  FP_UNROLL
  for (int i = 0; i < FP_LIMBS; i++) t[i] = u64_sub(a->v[i], b->v[i], &borrow);
  const uint64_t mask = (uint64_t)0 - borrow;
  FP_UNROLL
  for (int i = 0; i < FP_LIMBS; i++) r->v[i] = u64_add(t[i], fp_modulus[i] & mask, &carry);
#endif
}

static inline void fp_neg(fp *r, const fp *a) {
  uint64_t any = 0, borrow = 0;
  FP_UNROLL
  for (int i = 0; i < FP_LIMBS; i++) any |= a->v[i];
  const uint64_t mask = (uint64_t)0 - (uint64_t)(any != 0);
  FP_UNROLL
  for (int i = 0; i < FP_LIMBS; i++) r->v[i] = u64_sub(fp_modulus[i] & mask, a->v[i], &borrow);
}

/* fp_mul_unreduced: t + 2^(64 n) top = a b / R mod p, below 2p. Returns top, which is 0 with a spare bit. a may be any
 * integer of n limbs; b must be reduced, which suffices for the bound. Where 4p fits the limbs, it also holds for a and
 * b below 2p. */

#if !FP_ASSEMBLY
/* Operand scanning with interleaved reduction: t < 2p before each step. */
static inline uint64_t fp_mul_unreduced(uint64_t t[FP_LIMBS], const fp *a, const fp *b) {
  uint64_t top = 0;
  FP_UNROLL
  for (int i = 0; i < FP_LIMBS; i++) t[i] = 0;
  FP_UNROLL
  for (int i = 0; i < FP_LIMBS; i++) {
    uint64_t hi, c = 0, f;
    t[0] = u64_mac(a->v[i], b->v[0], t[0], 0, &hi);
    f = t[0] * FP_N0_64;
    (void)u64_mac(f, fp_modulus[0], t[0], 0, &c);
    FP_UNROLL
    for (int j = 1; j < FP_LIMBS; j++) {
      const uint64_t x = u64_mac(a->v[i], b->v[j], t[j], hi, &hi);
      t[j - 1] = u64_mac(f, fp_modulus[j], x, c, &c);
    }
    uint64_t carry = 0;
    t[FP_LIMBS - 1] = u64_add(hi, c, &carry);
    if (!FP_HAS_SPARE_BIT) {
      uint64_t carry2 = 0;
      t[FP_LIMBS - 1] = u64_add(t[FP_LIMBS - 1], top, &carry2);
      top = carry + carry2;
    }
  }
  return top;
}
#endif

/* In plain C a product of six limbs is 2 KiB of code. As a function call it lets an addition of points stay in the L1
 * instruction cache, which takes a tenth less time (measured with gcc 12, BLS12-381 G1), and compiles in a tenth of the
 * time. With four limbs the call costs more than it saves, and the three products of an extension field's product are
 * faster inline, side by side. ARM's assembly is always called with six limbs: inline it takes minutes to compile. */
#define FP_MUL_IS_CALLED (FP_LIMBS > 4 && (FP_ARM64_ASSEMBLY || (!FP_ASSEMBLY && FE_DEGREE == 1)))
#if FP_MUL_IS_CALLED
static __attribute__((noinline, unused)) void fp_mul(fp *r, const fp *a, const fp *b) {
#else
static inline void fp_mul(fp *r, const fp *a, const fp *b) {
#endif
  uint64_t t[FP_LIMBS];
  const uint64_t top = fp_mul_unreduced(t, a, b);
  fp_reduce_once(r, t, top);
}

static inline void fp_sqr(fp *r, const fp *a) { fp_mul(r, a, a); }

static inline int fp_from_canonical(fp *r, const uint64_t canonical[FP_LIMBS]) {
  static const fp r2 = FP_R2_64;
  fp t;
  uint64_t borrow = 0;
  FP_UNROLL
  for (int i = 0; i < FP_LIMBS; i++) t.v[i] = canonical[i], (void)u64_sub(canonical[i], fp_modulus[i], &borrow);
  if (!borrow) return 0;
  fp_mul(r, &t, &r2);
  return 1;
}

static inline void fp_to_canonical(uint64_t canonical[FP_LIMBS], const fp *a) {
  static const fp one = {{1}};
  fp t;
  fp_mul(&t, a, &one);
  FP_UNROLL
  for (int i = 0; i < FP_LIMBS; i++) canonical[i] = t.v[i];
}

static inline void fp_from_integer_reduce(fp *r, const uint64_t integer[FP_LIMBS]) {
  static const fp r2 = FP_R2_64;
  fp t;
  FP_UNROLL
  for (int i = 0; i < FP_LIMBS; i++) t.v[i] = integer[i];
  fp_mul(r, &t, &r2);
}

#endif
