/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Bucket matrix by counting sort: count the entries of each row, prefix sum, scatter. Of the rows that the scalars of a
 * workgroup hit, the lowest is shared: the scalars that hit it use one atomic together. In a witness of zeros and ones
 * it is the row of all ones, so that such a witness costs no more than others.
 */
#include "kernel/kernel.glsl"

#include "msm/bucket_matrix_gpu_args.h"

RP_ARGS_BY_ADDRESS(rp_gpu_digits_args)
#define k args.v

#include "msm/recode_words.glsl"
#include "msm/bucket_digit.h"

void main() {
  const uint i = INDEX;
  uint s[9];
#ifdef ENTRY_bucket_count
  const bool reports = true;
#else
  const bool reports = false;
#endif
  const bool negated = rp_bucket_scalar(s, i, reports);
  for (uint w = 0; w < k.windows; w++) {
    const rp_bucket_digit d = rp_bucket_digit_of(s, negated, i, w);
    const uint place = take(d.row);
#ifdef ENTRY_bucket_scatter
    if (d.row != RP_NO_ROW) store_u32(k.entries, place, d.entry);
#endif
  }
}
