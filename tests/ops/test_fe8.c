/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Eight-lane field arithmetic on every field that has it, in plain C and with IFMA. With an argument it also measures
 * times.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "fe8_test.h"

#include <stdio.h>

typedef struct instance {
  const char *name;
  uint64_t (*plain)(unsigned rounds), (*ifma)(unsigned rounds);
  void (*bench)(fe8_times *times);
} instance;

#if FE8_WITH_IFMA
#define INSTANCE(id) {#id, rp_test_fe8_##id, rp_test_fe8_##id##_ifma, rp_bench_fe8_##id##_ifma},
#else
#define INSTANCE(id) {#id, rp_test_fe8_##id, NULL, NULL},
#endif
static const instance instances[] = {FE8_FIELDS(INSTANCE)};
#define N_INSTANCES (sizeof instances / sizeof *instances)

static int have_ifma(void) {
#if FE8_WITH_IFMA
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
         __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
         __builtin_cpu_supports("avx512ifma");
#else
  return 0;
#endif
}

static void test_plain(void **state) {
  (void)state;
  for (size_t i = 0; i < N_INSTANCES; i++) instances[i].plain(200);
}

/* Both variants leave the same bits in every register. */
static void test_ifma(void **state) {
  (void)state;
  if (!have_ifma()) skip();
  for (size_t i = 0; i < N_INSTANCES; i++) assert_true(instances[i].ifma(300) == instances[i].plain(300));
}

static void print_times(void) {
  printf("%-16s", "ns an element");
  const char *columns[] = {"mul",   "sqr",      "add",       "sub",       "load",
                           "store", "load_raw", "store_raw", "batch_inv", "scalar_mul"};
  for (size_t k = 0; k < 10; k++) printf("%11s", columns[k]);
  for (size_t i = 0; i < N_INSTANCES; i++) {
    fe8_times t;
    instances[i].bench(&t);
    const double row[] = {t.mul,   t.sqr,      t.add,       t.sub,       t.load,
                          t.store, t.load_raw, t.store_raw, t.batch_inv, t.scalar_mul};
    printf("\n%-16s", instances[i].name);
    for (size_t k = 0; k < 10; k++) printf("%11.2f", row[k]);
  }
  printf("\n");
}

int main(int argc, char **argv) {
  (void)argv;
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_plain), cmocka_unit_test(test_ifma)};
  int failed = cmocka_run_group_tests_name("fe8", tests, NULL, NULL);
  if (!failed && argc > 1 && have_ifma()) print_times();
  return failed;
}
