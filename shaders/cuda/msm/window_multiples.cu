/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Multiples of points for merged windows (ops/msm/window_multiples.c).
 */
#define RP_CUDA_SMALL_CODE
#include "kernel/kernel.cuh"

#include "msm/window_multiples_args.h"
#include "arith/affine.cuh"
#include "points/points.cuh"

#define INDEX (blockIdx.x * blockDim.x + threadIdx.x)

/* out[j * n + i] = 2^(doublings * j) * in[i], affine, with one inversion per warp and j. */
extern "C" __global__ void __launch_bounds__(128) window_multiples(const rp_window_multiples_args k) {
  const uint32_t i = INDEX;
  acc p = i < k.n ? acc_from_aff(aff_load(k.in, i)) : acc_zero();
  for (uint32_t j = 0;; j++) {
    const aff a = warp_to_affine(p);
    if (i < k.n) aff_store(k.out, (uint64_t)j * k.n + i, a);
    if (j + 1 == k.merged) return;
    p = acc_from_aff(a);
    for (uint32_t d = 0; d < k.doublings; d++) acc_double(&p);
  }
}
