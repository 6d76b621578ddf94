/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Graphs recorded and replayed end to end, with ops written as a caller would write them.
 */
#include "toy_ops.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct fixture {
  rp_context *context;
  rp_device *device;
  rp_graph *graph;
} fixture;

static int set_up(void **state) {
  fixture *f = calloc(1, sizeof *f);
  rp_device_options o = {.struct_size = sizeof o, .kind = RP_DEVICE_CPU, .cpu_threads = 2};
  assert_int_equal(rp_context_create(NULL, &f->context, NULL), RP_OK);
  assert_int_equal(rp_device_open(f->context, &o, &f->device, NULL), RP_OK);
  assert_int_equal(rp_graph_create(f->context, "test", &f->graph, NULL), RP_OK);
  *state = f;
  return 0;
}

static int tear_down(void **state) {
  fixture *f = *state;
  rp_graph_destroy(f->graph);
  rp_device_close(f->device);
  rp_context_destroy(f->context);
  free(f);
  return 0;
}

static rp_recording *record(fixture *f, uint32_t flags) {
  rp_error err = {0};
  rp_recording *r = NULL;
  rp_record_options o = {.struct_size = sizeof o, .flags = flags | RP_RECORD_CHECK_HAZARDS};
  if (rp_record(f->device, f->graph, &o, &r, &err)) fail_msg("%s", err.reason);
  return r;
}

static void a_user_op_from_input_to_output(void **state) {
  fixture *f = *state;
  uint64_t in[100];
  rp_value a = rp_graph_input(f->graph, "a", &toy_u64, 100, RP_SECRET);
  rp_value twice = toy_scale(f->graph, a, 2);
  rp_value sum = toy_sum(f->graph, toy_add(f->graph, twice, a));
  rp_value looked = toy_table(f->graph, twice);
  rp_value odd = toy_count_odd(f->graph, a);
  rp_value halves[2];
  toy_split(f->graph, looked, halves);
  rp_graph_output(f->graph, "sum", sum, 0);
  rp_graph_output(f->graph, "high", halves[1], 0);
  rp_graph_output(f->graph, "odd", odd, 0);
  rp_recording *r = record(f, 0);
  for (uint64_t round = 0; round < 20; round++) {
    uint64_t want = 0, odds = 0;
    for (uint64_t i = 0; i < 100; i++) in[i] = i * round + 7, want += 3 * in[i], odds += in[i] & 1;
    rp_run *run;
    assert_int_equal(rp_run_begin(r, 0, &run, NULL), RP_OK);
    assert_int_equal(rp_run_set_input(run, a, in, sizeof in), RP_OK);
    assert_int_equal(rp_run_submit(run), RP_OK);
    assert_int_equal(rp_run_wait(run, UINT64_MAX), RP_OK);
    assert_int_equal(*(const uint64_t *)rp_run_output(run, sum), want);
    assert_int_equal(*(const uint64_t *)rp_run_output(run, odd), odds);
    const uint64_t *high = rp_run_output(run, halves[1]);
    for (uint64_t i = 50; i < 100; i++) assert_int_equal(high[i - 50], 2 * in[i] + 2 * (i % 16) * (i % 16));
    rp_run_end(run);
  }
  rp_recording_destroy(r);
}

