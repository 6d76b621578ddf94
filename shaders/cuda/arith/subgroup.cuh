/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Whether a point is on the curve, and in the subgroup of prime order: with the tests of ops/arith/curves/subgroup.h
 * and edwards.h (ePrint 2021/1130, 2022/352; for Banderwagon 2021/1152), so that CPUs and GPUs accept the same points.
 */
#ifndef REPRISE_CUDA_SUBGROUP_CUH
#define REPRISE_CUDA_SUBGROUP_CUH

#include "arith/curve.cuh"

#if CURVE_EDWARDS
static __device__ bool aff_on_curve(const aff &p) {
  const fe xx = fe_sqr(p.x), yy = fe_sqr(p.y);
  return fe_equal(fe_add(curve_mul_a(xx), yy), fe_add(fe_mul(fe_mul(xx, yy), curve_d()), fe_one()));
}

static __device__ __constant__ const uint32_t fp_half[FP_N] = FP_HALF_32;

/* Euler's criterion, four bits per step. False for zero. */
static __device__ bool fp_is_square(const fp &a) {
  fp table[16], r = fp_one();
  table[0] = fp_one();
  for (int i = 1; i < 16; i++) table[i] = fp_mul_call(table[i - 1], a);
  for (int digit = 8 * FP_N - 1; digit >= 0; digit--) {
    for (int k = 0; k < 4; k++) r = fp_mul_call(r, r);
    r = fp_mul_call(r, table[fp_half[digit / 8] >> digit % 8 * 4 & 15]);
  }
  return fp_equal(r, fp_one());
}

/* p must be on the curve. */
static __device__ bool aff_in_subgroup(const aff &p) {
  return fp_is_square(fe_sub(fe_one(), curve_mul_a(fe_sqr(p.x))));
}
#else
RP_DEV fe curve_b() {
  constexpr fe b = CURVE_B_32;
  return b;
}

static __device__ bool aff_on_curve(const aff &p) {
  if (aff_is_zero(p)) return true;
  return fe_equal(fe_sqr(p.y), fe_add(fe_mul(fe_sqr(p.x), p.x), curve_b()));
}

#if CURVE_COFACTOR_IS_ONE
static __device__ bool aff_in_subgroup(const aff &) { return true; }
#else
static __device__ __noinline__ void subgroup_add(acc *a, const acc *b) { *a = acc_add(*a, *b); }
static __device__ __noinline__ void subgroup_double(acc *a) { *a = acc_dbl(*a); }

/* *p = |x| *p for the parameter x of the curve's family. Every lane takes the same steps. */
static __device__ void mul_parameter(acc *p) {
  const acc base = *p;
  for (int bit = 62 - __clzll(CURVE_X); bit >= 0; bit--) {
    subgroup_double(p);
    if (CURVE_X >> bit & 1) subgroup_add(p, &base);
  }
}

static __device__ bool acc_equal_aff(const acc &a, const aff &b) {
  if (acc_is_zero(a) || aff_is_zero(b)) return acc_is_zero(a) && aff_is_zero(b);
  return fe_equal(fe_mul(b.x, a.zz), a.x) && fe_equal(fe_mul(b.y, a.zzz), a.y);
}

#if FE_DEGREE == 2
RP_DEV fe fe_conjugate(const fe &a) { return fe{a.c0, fp_neg(a.c1)}; }

/* Untwist, Frobenius, twist. */
RP_DEV aff aff_psi(const aff &p) {
  constexpr fe psi_x = CURVE_PSI_X_32, psi_y = CURVE_PSI_Y_32;
  return aff{fe_mul(fe_conjugate(p.x), psi_x), fe_mul(fe_conjugate(p.y), psi_y)};
}

/* p must be on the curve. It is in the subgroup if psi acts on it as 6 x^2 (BN) or x (BLS12). */
static __device__ bool aff_in_subgroup(const aff &p) {
  acc t = acc_from_aff(p);
  mul_parameter(&t);
#if CURVE_FAMILY_BN
  mul_parameter(&t);
  subgroup_double(&t);
  const acc twice = t;
  subgroup_double(&t);
  subgroup_add(&t, &twice);
#else
  if (CURVE_X_IS_NEGATIVE) t = acc_neg(t);
#endif
  return acc_equal_aff(t, aff_psi(p));
}
#else
static_assert(CURVE_FAMILY_BLS12, "the test is that of BLS12 curves");

/* p must be on the curve. It is in the subgroup if multiplying its first coordinate by one of the two primitive cube
 * roots of unity gives -x^2 p, x being the parameter of the family. */
static __device__ bool aff_in_subgroup(const aff &p) {
  constexpr fe beta = CURVE_BETA_32;
  acc t = acc_from_aff(p);
  mul_parameter(&t);
  mul_parameter(&t);
  t = acc_neg(t);
  aff phi = aff{fe_mul(p.x, beta), p.y};
  if (acc_equal_aff(t, phi)) return true;
  phi.x = fe_mul(phi.x, beta);
  return acc_equal_aff(t, phi);
}
#endif
#endif
#endif

#endif
