/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Additions of points that are not inlined, which keeps kernels with several of them small.
 */
#ifndef REPRISE_CUDA_POINTS_POINTS_CUH
#define REPRISE_CUDA_POINTS_POINTS_CUH

#include "arith/curve.cuh"

static __device__ __noinline__ void acc_add_to(acc *a, const acc *b) { *a = acc_add(*a, *b); }
static __device__ __noinline__ void acc_double(acc *a) { *a = acc_dbl(*a); }

/* *sum = *p + *q: the coordinates that acc_add gives, with fewer products. */
static __device__ __noinline__ void acc_of_two(acc *sum, const aff *p, const aff *q) {
#if CURVE_EDWARDS
  *sum = acc_add_aff(acc_from_aff(*p), *q);
#else
  const fe u = fe_sub(q->x, p->x), r = fe_sub(q->y, p->y);
  *sum = acc_from_aff(*p);
  if (aff_is_zero(*q)) return;
  if (aff_is_zero(*p)) {
    *sum = acc_from_aff(*q);
  } else if (fe_is_zero(u)) {
    if (fe_is_zero(r))
      acc_dbl_call(sum);
    else
      *sum = acc_zero();
  } else {
    const fe uu = fe_sqr(u), uuu = fe_mul(uu, u), v = fe_mul(p->x, uu);
    sum->x = fe_sub(fe_sub(fe_sqr(r), uuu), fe_dbl(v));
    sum->y = fe_sub(fe_mul(r, fe_sub(v, sum->x)), fe_mul(p->y, uuu));
    sum->zz = uu;
    sum->zzz = uuu;
  }
#endif
}

#endif
