/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Tables of a base's multiples, and products by them (ops/args/points.h).
 */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "kernel.glsl"

#include "args/points.h"

#ifdef ENTRY_fixed_base_table
#include "affine.glsl"
RP_ARGS(rp_fixed_base_table_args)

/* Workgroups: [point * windows + window][part of a row]. */
void main() {
  const uint row = (1u << k.window_bits) - 1, parts = (row + THREADS - 1) / THREADS;
  const uint window = GROUP / parts, m = GROUP % parts * THREADS + THREAD + 1;
  const aff base = aff_load(k.points, window / k.windows);
  const int doublings = int(window % k.windows * k.window_bits);
  acc r = acc_zero();
  for (int bit = int(k.window_bits) - 1; bit >= -doublings; bit--) {
    r = acc_dbl(r);
    if (bit >= 0 && (m >> bit & 1) != 0) r = acc_add_aff(r, base);
  }
  const aff a = group_to_affine(r);
  if (m <= row) aff_store(k.table, window * row + m - 1, a);
}
#endif

#ifdef ENTRY_fixed_base_mul
#include "curve.glsl"
#include "fault.glsl"
#include "scalar.glsl"
RP_ARGS(rp_fixed_base_mul_args)

void main() {
  const uint i = INDEX, row = (1u << k.window_bits) - 1;
  if (i >= k.n) return;
  uint s[8];
  if (!scalar_load(s, k.scalars, i)) {
    rp_fault(k.error, RP_FAULT_SCALAR_RANGE, k.site, i);
    return;
  }
  acc r = acc_zero();
  for (uint w = 0; w < k.windows; w++) {
    const uint bit = w * k.window_bits, word = bit / 32;
    const uint digit = uint(packUint2x32(uvec2(s[word], word < 7 ? s[word + 1] : 0)) >> bit % 32) & row;
    if (digit != 0) r = acc_add_aff(r, aff_load(k.table, (i % k.bases * k.windows + w) * row + digit - 1));
  }
  acc_store(k.out, i, r);
}
#endif
