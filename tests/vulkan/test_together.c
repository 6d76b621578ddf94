/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Several runs in one vkQueueSubmit (rp_runs_submit). Runs are held up by a semaphore that the host signals, so that no
 * test depends on how long anything takes.
 */
#include "work.h"

#include "program.h"
#include "recording.h"

#include <reprise/host_program.h>

/* out = in + in; `checked`: out = in / in + in, where a zero is a fault. */
typedef struct line {
  rp_graph *graph;
  rp_recording *recording;
  rp_value in, out;
} line;

static line make(const bench *b, uint32_t slots, uint32_t in_flags, uint32_t out_flags, int checked) {
  line l;
  rp_error err = {0};
  const rp_record_options options = {.struct_size = sizeof options, .max_in_flight = slots};
  EXPECT(RP_OK, rp_graph_create(b->context, "line", &l.graph, &err), &err);
  l.in = rp_graph_input(l.graph, "in", rp_type_field(RP_FIELD_GOLDILOCKS), N, in_flags);
  const rp_batch_inverse_options strict = {.struct_size = sizeof strict, .zero = RP_ZERO_STRICT};
  const rp_value x = checked ? rp_mul(l.graph, l.in, rp_batch_inverse(l.graph, l.in, &strict)) : l.in;
  l.out = rp_add(l.graph, x, l.in);
  rp_graph_output(l.graph, "out", l.out, out_flags);
  EXPECT(RP_OK, rp_record(b->device, l.graph, &options, &l.recording, &err), &err);
  return l;
}

static void drop(line *l) {
  rp_recording_destroy(l->recording);
  rp_graph_destroy(l->graph);
}

/* The input in staging, or in `from`; the output in staging, or in `to`. */
static rp_run *begin(const line *l, const uint64_t *in, rp_buffer *from, rp_buffer *to) {
  rp_run *run = NULL;
  EXPECT(RP_OK, rp_run_begin(l->recording, UINT64_MAX, &run, NULL), NULL);
  if (in) EXPECT(RP_OK, rp_run_set_input(run, l->in, in, BYTES), rp_run_error(run));
  if (from) EXPECT(RP_OK, rp_run_bind_input(run, l->in, from, 0), rp_run_error(run));
  if (to) EXPECT(RP_OK, rp_run_bind_output(run, l->out, to, 0), rp_run_error(run));
  return run;
}

static void submit(rp_run *const *runs, uint32_t n, rp_submit_options o) {
  rp_error err = {0};
  o.struct_size = sizeof o;
  EXPECT(RP_OK, rp_runs_submit(runs, n, &o, &err), &err);
}

static void fill(uint64_t in[N], uint64_t seed) {
  for (uint64_t i = 0; i < N; i++) in[i] = ((seed * 1000003 + i * i) & 0xffffff) + 1; /* far below the modulus */
}

static void check(rp_run *run, rp_value out, const uint64_t *in, uint64_t factor, uint64_t more) {
  EXPECT(RP_OK, rp_run_wait(run, UINT64_MAX), rp_run_error(run));
  const uint64_t *got = rp_run_output(run, out);
  assert_non_null(got);
  for (uint64_t i = 0; i < N; i++) assert_int_equal(got[i], factor * in[i] + more);
}

static void end_all(rp_run *const *runs, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) rp_run_end(runs[i]);
}

static uint32_t submissions_of(const rp_run *run) {
  rp_run_counters c = {.struct_size = sizeof c};
  rp_run_get_counters(run, &c);
  return c.submissions;
}

static rp_buffer *new_buffer(const bench *b) {
  rp_buffer *buffer;
  EXPECT(RP_OK, rp_buffer_create(b->device, BYTES, &buffer, NULL), NULL);
  return buffer;
}

static VkSemaphore new_timeline(rp_vk *vk) {
  VkSemaphore semaphore;
  EXPECT(RP_OK, rp_vk_create_timeline(vk, &semaphore, NULL), NULL);
  return semaphore;
}

