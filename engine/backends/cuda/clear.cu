/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <stdint.h>

#include "clear.h"

extern "C" __global__ void clear(const rp_clear_args a) {
  const uint64_t bytes = (uint64_t)a.bytes_hi << 32 | a.bytes_lo, wide = bytes / 16;
  const uint64_t first = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x, stride = gridDim.x * (uint64_t)blockDim.x;
  for (uint64_t i = first; i < wide; i += stride) ((uint4 *)a.memory)[i] = make_uint4(0, 0, 0, 0);
  for (uint64_t i = wide * 16 + first; i < bytes; i += stride) ((char *)a.memory)[i] = 0;
}
