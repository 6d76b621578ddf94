/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The time on the device that `reprise bench` prints, against a count of each nanosecond.
 */
#include "spans.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <cmocka.h>

enum { MOST = 9, TIME = 40, ROUNDS = 20000 };

static uint64_t next(uint64_t *seed) {
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return *seed >> 33;
}

/* Each nanosecond between the first begin and the last end counts, unless no span has it and inputs are still on their
 * way. */
static uint64_t count(const cli_span *spans, uint32_t n, uint64_t up_ns) {
  uint64_t first = TIME, last = 0, ns = 0;
  bool covered[TIME] = {0};
  for (uint32_t i = 0; i < n; i++) {
    if (spans[i].begin_ns < first) first = spans[i].begin_ns;
    if (spans[i].end_ns > last) last = spans[i].end_ns;
    for (uint64_t t = spans[i].begin_ns; t < spans[i].end_ns; t++) covered[t] = 1;
  }
  for (uint64_t t = first; t < last; t++) ns += covered[t] || t >= up_ns;
  return ns;
}

static void as_counted(void **state) {
  (void)state;
  uint64_t seed = 1;
  for (int round = 0; round < ROUNDS; round++) {
    cli_span spans[MOST];
    const uint32_t n = (uint32_t)next(&seed) % (MOST + 1);
    const uint64_t up_ns = next(&seed) % 3 ? next(&seed) % TIME : 0;
    for (uint32_t i = 0; i < n; i++) {
      spans[i].begin_ns = next(&seed) % TIME;
      spans[i].end_ns = spans[i].begin_ns + next(&seed) % (next(&seed) % 2 ? 4 : TIME - spans[i].begin_ns);
      if (spans[i].end_ns >= TIME) spans[i].end_ns = TIME - 1;
    }
    const uint64_t want = count(spans, n, up_ns);
    assert_int_equal(cli_time_on_device(spans, n, up_ns), want);
  }
}

/* A short dispatch during the copy of the input, and the others behind it. */
static void one_input(void **state) {
  (void)state;
  cli_span spans[] = {{700, 720}, {5, 15}, {720, 900}, {730, 800}};
  assert_int_equal(cli_time_on_device(spans, 4, 690), 10 + 10 + 200);
  assert_int_equal(cli_time_on_device(spans, 4, 0), 895);
  assert_int_equal(cli_time_on_device(spans, 0, 690), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(as_counted), cmocka_unit_test(one_input)};
  return cmocka_run_group_tests_name("spans", tests, NULL, NULL);
}
