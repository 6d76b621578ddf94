/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Rows of bytes to elements (ops/vector/challenge.c). One thread per row.
 */
#include "kernel/kernel.glsl"

#include "arith/integer.glsl"
#include "vector/challenge_args.h"

RP_ARGS(rp_challenge_args)

void main() {
  const uint i = INDEX, part = 4 * FP_N;
  if (i >= k.n) return;
  const addr row = at(k.in, i, k.row_bytes);
  const fp power = fp_load(k.power);
  fp sum = fp_zero();
  for (uint q = (k.row_bytes + part - 1) / part; q-- > 0;) {
    fp integer = fp_zero();
    for (uint b = 0; b < part; b++) {
      const uint place = q * part + b;
      if (place >= k.row_bytes) break;
      const addr byte = at(row, RP_CHALLENGE_BYTE(place, k.row_bytes, k.big_endian), 1);
      integer.v[b / 4] |= uint(rp_u8(byte).v[0]) << 8 * (b % 4);
    }
    sum = fp_add(fp_mul(sum, power), fp_of_integer(integer));
  }
  fp_store(at(k.out, i, part), sum);
}
