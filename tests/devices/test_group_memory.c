/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Groups without memory: each allocation of the host fails once while a group is opened and a graph is recorded and run
 * on it. The status is RP_ERR_MEMORY, or RP_ERR_DEVICE_MEMORY where host memory stands for a device's, or RP_OK if the
 * engine can do without, and all memory is freed. A recording of a group is destroyed after all else.
 */
#include "parts.h"

static _Atomic int64_t fail_at;
static _Atomic uint64_t live;

static void *alloc(void *user, size_t bytes, size_t align) {
  (void)user;
  if (atomic_fetch_sub(&fail_at, 1) == 0) return NULL;
  void *memory = aligned_alloc(align, (bytes + align - 1) / align * align);
  if (memory) atomic_fetch_add(&live, bytes);
  return memory;
}

static void release(void *user, void *memory, size_t bytes) {
  (void)user;
  if (!memory) return;
  atomic_fetch_sub(&live, bytes);
  for (size_t i = 0; i < bytes; i++)
    ((volatile unsigned char *)memory)[i] = 0xa5; /* nothing that is used later works */
  free(memory);
}

/* Records the loop of two devices for the group. */
static rp_status record(rp_context *context, rp_device *all, loop *l, rp_error *err) {
  rp_graph *g;
  rp_status status = rp_graph_create(context, "loop", &g, err);
  if (status) return status;
  l->in = rp_graph_input(g, "in", &toy_u64, LOOP_N, RP_SECRET);
  const rp_value twice = toy_scale(g, l->in, 2);
  (void)rp_on(g, 1);
  const rp_value there = toy_table(g, rp_copy_to(g, twice, 1));
  (void)rp_on(g, 0);
  l->out = toy_add(g, toy_scale(g, twice, 5), rp_copy_to(g, there, 0));
  rp_graph_output(g, "out", l->out, 0);
  status = rp_record(all, g, NULL, &l->recording, err);
  rp_graph_destroy(g);
  return status;
}

/* Runs it twice. */
static rp_status record_and_run(rp_context *context, rp_device *all, rp_error *err) {
  loop l = {0};
  rp_status status = record(context, all, &l, err);
  if (status) return status;
  for (uint64_t first = 1; first < 3 && !status; first++) {
    uint64_t in[LOOP_N] = {first}, out[LOOP_N];
    const rp_replay_input i = {.name = "in", .data = in, .size_bytes = sizeof in};
    const rp_replay_output o = {.name = "out", .data = out, .size_bytes = sizeof out};
    status = rp_replay(l.recording, &i, 1, &o, 1, err);
    if (!status) assert_int_equal(out[0], 12 * first);
  }
  if (!status) status = rp_recording_evict(l.recording, err);
  rp_recording_destroy(l.recording);
  return status;
}

static rp_status open_group(rp_context *context, rp_device **all, rp_error *err) {
  rp_device *devices[2] = {0};
  const rp_device_options o = {.struct_size = sizeof o, .kind = RP_DEVICE_CPU, .cpu_threads = 1};
  rp_status status = RP_OK;
  for (int i = 0; i < 2 && !status; i++) status = rp_device_open(context, &o, &devices[i], err);
  if (!status) status = rp_group_open(context, devices, 2, all, err);
  for (int i = 0; i < 2; i++) rp_device_release(devices[i]);
  return status;
}

static rp_status open_and_run(rp_context *context, rp_error *err) {
  rp_device *all = NULL;
  rp_status status = open_group(context, &all, err);
  if (!status) status = record_and_run(context, all, err);
  rp_device_release(all);
  return status;
}

static void every_allocation_fails_once(void **state) {
  (void)state;
  rp_context *context;
  const rp_context_options o = {.struct_size = sizeof o, .allocator = {.alloc = alloc, .free = release}};
  atomic_store(&fail_at, -1);
  assert_int_equal(rp_context_create(&o, &context, NULL), RP_OK);
  const uint64_t before = live;
  bool failed = 1;
  int64_t nth = 0;
  for (; failed; nth++) {
    rp_error err = {0};
    atomic_store(&fail_at, nth);
    const rp_status status = open_and_run(context, &err);
    failed = atomic_exchange(&fail_at, -1) < 0; /* also if the run could do without */
    if (!failed) assert_int_equal(status, RP_OK);
    if (status && status != RP_ERR_MEMORY && status != RP_ERR_DEVICE_MEMORY)
      fail_msg("allocation %d: %s: %s", (int)nth, rp_status_name(status), err.reason);
    if (status) assert_true(err.status == status && strlen(err.reason) > 10);
    assert_int_equal(live, before);
  }
  assert_true(nth > 50);
  assert_int_equal(rp_context_try_destroy(context, NULL), RP_OK);
  assert_int_equal(live, 0);
}

/* The program has given back everything else, the context included. */
static void a_recording_goes_last(void **state) {
  (void)state;
  rp_context *context;
  rp_device *all = NULL;
  loop l = {0};
  const rp_context_options o = {.struct_size = sizeof o, .allocator = {.alloc = alloc, .free = release}};
  atomic_store(&fail_at, -1);
  assert_int_equal(rp_context_create(&o, &context, NULL), RP_OK);
  assert_int_equal(open_group(context, &all, NULL), RP_OK);
  assert_int_equal(record(context, all, &l, NULL), RP_OK);
  rp_device_release(all);
  rp_context_destroy(context);
  rp_recording_destroy(l.recording);
  assert_int_equal(live, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_allocation_fails_once),
                                     cmocka_unit_test(a_recording_goes_last)};
  return cmocka_run_group_tests_name("groups without memory", tests, NULL, NULL);
}
