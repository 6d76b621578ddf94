/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Tables of multiples of fixed bases, and scalar multiplication with them (ops/points/fixed_base.c).
 */
#include "kernel/kernel.glsl"

#include "points/fixed_base_args.h"

#ifdef ENTRY_fixed_base_table
#include "arith/affine.glsl"
RP_ARGS(rp_fixed_base_table_args)

shared acc window_base;

/* Workgroups: [point * windows + window][part of a row]. One thread does the doublings that all entries share. */
void main() {
  const uint row = (1u << k.window_bits) - 1, parts = (row + THREADS - 1) / THREADS;
  const uint window = GROUP / parts, m = GROUP % parts * THREADS + THREAD + 1;
  acc r = acc_zero(), base = acc_from_aff(aff_load(k.points, window / k.windows));
  const int doublings = THREAD == 0 ? int(window % k.windows * k.window_bits) : 0;
  for (int i = 0; i < doublings; i++) base = acc_dbl(base);
  if (THREAD == 0) window_base = base;
  barrier();
  base = window_base;
  /* Adding a point to itself doubles it. */
  for (int bit = int(k.window_bits) - 1; bit >= 0; bit--)
    for (int step = 0; step < 2; step++) {
      acc q = r;
      if (step == 1) q = base;
      if (step == 0 || (m >> bit & 1) != 0) r = acc_add(r, q);
    }
  const aff a = group_to_affine(r);
  if (m <= row) aff_store(k.table, window * row + m - 1, a);
}
#endif

#ifdef ENTRY_fixed_base_mul
#include "arith/curve.glsl"
#include "kernel/fault.glsl"
#include "arith/scalar.glsl"
RP_ARGS(rp_fixed_base_mul_args)

void main() {
  const uint i = INDEX, row = (1u << k.window_bits) - 1;
  if (i >= k.n) return;
  uint s[8];
  if (!scalar_load(s, k.scalars, i)) {
    acc_store(k.out, i, acc_zero()); /* the scalar counts as zero */
    rp_fault(k.error, RP_FAULT_SCALAR_RANGE, k.site, i);
    return;
  }
  acc r = acc_zero();
  for (uint w = 0; w < k.windows; w++) {
    const uint bit = w * k.window_bits, word = bit / 32;
    const uint above = bit % 32 != 0 && word < 7 ? s[word + 1] << (32 - bit % 32) : 0;
    const uint digit = (s[word] >> bit % 32 | above) & row;
    if (digit != 0) r = acc_add_aff(r, aff_load(k.table, (i % k.bases * k.windows + w) * row + digit - 1));
  }
  acc_store(k.out, i, r);
}
#endif
