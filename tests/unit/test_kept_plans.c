/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Plans that are kept (rp_plans_keep, rp_plans_use): each budget gets the plan that it gets without them, without the
 * search; what does not belong to the device, the library or the graph is not used, and what is damaged is refused.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "device.h"
#include "toy_ops.h"

#include <reprise/plans.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LEN = 4096, VALUES = 60, ROOM = 1 << 16, MOST_POINTS = 64 };

/* Where the file's words are (kept_plans.c). */
enum { AT_KIND = 8, AT_SLOTS = 12, AT_VALUES = 24, AT_POINTS = 36, AT_KERNEL_BYTES = 40, AT_LIMITS = 48 };
enum { AT_VERSION = 56, AT_NAME = 88, AT_DRIVER = 216, HEAD = 352, POINT = 48 };

/* ---- A context that counts, a device with compiled kernels ------------------------------------------------------- */

static rp_context *context;
static rp_device *device;
static uint64_t allocations, live, fail_at;
static char last_line[512];
static unsigned char kernels[64], added[64];
static uint64_t n_kernels, n_added;
static int refuses;

static void *counted(void *user, size_t bytes, size_t align) {
  (void)user;
  if (fail_at && --fail_at == 0) return NULL;
  allocations++;
  live += bytes;
  return aligned_alloc(align, (bytes + align - 1) / align * align);
}

static void counted_free(void *user, void *memory, size_t bytes) {
  (void)user;
  live -= memory ? bytes : 0;
  free(memory);
}

static void heard(void *user, rp_log_level level, const char *message) {
  (void)user, (void)level;
  if (strstr(message, "kept")) snprintf(last_line, sizeof last_line, "%s", message);
}

static bool get_kernels(void *state, void *data, uint64_t *bytes) {
  (void)state;
  if (data) memcpy(data, kernels, (size_t)*bytes);
  *bytes = n_kernels;
  return n_kernels != 0;
}

static bool add_kernels(void *state, const void *data, uint64_t bytes) {
  (void)state;
  if (refuses) return 0;
  memcpy(added, data, (size_t)bytes);
  n_added = bytes;
  return 1;
}

static void open_on(const rp_backend *inner) {
  static rp_backend table;
  table = *inner;
  table.pipelines_get = get_kernels;
  table.pipelines_add = add_kernels;
  const rp_context_options o = {.struct_size = sizeof o,
                                .log = heard,
                                .log_level = RP_LOG_INFO,
                                .allocator = {.alloc = counted, .free = counted_free}};
  const rp_device_options d = {.struct_size = sizeof d, .cpu_threads = 2};
  n_kernels = n_added = live = 0;
  refuses = 0;
  last_line[0] = 0;
  assert_int_equal(rp_context_create(&o, &context, NULL), RP_OK);
  assert_int_equal(rp_device_open_with(context, &table, &d, &device, NULL), RP_OK);
}

static void close_all(void) {
  rp_device_close(device);
  rp_context_destroy(context);
  assert_int_equal(live, 0);
}

/* ---- A graph with many points ------------------------------------------------------------------------------------ */

static rp_value in;

/* Values of three lengths that are computed from recent and from earlier ones, so that how much is alive at once
 * depends on their order. */
static rp_graph *build(void) {
  rp_graph *g;
  rp_value v[VALUES], sum = RP_NO_VALUE;
  assert_int_equal(rp_graph_create(context, "web", &g, NULL), RP_OK);
  v[0] = in = rp_graph_input(g, "in", &toy_u64, LEN, 0);
  for (uint32_t i = 1; i < VALUES; i++) {
    const rp_value near = v[i - 1 - (i * 7) % (i < 9 ? i : 9)], far = v[(i * i + 3) % i];
    v[i] = i % 3 ? toy_scale(g, near, i) : toy_add(g, near, far);
    if (i % 4 == 0) sum = sum.id ? toy_add(g, sum, toy_sum(g, v[i])) : toy_sum(g, v[i]);
  }
  rp_graph_output(g, "out", sum, 0);
  return g;
}

