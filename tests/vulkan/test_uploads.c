/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A device with a queue for transfers alone (pretend.h): it uploads the inputs of recordings with several run slots.
 * Each upload waits for the end of its slot's last run, and each run for its upload. With one slot nothing is
 * different.
 */
#include "pretend.h"
#include "work.h"

#include "device.h"

#include <reprise/host_program.h>

static void open_pretending(bench *b) {
  pretend = (pretence){.has_upload_family = 1};
  bench_open(b);
  assert_non_null(((rp_vk *)b->device->state)->upload_queue);
  assert_true(pretend.shared_buffers > 0);
  pretend.n_submits = 0;
}

static void make_with(const bench *b, work *w, uint32_t slots, uint32_t flags, uint32_t secret) {
  rp_error err = {0};
  const rp_record_options options = {.struct_size = sizeof options, .max_in_flight = slots, .flags = flags};
  EXPECT(RP_OK, work_try(b->context, b->device, w, secret, &options, &err), &err);
}

static void make(const bench *b, work *w, uint32_t slots, uint32_t flags) { make_with(b, w, slots, flags, RP_SECRET); }

static uint32_t uploads(void) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < pretend.n_submits; i++) n += pretend.submits[i].is_upload != 0;
  return n;
}

/* Each run takes an upload and a submission of its own, which wait for each other in the right order. */
static void one_upload_one_run(void **state) {
  (void)state;
  bench b;
  work w;
  uint64_t in[N];
  open_pretending(&b);
  make(&b, &w, 2, 0);
  pretend.n_submits = 0;
  uint64_t last_end = 0;
  for (uint64_t round = 0; round < 8; round++) {
    rp_run_counters counters = {.struct_size = sizeof counters};
    work_fill(in, round);
    interpose_begin(b.device);
    rp_run *run = work_start(&w, in);
    EXPECT(RP_OK, rp_run_wait(run, UINT64_MAX), rp_run_error(run));
    assert_int_equal(interpose.calls[CALL_vkWaitSemaphores], 1);
    assert_int_equal(interpose.recordings, 0);
    rp_run_get_counters(run, &counters);
    assert_int_equal(counters.submissions, 2);
    assert_int_equal(counters.uploads, 2);
    work_check(in, rp_run_output(run, w.out));
    rp_run_end(run);
    assert_int_equal(pretend.n_submits, 2 * (round + 1));
    const pretended_submit *up = &pretend.submits[2 * round], *main = up + 1;
    assert_true(up->is_upload && !main->is_upload);
    assert_int_equal(up->n, 1);
    assert_int_equal(main->n, 2);               /* the run and the wipe */
    assert_ptr_equal(main->waits, up->signals); /* the run waits for its upload */
    assert_int_equal(main->wait_value, up->signal_value);
    assert_int_equal(up->signal_value, round + 1);
    assert_ptr_equal(up->waits, main->signals); /* the upload waits for the end of the last run's wipe */
    assert_int_equal(up->wait_value, last_end);
    last_end = main->signal_value;
  }
  work_drop(&w);
  bench_close(&b);
}

/* A semaphore takes the place of the barrier between the upload and the first step. */
static void one_barrier_fewer(void **state) {
  (void)state;
  bench b;
  work w;
  uint64_t barriers[2];
  open_pretending(&b);
  for (uint32_t i = 0; i < 2; i++) {
    interpose_begin(b.device);
    make(&b, &w, 1 + i, 0);
    barriers[i] = interpose.n_barriers;
    work_drop(&w);
  }
  assert_true(barriers[1] < 2 * barriers[0]); /* two slots would have twice as many */
  bench_close(&b);
}

static void several_in_flight(void **state) {
  (void)state;
  enum { SLOTS = 3 };
  bench b;
  work w;
  static uint64_t in[SLOTS][N];
  open_pretending(&b);
  ((rp_vk *)b.device->state)->batch_ns = 1; /* as many batches as there are steps, of which the first one waits */
  make(&b, &w, SLOTS, 0);
  for (uint64_t round = 0; round < 6; round++) {
    rp_run *runs[SLOTS];
    pretend.n_submits = 0;
    for (uint64_t s = 0; s < SLOTS; s++) {
      work_fill(in[s], SLOTS * round + s);
      runs[s] = work_start(&w, in[s]);
    }
    assert_int_equal(pretend.n_submits, 2 * SLOTS);
    assert_int_equal(uploads(), SLOTS);
    for (uint32_t s = 0; s < SLOTS; s++) {
      assert_true(pretend.submits[2 * s + 1].n > 3);
      assert_ptr_equal(pretend.submits[2 * s + 1].waits, pretend.submits[2 * s].signals);
    }
    for (uint64_t s = SLOTS; s-- > 0;) work_finish(&w, runs[s], in[s]);
  }
  work_drop(&w);
  bench_close(&b);
}

