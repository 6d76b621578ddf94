/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Points: affine `aff` and accumulator `acc` under the same names for every curve. The GPU's twin of ops/arith/curve.h.
 * Weierstrass curves with a = 0 in XYZZ coordinates (hyperelliptic.org EFD, shortw/xyzz: madd-2008-s, add-2008-s,
 * dbl-2008-s-1); twisted Edwards in extended coordinates (ePrint 2008/522), whose addition is complete.
 */
#ifndef REPRISE_CUDA_CURVE_CUH
#define REPRISE_CUDA_CURVE_CUH

#include "curve_params.h"
#include "arith/field.cuh"

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
  fe u = fe_dbl(p.y), v = fe_sqr(u), w = fe_mul(u, v), s = fe_mul(p.x, v);
  fe t = fe_sqr(p.x), m = fe_add(fe_dbl(t), t);
  acc r;
  r.x = fe_sub(fe_sqr(m), fe_dbl(s));
  r.y = fe_sub(fe_mul(m, fe_sub(s, r.x)), fe_mul(w, p.y));
  r.zz = fe_mul(v, p.zz);
  r.zzz = fe_mul(w, p.zzz);
  return r;
}

/* Rare cases are calls, so that the common path stays in registers. */
static __device__ __noinline__ void acc_dbl_call(acc *p) { *p = acc_dbl(*p); }

RP_DEV acc acc_add_aff(const acc &p, const aff &q) {
  if (aff_is_zero(q)) return p;
  if (acc_is_zero(p)) return acc_from_aff(q);
  fe u = fe_sub(fe_mul(q.x, p.zz), p.x), r = fe_sub(fe_mul(q.y, p.zzz), p.y);
  if (fe_is_zero(u)) {
    if (!fe_is_zero(r)) return acc_zero();
    acc d = acc_from_aff(q);
    acc_dbl_call(&d);
    return d;
  }
  fe uu = fe_sqr(u), uuu = fe_mul(uu, u), v = fe_mul(p.x, uu);
  acc s;
  s.x = fe_sub(fe_sub(fe_sqr(r), uuu), fe_dbl(v));
  s.y = fe_sub(fe_mul(r, fe_sub(v, s.x)), fe_mul(p.y, uuu));
  s.zz = fe_mul(p.zz, uu);
  s.zzz = fe_mul(p.zzz, uuu);
  return s;
}

RP_DEV acc acc_add(const acc &p, const acc &q) {
  if (acc_is_zero(q)) return p;
  if (acc_is_zero(p)) return q;
  fe u1 = fe_mul(p.x, q.zz), s1 = fe_mul(p.y, q.zzz);
  fe u = fe_sub(fe_mul(q.x, p.zz), u1), r = fe_sub(fe_mul(q.y, p.zzz), s1);
  if (fe_is_zero(u)) {
    if (!fe_is_zero(r)) return acc_zero();
    acc d = p;
    acc_dbl_call(&d);
    return d;
  }
  fe uu = fe_sqr(u), uuu = fe_mul(uu, u), v = fe_mul(u1, uu);
  acc t;
  t.x = fe_sub(fe_sub(fe_sqr(r), uuu), fe_dbl(v));
  t.y = fe_sub(fe_mul(r, fe_sub(v, t.x)), fe_mul(s1, uuu));
  t.zz = fe_mul(fe_mul(p.zz, q.zz), uu);
  t.zzz = fe_mul(fe_mul(p.zzz, q.zzz), uuu);
  return t;
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

RP_DEV acc acc_finish(const fe &a, const fe &b, const fe &c, const fe &d, const fe &e) {
  fe f = fe_sub(d, c), g = fe_add(d, c), h = fe_sub(b, curve_mul_a(a));
  return acc{fe_mul(e, f), fe_mul(g, h), fe_mul(e, h), fe_mul(f, g)};
}

RP_DEV acc acc_add_aff(const acc &p, const aff &q) {
  fe a = fe_mul(p.x, q.x), b = fe_mul(p.y, q.y), c = fe_mul(fe_mul(p.t, curve_d()), fe_mul(q.x, q.y));
  fe e = fe_sub(fe_sub(fe_mul(fe_add(p.x, p.y), fe_add(q.x, q.y)), a), b);
  return acc_finish(a, b, c, p.z, e);
}

RP_DEV acc acc_add(const acc &p, const acc &q) {
  fe a = fe_mul(p.x, q.x), b = fe_mul(p.y, q.y), c = fe_mul(fe_mul(p.t, curve_d()), q.t), d = fe_mul(p.z, q.z);
  fe e = fe_sub(fe_sub(fe_mul(fe_add(p.x, p.y), fe_add(q.x, q.y)), a), b);
  return acc_finish(a, b, c, d, e);
}

RP_DEV acc acc_dbl(const acc &p) {
  fe a = fe_sqr(p.x), b = fe_sqr(p.y), c = fe_dbl(fe_sqr(p.z)), d = curve_mul_a(a);
  fe e = fe_sub(fe_sub(fe_sqr(fe_add(p.x, p.y)), a), b);
  fe g = fe_add(d, b), f = fe_sub(g, c), h = fe_sub(d, b);
  return acc{fe_mul(e, f), fe_mul(g, h), fe_mul(e, h), fe_mul(f, g)};
}

RP_DEV aff acc_to_aff_with(const acc &p, const fe &inverse) { return aff{fe_mul(p.x, inverse), fe_mul(p.y, inverse)}; }
#define ACC_DENOMINATOR(p) ((p).z)
#endif

RP_DEV aff aff_load(const void *array, uint64_t i) { return ((const aff *)array)[i]; }
RP_DEV acc acc_load(const void *array, uint64_t i) { return ((const acc *)array)[i]; }
RP_DEV void aff_store(void *array, uint64_t i, const aff &p) { ((aff *)array)[i] = p; }
RP_DEV void acc_store(void *array, uint64_t i, const acc &p) { ((acc *)array)[i] = p; }

#endif
