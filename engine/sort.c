/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Heapsort, in place: the C library's qsort may allocate memory without the caller's allocator.
 */
#include "core.h"

static void swap(char *a, char *b, size_t size) {
  char t[64];
  for (size_t n; size; a += n, b += n, size -= n) {
    n = size < sizeof t ? size : sizeof t;
    memcpy(t, a, n);
    memcpy(a, b, n);
    memcpy(b, t, n);
  }
}

static void sink(char *items, size_t root, size_t n, size_t size, rp_compare_fn compare) {
  for (size_t child; (child = 2 * root + 1) < n; root = child) {
    if (child + 1 < n && compare(items + child * size, items + (child + 1) * size) < 0) child++;
    if (compare(items + root * size, items + child * size) >= 0) return;
    swap(items + root * size, items + child * size, size);
  }
}

void rp_sort(void *items, size_t n, size_t size, rp_compare_fn compare) {
  for (size_t i = n / 2; i-- > 0;) sink(items, i, n, size, compare);
  for (size_t end = n; end-- > 1;) {
    swap(items, (char *)items + end * size, size);
    sink(items, 0, end, size, compare);
  }
}
