/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * One submission, one wait, no allocation between submission and completion, no secret left afterwards, and exactly as
 * much memory as the plan says, as seen from below the engine.
 */
#include "watch.h"

enum { N = 512, SLOTS = 4 };

typedef struct prover {
  rp_value in, sum, copy;
} prover;

static prover build(uint32_t input_flags) {
  rp_graph *g = the_watch.graph;
  prover p = {.in = rp_graph_input(g, "witness", &toy_u64, N, input_flags)};
  rp_scope_begin(g, "prove");
  rp_value checked = toy_check(g, p.in, UINT64_MAX);
  p.copy = toy_scale(g, checked, 1);
  p.sum = toy_sum(g, toy_table(g, toy_add(g, checked, p.copy)));
  rp_scope_end(g);
  rp_graph_output(g, "sum", p.sum, 0);
  rp_graph_output(g, "copy", p.copy, 0);
  return p;
}

static void fill(uint64_t *in, uint64_t seed) {
  for (uint64_t i = 0; i < N; i++) in[i] = (seed + 1) * 0x9e3779b97f4a7c15u ^ i * 0xc2b2ae3d27d4eb4fu;
}

static uint64_t expected(const uint64_t *in) {
  uint64_t sum = 0;
  for (uint64_t i = 0; i < N; i++) sum += 2 * in[i] + 2 * (i % 16) * (i % 16);
  return sum;
}

static void one_submission_one_wait_no_allocation(void **state) {
  (void)state;
  uint64_t in[N];
  watch_open(&rp_backend_cpu, 0);
  prover p = build(RP_SECRET);
  rp_recording *r = watch_record(1, 0);
  for (uint64_t round = 0; round < 200; round++) {
    rp_run *run;
    rp_run_counters c = {.struct_size = sizeof c};
    fill(in, round);
    assert_int_equal(rp_run_begin(r, 0, &run, NULL), RP_OK);
    memcpy(rp_run_input(run, p.in), in, sizeof in);
    uint64_t allocs = the_watch.allocs, memory = the_watch.memory_allocs, submits = the_watch.submits,
             waits = the_watch.waits, programs = the_watch.programs;
    assert_int_equal(rp_run_submit(run), RP_OK);
    assert_int_equal(rp_run_wait(run, UINT64_MAX), RP_OK);
    assert_int_equal(the_watch.submits - submits, 1);
    assert_int_equal(the_watch.waits - waits, 1);
    assert_int_equal(the_watch.allocs - allocs, 0);
    assert_int_equal(the_watch.memory_allocs - memory, 0);
    assert_int_equal(the_watch.programs - programs, 0);
    assert_int_equal(*(const uint64_t *)rp_run_output(run, p.sum), expected(in));
    rp_run_get_counters(run, &c);
    assert_int_equal(c.submissions, 1);
    assert_int_equal(c.waits, 1);
    assert_int_equal(c.uploads, 1);
    assert_int_equal(c.downloads, 1);
    assert_int_equal(c.bytes_up, sizeof in);
    assert_true(c.bytes_down >= 8 + sizeof in);
    assert_int_equal(c.dispatches, 6);
    assert_true(c.latency_ns >= c.submit_ns && c.submit_ns > 0);
    rp_run_end(run);
  }
  rp_recording_destroy(r);
  watch_close();
}

static void the_same_with_several_in_flight(void **state) {
  (void)state;
  static uint64_t in[SLOTS][N];
  watch_open(&rp_backend_cpu, 0);
  prover p = build(0);
  rp_recording *r = watch_record(SLOTS, 0);
  uint64_t before = the_watch.allocs;
  for (uint64_t round = 0; round < 50; round++) {
    rp_run *runs[SLOTS], *none;
    uint64_t submits = the_watch.submits, waits = the_watch.waits;
    for (uint64_t s = 0; s < SLOTS; s++) {
      fill(in[s], round * SLOTS + s);
      assert_int_equal(rp_run_begin(r, 0, &runs[s], NULL), RP_OK);
      assert_int_equal(rp_run_set_input(runs[s], p.in, in[s], sizeof in[s]), RP_OK);
      assert_int_equal(rp_run_submit(runs[s]), RP_OK);
    }
    assert_int_equal(rp_run_begin(r, 0, &none, NULL), RP_ERR_BUSY);
    for (uint64_t s = SLOTS; s-- > 0;) {
      assert_int_equal(rp_run_wait(runs[s], UINT64_MAX), RP_OK);
      assert_int_equal(*(const uint64_t *)rp_run_output(runs[s], p.sum), expected(in[s]));
      assert_memory_equal(rp_run_output(runs[s], p.copy), in[s], sizeof in[s]);
    }
    assert_int_equal(the_watch.submits - submits, SLOTS);
    assert_int_equal(the_watch.waits - waits, SLOTS);
    for (uint64_t s = 0; s < SLOTS; s++) rp_run_end(runs[s]);
  }
  assert_int_equal(the_watch.allocs, before);
  rp_recording_destroy(r);
  watch_close();
}

