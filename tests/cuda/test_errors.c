/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * What can go wrong with drivers and devices, on the fake driver: each failure is a status with a reason, nothing
 * leaks, and whatever is not affected still works.
 */
#include "bench.h"
#include "fake_cuda.h"

#include <stdio.h>

static int start(void **state) {
  (void)state;
  fake_reset();
  toy_register();
  interpose_fail_at = -1;
  interpose_live_bytes = 0;
  return 0;
}

static void expect_nothing_left(void) {
  static const char *const kinds[] = {"context", "module", "stream", "event", "graph", "exec", "device", "pinned"};
  if (fake_violation()) fail_msg("%s", fake_violation());
  for (int i = 0; i < 8; i++)
    if (fake_live(kinds[i])) fail_msg("left: %s", kinds[i]);
  assert_int_equal(interpose_live_bytes, 0);
}

static int stop(void **state) {
  (void)state;
  expect_nothing_left();
  return 0;
}

/* ---- Drivers that cannot be used --------------------------------------------------------------------------------- */

static void expect_absent(const char *words[], int n) {
  bench b = {0};
  rp_error err = {0};
  rp_device_info infos[8] = {{.struct_size = sizeof *infos}};
  uint32_t count = 0, seen = 0;
  EXPECT(RP_ERR_UNAVAILABLE, bench_try(&b, 0, 0, &err), &err);
  assert_null(b.device);
  EXPECT(RP_OK, rp_devices(b.context, infos, 8, &count, &err), &err);
  for (uint32_t i = 0; i < count; i++) {
    if (infos[i].kind != RP_DEVICE_CUDA) continue;
    seen++;
    assert_int_equal(infos[i].available, 0);
    for (int w = 0; w < n; w++) {
      if (!strstr(infos[i].reason, words[w])) fail_msg("\"%s\" does not say %s", infos[i].reason, words[w]);
      if (!strstr(err.reason, words[w])) fail_msg("\"%s\" does not say %s", err.reason, words[w]);
    }
  }
  assert_true(seen >= 1);
  rp_context_destroy(b.context);
}

static void old_drivers_are_named_with_what_is_needed(void **state) {
  (void)state;
  char needed[32];
  snprintf(needed, sizeof needed, "needs %d.%d", RP_CUDA_MIN_API / 1000, RP_CUDA_MIN_API % 1000 / 10);
  fake_set_version(11040);
  expect_absent((const char *[]){"too old", "11.4", needed, RP_CUDA_MIN_DRIVER}, 4);
}

static void machines_without_a_usable_gpu(void **state) {
  (void)state;
  fake_set_devices(0, 90);
  expect_absent((const char *[]){"no usable GPU"}, 1);
  fake_set_devices(1, 70);
  expect_absent((const char *[]){"compute capability 7.0", "needs 7.5"}, 2);
}

/* ---- Several devices --------------------------------------------------------------------------------------------- */

static int append(void *user, const char *text, size_t bytes) {
  char **at = user;
  memcpy(*at, text, bytes);
  (*at)[bytes] = 0;
  *at += bytes;
  return 0;
}

static void each_device_has_its_own(void **state) {
  (void)state;
  bench first, third, none;
  work a, c;
  rp_error err = {0};
  rp_buffer *buffer;
  rp_run *run;
  fake_set_devices(3, 90);
  bench_open(&first, 0, 0);
  bench_open(&third, 2, 0);
  EXPECT(RP_ERR_UNAVAILABLE, bench_try(&none, 3, 0, &err), &err);
  assert_non_null(strstr(err.reason, "cuda:3"));
  rp_context_destroy(none.context);
  work_make(&first, &a, 1, 1);
  work_make(&third, &c, 2, 1);
  assert_true(fake_memory_of(0) > 0 && fake_memory_of(2) > 0);
  assert_int_equal(fake_memory_of(1), 0);
  for (uint64_t round = 0; round < 4; round++) {
    work_once(&a, round);
    work_once(&c, round);
  }
  char *text = calloc(1, 1 << 16), *end = text;
  EXPECT(RP_OK, rp_recording_export(c.recording, RP_EXPORT_JSON, append, &end, &err), &err);
  assert_non_null(strstr(text, "\"kind\": \"cuda\", \"index\": 2"));
  assert_non_null(strstr(text, "Fake GPU 2"));
  free(text);
  work_drop(&a);
  EXPECT(RP_OK, work_try(&first, &a, 1, RP_BINDABLE, 0, NULL, &err), &err);
  EXPECT(RP_OK, rp_buffer_create(third.device, BYTES, &buffer, &err), &err);
  EXPECT(RP_OK, rp_run_begin(a.recording, 0, &run, &err), &err);
  assert_int_equal(rp_run_bind_input(run, a.in, buffer, 0), RP_ERR_MISMATCH); /* a recording names its device */
  rp_run_end(run);
  rp_buffer_destroy(buffer);
  work_drop(&a);
  bench_close(&first);
  work_once(&c, 9);
  work_drop(&c);
  bench_close(&third);
}

/* ---- Out of memory ----------------------------------------------------------------------------------------------- */

