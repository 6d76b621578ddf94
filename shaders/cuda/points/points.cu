/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Element-wise operations on points (ops/points/points.c).
 */
#define RP_CUDA_SMALL_CODE
#include "kernel/kernel.cuh"

#include "points/points_args.h"
#include "arith/affine.cuh"
#include "kernel/block_inverse.cuh"
#include "points/points.cuh"

#define INDEX (blockIdx.x * blockDim.x + threadIdx.x)

extern "C" __global__ void __launch_bounds__(128) point_from_affine(const rp_point_map_args k) {
  const uint32_t i = INDEX;
  if (i < k.n) acc_store(k.out, i, acc_from_aff(aff_load(k.in, i)));
}

extern "C" __global__ void __launch_bounds__(128) point_neg(const rp_point_map_args k) {
  const uint32_t i = INDEX;
  if (i >= k.n) return;
  if (k.affine)
    aff_store(k.out, i, aff_neg_if(true, aff_load(k.in, i)));
  else
    acc_store(k.out, i, acc_neg(acc_load(k.in, i)));
}

static __device__ __noinline__ void acc_add_aff_to(acc *a, const aff *b) { *a = acc_add_aff(*a, *b); }

extern "C" __global__ void __launch_bounds__(128) point_add(const rp_point_add_args k) {
  const uint32_t i = INDEX;
  if (i >= k.n) return;
  const uint32_t at_a = i * k.a_step, at_b = i * k.b_step;
  acc sum;
  if (k.a_affine && k.b_affine) {
    const aff a = aff_load(k.a, at_a), b = aff_load(k.b, at_b);
    acc_of_two(&sum, &a, &b);
  } else if (k.a_affine || k.b_affine) {
    const aff b = k.a_affine ? aff_load(k.a, at_a) : aff_load(k.b, at_b);
    sum = k.a_affine ? acc_load(k.b, at_b) : acc_load(k.a, at_a);
    acc_add_aff_to(&sum, &b);
  } else {
    const acc b = acc_load(k.b, at_b);
    sum = acc_load(k.a, at_a);
    acc_add_to(&sum, &b);
  }
  acc_store(k.out, i, sum);
}

extern "C" __global__ void __launch_bounds__(128) point_to_affine(const rp_point_map_args k) {
  const uint32_t i = INDEX;
  const aff a = warp_to_affine(i < k.n ? acc_load(k.in, i) : acc_zero());
  if (i < k.n) aff_store(k.out, i, a);
}

/* The same for many points: each thread has a chain of them. The product of a chain's denominators is inverted together
 * with those of the other chains of the block (block_inverse.cuh); until then out[i].x holds the product of the
 * denominators before i in its chain. */
extern "C" __global__ void __launch_bounds__(RP_GPU_INVERSE_BLOCK)
    point_to_affine_chains(const rp_point_chains_args k) {
  constexpr uint32_t THREADS = RP_GPU_INVERSE_BLOCK;
  const uint32_t begin = blockIdx.x * k.block, n = k.n - begin < k.block ? k.n - begin : k.block, t = threadIdx.x;
  const acc *in = (const acc *)k.in + begin;
  aff *out = (aff *)k.out + begin;
  fe product = fe_one();
  for (uint32_t i = t; i < n; i += THREADS) {
    const fe d = fe_load(&ACC_DENOMINATOR(in[i]), 0);
    if (i != t) fe_store(&out[i].x, 0, product);
    if (!fe_is_zero(d)) product = fe_mul(product, d);
  }
  fe inverse = block_inverse(product);
  if (t >= n) return;
  for (uint32_t i = t + (n - 1 - t) / THREADS * THREADS;; i -= THREADS) {
    const acc p = acc_load(in, i);
    const fe own = i == t ? inverse : fe_mul(inverse, fe_load(&out[i].x, 0));
    if (!fe_is_zero(ACC_DENOMINATOR(p))) inverse = fe_mul(inverse, ACC_DENOMINATOR(p));
    aff_store(out, i, acc_to_aff_with(p, own));
    if (i == t) return;
  }
}
