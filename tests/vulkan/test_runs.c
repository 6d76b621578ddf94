/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Replays on a Vulkan device, a software one if the machine has no other.
 */
#include "work.h"

#include "device.h"
#include "recording.h"

/* Between submission and completion: one vkQueueSubmit, one wait, no other call, no allocation. */
static void one_submission_one_wait_no_allocation(void **state) {
  (void)state;
  bench b;
  work w;
  uint64_t in[N];
  bench_open(&b);
  work_make(&b, &w, 1, 0);
  for (uint64_t round = 0; round < 30; round++) {
    rp_run *run = NULL;
    rp_run_counters c = {.struct_size = sizeof c};
    work_fill(in, round);
    assert_int_equal(rp_run_begin(w.recording, 0, &run, NULL), RP_OK);
    memcpy(rp_run_input(run, w.in), in, BYTES);
    const uint64_t allocations = bench_allocations;
    interpose_begin(b.device);
    EXPECT(RP_OK, rp_run_submit(run), rp_run_error(run));
    EXPECT(RP_OK, rp_run_wait(run, UINT64_MAX), rp_run_error(run));
    for (int call = 0; call < N_INTERPOSED; call++)
      assert_int_equal(interpose.calls[call], call == CALL_vkQueueSubmit || call == CALL_vkWaitSemaphores);
    assert_int_equal(interpose.recordings, 0);
    assert_int_equal(bench_allocations, allocations);
    work_check(in, rp_run_output(run, w.out));
    rp_run_get_counters(run, &c);
    assert_int_equal(c.submissions, 1);
    assert_int_equal(c.waits, 1);
    assert_int_equal(c.uploads, 2); /* the witness; the error record with the bound addresses */
    assert_int_equal(c.downloads, 2);
    rp_run_end(run);
  }
  work_drop(&w);
  bench_close(&b);
}

static void several_in_flight(void **state) {
  (void)state;
  enum { SLOTS = 3 };
  bench b;
  work w;
  static uint64_t in[SLOTS][N];
  bench_open(&b);
  work_make(&b, &w, SLOTS, 0);
  for (uint64_t round = 0; round < 10; round++) {
    rp_run *runs[SLOTS], *none;
    for (uint64_t s = 0; s < SLOTS; s++) {
      work_fill(in[s], SLOTS * round + s);
      runs[s] = work_start(&w, in[s]);
    }
    assert_int_equal(rp_run_begin(w.recording, 0, &none, NULL), RP_ERR_BUSY);
    for (uint64_t s = SLOTS; s-- > 0;) work_finish(&w, runs[s], in[s]);
  }
  work_drop(&w);
  bench_close(&b);
}

/* Independent dispatches in any order that the edges allow give the same bytes. */
static void random_orders(void **state) {
  (void)state;
  bench b;
  work w;
  bench_open(&b);
  for (uint64_t round = 0; round < 8; round++) {
    work_make(&b, &w, 1, RP_RECORD_RANDOM_ORDER | RP_RECORD_CHECK_HAZARDS);
    work_once(&w, round);
    work_drop(&w);
  }
  bench_close(&b);
}

static void a_fault_is_named_and_gates_the_outputs(void **state) {
  (void)state;
  bench b;
  work w;
  rp_error err = {0};
  rp_buffer *out;
  rp_run *run;
  uint64_t in[N], back[N], before[N];
  bench_open(&b);
  EXPECT(RP_OK, work_try(b.context, b.device, &w, RP_BINDABLE, NULL, &err), &err);
  EXPECT(RP_OK, rp_buffer_create(b.device, BYTES, &out, &err), &err);
  memset(before, 0x11, sizeof before);
  EXPECT(RP_OK, rp_buffer_write(out, 0, before, BYTES, &err), &err);
  for (int bad = 1; bad >= 0; bad--) {
    work_fill(in, 1);
    if (bad) in[300] = 0;
    EXPECT(RP_OK, rp_run_begin(w.recording, 0, &run, &err), &err);
    EXPECT(RP_OK, rp_run_set_input(run, w.in, in, BYTES), &err);
    EXPECT(RP_OK, rp_run_bind_output(run, w.out, out, 0), &err);
    EXPECT(RP_OK, rp_run_submit(run), &err);
    EXPECT(bad ? RP_ERR_INPUT : RP_OK, rp_run_wait(run, UINT64_MAX), rp_run_error(run));
    if (bad) {
      assert_non_null(strstr(rp_run_error(run)->reason, "300"));
      assert_non_null(strstr(rp_run_error(run)->reason, "batch_inverse"));
    }
    rp_run_end(run);
    EXPECT(RP_OK, rp_buffer_read(out, 0, back, BYTES, &err), &err);
    if (bad)
      assert_memory_equal(back, before, BYTES);
    else
      work_check(in, back);
  }
  rp_buffer_destroy(out);
  work_drop(&w);
  bench_close(&b);
}

