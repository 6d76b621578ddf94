/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The element type `fe` that kernels work on: a prime field or its quadratic extension, under the same function names,
 * so that a kernel is written once and compiled once per field. This is what ops/arith/field.h is on CPUs and
 * shaders/cuda/arith/field.cuh is in CUDA.
 */
#ifndef REPRISE_VULKAN_FIELD_GLSL
#define REPRISE_VULKAN_FIELD_GLSL

#include "field_params.glsl"

#if FP_WORD_BYTES == 4
#include "arith/fp_small.glsl"
#elif FP_MONTGOMERY
#include "arith/fp.glsl"
#else
#include "arith/goldilocks.glsl"
#endif

fp fp_neg(fp a) { return fp_sub(fp_zero(), a); }

/* Elements lie in memory without padding. Where their size allows, they are accessed 16 bytes at a time: values begin
 * at multiples of 256 bytes. */
fp fp_load(addr from) {
  fp r;
#if FP_N % 4 == 0
  [[unroll]] for (int p = 0; p < FP_N / 4; p++) {
    const uvec4 w = rp_u128(at(from, p, 16)).v[0];
    r.v[4 * p] = w.x, r.v[4 * p + 1] = w.y, r.v[4 * p + 2] = w.z, r.v[4 * p + 3] = w.w;
  }
#elif FP_N == 1
  r.v[0] = rp_u32(from).v[0];
#else
  const uvec2 w = rp_u64(from).v[0];
  r.v[0] = w.x, r.v[1] = w.y;
#endif
  return r;
}

void fp_store(addr to, fp x) {
#if FP_N % 4 == 0
  [[unroll]] for (int p = 0; p < FP_N / 4; p++)
    rp_u128(at(to, p, 16)).v[0] = uvec4(x.v[4 * p], x.v[4 * p + 1], x.v[4 * p + 2], x.v[4 * p + 3]);
#elif FP_N == 1
  rp_u32(to).v[0] = x.v[0];
#else
  rp_u64(to).v[0] = uvec2(x.v[0], x.v[1]);
#endif
}

#define FE_BYTES (4 * FP_N * FE_DEGREE)

#if FE_DEGREE == 1
#define fe fp
#define fe_zero fp_zero
#define fe_one fp_one
#define fe_is_zero fp_is_zero
#define fe_equal fp_equal
#define fe_select fp_select
#define fe_add fp_add
#define fe_sub fp_sub
#define fe_neg fp_neg
#define fe_mul fp_mul
#define fe_sqr fp_sqr
fe fe_load(addr array, uint i) { return fp_load(at(array, i, FE_BYTES)); }
void fe_store(addr array, uint i, fe x) { fp_store(at(array, i, FE_BYTES), x); }
#else
struct fe {
  fp c0, c1;
};

fe fe_zero() { return fe(fp_zero(), fp_zero()); }
fe fe_one() { return fe(fp_one(), fp_zero()); }
bool fe_is_zero(fe a) { return fp_is_zero(a.c0) && fp_is_zero(a.c1); }
bool fe_equal(fe a, fe b) { return fp_equal(a.c0, b.c0) && fp_equal(a.c1, b.c1); }
fe fe_select(bool take, fe a, fe b) { return fe(fp_select(take, a.c0, b.c0), fp_select(take, a.c1, b.c1)); }
fe fe_add(fe a, fe b) { return fe(fp_add(a.c0, b.c0), fp_add(a.c1, b.c1)); }
fe fe_sub(fe a, fe b) { return fe(fp_sub(a.c0, b.c0), fp_sub(a.c1, b.c1)); }
fe fe_neg(fe a) { return fe(fp_neg(a.c0), fp_neg(a.c1)); }

#if RP_INT64
#include "arith/fe_mul_int64.glsl"
#else
#include "arith/fe_mul_int32.glsl"
#endif

fe fe_sqr(fe a) {
  const fp t = fp_mul(a.c0, a.c1);
  return fe(fp_mul(fp_add(a.c0, a.c1), fp_sub(a.c0, a.c1)), fp_add(t, t));
}

fe fe_load(addr array, uint i) {
  const addr from = at(array, i, FE_BYTES);
  return fe(fp_load(from), fp_load(at(from, 1, FE_BYTES / 2)));
}

void fe_store(addr array, uint i, fe x) {
  const addr to = at(array, i, FE_BYTES);
  fp_store(to, x.c0);
  fp_store(at(to, 1, FE_BYTES / 2), x.c1);
}
#endif

fe fe_dbl(fe a) { return fe_add(a, a); }

#endif
