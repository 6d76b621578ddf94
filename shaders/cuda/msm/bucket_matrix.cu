/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Bucket matrix by counting sort: count the entries of each row, prefix sum, scatter. Lanes of a warp that hit the same
 * row share one atomic, so that witnesses of zeros and ones cost no more than others.
 */
#include "kernel/kernel.cuh"

#include "msm/bucket_matrix_gpu_args.h"
#include "arith/carry.cuh"
#include "kernel/fault.cuh"

/* a := a / 2^(32 scalar_words) mod order, which takes a field element in Montgomery form to its canonical integer. */
static __device__ void reduce(uint32_t a[8], const rp_gpu_digits_args &k) {
  for (uint32_t round = 0; round < k.scalar_words; round++) {
    uint32_t m = a[0] * k.order_inverse;
    uint64_t t = (uint64_t)m * k.order[0] + a[0];
#pragma unroll
    for (int i = 1; i < 8; i++) {
      t = (t >> 32) + (uint64_t)m * k.order[i] + a[i];
      a[i - 1] = (uint32_t)t;
    }
    /* Above scalar_words, a short scalar and its order are zero. */
    a[7] = (uint32_t)(t >> 32);
    if (k.scalar_words < 8) {
#pragma unroll
      for (int i = 0; i < 8; i++) a[i] = i < (int)k.scalar_words ? a[i] : 0;
    }
  }
}

/* r = a - b modulo 2^256. Returns all ones if a < b, else 0. */
static __device__ uint32_t subtract(uint32_t r[8], const uint32_t a[8], const uint32_t b[8]) {
  r[0] = sub_cc(a[0], b[0]);
#pragma unroll
  for (int i = 1; i < 8; i++) r[i] = subc_cc(a[i], b[i]);
  return subc(0, 0);
}

/* s gets the smaller of scalar i and its negative modulo the order, plus the bias that makes digits signed. Returns
 * whether it is the negative. A scalar that is not below the order counts as zero, and is a fault with `report`. */
static __device__ bool recode(uint32_t s[9], const rp_gpu_digits_args &k, uint32_t i, bool report) {
  uint32_t a[8], order[8], negated[8], unused[8], any = 0;
#pragma unroll
  for (int j = 0; j < 8; j++) order[j] = k.order[j];
#pragma unroll
  for (int j = 0; j < 8; j++) a[j] = (uint32_t)j < k.scalar_words ? k.scalars[(uint64_t)i * k.scalar_words + j] : 0;
  if (k.montgomery) reduce(a, k);
  uint32_t above = subtract(negated, order, a);
#pragma unroll
  for (int j = 0; j < 8; j++) any |= negated[j];
  if (above || !any) {
    if (report) rp_fault(k.error, RP_FAULT_SCALAR_RANGE, k.site, i);
#pragma unroll
    for (int j = 0; j < 8; j++) a[j] = 0, negated[j] = order[j];
  }
  bool negative = subtract(unused, negated, a) != 0;
  s[0] = add_cc(negative ? negated[0] : a[0], k.bias[0]);
#pragma unroll
  for (int j = 1; j < 8; j++) s[j] = addc_cc(negative ? negated[j] : a[j], k.bias[j]);
  s[8] = addc(0, 0);
  return negative;
}

static __device__ uint32_t word_of(const uint32_t s[9], uint32_t j) {
  uint32_t r = 0;
#pragma unroll
  for (int i = 0; i < 9; i++) r = i == (int)j ? s[i] : r;
  return r;
}

template <bool SCATTER> static __device__ void digits(const rp_gpu_digits_args &k) {
  const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31;
  const bool live = i < k.n;
  const uint32_t c = k.window_bits, middle = 1u << (c - 1), mask = 2 * middle - 1;
  uint32_t s[9];
  const bool negative = live ? recode(s, k, i, !SCATTER) : false;
  for (uint32_t w = 0; w < k.windows; w++) {
    uint32_t magnitude = 0, sign = 0;
    if (live) {
      uint32_t bit = w * c, word = bit / 32;
      uint32_t digit = __funnelshift_r(word_of(s, word), word_of(s, word + 1), bit) & mask;
      bool top = w + 1 == k.windows;
      sign = !top && digit < middle;
      magnitude = top ? digit : sign ? middle - digit : digit - middle;
    }
    /* One atomic for all lanes that hit the same row. */
    const uint32_t set = w / k.merged, row = magnitude ? set * k.buckets + magnitude - 1 : 0xffffffffu;
    const uint32_t peers = __match_any_sync(0xffffffffu, row), leader = __ffs(peers) - 1;
    uint32_t base = 0;
    if (magnitude && lane == leader) base = atomicAdd(&k.counters[row], __popc(peers));
    if (!SCATTER) continue;
    base = __shfl_sync(0xffffffffu, base, leader);
    if (magnitude)
      k.entries[base + __popc(peers & ((1u << lane) - 1))] =
          ((w - set * k.merged) * k.n + i) << 1 | (sign ^ (uint32_t)negative);
  }
}

extern "C" __global__ void __launch_bounds__(256) bucket_count(const rp_gpu_digits_args k) { digits<false>(k); }
extern "C" __global__ void __launch_bounds__(256) bucket_scatter(const rp_gpu_digits_args k) { digits<true>(k); }
