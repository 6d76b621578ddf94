/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Prime fields below 2^31 in Montgomery form, R = 2^32, one 32-bit word per element. Contracts: ops/arith/field.h.
 *
 * There are no branches, and conditional corrections are minima: of x and x - p, the one that did not wrap is the
 * smaller. Compilers turn loops over these functions into vector instructions.
 */
#ifndef REPRISE_OPS_FP_MONTGOMERY32_H
#define REPRISE_OPS_FP_MONTGOMERY32_H

static const uint32_t fp_modulus[1] = FP_MODULUS_32;
#define FP_P fp_modulus[0]

static inline uint32_t fp_least(uint32_t a, uint32_t b) { return a < b ? a : b; }

static inline void fp_add(fp *r, const fp *a, const fp *b) {
  const uint32_t t = a->v[0] + b->v[0];
  r->v[0] = fp_least(t, t - FP_P);
}

static inline void fp_sub(fp *r, const fp *a, const fp *b) {
  const uint32_t t = a->v[0] - b->v[0];
  r->v[0] = fp_least(t, t + FP_P);
}

static inline void fp_neg(fp *r, const fp *a) {
  const uint32_t t = 0 - a->v[0];
  r->v[0] = fp_least(t, t + FP_P);
}

/* T / R mod p, below p, for T < p R. The sum T + m p is below 2^64, because 2p is below R. */
static inline uint32_t fp_reduce_wide(uint64_t t) {
  const uint32_t m = (uint32_t)t * FP_N0_32;
  const uint32_t q = (uint32_t)((t + (uint64_t)m * FP_P) >> 32);
  return fp_least(q, q - FP_P);
}

/* One of the factors may be any word. */
static inline void fp_mul(fp *r, const fp *a, const fp *b) { r->v[0] = fp_reduce_wide((uint64_t)a->v[0] * b->v[0]); }

static inline void fp_sqr(fp *r, const fp *a) { fp_mul(r, a, a); }

static inline void fp_from_integer_reduce(fp *r, const uint32_t integer[1]) {
  static const fp r2 = FP_R2_32;
  r->v[0] = fp_reduce_wide((uint64_t)integer[0] * r2.v[0]);
}

static inline int fp_from_canonical(fp *r, const uint32_t canonical[1]) {
  if (canonical[0] >= FP_P) return 0;
  fp_from_integer_reduce(r, canonical);
  return 1;
}

static inline void fp_to_canonical(uint32_t canonical[1], const fp *a) { canonical[0] = fp_reduce_wide(a->v[0]); }

#include "arith/fields/fp_vector32.h"

#endif