typedef struct bytes {
  unsigned char data[ROOM];
  size_t n;
} bytes;

static int append(void *user, const char *text, size_t n) {
  bytes *b = user;
  assert_true(b->n + n <= ROOM);
  memcpy(b->data + b->n, text, n);
  b->n += n;
  return 0;
}

static void keep(const rp_graph *g, uint32_t flags, bytes *b) {
  rp_error err = {0};
  b->n = 0;
  if (rp_plans_keep(device, g, NULL, flags, append, b, &err)) fail_msg("%s", err.reason);
}

static void use(rp_graph *g, const bytes *b, uint32_t flags) {
  rp_error err = {0};
  if (rp_plans_use(g, b->data, b->n, flags, &err)) fail_msg("%s", err.reason);
}

static rp_status ask(const rp_graph *g, uint64_t budget, rp_plan_info *info, uint64_t *took) {
  const rp_record_options o = {.struct_size = sizeof o, .memory_budget_bytes = budget};
  const uint64_t before = allocations;
  *info = (rp_plan_info){.struct_size = sizeof *info};
  const rp_status status = rp_plan_query(device, g, &o, info, NULL);
  *took = allocations - before;
  return status;
}

static void same_answer(const rp_graph *plain, const rp_graph *kept, uint64_t budget, int searches) {
  rp_plan_info want, got;
  uint64_t took[2];
  const rp_status status = ask(plain, budget, &want, &took[0]);
  assert_int_equal(ask(kept, budget, &got, &took[1]), status);
  want.host_bytes = got.host_bytes = 0; /* copies of the graph differ in what arenas round */
  assert_memory_equal(&want, &got, sizeof want);
  if (!searches && status == RP_OK && took[1] * 3 > took[0])
    fail_msg("%llu allocations, and a search has %llu", (unsigned long long)took[1], (unsigned long long)took[0]);
}

/* Every budget, from the whole to less than the least. `searches`: the plans that are kept are not used. */
static void same_for_each_budget(const rp_graph *plain, const rp_graph *kept, int searches) {
  rp_plan_point points[MOST_POINTS] = {{.struct_size = sizeof *points}};
  uint32_t n = 0;
  assert_int_equal(rp_plan_points(device, plain, NULL, points, MOST_POINTS, &n, NULL), RP_OK);
  if (n < 3 || n > MOST_POINTS) fail_msg("%u points", n);
  same_answer(plain, kept, 0, 1); /* the usual plan is found without a search */
  for (uint32_t i = 0; i < n; i++) {
    same_answer(plain, kept, points[i].total_bytes, searches || i == 0);
    same_answer(plain, kept, points[i].total_bytes - 1, searches);
  }
}

/* ---- Tests ------------------------------------------------------------------------------------------------------- */

static void each_budget_gets_its_plan(void **state) {
  (void)state;
  const rp_backend *const backends[] = {&rp_backend_null, &rp_backend_cpu};
  for (int i = 0; i < 2; i++) {
    bytes b;
    open_on(backends[i]);
    rp_graph *plain = build(), *kept = build();
    keep(plain, 0, &b);
    use(kept, &b, 0);
    same_for_each_budget(plain, kept, 0);
    assert_string_equal(last_line, "");
    rp_graph_destroy(plain);
    rp_graph_destroy(kept);
    close_all();
  }
}

