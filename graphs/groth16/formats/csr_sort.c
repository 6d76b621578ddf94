/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Columns and values are in two arrays, so the sorts move both: straight insertion for short rows, which are nearly
 * all, and heapsort for the rest (Williams 1964, with Floyd's construction of the heap).
 */
#include "csr_sort.h"

#include <string.h>

enum { VALUE = 32, SHORT = 24 };

typedef struct row {
  uint32_t *col;
  uint8_t *value;
} row;

static bool before(const row *r, uint64_t i, uint64_t j) {
  if (r->col[i] != r->col[j]) return r->col[i] < r->col[j];
  return memcmp(r->value + i * VALUE, r->value + j * VALUE, VALUE) < 0;
}

static void swap(row *r, uint64_t i, uint64_t j) {
  uint8_t value[VALUE];
  const uint32_t col = r->col[i];
  r->col[i] = r->col[j];
  r->col[j] = col;
  memcpy(value, r->value + i * VALUE, VALUE);
  memcpy(r->value + i * VALUE, r->value + j * VALUE, VALUE);
  memcpy(r->value + j * VALUE, value, VALUE);
}

static void insertion_sort(row *r, uint64_t n) {
  for (uint64_t i = 1; i < n; i++)
    for (uint64_t j = i; j > 0 && before(r, j, j - 1); j--) swap(r, j, j - 1);
}

static void sift_down(row *r, uint64_t i, uint64_t n) {
  for (uint64_t child; (child = 2 * i + 1) < n; i = child) {
    if (child + 1 < n && before(r, child, child + 1)) child++;
    if (!before(r, i, child)) return;
    swap(r, i, child);
  }
}

static void heap_sort(row *r, uint64_t n) {
  for (uint64_t i = n / 2; i-- > 0;) sift_down(r, i, n);
  for (uint64_t last = n - 1; last > 0; last--) {
    swap(r, 0, last);
    sift_down(r, 0, last);
  }
}

static bool is_sorted(const row *r, uint64_t n) {
  for (uint64_t i = 1; i < n; i++)
    if (before(r, i, i - 1)) return 0;
  return 1;
}

void g16_csr_sort_rows(g16_csr *csr, uint64_t first, uint64_t n) {
  for (uint64_t i = first; i < first + n; i++) {
    const uint64_t begin = csr->row_ptr[i], end = csr->row_ptr[i + 1];
    if (end < begin + 2 || end > csr->nnz) continue;
    const uint64_t entries = end - begin;
    row r = {csr->col + begin, csr->value + begin * VALUE};
    if (is_sorted(&r, entries)) continue;
    if (entries <= SHORT)
      insertion_sort(&r, entries);
    else
      heap_sort(&r, entries);
  }
}
