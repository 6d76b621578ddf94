/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Compiled pipelines that a program keeps with the plans of a graph (rp_plans_keep): a device gets them once, before it
 * compiles, and only if its driver made them.
 */
#include "interpose.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <reprise/ops.h>
#include <reprise/plans.h>

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 64, AT_KERNEL_BYTES = 40, AT_VENDOR = 8 };

static rp_context *context;
static rp_device *device;
static atomic_int n_added, n_foreign; /* messages in the log */

static struct {
  unsigned char *data;
  size_t n;
} kept;

static void note(void *user, rp_log_level level, const char *message) {
  (void)user, (void)level;
  n_added += strstr(message, "bytes of pipelines that the program kept") != NULL;
  n_foreign += strstr(message, "are of another driver") != NULL;
}

static int append(void *user, const char *text, size_t n) {
  (void)user;
  kept.data = realloc(kept.data, kept.n + n);
  memcpy(kept.data + kept.n, text, n);
  kept.n += n;
  return 0;
}

static void open_device(void) {
  rp_error err = {0};
  const rp_context_options c = {.struct_size = sizeof c, .log_level = RP_LOG_DEBUG, .log = note};
  const rp_device_options d = {.struct_size = sizeof d, .kind = RP_DEVICE_VULKAN, .cache_dir = ""};
  n_added = n_foreign = 0;
  assert_int_equal(rp_context_create(&c, &context, NULL), RP_OK);
  if (rp_device_open(context, &d, &device, &err)) fail_msg("%s", err.reason);
}

static void close_device(void) {
  rp_device_close(device);
  rp_context_destroy(context);
}

static rp_graph *squares(void) {
  rp_graph *g;
  assert_int_equal(rp_graph_create(context, "squares", &g, NULL), RP_OK);
  const rp_value x = rp_graph_input(g, "x", rp_type_field(RP_FIELD_GOLDILOCKS), N, 0);
  rp_graph_output(g, "y", rp_mul(g, x, x), 0);
  return g;
}

static rp_recording *record_and_run(const rp_graph *g) {
  rp_recording *r;
  rp_error err = {0};
  uint64_t x[N], y[N];
  for (uint64_t i = 0; i < N; i++) x[i] = i + 3;
  const rp_replay_input in = {.name = "x", .data = x, .size_bytes = sizeof x};
  const rp_replay_output out = {.name = "y", .data = y, .size_bytes = sizeof y};
  if (rp_record(device, g, NULL, &r, &err)) fail_msg("%s", err.reason);
  if (rp_replay(r, &in, 1, &out, 1, &err)) fail_msg("%s", err.reason);
  for (uint64_t i = 0; i < N; i++) assert_int_equal(y[i], (i + 3) * (i + 3));
  return r;
}

static uint64_t kernel_bytes(void) {
  uint64_t n = 0;
  for (int i = 0; i < 8; i++) n |= (uint64_t)kept.data[AT_KERNEL_BYTES + i] << 8 * i;
  return n;
}

static int keep_some(void **state) {
  (void)state;
  open_device();
  rp_graph *g = squares();
  assert_int_equal(rp_plans_keep(device, g, NULL, RP_PLANS_KERNELS, append, NULL, NULL), RP_OK);
  assert_int_equal(kernel_bytes(), 0); /* nothing has been compiled */
  kept.n = 0;
  rp_recording_destroy(record_and_run(g));
  assert_int_equal(rp_plans_keep(device, g, NULL, RP_PLANS_KERNELS, append, NULL, NULL), RP_OK);
  assert_true(kernel_bytes() >= 32);
  rp_graph_destroy(g);
  close_device();
  return 0;
}

static int drop(void **state) {
  (void)state;
  free(kept.data);
  return 0;
}

static void given_once(void **state) {
  (void)state;
  open_device();
  rp_graph *g = squares();
  assert_int_equal(rp_plans_use(g, kept.data, kept.n, RP_PLANS_KERNELS, NULL), RP_OK);
  rp_recording *first = record_and_run(g), *second = record_and_run(g);
  assert_int_equal(n_added, 1);
  assert_int_equal(n_foreign, 0);
  rp_recording_destroy(first);
  rp_recording_destroy(second);
  rp_graph_destroy(g);
  close_device();
}

static void not_given_unasked(void **state) {
  (void)state;
  open_device();
  rp_graph *g = squares();
  assert_int_equal(rp_plans_use(g, kept.data, kept.n, 0, NULL), RP_OK);
  rp_recording_destroy(record_and_run(g));
  assert_int_equal(n_added, 0);
  rp_graph_destroy(g);
  close_device();
}

static void of_another_driver(void **state) {
  (void)state;
  unsigned char *vendor = kept.data + kept.n - kernel_bytes() + AT_VENDOR;
  open_device();
  rp_graph *g = squares();
  *vendor ^= 1;
  assert_int_equal(rp_plans_use(g, kept.data, kept.n, RP_PLANS_KERNELS, NULL), RP_OK);
  *vendor ^= 1;
  rp_recording_destroy(record_and_run(g));
  assert_int_equal(n_added, 0);
  assert_int_equal(n_foreign, 1);
  rp_graph_destroy(g);
  close_device();
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(given_once), cmocka_unit_test(not_given_unasked),
                                     cmocka_unit_test(of_another_driver)};
  return cmocka_run_group_tests(tests, keep_some, drop);
}
