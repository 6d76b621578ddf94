/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Order and completeness: every item runs once, after all that it depends on, on any number of threads.
 */
#include "cpu_fixture.h"

#include <stdlib.h>
#include <string.h>

static const uint32_t thread_counts[] = {1, 2, 7, 16, 0 /* with the executor */};
#define N_THREAD_COUNTS 5u

static void open_nth(cpu_fixture *f, uint32_t n) {
  fixture_open(f, thread_counts[n], thread_counts[n] ? NULL : &fixture_executor);
}

static uint64_t mix(uint64_t x) {
  x = (x ^ (x >> 31)) * 0x9e3779b97f4a7c15u;
  return x ^ (x >> 29);
}

/* ---- A random DAG ------------------------------------------------------------------------------------------------ */

/* out[i] = mix(seed + i + sum of in[j][i]) */
typedef struct blend_args {
  uint64_t *out, *in[MAX_EDGES];
} blend_args;

static void blend(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *worker) {
  const blend_args *a = args;
  assert_true(worker->index < worker->count);
  for (uint64_t i = begin; i < end; i++) {
    uint64_t sum = i;
    for (uint32_t j = 0; j < MAX_EDGES; j++) sum += a->in[j][i];
    a->out[i] = mix(sum);
  }
}

static const rp_kernel blend_kernel = {.struct_size = sizeof(rp_kernel),
                                       .name = "blend",
                                       .args_bytes = sizeof(blend_args),
                                       .n_binds = 1 + MAX_EDGES,
                                       .n_cpu = 1,
                                       .cpu = &(const rp_cpu_variant){RP_ISA_C, blend}};

enum { DAG_STEPS = 150, DAG_ITEMS = 64 };

/* Step s writes row s + 1; row 0 stays zero and stands for an absent predecessor. */
static draft *random_dag(cpu_fixture *f, uint32_t flags, unsigned seed, uint64_t *expected) {
  const uint64_t row = DAG_ITEMS * sizeof(uint64_t);
  draft *d = draft_new(f, flags);
  d->desc.order_seed = seed;
  uint32_t arena = draft_block(d, RP_SPACE_ARENA, (DAG_STEPS + 1) * row, 0);
  memset(expected, 0, row);
  srand(seed);
  for (uint32_t s = 0; s < DAG_STEPS; s++) {
    uint32_t items = 1 + (uint32_t)rand() % DAG_ITEMS, reach = s < 20 ? s : 20;
    uint32_t before[MAX_EDGES];
    draft_step(d, &blend_kernel, items, NULL);
    d->patterns[s].grain = (uint32_t)rand() % 9;
    draft_ref(d, s, arena, (s + 1) * row, row, RP_WRITE);
    for (uint32_t j = 0; j < MAX_EDGES; j++) {
      before[j] = reach && rand() % 3 == 0 ? s - (uint32_t)rand() % reach : 0; /* the predecessor's row number */
      draft_ref(d, s, arena, before[j] * row, row, RP_READ);
      if (before[j]) draft_edge(d, before[j] - 1, s);
    }
    uint64_t *out = expected + (s + 1) * (size_t)DAG_ITEMS;
    memset(out, 0, row);
    for (uint32_t i = 0; i < items; i++) {
      uint64_t sum = i;
      for (uint32_t j = 0; j < MAX_EDGES; j++) sum += expected[before[j] * (size_t)DAG_ITEMS + i];
      out[i] = mix(sum);
    }
  }
  return d;
}