/* The result of the graph, recorded with a budget. */
static uint64_t run(const rp_graph *g, uint64_t budget) {
  static uint64_t data[LEN];
  uint64_t got = 0;
  rp_recording *r;
  rp_error err = {0};
  const rp_record_options o = {
      .struct_size = sizeof o, .flags = RP_RECORD_CHECK_HAZARDS, .memory_budget_bytes = budget};
  for (uint64_t i = 0; i < LEN; i++) data[i] = i * i + 1;
  if (rp_record(device, g, &o, &r, &err)) fail_msg("%s", err.reason);
  const rp_replay_input x = {.name = "in", .data = data, .size_bytes = sizeof data};
  const rp_replay_output y = {.name = "out", .data = &got, .size_bytes = sizeof got};
  if (rp_replay(r, &x, 1, &y, 1, &err)) fail_msg("%s", err.reason);
  rp_recording_destroy(r);
  return got;
}

static void results_are_the_same(void **state) {
  (void)state;
  bytes b;
  rp_plan_point points[MOST_POINTS] = {{.struct_size = sizeof *points}};
  uint32_t n = 0;
  open_on(&rp_backend_cpu);
  rp_graph *g = build();
  assert_int_equal(rp_plan_points(device, g, NULL, points, MOST_POINTS, &n, NULL), RP_OK);
  const uint64_t want = run(g, 0);
  keep(g, 0, &b);
  use(g, &b, 0);
  for (uint32_t i = 0; i < n; i++) assert_int_equal(run(g, points[i].total_bytes), want);
  rp_graph_destroy(g);
  close_all();
}

/* The bytes with some changed, on a new graph. */
static rp_graph *with(const bytes *b, size_t at, unsigned char x) {
  bytes other = *b;
  rp_graph *g = build();
  other.data[at] ^= x;
  use(g, &other, 0);
  return g;
}

static void plans_of_others_are_not_used(void **state) {
  (void)state;
  static const struct {
    size_t at;
    const char *line;
  } cases[] = {{AT_NAME, "another device"},     {AT_DRIVER, "another device"}, {AT_LIMITS, "another device"},
               {AT_VERSION, "another version"}, {AT_VALUES, "has changed"},    {AT_SLOTS, "options of recording"}};
  bytes b;
  open_on(&rp_backend_cpu);
  rp_graph *plain = build();
  keep(plain, 0, &b);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    last_line[0] = 0;
    rp_graph *g = with(&b, cases[i].at, 1);
    same_for_each_budget(plain, g, 1);
    if (!strstr(last_line, cases[i].line)) fail_msg("'%s' does not say '%s'", last_line, cases[i].line);
    rp_graph_destroy(g);
  }
  last_line[0] = 0;
  rp_graph *g = with(&b, AT_KIND, 64); /* of a kind that this device is not */
  same_for_each_budget(plain, g, 1);
  assert_string_equal(last_line, "");
  rp_graph_destroy(g);
  g = with(&b, HEAD, 0);
  rp_graph_output(g, "more", toy_scale(g, in, 3), 0);
  last_line[0] = 0;
  rp_plan_info info = {.struct_size = sizeof info};
  assert_int_equal(rp_plan_query(device, g, NULL, &info, NULL), RP_OK);
  assert_non_null(strstr(last_line, "the graph has changed"));
  rp_graph_destroy(g);
  rp_graph_destroy(plain);
  close_all();
}

/* Points that somebody has made up: whatever they say, a recording within the budget computes the right result. */
static void made_up_points_do_no_harm(void **state) {
  (void)state;
  bytes b;
  rp_plan_info least = {.struct_size = sizeof least};
  const rp_record_options tiny = {.struct_size = sizeof tiny, .memory_budget_bytes = 1};
  open_on(&rp_backend_cpu);
  rp_graph *plain = build();
  const uint64_t want = run(plain, 0);
  keep(plain, 0, &b);
  assert_int_equal(rp_plan_query(device, plain, &tiny, &least, NULL), RP_ERR_BUDGET);
  const uint32_t n = b.data[AT_POINTS];
  for (uint32_t i = 0; i < n; i++)
    for (size_t at = 0; at < POINT; at += at < 8 ? 4 : 5) {
      bytes other = b;
      unsigned char *byte = &other.data[HEAD + i * POINT + at];
      *byte = at < 8 ? (unsigned char)(*byte ^ 1) : (unsigned char)(*byte + 77);
      rp_graph *g = build();
      if (rp_plans_use(g, other.data, other.n, 0, NULL) == RP_OK) {
        assert_int_equal(run(g, least.total_bytes), want);
        assert_int_equal(run(g, 2 * least.total_bytes), want);
      }
      rp_graph_destroy(g);
    }
  rp_graph_destroy(plain);
  close_all();
}

