/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Multiples of points for digits of Eisenstein integers (ops/msm/eisenstein_multiples.c).
 */
#include "kernel/kernel.cuh"

#include "msm/eisenstein_multiples_args.h"
#include "arith/affine.cuh"
#include "arith/endomorphism.cuh"
#include "arith/jacobian.cuh"

#define INDEX (blockIdx.x * blockDim.x + threadIdx.x)

/* out[(r * windows + w) * n + i] = omega^r base^w in[i], affine, with one inversion per warp and w. */
extern "C" __global__ void __launch_bounds__(128) eisenstein_multiples(const rp_eisenstein_multiples_args k) {
  const uint32_t i = INDEX;
  const uint64_t step = (uint64_t)k.windows * k.n;
  aff a = i < k.n ? aff_load(k.in, i) : aff_zero();
  for (uint32_t w = 0;; w++) {
    const uint64_t at = (uint64_t)w * k.n + i;
    if (i < k.n) {
      const fe x = fe_mul_beta(a.x);
      aff_store(k.out, at, a);
      aff_store(k.out, at + step, aff{x, a.y});
      aff_store(k.out, at + 2 * step, aff{fe_mul_beta_again(x, a.x), a.y});
    }
    if (w + 1 == k.windows) return;
    jac p = jac_from_aff(a);
#pragma unroll 1
    for (int bit = 30 - __clz(k.base); bit >= 0; bit--) {
      p = jac_dbl(p);
      if (i < k.n && (k.base >> bit & 1)) p = jac_add_aff(p, aff_load(k.out, at)); /* a, not kept in registers */
    }
    a = warp_to_affine(jac_to_acc(p));
  }
}
