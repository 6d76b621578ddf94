/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Scalars before they are cut into signed digits (msm/buckets.h), for C, CUDA C and GLSL. Scalars and orders are
 * integers of RP_WORDS words, the lowest first. The file that includes this one defines before it
 *
 *   rp_word, RP_WORDS                 the type of a word, and how many there are
 *   PRODUCT_CARRY(r, a, b, x, c)      r + 2^w c := a b + x + c, where w is the number of bits of a word
 *   words_add(r, a, b)                r := a + b mod 2^(w RP_WORDS); returns the carry, 0 or 1. r may be longer.
 *   words_subtract(r, a, b)           r := a - b mod 2^(w RP_WORDS); returns whether a < b
 */
#ifndef REPRISE_OPS_SCALAR_RECODE_H
#define REPRISE_OPS_SCALAR_RECODE_H

#include "kernel/shared.h"

/* a := a / 2^(w rounds) mod order, which takes a field element of that many words in Montgomery form to its canonical
 * integer. order_inverse is -1 / order mod 2^w. Words above those of an element are zero, before and after. */
RP_SHARED void rp_scalar_reduce(RP_CHANGED rp_word a[RP_WORDS], const rp_word order[RP_WORDS], rp_word order_inverse,
                                uint32_t rounds) {
  for (uint32_t round = 0u; round < rounds; round++) {
    const rp_word m = a[0] * order_inverse;
    rp_word c = 0u;
    PRODUCT_CARRY(a[0], m, order[0], a[0], c)
    RP_UNROLLED for (int i = 1; i < RP_WORDS; i++) PRODUCT_CARRY(a[i - 1], m, order[i], a[i], c)
    a[RP_WORDS - 1] = c;
  }
}

/* negated := order - a. Returns whether a is below the order; if not, it becomes zero. */
RP_SHARED bool rp_scalar_negate(RP_CHANGED rp_word negated[RP_WORDS], RP_CHANGED rp_word a[RP_WORDS],
                                const rp_word order[RP_WORDS]) {
  const bool above = words_subtract(negated, order, a);
  rp_word any = 0u;
  RP_UNROLLED for (int i = 0; i < RP_WORDS; i++) any |= negated[i];
  const bool below = !above && any != 0u;
  if (!below) {
    RP_UNROLLED for (int i = 0; i < RP_WORDS; i++) {
      a[i] = 0u;
      negated[i] = order[i];
    }
  }
  return below;
}

/* s := the smaller of a and negated, plus the bias that makes digits signed. Returns whether it is the latter. The
 * smaller one is a bit shorter, and a value just below the order gets few digits other than zero. */
RP_SHARED bool rp_scalar_bias(RP_CHANGED rp_word s[RP_WORDS + 1], const rp_word a[RP_WORDS],
                              const rp_word negated[RP_WORDS], const rp_word bias[RP_WORDS]) {
  rp_word smaller[RP_WORDS];
  const bool negative = words_subtract(smaller, negated, a);
  RP_UNROLLED for (int i = 0; i < RP_WORDS; i++) smaller[i] = negative ? negated[i] : a[i];
  s[RP_WORDS] = words_add(s, smaller, bias);
  return negative;
}

#endif