static void figures_must_come_out_the_same(void **state) {
  (void)state;
  bytes b;
  open_on(&rp_backend_cpu);
  rp_graph *plain = build();
  keep(plain, 0, &b);
  for (uint32_t i = 0; i < b.data[AT_POINTS]; i++) b.data[HEAD + i * POINT + 40] ^= 1; /* dispatches */
  rp_graph *g = build();
  use(g, &b, 0);
  same_for_each_budget(plain, g, 1);
  assert_non_null(strstr(last_line, "figures"));
  rp_graph_destroy(g);
  rp_graph_destroy(plain);
  close_all();
}

/* Each cap gives the plan of its point or another one, and no cap stops the schedule. */
static void caps_of_any_size(void **state) {
  (void)state;
  static const uint64_t caps[] = {0, 1, 1 << 20, (uint64_t)1 << 60, INT64_MAX};
  bytes b;
  open_on(&rp_backend_cpu);
  rp_graph *plain = build();
  keep(plain, 0, &b);
  for (size_t k = 0; k < sizeof caps / sizeof *caps; k++) {
    for (uint32_t i = 0; i < b.data[AT_POINTS]; i++) {
      b.data[HEAD + i * POINT + 4] = 3; /* by epoch */
      for (int j = 0; j < 8; j++) b.data[HEAD + i * POINT + 8 + j] = (unsigned char)(caps[k] >> 8 * j);
    }
    rp_graph *g = build();
    use(g, &b, 0);
    same_for_each_budget(plain, g, 1);
    rp_graph_destroy(g);
  }
  rp_graph_destroy(plain);
  close_all();
}

static void refused(rp_graph *g, const void *data, uint64_t n, rp_status want) {
  rp_error err = {0};
  assert_int_equal(rp_plans_use(g, data, n, 0, &err), want);
  assert_true(strlen(err.reason) > 10);
}

static void damage_is_refused(void **state) {
  (void)state;
  bytes b, other;
  open_on(&rp_backend_cpu);
  rp_graph *g = build();
  memset(kernels, 7, n_kernels = sizeof kernels);
  keep(g, RP_PLANS_KERNELS, &b);
  for (size_t n = 0; n < b.n; n++) refused(g, b.data, n, RP_ERR_FORMAT);
#define CHANGED(at, value) (other = b, other.data[at] = (value), refused(g, other.data, other.n, RP_ERR_FORMAT))
  CHANGED(0, 'X');
  CHANGED(AT_POINTS, 0);
  CHANGED(AT_POINTS, b.data[AT_POINTS] + 1);
  CHANGED(AT_POINTS + 3, 0x80);
  CHANGED(AT_KERNEL_BYTES, sizeof kernels + 1);
  CHANGED(AT_KERNEL_BYTES + 7, 0x80);
  CHANGED(HEAD, RP_MEMORY_LEVELS);
  CHANGED(HEAD + 4, 4);
  CHANGED(HEAD + 8 + 7, 0x80);  /* a cap that no sum of sizes reaches */
  CHANGED(HEAD + 24 + 7, 0xff); /* more constants than all */
#undef CHANGED
  static const size_t texts[][2] = {{AT_VERSION, 32}, {AT_NAME, 128}, {AT_DRIVER, 128}};
  for (int i = 0; i < 3; i++) {
    other = b;
    memset(other.data + texts[i][0], 'x', texts[i][1]);
    refused(g, other.data, other.n, RP_ERR_FORMAT);
  }
  refused(g, NULL, 8, RP_ERR_ARGUMENT);
  refused(NULL, b.data, b.n, RP_ERR_ARGUMENT);
  assert_int_equal(rp_plans_use(g, b.data, b.n, 2, NULL), RP_ERR_ARGUMENT);
  assert_int_equal(rp_plans_keep(device, g, NULL, 2, append, &b, NULL), RP_ERR_ARGUMENT);
  assert_int_equal(rp_plans_keep(device, g, NULL, 0, NULL, &b, NULL), RP_ERR_ARGUMENT);
  assert_int_equal(rp_plans_keep(NULL, g, NULL, 0, append, &b, NULL), RP_ERR_ARGUMENT);
  rp_plan_info info = {.struct_size = sizeof info};
  /* None of the attempts above has left anything. */
  assert_int_equal(rp_plan_query(device, g, NULL, &info, NULL), RP_OK);
  rp_graph_destroy(g);
  close_all();
}

