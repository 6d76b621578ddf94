/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Devices and contexts that are closed before what uses them.
 */
#include "watch.h"

#include <stdio.h>

static char logged[512];
static int closed;

static void note(void *user, rp_log_level level, const char *message) {
  (void)user;
  if (level == RP_LOG_WARNING) snprintf(logged, sizeof logged, "%s", message);
}

static rp_backend table;

static void count_close(void *state) {
  closed++;
  rp_backend_cpu.close(state);
}

typedef struct things {
  rp_context *context;
  rp_device *device;
  rp_graph *graph;
  rp_recording *recording;
  rp_buffer *buffer;
  rp_value in;
} things;

static things make(void) {
  things t = {0};
  const rp_context_options options = {.struct_size = sizeof options, .log = note};
  const rp_device_options one = {.struct_size = sizeof one, .cpu_threads = 1};
  table = rp_backend_cpu;
  table.close = count_close;
  closed = 0;
  logged[0] = 0;
  assert_int_equal(rp_context_create(&options, &t.context, NULL), RP_OK);
  assert_int_equal(rp_device_open_with(t.context, &table, &one, &t.device, NULL), RP_OK);
  assert_int_equal(rp_graph_create(t.context, "square", &t.graph, NULL), RP_OK);
  t.in = rp_graph_input(t.graph, "in", &toy_u64, 1, 0);
  rp_graph_output(t.graph, "out", toy_scale(t.graph, t.in, 3), 0);
  assert_int_equal(rp_record(t.device, t.graph, NULL, &t.recording, NULL), RP_OK);
  assert_int_equal(rp_buffer_create(t.device, 64, &t.buffer, NULL), RP_OK);
  return t;
}

static uint64_t run(rp_recording *recording) {
  const uint64_t seven = 7;
  uint64_t out = 0;
  const rp_replay_input in[] = {{.name = "in", .data = &seven, .size_bytes = sizeof seven}};
  const rp_replay_output o[] = {{.name = "out", .data = &out, .size_bytes = sizeof out}};
  assert_int_equal(rp_replay(recording, in, 1, o, 1, NULL), RP_OK);
  return out;
}

static void closing_is_refused_while_something_is_left(void **state) {
  (void)state;
  things t = make();
  rp_error err = {0};
  assert_int_equal(rp_device_try_close(t.device, &err), RP_ERR_STATE);
  assert_string_equal(err.reason, "cpu:0 is in use: 1 recording, 1 buffer (the latest recording is of graph 'square'); "
                                  "destroy these first");
  assert_int_equal(run(t.recording), 21); /* the device is still open */
  rp_recording_destroy(t.recording);
  rp_device_retain(t.device);
  assert_int_equal(rp_device_try_close(t.device, &err), RP_ERR_STATE);
  assert_string_equal(err.reason, "cpu:0 is in use: 1 buffer, 1 other user; destroy these first");
  rp_device_release(t.device);
  rp_buffer_destroy(t.buffer);
  assert_int_equal(rp_context_try_destroy(t.context, &err), RP_ERR_STATE);
  assert_string_equal(err.reason, "the context is in use: 1 device, 1 graph; destroy these first");
  assert_int_equal(closed, 0);
  assert_int_equal(rp_device_try_close(t.device, &err), RP_OK);
  assert_int_equal(closed, 1);
  rp_graph_destroy(t.graph);
  assert_int_equal(rp_context_try_destroy(t.context, &err), RP_OK);
  assert_string_equal(logged, "");
}

/* Parents are destroyed before what uses them, as finalizers of other languages may do: nothing that is in use is
 * freed, and the log names what was still in use. */
static void what_is_closed_early_lives_on_for_its_users(void **state) {
  (void)state;
  things t = make();
  rp_context_destroy(t.context);
  assert_string_equal(logged, "a context is destroyed before what uses it: 1 device, 1 graph; it stays until the last "
                              "is gone");
  rp_device_close(t.device);
  assert_non_null(strstr(logged, "cpu:0 is closed before what uses it: 1 recording, 1 buffer"));
  rp_graph_destroy(t.graph);
  assert_int_equal(run(t.recording), 21);
  rp_buffer_destroy(t.buffer);
  assert_int_equal(closed, 0);
  assert_int_equal(run(t.recording), 21);
  rp_recording_destroy(t.recording);
  assert_int_equal(closed, 1);
}

