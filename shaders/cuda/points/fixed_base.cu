/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Tables of multiples of fixed bases, and scalar multiplication with them (ops/points/fixed_base.c).
 */
#define RP_CUDA_SMALL_CODE
#include "kernel/kernel.cuh"

#include "arith/affine.cuh"
#include "points/fixed_base_args.h"
#include "kernel/fault.cuh"
#include "arith/scalar.cuh"

static __device__ __noinline__ void acc_add_to(acc *a, const aff *b) { *a = acc_add_aff(*a, *b); }
static __device__ __noinline__ void acc_double(acc *a) { *a = acc_dbl(*a); }

/* Blocks: [point * windows + window][part of a row]. */
extern "C" __global__ void __launch_bounds__(128) fixed_base_table(const rp_fixed_base_table_args k) {
  const uint32_t row = (1u << k.window_bits) - 1, parts = (row + blockDim.x - 1) / blockDim.x;
  const uint32_t window = blockIdx.x / parts, m = blockIdx.x % parts * blockDim.x + threadIdx.x + 1;
  const aff base = aff_load(k.points, window / k.windows);
  acc r = acc_zero();
  for (int bit = (int)k.window_bits - 1; bit >= 0; bit--) {
    acc_double(&r);
    if (m >> bit & 1) acc_add_to(&r, &base);
  }
  for (uint32_t d = window % k.windows * k.window_bits; d; d--) acc_double(&r);
  const aff a = warp_to_affine(r);
  if (m <= row) aff_store(k.table, (uint64_t)window * row + m - 1, a);
}

extern "C" __global__ void __launch_bounds__(128) fixed_base_mul(const rp_fixed_base_mul_args k) {
  const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x, row = (1u << k.window_bits) - 1;
  if (i >= k.n) return;
  uint32_t s[8];
  if (!scalar_load(s, k.scalars + (uint64_t)i * 4)) {
    acc_store(k.out, i, acc_zero()); /* the scalar counts as zero */
    rp_fault(k.error, RP_FAULT_SCALAR_RANGE, k.site, i);
    return;
  }
  acc r = acc_zero();
  for (uint32_t w = 0; w < k.windows; w++) {
    const uint32_t bit = w * k.window_bits, word = bit / 32;
    const uint32_t digit = __funnelshift_r(s[word], word < 7 ? s[word + 1] : 0, bit) & row;
    if (!digit) continue;
    const aff p = aff_load(k.table, ((uint64_t)(i % k.bases) * k.windows + w) * row + digit - 1);
    acc_add_to(&r, &p);
  }
  acc_store(k.out, i, r);
}
