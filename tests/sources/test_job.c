/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * One run of a ready graph (graphs/job.h): outputs are taken after a run that succeeded, and only then; what failed is
 * reported, and the slot is free again.
 */
#include "job.h"

#include <reprise/ops.h>

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum { N = 4 };

typedef struct client {
  rp_value table, index, out;
  uint32_t indices[N], result[N];
  rp_status set_status;
  unsigned n_taken;
} client;

static rp_status set(void *user, rp_run *run) {
  static const uint32_t table[N] = {10, 11, 12, 13};
  const client *c = user;
  if (c->set_status != RP_OK) return c->set_status;
  const rp_status status = rp_run_set_input(run, c->table, table, sizeof table);
  return status == RP_OK ? rp_run_set_input(run, c->index, c->indices, sizeof c->indices) : status;
}

static void take(void *user, rp_run *run) {
  client *c = user;
  const void *out = rp_run_output(run, c->out);
  c->n_taken++;
  if (out) memcpy(c->result, out, sizeof c->result);
}

static void outputs_of_good_runs_only(void **state) {
  static const uint32_t expected[N] = {13, 10, 12, 11};
  const rp_device_options cpu = {.struct_size = sizeof cpu, .kind = RP_DEVICE_CPU, .cpu_threads = 1};
  rp_context *context;
  rp_device *device;
  rp_graph *g;
  rp_recording *recording;
  (void)state;
  assert_int_equal(rp_context_create(NULL, &context, NULL), RP_OK);
  assert_int_equal(rp_device_open(context, &cpu, &device, NULL), RP_OK);
  assert_int_equal(rp_graph_create(context, "job", &g, NULL), RP_OK);
  client c = {.table = rp_graph_input(g, "table", &RP_TYPE_U32, N, 0),
              .index = rp_graph_input(g, "index", &RP_TYPE_U32, N, 0)};
  c.out = rp_gather(g, c.table, c.index);
  rp_graph_output(g, "out", c.out, 0);
  assert_int_equal(rp_record(device, g, NULL, &recording, NULL), RP_OK);
  const graphs_job job = {set, take, &c};
  for (int round = 0; round < 3; round++) {
    rp_error err = {0};
    rp_run_counters counters = {.struct_size = sizeof counters};
    memcpy(c.indices, (uint32_t[N]){3, 0, 2, 1}, sizeof c.indices);
    c.n_taken = 0;
    assert_int_equal(graphs_run(recording, &job, &counters, &err), RP_OK);
    assert_memory_equal(c.result, expected, sizeof expected);
    assert_int_equal(c.n_taken, 1);
    assert_int_equal(counters.submissions, 1);
    assert_int_equal(graphs_run(recording, &(graphs_job){set, NULL, &c}, NULL, &err), RP_OK);
    assert_int_equal(c.n_taken, 1);

    c.indices[2] = N; /* behind the last element */
    assert_int_equal(graphs_run(recording, &job, NULL, &err), RP_ERR_INPUT);
    assert_non_null(strstr(err.reason, "gather"));
    assert_int_equal(graphs_run(recording, &job, NULL, NULL), RP_ERR_INPUT);
    c.set_status = RP_ERR_MEMORY;
    assert_int_equal(graphs_run(recording, &job, NULL, &err), RP_ERR_MEMORY);
    c.set_status = RP_OK;
    assert_int_equal(c.n_taken, 1);
    assert_memory_equal(c.result, expected, sizeof expected);
  }
  rp_recording_destroy(recording);
  rp_graph_destroy(g);
  rp_device_close(device);
  rp_context_destroy(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(outputs_of_good_runs_only)};
  return cmocka_run_group_tests_name("source_job", tests, NULL, NULL);
}
