/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Whether a point is on the curve, and in the subgroup of prime order: with the tests of ops/arith/curves/subgroup.h
 * and shaders/cuda/arith/subgroup.cuh (ePrint 2021/1130, 2022/352; for Banderwagon 2021/1152), so that all accept the
 * same points.
 */
#ifndef REPRISE_VULKAN_SUBGROUP_GLSL
#define REPRISE_VULKAN_SUBGROUP_GLSL

#include "arith/curve.glsl"

#if CURVE_EDWARDS
bool aff_on_curve(aff p) {
  const fe xx = fe_sqr(p.x), yy = fe_sqr(p.y);
  return fe_equal(fe_add(curve_mul_a(xx), yy), fe_add(fe_mul(fe_mul(xx, yy), curve_d()), fe_one()));
}

/* Euler's criterion. False for zero. */
bool fp_is_square(fp a) {
  fp r = fp_one();
  [[dont_unroll]] for (int bit = 32 * FP_N - 1; bit >= 0; bit--) {
    const uint products = 1 + (FP_HALF_32[bit / 32] >> bit % 32 & 1);
    [[dont_unroll]] for (uint i = 0; i < products; i++) {
      const fp factor = fp_select(i == 1, r, a);
      r = fp_mul(r, factor);
    }
  }
  return fp_equal(r, fp_one());
}

/* p must be on the curve. */
bool aff_in_subgroup(aff p) { return fp_is_square(fe_sub(fe_one(), curve_mul_a(fe_sqr(p.x)))); }
#else

#if FE_DEGREE == 1
#define SUBGROUP_CONSTANT(name, words) FE_CONSTANT(name, words)
#else
#define SUBGROUP_CONSTANT(name, words)                                                           \
  fe name() {                                                                                    \
    fe r;                                                                                        \
    [[unroll]] for (int i = 0; i < FP_N; i++) r.c0.v[i] = words[i], r.c1.v[i] = words[FP_N + i]; \
    return r;                                                                                    \
  }
#endif
SUBGROUP_CONSTANT(curve_b, CURVE_B_32)

bool aff_on_curve(aff p) {
  return aff_is_zero(p) || fe_equal(fe_sqr(p.y), fe_add(fe_mul(fe_sqr(p.x), p.x), curve_b()));
}

#if CURVE_COFACTOR_IS_ONE
bool aff_in_subgroup(aff p) { return true; }
#else

/* p times the product of the first n factors, each of which is at least 2. All threads take the same steps, and
 * doublings are coded in one place, and so are additions. */
acc mul_factors(acc p, uvec2 factors[3], uint n) {
  [[dont_unroll]] for (uint i = 0; i < n; i++) {
    const acc base = p;
    const uint high = factors[i].y, low = factors[i].x;
    [[dont_unroll]] for (int bit = (high != 0 ? 32 + findMSB(high) : findMSB(low)) - 1; bit >= 0; bit--) {
      p = acc_dbl(p);
      if (((bit < 32 ? low : high) >> bit % 32 & 1) != 0) p = acc_add(p, base);
    }
  }
  return p;
}

bool acc_equal_aff(acc a, aff b) {
  if (acc_is_zero(a) || aff_is_zero(b)) return acc_is_zero(a) && aff_is_zero(b);
  return fe_equal(fe_mul(b.x, a.zz), a.x) && fe_equal(fe_mul(b.y, a.zzz), a.y);
}

#if FE_DEGREE == 2
SUBGROUP_CONSTANT(curve_psi_x, CURVE_PSI_X_32)
SUBGROUP_CONSTANT(curve_psi_y, CURVE_PSI_Y_32)

fe fe_conjugate(fe a) { return fe(a.c0, fp_neg(a.c1)); }

/* p must be on the curve. It is in the subgroup if psi (untwist, Frobenius, twist) acts on it as 6 x^2 (BN) or x
 * (BLS12). */
bool aff_in_subgroup(aff p) {
  const aff psi = aff(fe_mul(fe_conjugate(p.x), curve_psi_x()), fe_mul(fe_conjugate(p.y), curve_psi_y()));
  acc t = mul_factors(acc_from_aff(p), uvec2[3](CURVE_X, CURVE_X, uvec2(6, 0)), CURVE_FAMILY_BN != 0 ? 3 : 1);
#if !CURVE_FAMILY_BN && CURVE_X_IS_NEGATIVE
  t = acc_neg(t);
#endif
  return acc_equal_aff(t, psi);
}
#else
#if !CURVE_FAMILY_BLS12
#error "the test is that of BLS12 curves"
#endif
SUBGROUP_CONSTANT(curve_beta, CURVE_BETA_32)

/* p must be on the curve. It is in the subgroup if multiplying its first coordinate by one of the two primitive cube
 * roots of unity gives -x^2 p, x being the parameter of the family. */
bool aff_in_subgroup(aff p) {
  const acc t = acc_neg(mul_factors(acc_from_aff(p), uvec2[3](CURVE_X, CURVE_X, uvec2(0)), 2));
  bool equal = false;
  [[dont_unroll]] for (uint i = 0; i < 2; i++) {
    p.x = fe_mul(p.x, curve_beta());
    equal = equal || acc_equal_aff(t, p);
  }
  return equal;
}
#endif
#endif
#endif

#endif