static void bad_data_is_a_sentence(void **state) {
  fixture *f = *state;
  uint64_t in[8] = {1, 2, 3, 4, 5, 99, 7, 8};
  rp_value a = rp_graph_input(f->graph, "witness", &toy_u64, 8, RP_SECRET);
  rp_scope_begin(f->graph, "prove");
  rp_value b = toy_check(f->graph, a, 50);
  rp_scope_end(f->graph);
  rp_graph_output(f->graph, "out", b, 0);
  rp_recording *r = record(f, 0);
  rp_run *run;
  assert_int_equal(rp_run_begin(r, 0, &run, NULL), RP_OK);
  assert_int_equal(rp_run_set_input(run, a, in, sizeof in), RP_OK);
  assert_int_equal(rp_run_submit(run), RP_OK);
  assert_int_equal(rp_run_wait(run, UINT64_MAX), RP_ERR_INPUT);
  assert_string_equal(rp_run_error(run)->reason, "fault 67 of a user's op: witness element 5 (node prove/toy_check)");
  assert_null(rp_run_output(run, b));
  rp_run_end(run);
  in[5] = 6;
  assert_int_equal(rp_run_begin(r, 0, &run, NULL), RP_OK);
  assert_int_equal(rp_run_set_input(run, a, in, sizeof in), RP_OK);
  assert_int_equal(rp_run_submit(run), RP_OK);
  assert_int_equal(rp_run_wait(run, UINT64_MAX), RP_OK);
  assert_memory_equal(rp_run_output(run, b), in, sizeof in);
  rp_run_end(run);
  rp_recording_destroy(r);
}

static void constants_are_computed_once(void **state) {
  fixture *f = *state;
  uint64_t k[4] = {1, 2, 3, 4}, in[4] = {10, 20, 30, 40}, back[4];
  rp_value c = rp_graph_constant(f->graph, "k", &toy_u64, 4, k, 0);
  rp_value c3 = toy_scale(f->graph, toy_scale(f->graph, c, 3), 5);
  rp_value a = rp_graph_input(f->graph, "a", &toy_u64, 4, 0);
  rp_value out = toy_add(f->graph, a, c3);
  assert_true(rp_value_is_constant(f->graph, c3));
  rp_graph_output(f->graph, "out", out, 0);
  rp_recording *r = record(f, 0);
  rp_graph_destroy(f->graph); /* the recording does not need its graph */
  f->graph = NULL;
  rp_plan_info info = {.struct_size = sizeof info};
  rp_recording_get_plan(r, &info);
  assert_int_equal(info.once_dispatches, 2);
  assert_int_equal(info.dispatches, 1);
  assert_int_equal(rp_recording_read_constant(r, c3, back, sizeof back, NULL), RP_OK);
  for (int i = 0; i < 4; i++) assert_int_equal(back[i], 15 * k[i]);
  for (int round = 0; round < 3; round++) {
    rp_run *run;
    assert_int_equal(rp_run_begin(r, UINT64_MAX, &run, NULL), RP_OK);
    memcpy(rp_run_input(run, a), in, sizeof in);
    assert_int_equal(rp_run_submit(run), RP_OK);
    assert_int_equal(rp_run_wait(run, UINT64_MAX), RP_OK);
    const uint64_t *got = rp_run_output(run, out);
    for (int i = 0; i < 4; i++) assert_int_equal(got[i], in[i] + 15 * k[i]);
    rp_run_end(run);
    assert_int_equal(rp_recording_evict(r, NULL), RP_OK); /* the next round loads it again */
  }
  rp_recording_destroy(r);
}

/* A device that sees host memory uses aligned borrowed constants in place, without a copy. */
static void borrowed_constants_stay_in_place(void **state) {
  fixture *f = *state;
  static uint64_t memory[9];
  static const uint64_t in[8] = {10, 20, 30, 40, 50, 60, 70, 80};
  for (int odd = 0; odd < 2; odd++) {
    char *data = (char *)memory + 4 * odd;
    for (uint64_t i = 0; i < 8; i++) memcpy(data + 8 * i, &i, sizeof i);
    rp_graph *graph;
    rp_recording *r = NULL;
    rp_plan_info info = {.struct_size = sizeof info};
    assert_int_equal(rp_graph_create(f->context, "borrowing", &graph, NULL), RP_OK);
    rp_value a = rp_graph_input(graph, "a", &toy_u64, 8, 0);
    rp_value out = toy_add(graph, a, rp_graph_constant(graph, "k", &toy_u64, 8, data, RP_BORROW));
    rp_graph_output(graph, "out", out, 0);
    assert_int_equal(rp_record(f->device, graph, NULL, &r, NULL), RP_OK);
    rp_recording_get_plan(r, &info);
    assert_int_equal(info.borrowed_bytes, odd ? 0 : 64);
    assert_int_equal(info.constant_bytes, odd ? 64 : 0);
    rp_run *run;
    assert_int_equal(rp_run_begin(r, 0, &run, NULL), RP_OK);
    assert_int_equal(rp_run_set_input(run, a, in, sizeof in), RP_OK);
    assert_int_equal(rp_run_submit(run), RP_OK);
    assert_int_equal(rp_run_wait(run, UINT64_MAX), RP_OK);
    for (uint64_t i = 0; i < 8; i++) assert_int_equal(((const uint64_t *)rp_run_output(run, out))[i], in[i] + i);
    rp_run_end(run);
    rp_recording_destroy(r);
    rp_graph_destroy(graph);
  }
}

