/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Batches of affine additions in plain C, with MULX and ADX, and on eight lanes: each sum has the bits of a single
 * addition, for any number of pairs, equal and opposite points and infinity among them, and where sums replace points.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "affine_batch_test.h"

#define RUN_PLAIN(id) rp_test_affine_batch_##id##_plain();
#define RUN_ADX(id) rp_test_affine_batch_##id##_adx();
#define RUN_IFMA(id) rp_test_affine_batch_##id##_ifma();

static void test_plain(void **state) {
  (void)state;
  AFFINE_BATCH_CURVES(RUN_PLAIN)
}

#if defined(__x86_64__)
#include <cpuid.h>

static bool has_adx(void) {
  unsigned a, b, c, d;
  return __get_cpuid_count(7, 0, &a, &b, &c, &d) && b & bit_BMI2 && b & bit_ADX;
}

static bool has_ifma(void) {
  return has_adx() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
         __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
         __builtin_cpu_supports("avx512ifma");
}

static void test_adx(void **state) {
  (void)state;
  if (!has_adx()) skip();
  AFFINE_BATCH_CURVES(RUN_ADX)
}

static void test_ifma(void **state) {
  (void)state;
  if (!has_ifma()) skip();
  AFFINE_BATCH_CURVES(RUN_IFMA)
}
#endif

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_plain),
#if defined(__x86_64__)
    cmocka_unit_test(test_adx),
    cmocka_unit_test(test_ifma),
#endif
  };
  return cmocka_run_group_tests_name("affine_batch", tests, NULL, NULL);
}
