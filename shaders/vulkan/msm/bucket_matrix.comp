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

#define NONE 0xffffffffu

/* a := a / 2^(32 scalar_words) mod order, which takes a field element in Montgomery form to its canonical integer. */
void reduce(inout uint a[8]) {
  for (uint round = 0; round < k.scalar_words; round++) {
    const uint m = a[0] * k.order_inverse;
    uint c = 0, zero;
    PRODUCT_CARRY(zero, m, k.order[0], a[0], c)
    [[unroll]] for (int i = 1; i < 8; i++) PRODUCT_CARRY(a[i - 1], m, k.order[i], a[i], c)
    /* Above scalar_words, a short scalar and its order are zero. */
    a[7] = c;
    [[unroll]] for (int i = 0; i < 8; i++) a[i] = i < k.scalar_words ? a[i] : 0;
  }
}

/* r = a - b modulo 2^256. Returns whether a < b. */
bool subtract(inout uint r[8], uint a[8], uint b[8]) {
  uint c = 0;
  [[unroll]] for (int i = 0; i < 8; i++) SUB_BORROW(r[i], a[i], b[i], c)
  return c != 0;
}

/* s gets the smaller of scalar i and its negative modulo the order, plus the bias that makes digits signed. Returns
 * whether it is the negative. A scalar that is not below the order counts as zero, and is a fault with `report`. */
bool recode(inout uint s[9], uint i, bool report) {
  uint a[8], order[8], negated[8], unused[8], any = 0;
  [[unroll]] for (int j = 0; j < 8; j++) order[j] = k.order[j];
  [[unroll]] for (int j = 0; j < 8; j++)
    a[j] = j < k.scalar_words ? load_u32(at(k.scalars, i, 4 * k.scalar_words), j) : 0;
  if (k.montgomery != 0) reduce(a);
  const bool above = subtract(negated, order, a);
  [[unroll]] for (int j = 0; j < 8; j++) any |= negated[j];
  if (above || any == 0) {
    if (report) rp_fault(k.error, RP_FAULT_SCALAR_RANGE, k.site, i);
    [[unroll]] for (int j = 0; j < 8; j++) a[j] = 0, negated[j] = order[j];
  }
  const bool negative = subtract(unused, negated, a);
  uint c = 0;
  [[unroll]] for (int j = 0; j < 8; j++) ADD_CARRY(s[j], (negative ? negated[j] : a[j]), k.bias[j], c)
  s[8] = c;
  return negative;
}

uint word_of(uint s[9], uint j) {
  uint r = 0;
  [[unroll]] for (int i = 0; i < 9; i++) r = i == j ? s[i] : r;
  return r;
}

shared uint common_row, common_count, common_base;

/* Takes the next place from the counter of the thread's row and returns it; a thread whose row is NONE takes none. All
 * threads of the workgroup call together. */
uint take(uint row) {
  if (THREAD == 0) common_row = NONE, common_count = 0;
  barrier();
  if (row != NONE) atomicMin(common_row, row);
  barrier();
  const bool is_common = row != NONE && row == common_row;
  uint place = 0;
  if (is_common) place = atomicAdd(common_count, 1u);
  barrier();
  if (THREAD == 0 && common_count != 0)
    common_base = atomicAdd(rp_u32(at(k.counters, common_row, 4)).v[0], common_count);
  barrier();
  if (is_common)
    place += common_base;
  else if (row != NONE)
    place = atomicAdd(rp_u32(at(k.counters, row, 4)).v[0], 1u);
  barrier();
  return place;
}

void main() {
  const uint i = INDEX, c = k.window_bits, middle = 1u << (c - 1), mask = 2 * middle - 1;
  const bool live = i < k.n;
  uint s[9];
#ifdef ENTRY_bucket_count
  const bool reports = true;
#else
  const bool reports = false;
#endif
  bool negative = false;
  if (live) negative = recode(s, i, reports);
  for (uint w = 0; w < k.windows; w++) {
    uint magnitude = 0;
    bool sign = false;
    if (live) {
      const uint bit = w * c, word = bit / 32;
      const uint above = bit % 32 != 0 ? word_of(s, word + 1) << (32 - bit % 32) : 0;
      const uint digit = (word_of(s, word) >> bit % 32 | above) & mask;
      const bool top = w + 1 == k.windows;
      sign = !top && digit < middle;
      magnitude = top ? digit : sign ? middle - digit : digit - middle;
    }
    const uint set = w / k.merged, row = magnitude != 0 ? set * k.buckets + magnitude - 1 : NONE, place = take(row);
#ifdef ENTRY_bucket_scatter
    if (row != NONE) store_u32(k.entries, place, ((w - set * k.merged) * k.n + i) << 1 | (sign != negative ? 1u : 0u));
#endif
  }
}
