/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Checks that points are on the curve and in the subgroup (ops/points/point_check.c): one thread per point.
 */
#include "kernel/kernel.glsl"

#include "points/point_check_args.h"
#include "kernel/fault.glsl"
#include "arith/subgroup.glsl"

RP_ARGS(rp_point_check_args)

void main() {
  const uint i = INDEX;
  if (i >= k.n) return;
  const aff p = aff_load(k.in, i);
  aff_store(k.out, i, p);
  if (!aff_on_curve(p))
    rp_fault(k.error, RP_FAULT_NOT_ON_CURVE, k.site, i);
  else if (k.subgroup != 0 && !aff_in_subgroup(p))
    rp_fault(k.error, RP_FAULT_NOT_IN_SUBGROUP, k.site, i);
}
