/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "bench.h"

#include <stdlib.h>

static int compare_u64(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

uint64_t bench_median(uint64_t *values, uint32_t n) {
  qsort(values, n, sizeof *values, compare_u64);
  return values[n / 2];
}
