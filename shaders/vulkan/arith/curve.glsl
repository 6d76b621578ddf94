/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Points: affine points, `aff`, and accumulators, `acc`, have the same names for every curve. The formulas are those of
 * ops/arith/curve.h and shaders/cuda/arith/curve.cuh: Weierstrass curves with a = 0 in XYZZ coordinates
 * (hyperelliptic.org EFD, shortw/xyzz: madd-2008-s, add-2008-s, dbl-2008-s-1), twisted Edwards curves in extended
 * coordinates (ePrint 2008/522), whose addition is complete. Drivers may inline a function wherever it is called, so
 * kernels call an addition in one place, in a loop.
 */
#ifndef REPRISE_VULKAN_CURVE_GLSL
#define REPRISE_VULKAN_CURVE_GLSL

#include "curve_params.glsl"
#include "arith/field.glsl"
#if FE_DEGREE == 1 && FP_SPARE
#define STEP_SUB_PRODUCTS(r, a, b, c, d, t) r = fp_sub_products(a, b, c, d)
#endif
#include "arith/curves/steps/values.h"

struct aff {
  fe x, y;
};

/* Defines a function that returns the element with these words. */
#define FE_CONSTANT(name, words)                                 \
  fe name() {                                                    \
    fe r;                                                        \
    [[unroll]] for (int i = 0; i < FP_N; i++) r.v[i] = words[i]; \
    return r;                                                    \
  }

#if !CURVE_EDWARDS
struct acc {
  fe x, y, zz, zzz;
};

bool aff_is_zero(aff p) { return fe_is_zero(p.x) && fe_is_zero(p.y); }
aff aff_zero() { return aff(fe_zero(), fe_zero()); }
aff aff_neg_if(bool negate, aff p) { return aff(p.x, fe_select(negate, p.y, fe_neg(p.y))); }

acc acc_zero() { return acc(fe_zero(), fe_zero(), fe_zero(), fe_zero()); }
bool acc_is_zero(acc p) { return fe_is_zero(p.zz); }
acc acc_from_aff(aff p) {
  const fe z = fe_select(aff_is_zero(p), fe_one(), fe_zero());
  return acc(p.x, p.y, z, z);
}
acc acc_neg(acc p) { return acc(p.x, fe_neg(p.y), p.zz, p.zzz); }

