/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Eight elements of one 32-bit word (fp_montgomery32.h) in lanes of 64 bits: those functions of fe8.h that the kernels
 * of vectors and sparse matrices use. A lane holds a reduced element, so that working values, memory values and tight
 * values are all the same. One factor of a product may be any word.
 */
#ifndef REPRISE_OPS_CPU_FE8_SMALL_H
#define REPRISE_OPS_CPU_FE8_SMALL_H

#include "arith/simd8/simd8.h"

typedef struct fp8 {
  v8 v[1];
} fp8;
typedef fp8 fe8;

/* Eight consecutive words. */
#if RP_SIMD8_IFMA
typedef uint32_t v8_words __attribute__((vector_size(32), may_alias, aligned(4)));
typedef unsigned long long v8_lanes __attribute__((vector_size(64)));
static inline v8 v8_load32(const void *p) { return (v8) __builtin_convertvector(*(const v8_words *)p, v8_lanes); }
static inline void v8_store32(void *p, v8 a) { *(v8_words *)p = __builtin_convertvector((v8_lanes)a, v8_words); }
#else
static inline v8 v8_load32(const void *p) {
  uint32_t word[8];
  v8 r;
  memcpy(word, p, sizeof word);
  for (int i = 0; i < 8; i++) r.lane[i] = word[i];
  return r;
}
static inline void v8_store32(void *p, v8 a) {
  uint32_t word[8];
  for (int i = 0; i < 8; i++) word[i] = (uint32_t)a.lane[i];
  memcpy(p, word, sizeof word);
}
#endif

/* r = x, or x - p if x is not below p, for x below 2p. */
static inline void fp8_reduce_once(fp8 *r, v8 x) {
  const v8 p = v8_set1(FP_P);
  r->v[0] = v8_sub_if((m8)~v8_below(x, p), x, p);
}

static inline void fe8_zero(fe8 *r) { r->v[0] = v8_set1(0); }
static inline void fe8_set1(fe8 *r, const fe *a) { r->v[0] = v8_set1(a->v[0]); }
static inline void fe8_set1_raw(fe8 *r, const fe *a) { fe8_set1(r, a); }
static inline void fe8_one(fe8 *r) {
  fe one;
  fe_one(&one);
  fe8_set1(r, &one);
}

static inline void fe8_add(fe8 *r, const fe8 *a, const fe8 *b) { fp8_reduce_once(r, v8_add(a->v[0], b->v[0])); }
static inline void fe8_sub(fe8 *r, const fe8 *a, const fe8 *b) {
  fp8_reduce_once(r, v8_sub(v8_add(a->v[0], v8_set1(FP_P)), b->v[0]));
}
static inline void fe8_neg(fe8 *r, const fe8 *a) {
  fe8 zero;
  fe8_zero(&zero);
  fe8_sub(r, &zero, a);
}

/* The multiplier takes the low 32 bits of each lane. */
static inline void fe8_mul(fe8 *r, const fe8 *a, const fe8 *b) {
  const v8 t = v8_mul32(a->v[0], b->v[0]), m = v8_mul32(t, v8_set1(FP_N0_32));
  fp8_reduce_once(r, v8_shr(v8_add(t, v8_mul32(m, v8_set1(FP_P))), 32));
}
static inline void fe8_sqr(fe8 *r, const fe8 *a) { fe8_mul(r, a, a); }

static inline void fe8_cmov(fe8 *r, const fe8 *a, m8 mask) { r->v[0] = v8_select(mask, r->v[0], a->v[0]); }
static inline m8 fe8_is_zero(const fe8 *a) { return v8_eq(a->v[0], v8_set1(0)); }

static inline void fe8_load(fe8 *r, const void *memory) { r->v[0] = v8_load32(memory); }
static inline void fe8_store(void *memory, const fe8 *a) { v8_store32(memory, a->v[0]); }
static inline void fe8_load_raw(fe8 *r, const void *memory) { fe8_load(r, memory); }
static inline void fe8_store_raw(void *memory, const fe8 *a) { fe8_store(memory, a); }

static inline void fe8_load_at(fe8 *r, const void *const at[8]) {
  fe lane[8];
  for (int i = 0; i < 8; i++) fe_load(&lane[i], at[i]);
  fe8_load(r, lane);
}
static inline void fe8_store_at(void *const at[8], const fe8 *a) {
  fe lane[8];
  fe8_store(lane, a);
  for (int i = 0; i < 8; i++) fe_store(at[i], &lane[i]);
}
static inline void fe8_load_raw_at(fe8 *r, const void *const at[8]) { fe8_load_at(r, at); }
static inline void fe8_store_raw_at(void *const at[8], const fe8 *a) { fe8_store_at(at, a); }

#endif
