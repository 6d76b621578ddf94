/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Eight elements of Goldilocks, p = 2^64 - 2^32 + 1, in 64-bit lanes. Any 64-bit value stands for the element that it
 * is congruent to; goldilocks8_canonical makes it the value below p. Since 2^64 = e and 2^96 = -1 (mod p) with e = 2^32
 * - 1, a product is reduced with shifts and one 32-bit product.
 */
#ifndef REPRISE_OPS_CPU_GOLDILOCKS8_H
#define REPRISE_OPS_CPU_GOLDILOCKS8_H

#include "arith/simd8/simd8.h"

#define GOLDILOCKS_E ((uint64_t)UINT32_MAX)
#define GOLDILOCKS_P (UINT64_MAX - GOLDILOCKS_E + 1)

/* lo + 2^64 hi mod p */
static inline v8 goldilocks8_reduce(v8 lo, v8 hi) {
  const v8 e = v8_set1(GOLDILOCKS_E);
  const v8 top = v8_shr(hi, 32);
  v8 r = v8_sub(lo, top);
  r = v8_sub_if(v8_below(lo, top), r, e); /* r >= 2^64 - 2^32 here: this does not wrap again */
  const v8 sum = v8_add(r, v8_mul32(hi, e));
  return v8_add_if(v8_below(sum, r), sum, e); /* nor does this: the product is at most 2^64 - 2^33 + 1 */
}

static inline v8 goldilocks8_mul(v8 a, v8 b) {
  const v8 low = v8_set1(GOLDILOCKS_E), a1 = v8_shr(a, 32), b1 = v8_shr(b, 32);
  const v8 p00 = v8_mul32(a, b);
  const v8 t = v8_add(v8_mul32(a1, b), v8_shr(p00, 32));
  const v8 u = v8_add(v8_mul32(a, b1), v8_and(t, low));
  const v8 hi = v8_add(v8_add(v8_mul32(a1, b1), v8_shr(t, 32)), v8_shr(u, 32));
  return goldilocks8_reduce(v8_or(v8_shl(u, 32), v8_and(p00, low)), hi);
}

/* A sum of up to 2^31 elements; carries out of 64 bits are counted. */
typedef struct goldilocks8_sum {
  v8 low, carries;
} goldilocks8_sum;

static inline void goldilocks8_sum_add(goldilocks8_sum *s, v8 x) {
  s->low = v8_add(s->low, x);
  s->carries = v8_add_if(v8_below(s->low, x), s->carries, v8_set1(1));
}

static inline v8 goldilocks8_sum_value(const goldilocks8_sum *s) {
  const v8 e = v8_set1(GOLDILOCKS_E), sum = v8_add(s->low, v8_mul32(s->carries, e));
  return v8_add_if(v8_below(sum, s->low), sum, e);
}

static inline v8 goldilocks8_canonical(v8 a) {
  const v8 p = v8_set1(GOLDILOCKS_P);
  return v8_sub_if((m8)~v8_below(a, p), a, p);
}

#endif