static void secrets_are_wiped(void **state) {
  (void)state;
  static const uint64_t secret = 0x5ec2e75ec2e75ec2u;
  uint64_t in[N];
  for (size_t i = 0; i < N; i++) in[i] = secret;
  watch_open(&rp_backend_cpu, 0);
  prover p = build(RP_SECRET);
  rp_recording *r = watch_record(2, 0);
  rp_run *run = watch_run(r, p.in, in, sizeof in, RP_OK);
  assert_true(watch_find(secret) >= 2 * N); /* staging, arena and output hold the secret, so the search finds it */
  rp_run_end(run);
  assert_true(watch_is_wiped(secret));
  assert_true(watch_is_wiped(2 * secret)); /* what was computed from the secret is wiped too */

  assert_int_equal(rp_run_begin(r, 0, &run, NULL), RP_OK); /* the input is set, and the run is never submitted */
  assert_int_equal(rp_run_set_input(run, p.in, in, sizeof in), RP_OK);
  assert_true(watch_find(secret) >= N);
  rp_run_end(run);
  assert_true(watch_is_wiped(secret));

  in[N - 1] = UINT64_MAX; /* this run fails */
  run = watch_run(r, p.in, in, sizeof in, RP_ERR_INPUT);
  assert_null(strstr(rp_run_error(run)->reason, "18446744073709551615"));
  rp_run_end(run);
  assert_true(watch_is_wiped(secret));
  rp_recording_destroy(r);
  watch_close();
}

static void public_runs_are_not_wiped(void **state) {
  (void)state;
  uint64_t in[N];
  fill(in, 1);
  watch_open(&rp_backend_cpu, 0);
  prover p = build(0);
  rp_recording *r = watch_record(1, 0);
  rp_run_end(watch_run(r, p.in, in, sizeof in, RP_OK));
  assert_int_equal(the_watch.wipes, 0);
  rp_recording_destroy(r);
  watch_close();
}

static void plans_are_exact(void **state) {
  (void)state;
  const rp_backend *const backends[] = {&rp_backend_null, &rp_backend_cpu};
  for (size_t b = 0; b < 2; b++) {
    rp_plan_info asked = {.struct_size = sizeof asked}, kept = {.struct_size = sizeof kept};
    rp_record_options o = {.struct_size = sizeof o, .max_in_flight = SLOTS};
    watch_open(backends[b], 0);
    (void)build(RP_SECRET);
    assert_int_equal(rp_plan_query(the_watch.device, the_watch.graph, &o, &asked, NULL), RP_OK);
    assert_int_equal(the_watch.memory_allocs, 0);
    assert_int_equal(the_watch.programs, 0);
    rp_recording *r = watch_record(SLOTS, 0);
    rp_recording_get_plan(r, &kept);
    assert_memory_equal(&asked, &kept, sizeof asked);
    uint64_t in_place = the_watch.device->info.limits.host_visible ? asked.staging_bytes : 0;
    uint64_t slot = asked.arena_bytes + asked.io_bytes + asked.parameter_bytes + in_place;
    assert_int_equal(the_watch.device_bytes, asked.constant_bytes + SLOTS * slot);
    assert_int_equal(the_watch.peak_bytes, asked.total_bytes);
    assert_int_equal(the_watch.staging_bytes, in_place ? 0 : SLOTS * asked.staging_bytes);
    rp_recording_destroy(r);
    watch_close();
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_submission_one_wait_no_allocation),
      cmocka_unit_test(the_same_with_several_in_flight),
      cmocka_unit_test(secrets_are_wiped),
      cmocka_unit_test(public_runs_are_not_wiped),
      cmocka_unit_test(plans_are_exact),
  };
  return cmocka_run_group_tests_name("counters", tests, NULL, NULL);
}
