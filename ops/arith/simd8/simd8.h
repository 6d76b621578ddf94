/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Eight lanes of 64 bits: a thin layer over AVX-512 with the 52-bit multipliers (IFMA), and an equivalent in plain C
 * that gives the same bits, so that all code above it can be tested on any machine. The plain version is used where the
 * compiler may not use IFMA, or if RP_SIMD8_PLAIN is defined.
 *
 *   v8  eight unsigned 64-bit lanes, lane 0 first in memory
 *   m8  mask with one bit per lane
 */
#ifndef REPRISE_OPS_CPU_SIMD8_H
#define REPRISE_OPS_CPU_SIMD8_H

#include <stdint.h>
#include <string.h>

typedef uint8_t m8;

#if defined(__AVX512F__) && defined(__AVX512VL__) && defined(__AVX512IFMA__) && !defined(RP_SIMD8_PLAIN)
#if defined(__GNUC__) && !defined(__clang__) && __GNUC__ >= 11 && __GNUC__ <= 14
#include "arith/simd8/avx512_gcc.h"
#else
#include <immintrin.h>
#endif
#define RP_SIMD8_IFMA 1

/* Unrolls loops over digits, so that arrays of v8 stay in registers. */
#if defined(__clang__)
#define RP_UNROLL _Pragma("unroll")
#else
#define RP_UNROLL _Pragma("GCC unroll 16")
#endif

typedef __m512i v8;

static inline v8 v8_set1(uint64_t x) { return _mm512_set1_epi64((long long)x); }
static inline v8 v8_load(const void *p) { return _mm512_loadu_si512(p); }
static inline void v8_store(void *p, v8 a) { _mm512_storeu_si512(p, a); }
static inline v8 v8_add(v8 a, v8 b) { return _mm512_add_epi64(a, b); }
static inline v8 v8_sub(v8 a, v8 b) { return _mm512_sub_epi64(a, b); }
static inline v8 v8_and(v8 a, v8 b) { return _mm512_and_si512(a, b); }
static inline v8 v8_or(v8 a, v8 b) { return _mm512_or_si512(a, b); }
/* a | (b ^ c) */
static inline v8 v8_or_xor(v8 a, v8 b, v8 c) { return _mm512_ternarylogic_epi64(a, b, c, 0xf6); }
static inline v8 v8_shl(v8 a, unsigned n) { return _mm512_slli_epi64(a, n); }
static inline v8 v8_shr(v8 a, unsigned n) { return _mm512_srli_epi64(a, n); }
static inline v8 v8_sar(v8 a, unsigned n) { return _mm512_srai_epi64(a, n); }
/* sum + the low (high) 52 bits of the product of the low 52 bits of a and b */
static inline v8 v8_madlo(v8 sum, v8 a, v8 b) { return _mm512_madd52lo_epu64(sum, a, b); }
static inline v8 v8_madhi(v8 sum, v8 a, v8 b) { return _mm512_madd52hi_epu64(sum, a, b); }
/* The product of the low 32 bits of a and b. */
static inline v8 v8_mul32(v8 a, v8 b) { return _mm512_mul_epu32(a, b); }
static inline m8 v8_below(v8 a, v8 b) { return _mm512_cmplt_epu64_mask(a, b); }
/* Comparison as signed integers. */
static inline m8 v8_gt(v8 a, v8 b) { return _mm512_cmpgt_epi64_mask(a, b); }
static inline m8 v8_eq(v8 a, v8 b) { return _mm512_cmpeq_epi64_mask(a, b); }
/* Where the mask is set: a + b, a - b, b (for v8_select); elsewhere a. */
static inline v8 v8_add_if(m8 m, v8 a, v8 b) { return _mm512_mask_add_epi64(a, m, a, b); }
static inline v8 v8_sub_if(m8 m, v8 a, v8 b) { return _mm512_mask_sub_epi64(a, m, a, b); }
/* Where the mask is set: a - b; elsewhere a + b. */
static inline v8 v8_add_or_sub(m8 m, v8 a, v8 b) { return _mm512_mask_sub_epi64(_mm512_add_epi64(a, b), m, a, b); }
static inline v8 v8_select(m8 m, v8 a, v8 b) { return _mm512_mask_blend_epi64(m, a, b); }
/* Lane i receives lane (i + 4), (i + 2) or (i + 1) mod 8. */
static inline v8 v8_rotate4(v8 a) { return _mm512_alignr_epi64(a, a, 4); }
static inline v8 v8_rotate2(v8 a) { return _mm512_alignr_epi64(a, a, 2); }
static inline v8 v8_rotate1(v8 a) { return _mm512_alignr_epi64(a, a, 1); }

