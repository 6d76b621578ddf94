/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Element-wise operations on points, tree reduction and window multiples (ops/points/points_args.h).
 */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "kernel/kernel.glsl"

#include "points/points_args.h"
#include "arith/curve.glsl"

acc load(addr array, uint i, uint affine) {
  return affine != 0 ? acc_from_aff(aff_load(array, i)) : acc_load(array, i);
}

#ifdef ENTRY_point_from_affine
RP_ARGS(rp_point_map_args)
void main() {
  const uint i = INDEX;
  if (i < k.n) acc_store(k.out, i, acc_from_aff(aff_load(k.in, i)));
}
#endif

#ifdef ENTRY_point_neg
RP_ARGS(rp_point_map_args)
void main() {
  const uint i = INDEX;
  if (i >= k.n) return;
  if (k.affine != 0) aff_store(k.out, i, aff_neg_if(true, aff_load(k.in, i)));
  else acc_store(k.out, i, acc_neg(acc_load(k.in, i)));
}
#endif

#ifdef ENTRY_point_add
RP_ARGS(rp_point_add_args)
void main() {
  const uint i = INDEX;
  if (i >= k.n) return;
  acc_store(k.out, i, acc_add(load(k.a, i * k.a_step, k.a_affine), load(k.b, i * k.b_step, k.b_affine)));
}
#endif

#ifdef ENTRY_point_to_affine
#include "arith/affine.glsl"
RP_ARGS(rp_point_map_args)
void main() {
  const uint i = INDEX;
  acc p = acc_zero();
  if (i < k.n) p = acc_load(k.in, i);
  const aff a = group_to_affine(p);
  if (i < k.n) aff_store(k.out, i, a);
}
#endif

#ifdef ENTRY_window_multiples
#include "arith/affine.glsl"
RP_ARGS(rp_window_multiples_args)

/* out[j * n + i] = 2^(doublings * j) * in[i], affine. */
void main() {
  const uint i = INDEX;
  acc p = acc_zero();
  if (i < k.n) p = acc_from_aff(aff_load(k.in, i));
  for (uint j = 0; j < k.merged; j++) {
    const aff a = group_to_affine(p);
    if (i < k.n) aff_store(k.out, j * k.n + i, a);
    p = acc_from_aff(a);
    /* Threads without a point have nothing to double. */
    for (uint d = 0; d < k.doublings && j + 1 < k.merged && i < k.n; d++) p = acc_dbl(p);
  }
}
#endif

/* ---- Products with scalars, four bits a step --------------------------------------------------------------------- */

#if defined(ENTRY_scalar_mul) || defined(ENTRY_msm_small) || defined(ENTRY_scalar_mul_quad)
#include "kernel/fault.glsl"
#include "arith/scalar.glsl"

#ifdef ENTRY_scalar_mul_quad
#include "arith/quad.glsl"
#define ADD quad_add
#define DOUBLE quad_double
#else
#define ADD acc_add
#define DOUBLE acc_dbl
#endif

/* First the multiples up to fifteen, then for each digit four doublings and an addition: one place for both. The array
 * holds all of it, so that a step has no more values at hand than an addition. */
#define RESULT 16
acc multiply(uint s[8], aff p) {
  acc t[17];
  t[0] = acc_zero();
  t[1] = acc_from_aff(p);
  t[RESULT] = acc_zero();
  for (int step = -14; step < 64; step++) {
    int to = step + 16, from = to - 1;
    uint other = 1;
    if (step >= 0) {
      to = from = RESULT;
      other = s[(63 - step) / 8] >> (63 - step) % 8 * 4 & 15;
      for (int j = 0; j < 4 && step > 0; j++) t[RESULT] = DOUBLE(t[RESULT]);
    }
    t[to] = ADD(t[from], t[other]);
  }
  return t[RESULT];
}
#endif

#if defined(ENTRY_scalar_mul) || defined(ENTRY_scalar_mul_quad)
RP_ARGS(rp_scalar_mul_args)

/* Few products: a workgroup of four threads each. */
void main() {
#ifdef ENTRY_scalar_mul_quad
  const uint i = GROUP;
  const bool reports = THREAD == 0;
#else
  const uint i = INDEX;
  const bool reports = true;
#endif
  if (i >= k.n) return;
  uint s[8];
  if (!scalar_load(s, k.scalars, i * k.scalar_step)) {
    if (!reports) return;
    acc_store(k.out, i, acc_zero()); /* it counts as zero */
    rp_fault(k.error, RP_FAULT_SCALAR_RANGE, k.site, i);
    return;
  }
  const acc r = multiply(s, aff_load(k.points, i * k.point_step));
  if (reports) acc_store(k.out, i, r);
}
#endif

/* ---- Trees ------------------------------------------------------------------------------------------------------- */

#if defined(ENTRY_msm_small) || defined(ENTRY_tree_reduce)
#include "kernel/exchange.glsl"
#endif

#ifdef ENTRY_msm_small
RP_ARGS(rp_msm_small_args)

/* A workgroup a result: products of few points, then their sum in a tree. */
void main() {
  const uint rounds = (k.n + THREADS - 1) / THREADS;
  uint d = THREADS;
  acc sum = acc_zero();
  for (uint step = 0; d > 1; step++) {
    acc q = acc_zero();
    if (step < rounds) {
      const uint i = step * THREADS + THREAD, at = GROUP * k.n + i;
      uint s[8];
      if (i < k.n) {
        if (scalar_load(s, k.scalars, at)) q = multiply(s, aff_load(k.points, i));
        else rp_fault(k.error, RP_FAULT_SCALAR_RANGE, k.site, at);
      }
    } else {
      d /= 2;
      const acc other = acc_of_thread(sum, (THREAD + d) % THREADS);
      if (THREAD < d) q = other;
    }
    sum = acc_add(sum, q);
  }
  if (THREAD == 0) acc_store(k.out, GROUP, sum);
}
#endif

#ifdef ENTRY_tree_reduce
RP_ARGS(rp_tree_reduce_args)

/* Groups of up to a workgroup's points in shared memory, the stride doubling from one: the canonical order. */
void main() {
  const uint group = GROUP / k.blocks, first = GROUP % k.blocks * k.block, n = min(k.width - first, k.block);
  acc sum = acc_zero();
  if (THREAD < n) sum = load(k.in, group * k.width + first + THREAD, k.affine);
  for (uint d = 1; d < n; d *= 2) {
    const acc other = acc_of_thread(sum, (THREAD + d) % THREADS);
    if ((THREAD & (2 * d - 1)) == 0 && THREAD + d < n) sum = acc_add(sum, other);
  }
  if (THREAD == 0) acc_store(k.out, GROUP, sum);
}
#endif
