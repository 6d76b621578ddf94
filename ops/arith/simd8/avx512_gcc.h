/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * What simd8.h uses of <immintrin.h>, by the builtins of gcc 11 to 14. Reading the whole of that header takes gcc half
 * a second, which is longer than most kernels take to compile. The machine code is the same.
 */
#ifndef REPRISE_OPS_SIMD8_AVX512_GCC_H
#define REPRISE_OPS_SIMD8_AVX512_GCC_H

typedef long long __m512i __attribute__((vector_size(64), may_alias));
typedef long long __m256i __attribute__((vector_size(32), may_alias));
typedef long long __m128i __attribute__((vector_size(16), may_alias));
typedef long long v8_any512 __attribute__((vector_size(64), may_alias, aligned(1))); /* anywhere in memory */
typedef long long v8_any256 __attribute__((vector_size(32), may_alias, aligned(1)));
typedef long long v8_any128 __attribute__((vector_size(16), may_alias, aligned(1)));
typedef long long v8_i64 __attribute__((vector_size(64)));
typedef unsigned long long v8_u64 __attribute__((vector_size(64)));
typedef unsigned v8_u32 __attribute__((vector_size(64)));
typedef int v8_i32 __attribute__((vector_size(64)));
typedef long long v8_half64 __attribute__((vector_size(32)));
typedef int v8_half32 __attribute__((vector_size(32)));
typedef double v8_f64 __attribute__((vector_size(64)));
typedef double v8_halff64 __attribute__((vector_size(32)));
typedef int v8_quarter32 __attribute__((vector_size(16)));

enum { V8_ALL = 0xff, V8_ALL32 = 0xffff }; /* masks */

#define V8_INTRINSIC static inline __attribute__((always_inline))

/* Values that no instruction reads. */
V8_INTRINSIC __m512i v8_undefined(void) {
  __m512i none = none;
  return none;
}
V8_INTRINSIC __m256i v8_undefined256(void) {
  __m256i none = none;
  return none;
}
V8_INTRINSIC __m128i v8_undefined128(void) {
  __m128i none = none;
  return none;
}

#define _mm512_setr_epi64(a, b, c, d, e, f, g, h) ((__m512i)(v8_i64){(a), (b), (c), (d), (e), (f), (g), (h)})
V8_INTRINSIC __m512i _mm512_set1_epi64(long long a) { return _mm512_setr_epi64(a, a, a, a, a, a, a, a); }
V8_INTRINSIC __m512i _mm512_loadu_si512(const void *p) { return *(const v8_any512 *)p; }
V8_INTRINSIC void _mm512_storeu_si512(void *p, __m512i a) { *(v8_any512 *)p = a; }
V8_INTRINSIC __m256i _mm256_loadu_si256(const __m256i *p) { return *(const v8_any256 *)p; }
V8_INTRINSIC void _mm256_storeu_si256(__m256i *p, __m256i a) { *(v8_any256 *)p = a; }
V8_INTRINSIC __m128i _mm_loadu_si128(const __m128i *p) { return *(const v8_any128 *)p; }
V8_INTRINSIC void _mm_storeu_si128(__m128i *p, __m128i a) { *(v8_any128 *)p = a; }

V8_INTRINSIC __m512i _mm512_add_epi64(__m512i a, __m512i b) { return (__m512i)((v8_u64)a + (v8_u64)b); }
V8_INTRINSIC __m512i _mm512_sub_epi64(__m512i a, __m512i b) { return (__m512i)((v8_u64)a - (v8_u64)b); }
V8_INTRINSIC __m512i _mm512_and_si512(__m512i a, __m512i b) { return (__m512i)((v8_u32)a & (v8_u32)b); }
V8_INTRINSIC __m512i _mm512_or_si512(__m512i a, __m512i b) { return (__m512i)((v8_u32)a | (v8_u32)b); }
#define _mm512_ternarylogic_epi64(a, b, c, table) \
  ((__m512i)__builtin_ia32_pternlogq512_mask((v8_i64)(a), (v8_i64)(b), (v8_i64)(c), (unsigned char)(table), V8_ALL))
V8_INTRINSIC __m512i _mm512_slli_epi64(__m512i a, unsigned n) {
  return (__m512i)__builtin_ia32_psllqi512_mask((v8_i64)a, (int)n, (v8_i64)v8_undefined(), V8_ALL);
}
V8_INTRINSIC __m512i _mm512_srli_epi64(__m512i a, unsigned n) {
  return (__m512i)__builtin_ia32_psrlqi512_mask((v8_i64)a, (int)n, (v8_i64)v8_undefined(), V8_ALL);
}
V8_INTRINSIC __m512i _mm512_srai_epi64(__m512i a, unsigned n) {
  return (__m512i)__builtin_ia32_psraqi512_mask((v8_i64)a, (int)n, (v8_i64)v8_undefined(), V8_ALL);
}
V8_INTRINSIC __m512i _mm512_madd52lo_epu64(__m512i sum, __m512i a, __m512i b) {
  return (__m512i)__builtin_ia32_vpmadd52luq512_mask((v8_i64)sum, (v8_i64)a, (v8_i64)b, V8_ALL);
}
V8_INTRINSIC __m512i _mm512_madd52hi_epu64(__m512i sum, __m512i a, __m512i b) {
  return (__m512i)__builtin_ia32_vpmadd52huq512_mask((v8_i64)sum, (v8_i64)a, (v8_i64)b, V8_ALL);
}
V8_INTRINSIC __m512i _mm512_mul_epu32(__m512i a, __m512i b) {
  return (__m512i)__builtin_ia32_pmuludq512_mask((v8_i32)a, (v8_i32)b, (v8_i64)v8_undefined(), V8_ALL);
}

