/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Bodies of requests (cli/serve/body.h): they keep their bytes while they grow, and all together they never hold more
 * than the budget, also not while one of them asks for twice its room.
 */
#include "body.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

enum { MOST = 1000 };

static void a_body_grows(void **state) {
  (void)state;
  serve_budget budget = {.most = MOST};
  serve_body body = {0};
  uint8_t part[100], want[MOST];
  for (uint32_t i = 0; i < MOST; i++) want[i] = (uint8_t)(i * 7 + i / 256);
  for (uint32_t at = 0; at + sizeof part <= MOST / 2; at += sizeof part) {
    memcpy(part, want + at, sizeof part);
    assert_true(serve_body_add(&body, &budget, part, sizeof part));
    assert_true(atomic_load(&budget.held) == body.room && body.room <= MOST);
  }
  assert_int_equal(body.bytes, MOST / 2);
  assert_memory_equal(body.data, want, MOST / 2);
  serve_body_free(&body);
  assert_null(body.data);
  assert_int_equal(atomic_load(&budget.held), 0);
}

static void the_budget_is_for_all(void **state) {
  (void)state;
  serve_budget budget = {.most = MOST};
  serve_body one = {0}, other = {0};
  const uint8_t part[MOST] = {1};
  assert_false(serve_body_reserve(&one, &budget, MOST + 1));
  assert_false(serve_body_reserve(&one, &budget, UINT64_MAX));
  assert_false(serve_body_reserve(&one, &budget, SIZE_MAX / 2));
  assert_int_equal(atomic_load(&budget.held), 0);
  assert_true(serve_body_add(&one, &budget, part, 400));
  assert_true(serve_body_reserve(&other, &budget, 600));
  assert_true(serve_body_reserve(&other, &budget, 500)); /* has more already */
  assert_int_equal(atomic_load(&budget.held), MOST);
  assert_false(serve_body_add(&one, &budget, part, 1)); /* there would be both of its rooms for a moment */
  assert_int_equal(one.bytes, 400);
  serve_body_free(&other);
  assert_true(serve_body_add(&one, &budget, part, 100)); /* 500: twice its room does not fit beside it */
  assert_int_equal(one.bytes, 500);
  assert_int_equal(atomic_load(&budget.held), one.room);
  serve_body_free(&one);
  assert_int_equal(atomic_load(&budget.held), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_body_grows), cmocka_unit_test(the_budget_is_for_all)};
  return cmocka_run_group_tests_name("serve_body", tests, NULL, NULL);
}
