/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Multiples of points for merged windows (ops/msm/window_multiples.c).
 */
#include "kernel/kernel.cuh"

#include "msm/window_multiples_args.h"
#include "arith/affine.cuh"
#include "arith/jacobian.cuh"

#define INDEX (blockIdx.x * blockDim.x + threadIdx.x)

#if CURVE_EDWARDS
#define jac acc
#define jac_from_aff acc_from_aff
#define jac_to_acc(p) (p)
#define jac_dbl acc_dbl
#endif

/* out[j * n + i] = 2^(doublings * j) * in[i], affine, with one inversion per warp and j. */
extern "C" __global__ void __launch_bounds__(128) window_multiples(const rp_window_multiples_args k) {
  const uint32_t i = INDEX;
  jac p = jac_from_aff(i < k.n ? aff_load(k.in, i) : aff_zero());
  for (uint32_t j = 0;; j++) {
    const aff a = warp_to_affine(jac_to_acc(p));
    if (i < k.n) aff_store(k.out, (uint64_t)j * k.n + i, a);
    if (j + 1 == k.merged) return;
#pragma unroll 1
    for (uint32_t d = 0; d < k.doublings; d++) p = jac_dbl(p);
  }
}
