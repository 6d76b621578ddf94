/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Checks that points are on the curve and in the subgroup (ops/points/point_check.c): one thread per point.
 */
#define RP_CUDA_SMALL_CODE
#include "kernel/kernel.cuh"

#include "points/point_check_args.h"
#include "kernel/fault.cuh"
#include "arith/subgroup.cuh"

extern "C" __global__ void __launch_bounds__(128) point_check(const rp_point_check_args k) {
  const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= k.n) return;
  const aff p = aff_load(k.in, i);
  aff_store(k.out, i, p);
  if (!aff_on_curve(p))
    rp_fault(k.error, RP_FAULT_NOT_ON_CURVE, k.site, i);
  else if (k.subgroup && !aff_in_subgroup(p))
    rp_fault(k.error, RP_FAULT_NOT_IN_SUBGROUP, k.site, i);
}
