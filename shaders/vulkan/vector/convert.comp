/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Canonical integers to elements and back (ops/vector/convert.c). An extension's elements are pairs of its base
 * field's.
 */
#include "kernel/kernel.glsl"

#include "vector/convert_args.h"
#include "kernel/fault.glsl"
#include "arith/integer.glsl"

#ifdef ENTRY_from_canonical
RP_ARGS(rp_from_canonical_args)

fp converted(fp x) { return fp_of_integer(x); }
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
    const uint number = FE_DEGREE * i + j;
    const fp x = fp_load(at(k.in, number, 4 * FP_N));
#ifdef ENTRY_from_canonical
    if (k.reduce == 0 && !below_p(x)) rp_fault(k.error, RP_FAULT_NOT_CANONICAL, k.site, i);
#endif
    fp_store(at(k.out, number, 4 * FP_N), converted(x));
  }
}