/* The caller's own VkInstance, VkDevice, VkQueue and VkBuffer. */
static void callers_handles(void **state) {
  (void)state;
  bench b, own;
  work w;
  rp_error err = {0};
  bench_open(&own);
  rp_vk *vk = own.device->state;
  const rp_device_options options = {.struct_size = sizeof options,
                                     .kind = RP_DEVICE_VULKAN,
                                     .native = {vk->instance, vk->adapter, vk->device, vk->queue},
                                     .native_index = vk->family};
  EXPECT(RP_OK, rp_context_create(NULL, &b.context, &err), &err);
  EXPECT(RP_OK, rp_device_open(b.context, &options, &b.device, &err), &err);
  rp_memory memory;
  EXPECT(RP_OK, rp_vk_memory_alloc(vk, RP_MEMORY_DEVICE, 4 << 20, &memory, &err), &err); /* has its own VkBuffer */
  const rp_vk_block *block = rp_vk_block_of(&memory);
  assert_int_equal(block->offset, 0);
  rp_buffer *both;
  EXPECT(RP_OK, rp_buffer_wrap(b.device, (void *)block->buffer, 2 * BYTES, &both, &err), &err);
  /* Recorded after the buffer was made: GPU-assisted validation knows only the addresses that existed when a command
   * was recorded. */
  EXPECT(RP_OK, work_try(b.context, b.device, &w, RP_RESIDENT, NULL, &err), &err);
  for (uint64_t round = 0; round < 3; round++) {
    uint64_t in[N], back[2 * N];
    rp_run *run;
    work_fill(in, round);
    EXPECT(RP_OK, rp_buffer_write(both, 0, in, BYTES, &err), &err);
    EXPECT(RP_OK, rp_run_begin(w.recording, 0, &run, &err), &err);
    EXPECT(RP_OK, rp_run_bind_input(run, w.in, both, 0), rp_run_error(run));
    EXPECT(RP_OK, rp_run_bind_output(run, w.out, both, BYTES), rp_run_error(run));
    EXPECT(RP_OK, rp_run_submit(run), rp_run_error(run));
    EXPECT(RP_OK, rp_run_wait(run, UINT64_MAX), rp_run_error(run));
    rp_run_end(run);
    EXPECT(RP_OK, rp_vk_memory_read(vk, &memory, 0, back, 2 * BYTES, &err), &err);
    assert_memory_equal(back, in, BYTES);
    work_check(in, back + N);
  }
  rp_buffer_destroy(both);
  work_drop(&w);
  rp_device_close(b.device);
  rp_context_destroy(b.context);
  rp_vk_memory_free(vk, &memory);
  bench_close(&own);
}

/* If every step counts as long, a run is still one submission, with as many batches as there are steps. */
static void batches(void **state) {
  (void)state;
  bench b;
  work w;
  bench_open(&b);
  ((rp_vk *)b.device->state)->batch_ns = 1;
  for (uint32_t flags = 0; flags <= RP_RECORD_PROFILE; flags += RP_RECORD_PROFILE) {
    const uint64_t before = interpose.calls[CALL_vkBeginCommandBuffer];
    work_make(&b, &w, 2, flags);
    assert_true(interpose.calls[CALL_vkBeginCommandBuffer] > before + 8);
    interpose_begin(b.device);
    for (uint64_t round = 0; round < 4; round++) work_once(&w, round);
    assert_int_equal(interpose.calls[CALL_vkQueueSubmit], 4);
    work_drop(&w);
  }
  bench_close(&b);
}

/* Every step and both copies have times, in the run's order: no step begins before the steps that it waits for have
 * begun. */
static void profiles(void **state) {
  (void)state;
  bench b;
  work w;
  uint64_t in[N];
  bench_open(&b);
  work_make(&b, &w, 1, RP_RECORD_PROFILE);
  const rp_program_desc *program = &w.recording->program;
  for (uint64_t round = 0; round < 3; round++) {
    work_fill(in, round);
    rp_run *run = work_start(&w, in);
    EXPECT(RP_OK, rp_run_wait(run, UINT64_MAX), rp_run_error(run));
    assert_int_equal(run->n_timings, program->n_steps + 2);
    const rp_timing *t = run->timings, *up = &t[program->n_steps], *down = up + 1;
    assert_int_equal(up->step, RP_TIMING_UPLOAD);
    assert_int_equal(down->step, RP_TIMING_DOWNLOAD);
    assert_int_equal(up->begin_ns, 0);
    for (uint32_t i = 0; i < run->n_timings; i++)
      assert_true(t[i].begin_ns <= t[i].end_ns && t[i].end_ns <= down->end_ns);
    for (uint32_t i = 0; i < program->n_steps; i++) {
      assert_int_equal(t[i].step, i);
      assert_true(t[i].begin_ns >= up->begin_ns);
      for (uint32_t j = 0; j < program->steps[i].n_preds; j++)
        assert_true(t[i].end_ns >= t[program->steps[i].preds[j]].end_ns);
    }
    work_check(in, rp_run_output(run, w.out));
    rp_run_end(run);
  }
  work_drop(&w);
  bench_close(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_submission_one_wait_no_allocation),
      cmocka_unit_test(several_in_flight),
      cmocka_unit_test(random_orders),
      cmocka_unit_test(a_fault_is_named_and_gates_the_outputs),
      cmocka_unit_test(callers_handles),
      cmocka_unit_test(batches),
      cmocka_unit_test(profiles),
  };
  return cmocka_run_group_tests_name("vulkan_runs", tests, NULL, NULL);
}
