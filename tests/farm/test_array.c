/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Arrays as PostgreSQL sends and receives them (cli/farm/array.h): what is put in is found again, in 64 bits, and an
 * array of secrets is never moved.
 */
#include "array.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

static PGresult *answer(const void *data, size_t bytes) {
  char name[] = "ids";
  PGresAttDesc column = {.name = name, .format = 1};
  PGresult *rows = PQmakeEmptyPGresult(NULL, PGRES_TUPLES_OK);
  assert_int_equal(PQsetResultAttrs(rows, 1, &column), 1);
  assert_int_equal(PQsetvalue(rows, 0, 0, (char *)(uintptr_t)data, (int)bytes), 1);
  return rows;
}

static void numbers_are_found(void **state) {
  static const int64_t numbers[] = {1, 0x123456789abcdef, -1, INT64_MIN, INT64_MAX, 1ll << 32, 7};
  enum { N = sizeof numbers / sizeof *numbers };
  (void)state;
  for (int n = 0; n <= N; n++) {
    farm_array a = farm_array_of(FARM_INT8);
    for (int i = 0; i < n; i++) farm_array_int(&a, numbers[i]);
    const farm_value v = farm_array_value(&a);
    assert_int_equal(v.oid, 1016);
    PGresult *rows = answer(v.data, v.bytes), *cut = answer(v.data, v.bytes - 1);
    for (int i = 0; i < N; i++) {
      assert_int_equal(farm_array_has(rows, 0, 0, numbers[i]), i < n);
      assert_int_equal(farm_array_has(cut, 0, 0, numbers[i]), i < n - 1);
    }
    assert_false(farm_array_has(rows, 0, 0, 0x89abcdef)); /* the lower half of one */
    PQclear(rows);
    PQclear(cut);
    farm_array_free(&a);
  }
}

static void secrets_stay_where_they_are(void **state) {
  static const uint8_t secret[60] = {1, 2, 3};
  (void)state;
  farm_array a = farm_array_of_secrets(2 * (4 + sizeof secret));
  const uint8_t *data = a.data;
  for (int i = 0; i < 2; i++) {
    farm_array_data(&a, secret, sizeof secret);
    assert_false(a.has_failed);
    assert_ptr_equal(a.data, data);
  }
  farm_array_data(&a, secret, 0); /* there is no room for its length */
  assert_true(a.has_failed);
  assert_ptr_equal(a.data, data);
  assert_int_equal(a.n, 2);
  farm_array_free(&a);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(numbers_are_found),
                                     cmocka_unit_test(secrets_stay_where_they_are)};
  return cmocka_run_group_tests_name("farm_array", tests, NULL, NULL);
}
