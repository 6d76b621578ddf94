/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Montgomery products where there are 64-bit integers: over digits of 29 bits, whose products are added up in columns
 * of 64 bits without carries. Each takes one instruction (a multiply-add of 32 by 32 into 64 bits), where words of 32
 * bits need two or three more for their carries. The product and the reduction go row by row; carries are propagated
 * once, at the end. All rows together are fewer instructions than half of the rows of fp_mul_int32.glsl, and need no
 * loop. R stays 2^(32 N): the digits have FP_SHIFT more bits than that, and the first factor is taken times 2^FP_SHIFT.
 */
#define FP_DIGITS ((32 * FP_N + 28) / 29)
#define FP_SHIFT (29 * FP_DIGITS - 32 * FP_N)
#define FP_DIGIT_MASK 0x1fffffffu

struct digits {
  uint v[FP_DIGITS];
};

/* The 29 bits of x from `bit` on. `bit` is a constant; bits below 0 or beyond the last word are zero. */
#define FP_WORD(x, i) ((i) >= 0 && (i) < FP_N ? x.v[min(max(i, 0), FP_N - 1)] : 0)
#define FP_DIGIT(x, bit)                                                      \
  ((FP_WORD(x, (bit + 32) / 32 - 1) >> (bit + 32) % 32 |                      \
    ((bit + 32) % 32 > 3 ? FP_WORD(x, (bit + 32) / 32) << (-bit & 31) : 0)) & \
   FP_DIGIT_MASK)
digits fp_digits(fp x) {
  digits r;
  [[unroll]] for (int i = 0; i < FP_DIGITS; i++) r.v[i] = FP_DIGIT(x, (29 * i));
  return r;
}
digits fp_shifted_digits(fp x) {
  digits r;
  [[unroll]] for (int i = 0; i < FP_DIGITS; i++) r.v[i] = FP_DIGIT(x, (29 * i - FP_SHIFT));
  return r;
}

/* The words of r from digits; a word has bits of two digits, or of three. */
#define FP_WORDS_OF_DIGITS(r, d)                                           \
  [[unroll]] for (int w = 0; w < FP_N; w++) {                              \
    const int i = 32 * w / 29, s = 32 * w % 29;                            \
    r.v[w] = d.v[i] >> s | d.v[i + 1] << (29 - s);                         \
    if (s > 26) r.v[w] |= d.v[min(i + 2, FP_DIGITS - 1)] << (58 - s & 31); \
  }

/* The element below p of columns whose value is below 2p. */
struct columns {
  uint64_t v[FP_DIGITS];
};
fp fp_of_columns(columns t) {
  digits d;
  uint64_t c = 0;
  [[unroll]] for (int i = 0; i < FP_DIGITS; i++) {
    c += t.v[i];
    d.v[i] = uint(c) & FP_DIGIT_MASK;
    c >>= 29;
  }
  fp r;
  FP_WORDS_OF_DIGITS(r, d)
  return fp_reduce_once(r, d.v[FP_DIGITS - 1] >> (29 - FP_SHIFT));
}

/* Digit j of p; digits beyond the last are zero. */
#define FP_MODULUS_DIGIT(j) ((j) < FP_LIMBS29 ? FP_MODULUS_29[min(j, FP_LIMBS29 - 1)] : 0)

fp fp_mul(fp x, fp y) {
  const digits a = fp_shifted_digits(x), b = fp_digits(y);
  columns t;
  [[unroll]] for (int j = 0; j < FP_DIGITS; j++) t.v[j] = 0;
  [[unroll]] for (int row = 0; row < FP_DIGITS; row++) {
    const uint64_t low = uint64_t(a.v[0]) * b.v[row] + t.v[0];
    const uint m = uint(low) * FP_N0_29 & FP_DIGIT_MASK;
    const uint64_t carry = uint64_t(m) * FP_MODULUS_DIGIT(0) + low >> 29;
    [[unroll]] for (int j = 1; j < FP_DIGITS; j++) {
      t.v[j - 1] = uint64_t(a.v[j]) * b.v[row] + t.v[j];
      if (j < FP_LIMBS29) t.v[j - 1] = uint64_t(m) * FP_MODULUS_DIGIT(j) + t.v[j - 1];
    }
    t.v[0] += carry;
  }
  return fp_of_columns(t);
}

/* As fp_mul(x, x), with each product of two different digits once. The digits are those of x times 2^(FP_SHIFT / 2); if
 * FP_SHIFT is odd, the products are doubled. Row i has the products whose smaller index is i: no row before i needs
 * them. */