/* Lane i of out[w] is word w of row i, for four or two words; rows may have any alignment. */
static inline void v8_load_rows4(v8 out[4], const char *const row[8]) {
  const v8 low = _mm512_setr_epi64(0, 4, 8, 12, 1, 5, 9, 13), high = _mm512_setr_epi64(2, 6, 10, 14, 3, 7, 11, 15);
  v8 pair[4];
  RP_UNROLL for (int i = 0; i < 4; i++) {
    const v8 first = _mm512_castsi256_si512(_mm256_loadu_si256((const __m256i *)(const void *)row[2 * i]));
    pair[i] = _mm512_inserti64x4(first, _mm256_loadu_si256((const __m256i *)(const void *)row[2 * i + 1]), 1);
  }
  const v8 a = _mm512_permutex2var_epi64(pair[0], low, pair[1]), b = _mm512_permutex2var_epi64(pair[2], low, pair[3]);
  const v8 c = _mm512_permutex2var_epi64(pair[0], high, pair[1]), d = _mm512_permutex2var_epi64(pair[2], high, pair[3]);
  out[0] = _mm512_shuffle_i64x2(a, b, 0x44);
  out[1] = _mm512_shuffle_i64x2(a, b, 0xee);
  out[2] = _mm512_shuffle_i64x2(c, d, 0x44);
  out[3] = _mm512_shuffle_i64x2(c, d, 0xee);
}

static inline void v8_load_rows2(v8 out[2], const char *const row[8]) {
  const v8 even = _mm512_setr_epi64(0, 2, 4, 6, 8, 10, 12, 14), odd = _mm512_setr_epi64(1, 3, 5, 7, 9, 11, 13, 15);
  v8 four[2];
  RP_UNROLL for (int i = 0; i < 2; i++) {
    const char *const *r = row + 4 * i;
    v8 x = _mm512_castsi128_si512(_mm_loadu_si128((const __m128i *)(const void *)r[0]));
    x = _mm512_inserti32x4(x, _mm_loadu_si128((const __m128i *)(const void *)r[1]), 1);
    x = _mm512_inserti32x4(x, _mm_loadu_si128((const __m128i *)(const void *)r[2]), 2);
    four[i] = _mm512_inserti32x4(x, _mm_loadu_si128((const __m128i *)(const void *)r[3]), 3);
  }
  out[0] = _mm512_permutex2var_epi64(four[0], even, four[1]);
  out[1] = _mm512_permutex2var_epi64(four[0], odd, four[1]);
}

static inline void v8_store_rows4(char *const row[8], const v8 in[4]) {
  const v8 low = _mm512_setr_epi64(0, 4, 8, 12, 1, 5, 9, 13), high = _mm512_setr_epi64(2, 6, 10, 14, 3, 7, 11, 15);
  const v8 a = _mm512_shuffle_i64x2(in[0], in[1], 0x44), b = _mm512_shuffle_i64x2(in[2], in[3], 0x44);
  const v8 c = _mm512_shuffle_i64x2(in[0], in[1], 0xee), d = _mm512_shuffle_i64x2(in[2], in[3], 0xee);
  const v8 pair[4] = {_mm512_permutex2var_epi64(a, low, b), _mm512_permutex2var_epi64(a, high, b),
                      _mm512_permutex2var_epi64(c, low, d), _mm512_permutex2var_epi64(c, high, d)};
  RP_UNROLL for (int i = 0; i < 4; i++) {
    _mm256_storeu_si256((__m256i *)(void *)row[2 * i], _mm512_castsi512_si256(pair[i]));
    _mm256_storeu_si256((__m256i *)(void *)row[2 * i + 1], _mm512_extracti64x4_epi64(pair[i], 1));
  }
}

static inline void v8_store_rows2(char *const row[8], const v8 in[2]) {
  const v8 x = _mm512_unpacklo_epi64(in[0], in[1]), y = _mm512_unpackhi_epi64(in[0], in[1]);
  /* x holds rows 0, 2, 4, 6 and y rows 1, 3, 5, 7 */
  _mm_storeu_si128((__m128i *)(void *)row[0], _mm512_castsi512_si128(x));
  _mm_storeu_si128((__m128i *)(void *)row[1], _mm512_castsi512_si128(y));
  _mm_storeu_si128((__m128i *)(void *)row[2], _mm512_extracti32x4_epi32(x, 1));
  _mm_storeu_si128((__m128i *)(void *)row[3], _mm512_extracti32x4_epi32(y, 1));
  _mm_storeu_si128((__m128i *)(void *)row[4], _mm512_extracti32x4_epi32(x, 2));
  _mm_storeu_si128((__m128i *)(void *)row[5], _mm512_extracti32x4_epi32(y, 2));
  _mm_storeu_si128((__m128i *)(void *)row[6], _mm512_extracti32x4_epi32(x, 3));
  _mm_storeu_si128((__m128i *)(void *)row[7], _mm512_extracti32x4_epi32(y, 3));
}

#else
#define RP_SIMD8_IFMA 0
#define RP_UNROLL
#include "arith/simd8/simd8_plain.h"
#endif

#endif
