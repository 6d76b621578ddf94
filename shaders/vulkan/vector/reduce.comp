/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Sums, products and running products (ops/vector/reduce.c): one workgroup per block, each thread with a share of
 * it, and the results of the threads joined in shared memory.
 */
#include "kernel/kernel.glsl"

#include "vector/reduce_args.h"
#include "arith/field.glsl"

shared fe shares[gl_WorkGroupSize.x];

#ifdef ENTRY_scan_product
RP_ARGS(rp_scan_product_args)

/* The product of the elements of all threads before this one; `first` for thread 0. */
fe product_before(fe x, fe first) {
  shares[THREAD] = x;
  barrier();
  [[dont_unroll]] for (uint d = 1; d < THREADS; d *= 2) {
    fe r;
    if (THREAD >= d) r = fe_mul(shares[THREAD - d], shares[THREAD]);
    barrier();
    if (THREAD >= d) shares[THREAD] = r;
    barrier();
  }
  return THREAD == 0 ? first : shares[THREAD - 1];
}

/* The share of a thread is consecutive elements. It goes through them twice: for their product, then with the product
 * of all elements before them. Thread 0 begins with the offset. */
void main() {
  const uint first = GROUP * k.block, n = min(k.n - first, k.block), share = (k.block + THREADS - 1) / THREADS;
  const uint begin = min(THREAD * share, n), end = min(begin + share, n);
  fe offset = fe_one();
  if (k.has_offset != 0 && THREAD == 0) offset = fe_load(k.offset, GROUP);
  fe product = offset;
  [[dont_unroll]] for (uint pass = 0; pass < 2; pass++) {
    if (pass == 1) product = product_before(product, offset);
    for (uint i = first + begin; i < first + end; i++) {
      const fe before = product;
      product = fe_mul(product, fe_load(k.in, i));
      if (pass == 1) fe_store(k.out, i, fe_select(k.exclusive != 0, product, before));
    }
  }
}
#else
RP_ARGS(rp_reduce_args)

#ifdef ENTRY_reduce_sum
#define JOIN fe_add
#define NONE fe_zero
#else
#define JOIN fe_mul
#define NONE fe_one
#endif

void main() {
  const uint first = GROUP * k.block, n = min(k.n - first, k.block);
  fe r = NONE();
  for (uint i = THREAD; i < n; i += THREADS) r = JOIN(r, fe_load(k.in, first + i));
  shares[THREAD] = r;
  barrier();
  [[dont_unroll]] for (uint d = THREADS / 2; d != 0; d /= 2) {
    if (THREAD < d) shares[THREAD] = JOIN(shares[THREAD], shares[THREAD + d]);
    barrier();
  }
  if (THREAD == 0) fe_store(k.out, GROUP, shares[0]);
}
#endif