/* Bad data in a constant fails the recording, with the sentence that a run would report. */
static void bad_constants_fail_the_recording(void **state) {
  fixture *f = *state;
  static const uint64_t key[4] = {1, 2, 99, 4};
  rp_error err = {0};
  rp_recording *r;
  rp_value checked = toy_check(f->graph, rp_graph_constant(f->graph, "key", &toy_u64, 4, key, 0), 50);
  rp_graph_output(f->graph, "out", toy_add(f->graph, rp_graph_input(f->graph, "a", &toy_u64, 4, 0), checked), 0);
  assert_int_equal(rp_record(f->device, f->graph, NULL, &r, &err), RP_ERR_INPUT);
  assert_string_equal(err.reason, "fault 67 of a user's op: key element 2 (node toy_check)");
  assert_null(r);
}

static void *dirty_alloc(void *user, size_t bytes, size_t align) {
  void *memory = aligned_alloc(align, (bytes + align - 1) / align * align);
  (void)user;
  if (memory) memset(memory, 0x5a, bytes);
  return memory;
}

static void dirty_free(void *user, void *memory, size_t bytes) {
  (void)user, (void)bytes;
  free(memory);
}

/* A device that computes nothing gives out zeros, and not what its memory held before. */
static void the_null_device_gives_zeros(void **state) {
  (void)state;
  const rp_context_options dirty = {.struct_size = sizeof dirty, .allocator = {NULL, dirty_alloc, dirty_free}};
  const rp_device_options null = {.struct_size = sizeof null, .kind = RP_DEVICE_NULL};
  fixture f;
  uint64_t in[8] = {1}, out[8] = {1};
  static const uint64_t zeros[8];
  assert_int_equal(rp_context_create(&dirty, &f.context, NULL), RP_OK);
  assert_int_equal(rp_device_open(f.context, &null, &f.device, NULL), RP_OK);
  assert_int_equal(rp_graph_create(f.context, "null", &f.graph, NULL), RP_OK);
  rp_graph_output(f.graph, "out", toy_scale(f.graph, rp_graph_input(f.graph, "in", &toy_u64, 8, 0), 2), 0);
  rp_recording *r = record(&f, 0);
  const rp_replay_input give = {.name = "in", .data = in, .size_bytes = sizeof in};
  const rp_replay_output take = {.name = "out", .data = out, .size_bytes = sizeof out};
  assert_int_equal(rp_replay(r, &give, 1, &take, 1, NULL), RP_OK);
  assert_memory_equal(out, zeros, sizeof out);
  rp_recording_destroy(r);
  rp_graph_destroy(f.graph);
  rp_device_close(f.device);
  rp_context_destroy(f.context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(a_user_op_from_input_to_output, set_up, tear_down),
      cmocka_unit_test_setup_teardown(bad_data_is_a_sentence, set_up, tear_down),
      cmocka_unit_test_setup_teardown(constants_are_computed_once, set_up, tear_down),
      cmocka_unit_test_setup_teardown(borrowed_constants_stay_in_place, set_up, tear_down),
      cmocka_unit_test_setup_teardown(bad_constants_fail_the_recording, set_up, tear_down),
      cmocka_unit_test(the_null_device_gives_zeros),
  };
  return cmocka_run_group_tests_name("runs", tests, NULL, NULL);
}
