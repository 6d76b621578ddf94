/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Point arithmetic by many quads of a workgroup, for reductions of few points, whose time latency determines: four
 * neighbouring threads hold the same point and do its independent products side by side, as in arith/quad.glsl. Here
 * products move within a subgroup, in which the threads of a workgroup lie in the order of their indices. All threads
 * of a subgroup call together and take the same branches, since nothing promises that threads which part would meet
 * again. Worker w of a workgroup is the threads 4 w to 4 w + 3.
 */
#ifndef REPRISE_VULKAN_QUADS_GLSL
#define REPRISE_VULKAN_QUADS_GLSL

#extension GL_KHR_shader_subgroup_vote : require
#extension GL_KHR_shader_subgroup_quad : require

#include "arith/curve.glsl"

/* fe NAME(fe x): the x of thread LANE of the quad. */
#define QUAD_WORDS(NAME, LANE)                                                              \
  fp NAME(fp x) {                                                                           \
    fp r;                                                                                   \
    [[unroll]] for (int i = 0; i < FP_N; i++) r.v[i] = subgroupQuadBroadcast(x.v[i], LANE); \
    return r;                                                                               \
  }
QUAD_WORDS(quad_0, 0)
QUAD_WORDS(quad_1, 1)
QUAD_WORDS(quad_2, 2)
QUAD_WORDS(quad_3, 3)
#if FE_DEGREE == 2
fe quad_0(fe x) { return fe(quad_0(x.c0), quad_0(x.c1)); }
fe quad_1(fe x) { return fe(quad_1(x.c0), quad_1(x.c1)); }
fe quad_2(fe x) { return fe(quad_2(x.c0), quad_2(x.c1)); }
fe quad_3(fe x) { return fe(quad_3(x.c0), quad_3(x.c1)); }
#endif

fe quad_pick(fe a, fe b, fe c, fe d) {
  return fe_select((THREAD & 2) != 0, fe_select((THREAD & 1) != 0, a, b), fe_select((THREAD & 1) != 0, c, d));
}

#if !CURVE_EDWARDS
acc acc_select(bool take, acc a, acc b) {
  return acc(fe_select(take, a.x, b.x), fe_select(take, a.y, b.y), fe_select(take, a.zz, b.zz),
             fe_select(take, a.zzz, b.zzz));
}

#if FE_DEGREE == 1
acc quads_double(acc p) {
  const fe u = fe_dbl(p.y), f = quad_pick(u, p.x, u, u), n = fe_mul(f, f);
  const fe v = quad_0(n), t = quad_1(n), m = fe_add(fe_dbl(t), t);
  const fe o = fe_mul(quad_pick(u, p.x, m, p.zz), quad_pick(v, v, m, v));
  const fe w = quad_0(o), s = quad_1(o);
  p.zz = quad_3(o);
  p.x = fe_sub(quad_2(o), fe_dbl(s));
  const fe e = fe_mul(quad_pick(w, m, w, w), quad_pick(p.zzz, fe_sub(s, p.x), p.y, p.y));
  p.zzz = quad_0(e);
  p.y = fe_sub(quad_1(e), quad_2(e));
  return p;
}

/* p + q, or 2 p if `doubles`, which all threads of the subgroup must have alike. The code of a doubling serves also the
 * quads that turn out to have p = q. */
acc quads_add(acc p, acc q, bool doubles) {
  acc r = p;
  bool same = doubles;
  if (!doubles) {
    const bool p_zero = acc_is_zero(p), q_zero = acc_is_zero(q);
    const fe l = fe_mul(quad_pick(p.x, p.y, q.x, q.y), quad_pick(q.zz, q.zzz, p.zz, p.zzz));
    const fe u1 = quad_0(l), s1 = quad_1(l), u = fe_sub(quad_2(l), u1), d = fe_sub(quad_3(l), s1);
    const fe m = fe_mul(quad_pick(u, d, p.zz, p.zzz), quad_pick(u, d, q.zz, q.zzz));
    const fe uu = quad_0(m), zz = quad_2(m), zzz = quad_3(m);
    const fe n = fe_mul(quad_pick(uu, u1, zz, zz), quad_pick(u, uu, uu, uu));
    const fe uuu = quad_0(n), v = quad_1(n);
    r.zz = quad_2(n);
    r.x = fe_sub(fe_sub(quad_1(m), uuu), fe_dbl(v));
    const fe o = fe_mul(quad_pick(d, s1, zzz, zzz), quad_pick(fe_sub(v, r.x), uuu, uuu, uuu));
    r.y = fe_sub(quad_0(o), quad_1(o));
    r.zzz = quad_2(o);
    const bool same_x = !p_zero && !q_zero && fe_is_zero(u);
    same = same_x && fe_is_zero(d);
    r = acc_select(q_zero, acc_select(p_zero, acc_select(same_x, r, acc_zero()), q), p);
  }
  if (subgroupAny(same)) r = acc_select(same, r, quads_double(p));
  return r;
}
#else
/* The same in half as many inlined products, since more of them, or branches, are slower over an extension field. A
 * quad that turns out to have p = q takes its products again, as those of a doubling. */
