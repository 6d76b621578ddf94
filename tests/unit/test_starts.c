/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Sets of numbers as bit maps on several levels, and the sorting of bounds, compared with arrays.
 */
#include "starts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

enum { ROUNDS = 20000 };

static uint64_t seed = 11;

static uint32_t below(uint32_t n) { /* splitmix64: Steele, Lea, Flood 2014 */
  uint64_t z = seed += 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return (uint32_t)((z ^ z >> 31) % n);
}

/* Members are few, so that words of every level become empty and full again. */
static void sets_are_those_of_an_array(void **state) {
  static const uint32_t sizes[] = {1, 2, 63, 64, 65, 4095, 4096, 4097, 300000};
  rp_context *context;
  (void)state;
  assert_int_equal(rp_context_create(NULL, &context, NULL), RP_OK);
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
    const uint32_t most = sizes[s];
    uint8_t *is_in = calloc(most + 1, 1);
    rp_starts starts;
    rp_arena arena;
    rp_arena_init(&arena, context);
    assert_true(is_in && rp_starts_prepare(&starts, &arena, most + 1));
    for (int again = 0; again < 2; again++) {
      uint32_t members[8] = {0};
      memset(is_in, 0, most + 1);
      is_in[0] = 1;
      rp_starts_reset(&starts, most);
      for (int round = 0; round < (most > 5000 ? ROUNDS / 20 : ROUNDS); round++) {
        uint32_t *member = &members[below(8)], x = below(most + 1);
        if (is_in[*member] && *member) rp_starts_remove(&starts, *member), is_in[*member] = 0;
        *member = below(2) ? 1 + below(most) : 0;
        if (*member) rp_starts_add(&starts, *member), is_in[*member] = 1;
        const uint32_t found = rp_starts_find(&starts, x);
        while (!is_in[x]) x--;
        assert_int_equal(found, x);
      }
    }
    rp_arena_free(&arena);
    free(is_in);
  }
  rp_context_destroy(context);
}

static void bounds_are_sorted_stably(void **state) {
  enum { MOST = 1000 };
  static rp_bound bounds[MOST], spare[MOST];
  (void)state;
  for (int round = 0; round < 200; round++) {
    const uint32_t n = round % 2 ? 1 + below(MOST) : 1 + below(40), bits = 1 + below(40);
    uint64_t sum = 0;
    for (uint32_t i = 0; i < n; i++) {
      bounds[i] = (rp_bound){.at = ((uint64_t)below(UINT32_MAX) << 8 | below(256)) & ((1ull << bits) - 1), .whose = i};
      sum += bounds[i].at;
    }
    rp_bounds_sort(bounds, spare, n);
    for (uint32_t i = 0; i < n; i++) {
      sum -= bounds[i].at;
      if (i == 0 || bounds[i - 1].at < bounds[i].at) continue;
      assert_true(bounds[i - 1].at == bounds[i].at && bounds[i - 1].whose < bounds[i].whose);
    }
    assert_true(sum == 0);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(sets_are_those_of_an_array),
                                     cmocka_unit_test(bounds_are_sorted_stably)};
  return cmocka_run_group_tests_name("starts", tests, NULL, NULL);
}
