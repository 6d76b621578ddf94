/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Each call of the driver fails in turn, while a recording is made and while it runs. Each failure is returned as a
 * status, everything that was allocated is released, and other devices still work.
 */
#include "work.h"

#include "recording.h"

/* Makes a recording, runs it, evicts it and runs it again, while the nth call of `call` returns `result`. Returns the
 * first status that is not RP_OK. *met: 1 if there was such a call. */
static rp_status with_failure(bench *b, int call, uint64_t nth, VkResult result, int *met) {
  work w = {0};
  rp_error err = {0};
  uint64_t in[N];
  interpose_begin(b->device);
  interpose.fail_call = call;
  interpose.fail_in = nth;
  interpose.fail_result = result;
  rp_status status = work_try(b->context, b->device, &w, RP_SECRET, NULL, &err);
  for (int round = 0; round < 2 && status == RP_OK; round++) { /* evicted between the rounds */
    rp_run *run = NULL;
    work_fill(in, nth);
    status = rp_run_begin(w.recording, UINT64_MAX, &run, &err);
    if (status == RP_OK) status = rp_run_set_input(run, w.in, in, BYTES);
    if (status == RP_OK) status = rp_run_submit(run);
    if (status == RP_OK) status = rp_run_wait(run, UINT64_MAX);
    if (status == RP_OK) work_check(in, rp_run_output(run, w.out));
    if (run) rp_run_end(run);
    if (status == RP_OK && round == 0) status = rp_recording_evict(w.recording, &err);
  }
  *met = interpose.fail_call < 0;
  interpose.fail_call = -1;
  work_drop(&w);
  return status;
}

static const struct {
  VkResult result;
  rp_status status;
} ways[] = {{VK_ERROR_OUT_OF_DEVICE_MEMORY, RP_ERR_DEVICE_MEMORY},
            {VK_ERROR_OUT_OF_HOST_MEMORY, RP_ERR_MEMORY},
            {VK_ERROR_INITIALIZATION_FAILED, RP_ERR_INTERNAL}};
enum { WAYS = sizeof ways / sizeof *ways };

/* The first call of each function fails in every way, later ones in one way. Each way has a device of its own, because
 * a device keeps the pipelines that it has compiled. */
static void failing_calls(void **state) {
  (void)state;
  for (int call = 0; call < N_INTERPOSED; call++) {
    /* The first two are called when a device is opened, the third for profiles; waits and queries have tests of their
     * own. */
    if (call == CALL_vkCreatePipelineLayout || call == CALL_vkCreatePipelineCache || call == CALL_vkCreateQueryPool ||
        call == CALL_vkWaitSemaphores || call == CALL_vkGetQueryPoolResults)
      continue;
    for (int way = 0; way < WAYS; way++) {
      bench b;
      int met = 1;
      bench_open(&b);
      for (uint64_t nth = 1; met && (nth == 1 || way == 0); nth++) {
        const rp_status status = with_failure(&b, call, nth, ways[way].result, &met);
        if (!met && nth == 1) fail_msg("call %d is never made", call);
        /* Where the device lacks memory, a smaller plan is recorded. */
        if (status != RP_OK || ways[way].status != RP_ERR_DEVICE_MEMORY)
          assert_int_equal(status, met ? ways[way].status : RP_OK);
        assert_false(rp_device_is_lost(b.device));
      }
      work w;
      work_make(&b, &w, 1, 0); /* the device still works */
      work_once(&w, 1);
      work_drop(&w);
      bench_close(&b);
    }
  }
}

/* After a failed wait nobody knows whether the device still works on a submission, so the device counts as lost. */
static void failing_waits(void **state) {
  (void)state;
  for (int way = 0; way < WAYS; way++)
    for (uint64_t nth = 1, met = 1; met; nth++) {
      bench b;
      int seen;
      bench_open(&b);
      const rp_status status = with_failure(&b, CALL_vkWaitSemaphores, nth, ways[way].result, &seen);
      /* A failure that cannot be returned, as when a program is destroyed, makes the next call fail. */
      if (!seen || status != RP_ERR_DEVICE_LOST) assert_int_equal(status, seen ? ways[way].status : RP_OK);
      assert_int_equal(rp_device_is_lost(b.device), seen);
      met = (uint64_t)seen;
      bench_close(&b);
    }
}

static void lost(void **state) {
  (void)state;
  for (int call = CALL_vkQueueSubmit; call <= CALL_vkWaitSemaphores; call++)
    for (uint64_t nth = 1;; nth++) {
      bench b;
      int met;
      bench_open(&b);
      const rp_status status = with_failure(&b, call, nth, VK_ERROR_DEVICE_LOST, &met);
      if (!met) {
        bench_close(&b);
        break;
      }
      assert_int_equal(status, RP_ERR_DEVICE_LOST);
      assert_true(rp_device_is_lost(b.device));
      work w;
      rp_error err = {0};
      EXPECT(RP_ERR_DEVICE_LOST, work_try(b.context, b.device, &w, 0, NULL, &err), &err);
      work_drop(&w);
      /* The context and its other devices still work. */
      rp_device *cpu;
      const rp_device_options options = {.struct_size = sizeof options, .kind = RP_DEVICE_CPU, .cpu_threads = 1};
      EXPECT(RP_OK, rp_device_open(b.context, &options, &cpu, &err), &err);
      EXPECT(RP_OK, work_try(b.context, cpu, &w, 0, NULL, &err), &err);
      work_once(&w, nth);
      work_drop(&w);
      rp_device_close(cpu);
      bench_close(&b);
    }
}

