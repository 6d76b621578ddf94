/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Pauses between attempts (cli/farm/backoff.h): each is between half of its bound and all of it, and the bound doubles
 * up to the most.
 */
#include "backoff.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

enum { LEAST = 1000, MOST = 10000, ROUNDS = 200 };

static void bounds_double(void **state) {
  static const uint64_t bounds[] = {1000, 2000, 4000, 8000, 10000, 10000, 10000};
  enum { N = sizeof bounds / sizeof *bounds };
  uint64_t least[N], most[N] = {0};
  (void)state;
  for (int i = 0; i < N; i++) least[i] = UINT64_MAX;
  for (int round = 0; round < ROUNDS; round++) {
    farm_backoff b = {.least_ns = LEAST, .most_ns = MOST};
    for (int i = 0; i < N; i++) {
      const uint64_t pause = farm_backoff_next(&b);
      assert_in_range(pause, bounds[i] / 2, bounds[i]);
      if (pause < least[i]) least[i] = pause;
      if (pause > most[i]) most[i] = pause;
    }
  }
  for (int i = 0; i < N; i++) assert_true(most[i] - least[i] > bounds[i] / 8); /* workers do not come all at once */
}

static void nothing_below_nothing(void **state) {
  (void)state;
  assert_int_equal(farm_random(0), 0);
  for (int i = 0; i < ROUNDS; i++) assert_in_range(farm_random(3), 0, 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(bounds_double), cmocka_unit_test(nothing_below_nothing)};
  return cmocka_run_group_tests_name("farm_backoff", tests, NULL, NULL);
}
