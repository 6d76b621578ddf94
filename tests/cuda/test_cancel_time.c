/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * How soon a cancelled run ends on a GPU, and what it costs that its recording is cut into pieces.
 */
#include "long_graph.h"

#include <stdio.h>
#include <time.h>

static uint64_t now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* The output is so many times the input. */
static uint64_t factor_of(uint32_t chains) { return 1 + chains + chains * (chains - 1) / 2; }

/* `chains` chains side by side of `pauses` pauses, each of `us`. */
static long_graph pauses(uint32_t chains, uint32_t n, uint32_t us, bool cut) {
  long_graph l = long_begin();
  rp_value sum = l.x;
  for (uint32_t c = 0; c < chains; c++) {
    rp_value x = toy_mix(l.g, l.x, l.x, c);
    for (uint32_t i = 0; i < n; i++) x = toy_pause(l.g, x, us);
    sum = toy_mix(l.g, x, sum, 1);
  }
  long_record(&l, sum, cut ? (uint64_t)us * 1000 : 0, NULL);
  return l;
}

static int compare(const void *a, const void *b) {
  const double *x = a, *y = b;
  return *x < *y ? -1 : *x > *y;
}

/* Milliseconds; the runs of both alternate. */
static void medians(const long_graph l[2], uint64_t factor, double ms[2]) {
  enum { ROUNDS = 9 };
  double times[2][ROUNDS];
  uint64_t x[N];
  for (int i = 0; i < 2 * ROUNDS; i++) {
    work_fill(x, (uint64_t)i);
    const uint64_t begin_ns = now_ns();
    rp_run *run = long_start(&l[i % 2], x, 0);
    EXPECT(RP_OK, rp_run_wait(run, UINT64_MAX), rp_run_error(run));
    times[i % 2][i / 2] = (double)(now_ns() - begin_ns) / 1e6;
    long_finish(&l[i % 2], run, x, factor);
  }
  for (int k = 0; k < 2; k++) {
    qsort(times[k], ROUNDS, sizeof *times[k], compare);
    ms[k] = times[k][ROUNDS / 2];
  }
}

static void what_pieces_cost(void **state) {
  (void)state;
  static const struct {
    uint32_t chains, n, us;
  } cases[] = {{1, 300, 1000}, {4, 300, 1000}, {1, 3000, 100}, {4, 60, 5000}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    long_graph l[2];
    double ms[2];
    for (int cut = 0; cut < 2; cut++) l[cut] = pauses(cases[i].chains, cases[i].n, cases[i].us, cut);
    medians(l, factor_of(cases[i].chains), ms);
    print_message("%u chains of %u dispatches of %u us: whole %.2f ms, cut %.2f ms, %+.2f %%\n", cases[i].chains,
                  cases[i].n, cases[i].us, ms[0], ms[1], 100 * (ms[1] / ms[0] - 1));
    assert_true(ms[1] < 1.02 * ms[0] + 1);
    for (int cut = 0; cut < 2; cut++) long_end(&l[cut]);
  }
}

static void sleep_until(uint64_t ns) {
  while (now_ns() < ns) nanosleep(&(struct timespec){0, 100000}, NULL);
}

/* About 300 ms, cancelled after 50: back within 20 ms, and the next run is right. */
static void a_cancelled_run_ends_soon(void **state) {
  (void)state;
  for (uint32_t chains = 1; chains <= 4; chains += 3) {
    long_graph l = pauses(chains, 300, 1000, 1);
    uint64_t x[N];
    long_once(&l, 1, 0, factor_of(chains)); /* the first launch uploads the graph */
    for (uint64_t round = 0; round < 5; round++) {
      work_fill(x, round);
      const uint64_t begin_ns = now_ns();
      rp_run *run = long_start(&l, x, 0);
      sleep_until(begin_ns + 50 * MS);
      assert_int_equal(rp_run_poll(run), RP_ERR_TIMEOUT);
      const uint64_t cancel_ns = now_ns();
      rp_run_cancel(run);
      assert_int_equal(rp_run_wait(run, UINT64_MAX), RP_ERR_CANCELLED);
      const double ms = (double)(now_ns() - cancel_ns) / 1e6;
      print_message("%u chains: back %.2f ms after the call\n", chains, ms);
      assert_true(ms < 20);
      long_expect_cancelled(&l, run);
      long_once(&l, round + 7, 0, factor_of(chains));
    }
    long_end(&l);
  }
}

int main(void) {
  if (bench_absent()) return 77;
  const struct CMUnitTest tests[] = {cmocka_unit_test(what_pieces_cost), cmocka_unit_test(a_cancelled_run_ends_soon)};
  return cmocka_run_group_tests_name("cuda cancel, times", tests, NULL, NULL);
}
