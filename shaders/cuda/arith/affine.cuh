/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Accumulator points to affine form, with one inversion per warp.
 */
#ifndef REPRISE_CUDA_AFFINE_CUH
#define REPRISE_CUDA_AFFINE_CUH

#include "arith/curve.cuh"

static __device__ fe shuffle_xor(const fe &x, uint32_t mask) {
  fe r;
#pragma unroll
  for (int j = 0; j < (int)(sizeof(fe) / 4); j++)
    ((uint32_t *)&r)[j] = __shfl_xor_sync(0xffffffffu, ((const uint32_t *)&x)[j], mask);
  return r;
}

/* p in affine form. All lanes of the warp call it together. A butterfly of shuffles gives each lane the product of all
 * denominators and the product of those of the other lanes. The lanes then invert the first product in step; it is the
 * same value in each. A denominator of zero, which is that of infinity, counts as 1. */
static __device__ aff warp_to_affine(const acc &p) {
  fe product = ACC_DENOMINATOR(p), others = fe_one();
  if (fe_is_zero(product)) product = fe_one();
  /* After step s a lane holds the product over its group of 2^(s+1) lanes, and over the others of that group. */
  for (uint32_t mask = 1; mask < 32; mask *= 2) {
    fe theirs = shuffle_xor(product, mask);
    others = fe_mul_call(others, theirs);
    product = fe_mul_call(product, theirs);
  }
  return acc_to_aff_with(p, fe_mul_call(fe_inv(product), others));
}

#endif
