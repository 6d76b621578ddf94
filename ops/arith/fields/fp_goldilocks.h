/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Goldilocks, p = 2^64 - 2^32 + 1, canonical form. Contracts: ops/arith/field.h.
 */
#ifndef REPRISE_OPS_FP_GOLDILOCKS_H
#define REPRISE_OPS_FP_GOLDILOCKS_H

static const uint64_t fp_modulus[1] = FP_MODULUS_64;
#define FP_EPSILON 0xffffffffull /* 2^64 mod p */

static inline void fp_add(fp *r, const fp *a, const fp *b) {
  const uint64_t s = a->v[0] + b->v[0], d = s - fp_modulus[0];
  r->v[0] = ((s < a->v[0]) | (s >= fp_modulus[0])) ? d : s;
}

static inline void fp_sub(fp *r, const fp *a, const fp *b) {
  const uint64_t d = a->v[0] - b->v[0];
  r->v[0] = d - (a->v[0] < b->v[0] ? FP_EPSILON : 0);
}

static inline void fp_neg(fp *r, const fp *a) { r->v[0] = a->v[0] ? fp_modulus[0] - a->v[0] : 0; }

/* A mask instead of a branch, which would be mispredicted for half of the products. The empty assembly keeps the
 * compiler from turning the mask back into a branch. */
static inline uint64_t fp_epsilon_if(int condition) {
  uint64_t mask = 0 - (uint64_t)condition;
  __asm__("" : "+r"(mask));
  return mask & FP_EPSILON;
}

/* With 2^64 = 2^32 - 1 and 2^96 = -1 (mod p): lo + (2^32 - 1) mid - top, where hi = top 2^32 + mid. */
static inline uint64_t fp_reduce_wide(uint64_t lo, uint64_t hi) {
  const uint64_t top = hi >> 32, mid = hi & FP_EPSILON;
  uint64_t t = lo - top;
  t -= fp_epsilon_if(lo < top);
  const uint64_t m = mid * FP_EPSILON, s = t + m;
  t = s + fp_epsilon_if(s < m);
  return t + fp_epsilon_if(t >= fp_modulus[0]); /* 2^64 - p */
}

static inline void fp_mul(fp *r, const fp *a, const fp *b) {
  const uint128 t = (uint128)a->v[0] * b->v[0];
  r->v[0] = fp_reduce_wide((uint64_t)t, (uint64_t)(t >> 64));
}

static inline void fp_sqr(fp *r, const fp *a) { fp_mul(r, a, a); }

static inline int fp_from_canonical(fp *r, const uint64_t canonical[1]) {
  if (canonical[0] >= fp_modulus[0]) return 0;
  r->v[0] = canonical[0];
  return 1;
}

static inline void fp_to_canonical(uint64_t canonical[1], const fp *a) { canonical[0] = a->v[0]; }

static inline void fp_from_integer_reduce(fp *r, const uint64_t integer[1]) {
  r->v[0] = integer[0] >= fp_modulus[0] ? integer[0] - fp_modulus[0] : integer[0];
}

#endif