static void full_devices_say_so_with_figures(void **state) {
  (void)state;
  bench b;
  work w;
  rp_error err = {0};
  fake_set_memory(3 * BYTES);
  bench_open(&b, 0, 1 << 20); /* the budget is larger than the memory that is left */
  EXPECT(RP_ERR_DEVICE_MEMORY, work_try(&b, &w, 1, 0, 0, NULL, &err), &err);
  assert_non_null(strstr(err.reason, "24576"));
  assert_non_null(strstr(err.reason, "bytes wanted"));
  assert_null(w.recording);
  assert_int_equal(fake_memory_of(0), 0);
  assert_int_equal(rp_device_is_lost(b.device), 0);
  rp_graph_destroy(w.graph);
  fake_set_memory(1 << 20);
  work_make(&b, &w, 1, 1);
  work_once(&w, 1);
  work_drop(&w);
  bench_close(&b);
  bench_open(&b, 0, 2 * BYTES);
  EXPECT(RP_ERR_BUDGET, work_try(&b, &w, 1, 0, 0, NULL, &err), &err);
  assert_non_null(strstr(err.reason, "the budget is 16384 bytes"));
  rp_graph_destroy(w.graph);
  bench_close(&b);
}

static void idle_recordings_make_room_on_a_full_device(void **state) {
  (void)state;
  bench b;
  work v, w;
  rp_plan_info plan = {.struct_size = sizeof plan};
  bench_open(&b, 0, 0);
  work_make(&b, &v, 1, 1);
  rp_recording_get_plan(v.recording, &plan);
  fake_set_memory(plan.total_bytes + plan.total_bytes / 2);
  work_make(&b, &w, 2, 1);
  for (uint64_t round = 0; round < 3; round++) {
    work_once(&v, round);
    work_once(&w, round);
  }
  work_drop(&v);
  work_drop(&w);
  bench_close(&b);
}

/* ---- Any call may fail ------------------------------------------------------------------------------------------- */

/* Opens a device, records, and runs twice. On failure `err` has the reason. */
static rp_status session(int *lost, rp_error *err) {
  bench b = {0};
  work w = {0};
  rp_run *run = NULL;
  uint64_t in[N];
  *lost = 0;
  rp_status status = bench_try(&b, 0, 0, err);
  if (!status) status = work_try(&b, &w, 1, RP_SECRET | RP_BINDABLE, 0, NULL, err);
  for (uint64_t round = 0; round < 2 && !status; round++) {
    work_fill(in, round);
    status = rp_run_begin(w.recording, 0, &run, err);
    if (status) break;
    status = rp_run_set_input(run, w.in, in, BYTES);
    if (!status) status = rp_run_submit(run);
    if (!status) status = rp_run_wait(run, UINT64_MAX);
    if (!status) work_check(&w, in, rp_run_output(run, w.out));
    if (status) *err = *rp_run_error(run);
    rp_run_end(run);
  }
  if (b.device) *lost = rp_device_is_lost(b.device);
  if (*lost) {
    rp_error later = {0};
    rp_buffer *buffer;
    EXPECT(RP_ERR_DEVICE_LOST, rp_buffer_create(b.device, 8, &buffer, &later), &later);
    if (w.recording) assert_int_equal(rp_run_begin(w.recording, UINT64_MAX, &run, NULL), RP_ERR_DEVICE_LOST);
  }
  rp_recording_destroy(w.recording);
  rp_graph_destroy(w.graph);
  bench_close(&b);
  return status;
}

static void every_call_may_run_out_of_memory(void **state) {
  (void)state;
  int nth = 1, lost;
  for (;; nth++) {
    rp_error err = {0};
    fake_fail(NULL, nth, CUDA_ERROR_OUT_OF_MEMORY);
    rp_status status = session(&lost, &err);
    if (!fake_has_failed()) break;
    assert_int_equal(lost, 0);
    if (status && (err.status != status || strlen(err.reason) < 20))
      fail_msg("call %d: %s, and the reason is \"%s\"", nth, rp_status_name(status), err.reason);
    expect_nothing_left();
  }
  assert_true(nth > 60); /* a session has at least this many calls */
}

static void every_call_may_lose_the_device(void **state) {
  (void)state;
  int nth = 1, lost, losses = 0;
  for (;; nth++) {
    rp_error err = {0};
    fake_fail(NULL, nth, CUDA_ERROR_ILLEGAL_ADDRESS);
    rp_status status = session(&lost, &err);
    if (!fake_has_failed()) break;
    losses += lost;
    /* If the device was lost in the last wipe, the runs were right. */
    if (lost && status != RP_OK) assert_int_equal(status, RP_ERR_DEVICE_LOST);
    if (status == RP_ERR_DEVICE_LOST) assert_non_null(strstr(err.reason, "lost"));
    expect_nothing_left();
    if (lost) { /* the device stays lost for the process */
      EXPECT(RP_ERR_DEVICE_LOST, session(&lost, &err), &err);
      assert_non_null(strstr(err.reason, "restart the process"));
      expect_nothing_left();
    }
    fake_restart();
    EXPECT(RP_OK, session(&lost, &err), &err);
    assert_int_equal(lost, 0);
  }
  assert_true(losses > 40);
}

