/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The one-time part in several programs, each started while the next long constant goes up: the same values, and after
 * a failure anywhere nothing runs and nothing is left.
 */
#include "bench.h"

#include <reprise/source.h>

#include "fake_cuda.h"

enum { LEN = 4 << 20, LONGS = 3 };

typedef struct tables {
  rp_graph *graph;
  rp_recording *recording;
  rp_value in, out;
} tables;

/* Element i of constant k is (k + 1) i + k. */
static rp_status read_constant(void *user, uint64_t offset, uint64_t bytes, void *to, rp_error *err) {
  const uint64_t k = *(const uint64_t *)user;
  (void)err;
  for (uint64_t i = 0; i < bytes / 8; i++) ((uint64_t *)to)[i] = (k + 1) * (offset / 8 + i) + k;
  return RP_OK;
}

static rp_value constant(rp_graph *g, uint64_t *k) {
  const rp_constant_source s = {.struct_size = sizeof s, .read = read_constant, .user = k};
  return rp_graph_constant_from(g, "key", &toy_u64, LEN, &s);
}

/* Tables of the first constant, of the first two, and of the last one and the first table. The first constant must not
 * have the one number, and the last one not the other. */
static rp_status record(const bench *b, tables *t, uint32_t not_first, uint32_t not_last, rp_error *err) {
  static uint64_t numbers[LONGS] = {0, 1, 2};
  *t = (tables){0};
  rp_status status = rp_graph_create(b->context, "tables", &t->graph, err);
  if (status != RP_OK) return status;
  rp_graph *g = t->graph;
  rp_value k[LONGS];
  for (int i = 0; i < LONGS; i++) k[i] = constant(g, &numbers[i]);
  const rp_value checked = toy_check(g, k[0], not_first), first = toy_mix(g, checked, checked, 2),
                 second = toy_mix(g, k[0], k[1], 5), third = toy_mix(g, toy_check(g, k[2], not_last), first, 7);
  t->in = rp_graph_input(g, "in", &toy_u64, LEN, 0);
  t->out = toy_mix(g, first, toy_mix(g, second, toy_mix(g, third, t->in, 1), 1), 1);
  rp_graph_output(g, "out", t->out, 0);
  return rp_record(b->device, g, NULL, &t->recording, err);
}

static void drop(tables *t) {
  rp_recording_destroy(t->recording);
  rp_graph_destroy(t->graph);
}

/* first = 3 k0, second = 5 k0 + k1, third = 7 k2 + 3 k0 */
static void check_run(tables *t) {
  static uint64_t in[LEN], out[LEN];
  for (uint64_t i = 0; i < LEN; i++) in[i] = i ^ 0x1234567;
  rp_error err = {0};
  EXPECT(RP_OK,
         rp_replay(t->recording, &(rp_replay_input){.name = "in", .data = in, .size_bytes = sizeof in}, 1,
                   &(rp_replay_output){.name = "out", .data = out, .size_bytes = sizeof out}, 1, &err),
         &err);
  for (uint64_t i = 0; i < LEN; i++)
    if (out[i] != 11 * i + (2 * i + 1) + 7 * (3 * i + 2) + in[i]) fail_msg("element %d", (int)i);
}

static void expect_nothing(const bench *b) {
  static const char *const kinds[] = {"stream", "event", "graph", "exec", "device", "pinned"};
  (void)b;
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (fake_live(kinds[i])) fail_msg("%s: %d are left", kinds[i], (int)fake_live(kinds[i]));
}

static void open_fake(bench *b) {
  fake_reset();
  toy_register();
  bench_open(b, 0, 0);
}

static void tables_are_computed_meanwhile(void **state) {
  bench b;
  tables t;
  rp_error err = {0};
  (void)state;
  open_fake(&b);
  fake_count_from_here();
  EXPECT(RP_OK, record(&b, &t, BAD, BAD, &err), &err);
  assert_int_equal(fake_calls("cuGraphLaunch"), LONGS);
  check_run(&t);
  EXPECT(RP_OK, rp_recording_evict(t.recording, &err), &err);
  check_run(&t); /* loaded again */
  assert_int_equal(fake_calls("cuGraphLaunch"), 2 * LONGS + 2);
  drop(&t);
  expect_nothing(&b);
  bench_close(&b);
  assert_null(fake_violation());
}

/* A check of a constant that does not hold. */
static void a_fault_in_a_program(void **state) {
  bench b;
  tables t;
  rp_error err = {0};
  (void)state;
  open_fake(&b);
  EXPECT(RP_ERR_INPUT, record(&b, &t, BAD, 3 * 5 + 2, &err), &err);
  assert_non_null(strstr(err.reason, "element 5"));
  drop(&t);
  /* One that comes before a copy that fails: that is the reason. */
  fake_fail("cuMemcpyHtoD", LONGS * 16, CUDA_ERROR_INVALID_VALUE);
  EXPECT(RP_ERR_INTERNAL, record(&b, &t, 5, BAD, &err), &err);
  assert_non_null(strstr(err.reason, "cuMemcpyHtoD"));
  drop(&t);
  /* One before memory runs out: nothing is tried again with less. */
  fake_count_from_here();
  fake_fail("cuMemHostAlloc", LONGS + 2, CUDA_ERROR_OUT_OF_MEMORY); /* staging */
  EXPECT(RP_ERR_INPUT, record(&b, &t, BAD, 3 * 5 + 2, &err), &err);
  assert_non_null(strstr(err.reason, "element 5"));
  assert_int_equal(fake_calls("cuGraphLaunch"), LONGS);
  drop(&t);
  fake_fail(NULL, 0, CUDA_SUCCESS);
  expect_nothing(&b);
  bench_close(&b);
}

/* Each call of these functions fails once, among them those after which programs are in flight. */
static void calls_that_fail(void **state) {
  static const struct {
    const char *function;
    int calls, step, pieces; /* how many calls there are, which are tried; the one that is made again for less */
  } tried[] = {{"cuMemcpyHtoD", LONGS * 16, 11, 0},     {"cuGraphLaunch", LONGS, 1, 0},
               {"cuGraphInstantiate", LONGS + 1, 1, 0}, {"cuMemHostAlloc", LONGS + 4, 1, LONGS + 1},
               {"cuEventSynchronize", LONGS, 1, 0},     {"cuStreamWaitEvent", LONGS - 1, 1, 0}};
  bench b;
  tables t;
  (void)state;
  open_fake(&b);
  for (size_t f = 0; f < sizeof tried / sizeof *tried; f++)
    for (int nth = 1; nth <= tried[f].calls; nth += tried[f].step) {
      rp_error err = {0};
      if (nth == tried[f].pieces) continue;
      fake_fail(tried[f].function, nth, CUDA_ERROR_INVALID_VALUE);
      EXPECT(RP_ERR_INTERNAL, record(&b, &t, BAD, BAD, &err), &err);
      assert_non_null(strstr(err.reason, tried[f].function));
      drop(&t);
      expect_nothing(&b);
    }
  fake_fail(NULL, 0, CUDA_SUCCESS);
  rp_error err = {0};
  EXPECT(RP_OK, record(&b, &t, BAD, BAD, &err), &err);
  check_run(&t);
  drop(&t);
  bench_close(&b);
  assert_null(fake_violation());
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(tables_are_computed_meanwhile),
                                     cmocka_unit_test(a_fault_in_a_program), cmocka_unit_test(calls_that_fail)};
  return cmocka_run_group_tests_name("once", tests, NULL, NULL);
}
