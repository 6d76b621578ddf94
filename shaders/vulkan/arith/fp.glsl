/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A prime field in Montgomery form over 32-bit limbs, R = 2^(32 FP_LIMBS32), compiled once per field: the include path
 * begins with the folder of its generated field_params.glsl. Every function takes values below p and returns one below
 * p, unless it says otherwise.
 */
#ifndef REPRISE_VULKAN_FP_GLSL
#define REPRISE_VULKAN_FP_GLSL

#include "arith/limbs.glsl"

#define FP_N FP_LIMBS32
#define FP_SPARE (FP_BITS < 32 * FP_N) /* 2p < R */

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

/* b if take, else a, without a branch. */
fp fp_select(bool take, fp a, fp b) {
  fp r;
  [[unroll]] for (int i = 0; i < FP_N; i++) r.v[i] = take ? b.v[i] : a.v[i];
  return r;
}

/* x + carry * 2^(32 N), which must be below 2p, reduced to below p. */
fp fp_reduce_once(fp x, uint carry) {
  fp t;
  uint c = 0;
  [[unroll]] for (int i = 0; i < FP_N; i++) SUB_BORROW(t.v[i], x.v[i], FP_MODULUS_32[i], c)
  return fp_select(c <= carry, x, t);
}

fp fp_add(fp a, fp b) {
  fp r;
  uint c = 0;
  [[unroll]] for (int i = 0; i < FP_N; i++) ADD_CARRY(r.v[i], a.v[i], b.v[i], c)
  return fp_reduce_once(r, c);
}

fp fp_sub(fp a, fp b) {
  fp r;
  uint c = 0;
  [[unroll]] for (int i = 0; i < FP_N; i++) SUB_BORROW(r.v[i], a.v[i], b.v[i], c)
  const uint mask = 0u - c;
  c = 0;
  [[unroll]] for (int i = 0; i < FP_N; i++) ADD_CARRY(r.v[i], r.v[i], FP_MODULUS_32[i] & mask, c)
  return r;
}

#if RP_INT64
#include "arith/fp_mul_int64.glsl"
#else
#include "arith/fp_mul_int32.glsl"
#endif

#endif
