/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Montgomery products over 32-bit words: product and reduction side by side, one row at a time; see Koc, Acar, Kaliski,
 * "Analyzing and comparing Montgomery multiplication algorithms" (1996), the finely integrated form. A loop does half
 * of the rows per iteration, which keeps a point addition to a size that every driver compiles; b moves down between
 * the iterations, so that no array is indexed by a variable. (One row per iteration would be smaller still, but
 * lavapipe ends the loops of a shader after 65535 iterations in all.)
 */
#define FP_ROWS (FP_N < 4 ? FP_N : FP_N / 2)
fp fp_mul(fp a, fp b) {
  fp t = fp_zero();
  uint top = 0, round = 0;
  [[dont_unroll]] do {
    [[unroll]] for (int row = 0; row < FP_ROWS; row++) {
      uint c = 0, d = 0, word;
      PRODUCT_CARRY(word, a.v[0], b.v[row], t.v[0], c)
      const uint m = word * FP_N0_32;
      PRODUCT_CARRY(word, m, FP_MODULUS_32[0], word, d)
      [[unroll]] for (int j = 1; j < FP_N; j++) {
        PRODUCT_CARRY(word, a.v[j], b.v[row], t.v[j], c)
        PRODUCT_CARRY(t.v[j - 1], m, FP_MODULUS_32[j], word, d)
      }
      ADD_CARRY(t.v[FP_N - 1], c, d, top)
    }
    [[unroll]] for (int j = 0; j < FP_N - FP_ROWS; j++) b.v[j] = b.v[j + FP_ROWS];
  } while (++round < FP_N / FP_ROWS);
  return fp_reduce_once(t, top);
}

/* A number below p R, R = 2^(32 FP_N). */
struct fp_wide {
  uint v[2 * FP_N];
};

/* x / R modulo p, below p: the rows of a reduction alone. */
fp fp_reduce_wide(fp_wide x) {
  uint top = 0, round = 0;
  [[dont_unroll]] do {
    [[unroll]] for (int row = 0; row < FP_ROWS; row++) {
      const uint m = x.v[row] * FP_N0_32;
      uint d = 0;
      [[unroll]] for (int j = 0; j < FP_N; j++) PRODUCT_CARRY(x.v[row + j], m, FP_MODULUS_32[j], x.v[row + j], d)
      ADD_CARRY(x.v[row + FP_N], x.v[row + FP_N], d, top)
    }
    [[unroll]] for (int j = 0; j < 2 * FP_N - FP_ROWS; j++) x.v[j] = x.v[j + FP_ROWS];
  } while (++round < FP_N / FP_ROWS);
  fp r;
  [[unroll]] for (int j = 0; j < FP_N; j++) r.v[j] = x.v[j];
  return fp_reduce_once(r, top);
}

/* Each product of two different words once; these are doubled, and the squares of words added. */
fp fp_sqr(fp a) {
  fp_wide x;
  [[unroll]] for (int j = 0; j < 2 * FP_N; j++) x.v[j] = 0;
  [[unroll]] for (int i = 0; i + 1 < FP_N; i++) {
    uint c = 0;
    [[unroll]] for (int j = 1; j < FP_N; j++)
      if (j > i) PRODUCT_CARRY(x.v[i + j], a.v[i], a.v[j], x.v[i + j], c)
    x.v[i + FP_N] = c;
  }
  [[unroll]] for (int k = 2 * FP_N - 1; k > 0; k--) x.v[k] = x.v[k] << 1 | x.v[k - 1] >> 31;
  uint c = 0;
  [[unroll]] for (int i = 0; i < FP_N; i++) {
    uint d = c;
    PRODUCT_CARRY(x.v[2 * i], a.v[i], a.v[i], x.v[2 * i], d)
    c = 0;
    ADD_CARRY(x.v[2 * i + 1], x.v[2 * i + 1], d, c)
  }
  return fp_reduce_wide(x);
}

#if FP_SPARE
/* a b - c d, below p, with one reduction: (a b + (p - c) d + m p) / R for an m below R, which is below 2p, since 2p is
 * below R. */
fp fp_sub_products(fp a, fp b, fp c, fp d) {
  const fp minus = fp_sub(fp_zero(), c);
  fp t = fp_zero();
  uint top = 0, round = 0;
  [[dont_unroll]] do {
    [[unroll]] for (int row = 0; row < FP_ROWS; row++) {
      uint ab = 0, cd = 0, mp = 0, next = 0, word;
      PRODUCT_CARRY(word, a.v[0], b.v[row], t.v[0], ab)
      PRODUCT_CARRY(word, minus.v[0], d.v[row], word, cd)
      const uint m = word * FP_N0_32;
      PRODUCT_CARRY(word, m, FP_MODULUS_32[0], word, mp)
      [[unroll]] for (int j = 1; j < FP_N; j++) {
        PRODUCT_CARRY(word, a.v[j], b.v[row], t.v[j], ab)
        PRODUCT_CARRY(word, minus.v[j], d.v[row], word, cd)
        PRODUCT_CARRY(t.v[j - 1], m, FP_MODULUS_32[j], word, mp)
      }
      ADD_CARRY(word, top, ab, next)
      top = next, next = 0;
      ADD_CARRY(t.v[FP_N - 1], word, cd, next)
      top += next, next = 0;
      ADD_CARRY(t.v[FP_N - 1], t.v[FP_N - 1], mp, next)
      top += next;
    }
    [[unroll]] for (int j = 0; j < FP_N - FP_ROWS; j++) b.v[j] = b.v[j + FP_ROWS], d.v[j] = d.v[j + FP_ROWS];
  } while (++round < FP_N / FP_ROWS);
  return fp_reduce_once(t, top);
}
#endif

#ifdef DOT_N
/* a[0] b[0] + ... + a[DOT_N - 1] b[DOT_N - 1], below p. Before its last reduction the sum is below (DOT_N p / R + 1) p,
 * which must not be above 2p: at most five products for BN254's Fr. */
fp fp_dot(fp a[DOT_N], fp b[DOT_N]) {
  fp t = fp_zero();
  uint top = 0, round = 0;
  [[dont_unroll]] do {
    [[unroll]] for (int row = 0; row < FP_ROWS; row++) {
      uint next = 0; /* the word above top: sums of DOT_N products need two more words than an element */
      [[unroll]] for (int n = 0; n < DOT_N; n++) {
        uint c = 0, over = 0;
        [[unroll]] for (int j = 0; j < FP_N; j++) PRODUCT_CARRY(t.v[j], a[n].v[j], b[n].v[row], t.v[j], c)
        ADD_CARRY(top, top, c, over)
        next += over;
      }
      const uint m = t.v[0] * FP_N0_32;
      uint d = 0, over = 0, word;
      PRODUCT_CARRY(word, m, FP_MODULUS_32[0], t.v[0], d)
      [[unroll]] for (int j = 1; j < FP_N; j++) PRODUCT_CARRY(t.v[j - 1], m, FP_MODULUS_32[j], t.v[j], d)
      ADD_CARRY(t.v[FP_N - 1], top, d, over)
      top = next + over;
    }
    [[unroll]] for (int n = 0; n < DOT_N; n++)
      [[unroll]] for (int j = 0; j < FP_N - FP_ROWS; j++) b[n].v[j] = b[n].v[j + FP_ROWS];
  } while (++round < FP_N / FP_ROWS);
  return fp_reduce_once(t, top);
}
#endif