static void test_random_dags(void **state) {
  (void)state;
  static uint64_t expected[(DAG_STEPS + 1) * DAG_ITEMS];
  const uint32_t flags[] = {0, RP_RECORD_RANDOM_ORDER, RP_RECORD_CHECK_HAZARDS, RP_RECORD_PROFILE,
                            RP_RECORD_RANDOM_ORDER | RP_RECORD_CHECK_HAZARDS | RP_RECORD_PROFILE};
  for (uint32_t t = 0; t < N_THREAD_COUNTS; t++) {
    cpu_fixture f;
    open_nth(&f, t);
    for (unsigned k = 0; k < 10; k++) {
      draft *d = random_dag(&f, flags[k % 5], 100 * t + k, expected);
      draft_build(d);
      for (int run = 0; run < 5; run++) {
        memset(draft_host(d, 0), 0, sizeof expected);
        assert_int_equal(draft_run(d), RP_OK);
        assert_memory_equal(draft_host(d, 0), expected, sizeof expected);
      }
      draft_free(d);
    }
    fixture_close(&f);
  }
}

/* ---- Items and counters ------------------------------------------------------------------------------------------ */

typedef struct tally_args {
  _Atomic uint32_t *hits;
} tally_args;

static void tally(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *worker) {
  const tally_args *a = args;
  (void)worker;
  for (uint64_t i = begin; i < end; i++) atomic_fetch_add(&a->hits[i], 1);
}

static const rp_kernel tally_kernel = {.struct_size = sizeof(rp_kernel),
                                       .name = "tally",
                                       .args_bytes = sizeof(tally_args),
                                       .n_binds = 1,
                                       .n_cpu = 1,
                                       .cpu = &(const rp_cpu_variant){RP_ISA_C, tally}};

static void test_every_item_once(void **state) {
  (void)state;
  const uint32_t sizes[] = {1, 2, 3, 31, 1000, 65537}, grains[] = {0, 1, 7, 100000};
  for (uint32_t t = 0; t < N_THREAD_COUNTS; t++) {
    cpu_fixture f;
    open_nth(&f, t);
    for (uint32_t k = 0; k < 24; k++) {
      uint32_t n = sizes[k / 4];
      draft *d = draft_new(&f, 0);
      uint32_t arena = draft_block(d, RP_SPACE_ARENA, 12 * (uint64_t)n + 4, 0);
      draft_step(d, &tally_kernel, n, NULL);
      d->patterns[0].groups[1] = 3; /* 3 n items */
      d->patterns[0].grain = grains[k % 4];
      draft_ref(d, 0, arena, 0, 12 * (uint64_t)n, RP_WRITE);
      draft_build(d);
      assert_int_equal(draft_run(d), RP_OK);
      const uint32_t *hits = draft_host(d, arena);
      for (uint32_t i = 0; i < 3 * n; i++) assert_int_equal(hits[i], 1);
      assert_int_equal(hits[3 * n], 0);
      draft_free(d);
    }
    fixture_close(&f);
  }
}

/* ---- Hazards ----------------------------------------------------------------------------------------------------- */

/* Two stores without an edge between them, with the given accesses; offset_b says where the second one writes. */
static rp_status run_pair(uint32_t threads, uint32_t access_a, uint32_t access_b, uint64_t offset_b, rp_error *err) {
  cpu_fixture f;
  fixture_open(&f, threads, NULL);
  draft *d = draft_new(&f, RP_RECORD_CHECK_HAZARDS);
  uint32_t arena = draft_block(d, RP_SPACE_ARENA, 64, 0);
  for (uint32_t s = 0; s < 2; s++) {
    draft_step(d, &tally_kernel, 1, NULL);
    draft_ref(d, s, arena, s ? offset_b : 0, 8, s ? access_b : access_a);
  }
  d->patterns[0].label = "first store";
  d->patterns[1].label = "second store";
  draft_build(d);
  rp_error_record fault;
  assert_int_equal(rp_backend_cpu.submit(f.state, d->program, NULL, 0, NULL, err), RP_OK);
  rp_status status = rp_backend_cpu.wait(f.state, d->program, UINT64_MAX, &fault, err);
  draft_free(d);
  fixture_close(&f);
  return status;
}

