/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Every allocation between opening and closing fails once, on the host and on the device: each time a status is
 * returned, and all memory is freed in the end.
 */
#include "watch.h"

#include <reprise/view.h>

static const uint64_t key[16] = {1, 2, 3};

static int drop_text(void *user, const char *text, size_t bytes) {
  (void)user, (void)text, (void)bytes;
  return 0;
}

static rp_value build(rp_graph *g, rp_value *in) {
  rp_value halves[2];
  *in = rp_graph_input(g, "in", &toy_u64, 64, RP_SECRET | RP_BINDABLE);
  rp_value k = rp_graph_constant(g, "key", &toy_u64, 16, key, 0);
  rp_scope_begin(g, "scope");
  toy_split(g, toy_table(g, *in), halves);
  rp_value sum = toy_add(g, toy_sum(g, halves[0]), toy_sum(g, toy_scale(g, toy_scale(g, k, 2), 3)));
  rp_value out = toy_check(g, sum, UINT64_MAX);
  rp_scope_end(g);
  rp_graph_output(g, "out", out, 0);
  return out;
}

static rp_status use(rp_recording *r, rp_value in, rp_value out, rp_error *err) {
  const uint64_t data[64] = {5};
  rp_run *run;
  rp_status status = rp_run_begin(r, UINT64_MAX, &run, err);
  if (status) return status;
  assert_int_equal(rp_run_set_input(run, in, data, sizeof data), RP_OK);
  assert_int_equal(rp_run_submit(run), RP_OK);
  assert_int_equal(rp_run_wait(run, UINT64_MAX), RP_OK);
  uint64_t squares = 0; /* sum of the doubled table's values over 32 elements */
  for (uint64_t i = 0; i < 32; i++) squares += 2 * (i % 16) * (i % 16);
  assert_int_equal(*(const uint64_t *)rp_run_output(run, out), 5 + squares + 6 * (1 + 2 + 3));
  rp_run_end(run);
  return RP_OK;
}

/* Builds, records, runs, evicts, and runs again; the first failure ends it. */
static rp_status live(const rp_backend *backend, rp_error *err) {
  rp_value in, out = build(the_watch.graph, &in);
  rp_recording *r = NULL;
  rp_buffer *buffer = NULL;
  rp_record_options o = {
      .struct_size = sizeof o, .max_in_flight = 2, .flags = RP_RECORD_PROFILE | RP_RECORD_CHECK_HAZARDS};
  rp_status status = watch_open_device(backend, 0, err);
  if (!status) status = rp_buffer_create(the_watch.device, 64, &buffer, err);
  if (!status) status = rp_record(the_watch.device, the_watch.graph, &o, &r, err);
  assert_int_equal(status != RP_OK, r == NULL);
  if (!status && backend == &rp_backend_cpu) status = use(r, in, out, err);
  if (!status) status = rp_recording_evict(r, err);
  if (!status && backend == &rp_backend_cpu) status = use(r, in, out, err);
  if (!status) status = rp_recording_export(r, RP_EXPORT_JSON, drop_text, NULL, err);
  const rp_view_source view = {.struct_size = sizeof view, .recording = r};
  if (!status) status = rp_view_data(&view, drop_text, NULL, err);
  rp_buffer_destroy(buffer);
  rp_recording_destroy(r);
  return status;
}

/* Lets the n-th allocation fail, for every n, of the host (host not 0) or of the device. */
static void fail_each_allocation(const rp_backend *backend, int host) {
  int failures = 0, evaded = 0;
  for (int64_t n = 0;; n++) {
    rp_error err = {0};
    watch_open_context();
    atomic_store(host ? &the_watch.fail_host_at : &the_watch.fail_memory_at, n);
    rp_status status = live(backend, &err);
    int burnt = atomic_load(host ? &the_watch.fail_host_at : &the_watch.fail_memory_at) < 0;
    watch_close();
    if (status == RP_OK && !burnt) break; /* n exceeds the number of allocations */
    evaded += status == RP_OK;            /* the engine did without that memory, or with a smaller plan */
    if (status == RP_OK) continue;
    assert_true(status == RP_ERR_MEMORY || status == RP_ERR_DEVICE_MEMORY);
    assert_true(err.reason[0] != 0);
    failures++;
  }
  assert_true(failures > (host ? 40 : 0) && failures + evaded > (host ? 40 : 5));
}

static void host_memory_on_the_cpu(void **state) { (void)state, fail_each_allocation(&rp_backend_cpu, 1); }
static void host_memory_on_the_null_device(void **state) { (void)state, fail_each_allocation(&rp_backend_null, 1); }
static void device_memory_on_the_cpu(void **state) { (void)state, fail_each_allocation(&rp_backend_cpu, 0); }
static void device_memory_on_the_null_device(void **state) { (void)state, fail_each_allocation(&rp_backend_null, 0); }

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(host_memory_on_the_cpu),
      cmocka_unit_test(host_memory_on_the_null_device),
      cmocka_unit_test(device_memory_on_the_cpu),
      cmocka_unit_test(device_memory_on_the_null_device),
  };
  return cmocka_run_group_tests_name("out of memory", tests, NULL, NULL);
}
