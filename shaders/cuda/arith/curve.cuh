/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Points: affine points, `aff`, and accumulators, `acc`, have the same names for every curve. This is what
 * ops/arith/curve.h is on CPUs. Weierstrass curves with a = 0 in XYZZ coordinates (hyperelliptic.org EFD, shortw/xyzz:
 * madd-2008-s, add-2008-s, dbl-2008-s-1); twisted Edwards in extended coordinates (ePrint 2008/522), whose addition is
 * complete.
 */
#ifndef REPRISE_CUDA_CURVE_CUH
#define REPRISE_CUDA_CURVE_CUH

#include "curve_params.h"
#include "arith/field.cuh"

#if FE_DEGREE == 1 && FP_MONTGOMERY && FP_SPARE && !defined(RP_CUDA_SMALL_CODE)
/* a b - c d, with one reduction where the sum of two products leaves room for it. */
template <bool FITS> RP_DEV fe fe_sub_products(const fe &a, const fe &b, const fe &c, const fe &d) {
  if constexpr (FITS) {
    const fe left[2] = {a, fe_neg(c)}, right[2] = {b, d};
    return fp_dot<2>(left, right);
  } else {
    return fe_sub(fe_mul(a, b), fe_mul(c, d));
  }
}
#define STEP_SUB_PRODUCTS(r, a, b, c, d, t) r = fe_sub_products<fp_dot_fits(2)>(a, b, c, d)
#endif
#include "arith/curves/steps/values.h"

struct aff {
  fe x, y;
};

#if !CURVE_EDWARDS
struct acc {
  fe x, y, zz, zzz;
};

RP_DEV bool aff_is_zero(const aff &p) { return fe_is_zero(p.x) && fe_is_zero(p.y); }
RP_DEV aff aff_zero() { return aff{fe_zero(), fe_zero()}; }
RP_DEV aff aff_neg_if(bool negate, const aff &p) { return aff{p.x, fe_select(negate, p.y, fe_neg(p.y))}; }

RP_DEV acc acc_zero() { return acc{fe_zero(), fe_zero(), fe_zero(), fe_zero()}; }
RP_DEV bool acc_is_zero(const acc &p) { return fe_is_zero(p.zz); }
RP_DEV acc acc_from_aff(const aff &p) {
  if (aff_is_zero(p)) return acc_zero();
  return acc{p.x, p.y, fe_one(), fe_one()};
}
RP_DEV acc acc_neg(const acc &p) { return acc{p.x, fe_neg(p.y), p.zz, p.zzz}; }

RP_DEV acc acc_dbl(const acc &p) {
  acc r;
  fe u, v, w, s, m, t;
#define DOUBLE_X1 p.x
#define DOUBLE_Y1 p.y
#define DOUBLE_X r.x
#define DOUBLE_Y r.y
#include "arith/curves/steps/double.h"
  r.zz = fe_mul(v, p.zz);
  r.zzz = fe_mul(w, p.zzz);
  return r;
}

/* Rare cases are calls, so that the common path stays in registers. */
static __device__ __noinline__ void acc_dbl_call(acc *p) { *p = acc_dbl(*p); }

RP_DEV acc acc_add_aff(const acc &p, const aff &q) {
  if (aff_is_zero(q)) return p;
  if (acc_is_zero(p)) return acc_from_aff(q);
  fe u = fe_sub(fe_mul(q.x, p.zz), p.x), d = fe_sub(fe_mul(q.y, p.zzz), p.y), uu, uuu, v;
  [[maybe_unused]] fe w;
  if (fe_is_zero(u)) {
    if (!fe_is_zero(d)) return acc_zero();
    acc twice = acc_from_aff(q);
    acc_dbl_call(&twice);
    return twice;
  }
  acc s;
#define ADD_X1 p.x
#define ADD_Y1 p.y
#define ADD_X s.x
#define ADD_Y s.y
#include "arith/curves/steps/add.h"
  s.zz = fe_mul(p.zz, uu);
  s.zzz = fe_mul(p.zzz, uuu);
  return s;
}

RP_DEV acc acc_add(const acc &p, const acc &q) {
  if (acc_is_zero(q)) return p;
  if (acc_is_zero(p)) return q;
  const fe x1 = fe_mul(p.x, q.zz), y1 = fe_mul(p.y, q.zzz);
  fe u = fe_sub(fe_mul(q.x, p.zz), x1), d = fe_sub(fe_mul(q.y, p.zzz), y1), uu, uuu, v;
  [[maybe_unused]] fe w;
  if (fe_is_zero(u)) {
    if (!fe_is_zero(d)) return acc_zero();
    acc twice = p;
    acc_dbl_call(&twice);
    return twice;
  }
  acc s;
#define ADD_X1 x1
#define ADD_Y1 y1
#define ADD_X s.x
#define ADD_Y s.y
#include "arith/curves/steps/add.h"
  s.zz = fe_mul(fe_mul(p.zz, q.zz), uu);
  s.zzz = fe_mul(fe_mul(p.zzz, q.zzz), uuu);
  return s;
}

