/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The kernels of the operations in toy_op.c.
 */
#include "toy_args.h"

extern "C" __global__ void toy_mix(const toy_mix_args t) {
  uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < t.n) t.out[i] = t.a[i] * t.factor + t.b[i];
}

extern "C" __global__ void toy_check(const toy_check_args t) {
  uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= t.n) return;
  if (t.a[i] == t.bad && atomicCAS(t.error, 0, t.fault) == 0) {
    t.error[1] = t.site;
    t.error[2] = i;
    t.error[3] = 0;
  }
  t.out[i] = t.a[i];
}

extern "C" __global__ void toy_count(const toy_count_args t) {
  if (blockIdx.x == 0 && threadIdx.x == 0) *t.count = 1 + (uint32_t)(t.a[0] % 4);
}

extern "C" __global__ void toy_head(const toy_head_args t) {
  for (uint32_t b = blockIdx.x; b < *t.count; b += gridDim.x)
    t.out[b * TOY_BLOCK + threadIdx.x] = t.a[b * TOY_BLOCK + threadIdx.x];
}

extern "C" __global__ void toy_pause(const toy_pause_args t) {
  uint64_t begin, now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
  do { asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now)); } while (now - begin < 1000ull * t.microseconds);
  uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < t.n) t.out[i] = t.a[i];
}

extern "C" __global__ void toy_bit(const toy_bit_args t) {
  if (blockIdx.x == 0 && threadIdx.x == 0) *t.bit = (uint32_t)t.a[0] & t.mask;
}

extern "C" __global__ void toy_select(const toy_select_args t) {
  uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < t.n) t.out[i] = *t.bit ? t.a[i] : t.b[i];
}

/* Writes to an invalid address, as a defective kernel does. */
extern "C" __global__ void toy_crash(const toy_pause_args t) {
  if (t.microseconds) *(volatile uint64_t *)(uintptr_t)16 = t.a[0];
  uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < t.n) t.out[i] = t.a[i];
}
