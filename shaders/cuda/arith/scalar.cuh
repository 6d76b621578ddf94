/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef REPRISE_CUDA_SCALAR_CUH
#define REPRISE_CUDA_SCALAR_CUH

#include "curve_params.h"

/* s gets the words of *scalar, a canonical integer. False if it is not below the group order. */
static __device__ bool scalar_load(uint32_t s[8], const uint64_t *scalar) {
  constexpr uint32_t order[2 * CURVE_SCALAR_LIMBS] = CURVE_ORDER_32;
  bool below = false, decided = false;
#pragma unroll
  for (int j = 7; j >= 0; j--) {
    s[j] = ((const uint32_t *)scalar)[j];
    uint32_t o = j < 2 * CURVE_SCALAR_LIMBS ? order[j] : 0;
    if (!decided && s[j] != o) decided = true, below = s[j] < o;
  }
  return below;
}

#endif