/* ---- Times that the driver does not give, or gives wrongly ------------------------------------------------------- */

static void set_back(uint32_t first, uint32_t n, uint64_t *stamps) {
  if (n == 2 && first == 0) stamps[1] = stamps[0] - 1000; /* ends before it begins */
  if (n == 2 && first == 2) stamps[0] -= stamps[0] / 2;   /* begins before the run */
}

/* Unusable times are left out, and the run succeeds; a lost device is marked as lost. */
static void failing_queries(void **state) {
  (void)state;
  static const VkResult results[] = {VK_SUCCESS, VK_NOT_READY, VK_ERROR_OUT_OF_HOST_MEMORY, VK_ERROR_DEVICE_LOST};
  for (size_t i = 0; i < sizeof results / sizeof *results; i++)
    for (uint64_t nth = 1; nth <= 3; nth++) {
      bench b;
      work w;
      uint64_t in[N];
      bench_open(&b);
      work_make(&b, &w, 1, RP_RECORD_PROFILE);
      const uint32_t all = w.recording->program.n_steps + 2;
      interpose_begin(b.device);
      if (results[i] == VK_SUCCESS) interpose.stamps = set_back;
      interpose.fail_call = results[i] == VK_SUCCESS ? -1 : CALL_vkGetQueryPoolResults;
      interpose.fail_in = nth;
      interpose.fail_result = results[i];
      work_fill(in, nth);
      rp_run *run = work_start(&w, in);
      EXPECT(RP_OK, rp_run_wait(run, UINT64_MAX), rp_run_error(run));
      work_check(in, rp_run_output(run, w.out));
      assert_int_equal(run->n_timings, results[i] == VK_SUCCESS ? all - 2 : nth == 1 ? 0 : all - 1);
      for (uint32_t k = 0; k < run->n_timings; k++) {
        assert_true(run->timings[k].begin_ns <= run->timings[k].end_ns);
        assert_true(run->timings[k].end_ns < run->counters.latency_ns);
      }
      assert_int_equal(rp_device_is_lost(b.device), results[i] == VK_ERROR_DEVICE_LOST);
      rp_run_end(run);
      work_drop(&w);
      bench_close(&b);
    }
}

/* A kernel without a Vulkan variant is refused by name. */
static rp_status shape(const rp_shape *s) {
  s->out_type[0] = s->in_type[0];
  s->out_len[0] = s->in_len[0];
  return RP_OK;
}
static const rp_kernel no_kernel = {
    .struct_size = offsetof(rp_kernel, vulkan), /* of a program that knows no such member: what follows is not read */
    .name = "cpu_alone",
    .args_bytes = 16,
    .n_binds = 2,
    .vulkan = {.spirv = (const uint32_t[]){1, 1}}};
static rp_status lower(rp_lower *l) {
  const uint64_t args[2] = {0};
  rp_lower_dispatch(l, &(rp_dispatch){.kernel = &no_kernel,
                                      .groups = {1},
                                      .binds = (rp_bind[]){RP_BIND(rp_lower_in(l, 0), RP_READ),
                                                           RP_BIND(rp_lower_out(l, 0), RP_WRITE)},
                                      .n_binds = 2,
                                      .args = args,
                                      .args_bytes = sizeof args});
  return RP_OK;
}

static void missing_variant(void **state) {
  static const rp_strategy strategy = {"any", RP_ON_ANY, NULL, lower};
  static const rp_op op = {
      .struct_size = sizeof op, .name = "cpu_alone", .shape = shape, .strategies = &strategy, .n_strategies = 1};
  (void)state;
  bench b;
  rp_graph *g;
  rp_recording *recording = NULL;
  rp_error err = {0};
  bench_open(&b);
  EXPECT(RP_OK, rp_graph_create(b.context, "missing", &g, &err), &err);
  rp_value in = rp_graph_input(g, "in", rp_type_field(RP_FIELD_GOLDILOCKS), N, 0);
  rp_graph_output(g, "out", rp_graph_node(g, &op, NULL, &in, 1, NULL, 1), 0);
  EXPECT(RP_ERR_UNSUPPORTED, rp_record(b.device, g, NULL, &recording, &err), &err);
  assert_non_null(strstr(err.reason, "cpu_alone"));
  rp_graph_destroy(g);
  bench_close(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(failing_calls),   cmocka_unit_test(failing_waits),   cmocka_unit_test(lost),
      cmocka_unit_test(failing_queries), cmocka_unit_test(missing_variant),
  };
  return cmocka_run_group_tests_name("vulkan_errors", tests, NULL, NULL);
}
