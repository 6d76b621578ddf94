/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Point arithmetic for the end of a computation, where few points are left and latency determines the time: the four
 * threads of a workgroup hold the same point and do its independent products side by side. On Weierstrass curves a
 * doubling is three products deep instead of nine, an addition four instead of fourteen; on Edwards curves two and
 * three. All four threads call together and get the same result.
 */
#ifndef REPRISE_VULKAN_QUAD_GLSL
#define REPRISE_VULKAN_QUAD_GLSL

#include "arith/curve.glsl"

shared fe quad[4]; /* the products that the last quad_product made, one per thread */

fe quad_pick(fe a, fe b, fe c, fe d) {
  return fe_select((THREAD & 2) != 0, fe_select((THREAD & 1) != 0, a, b), fe_select((THREAD & 1) != 0, c, d));
}

void quad_product(fe a, fe b) {
  const fe r = fe_mul(a, b);
  barrier();
  quad[THREAD] = r;
  barrier();
}

#if !CURVE_EDWARDS
acc quad_double(acc p) {
  const fe u = fe_dbl(p.y), f = quad_pick(u, p.x, u, u);
  quad_product(f, f);
  const fe v = quad[0], t = quad[1], m = fe_add(fe_dbl(t), t);
  quad_product(quad_pick(u, p.x, m, p.zz), quad_pick(v, v, m, v));
  const fe w = quad[0], s = quad[1];
  p.zz = quad[3];
  p.x = fe_sub(quad[2], fe_dbl(s));
  quad_product(quad_pick(w, m, w, w), quad_pick(p.zzz, fe_sub(s, p.x), p.y, p.y));
  p.zzz = quad[0];
  p.y = fe_sub(quad[1], quad[2]);
  return p;
}

acc quad_add(acc p, acc q) {
  if (acc_is_zero(q)) return p;
  if (acc_is_zero(p)) return q;
  quad_product(quad_pick(p.x, p.y, q.x, q.y), quad_pick(q.zz, q.zzz, p.zz, p.zzz));
  const fe u1 = quad[0], s1 = quad[1], u = fe_sub(quad[2], u1), d = fe_sub(quad[3], s1);
  if (fe_is_zero(u)) {
    if (!fe_is_zero(d)) return acc_zero();
    return quad_double(p);
  }
  quad_product(quad_pick(u, d, p.zz, p.zzz), quad_pick(u, d, q.zz, q.zzz));
  const fe uu = quad[0], dd = quad[1], zz = quad[2], zzz = quad[3];
  quad_product(quad_pick(uu, u1, zz, zz), quad_pick(u, uu, uu, uu));
  const fe uuu = quad[0], v = quad[1];
  acc r;
  r.zz = quad[2];
  r.x = fe_sub(fe_sub(dd, uuu), fe_dbl(v));
  quad_product(quad_pick(d, s1, zzz, zzz), quad_pick(fe_sub(v, r.x), uuu, uuu, uuu));
  r.y = fe_sub(quad[0], quad[1]);
  r.zzz = quad[2];
  return r;
}
#else
acc quad_finish(fe e, fe f, fe g, fe h) {
  quad_product(quad_pick(e, g, e, f), quad_pick(f, h, h, g));
  return acc(quad[0], quad[1], quad[2], quad[3]);
}

acc quad_double(acc p) {
  const fe f = quad_pick(p.x, p.y, p.z, fe_add(p.x, p.y));
  quad_product(f, f);
  const fe a = quad[0], b = quad[1], c = fe_dbl(quad[2]), e = fe_sub(fe_sub(quad[3], a), b);
  const fe d = curve_mul_a(a), g = fe_add(d, b);
  return quad_finish(e, fe_sub(g, c), g, fe_sub(d, b));
}

acc quad_add(acc p, acc q) {
  quad_product(quad_pick(p.x, p.y, p.t, fe_add(p.x, p.y)), quad_pick(q.x, q.y, q.t, fe_add(q.x, q.y)));
  const fe a = quad[0], b = quad[1], t = quad[2], e = fe_sub(fe_sub(quad[3], a), b);
  quad_product(quad_pick(t, p.z, t, t), quad_pick(curve_d(), q.z, q.z, q.z));
  const fe c = quad[0], d = quad[1];
  return quad_finish(e, fe_sub(d, c), fe_add(d, c), fe_sub(b, curve_mul_a(a)));
}
#endif

#endif
