/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Products over a quadratic extension over 32-bit words: three products of twice the words (Karatsuba), whose
 * differences are reduced, one reduction per coefficient.
 */
#if !FP_SPARE
#error "written for 2p < R"
#endif

/* a b for any words. It has no loop, as fp_mul has one: three of these and two reductions would be more iterations than
 * three products with a reduction each, and lavapipe ends the loops of a shader after 65535 in all. */
fp_wide fp_product(fp a, fp b) {
  fp_wide x;
  [[unroll]] for (int j = 0; j < 2 * FP_N; j++) x.v[j] = 0;
  [[unroll]] for (int row = 0; row < FP_N; row++) {
    uint c = 0;
    [[unroll]] for (int j = 0; j < FP_N; j++) PRODUCT_CARRY(x.v[row + j], a.v[j], b.v[row], x.v[row + j], c)
    x.v[row + FP_N] = c;
  }
  return x;
}

/* a - b, and p R more if that is negative: below p R if a and b are below p^2. */
fp_wide fp_wide_sub(fp_wide a, fp_wide b) {
  uint c = 0;
  [[unroll]] for (int j = 0; j < 2 * FP_N; j++) SUB_BORROW(a.v[j], a.v[j], b.v[j], c)
  const uint mask = 0u - c;
  c = 0;
  [[unroll]] for (int j = 0; j < FP_N; j++) ADD_CARRY(a.v[FP_N + j], a.v[FP_N + j], FP_MODULUS_32[j] & mask, c)
  return a;
}

/* a + b, below 2p and not reduced. */
fp fp_sum(fp a, fp b) {
  uint c = 0;
  [[unroll]] for (int i = 0; i < FP_N; i++) ADD_CARRY(a.v[i], a.v[i], b.v[i], c)
  return a;
}

/* u^2 = -1. Both coefficients are below p R: the second is the sum of two products, below 2 p^2. */
fe fe_mul(fe x, fe y) {
  const fp_wide t0 = fp_product(x.c0, y.c0), t1 = fp_product(x.c1, y.c1);
  const fp_wide t2 = fp_product(fp_sum(x.c0, x.c1), fp_sum(y.c0, y.c1));
  return fe(fp_reduce_wide(fp_wide_sub(t0, t1)), fp_reduce_wide(fp_wide_sub(fp_wide_sub(t2, t0), t1)));
}
