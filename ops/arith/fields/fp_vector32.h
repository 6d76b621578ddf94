/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Vectors of elements of one 32-bit word (fp_montgomery32.h): FPV_LANES of them, 16 with AVX-512, 8 with AVX2. Where
 * the compiler may use neither, FPV_LANES is 0 and nothing is declared; other fields do not define it. Every function
 * takes and gives reduced elements, as its twin of one element does.
 *
 * The machine multiplies the even words of a vector into 64-bit results, so that a product takes six multiplications:
 * of even and odd words, for the product itself and for the two of its reduction. For a plain loop, compilers generate
 * twice as many instructions.
 */
#ifndef REPRISE_OPS_FP_VECTOR32_H
#define REPRISE_OPS_FP_VECTOR32_H

#if defined(__AVX512F__) || defined(__AVX2__)

#if defined(__AVX512F__)
#define FPV_LANES 16
#else
#define FPV_LANES 8
#endif

/* Including <immintrin.h> would take gcc longer than most kernels take to compile. */
#if defined(__clang__)
#include <immintrin.h>
#endif

typedef uint32_t fpv __attribute__((vector_size(4 * FPV_LANES), may_alias));
typedef uint64_t fpv_wide __attribute__((vector_size(4 * FPV_LANES), may_alias));
typedef uint32_t fpv_anywhere __attribute__((vector_size(4 * FPV_LANES), may_alias, aligned(4)));
typedef int32_t fpv_signed __attribute__((vector_size(4 * FPV_LANES)));
typedef long long fpv_signed_wide __attribute__((vector_size(4 * FPV_LANES)));

/* The products of the even words. */
static inline fpv_wide fpv_mul_even(fpv a, fpv b) {
#if defined(__clang__) && FPV_LANES == 16
  return (fpv_wide)_mm512_mul_epu32((__m512i)a, (__m512i)b);
#elif defined(__clang__)
  return (fpv_wide)_mm256_mul_epu32((__m256i)a, (__m256i)b);
#elif FPV_LANES == 16
  return (fpv_wide)__builtin_ia32_pmuludq512_mask((fpv_signed)a, (fpv_signed)b, (fpv_signed_wide){0}, 0xff);
#else
  return (fpv_wide)__builtin_ia32_pmuludq256((fpv_signed)a, (fpv_signed)b);
#endif
}

static inline fpv fpv_least(fpv a, fpv b) {
#if defined(__clang__) && FPV_LANES == 16
  return (fpv)_mm512_min_epu32((__m512i)a, (__m512i)b);
#elif defined(__clang__)
  return (fpv)_mm256_min_epu32((__m256i)a, (__m256i)b);
#elif FPV_LANES == 16
  return (fpv)__builtin_ia32_pminud512_mask((fpv_signed)a, (fpv_signed)b, (fpv_signed){0}, 0xffff);
#else
  return (fpv)__builtin_ia32_pminud256((fpv_signed)a, (fpv_signed)b);
#endif
}

static inline fpv fpv_of_word(uint32_t x) { return (fpv){0} + x; }
static inline fpv fpv_set1(const fp *a) { return fpv_of_word(a->v[0]); }
static inline fpv fpv_load(const fp *a) { return *(const fpv_anywhere *)(const void *)a; }
static inline void fpv_store(fp *r, fpv a) { *(fpv_anywhere *)(void *)r = a; }

static inline fpv fpv_add(fpv a, fpv b) {
  const fpv t = a + b;
  return fpv_least(t, t - FP_P);
}

static inline fpv fpv_sub(fpv a, fpv b) {
  const fpv t = a - b;
  return fpv_least(t, t + FP_P);
}

static inline fpv fpv_mul(fpv a, fpv b) {
  const fpv n0 = fpv_of_word(FP_N0_32), p = fpv_of_word(FP_P);
  const fpv_wide even = fpv_mul_even(a, b);
  const fpv_wide odd = fpv_mul_even((fpv)((fpv_wide)a >> 32), (fpv)((fpv_wide)b >> 32));
  const fpv_wide even_sum = even + fpv_mul_even((fpv)fpv_mul_even((fpv)even, n0), p);
  const fpv_wide odd_sum = odd + fpv_mul_even((fpv)fpv_mul_even((fpv)odd, n0), p);
  const fpv q = (fpv)(even_sum >> 32 | (odd_sum & (uint64_t)0xffffffff00000000));
  return fpv_least(q, q - p);
}

#else
#define FPV_LANES 0
#endif

#endif
