/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The element type `fe` that kernels work on: a prime field or its quadratic extension, under the same function names,
 * so that a kernel is written once and compiled once per field (-I gen/<id>). This is what ops/arith/field.h is on
 * CPUs.
 */
#ifndef REPRISE_CUDA_FIELD_CUH
#define REPRISE_CUDA_FIELD_CUH

#include "field_params.h"

#if FP_WORD_BYTES == 4
#include "arith/fp_small.cuh"
#elif FP_MONTGOMERY
#include "arith/dot.cuh"
#include "arith/wide.cuh"
#else
#include "arith/goldilocks.cuh"
#endif
#include "arith/inverse.cuh"

/* A product that is not inlined, for code whose size matters more than the cost of a call: kernels that are not
 * critical for speed, which compile ten times faster this way. */
static __device__ __noinline__ fp fp_mul_call(fp a, fp b) { return fp_mul(a, b); }

#if FE_DEGREE == 1
typedef fp fe;
#define fe_zero fp_zero
#define fe_one fp_one
#define fe_is_zero fp_is_zero
#define fe_equal fp_equal
#define fe_select fp_select
#define fe_add fp_add
#define fe_sub fp_sub
#define fe_neg fp_neg
#define fe_dbl fp_dbl
#define fe_mul_call fp_mul_call
#ifdef RP_CUDA_SMALL_CODE
RP_DEV fe fe_mul(const fe &a, const fe &b) { return fp_mul_call(a, b); }
RP_DEV fe fe_sqr(const fe &a) { return fp_mul_call(a, a); }
#else
#define fe_mul fp_mul
#define fe_sqr fp_sqr
#endif

#else
struct fe {
  fp c0, c1;
};

RP_DEV fe fe_zero() { return fe{fp_zero(), fp_zero()}; }
RP_DEV fe fe_one() { return fe{fp_one(), fp_zero()}; }
RP_DEV bool fe_is_zero(const fe &a) { return fp_is_zero(a.c0) && fp_is_zero(a.c1); }
RP_DEV bool fe_equal(const fe &a, const fe &b) { return fp_equal(a.c0, b.c0) && fp_equal(a.c1, b.c1); }
RP_DEV fe fe_select(bool take, const fe &a, const fe &b) {
  return fe{fp_select(take, a.c0, b.c0), fp_select(take, a.c1, b.c1)};
}
RP_DEV fe fe_add(const fe &a, const fe &b) { return fe{fp_add(a.c0, b.c0), fp_add(a.c1, b.c1)}; }
RP_DEV fe fe_sub(const fe &a, const fe &b) { return fe{fp_sub(a.c0, b.c0), fp_sub(a.c1, b.c1)}; }
RP_DEV fe fe_neg(const fe &a) { return fe{fp_neg(a.c0), fp_neg(a.c1)}; }
RP_DEV fe fe_dbl(const fe &a) { return fe{fp_dbl(a.c0), fp_dbl(a.c1)}; }

/* Karatsuba, u^2 = -1, with one reduction per coefficient. Both are below 2p^2 in magnitude, and so below p R. It is
 * a call because the additions of points would not fit in the instruction cache otherwise. */
static __device__ __noinline__ fe fe_mul_call(fe a, fe b) {
  const wide t0 = wide_mul(a.c0.v, b.c0.v), t1 = wide_mul(a.c1.v, b.c1.v);
  const fp a_sum = fp_sum(a.c0, a.c1), b_sum = fp_sum(b.c0, b.c1);
  const wide t2 = wide_sub(wide_sub(wide_mul(a_sum.v, b_sum.v), t0), t1);
  return fe{wide_reduce(wide_positive(wide_sub(t0, t1))), wide_reduce(t2)};
}
RP_DEV fe fe_mul(const fe &a, const fe &b) { return fe_mul_call(a, b); }
#ifdef RP_CUDA_SMALL_CODE
#define FP_MUL_IN_SQUARE fp_mul_call
#else
#define FP_MUL_IN_SQUARE fp_mul
#endif
RP_DEV fe fe_sqr(const fe &a) {
  const fp t = FP_MUL_IN_SQUARE(a.c0, a.c1);
  return fe{FP_MUL_IN_SQUARE(fp_add(a.c0, a.c1), fp_sub(a.c0, a.c1)), fp_dbl(t)};
}
#undef FP_MUL_IN_SQUARE
#endif

/* The inverse of a; 0 for 0. It keeps one lane busy for ten thousand cycles or more, so inversions are batched wherever
 * possible. */
static __device__ __noinline__ fp fp_inv(fp a) {
  fp r;
#if FP_MONTGOMERY
  constexpr fp r3 = FP_R3_32; /* the memory form is a R, and its inverse as an integer is a^-1 R^-1 */
  inv_integer(r.v, a.v);
  return fp_mul(r, r3);
#else
  uint32_t words[FP_N] = {(uint32_t)a.v, (uint32_t)(a.v >> 32)};
  inv_integer(words, words);
  r.v = words[0] | (uint64_t)words[1] << 32;
  return r;
#endif
}

#if FE_DEGREE == 1
#define fe_inv fp_inv
#else
RP_DEV fe fe_inv(const fe &a) {
  fp norm = fp_inv(fp_add(fp_sqr(a.c0), fp_sqr(a.c1)));
  return fe{fp_mul(a.c0, norm), fp_neg(fp_mul(a.c1, norm))};
}
#endif

/* Elements lie in memory without padding, aligned to 8 bytes, or to their size if that is less. Where their size
 * allows, they are accessed 16 bytes at a time: the engine places values at multiples of 256 bytes. */
RP_DEV fe fe_load(const void *array, uint64_t i) { return ((const fe *)array)[i]; }
RP_DEV void fe_store(void *array, uint64_t i, const fe &x) { ((fe *)array)[i] = x; }

#endif
