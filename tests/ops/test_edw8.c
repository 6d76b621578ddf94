/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Eight accumulators of Banderwagon, in plain C and with IFMA.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "edw8_test.h"

static void test_plain(void **state) {
  (void)state;
  rp_test_edw8_banderwagon(500);
}

static void test_ifma(void **state) {
  (void)state;
#if EDW8_WITH_IFMA
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512ifma")) {
    rp_test_edw8_banderwagon_ifma(20000);
    return;
  }
#endif
  skip();
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_plain), cmocka_unit_test(test_ifma)};
  return cmocka_run_group_tests_name("edw8", tests, NULL, NULL);
}
