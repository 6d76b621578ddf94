/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "own_op.h"

extern "C" __global__ void __launch_bounds__(OWN_GROUP) own_spread(const own_spread_args k) {
  const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= k.n) return;
  k.out[i] = (uint32_t)((k.in[i] * k.factor) >> 32) % k.limit;
}