static void test_hazards(void **state) {
  (void)state;
  for (uint32_t threads = 1; threads <= 2; threads++) {
    rp_error err = {0};
    assert_int_equal(run_pair(threads, RP_WRITE, RP_READ, 4, &err), RP_ERR_INTERNAL);
    assert_non_null(strstr(err.reason, "first store"));
    assert_non_null(strstr(err.reason, "second store"));
    assert_int_equal(run_pair(threads, RP_READ_WRITE | RP_ATOMIC, RP_READ, 0, &err), RP_ERR_INTERNAL);
    assert_int_equal(run_pair(threads, RP_READ_WRITE, RP_WRITE, 0, &err), RP_ERR_INTERNAL);
    assert_int_equal(run_pair(threads, RP_READ, RP_READ, 0, &err), RP_OK);
    assert_int_equal(run_pair(threads, RP_WRITE, RP_WRITE, 8, &err), RP_OK);
    assert_int_equal(run_pair(threads, RP_READ_WRITE | RP_ATOMIC, RP_READ_WRITE | RP_ATOMIC, 0, &err), RP_OK);
  }
}

/* ---- Which step is started first --------------------------------------------------------------------------------- */

typedef struct order_args {
  _Atomic uint32_t *log; /* [0]: number of entries; behind it, `who` of each step in the order in which they ran */
  uint32_t who, pad;
} order_args;

static void note(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *worker) {
  const order_args *a = args;
  (void)begin, (void)end, (void)worker;
  atomic_store(&a->log[1 + atomic_fetch_add(&a->log[0], 1)], a->who);
}

static const rp_kernel note_kernel = {.struct_size = sizeof(rp_kernel),
                                      .name = "note",
                                      .args_bytes = sizeof(order_args),
                                      .n_binds = 1,
                                      .n_cpu = 1,
                                      .cpu = &(const rp_cpu_variant){RP_ISA_C, note}};

/* Steps 0 to 3 are independent, and 4 to 6 are a chain. One thread runs them. */
static void run_order(uint32_t flags, uint64_t seed, uint32_t order[7]) {
  cpu_fixture f;
  fixture_open(&f, 1, NULL);
  draft *d = draft_new(&f, flags);
  d->desc.order_seed = seed;
  uint32_t arena = draft_block(d, RP_SPACE_ARENA, 64, 0);
  for (uint32_t s = 0; s < 7; s++) {
    order_args args = {.who = s};
    draft_step(d, &note_kernel, 1, &args);
    draft_ref(d, s, arena, 0, 32, RP_READ_WRITE | RP_ATOMIC);
    if (s > 4) draft_edge(d, s - 1, s);
  }
  draft_build(d);
  assert_int_equal(draft_run(d), RP_OK);
  memcpy(order, (uint32_t *)draft_host(d, arena) + 1, 7 * sizeof *order);
  draft_free(d);
  fixture_close(&f);
}

static void test_longest_path_first(void **state) {
  (void)state;
  /* The chain goes first until what is left of it is as short as the other steps. */
  const uint32_t expected[7] = {4, 5, 0, 1, 2, 3, 6};
  uint32_t order[7];
  run_order(0, 0, order);
  assert_memory_equal(order, expected, sizeof order);
}

static void test_random_order(void **state) {
  (void)state;
  uint32_t order[7], again[7], differ = 0;
  for (uint64_t seed = 0; seed < 20; seed++) {
    uint32_t place[7], before[7];
    if (seed) memcpy(before, order, sizeof order);
    run_order(RP_RECORD_RANDOM_ORDER, seed, order);
    run_order(RP_RECORD_RANDOM_ORDER, seed, again);
    assert_memory_equal(order, again, sizeof order);
    for (uint32_t i = 0; i < 7; i++) place[order[i]] = i;
    assert_true(place[4] < place[5] && place[5] < place[6]);
    if (seed) differ += memcmp(before, order, sizeof order) != 0;
  }
  assert_true(differ > 10);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_random_dags),        cmocka_unit_test(test_every_item_once), cmocka_unit_test(test_hazards),
      cmocka_unit_test(test_longest_path_first), cmocka_unit_test(test_random_order),
  };
  return cmocka_run_group_tests_name("cpu_schedule", tests, NULL, NULL);
}
