/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Eight field elements at a time, for the prime fields of four and six 64-bit limbs in Montgomery form and their
 * quadratic extensions; the field is the one of ops/arith/field.h. The code uses AVX-512 IFMA where the compiler may,
 * and otherwise plain C that gives the same bits (simd8.h). For other fields RP_HAS_FE8 is 0 and nothing is declared.
 *
 * Forms. In memory an element x is x R mod p, with R = 2^256 or 2^384. In registers it has FP_LIMBS52 digits of 52
 * bits, for which the natural factor is S = 2^(52 n) = R 2^k, with k = 4 or 32. There are two kinds of values:
 *
 *   working  x S: what fe8_load gives and fe8_store takes; all functions of this header work on them
 *   memory   x R: what fe8_load_raw gives and fe8_store_raw takes, without conversion
 *
 * Sums and differences of memory values are memory values, and so is the product of a memory value and a WORKING value
 * (a twiddle factor, a coefficient). The product of two memory values is neither.
 *
 * Ranges. A value is "tight" if it is below 2p + 2^-14 p and its digits are below 2^52 ("proper"). Every function
 * expects tight values and returns them unless it says otherwise. Results may alias operands. Only _var functions
 * branch on values.
 */
#ifndef REPRISE_OPS_CPU_FE8_H
#define REPRISE_OPS_CPU_FE8_H

#include "arith/field.h"

#if FP_MONTGOMERY && (FP_LIMBS == 4 || FP_LIMBS == 6) && FP_BITS > 52 * (FP_LIMBS52 - 1)
#define RP_HAS_FE8 1

#include "arith/simd8/simd8.h"

/* Products of eight digits, of extension fields, and in plain C are not inlined: they would be most of a kernel's code
 * and of its compile time, and the cost of a call is negligible beside them. */
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

/* A sum of products before its reduction, in columns of digits. */
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
static inline void fe8_one(fe8 *r); /* a working value */
static inline void fe8_add(fe8 *r, const fe8 *a, const fe8 *b);
static inline void fe8_sub(fe8 *r, const fe8 *a, const fe8 *b);
/* r = a - b + m p, and r = (a or -a) - (b or -b) + m p, by the masks. The caller must know that the result is not
 * negative and below 16p; there is no comparison. The digits of the result are proper, and it may be a factor of a
 * product within the bounds of fe8_mul. */
static inline void fe8_sub_plus(fe8 *r, const fe8 *a, const fe8 *b, uint64_t m);
static inline void fe8_sub_signed(fe8 *r, const fe8 *a, m8 minus_a, const fe8 *b, m8 minus_b, uint64_t m);
/* r = a + b with digits that are not proper: the result may only go to fe8_sub_plus, or through fe8_carry. */
static inline void fe8_add_lazy(fe8 *r, const fe8 *a, const fe8 *b);
static inline void fe8_carry(fe8 *r);
/* Takes a value below 16p with proper digits to one below p + 2^-14 p. */
static inline void fe8_reduce(fe8 *r);
static inline void fe8_dbl(fe8 *r, const fe8 *a);
static inline void fe8_neg(fe8 *r, const fe8 *a);
/* Operands may be any values with proper digits: the product of values below A p and B p is tight if A B <= 16, the
 * square if A <= 4. */
FE8_PRODUCT void fe8_mul(fe8 *r, const fe8 *a, const fe8 *b);
FE8_PRODUCT void fe8_sqr(fe8 *r, const fe8 *a);
/* r[c] = a[c] b[c], or a[c]^2, for c = 0 and 1, with the bounds of fe8_mul and fe8_sqr: faster than one after the other
 * in a prime field of four limbs. r may be a or b. */
static inline void fe8_mul_two(fe8 r[2], const fe8 a[2], const fe8 b[2]);
static inline void fe8_sqr_two(fe8 r[2], const fe8 a[2]);
/* r = a in the lanes of the mask. */
static inline void fe8_cmov(fe8 *r, const fe8 *a, m8 mask);
/* The lanes in which a is zero modulo p, or a and b are equal modulo p. */
static inline m8 fe8_is_zero(const fe8 *a);
/* The lanes in which a may be zero modulo p: every such lane if a is below 8p, and other lanes with probability 2^-49.
 * Takes four instructions. */
static inline m8 fe8_may_be_zero(const fe8 *a);
/* The lanes in which all digits are 0, which means zero for a value that was loaded reduced. */
static inline m8 fe8_is_clear(const fe8 *a);
static inline m8 fe8_equal(const fe8 *a, const fe8 *b);
/* One inversion for all eight lanes; 0 gives 0. Variable time. */
FP8_CALL void fe8_inv_var(fe8 *r, const fe8 *a);
/* a[i] = 1 / a[i] for n vectors with one inversion in all; zeros stay zero. `scratch` holds n vectors. Variable
 * time. */
FP8_CALL void fe8_batch_inv_var(fe8 *a, fe8 *scratch, size_t n);

/* r = a / 2^k: the memory value of the element that a is the working value of. */
static inline void fe8_unscale(fe8 *r, const fe8 *a);

/* Elements memory[0..7], of any alignment; stored elements are fully reduced. */
static inline void fe8_load(fe8 *r, const void *memory);
static inline void fe8_store(void *memory, const fe8 *a);
static inline void fe8_load_raw(fe8 *r, const void *memory);
static inline void fe8_store_raw(void *memory, const fe8 *a);
/* The same with lane i at at[i]: gathers by index, columns of structures. */
static inline void fe8_load_at(fe8 *r, const void *const at[8]);
static inline void fe8_store_at(void *const at[8], const fe8 *a);
static inline void fe8_load_raw_at(fe8 *r, const void *const at[8]);
static inline void fe8_store_raw_at(void *const at[8], const fe8 *a);
/* The same for a value below 4p. */
static inline void fe8_store_raw_wide_at(void *const at[8], const fe8 *a);
/* One element in all lanes: fe8_set1 gives a working value, fe8_set1_raw a memory value. */
static inline void fe8_set1(fe8 *r, const fe *a);
static inline void fe8_set1_raw(fe8 *r, const fe *a);

/* For prime fields: the same functions under fp8_ names, and sums of products with one reduction at the end (rows of a
 * matrix, inner products). Start with fp8_wide_zero, add at most FP8_WIDE_TERMS products, then reduce. */
#define FP8_WIDE_TERMS 32
static inline void fp8_wide_zero(fp8_wide *w);
static inline void fp8_wide_add_mul(fp8_wide *w, const fp8 *a, const fp8 *b);
static inline void fp8_wide_reduce(fp8 *r, const fp8_wide *w);
/* Lazy sums. A "loose" value has digits of either sign with absolute value below 2^63 and is in [0, 2^(52 n)) as a
 * whole; only these functions take loose values. fp8_sub_lazy adds 4p, so that the difference of tight values is
 * positive and below 6p + 2^-14 p. fp8_carry makes the digits proper; fp8_tighten makes a value below 16p tight.
 * fp8_mul and fp8_sqr take any proper digits: the product of values below A p and B p is tight if A B <= 16. */
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

#elif FP_WORD_BYTES == 4
#define RP_HAS_FE8 1
#include "arith/simd8/fe8_small.h"
#else
#define RP_HAS_FE8 0
#endif

#endif
