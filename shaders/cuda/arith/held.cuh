/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A point that each thread adds to, kept in shared memory, for curves over an extension, whose points would take half
 * of a thread's registers: coordinates come to registers only as factors, so that half as many workgroups again fit in
 * a multiprocessor. For workgroups of HELD_BLOCK threads and Weierstrass curves.
 */
#ifndef REPRISE_CUDA_HELD_CUH
#define REPRISE_CUDA_HELD_CUH

#include "arith/curve.cuh"

#if FE_DEGREE == 2

#define HELD_BLOCK 128
#define HELD_VECTORS ((int)(sizeof(fe) / sizeof(uint4)))

enum { HELD_X, HELD_Y, HELD_ZZ, HELD_ZZZ, HELD_COORDINATES };

/* Neighbouring threads have neighbouring vectors, so that their accesses do not meet in a bank. */
static __shared__ uint4 held_memory[HELD_COORDINATES][HELD_VECTORS][HELD_BLOCK];

/* What a thread knows about its point; the coordinates of one that is zero have no meaning. */
struct held {
  bool zero;
};

RP_DEV fe held_get(int coordinate) {
  fe x;
#pragma unroll
  for (int i = 0; i < HELD_VECTORS; i++) ((uint4 *)&x)[i] = held_memory[coordinate][i][threadIdx.x];
  return x;
}

RP_DEV void held_put(int coordinate, const fe &x) {
#pragma unroll
  for (int i = 0; i < HELD_VECTORS; i++) held_memory[coordinate][i][threadIdx.x] = ((const uint4 *)&x)[i];
}

RP_DEV held held_zero() { return held{true}; }

RP_DEV acc held_load(const held &p) {
  if (p.zero) return acc_zero();
  return acc{held_get(HELD_X), held_get(HELD_Y), held_get(HELD_ZZ), held_get(HELD_ZZZ)};
}

RP_DEV void held_store(held &p, const acc &q) {
  p.zero = acc_is_zero(q);
  held_put(HELD_X, q.x), held_put(HELD_Y, q.y), held_put(HELD_ZZ, q.zz), held_put(HELD_ZZZ, q.zzz);
}

/* p += q: acc_add_aff, in an order that needs few values at once. */
RP_DEV void held_add_aff(held &p, const aff &q) {
  if (aff_is_zero(q)) return;
  if (p.zero) {
    held_store(p, acc{q.x, q.y, fe_one(), fe_one()});
    return;
  }
  const fe u = fe_sub(fe_mul(q.x, held_get(HELD_ZZ)), held_get(HELD_X));
  const fe d = fe_sub(fe_mul(q.y, held_get(HELD_ZZZ)), held_get(HELD_Y));
  if (fe_is_zero(u)) {
    acc sum = acc_zero();
    if (fe_is_zero(d)) {
      sum = acc_from_aff(q);
      acc_dbl_call(&sum);
    }
    held_store(p, sum);
    return;
  }
  const fe uu = fe_sqr(u);
  held_put(HELD_ZZ, fe_mul(held_get(HELD_ZZ), uu));
  const fe uuu = fe_mul(uu, u), v = fe_mul(held_get(HELD_X), uu);
  held_put(HELD_ZZZ, fe_mul(held_get(HELD_ZZZ), uuu));
  const fe x = fe_sub(fe_sub(fe_sqr(d), uuu), fe_dbl(v));
  held_put(HELD_X, x);
  const fe y = fe_mul(d, fe_sub(v, x));
  held_put(HELD_Y, fe_sub(y, fe_mul(held_get(HELD_Y), uuu)));
}
#endif

#endif
