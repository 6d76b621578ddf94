/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Conversion between 64-bit limbs in memory and 52-bit digits in registers. Contracts: ops/arith/simd8/fe8.h.
 *
 * From x R to x S = x R 2^k, the digits are cut k bits lower, which costs nothing, and the value, up to 2^k p, is
 * reduced. The way back adds the multiple of p that clears the lowest k bits: a Montgomery step of k bits.
 */
#ifndef REPRISE_OPS_CPU_FP8_MEMORY_H
#define REPRISE_OPS_CPU_FP8_MEMORY_H

#define FP8_K (52 * FP_LIMBS52 - 64 * FP_LIMBS)

/* Digits of limb 2^shift, where limb is the integer in memory. */
static inline void fp8_split(fp8 *r, const v8 limb[FP_LIMBS], int shift) {
  const v8 mask = v8_set1(FP8_MASK);
  RP_UNROLL for (int i = 0; i < FP8_N; i++) {
    const int bit = 52 * i - shift;
    const unsigned word = bit < 0 ? 0 : (unsigned)bit / 64, low = bit < 0 ? 0 : (unsigned)bit % 64;
    v8 x = bit < 0 ? v8_shl(limb[0], (unsigned)-bit) : v8_shr(limb[word], low);
    if (low > 12 && word + 1 < FP_LIMBS) x = v8_or(x, v8_shl(limb[word + 1], 64 - low));
    r->v[i] = v8_and(x, mask);
  }
}

/* Limbs of a / 2^shift. */
static inline void fp8_join(v8 limb[FP_LIMBS], const fp8 *a, int shift) {
  RP_UNROLL for (int w = 0; w < FP_LIMBS; w++) {
    const int bit = 64 * w + shift, i = bit / 52, low = bit % 52;
    v8 x = v8_or(v8_shr(a->v[i], (unsigned)low), v8_shl(a->v[i + 1], (unsigned)(52 - low)));
    if (104 - low < 64 && i + 2 < FP8_N) x = v8_or(x, v8_shl(a->v[i + 2], (unsigned)(104 - low)));
    limb[w] = x;
  }
}

/* Lane i of limb w is word w at at[i] + offset. */
static inline void fp8_read(v8 limb[FP_LIMBS], const void *const at[8], size_t offset) {
  const char *row[8];
  RP_UNROLL for (int i = 0; i < 8; i++) row[i] = (const char *)at[i] + offset;
  v8_load_rows4(limb, row);
#if FP_LIMBS == 6
  RP_UNROLL for (int i = 0; i < 8; i++) row[i] += 32;
  v8_load_rows2(limb + 4, row);
#endif
}

static inline void fp8_write(void *const at[8], size_t offset, const v8 limb[FP_LIMBS]) {
  char *row[8];
  RP_UNROLL for (int i = 0; i < 8; i++) row[i] = (char *)at[i] + offset;
  v8_store_rows4(row, limb);
#if FP_LIMBS == 6
  RP_UNROLL for (int i = 0; i < 8; i++) row[i] += 32;
  v8_store_rows2(row, limb + 4);
#endif
}

static inline void fp8_from_limbs(fp8 *r, const v8 limb[FP_LIMBS]) {
  fp8_split(r, limb, FP8_K);
  fp8_reduce_bits(r, FP8_K);
}

static inline void fp8_load_raw_rows(fp8 *r, const void *const at[8], size_t offset) {
  v8 limb[FP_LIMBS];
  fp8_read(limb, at, offset);
  fp8_split(r, limb, 0);
}

static inline void fp8_load_rows(fp8 *r, const void *const at[8], size_t offset) {
  v8 limb[FP_LIMBS];
  fp8_read(limb, at, offset);
  fp8_from_limbs(r, limb);
}

static inline void fp8_store_raw_rows(void *const at[8], size_t offset, const fp8 *a) {
  v8 limb[FP_LIMBS];
  fp8 t = *a;
  fp8_canonical(&t);
  fp8_join(limb, &t, 0);
  fp8_write(at, offset, limb);
}

static inline void fp8_store_raw_wide_rows(void *const at[8], size_t offset, const fp8 *a) {
  v8 limb[FP_LIMBS];
  fp8 t = *a;
  fp8_reduce_bits(&t, 2);
  fp8_sub_once(&t, fp8_modulus);
  fp8_join(limb, &t, 0);
  fp8_write(at, offset, limb);
}

static inline void fp8_store_rows(void *const at[8], size_t offset, const fp8 *a) {
  v8 limb[FP_LIMBS];
  fp8 t = *a;
  const v8 m = v8_and(v8_madlo(v8_set1(0), a->v[0], v8_set1(FP_N0_52)), v8_set1(((uint64_t)1 << FP8_K) - 1));
  RP_UNROLL for (int i = 0; i < FP8_N; i++) {
    t.v[i] = v8_madlo(t.v[i], m, v8_set1(fp8_modulus[i]));
    if (i < FP8_TOP) t.v[i + 1] = v8_madhi(t.v[i + 1], m, v8_set1(fp8_modulus[i]));
  }
  fp8_carry(&t);
  /* t is below (2p + 2^-14 p + (2^k - 1) p), less than 2p 2^k: 2^k p is subtracted before the shift if t is not below
   * it */
  uint64_t limit[FP8_N], low = 0;
  RP_UNROLL for (int i = 0; i < FP8_N; i++) {
    limit[i] = (fp8_modulus[i] << FP8_K & FP8_MASK) | low;
    low = fp8_modulus[i] >> (52 - FP8_K);
  }
  fp8_sub_once(&t, limit);
  fp8_join(limb, &t, FP8_K);
  fp8_write(at, offset, limb);
}

/* r = a / 2^k with k = FP8_K: the memory value of the element that a is the working value of. */
static inline void fp8_unscale(fp8 *r, const fp8 *a) {
  fp8 t = *a;
  const v8 mask = v8_set1(FP8_MASK);
  const v8 m = v8_and(v8_madlo(v8_set1(0), a->v[0], v8_set1(FP_N0_52)), v8_set1(((uint64_t)1 << FP8_K) - 1));
  RP_UNROLL for (int i = 0; i < FP8_N; i++) {
    t.v[i] = v8_madlo(t.v[i], m, v8_set1(fp8_modulus[i]));
    if (i < FP8_TOP) t.v[i + 1] = v8_madhi(t.v[i + 1], m, v8_set1(fp8_modulus[i]));
  }
  fp8_carry(&t);
  RP_UNROLL for (int i = 0; i < FP8_N; i++) {
    r->v[i] = v8_shr(t.v[i], FP8_K);
    if (i < FP8_TOP) r->v[i] = v8_or(r->v[i], v8_and(v8_shl(t.v[i + 1], 52 - FP8_K), mask));
  }
}

static inline void fp8_set1_raw(fp8 *r, const fp *a) {
  v8 limb[FP_LIMBS];
  RP_UNROLL for (int i = 0; i < FP_LIMBS; i++) limb[i] = v8_set1(a->v[i]);
  fp8_split(r, limb, 0);
}

static inline void fp8_set1(fp8 *r, const fp *a) {
  v8 limb[FP_LIMBS];
  RP_UNROLL for (int i = 0; i < FP_LIMBS; i++) limb[i] = v8_set1(a->v[i]);
  fp8_from_limbs(r, limb);
}

#endif
