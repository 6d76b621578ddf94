/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * What a dispatch costs beside its work. Prints figures; fails only when they are out of all proportion, since a test
 * machine may be busy with other things.
 */
#include "cpu_fixture.h"

#include <string.h>

typedef struct step_args {
  uint64_t *words;
} step_args;

static void add_one(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *worker) {
  const step_args *a = args;
  (void)worker;
  for (uint64_t i = begin; i < end; i++) a->words[8 * i]++;
}

static const rp_kernel add_kernel = {
    .name = "add_one", .args_bytes = sizeof(step_args), .n_binds = 1, .cpu = {add_one}};

enum { CHAIN = 2000, ROUNDS = 50 };

/* Nanoseconds a dispatch of a chain in which each waits for the one before; best of several runs. */
static double chain_ns(uint32_t threads, uint32_t items, double *run_ns) {
  cpu_fixture f;
  fixture_open(&f, threads, NULL);
  uint64_t best[2] = {UINT64_MAX, UINT64_MAX};
  for (int length = 0; length < 2; length++) {
    draft *d = draft_new(&f, 0);
    uint32_t arena = draft_block(d, RP_SPACE_ARENA, 64 * (uint64_t)items, 0);
    for (uint32_t s = 0; s < (length ? CHAIN : 1); s++) {
      draft_step(d, &add_kernel, items, NULL);
      draft_ref(d, s, arena, 0, 64 * (uint64_t)items, RP_READ_WRITE);
      d->steps[s].grain = 1;
      if (s) draft_edge(d, s - 1, s);
    }
    draft_build(d);
    for (int i = 0; i < ROUNDS; i++) {
      uint64_t begin = rp_now_ns();
      assert_int_equal(draft_run(d), RP_OK);
      uint64_t ns = rp_now_ns() - begin;
      if (ns < best[length]) best[length] = ns;
    }
    assert_int_equal(*(uint64_t *)draft_host(d, arena), ROUNDS * (length ? CHAIN : 1));
    draft_free(d);
  }
  fixture_close(&f);
  *run_ns = (double)best[0];
  return (double)(best[1] - best[0]) / (CHAIN - 1);
}

static void test_overhead(void **state) {
  (void)state;
  const uint32_t threads[] = {1, 2, 4}, items[] = {1, 2, 8};
  for (int t = 0; t < 3; t++) {
    for (int k = 0; k < 3; k++) {
      double run, ns = chain_ns(threads[t], items[k], &run);
      print_message("%u threads, chain of dispatches of %u items: %.0f ns a dispatch, %.1f us a run of one\n",
                    threads[t], items[k], ns, run / 1000);
      assert_true(ns < 1e6 && run < 1e8);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_overhead)};
  return cmocka_run_group_tests_name("cpu_overhead", tests, NULL, NULL);
}