static void signal_from_host(rp_vk *vk, VkSemaphore semaphore, uint64_t value) {
  const VkSemaphoreSignalInfo info = {
      .sType = VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO, .semaphore = semaphore, .value = value};
  PFN_vkSignalSemaphore call = (PFN_vkSignalSemaphore)vk->fn.vkGetDeviceProcAddr(vk->device, "vkSignalSemaphore");
  assert_non_null(call);
  assert_int_equal(call(vk->device, &info), VK_SUCCESS);
}

/* ---- One submission ---------------------------------------------------------------------------------------------- */

/* Three recordings, each reading what the one before has written, with secrets that are wiped in between. One call of
 * the driver submits; each batch of a later run waits for the run before it. Nothing is signalled before the end. */
static void a_chain_in_one_call(void **state) {
  (void)state;
  bench b;
  uint64_t in[N], value = 0;
  bench_open(&b);
  rp_vk *vk = b.device->state;
  line one = make(&b, 1, RP_SECRET, RP_RESIDENT, 0), two = make(&b, 1, RP_RESIDENT, RP_RESIDENT, 0),
       three = make(&b, 1, RP_BINDABLE, 0, 0);
  rp_buffer *x = new_buffer(&b), *y = new_buffer(&b);
  VkSemaphore gate = new_timeline(vk), end = new_timeline(vk);
  for (uint64_t round = 1; round <= 4; round++) {
    const rp_sync wait = {RP_SYNC_VULKAN, gate, round}, signal = {RP_SYNC_VULKAN, end, round};
    fill(in, round);
    rp_run *runs[] = {begin(&one, in, NULL, x), begin(&two, NULL, x, y), begin(&three, NULL, y, NULL)};
    interpose_begin(b.device);
    const uint64_t allocations = bench_allocations;
    submit(runs, 3, (rp_submit_options){.waits = &wait, .n_waits = 1, .signals = &signal, .n_signals = 1});
    assert_int_equal(bench_allocations, allocations);
    assert_int_equal(interpose.calls[CALL_vkQueueSubmit], 1);
    assert_int_equal(interpose.batches, 4); /* three runs and the wipe of the first */
    assert_int_equal(interpose.waiting, 3);
    assert_int_equal(interpose.first_waits, 1);
    assert_int_equal(interpose.first_signals, 1); /* its own end */
    assert_ptr_equal(interpose.last_wait, gate);
    for (int i = 0; i < 3; i++) EXPECT(RP_ERR_TIMEOUT, rp_run_poll(runs[i]), rp_run_error(runs[i]));
    assert_int_equal(vk->fn.vkGetSemaphoreCounterValue(vk->device, end, &value), VK_SUCCESS);
    assert_int_equal(value, round - 1);
    signal_from_host(vk, gate, round);
    check(runs[2], three.out, in, 8, 0);
    for (int i = 0; i < 2; i++) EXPECT(RP_OK, rp_run_poll(runs[i]), rp_run_error(runs[i]));
    for (int i = 0; i < 3; i++) assert_int_equal(submissions_of(runs[i]), i == 0);
    EXPECT(RP_OK, rp_vk_wait_for(vk, end, round, UINT64_MAX, NULL), NULL);
    end_all(runs, 3);
  }
  rp_buffer_destroy(x);
  rp_buffer_destroy(y);
  drop(&one);
  drop(&two);
  drop(&three);
  vk->fn.vkDestroySemaphore(vk->device, gate, NULL);
  vk->fn.vkDestroySemaphore(vk->device, end, NULL);
  bench_close(&b);
}

/* With as many batches as steps, more of them than are submitted without allocating. */
static void many_batches(void **state) {
  (void)state;
  bench b;
  uint64_t in[RP_MOST_RUNS][N];
  rp_run *runs[RP_MOST_RUNS];
  bench_open(&b);
  rp_vk *vk = b.device->state;
  vk->batch_ns = 1;
  work w;
  work_make(&b, &w, RP_MOST_RUNS, 0);
  for (uint64_t round = 0; round < 2; round++) {
    for (uint64_t i = 0; i < RP_MOST_RUNS; i++) {
      work_fill(in[i], RP_MOST_RUNS * round + i);
      EXPECT(RP_OK, rp_run_begin(w.recording, UINT64_MAX, &runs[i], NULL), NULL);
      EXPECT(RP_OK, rp_run_set_input(runs[i], w.in, in[i], BYTES), rp_run_error(runs[i]));
    }
    interpose_begin(b.device);
    submit(runs, RP_MOST_RUNS, (rp_submit_options){0});
    assert_true(interpose.batches > 64);
    for (uint32_t i = 0; i < RP_MOST_RUNS; i++) {
      EXPECT(RP_OK, rp_run_wait(runs[i], UINT64_MAX), rp_run_error(runs[i]));
      work_check(in[i], rp_run_output(runs[i], w.out));
    }
    end_all(runs, RP_MOST_RUNS);
  }
  work_drop(&w);
  bench_close(&b);
}