/* With one slot, a run is one submission; so is a profiled run, whose upload is timed with the rest. */
static void only_with_several_slots(void **state) {
  (void)state;
  bench b;
  work w;
  open_pretending(&b);
  for (int i = 0; i < 2; i++) {
    make(&b, &w, 1 + (uint32_t)i, i ? RP_RECORD_PROFILE : 0);
    pretend.n_submits = 0;
    for (uint64_t round = 0; round < 3; round++) work_once(&w, round);
    assert_int_equal(pretend.n_submits, 3);
    assert_int_equal(uploads(), 0);
    work_drop(&w);
  }
  bench_close(&b);
  pretend = (pretence){0}; /* the real device, with or without such a queue */
  bench_open(&b);
  make(&b, &w, 2, 0);
  pretend.n_submits = 0;
  work_once(&w, 1);
  assert_int_equal(pretend.n_submits, ((rp_vk *)b.device->state)->upload_queue ? 2 : 1);
  work_drop(&w);
  bench_close(&b);
}

/* If the inputs have been uploaded and the run cannot be submitted, they are wiped, and the next run succeeds. */
static void failing_submissions(void **state) {
  (void)state;
  bench b;
  work w;
  rp_error err = {0};
  uint64_t in[N];
  open_pretending(&b);
  make(&b, &w, 2, 0);
  for (uint64_t nth = 1; nth <= 2; nth++) {
    rp_run *run = NULL;
    work_fill(in, nth);
    interpose_begin(b.device);
    interpose.fail_call = CALL_vkQueueSubmit;
    interpose.fail_in = nth;
    interpose.fail_result = VK_ERROR_OUT_OF_DEVICE_MEMORY;
    pretend.n_submits = 0;
    EXPECT(RP_OK, rp_run_begin(w.recording, UINT64_MAX, &run, &err), &err);
    EXPECT(RP_OK, rp_run_set_input(run, w.in, in, BYTES), rp_run_error(run));
    EXPECT(RP_ERR_DEVICE_MEMORY, rp_run_submit(run), rp_run_error(run));
    rp_run_end(run);
    assert_int_equal(pretend.n_submits, nth == 1 ? 0 : 2);
    if (nth == 2) { /* the upload, and a wipe that waits for it */
      assert_ptr_equal(pretend.submits[1].waits, pretend.submits[0].signals);
      assert_int_equal(pretend.submits[1].wait_value, pretend.submits[0].signal_value);
      assert_int_equal(pretend.submits[1].n, 1);
    }
    work_once(&w, nth);
  }
  work_drop(&w);
  /* Calls that fail while a recording is made. */
  static const int calls[] = {CALL_vkCreateCommandPool, CALL_vkAllocateCommandBuffers, CALL_vkBeginCommandBuffer,
                              CALL_vkEndCommandBuffer, CALL_vkCreateSemaphore};
  const rp_record_options options = {.struct_size = sizeof options, .max_in_flight = 2};
  for (size_t c = 0; c < sizeof calls / sizeof *calls; c++)
    for (uint64_t nth = 1;; nth++) {
      interpose_begin(b.device);
      interpose.fail_call = calls[c];
      interpose.fail_in = nth;
      interpose.fail_result = VK_ERROR_OUT_OF_DEVICE_MEMORY;
      const rp_status status = work_try(b.context, b.device, &w, RP_SECRET, &options, &err);
      const int met = interpose.fail_call < 0;
      interpose.fail_call = -1;
      work_drop(&w);
      if (!met) break;
      assert_true(status == RP_ERR_DEVICE_MEMORY || status == RP_OK); /* or a smaller plan is recorded */
    }
  bench_close(&b);
}

/* Several runs in one submission: one more for all of their uploads. If the runs cannot be submitted, the inputs of
 * each are wiped. */
