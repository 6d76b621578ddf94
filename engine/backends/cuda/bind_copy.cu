/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <stdint.h>

#include "bind_copy.h"

extern "C" __global__ void bind_copy(const rp_bind_copy_args a) {
  uint64_t caller = *(const uint64_t *)a.word;
  if (!caller || (a.out && *(const uint32_t *)a.record)) return;
  uint64_t bytes = (uint64_t)a.bytes_hi << 32 | a.bytes_lo;
  const char *src = a.out ? (const char *)a.value : (const char *)caller;
  char *dst = a.out ? (char *)caller : (char *)a.value;
  uint64_t wide = ((uintptr_t)src | (uintptr_t)dst) % 16 ? 0 : bytes / 16;
  uint64_t first = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x, stride = gridDim.x * (uint64_t)blockDim.x;
  for (uint64_t i = first; i < wide; i += stride) ((uint4 *)dst)[i] = ((const uint4 *)src)[i];
  for (uint64_t i = wide * 16 + first; i < bytes; i += stride) dst[i] = src[i];
}
