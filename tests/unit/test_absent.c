/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Binds that a dispatch does not have (RP_ABSENT): the kernel gets NULL for them, whatever the argument struct holds,
 * and the addresses behind them are those of their own binds. Where the two operands are bound differs by dispatch.
 */
#include "watch.h"

#include <stdio.h>

enum { N = 8, NUMBER = 40 };

typedef struct args {
  RP_ADDR(const uint64_t) a;
  RP_ADDR(const uint64_t) b;
  RP_ADDR(uint64_t) out;
} args;

/* out[i] = a[i] + 100 b[i] + 1, where an operand that is absent counts as 0. */
static void join(const void *arguments, uint64_t begin, uint64_t end, const rp_cpu_worker *worker) {
  const args *k = arguments;
  (void)worker;
  for (uint64_t i = begin; i < end; i++) k->out[i] = (k->a ? k->a[i] : 0) + 100 * (k->b ? k->b[i] : 0) + 1;
}
static const rp_cpu_variant variants[] = {{RP_ISA_C, join}};
static const rp_kernel kernel = {.struct_size = sizeof(rp_kernel),
                                 .name = "join",
                                 .args_bytes = sizeof(args),
                                 .n_binds = 3,
                                 .n_cpu = 1,
                                 .cpu = variants};

static rp_status shape(const rp_shape *s) {
  s->out_type[0] = &toy_u64;
  s->out_len[0] = N;
  return RP_OK;
}

/* Bit 0 of the parameter: a is bound; bit 1: b is, to the next operand; bit 2: the argument struct is clear. */
static rp_status lower(rp_lower *l) {
  static uint64_t place[N] = {7, 7, 7, 7, 7, 7, 7, 7}; /* what a kernel must not be given */
  const args garbage = {.a = place, .b = place, .out = place}, clear = {0};
  const uint32_t there = *(const uint32_t *)rp_lower_params(l);
  const rp_bind absent = {.access = RP_ABSENT};
  const rp_bind a = there & 1 ? RP_BIND(rp_lower_in(l, 0), RP_READ) : absent;
  const rp_bind b = there & 2 ? RP_BIND(rp_lower_in(l, there & 1), RP_READ) : absent;
  const rp_bind binds[] = {a, b, RP_BIND(rp_lower_out(l, 0), RP_WRITE)};
  rp_lower_dispatch(l, &(rp_dispatch){.kernel = &kernel,
                                      .groups = {N},
                                      .binds = binds,
                                      .n_binds = 3,
                                      .args = there & 4 ? &clear : &garbage,
                                      .args_bytes = sizeof garbage});
  return RP_OK;
}
static const rp_strategy strategy = {"cpu", RP_ON(RP_DEVICE_CPU) | RP_ON(RP_DEVICE_NULL), NULL, lower};
static const rp_op op = {.struct_size = sizeof op,
                         .name = "join",
                         .params_bytes = sizeof(uint32_t),
                         .shape = shape,
                         .strategies = &strategy,
                         .n_strategies = 1};

/* A graph of one node over the input, or over a constant; its result is then added to the input, so that it stays a
 * constant of the recording. */
static rp_recording *record(rp_device *device, rp_context *context, uint32_t there, bool of_constants) {
  static const uint64_t numbers[N] = {1, 2, 3, 4, 5, 6, 7, 8};
  rp_recording *recording = NULL;
  rp_graph *graph;
  rp_error err = {0};
  rp_value in[2] = {{0}};
  assert_int_equal(rp_graph_create(context, "absent", &graph, NULL), RP_OK);
  const rp_value x = rp_graph_input(graph, "x", &toy_u64, N, 0);
  in[0] = in[1] = of_constants ? rp_graph_constant(graph, "numbers", &toy_u64, N, numbers, 0) : x;
  const rp_value joined = rp_graph_node(graph, &op, &there, in, (there & 1) + (there >> 1 & 1), NULL, 1);
  const rp_value with_x = rp_graph_node(graph, &op, &(uint32_t){3}, (rp_value[]){joined, x}, 2, NULL, 1);
  rp_graph_output(graph, "y", of_constants ? with_x : joined, 0);
  if (rp_record(device, graph, NULL, &recording, &err) != RP_OK) fail_msg("%s", err.reason);
  rp_graph_destroy(graph);
  return recording;
}

static void replay(rp_recording *recording, uint64_t y[N]) {
  const uint64_t x[N] = {NUMBER, NUMBER + 1, NUMBER + 2, NUMBER + 3, NUMBER + 4, NUMBER + 5, NUMBER + 6, NUMBER + 7};
  const rp_replay_input in = {.name = "x", .data = x, .size_bytes = sizeof x};
  const rp_replay_output out = {.name = "y", .data = y, .size_bytes = sizeof x};
  rp_error err = {0};
  if (rp_replay(recording, &in, 1, &out, 1, &err) != RP_OK) fail_msg("%s", err.reason);
}

static void open_cpu(rp_context **context, rp_device **device) {
  const rp_device_options plain = {
      .struct_size = sizeof plain, .kind = RP_DEVICE_CPU, .cpu_threads = 1, .cpu_isa = "c"};
  assert_int_equal(rp_context_create(NULL, context, NULL), RP_OK);
  assert_int_equal(rp_device_open(*context, &plain, device, NULL), RP_OK);
}

static void kernels_get_null_for_what_is_absent(void **state) {
  rp_context *context;
  rp_device *device;
  (void)state;
  open_cpu(&context, &device);
  for (uint32_t there = 0; there < 4; there++) {
    rp_recording *recording = record(device, context, there, 0);
    uint64_t y[N];
    replay(recording, y);
    for (uint64_t i = 0; i < N; i++)
      assert_int_equal(y[i], (there & 1 ? NUMBER + i : 0) + 100 * (there & 2 ? NUMBER + i : 0) + 1);
    rp_recording_destroy(recording);
  }
  rp_device_close(device);
  rp_context_destroy(context);
}

/* What is computed from constants is shared by recordings that compute the same; these two do not. */
static void operands_of_other_places_are_not_shared(void **state) {
  rp_context *context;
  rp_device *device;
  rp_recording *recordings[2];
  uint64_t y[N];
  (void)state;
  open_cpu(&context, &device);
  for (uint32_t i = 0; i < 2; i++) recordings[i] = record(device, context, (i + 1) | 4, 1);
  for (uint32_t j = 0; j < 2; j++) {
    replay(recordings[j], y);
    for (uint64_t i = 0; i < N; i++) assert_int_equal(y[i], (j ? 100 : 1) * (i + 1) + 1 + 100 * (NUMBER + i) + 1);
  }
  for (uint32_t i = 0; i < 2; i++) rp_recording_destroy(recordings[i]);
  rp_device_close(device);
  rp_context_destroy(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(kernels_get_null_for_what_is_absent),
                                     cmocka_unit_test(operands_of_other_places_are_not_shared)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
