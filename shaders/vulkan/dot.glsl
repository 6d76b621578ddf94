/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Sums of DOT_N products with one Montgomery reduction for all of them: each row of the product takes in every pair before
 * it is reduced. The loops are those of fp_mul (fp.glsl).
 */
#ifndef REPRISE_VULKAN_DOT_GLSL
#define REPRISE_VULKAN_DOT_GLSL

#include "field.glsl"

/* a[0] b[0] + ... below (DOT_N p / R + 1) p, which must be below 2p: five products for BN254's Fr. */
fp fp_dot(fp a[DOT_N], fp b[DOT_N]) {
  fp t = fp_zero();
  uint64_t top = 0;
  uint round = 0;
  [[dont_unroll]] do {
    [[unroll]] for (int row = 0; row < FP_ROWS; row++) {
      [[unroll]] for (int n = 0; n < DOT_N; n++) {
        const uint digit = b[n].v[row];
        uint64_t c = 0;
        [[unroll]] for (int j = 0; j < FP_N; j++) {
          c = uint64_t(a[n].v[j]) * digit + t.v[j] + (c >> 32);
          t.v[j] = uint(c);
        }
        top += c >> 32;
      }
      const uint m = t.v[0] * FP_N0_32;
      uint64_t d = uint64_t(m) * FP_MODULUS_32[0] + t.v[0];
      [[unroll]] for (int j = 1; j < FP_N; j++) {
        d = uint64_t(m) * FP_MODULUS_32[j] + t.v[j] + (d >> 32);
        t.v[j - 1] = uint(d);
      }
      top += d >> 32;
      t.v[FP_N - 1] = uint(top);
      top = top >> 32;
    }
    [[unroll]] for (int n = 0; n < DOT_N; n++)
      [[unroll]] for (int j = 0; j < FP_N - FP_ROWS; j++) b[n].v[j] = b[n].v[j + FP_ROWS];
  } while (++round < FP_N / FP_ROWS);
  return fp_reduce_once(t, uint(top));
}

#endif
