/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Eight field elements at a time, for the prime fields of four and six 64-bit limbs in Montgomery form and their
 * quadratic extensions; the field is the one of ops/arith/field.h. With AVX-512 IFMA where the compiler may use it, in
 * plain C with the same bits elsewhere (simd8.h). RP_HAS_FE8 is 0 for other fields, and nothing is declared.
 *
 * Forms. In memory an element x is x R mod p, R = 2^256 or 2^384. In registers it stands in FP_LIMBS52 digits of 52
 * bits, for which the natural factor is S = 2^(52 n) = R 2^k, k = 4 or 32. Two kinds of values exist:
 *
 *   working  x S: what fe8_load gives and fe8_store takes; all of this header works on them
 *   memory   x R: what fe8_load_raw gives and fe8_store_raw takes, without any conversion. Sums and differences of
 * memory values are memory values, and so is the product of a memory value and a WORKING value (a twiddle factor, a
 *            coefficient). The product of two memory values is neither.
 *
 * Ranges. Values are below 2p + 2^-14 p with digits below 2^52 ("tight"), which every function expects and keeps unless
 * it says otherwise. Results may alias operands. There are no branches on values except in _var functions.
 */
#ifndef REPRISE_OPS_CPU_FE8_H
#define REPRISE_OPS_CPU_FE8_H

#include "arith/field.h"

#if FP_MONTGOMERY && (FP_LIMBS == 4 || FP_LIMBS == 6) && FP_BITS > 52 * (FP_LIMBS52 - 1)
#define RP_HAS_FE8 1

#include "arith/simd8/simd8.h"

/* Products of eight digits, of extensions, and of plain C are functions of their own: inlined everywhere they would be
 * most of a kernel's code and of its compile time, and a call is nothing beside them. */
#define FP8_CALL static __attribute__((noinline, unused))
#if FP_LIMBS == 4 && FE_DEGREE == 1 && RP_SIMD8_IFMA
#define FP8_PRODUCT static inline
#else
#define FP8_PRODUCT FP8_CALL
#endif
#if FE_DEGREE == 2
#define FE8_PRODUCT FP8_PRODUCT
#else
#define FE8_PRODUCT static inline
#endif

typedef struct fp8 {
  v8 v[FP_LIMBS52];
} fp8;

/* A sum of products before its reduction, by columns. */
typedef struct fp8_wide {
  v8 v[2 * FP_LIMBS52];
} fp8_wide;

#if FE_DEGREE == 2
typedef struct fe8 {
  fp8 c0, c1;
} fe8;
#else
typedef fp8 fe8;
#endif

static inline void fe8_zero(fe8 *r);
static inline void fe8_one(fe8 *r); /* working */
static inline void fe8_add(fe8 *r, const fe8 *a, const fe8 *b);
static inline void fe8_sub(fe8 *r, const fe8 *a, const fe8 *b);
/* a - b + m p, and (a or -a) - (b or -b) + m p, of which the caller knows that it is not negative and below 16p; no
 * comparison. Digits are proper, and factors of a product may be such values: fp8_tighten below says which. */
static inline void fe8_sub_plus(fe8 *r, const fe8 *a, const fe8 *b, uint64_t m);
static inline void fe8_sub_signed(fe8 *r, const fe8 *a, m8 minus_a, const fe8 *b, m8 minus_b, uint64_t m);
/* a + b, digits not proper: for fe8_sub_plus alone, or after fe8_carry. */
static inline void fe8_add_lazy(fe8 *r, const fe8 *a, const fe8 *b);
static inline void fe8_carry(fe8 *r);
/* Proper digits of a value below 16p to a value at most a hair above p. */
static inline void fe8_reduce(fe8 *r);
static inline void fe8_dbl(fe8 *r, const fe8 *a);
static inline void fe8_neg(fe8 *r, const fe8 *a);
/* Any proper digits: the product of values below A p and B p is tight for A B <= 16, and so is the square for A <=
 * 4. */
