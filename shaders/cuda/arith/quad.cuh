/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Point arithmetic for the end of a computation, where few points are left and latency determines the time: four lanes
 * hold the same point and do its independent products side by side. On Weierstrass curves a doubling is three products
 * deep instead of nine, an addition four instead of fourteen; on Edwards curves two and three. All four lanes of an
 * aligned quad call together and get the same result.
 */
#ifndef REPRISE_CUDA_QUAD_CUH
#define REPRISE_CUDA_QUAD_CUH

#include "arith/curve.cuh"

/* The x of lane `from` of the quad. */
static __device__ __forceinline__ fe quad_get(const fe &x, uint32_t from) {
  const uint32_t lane = threadIdx.x & 31, mask = 0xfu << (lane & ~3u);
  fe r;
#pragma unroll
  for (int j = 0; j < (int)(sizeof(fe) / 4); j++)
    ((uint32_t *)&r)[j] = __shfl_sync(mask, ((const uint32_t *)&x)[j], (int)((lane & ~3u) | from));
  return r;
}

/* Lanes 0 and 2 exchange x, and so do lanes 1 and 3. */
static __device__ __forceinline__ fe quad_swap(const fe &x) { return quad_get(x, (threadIdx.x & 3) ^ 2); }

static __device__ __forceinline__ fe quad_pick(const fe &a, const fe &b, const fe &c, const fe &d) {
  const uint32_t q = threadIdx.x & 3;
  return fe_select(q & 2, fe_select(q & 1, a, b), fe_select(q & 1, c, d));
}

RP_DEV fe quad_product(const fe &a, const fe &b) { return fe_mul_call(a, b); }

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
    if (fe_is_zero(d))
      quad_double(p);
    else
      *p = acc_zero();
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

/* *p += *q, where both points lie in memory that the four lanes share: each lane reads only the factors of its own
 * products, and few values move between lanes. The products, one column per lane:
 *   u1 = x1 zz2     s1 = y1 zzz2   u2 = x2 zz1     s2 = y2 zzz1
 *   uu = (u2-u1)^2  dd = (s2-s1)^2 zzz = zzz1 zzz2 zz = zz1 zz2
 *   v = u1 uu                      uuu = uu u      zz uu
 *                   s1 uuu         zzz uuu         d (v - x) */
static __device__ __noinline__ void quad_add_shared(acc *p, const acc *q) {
  const uint32_t lane = threadIdx.x & 3, odd = lane & 1, upper = lane & 2, mask = 0xfu << (threadIdx.x & 28);
  const fe *p_at = (const fe *)p, *q_at = (const fe *)q;
  const fe across = upper ? p_at[2 + odd] : q_at[2 + odd], first = quad_product(upper ? q_at[odd] : p_at[odd], across);
  const fe other = quad_swap(first), diff = fe_sub(fe_select(upper, other, first), fe_select(upper, first, other));
  if (__any_sync(mask, fe_is_zero(across) || (!odd && fe_is_zero(diff)))) {
    acc sum = *p;
    quad_add(&sum, q);
    __syncwarp(mask);
    if (lane == 0) *p = sum;
    __syncwarp(mask);
    return;
  }
  fe a = diff, b = diff;
  if (upper) a = p_at[2 + !odd], b = q_at[2 + !odd];
  const fe second = quad_product(a, b), uu = quad_get(second, 0), dd = quad_get(second, 1);
  const fe third = quad_product(fe_select(lane == 0, fe_select(lane == 2, second, diff), first), uu);
  const fe v = quad_get(third, 0), uuu = quad_get(third, 2), x = fe_sub(fe_sub(dd, uuu), fe_dbl(v));
  const fe fourth = quad_product(fe_select(lane == 1, fe_select(lane == 2, diff, second), first),
                                 fe_select(lane == 3, uuu, fe_sub(v, x)));
  const fe y = fe_sub(quad_swap(fourth), fourth); /* in lane 1 */
  __syncwarp(mask);
  const fe own = fe_select(lane == 0, fe_select(lane == 1, fe_select(lane == 2, third, fourth), y), x);
  *((fe *)p + (lane ^ upper / 2)) = own;
  __syncwarp(mask);
}
#else
/* *p = (e f, g h, e h, f g) */
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

static __device__ __noinline__ void quad_add_shared(acc *p, const acc *q) {
  const uint32_t mask = 0xfu << (threadIdx.x & 28);
  acc sum = *p;
  quad_add(&sum, q);
  __syncwarp(mask);
  if ((threadIdx.x & 3) == 0) *p = sum;
  __syncwarp(mask);
}
#endif

#endif
