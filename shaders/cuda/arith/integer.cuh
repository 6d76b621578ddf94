/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Elements of integers that need not be below the modulus.
 */
#ifndef REPRISE_CUDA_INTEGER_CUH
#define REPRISE_CUDA_INTEGER_CUH

#include "arith/field.cuh"

/* The element of any integer that fits in the limbs. */
static __device__ __forceinline__ fp from_integer(const fp &x) {
#if FP_MONTGOMERY
  constexpr fp r2 = FP_R2_32;
  return fp_mul(r2, x); /* the second factor may be above p: (r2 x + m p) / R stays below 2p */
#else
  return fp{x.v < GOLDILOCKS_P ? x.v : x.v - GOLDILOCKS_P};
#endif
}

#endif
