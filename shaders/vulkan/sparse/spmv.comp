/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Sparse matrix times vector (ops/sparse/spmv.c, spmv_gpu.c). Indices are checked where they are used. An x
 * in canonical form takes no other code: the result is defined as the Montgomery product of a stored value and x
 * (reprise/ops.h).
 */
#include "kernel/kernel.glsl"

#include "sparse/spmv_gpu_args.h"
#include "sparse/spmv_args.h"
#include "kernel/fault.glsl"
#include "arith/field.glsl"
#include "kernel/rows.h"

#if defined(ENTRY_spmv_rows) || defined(ENTRY_spmv_vector)
RP_ARGS(rp_spmv_args)
#else
RP_ARGS(rp_gpu_spmv_args)
#endif

/* A zero, frequent in witnesses, needs no product. */
fe add_product(fe sum, uint i) {
  const uint c = load_u32(k.col, i);
  if (c >= k.cols) {
    rp_fault(k.error, RP_FAULT_INDEX, k.site, i);
    return sum;
  }
  const fe x = fe_load(k.x, c);
  if (fe_is_zero(x)) return sum;
  return fe_add(sum, fe_mul(fe_load(k.val, i), x));
}

/* The first entry of a row, and the entry after its last. If row_ptr is damaged there, the range is empty, and it is a
 * fault if `reports`. */
uvec2 range_of(uint row, bool reports) {
  uvec2 r = uvec2(load_u32(k.row_ptr, row), load_u32(k.row_ptr, row + 1));
  if (r.x > r.y || r.y > k.nnz || (row == 0 && r.x != 0)) {
    if (reports) rp_fault(k.error, RP_FAULT_INDEX, k.site, row);
    r.y = r.x;
  }
  return r;
}

#ifdef ENTRY_spmv_rows
void main() {
  const uint row = INDEX;
  if (row >= k.rows) return;
  const uvec2 range = range_of(row, true);
  fe sum = fe_zero();
  for (uint i = range.x; i < range.y; i++) sum = add_product(sum, i);
  fe_store(k.y, row, sum);
}
#endif

#ifdef ENTRY_spmv_vector
/* 32 threads per row, whatever the size of a subgroup: each takes every 32nd entry, and their sums are added in a
 * tree. */
shared fe sums[gl_WorkGroupSize.x];

void main() {
  const uint row = INDEX / 32, lane = THREAD % 32;
  fe sum = fe_zero();
  if (row < k.rows) {
    const uvec2 range = range_of(row, lane == 0);
    for (uint i = range.x + lane; i < range.y; i += 32) sum = add_product(sum, i);
  }
  for (uint d = 16; d != 0; d /= 2) {
    sums[THREAD] = sum;
    barrier();
    if (lane < d) sum = fe_add(sum, sums[THREAD + d]);
    barrier();
  }
  if (row < k.rows && lane == 0) fe_store(k.y, row, sum);
}
#endif

#if defined(ENTRY_spmv_balanced) || defined(ENTRY_spmv_join) || defined(ENTRY_spmv_heavy)
uint entries() { return min(load_u32(k.row_ptr, k.rows), k.nnz); }
#endif

#ifdef ENTRY_spmv_clear
/* Zeroes rows without entries, which no chunk meets, checks row_ptr, and empties the list of heavy rows. */
void main() {
  const uint row = INDEX;
  if (row == 0) store_u32(k.heavy, 0, 0);
  if (row >= k.rows) return;
  const uvec2 range = range_of(row, true);
  if (range.x >= range.y) fe_store(k.y, row, fe_zero());
}
#endif

#ifdef ENTRY_spmv_balanced
void main() {
  const uint item = INDEX, n = entries();
  if (item >= (n + k.chunk - 1) / k.chunk) return;
  uint i = item * k.chunk, row = row_of(k.row_ptr, k.rows, i), end = load_u32(k.row_ptr, row + 1);
  const uint last = i + min(k.chunk, n - i);
  bool began_before = load_u32(k.row_ptr, row) < i;
  fe sum = fe_zero();
  while (i < last) {
    sum = add_product(sum, i++);
    if (i != end && i != last) continue;
    if (began_before || i != end)
      fe_store(k.partial, 2 * item + (began_before ? 0 : 1), sum);
    else
      fe_store(k.y, row, sum);
    if (i == last) return;
    row = row_after(k.row_ptr, k.rows, row, i);
    end = load_u32(k.row_ptr, row + 1);
    began_before = false;
    sum = fe_zero();
  }
}
#endif

#if defined(ENTRY_spmv_join) || defined(ENTRY_spmv_heavy)
/* The row that begins in this chunk and continues after it: `row` gets it, and the number of its further chunks is
 * returned. 0 if there is no such row. */
uint cut_row(uint item, inout uint row) {
  const uint n = entries();
  row = 0;
  if (item >= (n + k.chunk - 1) / k.chunk) return 0;
  const uint first = item * k.chunk;
  if (n - first <= k.chunk) return 0;
  const uint last = first + k.chunk;
  row = row_of(k.row_ptr, k.rows, last - 1);
  const uint begin = load_u32(k.row_ptr, row), end = load_u32(k.row_ptr, row + 1);
  return begin < first || end <= last || end > n ? 0 : (end - 1) / k.chunk - item;
}
#endif

#if defined(ENTRY_spmv_join) || defined(ENTRY_spmv_heavy)
/* How many heavy rows the list holds. A damaged matrix may have more. */
uint most_heavy() { return (k.nnz / k.chunk + (k.nnz % k.chunk != 0 ? 1 : 0)) / RP_GPU_SPMV_HEAVY; }
#endif

#ifdef ENTRY_spmv_join
void main() {
  const uint item = INDEX;
  uint row;
  const uint further = cut_row(item, row);
  if (further == 0) return;
  if (further > RP_GPU_SPMV_HEAVY) {
    const uint at = atomicAdd(rp_u32(k.heavy).v[0], 1u);
    if (at < most_heavy()) store_u32(k.heavy, 1 + at, item);
    return;
  }
  fe sum = fe_load(k.partial, 2 * item + 1);
  for (uint c = item + 1; c <= item + further; c++) sum = fe_add(sum, fe_load(k.partial, 2 * c));
  fe_store(k.y, row, sum);
}
#endif

#ifdef ENTRY_spmv_heavy
/* Workgroups take heavy rows in turn. */
shared fe sums[gl_WorkGroupSize.x];

void main() {
  const uint heavy = min(load_u32(k.heavy, 0), most_heavy());
  for (uint h = GROUP; h < heavy; h += n_groups) {
    const uint item = load_u32(k.heavy, 1 + h);
    uint row;
    const uint further = cut_row(item, row);
    fe sum = THREAD != 0 ? fe_zero() : fe_load(k.partial, 2 * item + 1);
    for (uint c = THREAD; c < further; c += THREADS) sum = fe_add(sum, fe_load(k.partial, 2 * (item + 1 + c)));
    sums[THREAD] = sum;
    barrier();
    for (uint d = THREADS / 2; d != 0; d /= 2) {
      if (THREAD < d) sums[THREAD] = fe_add(sums[THREAD], sums[THREAD + d]);
      barrier();
    }
    if (THREAD == 0) fe_store(k.y, row, sums[0]);
    barrier();
  }
}
#endif