acc acc_dbl(acc p) {
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

acc acc_add_aff(acc p, aff q) {
  if (aff_is_zero(q)) return p;
  if (acc_is_zero(p)) return acc_from_aff(q);
  const fe u = fe_sub(fe_mul(q.x, p.zz), p.x), d = fe_sub(fe_mul(q.y, p.zzz), p.y);
  if (fe_is_zero(u)) {
    if (!fe_is_zero(d)) return acc_zero();
    return acc_dbl(acc_from_aff(q));
  }
  acc s;
  fe uu, uuu, v, w;
#define ADD_X1 p.x
#define ADD_Y1 p.y
#define ADD_X s.x
#define ADD_Y s.y
#include "arith/curves/steps/add.h"
  s.zz = fe_mul(p.zz, uu);
  s.zzz = fe_mul(p.zzz, uuu);
  return s;
}

acc acc_add(acc p, acc q) {
  if (acc_is_zero(q)) return p;
  if (acc_is_zero(p)) return q;
  const fe x1 = fe_mul(p.x, q.zz), y1 = fe_mul(p.y, q.zzz);
  const fe u = fe_sub(fe_mul(q.x, p.zz), x1), d = fe_sub(fe_mul(q.y, p.zzz), y1);
  if (fe_is_zero(u)) {
    if (!fe_is_zero(d)) return acc_zero();
    return acc_dbl(p);
  }
  acc s;
  fe uu, uuu, v, w;
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
aff acc_to_aff_with(acc p, fe inverse) {
  if (acc_is_zero(p)) return aff_zero();
  const fe z = fe_mul(p.zz, inverse);
  return aff(fe_mul(p.x, fe_sqr(z)), fe_mul(p.y, inverse));
}
#define ACC_DENOMINATOR(p) ((p).zzz)

#else
/* x = X/Z, y = Y/Z, T = XY/Z */
struct acc {
  fe x, y, t, z;
};

bool aff_is_zero(aff p) { return fe_is_zero(p.x) && fe_equal(p.y, fe_one()); }
aff aff_zero() { return aff(fe_zero(), fe_one()); }
aff aff_neg_if(bool negate, aff p) { return aff(fe_select(negate, p.x, fe_neg(p.x)), p.y); }

acc acc_zero() { return acc(fe_zero(), fe_one(), fe_zero(), fe_one()); }
bool acc_is_zero(acc p) { return fe_is_zero(p.x) && fe_equal(p.y, p.z); }
acc acc_from_aff(aff p) { return acc(p.x, p.y, fe_mul(p.x, p.y), fe_one()); }
acc acc_neg(acc p) { return acc(fe_neg(p.x), p.y, fe_neg(p.t), p.z); }

#if CURVE_MINUS_A != 5
#error "curve_mul_a is written for a = -5"
#endif
fe curve_mul_a(fe x) {
  const fe x2 = fe_dbl(x);
  return fe_neg(fe_add(fe_dbl(x2), x));
}
FE_CONSTANT(curve_d, CURVE_D_32)

acc acc_finish(fe e, fe f, fe g, fe h) { return acc(fe_mul(e, f), fe_mul(g, h), fe_mul(e, h), fe_mul(f, g)); }

acc acc_add_aff(acc p, aff q) {
  const fe c = fe_mul(fe_mul(p.t, curve_d()), fe_mul(q.x, q.y)), d = p.z;
  fe a, b, e, f, g, h;
#define ADD_X1 p.x
#define ADD_Y1 p.y
#define ADD_X2 q.x
#define ADD_Y2 q.y
#include "arith/curves/steps/edwards_add.h"
  return acc_finish(e, f, g, h);
}

acc acc_add(acc p, acc q) {
  const fe c = fe_mul(fe_mul(p.t, curve_d()), q.t), d = fe_mul(p.z, q.z);
  fe a, b, e, f, g, h;
#define ADD_X1 p.x
#define ADD_Y1 p.y
#define ADD_X2 q.x
#define ADD_Y2 q.y
#include "arith/curves/steps/edwards_add.h"
  return acc_finish(e, f, g, h);
}

acc acc_dbl(acc p) {
  fe a, b, c, e, f, g, h;
#define DOUBLE_X1 p.x
#define DOUBLE_Y1 p.y
#define DOUBLE_Z1 p.z
#include "arith/curves/steps/edwards_double.h"
  return acc_finish(e, f, g, h);
}

aff acc_to_aff_with(acc p, fe inverse) { return aff(fe_mul(p.x, inverse), fe_mul(p.y, inverse)); }
#define ACC_DENOMINATOR(p) ((p).z)
#endif

aff aff_load(addr array, uint i) {
  const addr from = at(array, i, 2 * FE_BYTES);
  return aff(fe_load(from, 0), fe_load(from, 1));
}
acc acc_load(addr array, uint i) {
  const addr from = at(array, i, 4 * FE_BYTES);
  return acc(fe_load(from, 0), fe_load(from, 1), fe_load(from, 2), fe_load(from, 3));
}
void aff_store(addr array, uint i, aff p) {
  const addr to = at(array, i, 2 * FE_BYTES);
  fe_store(to, 0, p.x);
  fe_store(to, 1, p.y);
}
void acc_store(addr array, uint i, acc p) {
  const addr to = at(array, i, 4 * FE_BYTES);
  fe_store(to, 0, p.x);
  fe_store(to, 1, p.y);
#if CURVE_EDWARDS
  fe_store(to, 2, p.t);
  fe_store(to, 3, p.z);
#else
  fe_store(to, 2, p.zz);
  fe_store(to, 3, p.zzz);
#endif
}

#endif
