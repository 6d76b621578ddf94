/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Conversions of sparse matrices, see sparse/csr.c. Row pointers and columns are checked where they are used.
 */
#include <string.h>

#include <reprise/kernel.h>

#include "sparse/csr_args.h"

static void move_value(void *to, uint64_t i, const void *from, uint64_t j, uint32_t size) {
  if (size) memcpy((uint8_t *)to + i * size, (const uint8_t *)from + j * size, size);
}

void rp_cpu_ell_compact(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *w) {
  const struct rp_ell_args *k = args;
  (void)w;
  for (uint64_t row = begin; row < end; row++) {
    uint64_t to = k->row_ptr[row], last = k->row_ptr[row + 1], from = row * k->width;
    if (last < to || last - to > k->width || last > k->capacity) continue; /* the prefix sum has reported this */
    for (uint64_t i = to; i < last; i++) {
      uint32_t col = k->col[from + i - to];
      if (col >= k->cols) rp_fault_report(k->error, RP_FAULT_INDEX, k->site, from + i - to);
      k->out_col[i] = col;
      move_value(k->out_val, i, k->val, from + i - to, k->size_bytes);
    }
    if (row + 1 < k->rows) continue;
    for (uint64_t i = last; i < k->capacity; i++) k->out_col[i] = UINT32_MAX;
    if (k->size_bytes) memset((uint8_t *)k->out_val + last * k->size_bytes, 0, (k->capacity - last) * k->size_bytes);
  }
}

/* Number of entries in use: the last element of row_ptr, but at most nnz. */
static uint64_t used(const uint32_t *row_ptr, uint32_t rows, uint32_t nnz) {
  return row_ptr[rows] < nnz ? row_ptr[rows] : nnz;
}

void rp_cpu_transpose_count(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *w) {
  const struct rp_transpose_count_args *k = args;
  uint64_t nnz = used(k->row_ptr, k->rows, k->nnz);
  (void)w;
  for (uint64_t part = begin; part < end; part++) {
    uint32_t *count = k->count + part * k->cols;
    memset(count, 0, k->cols * sizeof *count);
    for (uint64_t i = nnz * part / k->parts; i < nnz * (part + 1) / k->parts; i++) {
      if (k->col[i] < k->cols)
        count[k->col[i]]++;
      else
        rp_fault_report(k->error, RP_FAULT_INDEX, k->site, i);
    }
    for (uint64_t r = (uint64_t)k->rows * part / k->parts; r < (uint64_t)k->rows * (part + 1) / k->parts; r++)
      if (k->row_ptr[r] > k->row_ptr[r + 1] || k->row_ptr[r + 1] > k->nnz || k->row_ptr[0])
        rp_fault_report(k->error, RP_FAULT_INDEX, k->site, r);
  }
}

void rp_cpu_transpose_totals(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *w) {
  const struct rp_transpose_totals_args *k = args;
  (void)w;
  for (uint64_t c = begin; c < end; c++) {
    uint32_t sum = 0;
    for (uint64_t p = 0; p < k->parts; p++) {
      uint32_t *count = &k->count[p * k->cols + c], own = *count;
      *count = sum;
      sum += own;
    }
    k->total[c] = sum;
  }
}

void rp_cpu_transpose_scatter(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *w) {
  const struct rp_transpose_scatter_args *k = args;
  uint64_t nnz = used(k->row_ptr, k->rows, k->nnz);
  (void)w;
  for (uint64_t part = begin; part < end; part++) {
    uint32_t *count = k->count + part * k->cols, row = 0;
    uint64_t first = nnz * part / k->parts, last = nnz * (part + 1) / k->parts;
    for (uint32_t high = k->rows; row < high;) { /* the last row that begins at or before `first` */
      uint32_t middle = row + (high - row) / 2;
      if (k->row_ptr[middle + 1] <= first)
        row = middle + 1;
      else
        high = middle;
    }
    for (uint64_t i = first; i < last; i++) {
      while (row + 1 < k->rows && k->row_ptr[row + 1] <= i) row++;
      uint32_t c = k->col[i];
      if (c >= k->cols) continue;
      uint64_t at = (uint64_t)k->out_row_ptr[c] + count[c]++;
      if (at >= k->nnz) continue;
      k->out_col[at] = row;
      move_value(k->out_val, at, k->val, i, k->size_bytes);
    }
    if (part + 1 < k->parts) continue;
    for (uint64_t i = nnz; i < k->nnz; i++) k->out_col[i] = UINT32_MAX;
    if (k->size_bytes) memset((uint8_t *)k->out_val + nnz * k->size_bytes, 0, (k->nnz - nnz) * k->size_bytes);
  }
}
