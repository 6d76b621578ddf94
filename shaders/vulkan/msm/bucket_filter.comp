/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Counts, or writes, the entries of a bucket matrix whose points are in the bitmap `support`, row by row. Threads take
 * equal shares of the entries, so that a full row costs no more than others.
 */
#include "kernel/kernel.glsl"

#include "msm/bucket_filter_gpu_args.h"
#include "kernel/rows.h"

RP_ARGS(rp_gpu_filter_args)

uint entry_at(uint i) { return load_u32(k.entries, i); }

bool is_kept(uint entry) {
  const uint point = (entry >> 1) % k.n;
  return (load_u32(k.support, point / 32) >> point % 32 & 1) != 0;
}

void main() {
  const uint entries = load_u32(k.row_ptr, k.rows), cut = entries / (n_groups * THREADS) + 1;
  if (INDEX >= (entries + cut - 1) / cut) return;
  const uint first = INDEX * cut, end = first + min(cut, entries - first);
  uint row = row_of(k.row_ptr, k.rows, first);
  for (uint i = first; i < end;) {
    const uint stop = min(load_u32(k.row_ptr, row + 1), end);
    uint kept = 0;
    for (uint j = i; j < stop; j++)
      if (is_kept(entry_at(j))) kept++;
    if (kept != 0) {
      uint base = atomicAdd(rp_u32(at(k.counters, row, 4)).v[0], kept);
#ifdef ENTRY_filter_write
      for (uint j = i; j < stop; j++)
        if (is_kept(entry_at(j))) store_u32(k.out_entries, base++, entry_at(j));
#endif
    }
    i = stop;
    if (i < end) row = row_after(k.row_ptr, k.rows, row, i);
  }
}
