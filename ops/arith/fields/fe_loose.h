/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Chains of products without reductions in between. A loose element is any integer below 2p that is congruent to the
 * value: a product of loose elements is loose if 4p fits the limbs, since (2p 2p + R p) / R = p (4p / R + 1). So
 * fe_mul gives the reduced product of loose elements. In other fields, and in extensions, loose elements are reduced,
 * and these are the functions of ops/arith/field.h.
 */
#ifndef REPRISE_OPS_FE_LOOSE_H
#define REPRISE_OPS_FE_LOOSE_H

#include "arith/field.h"

#if FE_DEGREE == 1 && FP_MONTGOMERY && FP_WORD_BYTES == 8 && FP_BITS <= 64 * FP_LIMBS - 2 && !FP_MUL_IS_CALLED

/* Loose operands and result. */
static inline __attribute__((always_inline)) void fe_mul_loose(fe *r, const fe *a, const fe *b) {
  uint64_t t[FP_LIMBS];
  (void)fp_mul_unreduced(t, a, b);
  FP_UNROLL
  for (int i = 0; i < FP_LIMBS; i++) r->v[i] = t[i];
}

/* r = a - b, loose; a and b are reduced. */
static inline void fe_sub_loose(fe *r, const fe *a, const fe *b) {
  uint64_t t[FP_LIMBS], carry = 0, borrow = 0;
  FP_UNROLL
  for (int i = 0; i < FP_LIMBS; i++) t[i] = u64_add(a->v[i], fp_modulus[i], &carry);
  FP_UNROLL
  for (int i = 0; i < FP_LIMBS; i++) r->v[i] = u64_sub(t[i], b->v[i], &borrow);
}

#else

static inline void fe_mul_loose(fe *r, const fe *a, const fe *b) { fe_mul(r, a, b); }
static inline void fe_sub_loose(fe *r, const fe *a, const fe *b) { fe_sub(r, a, b); }

#endif
#endif
