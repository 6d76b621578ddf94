/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "spans.h"

#include <stdlib.h>

static int compare(const void *a, const void *b) {
  const cli_span *x = a, *y = b;
  return (x->begin_ns > y->begin_ns) - (x->begin_ns < y->begin_ns);
}

uint64_t cli_time_on_device(cli_span *spans, uint32_t n, uint64_t up_ns) {
  if (n == 0) return 0;
  qsort(spans, n, sizeof *spans, compare);
  uint64_t ns = 0, until = spans[0].begin_ns; /* the latest end so far */
  for (uint32_t i = 0; i < n; i++) {
    const uint64_t begin = spans[i].begin_ns, end = spans[i].end_ns, from = until < up_ns ? up_ns : until;
    if (begin > from) ns += begin - from;
    if (begin > until) until = begin;
    if (end > until) ns += end - until, until = end;
  }
  return ns;
}