static int stop(void *user, const char *text, size_t n) {
  (void)text, (void)n;
  return --*(int *)user == 0;
}

static void what_can_fail(void **state) {
  (void)state;
  rp_error err = {0};
  open_on(&rp_backend_cpu);
  rp_graph *g = build();
  bytes b;
  memset(kernels, 7, n_kernels = sizeof kernels);
  for (int piece = 1; piece <= 2; piece++) {
    int left = piece;
    assert_int_equal(rp_plans_keep(device, g, NULL, RP_PLANS_KERNELS, stop, &left, &err), RP_ERR_CANCELLED);
  }
  rp_status status = RP_ERR_MEMORY;
  for (uint64_t nth = 1; status; nth++) {
    const uint64_t before = live;
    fail_at = nth;
    b.n = 0;
    status = rp_plans_keep(device, g, NULL, 0, append, &b, NULL);
    assert_true(status == RP_OK || status == RP_ERR_MEMORY);
    assert_int_equal(live, before);
    if (nth > 40 && status) nth += nth / 8; /* most allocations are those of plans */
  }
  fail_at = 0;
  rp_graph_destroy(g);
  close_all();
}

/* Compiled kernels go to the device if both sides ask for it. */
static void compiled_kernels(void **state) {
  (void)state;
  bytes b;
  open_on(&rp_backend_cpu);
  for (size_t i = 0; i < sizeof kernels; i++) kernels[i] = (unsigned char)(i * 3);
  n_kernels = 50;
  for (uint32_t keeps = 0; keeps < 2; keeps++)
    for (uint32_t uses = 0; uses < 2; uses++) {
      rp_graph *g = build();
      keep(g, keeps ? RP_PLANS_KERNELS : 0, &b);
      use(g, &b, uses ? RP_PLANS_KERNELS : 0);
      n_added = 0;
      (void)run(g, 0);
      assert_int_equal(n_added, keeps && uses ? 50 : 0);
      if (n_added) assert_memory_equal(added, kernels, 50);
      rp_graph_destroy(g);
    }
  rp_graph *g = build();
  keep(g, RP_PLANS_KERNELS, &b);
  use(g, &b, RP_PLANS_KERNELS);
  refuses = 1;
  (void)run(g, 0);
  assert_non_null(strstr(last_line, "are of another driver"));
  rp_graph_destroy(g);
  close_all();
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(each_budget_gets_its_plan),
                                     cmocka_unit_test(results_are_the_same),
                                     cmocka_unit_test(plans_of_others_are_not_used),
                                     cmocka_unit_test(made_up_points_do_no_harm),
                                     cmocka_unit_test(figures_must_come_out_the_same),
                                     cmocka_unit_test(caps_of_any_size),
                                     cmocka_unit_test(damage_is_refused),
                                     cmocka_unit_test(what_can_fail),
                                     cmocka_unit_test(compiled_kernels)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