acc quads_add(acc p, acc q, bool doubles) {
  const bool p_zero = acc_is_zero(p), q_zero = !doubles && acc_is_zero(q);
  acc r;
  bool again = true;
  [[dont_unroll]] while (again) {
    const fe two_y = fe_dbl(p.y), f = quad_pick(two_y, p.x, two_y, two_y);
    const fe l = fe_mul(fe_select(doubles, quad_pick(p.x, p.y, q.x, q.y), f),
                        fe_select(doubles, quad_pick(q.zz, q.zzz, p.zz, p.zzz), f));
    const fe l0 = quad_0(l), l1 = quad_1(l), u = fe_sub(quad_2(l), l0), d = fe_sub(quad_3(l), l1);
    const fe slope = fe_add(fe_dbl(l1), l1); /* of a doubling: 3 x^2; l0 is then (2 y)^2 */
    const fe m = fe_mul(fe_select(doubles, quad_pick(u, d, p.zz, p.zzz), quad_pick(two_y, p.x, slope, p.zz)),
                        fe_select(doubles, quad_pick(u, d, q.zz, q.zzz), quad_pick(l0, l0, slope, l0)));
    const fe m0 = quad_0(m), m1 = quad_1(m), m2 = quad_2(m), m3 = quad_3(m), x_doubled = fe_sub(m2, fe_dbl(m1));
    const fe n =
        fe_mul(fe_select(doubles, quad_pick(m0, l0, m2, m2), quad_pick(m0, slope, m0, m0)),
               fe_select(doubles, quad_pick(u, m0, m0, m0), quad_pick(p.zzz, fe_sub(m1, x_doubled), p.y, p.y)));
    const fe n0 = quad_0(n), n1 = quad_1(n), n2 = quad_2(n), x = fe_sub(fe_sub(m1, n0), fe_dbl(n1));
    const fe o = fe_mul(quad_pick(d, l1, m3, m3), quad_pick(fe_sub(n1, x), n0, n0, n0));
    r = acc_select(doubles, acc(x, fe_sub(quad_0(o), quad_1(o)), n2, quad_2(o)),
                   acc(x_doubled, fe_sub(n1, n2), m3, n0));
    const bool same_x = !doubles && !p_zero && !q_zero && fe_is_zero(u), same = same_x && fe_is_zero(d);
    r = acc_select(same_x, r, acc_zero());
    again = subgroupAny(same);
    doubles = doubles || same;
  }
  return acc_select(q_zero, acc_select(p_zero && !doubles, r, q), p);
}
#endif
#else
/* p + q, or 2 p if `doubles`: the formula of the addition holds for both. */
acc quads_add(acc p, acc q, bool doubles) {
  if (doubles) q = p;
  const fe m = fe_mul(quad_pick(p.x, p.y, p.t, fe_add(p.x, p.y)), quad_pick(q.x, q.y, q.t, fe_add(q.x, q.y)));
  const fe a = quad_0(m), b = quad_1(m), t = quad_2(m), e = fe_sub(fe_sub(quad_3(m), a), b);
  const fe n = fe_mul(quad_pick(t, p.z, t, t), quad_pick(curve_d(), q.z, q.z, q.z));
  const fe c = quad_0(n), d = quad_1(n), f = fe_sub(d, c), g = fe_add(d, c), h = fe_sub(b, curve_mul_a(a));
  const fe o = fe_mul(quad_pick(e, g, e, f), quad_pick(f, h, h, g));
  return acc(quad_0(o), quad_1(o), quad_2(o), quad_3(o));
}
#endif

shared fe quads_exchanged[gl_WorkGroupSize.x / 2];

/* Two coordinates of the point that worker `from` holds; a and b are the caller's. */
void quads_exchange(inout fe a, inout fe b, uint from) {
  barrier();
  if ((THREAD & 2) == 0) quads_exchanged[THREAD / 4 * 2 + (THREAD & 1)] = fe_select((THREAD & 1) != 0, a, b);
  barrier();
  a = quads_exchanged[2 * from], b = quads_exchanged[2 * from + 1];
}

/* The p of worker `from`. All threads of the workgroup call together. */
acc acc_of_worker(acc p, uint from) {
  quads_exchange(p.x, p.y, from);
#if CURVE_EDWARDS
  quads_exchange(p.t, p.z, from);
#else
  quads_exchange(p.zz, p.zzz, from);
#endif
  return p;
}

#endif
