/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A prime field in Montgomery form over 32-bit limbs, R = 2^(32 FP_LIMBS32), compiled once a field: the include path holds
 * its generated field_params.glsl first. Every function takes and gives values below p. GLSL has no carry flag: carries
 * are the high halves of 64-bit sums.
 */
#ifndef REPRISE_VULKAN_FP_GLSL
#define REPRISE_VULKAN_FP_GLSL

#define FP_N FP_LIMBS32
/* 1 if 2p fits in the limbs: one carry less everywhere. secp256k1's fields have no spare bit. */
#define FP_SPARE (FP_BITS < 32 * FP_LIMBS32)

struct fp {
  uint v[FP_N];
};

fp fp_zero() {
  fp r;
  [[unroll]] for (int i = 0; i < FP_N; i++) r.v[i] = 0;
  return r;
}

fp fp_one() {
  fp r;
  [[unroll]] for (int i = 0; i < FP_N; i++) r.v[i] = FP_ONE_32[i];
  return r;
}

bool fp_is_zero(fp a) {
  uint t = a.v[0];
  [[unroll]] for (int i = 1; i < FP_N; i++) t |= a.v[i];
  return t == 0;
}

bool fp_equal(fp a, fp b) {
  uint t = a.v[0] ^ b.v[0];
  [[unroll]] for (int i = 1; i < FP_N; i++) t |= a.v[i] ^ b.v[i];
  return t == 0;
}

/* b if take, else a; no branch. */
fp fp_select(bool take, fp a, fp b) {
  fp r;
  [[unroll]] for (int i = 0; i < FP_N; i++) r.v[i] = take ? b.v[i] : a.v[i];
  return r;
}

/* x + carry * 2^(32 N), below 2p, to below p. */
fp fp_reduce_once(fp x, uint carry) {
  fp t;
  uint64_t c = 0;
  [[unroll]] for (int i = 0; i < FP_N; i++) {
    c = uint64_t(x.v[i]) - uint64_t(FP_MODULUS_32[i]) - c;
    t.v[i] = uint(c);
    c = c >> 63;
  }
  return fp_select(uint(c) <= carry, x, t);
}

fp fp_add(fp a, fp b) {
  fp r;
  uint64_t c = 0;
  [[unroll]] for (int i = 0; i < FP_N; i++) {
    c = uint64_t(a.v[i]) + uint64_t(b.v[i]) + c;
    r.v[i] = uint(c);
    c = c >> 32;
  }
  return fp_reduce_once(r, uint(c));
}

fp fp_sub(fp a, fp b) {
  fp r;
  uint64_t c = 0;
  [[unroll]] for (int i = 0; i < FP_N; i++) {
    c = uint64_t(a.v[i]) - uint64_t(b.v[i]) - c;
    r.v[i] = uint(c);
    c = c >> 63;
  }
  const uint mask = 0u - uint(c);
  c = 0;
  [[unroll]] for (int i = 0; i < FP_N; i++) {
    c = uint64_t(r.v[i]) + uint64_t(FP_MODULUS_32[i] & mask) + c;
    r.v[i] = uint(c);
    c = c >> 32;
  }
  return r;
}

/* Product and reduction side by side, a row at a time; see Koc, Acar, Kaliski, "Analyzing and comparing Montgomery
 * multiplication algorithms" (1996), the finely integrated form. Half of the rows are a round of a loop, which keeps a point
 * addition to a size that every driver compiles; b moves down between them, so that no array is indexed by a variable.
 * (A round a row would be smaller still, but lavapipe ends a shader's loops after 65535 rounds in all.) */
#define FP_ROWS (FP_N < 4 ? FP_N : FP_N / 2)
fp fp_mul(fp a, fp b) {
  fp t = fp_zero();
  uint top = 0, round = 0;
  [[dont_unroll]] do {
    [[unroll]] for (int row = 0; row < FP_ROWS; row++) {
      const uint digit = b.v[row];
      uint64_t c = uint64_t(a.v[0]) * digit + t.v[0];
      const uint m = uint(c) * FP_N0_32;
      uint64_t d = uint64_t(m) * FP_MODULUS_32[0] + uint(c);
      [[unroll]] for (int j = 1; j < FP_N; j++) {
        c = uint64_t(a.v[j]) * digit + t.v[j] + (c >> 32);
        d = uint64_t(m) * FP_MODULUS_32[j] + uint(c) + (d >> 32);
        t.v[j - 1] = uint(d);
      }
      const uint64_t sum = (c >> 32) + (d >> 32) + top;
      t.v[FP_N - 1] = uint(sum);
      top = uint(sum >> 32);
    }
    [[unroll]] for (int j = 0; j < FP_N - FP_ROWS; j++) b.v[j] = b.v[j + FP_ROWS];
  } while (++round < FP_N / FP_ROWS);
  return fp_reduce_once(t, top);
}

#endif
