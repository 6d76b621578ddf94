/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Point arithmetic for the ends of a computation, where one point is worked on and its latency is what counts: four lanes
 * hold the same point and do its independent products side by side. On Weierstrass curves a doubling is three products deep
 * instead of nine, an addition four instead of fourteen; on Edwards curves two and three. All four lanes of an aligned quad call together and get the same result.
 */
#ifndef REPRISE_CUDA_QUAD_CUH
#define REPRISE_CUDA_QUAD_CUH

#include "curve.cuh"

/* What lane `from` of the quad holds. */
static __device__ __forceinline__ fe quad_get(const fe &x, uint32_t from) {
  const uint32_t lane = threadIdx.x & 31, mask = 0xfu << (lane & ~3u);
  fe r;
#pragma unroll
  for (int j = 0; j < (int)(sizeof(fe) / 4); j++)
    ((uint32_t *)&r)[j] = __shfl_sync(mask, ((const uint32_t *)&x)[j], (int)((lane & ~3u) | from));
  return r;
}

static __device__ __forceinline__ fe quad_pick(const fe &a, const fe &b, const fe &c, const fe &d) {
  const uint32_t q = threadIdx.x & 3;
  return fe_select(q & 2, fe_select(q & 1, a, b), fe_select(q & 1, c, d));
}

static __device__ __noinline__ fe quad_product(fe a, fe b) { return fe_mul(a, b); }

#if !CURVE_EDWARDS
static __device__ __noinline__ void quad_double(acc *p) {
  const fe u = fe_dbl(p->y);
  fe f = quad_pick(u, p->x, u, u), r = quad_product(f, f);
  const fe v = quad_get(r, 0), t = quad_get(r, 1), m = fe_add(fe_dbl(t), t);
  r = quad_product(quad_pick(u, p->x, m, p->zz), quad_pick(v, v, m, v));
  const fe w = quad_get(r, 0), s = quad_get(r, 1), mm = quad_get(r, 2);
  p->zz = quad_get(r, 3);
  p->x = fe_sub(mm, fe_dbl(s));
  r = quad_product(quad_pick(w, m, w, w), quad_pick(p->zzz, fe_sub(s, p->x), p->y, p->y));
  p->zzz = quad_get(r, 0);
  p->y = fe_sub(quad_get(r, 1), quad_get(r, 2));
}

static __device__ __noinline__ void quad_add(acc *p, const acc *q) {
  if (acc_is_zero(*q)) return;
  if (acc_is_zero(*p)) {
    *p = *q;
    return;
  }
  fe r = quad_product(quad_pick(p->x, p->y, q->x, q->y), quad_pick(q->zz, q->zzz, p->zz, p->zzz));
  const fe u1 = quad_get(r, 0), s1 = quad_get(r, 1);
  const fe u = fe_sub(quad_get(r, 2), u1), d = fe_sub(quad_get(r, 3), s1);
  if (fe_is_zero(u)) {
    if (fe_is_zero(d)) quad_double(p);
    else *p = acc_zero();
    return;
  }
  r = quad_product(quad_pick(u, d, p->zz, p->zzz), quad_pick(u, d, q->zz, q->zzz));
  const fe uu = quad_get(r, 0), dd = quad_get(r, 1), zz = quad_get(r, 2), zzz = quad_get(r, 3);
  r = quad_product(quad_pick(uu, u1, zz, zz), quad_pick(u, uu, uu, uu));
  const fe uuu = quad_get(r, 0), v = quad_get(r, 1);
  p->zz = quad_get(r, 2);
  p->x = fe_sub(fe_sub(dd, uuu), fe_dbl(v));
  r = quad_product(quad_pick(d, s1, zzz, zzz), quad_pick(fe_sub(v, p->x), uuu, uuu, uuu));
  p->y = fe_sub(quad_get(r, 0), quad_get(r, 1));
  p->zzz = quad_get(r, 2);
}
#else
/* (ef, gh, eh, fg) */
static __device__ __forceinline__ void quad_finish(acc *p, const fe &e, const fe &f, const fe &g, const fe &h) {
  const fe r = quad_product(quad_pick(e, g, e, f), quad_pick(f, h, h, g));
  p->x = quad_get(r, 0), p->y = quad_get(r, 1), p->t = quad_get(r, 2), p->z = quad_get(r, 3);
}

static __device__ __noinline__ void quad_double(acc *p) {
  const fe f = quad_pick(p->x, p->y, p->z, fe_add(p->x, p->y)), r = quad_product(f, f);
  const fe a = quad_get(r, 0), b = quad_get(r, 1), c = fe_dbl(quad_get(r, 2)), sum = quad_get(r, 3);
  const fe d = curve_mul_a(a), g = fe_add(d, b);
  quad_finish(p, fe_sub(fe_sub(sum, a), b), fe_sub(g, c), g, fe_sub(d, b));
}

static __device__ __noinline__ void quad_add(acc *p, const acc *q) {
  fe r = quad_product(quad_pick(p->x, p->y, p->t, fe_add(p->x, p->y)), quad_pick(q->x, q->y, q->t, fe_add(q->x, q->y)));
  const fe a = quad_get(r, 0), b = quad_get(r, 1), t = quad_get(r, 2), sum = quad_get(r, 3);
  r = quad_product(quad_pick(t, p->z, t, t), quad_pick(curve_d(), q->z, q->z, q->z));
  const fe c = quad_get(r, 0), d = quad_get(r, 1);
  quad_finish(p, fe_sub(fe_sub(sum, a), b), fe_sub(d, c), fe_add(d, c), fe_sub(b, curve_mul_a(a)));
}
#endif

#endif
