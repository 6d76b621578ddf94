/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The choice of instruction sets in a build with REPRISE_CPU=NATIVE for processors with IFMA: the source as such a
 * build compiles it. Its kernels are for IFMA only, so that every weaker choice must be refused.
 */
#define REPRISE_CPU_ONLY_IFMA
#define cpu_isa_detect native_isa_detect
#define cpu_isa_names native_isa_names
#define cpu_isa_select native_isa_select
#include "backends/cpu/isa.c"

#include "cpu_fixture.h"

#include <stdlib.h>

static void test_refused(void **state) {
  (void)state;
  rp_error err = {0};
  uint32_t have = native_isa_detect(), isa = 0;
  assert_int_equal(unsetenv("REPRISE_CPU_ISA"), 0);
  int suits = have >> RP_ISA_X86_IFMA & 1;
  assert_int_equal(native_isa_select(NULL, &isa, &err), suits ? RP_OK : RP_ERR_UNSUPPORTED);
  assert_int_equal(native_isa_select("ifma", &isa, &err), suits ? RP_OK : RP_ERR_UNSUPPORTED);
  assert_int_equal(native_isa_select("c", &isa, &err), RP_ERR_UNSUPPORTED);
  assert_non_null(strstr(err.reason, "REPRISE_CPU=NATIVE"));
  assert_non_null(strstr(err.reason, "would use: c;"));
  assert_int_equal(setenv("REPRISE_CPU_ISA", "c", 1), 0);
  assert_int_equal(native_isa_select(NULL, &isa, &err), RP_ERR_UNSUPPORTED);
  assert_int_equal(unsetenv("REPRISE_CPU_ISA"), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
