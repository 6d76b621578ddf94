/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Canonical integers to elements and back (ops/vector/convert.c). An extension's elements are pairs of its base
 * field's.
 */
#include "kernel/kernel.cuh"

#include "vector/convert_args.h"
#include "kernel/fault.cuh"
#include "arith/integer.cuh"

#define INDEX (blockIdx.x * (uint64_t)blockDim.x + threadIdx.x)

static __device__ __forceinline__ bool below_p(const fp &x) {
#if FP_MONTGOMERY
  sub_cc(x.v[0], fp_p(0));
#pragma unroll
  for (int i = 1; i < FP_N; i++) subc_cc(x.v[i], fp_p(i));
  return subc(0, 0) != 0;
#else
  return x.v < GOLDILOCKS_P;
#endif
}

static __device__ __forceinline__ fp to_integer(const fp &x) {
#if FP_MONTGOMERY
  fp one = fp_zero();
  one.v[0] = 1;
  return fp_mul(x, one);
#else
  return x;
#endif
}

extern "C" __global__ void __launch_bounds__(256) from_canonical(const rp_from_canonical_args k) {
  const uint64_t i = INDEX;
  if (i >= k.n) return;
#pragma unroll
  for (int j = 0; j < FE_DEGREE; j++) {
    const fp x = ((const fp *)k.in)[i * FE_DEGREE + j];
    if (!k.reduce && !below_p(x)) rp_fault((uint32_t *)k.error, RP_FAULT_NOT_CANONICAL, k.site, i);
    ((fp *)k.out)[i * FE_DEGREE + j] = from_integer(x);
  }
}

extern "C" __global__ void __launch_bounds__(256) to_canonical(const rp_to_canonical_args k) {
  const uint64_t i = INDEX;
  if (i >= k.n) return;
#pragma unroll
  for (int j = 0; j < FE_DEGREE; j++)
    ((fp *)k.out)[i * FE_DEGREE + j] = to_integer(((const fp *)k.in)[i * FE_DEGREE + j]);
}
