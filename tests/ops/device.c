/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "device.h"

#include <stdio.h>

/* The device of the running group. It is global because cmocka passes no argument of ours to its tests. */
static struct {
  char name[32];
  rp_context *context;
  rp_device *device;
} current;

rp_context *device_context(void) { return current.context; }
rp_device *device_current(void) { return current.device; }
const char *device_name(void) { return current.name; }

int device_is_software(void) {
  rp_device_info info = {.struct_size = sizeof info};
  rp_device_get_info(current.device, &info);
  return info.software != 0;
}

uint64_t device_cap(uint64_t n) {
  enum { SECOND_CHOICE = 1 << 12 };
  return n > SECOND_CHOICE && !strcmp(current.name, "cpu-avx2") ? SECOND_CHOICE : n;
}

static int open_current(void **state) {
  (void)state;
  rp_error error = {0};
  rp_device_options options = {.struct_size = sizeof options};
  char kind[32];
  snprintf(kind, sizeof kind, "%.*s", (int)strcspn(current.name, "-"), current.name);
  const char *isa = strchr(current.name, '-');
#define MATCH(enumerator, value, text) \
  if (!strcmp(kind, text)) options.kind = enumerator;
  RP_DEVICE_KIND_LIST(MATCH)
#undef MATCH
  if (options.kind == RP_DEVICE_CPU) {
    options.cpu_threads = 3; /* more than one, and odd, so that chunks end at uneven places */
    options.cpu_isa = isa ? isa + 1 : NULL;
  }
  setenv("REPRISE_POISON", "1", 0); /* no kernel may count on new memory being zero */
  if (rp_context_create(NULL, &current.context, &error) != RP_OK ||
      rp_device_open(current.context, &options, &current.device, &error) != RP_OK) {
    fprintf(stderr, "device %s: %s\n", current.name, error.reason);
    return -1;
  }
  return 0;
}

static int close_current(void **state) {
  (void)state;
  rp_device_close(current.device);
  rp_context_destroy(current.context);
  current.device = NULL;
  current.context = NULL;
  return 0;
}

/* Whether the kernels with AVX2, or with MULX and ADX, can run here and are not those that the CPU device chooses by
 * default. */
static int avx2_is_second(void) {
  rp_device_info info = {.struct_size = sizeof info};
  rp_context *context;
  rp_device *device;
  rp_device_options options = {.struct_size = sizeof options, .kind = RP_DEVICE_CPU, .cpu_threads = 1};
  if (rp_context_create(NULL, &context, NULL) != RP_OK) return 0;
  if (rp_device_open(context, &options, &device, NULL) == RP_OK) rp_device_get_info(device, &info);
  rp_device_close(device);
  rp_context_destroy(context);
  return info.limits.isa >> RP_ISA_X86_AVX2 & 1 && info.limits.isa >> RP_ISA_X86_IFMA & 1;
}

int device_run_tests(const char *group, const struct CMUnitTest *tests, size_t n) {
  const char *list = getenv("REPRISE_TEST_DEVICES");
  int failures = 0;
  if (!list || !*list) list = avx2_is_second() ? "cpu,cpu-c,cpu-avx2" : "cpu,cpu-c";
  while (*list) {
    size_t length = strcspn(list, ",");
    char title[96];
    snprintf(current.name, sizeof current.name, "%.*s", (int)length, list);
    snprintf(title, sizeof title, "%s on %s", group, current.name);
    failures += _cmocka_run_group_tests(title, tests, n, open_current, close_current);
    list += length + (list[length] == ',');
  }
  return failures;
}

void job_begin(job *j) {
  memset(j, 0, sizeof *j);
  assert_int_equal(rp_graph_create(current.context, "test", &j->graph, NULL), RP_OK);
}

rp_value job_input(job *j, const rp_type *type, uint64_t len, const void *data) {
  char name[16];
  assert_true(j->n_in < JOB_MAX_VALUES);
  snprintf(name, sizeof name, "in%u", j->n_in);
  rp_value v = rp_graph_input(j->graph, name, type, len, 0);
  j->in[j->n_in].value = v;
  j->in[j->n_in].data = data;
  j->in[j->n_in++].bytes = len * type->size_bytes;
  return v;
}

rp_value job_constant(job *j, const rp_type *type, uint64_t len, const void *data) {
  return rp_graph_constant(j->graph, "constant", type, len, data, 0);
}

void job_output(job *j, rp_value value, void *data) {
  char name[16];
  assert_true(j->n_out < JOB_MAX_VALUES);
  snprintf(name, sizeof name, "out%u", j->n_out);
  rp_graph_output(j->graph, name, value, 0);
  const rp_type *type = rp_value_type(j->graph, value);
  j->out[j->n_out].value = value;
  j->out[j->n_out].data = data;
  j->out[j->n_out++].bytes = type ? rp_value_len(j->graph, value) * type->size_bytes : 0;
}

void job_output_unordered(job *j, rp_value value, void *data) {
  j->out[j->n_out].unordered = 1;
  job_output(j, value, data);
}

static rp_status run_once(job *j, rp_recording *recording, int again) {
  rp_run *run;
  rp_status st = rp_run_begin(recording, UINT64_MAX, &run, &j->error);
  if (st != RP_OK) return st;
  for (uint32_t i = 0; i < j->n_in && st == RP_OK; i++)
    st = rp_run_set_input(run, j->in[i].value, j->in[i].data, j->in[i].bytes);
  if (st == RP_OK) st = rp_run_submit(run);
  if (st == RP_OK) st = rp_run_wait(run, UINT64_MAX);
  if (st != RP_OK && rp_run_error(run)) j->error = *rp_run_error(run);
  for (uint32_t i = 0; i < j->n_out && st == RP_OK; i++) {
    const void *data = rp_run_output(run, j->out[i].value);
    assert_non_null(data);
    if (again && j->out[i].unordered) continue;
    if (again)
      assert_memory_equal(j->out[i].data, data, j->out[i].bytes);
    else
      memcpy(j->out[i].data, data, j->out[i].bytes);
  }
  rp_run_end(run);
  return st;
}

static void find_strategy(job *j, rp_recording *recording) {
  rp_node_info nodes[64] = {{.struct_size = sizeof *nodes}};
  uint32_t count = 0;
  if (!j->strategy_of || rp_recording_nodes(recording, nodes, 64, &count, NULL) != RP_OK) return;
  for (uint32_t i = 0; i < count && i < 64; i++)
    if (!strcmp(nodes[i].op, j->strategy_of)) snprintf(j->strategy, sizeof j->strategy, "%s", nodes[i].strategy);
}

rp_status job_run(job *j) {
  rp_recording *recording;
  rp_record_options options = {
      .struct_size = sizeof options, .flags = RP_RECORD_CHECK_HAZARDS | RP_RECORD_RANDOM_ORDER, .order_seed = 1};
  rp_status st = rp_record(current.device, j->graph, &options, &recording, &j->error);
  rp_graph_destroy(j->graph);
  if (st != RP_OK) return st;
  find_strategy(j, recording);
  st = run_once(j, recording, 0);
  if (st == RP_OK) st = run_once(j, recording, 1);
  rp_recording_destroy(recording);
  return st;
}

void job_check(job *j) {
  rp_status st = job_run(j);
  if (st != RP_OK) fail_msg("on %s: %s", current.name, j->error.reason);
}
