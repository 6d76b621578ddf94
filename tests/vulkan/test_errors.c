/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Calls of the driver that fail: each in turn, while a recording is made and while it runs. Whatever fails is a status,
 * what was taken is given back, and other devices go on.
 */
#include "work.h"

/* The nth call of `call` gives `result` while a recording is made, run, evicted and run again; how that ended. */
static rp_status with_failure(bench *b, int call, uint64_t nth, VkResult result, int *met) {
  work w = {0};
  rp_error err = {0};
  uint64_t in[N];
  interpose_begin(b->device);
  interpose.fail_call = call;
  interpose.fail_in = nth;
  interpose.fail_result = result;
  rp_status status = work_try(b->context, b->device, &w, RP_SECRET, NULL, &err);
  for (int round = 0; round < 2 && status == RP_OK; round++) { /* evicted between them */
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

static void out_of_memory(void **state) {
  (void)state;
  bench b;
  uint32_t failures = 0;
  bench_open(&b);
  for (int call = 0; call < N_INTERPOSED; call++) {
    if (call == CALL_vkQueueSubmit || call == CALL_vkWaitSemaphores) continue;
    for (uint64_t nth = 1;; nth++) {
      int met;
      const rp_status status = with_failure(&b, call, nth, VK_ERROR_OUT_OF_DEVICE_MEMORY, &met);
      if (!met) break; /* there were not so many */
      assert_int_equal(status, RP_ERR_DEVICE_MEMORY);
      assert_false(rp_device_is_lost(b.device));
      failures++;
    }
  }
  assert_true(failures > 10);
  work w;
  work_make(&b, &w, 1, 0); /* the device is none the worse */
  work_once(&w, 1);
  work_drop(&w);
  bench_close(&b);
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
      /* The context and its other devices go on. */
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

/* A kernel without a Vulkan variant is refused by name. */
static rp_status shape(const rp_shape *s) {
  s->out_type[0] = s->in_type[0];
  s->out_len[0] = s->in_len[0];
  return RP_OK;
}
static const rp_kernel no_kernel = {.name = "cpu_alone", .args_bytes = 16, .n_binds = 2};
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
      cmocka_unit_test(out_of_memory),
      cmocka_unit_test(lost),
      cmocka_unit_test(missing_variant),
  };
  return cmocka_run_group_tests_name("vulkan_errors", tests, NULL, NULL);
}
