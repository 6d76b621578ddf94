/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Bucket matrix of digits in the ring of Eisenstein integers by counting sort, as in bucket_matrix.comp.
 */
#include "kernel/kernel.glsl"

#include "msm/eisenstein_matrix_args.h"

RP_ARGS_BY_ADDRESS(rp_eisenstein_args)
#define k args.v

#include "msm/recode_words.glsl"
#include "msm/eisenstein_digit.h"

void main() {
  const uint i = INDEX;
  uint s[8], x[5], y[5], carry_x[1], carry_y[1];
  carry_x[0] = carry_y[0] = 0;
#ifdef ENTRY_eisenstein_count
  const bool reports = true;
#else
  const bool reports = false;
#endif
  rp_eisenstein_scalar(s, i, reports);
  rp_eisenstein_split(x, y, s);
  for (uint w = 0; w < k.windows; w++) {
    const rp_eisenstein_digit d = rp_eisenstein_take(x, y, carry_x, carry_y, i, w);
    const uint place = take(d.row);
#ifdef ENTRY_eisenstein_scatter
    if (d.row != RP_NO_ROW) store_u32(k.entries, place, d.entry);
#endif
  }
}
