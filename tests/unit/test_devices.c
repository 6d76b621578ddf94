/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Listing and choosing devices, contexts, statuses and logs.
 */
#include "watch.h"

#include <stdio.h>

static rp_status open_as(rp_context *c, const char *choice, rp_device_kind kind, uint32_t index, rp_device_info *info,
                         rp_error *err) {
  rp_device *d;
  rp_device_options o = {.struct_size = sizeof o, .kind = kind, .index = index, .cpu_threads = 1};
  if (choice)
    setenv("REPRISE_DEVICE", choice, 1);
  else
    unsetenv("REPRISE_DEVICE");
  rp_status status = rp_device_open(c, &o, &d, err);
  assert_int_equal(status == RP_OK, d != NULL);
  rp_device_get_info(d, info);
  rp_device_close(d);
  return status;
}

static void choosing(void **state) {
  (void)state;
  rp_context *c;
  rp_device_info info = {.struct_size = sizeof info};
  rp_error err;
  assert_int_equal(rp_context_create(NULL, &c, NULL), RP_OK);
  assert_int_equal(open_as(c, "cpu", RP_DEVICE_AUTO, 0, &info, NULL), RP_OK);
  assert_int_equal(info.kind, RP_DEVICE_CPU);
  assert_true(info.memory_budget_bytes > 0 && info.limits.workers >= 1);
  assert_int_equal(open_as(c, "null", RP_DEVICE_AUTO, 0, &info, NULL), RP_OK);
  assert_int_equal(info.kind, RP_DEVICE_NULL);
  /* The option prevails over the environment. */
  assert_int_equal(open_as(c, "null", RP_DEVICE_CPU, 0, &info, NULL), RP_OK);
  assert_int_equal(info.kind, RP_DEVICE_CPU);
  assert_int_equal(open_as(c, "auto", RP_DEVICE_AUTO, 0, &info, NULL), RP_OK);
  assert_true(info.kind != RP_DEVICE_NULL && info.kind != RP_DEVICE_AUTO);
  assert_int_equal(open_as(c, NULL, RP_DEVICE_AUTO, 0, &info, NULL), RP_OK);
  assert_true(info.kind != RP_DEVICE_NULL && info.kind != RP_DEVICE_AUTO);

  const char *const wrong[] = {"gpu", "cpu:", "cpu:x", "cpu:1x", "auto:0", ":1", "cpu:99999999999", "CPU"};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    assert_int_equal(open_as(c, wrong[i], RP_DEVICE_AUTO, 0, &info, &err), RP_ERR_ARGUMENT);
    assert_non_null(strstr(err.reason, wrong[i]));
    assert_non_null(strstr(err.reason, "cuda:1"));
  }
  assert_int_equal(open_as(c, "cpu:7", RP_DEVICE_AUTO, 0, &info, &err), RP_ERR_UNAVAILABLE);
  assert_string_equal(err.reason, "no device cpu:7: there is 1 of that kind");
  assert_int_equal(open_as(c, NULL, RP_DEVICE_NULL, 3, &info, &err), RP_ERR_UNAVAILABLE);
  assert_int_equal(open_as(c, NULL, (rp_device_kind)17, 0, &info, &err), RP_ERR_ARGUMENT);
  rp_context_destroy(c);
}

static void listing(void **state) {
  (void)state;
  rp_context *c;
  rp_device_info infos[32] = {{.struct_size = sizeof *infos}}, one = {.struct_size = sizeof one};
  uint32_t n, again;
  unsigned kinds = 0;
  assert_int_equal(rp_context_create(NULL, &c, NULL), RP_OK);
  assert_int_equal(rp_devices(c, NULL, 0, &n, NULL), RP_OK);
  assert_true(n >= 4 && n <= 32);
  assert_int_equal(rp_devices(c, infos, 32, &again, NULL), RP_OK);
  assert_int_equal(n, again);
  for (uint32_t i = 0; i < n; i++) {
    kinds |= 1u << infos[i].kind;
    assert_true(infos[i].name[0] != 0);
    assert_true(infos[i].available || infos[i].reason[0]);
    if (infos[i].available) continue;
    rp_device *d; /* opening a device that is unavailable says why */
    rp_device_options o = {.struct_size = sizeof o, .kind = infos[i].kind, .index = infos[i].index};
    rp_error err;
    assert_int_equal(rp_device_open(c, &o, &d, &err), RP_ERR_UNAVAILABLE);
    assert_non_null(strstr(err.reason, infos[i].reason));
  }
  assert_int_equal(kinds, 1u << RP_DEVICE_CPU | 1u << RP_DEVICE_CUDA | 1u << RP_DEVICE_VULKAN | 1u << RP_DEVICE_NULL);
  assert_int_equal(rp_devices(c, &one, 1, &again, NULL), RP_OK); /* never writes more entries than there is room for */
  assert_int_equal(n, again);
  rp_context_destroy(c);
}

/* ---- Contexts and logs ------------------------------------------------------------------------------------------- */

typedef struct lines {
  int n, of_passes;
} lines;

static void count_line(void *user, rp_log_level level, const char *message) {
  lines *l = user;
  (void)level;
  l->n++;
  l->of_passes += strstr(message, "after pass") != NULL;
}

