/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Bucket matrix by counting sort: count the entries of each row, prefix sum, scatter. Of the rows that the scalars of a
 * workgroup hit, the lowest is shared: the scalars that hit it use one atomic together. In a witness of zeros and ones
 * it is the row of all ones, so that such a witness costs no more than others.
 */
#include "kernel/kernel.glsl"

#include "msm/bucket_matrix_gpu_args.h"
#include "kernel/fault.glsl"
#include "arith/limbs.glsl"

RP_ARGS_BY_ADDRESS(rp_gpu_digits_args)
#define k args.v

/* What msm/scalar_recode.h asks for. */
#define rp_word uint
#define RP_WORDS 8

uint words_add(inout uint r[9], uint a[8], uint b[8]) {
  uint c = 0;
  [[unroll]] for (int i = 0; i < 8; i++) ADD_CARRY(r[i], a[i], b[i], c)
  return c;
}

bool words_subtract(inout uint r[8], uint a[8], uint b[8]) {
  uint c = 0;
  [[unroll]] for (int i = 0; i < 8; i++) SUB_BORROW(r[i], a[i], b[i], c)
  return c != 0;
}

#include "msm/bucket_digit.h"

shared uint common_row, common_count, common_base;

/* Takes the next place from the counter of the thread's row and returns it; a thread whose row is RP_NO_ROW takes none.
 * All threads of the workgroup call together. */
uint take(uint row) {
  if (THREAD == 0) common_row = RP_NO_ROW, common_count = 0;
  barrier();
  if (row != RP_NO_ROW) atomicMin(common_row, row);
  barrier();
  const bool is_common = row != RP_NO_ROW && row == common_row;
  uint place = 0;
  if (is_common) place = atomicAdd(common_count, 1u);
  barrier();
  if (THREAD == 0 && common_count != 0)
    common_base = atomicAdd(rp_u32(at(k.counters, common_row, 4)).v[0], common_count);
  barrier();
  if (is_common)
    place += common_base;
  else if (row != RP_NO_ROW)
    place = atomicAdd(rp_u32(at(k.counters, row, 4)).v[0], 1u);
  barrier();
  return place;
}

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
