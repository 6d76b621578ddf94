/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The heaviest antichain of an order (engine/antichain.h) is compared with what trying all sets of elements gives, and
 * for larger orders with chains and antichains that are known.
 */
#include "watch.h"

#include "antichain.h"

enum { SMALL = 10, ORDERS = 400, LARGE = 130 };

static uint64_t seed;

static uint64_t next(uint64_t below) { /* splitmix64: Steele, Lea, Flood 2014 */
  uint64_t z = seed += 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return (z ^ z >> 31) % below;
}

static uint64_t weigh(uint32_t n, const uint64_t *weights, const uint64_t *later) {
  uint64_t weight = UINT64_MAX;
  rp_arena arena;
  rp_arena_init(&arena, the_watch.context);
  assert_true(rp_antichain_weigh(&arena, n, weights, later, &weight));
  rp_arena_free(&arena);
  return weight;
}

/* By trying all sets. */
static uint64_t weigh_all(uint32_t n, const uint64_t *weights, const uint64_t *later) {
  uint64_t most = 0;
  for (uint32_t set = 0; set < 1u << n; set++) {
    uint64_t weight = 0;
    bool good = true;
    for (uint32_t a = 0; a < n; a++) {
      if (!(set >> a & 1)) continue;
      weight += weights[a];
      good &= (later[a] & set) == 0;
    }
    if (good && weight > most) most = weight;
  }
  return most;
}

/* Weights that are all equal, powers of two, small, or of which some are 0. */
static uint64_t random_weight(uint64_t kind) {
  switch (kind) {
  case 0: return 7;
  case 1: return UINT64_C(1) << next(48);
  case 2: return 1 + next(5);
  default: return next(3) ? next(1000) : 0;
  }
}

static void small_orders(void **state) {
  (void)state;
  watch_open_context();
  for (uint64_t n = 0; n <= SMALL; n++)
    for (uint64_t i = 0; i < ORDERS; i++) {
      uint64_t weights[SMALL] = {0}, later[SMALL] = {0};
      seed = n * ORDERS + i;
      const uint64_t kind = i % 4, dense = 1 + next(6);
      for (uint32_t a = 0; a < n; a++) {
        weights[a] = random_weight(kind);
        for (uint32_t b = a + 1; b < n; b++) later[a] |= (uint64_t)(next(dense) == 0) << b;
      }
      for (uint32_t b = 0; b < n; b++) /* all that follows, as Warshall does it */
        for (uint32_t a = 0; a < b; a++)
          if (later[a] >> b & 1) later[a] |= later[b];
      assert_int_equal(weigh((uint32_t)n, weights, later), weigh_all((uint32_t)n, weights, later));
    }
  watch_close();
}

static void what_follows_is_added(void **state) {
  (void)state;
  for (uint64_t i = 0; i < ORDERS; i++) {
    uint64_t later[LARGE][3] = {{0}}, wanted[LARGE][3];
    seed = i;
    for (uint32_t a = 0; a < LARGE; a++)
      for (uint32_t b = a + 1; b < LARGE; b++) later[a][b / 64] |= (uint64_t)(next(30 + i) == 0) << b % 64;
    memcpy(wanted, later, sizeof later);
    for (uint32_t b = 0; b < LARGE; b++)
      for (uint32_t a = 0; a < b; a++)
        for (int k = 0; wanted[a][b / 64] >> b % 64 & 1 && k < 3; k++) wanted[a][k] |= wanted[b][k];
    rp_antichain_close(later[0], LARGE);
    assert_memory_equal(later, wanted, sizeof later);
  }
}

/* Element i comes before element j if i / width < j / width: the heaviest rank wins, however wide it is. */
static void check_ranks(uint32_t n, uint32_t width) {
  const uint32_t words = (n + 63) / 64;
  uint64_t weights[LARGE], later[LARGE * 3] = {0}, rank[LARGE] = {0}, most = 0;
  seed = width;
  for (uint32_t a = 0; a < n; a++) {
    rank[a / width] += weights[a] = 1 + next(1u << 20);
    for (uint32_t b = (a / width + 1) * width; b < n; b++) later[a * words + b / 64] |= UINT64_C(1) << b % 64;
  }
  for (uint32_t r = 0; r < n; r++)
    if (rank[r] > most) most = rank[r];
  assert_int_equal(weigh(n, weights, later), most);
}

/* Also with rows that end with a word. */
static void ranks(void **state) {
  (void)state;
  watch_open_context();
  for (uint32_t width = 1; width <= LARGE; width += 9) {
    check_ranks(LARGE, width);
    check_ranks(64, width);
    check_ranks(128, width);
  }
  watch_close();
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(small_orders), cmocka_unit_test(what_follows_is_added),
                                     cmocka_unit_test(ranks)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