FE8_PRODUCT void fe8_mul(fe8 *r, const fe8 *a, const fe8 *b);
FE8_PRODUCT void fe8_sqr(fe8 *r, const fe8 *a);
/* Lanes in the mask: r = a. */
static inline void fe8_cmov(fe8 *r, const fe8 *a, m8 mask);
/* Lanes in which they are zero, equal. */
static inline m8 fe8_is_zero(const fe8 *a);
/* Lanes in which it may be zero: all in which a value below 8p is, and hardly ever others. Four instructions. */
static inline m8 fe8_may_be_zero(const fe8 *a);
/* Lanes in which all digits are 0: zero in a value that was loaded reduced. */
static inline m8 fe8_is_clear(const fe8 *a);
static inline m8 fe8_equal(const fe8 *a, const fe8 *b);
/* One inversion for the eight lanes; 0 gives 0. Variable time. */
FP8_CALL void fe8_inv_var(fe8 *r, const fe8 *a);
/* a[i] = 1 / a[i] for n vectors with one inversion for all; zeros stay. `scratch` has room for n. Variable time. */
FP8_CALL void fe8_batch_inv_var(fe8 *a, fe8 *scratch, size_t n);

/* Working to memory value of the same elements: a / 2^k. */
static inline void fe8_unscale(fe8 *r, const fe8 *a);

/* Elements memory[0..7]; results are fully reduced in memory. No alignment is needed. */
static inline void fe8_load(fe8 *r, const void *memory);
static inline void fe8_store(void *memory, const fe8 *a);
static inline void fe8_load_raw(fe8 *r, const void *memory);
static inline void fe8_store_raw(void *memory, const fe8 *a);
/* Lane i from (to) at[i]: gathers by index, columns of structures. */
static inline void fe8_load_at(fe8 *r, const void *const at[8]);
static inline void fe8_store_at(void *const at[8], const fe8 *a);
static inline void fe8_load_raw_at(fe8 *r, const void *const at[8]);
static inline void fe8_store_raw_at(void *const at[8], const fe8 *a);
/* The same of a value below 4p. */
static inline void fe8_store_raw_wide_at(void *const at[8], const fe8 *a);
/* One element in all lanes. Working; raw: memory value. */
static inline void fe8_set1(fe8 *r, const fe *a);
static inline void fe8_set1_raw(fe8 *r, const fe *a);

/* Prime fields: the same under fp8_ names, and sums of products with one reduction at the end (rows of a matrix, inner
 * products): start with fp8_wide_zero, add at most FP8_WIDE_TERMS products, reduce once. */
#define FP8_WIDE_TERMS 32
static inline void fp8_wide_zero(fp8_wide *w);
static inline void fp8_wide_add_mul(fp8_wide *w, const fp8 *a, const fp8 *b);
static inline void fp8_wide_reduce(fp8 *r, const fp8_wide *w);
/* Lazy sums. Loose values have digits below 2^63 in size, of either sign, and are in [0, 2^(52 n)) as a whole; nothing
 * but these functions takes them. sub adds 4p, so that the difference of tight values is positive and below 6p + hair.
 * fp8_carry makes the digits of a loose value proper, fp8_tighten makes it tight if it is below 16p. fp8_mul and
 * fp8_sqr take any proper digits: the product of values below A p and B p is tight for A B <= 16. */
static inline void fp8_add_lazy(fp8 *r, const fp8 *a, const fp8 *b);
static inline void fp8_sub_lazy(fp8 *r, const fp8 *a, const fp8 *b);
static inline void fp8_carry(fp8 *r);
static inline void fp8_tighten(fp8 *r);

#include "arith/simd8/fp8_arithmetic.h"
#include "arith/simd8/fp8_memory.h"
#if FE_DEGREE == 2
#include "arith/simd8/fe8_degree2.h"
#else
#include "arith/simd8/fe8_degree1.h"
#endif
#include "arith/simd8/fe8_inverse.h"

#else
#define RP_HAS_FE8 0
#endif

#endif
