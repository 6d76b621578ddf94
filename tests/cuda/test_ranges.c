/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * If a profiler is attached, NVTX ranges give it the names of recordings and nodes.
 */
#include "bench.h"
#include "fake_cuda.h"
#include "profiler.h"

static void ranges_have_the_names_of_nodes(void **state) {
  (void)state;
  bench b;
  work w;
  fake_reset();
  toy_register();
  bench_open(&b, 0, 0);
  assert_non_null(strstr(profiler_names(), "domain reprise\n"));
  work_make(&b, &w, 1, 1);
  assert_non_null(strstr(profiler_names(), "push toy\n"));
  assert_non_null(strstr(profiler_names(), "push prove/toy_check/toy_check\n"));
  assert_int_equal(profiler_depth(), 0);
  profiler_forget();
  work_once(&w, 1);
  assert_string_equal(profiler_names(), "push toy\npush wait\n");
  assert_int_equal(profiler_depth(), 0);
  work_drop(&w);
  bench_close(&b);
}

int main(void) {
  setenv("NVTX_INJECTION64_PATH", PROFILER_PATH, 1); /* before the first range */
  const struct CMUnitTest tests[] = {cmocka_unit_test(ranges_have_the_names_of_nodes)};
  return cmocka_run_group_tests_name("cuda ranges", tests, NULL, NULL);
}