V8_INTRINSIC m8 _mm512_cmplt_epu64_mask(__m512i a, __m512i b) {
  return (m8)__builtin_ia32_ucmpq512_mask((v8_i64)a, (v8_i64)b, 1, (m8)V8_ALL);
}
V8_INTRINSIC m8 _mm512_cmpgt_epi64_mask(__m512i a, __m512i b) {
  return (m8)__builtin_ia32_pcmpgtq512_mask((v8_i64)a, (v8_i64)b, (m8)V8_ALL);
}
V8_INTRINSIC m8 _mm512_cmpeq_epi64_mask(__m512i a, __m512i b) {
  return (m8)__builtin_ia32_pcmpeqq512_mask((v8_i64)a, (v8_i64)b, (m8)V8_ALL);
}
V8_INTRINSIC __m512i _mm512_mask_add_epi64(__m512i other, m8 m, __m512i a, __m512i b) {
  return (__m512i)__builtin_ia32_paddq512_mask((v8_i64)a, (v8_i64)b, (v8_i64)other, m);
}
V8_INTRINSIC __m512i _mm512_mask_sub_epi64(__m512i other, m8 m, __m512i a, __m512i b) {
  return (__m512i)__builtin_ia32_psubq512_mask((v8_i64)a, (v8_i64)b, (v8_i64)other, m);
}
V8_INTRINSIC __m512i _mm512_mask_blend_epi64(m8 m, __m512i a, __m512i b) {
  return (__m512i)__builtin_ia32_blendmq_512_mask((v8_i64)a, (v8_i64)b, m);
}

#define _mm512_alignr_epi64(a, b, n) \
  ((__m512i)__builtin_ia32_alignq512_mask((v8_i64)(a), (v8_i64)(b), (n), (v8_i64)v8_undefined(), V8_ALL))
V8_INTRINSIC __m512i _mm512_permutex2var_epi64(__m512i a, __m512i index, __m512i b) {
  return (__m512i)__builtin_ia32_vpermt2varq512_mask((v8_i64)index, (v8_i64)a, (v8_i64)b, V8_ALL);
}
#define _mm512_shuffle_i64x2(a, b, n) \
  ((__m512i)__builtin_ia32_shuf_i64x2_mask((v8_i64)(a), (v8_i64)(b), (n), (v8_i64)v8_undefined(), V8_ALL))
V8_INTRINSIC __m512i _mm512_unpacklo_epi64(__m512i a, __m512i b) {
  return (__m512i)__builtin_ia32_punpcklqdq512_mask((v8_i64)a, (v8_i64)b, (v8_i64)v8_undefined(), V8_ALL);
}
V8_INTRINSIC __m512i _mm512_unpackhi_epi64(__m512i a, __m512i b) {
  return (__m512i)__builtin_ia32_punpckhqdq512_mask((v8_i64)a, (v8_i64)b, (v8_i64)v8_undefined(), V8_ALL);
}

V8_INTRINSIC __m512i _mm512_castsi256_si512(__m256i a) { return (__m512i)__builtin_ia32_si512_256si((v8_half32)a); }
V8_INTRINSIC __m512i _mm512_castsi128_si512(__m128i a) { return (__m512i)__builtin_ia32_si512_si((v8_quarter32)a); }
#define _mm512_inserti64x4(a, b, n) \
  ((__m512i)__builtin_ia32_inserti64x4_mask((v8_i64)(a), (v8_half64)(b), (n), (v8_i64)v8_undefined(), V8_ALL))
#define _mm512_inserti32x4(a, b, n) \
  ((__m512i)__builtin_ia32_inserti32x4_mask((v8_i32)(a), (v8_quarter32)(b), (n), (v8_i32)(a), V8_ALL32))
#define _mm512_extracti64x4_epi64(a, n) \
  ((__m256i)__builtin_ia32_extracti64x4_mask((v8_i64)(a), (n), (v8_half64)v8_undefined256(), V8_ALL))
#define _mm512_extracti32x4_epi32(a, n) \
  ((__m128i)__builtin_ia32_extracti32x4_mask((v8_i32)(a), (n), (v8_quarter32)v8_undefined128(), V8_ALL))
V8_INTRINSIC __m256i _mm512_castsi512_si256(__m512i a) {
  const v8_halff64 none = (v8_halff64)v8_undefined256();
  return (__m256i)__builtin_ia32_extractf64x4_mask((v8_f64)a, 0, none, V8_ALL);
}
V8_INTRINSIC __m128i _mm512_castsi512_si128(__m512i a) { return _mm512_extracti32x4_epi32(a, 0); }

#endif
