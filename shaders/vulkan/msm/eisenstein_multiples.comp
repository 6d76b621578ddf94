/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Multiples of points for digits of Eisenstein integers (ops/msm/eisenstein_multiples.c).
 */
#include "kernel/kernel.glsl"

#include "msm/eisenstein_multiples_args.h"
#include "arith/curve.glsl"
#include "arith/affine.glsl"
#include "arith/endomorphism.glsl"

RP_ARGS(rp_eisenstein_multiples_args)

/* out[(r * windows + w) * n + i] = omega^r base^w in[i], affine, with one inversion per workgroup and w. */
void main() {
  const uint i = INDEX;
  aff a = aff_zero();
  if (i < k.n) a = aff_load(k.in, i);
  for (uint w = 0; w < k.windows; w++) {
    /* Threads without a point have nothing to multiply. */
    if (w != 0) {
      acc p = acc_from_aff(a);
      for (int bit = findMSB(k.base) - 1; bit >= 0 && i < k.n; bit--) {
        p = acc_dbl(p);
        if ((k.base >> bit & 1) != 0) p = acc_add_aff(p, a);
      }
      a = group_to_affine(p);
    }
    aff b = a;
    for (uint r = 0; r < 3 && i < k.n; r++) {
      aff_store(k.out, (r * k.windows + w) * k.n + i, b);
      b.x = r == 0 ? fe_mul_beta(a.x) : fe_mul_beta_again(b.x, a.x);
    }
  }
}
