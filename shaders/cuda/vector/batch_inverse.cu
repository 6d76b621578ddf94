/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Batch inversion (ops/vector/batch_inverse_gpu.c). Each thread has a chain of elements, the products of the
 * chains are joined in a tree in shared memory, and each block inverts its own root: a level above the blocks would
 * take the time of one inversion as well, and two more launches. A zero counts as one.
 */
#include "kernel/kernel.cuh"

#include "kernel/block_inverse.cuh"
#include "kernel/fault.cuh"

#define THREADS RP_GPU_INVERSE_BLOCK

static __device__ __forceinline__ fe one_for_zero(const fe &x, bool *zero) {
  *zero = fe_is_zero(x);
  return fe_select(*zero, x, fe_one());
}

/* Until its inverse is known, out[i] holds the product of the chain before i, which the first of a chain does not
 * need. */
extern "C" __global__ void __launch_bounds__(THREADS) inverse_blocks(const rp_gpu_inverse_args k) {
  const uint32_t begin = blockIdx.x * k.block, n = k.n - begin < k.block ? k.n - begin : k.block;
  const uint32_t t = threadIdx.x, links = t < n ? (n - 1 - t) / THREADS : 0; /* after the first */
  bool zero;
  fe product = fe_one();
  if (t < n) {
    product = one_for_zero(fe_load(k.x, begin + t), &zero);
    uint64_t i = begin + t;
    fe next = fe_load(k.x, links ? i + THREADS : i);
    for (uint32_t j = 1; j <= links; j++) {
      const fe x = one_for_zero(next, &zero);
      i += THREADS;
      next = fe_load(k.x, j < links ? i + THREADS : i);
      fe_store(k.out, i, product);
      product = fe_mul(product, x);
    }
  }
  fe inverse = block_inverse(product);
  if (t >= n) return;
  uint64_t i = begin + t + (uint64_t)links * THREADS;
  fe x = fe_load(k.x, i), before = links ? fe_load(k.out, i) : fe_one();
  for (uint32_t j = links;; j--, i -= THREADS) {
    const fe factor = one_for_zero(x, &zero), own = before;
    if (j > 0) x = fe_load(k.x, i - THREADS);
    if (j > 1) before = fe_load(k.out, i - THREADS);
    fe_store(k.out, i, fe_select(zero, j ? fe_mul(inverse, own) : inverse, fe_zero()));
    if (k.has_mask) k.mask[i] = zero;
    if (zero && k.strict) rp_fault(k.error, RP_FAULT_ZERO, k.site, i);
    if (j == 0) return;
    inverse = fe_mul(inverse, factor);
  }
}
