/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Canonical integers to elements and back (ops/args/convert.h). An extension's elements are pairs of its base field's.
 */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "kernel.glsl"

#include "args/convert.h"
#include "fault.glsl"
#include "field.glsl"

#ifdef ENTRY_from_canonical
RP_ARGS(rp_from_canonical_args)

bool below_p(fp x) {
  uint64_t c = 0;
  [[unroll]] for (int i = 0; i < FP_N; i++) c = (uint64_t(x.v[i]) - uint64_t(FP_MODULUS_32[i]) - c) >> 63;
  return c != 0;
}

/* Any integer that fits the limbs. */
fp converted(fp x) {
#if FP_MONTGOMERY
  fp r2;
  [[unroll]] for (int i = 0; i < FP_N; i++) r2.v[i] = FP_R2_32[i];
  return fp_mul(r2, x); /* the second factor may be above p: (r2 x + m p) / R stays below 2p */
#else
  return fp_word(x) < GOLDILOCKS_P ? x : fp_of(fp_word(x) - GOLDILOCKS_P);
#endif
}
#else
RP_ARGS(rp_to_canonical_args)

fp converted(fp x) {
#if FP_MONTGOMERY
  fp one = fp_zero();
  one.v[0] = 1;
  return fp_mul(x, one);
#else
  return x;
#endif
}
#endif

void main() {
  const uint i = INDEX;
  if (i >= k.n) return;
  [[dont_unroll]] for (uint j = 0; j < FE_DEGREE; j++) {
    const uint64_t at = uint64_t(FE_BYTES) * i + 4 * FP_N * j;
    const fp x = fp_load(k.in + at);
#ifdef ENTRY_from_canonical
    if (k.reduce == 0 && !below_p(x)) rp_fault(k.error, RP_FAULT_NOT_CANONICAL, k.site, i);
#endif
    fp_store(k.out + at, converted(x));
  }
}