/* ---- Runs that fail ---------------------------------------------------------------------------------------------- */

/* A zero is a fault: the run that reads its result fails too, and others do not. */
static void failures_reach_readers(void **state) {
  (void)state;
  bench b;
  uint64_t in[N], good[N];
  bench_open(&b);
  line bad = make(&b, 2, 0, RP_RESIDENT, 1), read = make(&b, 2, RP_RESIDENT, 0, 0);
  rp_buffer *x = new_buffer(&b), *y = new_buffer(&b);
  fill(in, 3), fill(good, 4);
  in[5] = 0;
  rp_run *runs[] = {begin(&bad, in, NULL, x), begin(&bad, good, NULL, y), begin(&read, NULL, x, NULL),
                    begin(&read, NULL, y, NULL)};
  submit(runs, 4, (rp_submit_options){0});
  check(runs[3], read.out, good, 2, 2);
  EXPECT(RP_ERR_INPUT, rp_run_wait(runs[2], UINT64_MAX), rp_run_error(runs[2]));
  assert_non_null(strstr(rp_run_error(runs[2])->reason, "that it follows failed"));
  assert_null(rp_run_output(runs[2], read.out));
  EXPECT(RP_ERR_INPUT, rp_run_wait(runs[0], UINT64_MAX), rp_run_error(runs[0]));
  EXPECT(RP_OK, rp_run_wait(runs[1], UINT64_MAX), rp_run_error(runs[1]));
  end_all(runs, 4);
  rp_buffer_destroy(x);
  rp_buffer_destroy(y);
  drop(&bad);
  drop(&read);
  bench_close(&b);
}

/* The driver refuses: all are over, and the slots serve as before. */
static void all_or_none(void **state) {
  (void)state;
  bench b;
  uint64_t in[N];
  rp_error err = {0};
  bench_open(&b);
  line l = make(&b, 3, RP_SECRET, 0, 0);
  fill(in, 3);
  for (int round = 0; round < 2; round++) {
    rp_run *runs[3];
    for (int i = 0; i < 3; i++) runs[i] = begin(&l, in, NULL, NULL);
    interpose_begin(b.device);
    interpose.fail_call = CALL_vkQueueSubmit;
    interpose.fail_in = 1;
    interpose.fail_result = VK_ERROR_OUT_OF_DEVICE_MEMORY;
    EXPECT(RP_ERR_DEVICE_MEMORY, rp_runs_submit(runs, 3, NULL, &err), &err);
    assert_non_null(strstr(err.reason, "line and 2 more runs: "));
    for (int i = 0; i < 3; i++) {
      EXPECT(RP_ERR_DEVICE_MEMORY, rp_run_wait(runs[i], UINT64_MAX), rp_run_error(runs[i]));
      assert_null(rp_run_output(runs[i], l.out));
    }
    end_all(runs, 3);
    for (int i = 0; i < 3; i++) runs[i] = begin(&l, in, NULL, NULL);
    submit(runs, 3, (rp_submit_options){0});
    for (int i = 0; i < 3; i++) check(runs[i], l.out, in, 2, 0);
    end_all(runs, 3);
  }
  drop(&l);
  bench_close(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_chain_in_one_call),
      cmocka_unit_test(many_batches),
      cmocka_unit_test(failures_reach_readers),
      cmocka_unit_test(all_or_none),
  };
  return cmocka_run_group_tests_name("together", tests, NULL, NULL);
}