static void several_in_one_submission(void **state) {
  (void)state;
  enum { SLOTS = 3 };
  bench b;
  work w;
  rp_run *runs[SLOTS];
  rp_error err = {0};
  uint64_t in[SLOTS][N];
  open_pretending(&b);
  make(&b, &w, SLOTS, 0);
  for (uint64_t round = 0; round < 4; round++) {
    const int fails = round == 1;
    rp_run_counters c[SLOTS];
    for (uint64_t s = 0; s < SLOTS; s++) {
      work_fill(in[s], SLOTS * round + s);
      EXPECT(RP_OK, rp_run_begin(w.recording, UINT64_MAX, &runs[s], &err), &err);
      EXPECT(RP_OK, rp_run_set_input(runs[s], w.in, in[s], BYTES), rp_run_error(runs[s]));
    }
    interpose_begin(b.device);
    interpose.fail_call = fails ? CALL_vkQueueSubmit : -1;
    interpose.fail_in = 2;
    interpose.fail_result = VK_ERROR_OUT_OF_DEVICE_MEMORY;
    pretend.n_submits = 0;
    EXPECT(fails ? RP_ERR_DEVICE_MEMORY : RP_OK, rp_runs_submit(runs, SLOTS, NULL, &err), &err);
    assert_int_equal(uploads(), 1);
    assert_int_equal(pretend.submits[0].n, SLOTS);
    assert_int_equal(pretend.n_submits, fails ? 1 + SLOTS : 2); /* one wipe each */
    assert_int_equal(pretend.submits[1].wait_value, round + 1);
    for (uint32_t s = 0; s < SLOTS; s++) {
      c[s] = (rp_run_counters){.struct_size = sizeof *c};
      EXPECT(fails ? RP_ERR_DEVICE_MEMORY : RP_OK, rp_run_wait(runs[s], UINT64_MAX), rp_run_error(runs[s]));
      if (!fails) work_check(in[s], rp_run_output(runs[s], w.out));
      rp_run_get_counters(runs[s], &c[s]);
      assert_int_equal(c[s].submissions, fails || s ? 0 : 2);
    }
    for (uint32_t s = 0; s < SLOTS; s++) rp_run_end(runs[s]);
  }
  work_drop(&w);
  bench_close(&b);
}

/* If neither the run nor the wipe of its uploaded inputs can be submitted, the device is lost. */
static void failing_wipe(void **state) {
  (void)state;
  bench b;
  work w;
  rp_error err = {0};
  rp_run *run = NULL;
  uint64_t in[N];
  open_pretending(&b);
  make(&b, &w, 2, 0);
  work_fill(in, 1);
  interpose_begin(b.device);
  interpose.fail_call = CALL_vkQueueSubmit;
  interpose.fail_in = 2;
  interpose.fail_again = 1;
  interpose.fail_result = VK_ERROR_OUT_OF_DEVICE_MEMORY;
  EXPECT(RP_OK, rp_run_begin(w.recording, UINT64_MAX, &run, &err), &err);
  EXPECT(RP_OK, rp_run_set_input(run, w.in, in, BYTES), rp_run_error(run));
  EXPECT(RP_ERR_DEVICE_MEMORY, rp_run_submit(run), rp_run_error(run));
  assert_int_equal(interpose.fail_call, -1);
  assert_true(rp_device_is_lost(b.device));
  rp_run_end(run);
  EXPECT(RP_ERR_DEVICE_LOST, rp_run_begin(w.recording, UINT64_MAX, &run, &err), &err);
  work_drop(&w);
  bench_close(&b);
}

/* A run without secrets, whose inputs are uploaded, cannot be submitted. */
static void fail_run(const work *w) {
  rp_error err = {0};
  rp_run *run = NULL;
  uint64_t in[N];
  work_fill(in, 1);
  interpose.fail_call = CALL_vkQueueSubmit;
  interpose.fail_in = 2;
  interpose.fail_result = VK_ERROR_OUT_OF_DEVICE_MEMORY;
  EXPECT(RP_OK, rp_run_begin(w->recording, UINT64_MAX, &run, &err), &err);
  EXPECT(RP_OK, rp_run_set_input(run, w->in, in, BYTES), rp_run_error(run));
  EXPECT(RP_ERR_DEVICE_MEMORY, rp_run_submit(run), rp_run_error(run));
  rp_run_end(run);
}

/* The upload is waited for before its staging is used again; if that fails, the device is lost. */
static void pending_upload(void **state) {
  (void)state;
  for (int way = 0; way < 2; way++) {
    bench b;
    work w;
    open_pretending(&b);
    make_with(&b, &w, 2, 0, 0);
    interpose_begin(b.device);
    fail_run(&w);
    assert_int_equal(interpose.calls[CALL_vkWaitSemaphores], 1);
    assert_false(rp_device_is_lost(b.device));
    if (way) {
      /* The recording is destroyed after a run, and the first of its waits fails. */
      work_once(&w, 1);
      interpose_begin(b.device);
      interpose.fail_call = CALL_vkWaitSemaphores;
      interpose.fail_in = 1;
      interpose.fail_result = VK_ERROR_OUT_OF_HOST_MEMORY;
      work_drop(&w);
      assert_int_equal(interpose.calls[CALL_vkWaitSemaphores], 2); /* the upload is waited for nevertheless */
      assert_true(atomic_load(&b.device->lost));                   /* by the engine too, not only the backend */
    } else {
      work_once(&w, 2);
      work_drop(&w);
    }
    bench_close(&b);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_upload_one_run),  cmocka_unit_test(one_barrier_fewer),
      cmocka_unit_test(several_in_flight),   cmocka_unit_test(only_with_several_slots),
      cmocka_unit_test(failing_submissions), cmocka_unit_test(several_in_one_submission),
      cmocka_unit_test(failing_wipe),        cmocka_unit_test(pending_upload),
  };
  return cmocka_run_group_tests_name("vulkan_uploads", tests, NULL, NULL);
}
