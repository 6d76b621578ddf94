/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Conversions of sparse matrices (ops/sparse/csr.c, csr_gpu.c). Indices are checked where they are used: a
 * damaged matrix leads to a fault, never to an access outside the arrays.
 */
#include "kernel/kernel.glsl"

#include "sparse/csr_args.h"
#include "sparse/csr_gpu_args.h"
#include "kernel/fault.glsl"
#include "kernel/rows.h"

#define NONE 0xffffffffu

#if defined(ENTRY_ell_compact) || defined(ENTRY_transpose_entries)
#ifdef ENTRY_ell_compact
RP_ARGS(rp_ell_args)
#else
RP_ARGS(rp_gpu_transpose_entries_args)
#endif

/* out_val[to] = val[from] for every thread of the workgroup. If `from` is NONE, the value becomes zero; if `to` is
 * NONE, it is left out. Values are moved as words, so that neighbouring threads move neighbouring bytes. All threads
 * call together. */
shared uint froms[gl_WorkGroupSize.x], tos[gl_WorkGroupSize.x];
void move_values(uint from, uint to) {
  froms[THREAD] = from;
  tos[THREAD] = to;
  barrier();
  const uint bits = low_word(k.out_val) | low_word(k.val) | k.size_bytes;
  const uint unit = (bits & 15) == 0 ? 16 : (bits & 7) == 0 ? 8 : (bits & 3) == 0 ? 4 : 1, words = k.size_bytes / unit;
  for (uint t = THREAD; t < THREADS * words; t += THREADS) {
    const uint i = t / words, w = t - i * words, source = froms[i];
    if (tos[i] == NONE) continue;
    const addr dst = at(at(k.out_val, tos[i], k.size_bytes), w, unit);
    const addr src = at(at(k.val, source, k.size_bytes), w, unit);
    if (unit == 16)
      rp_u128(dst).v[0] = source != NONE ? rp_u128(src).v[0] : uvec4(0);
    else if (unit == 8)
      rp_u64(dst).v[0] = source != NONE ? rp_u64(src).v[0] : uvec2(0);
    else if (unit == 4)
      rp_u32(dst).v[0] = source != NONE ? rp_u32(src).v[0] : 0;
    else
      rp_u8(dst).v[0] = source != NONE ? rp_u8(src).v[0] : uint8_t(0);
  }
  barrier();
}
#endif

#ifdef ENTRY_ell_lengths
RP_ARGS(rp_gpu_ell_lengths_args)
void main() {
  const uint r = INDEX;
  if (r >= k.rows) return;
  const uint len = load_u32(k.row_len, r);
  if (len > k.width) rp_fault(k.error, RP_FAULT_INDEX, k.site, r);
  store_u32(k.lengths, r, min(len, k.width));
}
#endif

#ifdef ENTRY_ell_compact
/* One thread per place of the ELLPACK arrays. Those after the end of the last row are cleared in the second pass. */
void main() {
  const uint slot = INDEX, total = load_u32(k.row_ptr, k.rows);
  const bool valid = slot < k.capacity, behind = valid && slot >= total;
  uint at = NONE;
  if (valid) {
    const uint row = slot / k.width, first = load_u32(k.row_ptr, row), j = slot - row * k.width;
    if (j < load_u32(k.row_ptr, row + 1) - first) {
      const uint col = load_u32(k.col, slot);
      at = first + j;
      if (col >= k.cols) rp_fault(k.error, RP_FAULT_INDEX, k.site, slot);
      store_u32(k.out_col, at, col);
    }
  }
  if (behind) store_u32(k.out_col, slot, NONE);
  if (k.size_bytes == 0) return;
  [[dont_unroll]] for (uint pass = 0; pass < 2; pass++)
    move_values(pass == 0 ? slot : NONE, pass == 0 ? at : behind ? slot : NONE);
}
#endif

#ifdef ENTRY_transpose_keys
RP_ARGS(rp_gpu_transpose_keys_args)
void main() {
  const uint i = INDEX, used = min(load_u32(k.row_ptr, k.rows), k.nnz);
  if (i < k.rows) {
    const uint begin = load_u32(k.row_ptr, i), next = load_u32(k.row_ptr, i + 1);
    if (begin > next || next > k.nnz || (i == 0 && begin != 0)) rp_fault(k.error, RP_FAULT_INDEX, k.site, i);
  }
  if (i >= k.nnz) return;
  uint key = k.cols;
  if (i < used) {
    key = load_u32(k.col, i);
    if (key >= k.cols) {
      rp_fault(k.error, RP_FAULT_INDEX, k.site, i);
      key = k.cols;
    }
    store_u32(k.rows_of, i, row_of(k.row_ptr, k.rows, i));
  }
  store_u32(k.keys, i, key);
}
#endif

#ifdef ENTRY_transpose_rows
RP_ARGS(rp_gpu_transpose_rows_args)
void main() {
  const uint c = INDEX;
  if (c > k.cols) return;
  uint lo = 0, hi = k.nnz; /* the first key that is not below c */
  while (lo < hi) {
    const uint mid = lo + (hi - lo) / 2;
    if (load_u32(k.keys, mid) < c)
      lo = mid + 1;
    else
      hi = mid;
  }
  store_u32(k.out_row_ptr, c, lo);
}
#endif

#ifdef ENTRY_transpose_entries
void main() {
  const uint i = INDEX;
  uint source = NONE;
  if (i < k.nnz) {
    if (load_u32(k.keys, i) < k.cols) source = load_u32(k.order, i);
    store_u32(k.out_col, i, source != NONE ? load_u32(k.rows_of, source) : NONE);
  }
  if (k.size_bytes != 0) move_values(source, i < k.nnz ? i : NONE);
}
#endif
