/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Element-wise operations on points (ops/points/points.c).
 */
#include "kernel/kernel.glsl"

#include "points/points_args.h"
#include "arith/curve.glsl"
#include "points/points.glsl"

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
  if (k.affine != 0)
    aff_store(k.out, i, aff_neg_if(true, aff_load(k.in, i)));
  else
    acc_store(k.out, i, acc_neg(acc_load(k.in, i)));
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
