/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Batch inversion (ops/vector/batch_inverse_gpu.c). Each thread has a chain of elements, the products of the
 * chains are joined in a tree in shared memory, and each workgroup inverts its own root. A zero counts as one.
 */
#include "kernel/kernel.glsl"

#include "vector/batch_inverse_gpu_args.h"
#include "kernel/fault.glsl"
#include "arith/group_inverse.glsl"

RP_ARGS(rp_gpu_inverse_args)

/* Until its inverse is known, out[i] holds the product of the chain before i. */
void main() {
  const uint begin = GROUP * k.block, n = min(k.n - begin, k.block);
  const uint links = THREAD < n ? (n - 1 - THREAD) / THREADS + 1 : 0;
  fe product = fe_one();
  uint i = begin + THREAD;
  for (uint j = 0; j < links; j++, i += THREADS) {
    const fe x = fe_load(k.x, i);
    fe_store(k.out, i, product);
    product = fe_mul(product, fe_select(fe_is_zero(x), x, fe_one()));
  }
  fe inverse = group_inverse(product);
  for (uint j = links; j != 0; j--) {
    i -= THREADS;
    fe factor = fe_load(k.x, i), other = fe_load(k.out, i);
    const bool zero = fe_is_zero(factor);
    factor = fe_select(zero, factor, fe_one());
    /* Two products in one place: the inverse of this element, and that of the chain before it. */
    for (uint step = 0; step < 2; step++) {
      const fe r = fe_mul(inverse, other);
      if (step == 0) {
        fe_store(k.out, i, fe_select(zero, r, fe_zero()));
        other = factor;
      } else {
        inverse = r;
      }
    }
    if (k.has_mask != 0) rp_u8(at(k.mask, i, 1)).v[0] = uint8_t(zero ? 1 : 0);
    if (zero && k.strict != 0) rp_fault(k.error, RP_FAULT_ZERO, k.site, i);
  }
}
