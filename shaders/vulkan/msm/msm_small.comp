/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Multi-scalar multiplication with few points (ops/msm/msm_small.c).
 */
#include "kernel/kernel.glsl"

#include "msm/msm_small_args.h"
#include "arith/curve.glsl"
#include "kernel/fault.glsl"
#include "arith/scalar.glsl"
#define ADD acc_add
#define DOUBLE acc_dbl
#include "points/scalar_mul.glsl"
#include "kernel/exchange.glsl"

RP_ARGS(rp_msm_small_args)

/* One workgroup per result: the multiples of the points, then their sum in a tree. */
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
        if (scalar_load(s, k.scalars, at))
          q = multiply(s, aff_load(k.points, i));
        else
          rp_fault(k.error, RP_FAULT_SCALAR_RANGE, k.site, at);
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