#if 2 * FP_DIGITS + FP_LIMBS29 > 60
#error "columns overflow"
#endif
fp fp_sqr(fp x) {
  digits a;
  [[unroll]] for (int i = 0; i < FP_DIGITS; i++) a.v[i] = FP_DIGIT(x, (29 * i - FP_SHIFT / 2));
  columns t;
  [[unroll]] for (int j = 0; j < FP_DIGITS; j++) t.v[j] = 0;
  [[unroll]] for (int row = 0; row < FP_DIGITS; row++) {
    const uint once = a.v[row] << FP_SHIFT % 2, twice = once << 1;
    t.v[row] += uint64_t(once) * a.v[row];
    [[unroll]] for (int j = 1; j < FP_DIGITS; j++)
      if (j > row) t.v[j] += uint64_t(twice) * a.v[j];
    const uint m = uint(t.v[0]) * FP_N0_29 & FP_DIGIT_MASK;
    const uint64_t carry = uint64_t(m) * FP_MODULUS_DIGIT(0) + t.v[0] >> 29;
    [[unroll]] for (int j = 1; j < FP_DIGITS; j++) {
      t.v[j - 1] = t.v[j];
      if (j < FP_LIMBS29) t.v[j - 1] = uint64_t(m) * FP_MODULUS_DIGIT(j) + t.v[j - 1];
    }
    t.v[FP_DIGITS - 1] = 0;
    t.v[0] += carry;
  }
  return fp_of_columns(t);
}

#if FP_SPARE
/* x y - z w, below p, with one reduction. Before its last step it is (x y + (p - z) w + m p) / R, m below R, which is
 * below 2p, since 2p is below R. */
#if 2 * FP_DIGITS + FP_LIMBS29 > 60
#error "columns overflow"
#endif
fp fp_sub_products(fp x, fp y, fp z, fp w) {
  const digits a = fp_shifted_digits(x), b = fp_digits(y), c = fp_shifted_digits(fp_sub(fp_zero(), z)),
               d = fp_digits(w);
  columns t;
  [[unroll]] for (int j = 0; j < FP_DIGITS; j++) t.v[j] = 0;
  [[unroll]] for (int row = 0; row < FP_DIGITS; row++) {
    const uint64_t low = uint64_t(a.v[0]) * b.v[row] + (uint64_t(c.v[0]) * d.v[row] + t.v[0]);
    const uint m = uint(low) * FP_N0_29 & FP_DIGIT_MASK;
    const uint64_t carry = uint64_t(m) * FP_MODULUS_DIGIT(0) + low >> 29;
    [[unroll]] for (int j = 1; j < FP_DIGITS; j++) {
      t.v[j - 1] = uint64_t(a.v[j]) * b.v[row] + (uint64_t(c.v[j]) * d.v[row] + t.v[j]);
      if (j < FP_LIMBS29) t.v[j - 1] = uint64_t(m) * FP_MODULUS_DIGIT(j) + t.v[j - 1];
    }
    t.v[0] += carry;
  }
  return fp_of_columns(t);
}
#endif

#ifdef DOT_N
/* x[0] y[0] + ... + x[DOT_N - 1] y[DOT_N - 1], below p. Before its last reduction the sum is below (DOT_N p / R + 1) p,
 * which must not be above 2p: at most five products for BN254's Fr. The condition below keeps the columns, which take
 * DOT_N products and one product of the reduction per row, below 2^64. */
#if (DOT_N + 1) * FP_LIMBS29 > 60
#error "columns overflow"
#endif
fp fp_dot(fp x[DOT_N], fp y[DOT_N]) {
  digits a[DOT_N], b[DOT_N];
  [[unroll]] for (int n = 0; n < DOT_N; n++) a[n] = fp_shifted_digits(x[n]), b[n] = fp_digits(y[n]);
  columns t;
  [[unroll]] for (int j = 0; j < FP_DIGITS; j++) t.v[j] = 0;
  [[dont_unroll]] for (uint row = 0; row < FP_DIGITS; row++) {
    [[unroll]] for (int n = 0; n < DOT_N; n++) {
      [[unroll]] for (int j = 0; j < FP_DIGITS; j++) t.v[j] += uint64_t(a[n].v[j]) * b[n].v[0];
      [[unroll]] for (int j = 0; j + 1 < FP_DIGITS; j++) b[n].v[j] = b[n].v[j + 1];
    }
    const uint m = uint(t.v[0]) * FP_N0_29 & FP_DIGIT_MASK;
    const uint64_t carry = uint64_t(m) * FP_MODULUS_DIGIT(0) + t.v[0] >> 29;
    [[unroll]] for (int j = 1; j < FP_DIGITS; j++) t.v[j - 1] = uint64_t(m) * FP_MODULUS_DIGIT(j) + t.v[j];
    t.v[FP_DIGITS - 1] = 0;
    t.v[0] += carry;
  }
  return fp_of_columns(t);
}
#endif
