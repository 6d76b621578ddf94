/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * What test_fe8.c and the instances of fe8_tmpl.c share.
 */
#ifndef REPRISE_TESTS_FE8_TEST_H
#define REPRISE_TESTS_FE8_TEST_H

#include "fe8_fields.h" /* FE8_FIELDS(X), made by fe8.cmake */

#include <stdint.h>

/* Nanoseconds per element. */
typedef struct fe8_times {
  double mul, sqr, add, sub, load, store, load_raw, store_raw, batch_inv, scalar_mul;
} fe8_times;

#define FE8_DECLARE(id)                              \
  uint64_t rp_test_fe8_##id(unsigned rounds);        \
  uint64_t rp_test_fe8_##id##_ifma(unsigned rounds); \
  void rp_bench_fe8_##id(fe8_times *times);          \
  void rp_bench_fe8_##id##_ifma(fe8_times *times);
FE8_FIELDS(FE8_DECLARE)
#undef FE8_DECLARE

#endif
