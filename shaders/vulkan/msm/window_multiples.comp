/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Multiples of points for merged windows (ops/msm/window_multiples.c).
 */
#include "kernel/kernel.glsl"

#include "msm/window_multiples_args.h"
#include "arith/curve.glsl"
#include "arith/affine.glsl"

RP_ARGS(rp_window_multiples_args)

/* out[j * n + i] = 2^(doublings * j) * in[i], affine, with one inversion per workgroup and j. */
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
