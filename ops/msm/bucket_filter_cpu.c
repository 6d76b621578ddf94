/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The bucket filter on the CPU. Parts are cut by entries, not by rows, so that a full row is shared out. The new index
 * of an entry is the number of kept entries before it. A caller who has lent the support may change it between counting
 * and writing: a part then has as many entries as were counted, and all of them name points.
 */
#include "msm/bucket_matrix_cpu.h"
#include "msm/bucket_filter_args.h"

static uint32_t keeps(const uint32_t *support, uint32_t n, uint32_t entry) {
  uint32_t index = entry >> 1;
  if (index >= n) index %= n; /* merged windows */
  return support[index / 32] >> (index % 32) & 1u;
}

static uint32_t part_begin(uint32_t total, uint32_t parts, uint64_t part) {
  return (uint32_t)((uint64_t)total * part / parts);
}

void rp_cpu_bucket_filter_count(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *worker) {
  const struct rp_bucket_filter_count_args *a = args;
  uint32_t total = a->row_ptr[a->rows];
  (void)worker;
  for (uint64_t part = begin; part < end; part++) {
    uint32_t to = part_begin(total, a->parts, part + 1), kept = 0;
    for (uint32_t i = part_begin(total, a->parts, part); i < to; i++) kept += keeps(a->support, a->n, a->entries[i]);
    a->counts[part] = kept;
  }
}

void rp_cpu_bucket_filter_write(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *worker) {
  const struct rp_bucket_filter_write_args *a = args;
  uint32_t total = a->row_ptr[a->rows];
  (void)worker;
  for (uint64_t part = begin; part < end; part++) {
    uint32_t from = part_begin(total, a->parts, part), to = part_begin(total, a->parts, part + 1);
    uint32_t row = rp_bucket_first_row(a->row_ptr, a->rows, from);
    uint32_t next = 0;
    for (uint64_t p = 0; p < part; p++) next += a->counts[p];
    const uint32_t stop = next + a->counts[part];
    for (uint32_t i = from; i < to; i++) {
      uint32_t entry = a->entries[i];
      while (row < a->rows && a->row_ptr[row] == i) a->out_row_ptr[row++] = next;
      if (next < stop && keeps(a->support, a->n, entry)) a->out_entries[next++] = entry;
    }
    for (; next < stop; next++) a->out_entries[next] = 0;
    if (part + 1 == a->parts) {
      while (row <= a->rows) a->out_row_ptr[row++] = next;
    }
  }
}
