/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Points of Weierstrass curves in Jacobian coordinates, x = X / Z^2 and y = Y / Z^3, for chains of doublings: one takes
 * three products and four squares, where XYZZ coordinates take six and three. Z of infinity is zero.
 */
#ifndef REPRISE_CUDA_JACOBIAN_CUH
#define REPRISE_CUDA_JACOBIAN_CUH

#include "arith/curve.cuh"

#if !CURVE_EDWARDS
struct jac {
  fe x, y, z;
};

#if FE_DEGREE == 1
RP_DEV fe jac_sqr(const fe &a) { return fe_sqr(a); }
#else
static __device__ __noinline__ fe jac_sqr(fe a) { return fe_sqr(a); } /* for the instruction cache */
#endif

RP_DEV jac jac_from_aff(const aff &p) { return jac{p.x, p.y, aff_is_zero(p) ? fe_zero() : fe_one()}; }

/* dbl-2009-l of the Explicit-Formulas Database, with X Y^2 as a product. Zero gives zero, and so does a point with
 * y = 0. */
RP_DEV jac jac_dbl(const jac &p) {
  const fe yy = jac_sqr(p.y), z = fe_dbl(fe_mul(p.y, p.z)), xx = jac_sqr(p.x);
  const fe s = fe_dbl(fe_dbl(fe_mul(p.x, yy))), m = fe_add(fe_dbl(xx), xx), x = fe_sub(jac_sqr(m), fe_dbl(s));
  const fe yyyy = fe_dbl(fe_dbl(fe_dbl(jac_sqr(yy))));
  return jac{x, fe_sub(fe_mul(m, fe_sub(s, x)), yyyy), z};
}

static __device__ __noinline__ void jac_dbl_call(jac *p) { *p = jac_dbl(*p); } /* for rare cases */

/* madd of the Explicit-Formulas Database. Complete: the points may be equal, opposite or zero. Where they are opposite,
 * Z becomes zero. */
RP_DEV jac jac_add_aff(const jac &p, const aff &q) {
  if (aff_is_zero(q)) return p;
  if (fe_is_zero(p.z)) return jac_from_aff(q);
  const fe zz = jac_sqr(p.z), h = fe_sub(fe_mul(q.x, zz), p.x), r = fe_sub(fe_mul(q.y, fe_mul(p.z, zz)), p.y);
  if (fe_is_zero(h) && fe_is_zero(r)) {
    jac twice = p;
    jac_dbl_call(&twice);
    return twice;
  }
  const fe hh = jac_sqr(h), hhh = fe_mul(h, hh), v = fe_mul(p.x, hh);
  const fe x = fe_sub(fe_sub(jac_sqr(r), hhh), fe_dbl(v));
  return jac{x, fe_sub(fe_mul(r, fe_sub(v, x)), fe_mul(p.y, hhh)), fe_mul(p.z, h)};
}

RP_DEV acc jac_to_acc(const jac &p) {
  const fe zz = jac_sqr(p.z);
  return acc{p.x, p.y, zz, fe_mul(zz, p.z)};
}
#endif

#endif