typedef struct tally {
  uint64_t bytes; /* in use */
  int refuse;
} tally;

static void *tally_alloc(void *user, size_t bytes, size_t align) {
  tally *t = user;
  if (t->refuse) return NULL;
  t->bytes += bytes;
  void *memory = aligned_alloc(align, (bytes + align - 1) / align * align);
  if (memory) memset(memory, 0xa5, bytes);
  return memory;
}

static void tally_free(void *user, void *memory, size_t bytes) {
  ((tally *)user)->bytes -= bytes;
  free(memory);
}

/* Memory for constructors: zeroed, aligned, from the context's allocator, which is told the same size again; and the
 * context outlives it. */
static void memory_keeps_its_context(void **state) {
  (void)state;
  tally t = {0};
  const rp_context_options options = {.struct_size = sizeof options,
                                      .allocator = {.user = &t, .alloc = tally_alloc, .free = tally_free}};
  rp_context *context;
  rp_graph *graph;
  assert_int_equal(rp_context_create(&options, &context, NULL), RP_OK);
  assert_int_equal(rp_graph_create(context, "memory", &graph, NULL), RP_OK);
  assert_ptr_equal(rp_graph_context(graph), context);
  rp_graph_destroy(graph);
  const uint64_t before = t.bytes;
  uint8_t *memory = rp_context_alloc(context, 1000), *none = rp_context_alloc(context, 0);
  assert_true(memory && none && t.bytes >= before + 1000);
  assert_int_equal((uintptr_t)memory % 64, 0);
  for (int i = 0; i < 1000; i++) assert_int_equal(memory[i], 0);
  rp_context_free(none);
  t.refuse = 1;
  assert_null(rp_context_alloc(context, 8));
  assert_null(rp_context_alloc(context, SIZE_MAX));
  rp_context_destroy(context);
  assert_true(t.bytes >= before);
  rp_context_free(memory);
  assert_int_equal(t.bytes, 0);
  assert_null(rp_context_alloc(NULL, 8));
  assert_null(rp_graph_context(NULL));
  rp_context_free(NULL);
}

static void nothing_is_closed_quietly(void **state) {
  (void)state;
  rp_error err = {0};
  assert_int_equal(rp_device_try_close(NULL, &err), RP_OK);
  assert_int_equal(rp_context_try_destroy(NULL, &err), RP_OK);
  rp_device_retain(NULL);
  rp_device_release(NULL);
  rp_context_retain(NULL);
  rp_context_release(NULL);
}

/* A call that fails half-way keeps no reference. */
static void failures_keep_no_reference(void **state) {
  (void)state;
  things t = make();
  rp_buffer *buffer = NULL;
  rp_recording *recording = NULL;
  const rp_record_options little = {.struct_size = sizeof little, .memory_budget_bytes = 1};
  assert_int_equal(rp_buffer_create(t.device, 0, &buffer, NULL), RP_ERR_ARGUMENT);
  assert_int_equal(rp_buffer_create(t.device, UINT64_MAX / 4, &buffer, NULL), RP_ERR_DEVICE_MEMORY);
  assert_int_equal(rp_record(t.device, t.graph, &little, &recording, NULL), RP_ERR_BUDGET);
  rp_recording_destroy(t.recording);
  rp_buffer_destroy(t.buffer);
  rp_graph_destroy(t.graph);
  assert_int_equal(rp_device_try_close(t.device, NULL), RP_OK);
  assert_int_equal(rp_context_try_destroy(t.context, NULL), RP_OK);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(closing_is_refused_while_something_is_left),
      cmocka_unit_test(what_is_closed_early_lives_on_for_its_users),
      cmocka_unit_test(memory_keeps_its_context),
      cmocka_unit_test(nothing_is_closed_quietly),
      cmocka_unit_test(failures_keep_no_reference),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
