/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Bucket matrix by counting sort: count the entries of each row, prefix sum, scatter. Lanes of a warp that hit the same
 * row share one atomic, so that witnesses of zeros and ones cost no more than others.
 */
#include "kernel/kernel.cuh"

#include "msm/bucket_matrix_gpu_args.h"
#include "arith/carry.cuh"
#include "kernel/fault.cuh"

/* What msm/scalar_recode.h asks for. */
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

#include "msm/bucket_digit.h"

template <bool SCATTER> static __device__ void digits(const rp_gpu_digits_args &k) {
  const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31;
  uint32_t s[9];
  const bool negated = rp_bucket_scalar(k, s, i, !SCATTER);
  for (uint32_t w = 0; w < k.windows; w++) {
    const rp_bucket_digit d = rp_bucket_digit_of(k, s, negated, i, w);
    /* One atomic for all lanes that hit the same row. */
    const uint32_t peers = __match_any_sync(0xffffffffu, d.row), leader = __ffs(peers) - 1;
    uint32_t base = 0;
    if (d.row != RP_NO_ROW && lane == leader) base = atomicAdd(&k.counters[d.row], __popc(peers));
    if (!SCATTER) continue;
    base = __shfl_sync(0xffffffffu, base, leader);
    if (d.row != RP_NO_ROW) k.entries[base + __popc(peers & ((1u << lane) - 1))] = d.entry;
  }
}

extern "C" __global__ void __launch_bounds__(256) bucket_count(const rp_gpu_digits_args k) { digits<false>(k); }
extern "C" __global__ void __launch_bounds__(256) bucket_scatter(const rp_gpu_digits_args k) { digits<true>(k); }
