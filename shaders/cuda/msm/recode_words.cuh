/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * What the counting sorts of digits share: the arithmetic of msm/scalar_recode.h on words of 32 bits, and counters of
 * rows.
 */
#ifndef REPRISE_CUDA_RECODE_WORDS_CUH
#define REPRISE_CUDA_RECODE_WORDS_CUH

#include "arith/carry.cuh"
#include "kernel/fault.cuh"

#define rp_word uint32_t
#define RP_WORDS 8

#define PRODUCT_CARRY(r, a, b, x, c)                               \
  {                                                                \
    const uint64_t s_ = (uint64_t)(c) + (uint64_t)(a) * (b) + (x); \
    r = (uint32_t)s_;                                              \
    c = (uint32_t)(s_ >> 32);                                      \
  }

static __device__ __forceinline__ uint32_t words_add(uint32_t r[8], const uint32_t a[8], const uint32_t b[8]) {
  r[0] = add_cc(a[0], b[0]);
#pragma unroll
  for (int i = 1; i < 8; i++) r[i] = addc_cc(a[i], b[i]);
  return addc(0, 0);
}

static __device__ __forceinline__ bool words_subtract(uint32_t r[8], const uint32_t a[8], const uint32_t b[8]) {
  r[0] = sub_cc(a[0], b[0]);
#pragma unroll
  for (int i = 1; i < 8; i++) r[i] = subc_cc(a[i], b[i]);
  return subc(0, 0) != 0;
}

/* Adds one to the counter of the thread's row, and returns what it was before if TAKES; a row of all ones has no
 * counter. One atomic for all lanes of the warp that hit the same row. All lanes call together. */
template <bool TAKES> static __device__ __forceinline__ uint32_t count_row(uint32_t *counters, uint32_t row) {
  const uint32_t lane = threadIdx.x & 31, peers = __match_any_sync(0xffffffffu, row), leader = __ffs(peers) - 1;
  uint32_t base = 0;
  if (row != 0xffffffffu && lane == leader) base = atomicAdd(&counters[row], __popc(peers));
  if (!TAKES) return 0;
  return __shfl_sync(0xffffffffu, base, leader) + __popc(peers & ((1u << lane) - 1));
}

#endif