static void every_host_allocation_may_fail(void **state) {
  (void)state;
  int lost;
  for (int64_t nth = 0;; nth++) {
    rp_error err = {0};
    interpose_fail_at = nth;
    rp_status status = session(&lost, &err);
    if (interpose_fail_at >= 0) break;
    assert_int_equal(status, RP_ERR_MEMORY);
    interpose_fail_at = -1;
    expect_nothing_left();
  }
  interpose_fail_at = -1;
}

/* ---- A lost device ----------------------------------------------------------------------------------------------- */

static void others_go_on_when_a_device_is_lost(void **state) {
  (void)state;
  bench b, other = {0};
  work w, v;
  rp_error err = {0};
  rp_device *cpu, *again;
  uint64_t in[N];
  bench_open(&b, 0, 0);
  other.context = b.context;
  const rp_device_options second = {.struct_size = sizeof second, .kind = RP_DEVICE_CUDA, .index = 1},
                          host = {.struct_size = sizeof host, .kind = RP_DEVICE_CPU, .cpu_threads = 1},
                          same = {.struct_size = sizeof same, .kind = RP_DEVICE_CUDA};
  EXPECT(RP_OK, rp_device_open(b.context, &second, &other.device, &err), &err);
  work_make(&b, &w, 1, 2);
  work_make(&other, &v, 2, 1);
  work_fill(in, 1);
  fake_hold(1);
  rp_run *first = work_start(&w, in), *next = work_start(&w, in);
  fake_fail("cuEventSynchronize", 1, CUDA_ERROR_ILLEGAL_ADDRESS);
  fake_hold(0);
  assert_int_equal(rp_run_wait(first, UINT64_MAX), RP_ERR_DEVICE_LOST);
  assert_non_null(strstr(rp_run_error(first)->reason, "ILLEGAL_ADDRESS"));
  assert_int_equal(rp_device_is_lost(b.device), 1);
  assert_null(rp_run_output(first, w.out));
  assert_int_equal(rp_run_wait(next, UINT64_MAX), RP_ERR_DEVICE_LOST); /* the other run in flight on the device */
  rp_run_end(first);
  rp_run_end(next);

  work_once(&v, 1); /* the other device, the CPU */
  EXPECT(RP_OK, rp_device_open(b.context, &host, &cpu, &err), &err);
  rp_device_close(cpu);
  EXPECT(RP_ERR_DEVICE_LOST, rp_device_open(b.context, &same, &again, &err), &err);
  work_drop(&w);
  rp_device_close(b.device);
  b.device = NULL;
  EXPECT(RP_ERR_DEVICE_LOST, rp_device_open(b.context, &same, &again, &err), &err); /* nor can it be opened again */
  assert_non_null(strstr(err.reason, "restart the process"));
  work_once(&v, 2);
  work_drop(&v);
  rp_device_close(other.device);
  bench_close(&b);
}

/* ---- Kernels that are not there, and secrets --------------------------------------------------------------------- */

static void missing_kernels_are_named(void **state) {
  (void)state;
  bench b;
  work w;
  rp_error err = {0};
  fake_reset();
  bench_open(&b, 0, 0);
  assert_true(work_try(&b, &w, 1, 0, 0, NULL, &err) != RP_OK);
  assert_non_null(strstr(err.reason, "toy_mix"));
  rp_graph_destroy(w.graph);
  bench_close(&b);
}

static void secrets_are_wiped(void **state) {
  (void)state;
  static const uint64_t secret = 0x5ec2e75ec2e75ec2u;
  bench b;
  work w;
  uint64_t in[N];
  for (uint64_t i = 0; i < N; i++) in[i] = secret;
  bench_open(&b, 0, 0);
  work_make(&b, &w, 1, 1);
  rp_run *run = work_start(&w, in);
  assert_int_equal(rp_run_wait(run, UINT64_MAX), RP_OK);
  assert_true(fake_find_pattern(secret) >= N); /* the device holds the secret now, so the search finds it */
  rp_run_end(run);
  assert_int_equal(fake_find_pattern(secret), 0);
  assert_int_equal(fake_find_pattern(12 * secret + 9), 0); /* nor what was computed from it */
  work_drop(&w);
  bench_close(&b);
}

int main(void) {
#define CASE(f) cmocka_unit_test_setup_teardown(f, start, stop)
  const struct CMUnitTest tests[] = {
      CASE(old_drivers_are_named_with_what_is_needed),
      CASE(machines_without_a_usable_gpu),
      CASE(each_device_has_its_own),
      CASE(full_devices_say_so_with_figures),
      CASE(idle_recordings_make_room_on_a_full_device),
      CASE(every_call_may_run_out_of_memory),
      CASE(every_call_may_lose_the_device),
      CASE(every_host_allocation_may_fail),
      CASE(others_go_on_when_a_device_is_lost),
      CASE(missing_kernels_are_named),
      CASE(secrets_are_wiped),
  };
  return cmocka_run_group_tests_name("cuda errors", tests, NULL, NULL);
}
