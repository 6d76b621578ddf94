/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The overhead of a dispatch, beside its work. Prints figures, and fails only when they are far too large, since the
 * test machine may be busy with other things.
 */
#include "cpu_fixture.h"

#include <time.h>

typedef struct step_args {
  uint64_t *words;
} step_args;

static void add_one(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *worker) {
  const step_args *a = args;
  (void)worker;
  for (uint64_t i = begin; i < end; i++) a->words[8 * i]++;
}

static const rp_kernel add_kernel = {.struct_size = sizeof(rp_kernel),
                                     .name = "add_one",
                                     .args_bytes = sizeof(step_args),
                                     .n_binds = 1,
                                     .n_cpu = 1,
                                     .cpu = &(const rp_cpu_variant){RP_ISA_C, add_one}};

enum { CHAIN = 2000, ROUNDS = 50 };

/* Nanoseconds per dispatch of a chain in which each dispatch waits for the one before; the best of several runs. */
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
      d->patterns[s].grain = 1;
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
      assert_true(ns < 1e7 && run < 1e9);
    }
  }
}

/* ---- Idle threads ------------------------------------------------------------------------------------------------ */

static uint64_t processor_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void test_idle_threads_sleep(void **state) {
  (void)state;
  cpu_fixture f;
  fixture_open(&f, 4, NULL);
  draft *d = draft_new(&f, 0);
  uint32_t arena = draft_block(d, RP_SPACE_ARENA, 1024, 0);
  draft_step(d, &add_kernel, 16, NULL);
  draft_ref(d, 0, arena, 0, 1024, RP_READ_WRITE);
  draft_build(d);
  uint64_t used = 0, slowest = 0;
  for (int i = 0; i < 10; i++) {
    uint64_t begin = rp_now_ns();
    assert_int_equal(draft_run(d), RP_OK);
    uint64_t ns = rp_now_ns() - begin;
    if (ns > slowest) slowest = ns;
    /* Long enough for every thread to stop looking for work and sleep. */
    nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
    uint64_t before = processor_ns();
    nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    used += processor_ns() - before;
  }
  print_message("100 ms idle: %.0f us of processor time; a run out of the cold: at most %.1f us\n", (double)used / 1000,
                (double)slowest / 1000);
  assert_true(used < 20000000);
  draft_free(d);
  fixture_close(&f);
}

/* ---- Sharing the work -------------------------------------------------------------------------------------------- */

typedef struct spin_args {
  uint64_t *out;
  uint32_t rounds, heavy; /* items whose index is below `heavy` take 50 times as long */
} spin_args;

static void churn(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *worker) {
  const spin_args *a = args;
  (void)worker;
  for (uint64_t i = begin; i < end; i++) {
    uint64_t x = i + 1;
    for (uint32_t k = 0; k < a->rounds * (i < a->heavy ? 50 : 1); k++) x = (x ^ (x >> 29)) * 0x9e3779b97f4a7c15u;
    a->out[i] = x;
  }
}

static const rp_kernel churn_kernel = {.struct_size = sizeof(rp_kernel),
                                       .name = "churn",
                                       .args_bytes = sizeof(spin_args),
                                       .n_binds = 1,
                                       .n_cpu = 1,
                                       .cpu = &(const rp_cpu_variant){RP_ISA_C, churn}};

/* Prints the time on one thread divided by n times that on n threads. 1 means that all threads are busy to the end. */
static void test_sharing(void **state) {
  (void)state;
  enum { ITEMS = 4000, HEAVY = 20 };
  uint64_t one = 0;
  uint32_t cores = 1;
  for (uint32_t threads = 1; threads <= cores; threads *= 2) {
    cpu_fixture f;
    fixture_open(&f, threads, NULL);
    uint32_t n = 0;
    rp_device_info info = {.struct_size = sizeof info};
    assert_int_equal(rp_backend_cpu.enumerate(f.context, &info, 1, &n), RP_OK);
    cores = info.limits.workers;
    draft *d = draft_new(&f, 0);
    uint32_t arena = draft_block(d, RP_SPACE_ARENA, 8 * ITEMS, 0);
    spin_args args = {.rounds = 2000, .heavy = HEAVY};
    draft_step(d, &churn_kernel, ITEMS, &args);
    d->patterns[0].grain = 1;
    draft_ref(d, 0, arena, 0, 8 * ITEMS, RP_WRITE);
    draft_build(d);
    uint64_t best = UINT64_MAX;
    for (int i = 0; i < 7; i++) {
      uint64_t begin = rp_now_ns();
      assert_int_equal(draft_run(d), RP_OK);
      uint64_t ns = rp_now_ns() - begin;
      if (ns < best) best = ns;
    }
    if (threads == 1) one = best;
    print_message("%u threads, 20 heavy and 3980 light items: %.2f ms, %.2f of perfect sharing\n", threads,
                  (double)best / 1e6, (double)one / ((double)best * threads));
    draft_free(d);
    fixture_close(&f);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_overhead), cmocka_unit_test(test_idle_threads_sleep),
                                     cmocka_unit_test(test_sharing)};
  return cmocka_run_group_tests_name("cpu_overhead", tests, NULL, NULL);
}
