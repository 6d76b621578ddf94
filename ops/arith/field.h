/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Field arithmetic on the host, one contract for every field; the field is the one whose gen/<id>/field_params.h stands
 * first in the include path (ops/kernel/tmpl.h). All functions are static inline.
 *
 *   fp   element of the prime field
 *   fe   element of the field itself: fp, or fp[u]/(u^2 + 1) as c0 + c1 u
 *
 * Elements are fully reduced, in memory form (types.h): every function requires that of its operands and gives it in
 * its results, so that elements are equal if their words are. Results may alias any operand. Functions run in constant
 * time unless their name ends in _var or their comment says otherwise. Every fe_ function also exists as fp_, with fp
 * in place of fe.
 */
#ifndef REPRISE_OPS_FIELD_H
#define REPRISE_OPS_FIELD_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "field_params.h"
#include "arith/fields/word.h"

/* Elements and canonical integers consist of FP_LIMBS words, least significant first. */
#if FP_WORD_BYTES == 4
typedef uint32_t fp_word;
#else
typedef uint64_t fp_word;
#endif

typedef struct fp {
  fp_word v[FP_LIMBS];
} fp;

#if FE_DEGREE == 2
typedef struct fe {
  fp c0, c1;
} fe;
#else
typedef fp fe;
#endif

#define FP_BYTES (FP_WORD_BYTES * FP_LIMBS)
#define FE_BYTES (FE_DEGREE * FP_BYTES)
#define FE_WORDS (FE_DEGREE * FP_LIMBS)

static inline void fe_zero(fe *r);
static inline void fe_one(fe *r);
static inline int fe_equal(const fe *a, const fe *b); /* 1 or 0 */
static inline int fe_is_zero(const fe *a);
static inline void fe_add(fe *r, const fe *a, const fe *b);
static inline void fe_sub(fe *r, const fe *a, const fe *b);
static inline void fe_dbl(fe *r, const fe *a);
static inline void fe_neg(fe *r, const fe *a);
static inline void fe_mul(fe *r, const fe *a, const fe *b);
static inline void fe_sqr(fe *r, const fe *a);
/* r = choose ? a : r, without a branch; choose is 0 or 1. */
static inline void fe_cmov(fe *r, const fe *a, int choose);
/* a^-1; 0 for 0. _var uses division steps, for public values; _ct uses Fermat's theorem. */
static inline void fe_inv_var(fe *r, const fe *a);
static inline void fe_inv_ct(fe *r, const fe *a);
/* a^e for an exponent of n 64-bit words, least significant first; 0^0 is 1. The time depends on the exponent, not on
 * a. */
static inline void fe_pow(fe *r, const fe *a, const uint64_t *e, size_t n);
/* 1 and one of the roots, or 0, and r untouched, if a is not a square. Variable time. */
static inline int fe_sqrt_var(fe *r, const fe *a);
/* Canonical integers of FE_WORDS words (both coefficients, c0 first). fe_from_canonical gives 0 and leaves r untouched
 * unless every coefficient is below the modulus; its time reveals only that. */
static inline int fe_from_canonical(fe *r, const fp_word *canonical);
static inline void fe_to_canonical(fp_word *canonical, const fe *a);
/* Memory form, from and to FE_BYTES bytes of any alignment. */
static inline void fe_load(fe *r, const void *memory);
static inline void fe_store(void *memory, const fe *a);

/* Prime fields only. */
/* r = integer mod p for any integer of FP_LIMBS words. */
static inline void fp_from_integer_reduce(fp *r, const fp_word integer[FP_LIMBS]);
static inline void fp_set_u32(fp *r, uint32_t x);
/* 1 if the canonical value of a is above (p - 1) / 2: the sign that point encodings use. Variable time. */
static inline int fp_is_high_var(const fp *a);

#if FP_WORD_BYTES == 4
#include "arith/fields/fp_montgomery32.h"
#elif FP_MONTGOMERY
#include "arith/fields/fp_montgomery.h"
#else
#include "arith/fields/fp_goldilocks.h"
#endif
#include "arith/fields/fp_inverse.h"
#include "arith/fields/fp_common.h"
#if FE_DEGREE == 2
#include "arith/fields/fe2.h"
#else
#include "arith/fields/fe1.h"
#endif

#endif