/* zz^-1 = (zz / zzz)^2, so one inversion of zzz is enough. `inverse` is 1 / zzz. */
RP_DEV aff acc_to_aff_with(const acc &p, const fe &inverse) {
  if (acc_is_zero(p)) return aff_zero();
  fe z = fe_mul(p.zz, inverse);
  return aff{fe_mul(p.x, fe_sqr(z)), fe_mul(p.y, inverse)};
}
#define ACC_DENOMINATOR(p) ((p).zzz)

#else
/* x = X/Z, y = Y/Z, T = XY/Z */
struct acc {
  fe x, y, t, z;
};

RP_DEV bool aff_is_zero(const aff &p) { return fe_is_zero(p.x) && fe_equal(p.y, fe_one()); }
RP_DEV aff aff_zero() { return aff{fe_zero(), fe_one()}; }
RP_DEV aff aff_neg_if(bool negate, const aff &p) { return aff{fe_select(negate, p.x, fe_neg(p.x)), p.y}; }

RP_DEV acc acc_zero() { return acc{fe_zero(), fe_one(), fe_zero(), fe_one()}; }
RP_DEV bool acc_is_zero(const acc &p) { return fe_is_zero(p.x) && fe_equal(p.y, p.z); }
RP_DEV acc acc_from_aff(const aff &p) { return acc{p.x, p.y, fe_mul(p.x, p.y), fe_one()}; }
RP_DEV acc acc_neg(const acc &p) { return acc{fe_neg(p.x), p.y, fe_neg(p.t), p.z}; }

RP_DEV fe curve_mul_a(const fe &x) { /* a = -5 */
  fe x2 = fe_dbl(x);
  return fe_neg(fe_add(fe_dbl(x2), x));
}
static_assert(CURVE_MINUS_A == 5, "curve_mul_a is written for a = -5");

RP_DEV fe curve_d() {
  constexpr fe d = CURVE_D_32;
  return d;
}

RP_DEV acc acc_finish(const fe &e, const fe &f, const fe &g, const fe &h) {
  return acc{fe_mul(e, f), fe_mul(g, h), fe_mul(e, h), fe_mul(f, g)};
}

RP_DEV acc acc_add_aff(const acc &p, const aff &q) {
  const fe c = fe_mul(fe_mul(p.t, curve_d()), fe_mul(q.x, q.y)), d = p.z;
  fe a, b, e, f, g, h;
#define ADD_X1 p.x
#define ADD_Y1 p.y
#define ADD_X2 q.x
#define ADD_Y2 q.y
#include "arith/curves/steps/edwards_add.h"
  return acc_finish(e, f, g, h);
}

RP_DEV acc acc_add(const acc &p, const acc &q) {
  const fe c = fe_mul(fe_mul(p.t, curve_d()), q.t), d = fe_mul(p.z, q.z);
  fe a, b, e, f, g, h;
#define ADD_X1 p.x
#define ADD_Y1 p.y
#define ADD_X2 q.x
#define ADD_Y2 q.y
#include "arith/curves/steps/edwards_add.h"
  return acc_finish(e, f, g, h);
}

RP_DEV acc acc_dbl(const acc &p) {
  fe a, b, c, e, f, g, h;
#define DOUBLE_X1 p.x
#define DOUBLE_Y1 p.y
#define DOUBLE_Z1 p.z
#include "arith/curves/steps/edwards_double.h"
  return acc_finish(e, f, g, h);
}

RP_DEV aff acc_to_aff_with(const acc &p, const fe &inverse) { return aff{fe_mul(p.x, inverse), fe_mul(p.y, inverse)}; }
#define ACC_DENOMINATOR(p) ((p).z)
#endif

RP_DEV aff aff_load(const void *array, uint64_t i) { return ((const aff *)array)[i]; }
RP_DEV acc acc_load(const void *array, uint64_t i) { return ((const acc *)array)[i]; }
RP_DEV void aff_store(void *array, uint64_t i, const aff &p) { ((aff *)array)[i] = p; }
RP_DEV void acc_store(void *array, uint64_t i, const acc &p) { ((acc *)array)[i] = p; }

#endif