static int plan_with(rp_log_level level, int *of_passes) {
  lines l = {0};
  rp_context *c;
  rp_device *d;
  rp_graph *g;
  rp_plan_info info = {.struct_size = sizeof info};
  rp_context_options o = {.struct_size = sizeof o, .log_level = level, .log = count_line, .log_user = &l};
  rp_device_options device = {.struct_size = sizeof device, .kind = RP_DEVICE_NULL};
  assert_int_equal(rp_context_create(&o, &c, NULL), RP_OK);
  assert_int_equal(rp_device_open(c, &device, &d, NULL), RP_OK);
  assert_int_equal(rp_graph_create(c, NULL, &g, NULL), RP_OK);
  rp_graph_output(g, "out", toy_scale(g, rp_graph_input(g, "in", &toy_u64, 4, 0), 2), 0);
  assert_int_equal(rp_plan_query(d, g, NULL, &info, NULL), RP_OK);
  rp_graph_destroy(g);
  rp_device_close(d);
  rp_context_destroy(c);
  if (of_passes) *of_passes = l.of_passes;
  return l.n;
}

static void logs_are_asked_for(void **state) {
  (void)state;
  int of_passes;
  assert_int_equal(plan_with(0, NULL), 0); /* there is nothing to warn about */
  assert_int_equal(plan_with(RP_LOG_INFO, NULL), 1);
  assert_true(plan_with(RP_LOG_DEBUG, &of_passes) > 10);
  assert_int_equal(of_passes, 13);
}

static void options_are_checked(void **state) {
  (void)state;
  rp_context *c;
  rp_device *d;
  rp_error err;
  rp_context_options no_size = {.log_level = RP_LOG_INFO};
  rp_context_options half = {.struct_size = sizeof half, .allocator = {.alloc = (void *(*)(void *, size_t, size_t))1}};
  rp_device_options device = {.kind = RP_DEVICE_NULL};
  assert_int_equal(rp_context_create(&no_size, &c, &err), RP_ERR_ARGUMENT);
  assert_null(c);
  assert_int_equal(rp_context_create(&half, &c, &err), RP_ERR_ARGUMENT);
  watch_open(&rp_backend_null, 0);
  assert_int_equal(rp_device_open(the_watch.context, &device, &d, &err), RP_ERR_ARGUMENT);
  const rp_record_options wrong[] = {
      {.flags = 1},
      {.struct_size = sizeof *wrong, .flags = 1u << 20},
      {.struct_size = sizeof *wrong, .max_in_flight = 1u << 20},
      {.struct_size = sizeof *wrong, .min_memory_level = 3, .max_memory_level = 2},
      {.struct_size = sizeof *wrong, .max_memory_level = RP_MEMORY_LEVELS},
  };
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    rp_plan_info info = {.struct_size = sizeof info};
    assert_int_equal(rp_plan_query(the_watch.device, the_watch.graph, &wrong[i], &info, &err), RP_ERR_ARGUMENT);
  }
  /* The shorter struct of a caller that was compiled against an older header: missing fields count as zero. */
  struct {
    uint32_t struct_size, level;
  } old = {.struct_size = 8, .level = RP_LOG_ERROR};
  assert_int_equal(rp_context_create((const rp_context_options *)(const void *)&old, &c, NULL), RP_OK);
  rp_context_destroy(c);
  watch_close();
}

static uint64_t now_free;
static uint64_t tell_free(void *state) {
  (void)state;
  return now_free;
}

/* Other programs may hold part of the memory: a budget that is not set is nine tenths of what is left. */
static void budgets_of_free_memory(void **state) {
  (void)state;
  rp_context *c;
  rp_backend table = rp_backend_null;
  table.free_bytes = tell_free;
  assert_int_equal(rp_context_create(NULL, &c, NULL), RP_OK);
  const uint64_t usual = (uint64_t)1 << 40;
  const struct {
    uint64_t free, asked, budget;
  } cases[] = {{0, 0, usual}, {1000, 0, 900}, {usual * 2, 0, usual}, {1000, 5000, 5000}, {0, 5000, 5000}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const rp_device_options o = {.struct_size = sizeof o, .memory_budget_bytes = cases[i].asked};
    rp_device_info info = {.struct_size = sizeof info};
    rp_device *d;
    now_free = cases[i].free;
    assert_int_equal(rp_device_open_with(c, &table, &o, &d, NULL), RP_OK);
    rp_device_get_info(d, &info);
    assert_int_equal(info.memory_budget_bytes, cases[i].budget);
    rp_device_close(d);
  }
  rp_device *cpu;
  rp_device_info info = {.struct_size = sizeof info};
  const rp_device_options o = {.struct_size = sizeof o, .cpu_threads = 1};
  assert_int_equal(rp_device_open_with(c, &rp_backend_cpu, &o, &cpu, NULL), RP_OK);
  const uint64_t free = rp_backend_cpu.free_bytes(cpu->state);
  rp_device_get_info(cpu, &info);
  assert_in_range(free, 1 << 20, info.limits.memory_bytes);
  assert_in_range(info.memory_budget_bytes, free / 10 * 5, free); /* others allocate meanwhile */
  rp_device_close(cpu);
  rp_context_destroy(c);
}

static void statuses_have_names(void **state) {
  (void)state;
  assert_string_equal(rp_status_name(RP_ERR_BUDGET), "RP_ERR_BUDGET");
  assert_string_equal(rp_status_text(RP_OK), "ok");
  assert_string_equal(rp_status_name((rp_status)1000), "RP_ERR_UNKNOWN");
  assert_string_equal(rp_device_kind_name(RP_DEVICE_VULKAN), "vulkan");
  assert_string_equal(rp_device_kind_name((rp_device_kind)1000), "unknown");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(choosing),
      cmocka_unit_test(listing),
      cmocka_unit_test(logs_are_asked_for),
      cmocka_unit_test(options_are_checked),
      cmocka_unit_test(budgets_of_free_memory),
      cmocka_unit_test(statuses_have_names),
  };
  return cmocka_run_group_tests_name("devices", tests, NULL, NULL);
}
