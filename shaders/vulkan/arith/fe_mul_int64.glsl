/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Products over a quadratic extension where there are 64-bit integers: Karatsuba on the columns of products of digits
 * (fp_mul_int64.glsl), and one reduction per coefficient. Columns are computed one after another, each with the digits
 * of both reductions that are known by then, so that few columns are held at once.
 */
#if !FP_SPARE || 2 * FP_DIGITS + FP_LIMBS29 > 60 || FP_DIGITS + FP_LIMBS29 > 30
#error "columns overflow"
#endif

/* The element below p of digits whose value is below 2p. */
fp fp_of_digits(digits d) {
  fp r;
  FP_WORDS_OF_DIGITS(r, d)
  return fp_reduce_once(r, d.v[FP_DIGITS - 1] >> (29 - FP_SHIFT));
}

/* Column k of p 2^(FP_BITS + FP_SHIFT). */
#define FP_BIAS_BIT (FP_BITS + FP_SHIFT)
#define FP_BIAS_INDEX(k) ((k)-FP_BIAS_BIT / 29)
#define FP_BIAS(k) \
  (FP_BIAS_INDEX(k) >= 0 ? uint64_t(FP_MODULUS_DIGIT(max(FP_BIAS_INDEX(k), 0))) << FP_BIAS_BIT % 29 : 0ul)

/* u^2 = -1: x.c0 y.c0 - x.c1 y.c1, and the sum of the mixed products as the product of sums minus both others. Sums of
 * digits are factors as they are, so that each column of the second coefficient is a sum of products again, below 2^64,
 * whatever overflows before it is complete. The first has p 2^FP_BITS added, which is above p^2: it is below 2p in the
 * end, since p + 2^FP_BITS is below R. */
fe fe_mul(fe x, fe y) {
  const digits a0 = fp_shifted_digits(x.c0), a1 = fp_shifted_digits(x.c1), b0 = fp_digits(y.c0), b1 = fp_digits(y.c1);
  digits a, b, m0, m1, r0, r1;
  [[unroll]] for (int i = 0; i < FP_DIGITS; i++) a.v[i] = a0.v[i] + a1.v[i], b.v[i] = b0.v[i] + b1.v[i];
  uint64_t c0 = 0, c1 = 0;
  [[unroll]] for (int k = 0; k < 2 * FP_DIGITS; k++) {
    uint64_t p0 = FP_BIAS(k), p1 = 0;
    [[unroll]] for (int i = 0; i < FP_DIGITS; i++) {
      if (i <= k && k - i < FP_DIGITS) {
        p0 += uint64_t(a0.v[i]) * b0.v[k - i];
        p1 += uint64_t(a1.v[i]) * b1.v[k - i];
        c1 += uint64_t(a.v[i]) * b.v[k - i];
      }
    }
    c0 += p0 - p1;
    c1 += FP_BIAS(k) - p0 - p1;
    [[unroll]] for (int i = 0; i < FP_DIGITS; i++) {
      if (i < k && k - i < FP_LIMBS29) {
        c0 += uint64_t(m0.v[i]) * FP_MODULUS_29[k - i];
        c1 += uint64_t(m1.v[i]) * FP_MODULUS_29[k - i];
      }
    }
    if (k < FP_DIGITS) {
      m0.v[k] = uint(c0) * FP_N0_29 & FP_DIGIT_MASK;
      m1.v[k] = uint(c1) * FP_N0_29 & FP_DIGIT_MASK;
      c0 += uint64_t(m0.v[k]) * FP_MODULUS_29[0];
      c1 += uint64_t(m1.v[k]) * FP_MODULUS_29[0];
    } else {
      r0.v[k - FP_DIGITS] = uint(c0) & FP_DIGIT_MASK;
      r1.v[k - FP_DIGITS] = uint(c1) & FP_DIGIT_MASK;
    }
    c0 = uint64_t(int64_t(c0) >> 29); /* differences may be negative */
    c1 >>= 29;
  }
  return fe(fp_of_digits(r0), fp_of_digits(r1));
}
