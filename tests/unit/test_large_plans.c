/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Graphs of 100,000 nodes are built, planned, recorded and exported in bounded processor time and memory, whatever
 * their shape; larger ones than the documented limits are refused. Also tests how many more bytes a plan takes when the
 * graph is planned as a large one. With REPRISE_TEST_QUICK, the graphs have a fifth of the nodes. With sanitizers, they
 * are small and no limit is tested. With a size as its first argument, the program prints the figures and does not
 * judge them.
 */
#include "shapes.h"

#include "dag.h"
#include "plan.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || !defined(NDEBUG)
enum { NODES = 10000, SOME_NODES = 1000, MOST_BYTES = 500000000 }; /* sanitizers look at addresses, not at sizes */
#define CHECKED_BUILD 1
static const double most_seconds = 40;
#else
enum { NODES = 100000, SOME_NODES = 3000, MOST_BYTES = 500000000 };
#define CHECKED_BUILD 0
static const double most_seconds = 4; /* twice the documented bound, since the machine may be slow */
#endif
static uint32_t printed_size;

/* ---- Measuring --------------------------------------------------------------------------------------------------- */

typedef struct meter {
  uint64_t live, peak;
} meter;

static void *metered_alloc(void *user, size_t bytes, size_t align) {
  meter *m = user;
  m->live += bytes;
  if (m->live > m->peak) m->peak = m->live;
  return aligned_alloc(align, (bytes + align - 1) / align * align);
}

static void metered_free(void *user, void *memory, size_t bytes) {
  ((meter *)user)->live -= bytes;
  free(memory);
}

static double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

typedef struct bench {
  meter meter;
  rp_context *context;
  rp_device *device;
  rp_graph *graph;
} bench;

static void open_bench(bench *b, rp_device_kind kind) {
  *b = (bench){0};
  rp_context_options c = {.struct_size = sizeof c, .allocator = {&b->meter, metered_alloc, metered_free}};
  rp_device_options d = {.struct_size = sizeof d, .kind = kind};
  assert_int_equal(rp_context_create(&c, &b->context, NULL), RP_OK);
  assert_int_equal(rp_device_open(b->context, &d, &b->device, NULL), RP_OK);
  assert_int_equal(rp_graph_create(b->context, "shape", &b->graph, NULL), RP_OK);
}

static void close_bench(bench *b) {
  rp_graph_destroy(b->graph);
  rp_device_close(b->device);
  rp_context_destroy(b->context);
  assert_int_equal(b->meter.live, 0);
}

static int count_bytes(void *user, const char *text, size_t bytes) {
  (void)text;
  *(uint64_t *)user += bytes;
  return 0;
}

/* ---- Time and memory --------------------------------------------------------------------------------------------- */

static void take(const shape *s, rp_device_kind kind, uint32_t n) {
  bench b;
  rp_error err = {0};
  rp_recording *r;
  rp_plan_info info = {.struct_size = sizeof info};
  uint64_t text = 0;
  double t[4];
  open_bench(&b, kind);
  t[0] = seconds();
  s->build(b.graph, n);
  if (rp_graph_error(b.graph)->status) fail_msg("%s: %s", s->name, rp_graph_error(b.graph)->reason);
  t[1] = seconds();
  if (rp_plan_query(b.device, b.graph, NULL, &info, &err)) fail_msg("%s: %s", s->name, err.reason);
  t[2] = seconds();
  /* Some of the shapes are enough, since exporting does not depend on the shape. */
  if (kind == RP_DEVICE_NULL && (printed_size || (s - shapes) % 4 == 3)) {
    assert_int_equal(rp_record(b.device, b.graph, NULL, &r, &err), RP_OK);
    for (int format = 0; format < 2; format++) {
      const rp_export_format f = format ? RP_EXPORT_DOT : RP_EXPORT_JSON;
      assert_int_equal(rp_graph_export(b.graph, f, count_bytes, &text, &err), RP_OK);
      assert_int_equal(rp_recording_export(r, f, count_bytes, &text, &err), RP_OK);
    }
    rp_recording_destroy(r);
  }
  t[3] = seconds();
  if (printed_size)
    printf("%-14s %-4s build %.2f s, plan %.2f s, record and export %.2f s, %4.0f MB; arena %.2f MB, %u edges, %u "
           "levels\n",
           s->name, kind == RP_DEVICE_NULL ? "null" : "cpu", t[1] - t[0], t[2] - t[1], t[3] - t[2],
           1e-6 * (double)b.meter.peak, 1e-6 * (double)(info.arena_bytes + info.once_bytes), info.edges, info.levels);
  if (!printed_size && (t[1] - t[0] > most_seconds / 2 || t[2] - t[1] > most_seconds || t[3] - t[2] > 3 * most_seconds))
    fail_msg("%s: built in %.2f s, planned in %.2f s, recorded and exported in %.2f s", s->name, t[1] - t[0],
             t[2] - t[1], t[3] - t[2]);
  if (!printed_size && b.meter.peak > MOST_BYTES)
    fail_msg("%s: %llu bytes of host memory", s->name, (unsigned long long)b.meter.peak);
  close_bench(&b);
}

static void all_shapes(void **state) {
  (void)state;
  const uint32_t n = printed_size ? printed_size : getenv("REPRISE_TEST_QUICK") ? NODES / 5 : NODES;
  for (const shape *s = shapes; s->name; s++) {
    take(s, RP_DEVICE_NULL, n);
    take(s, RP_DEVICE_CPU, n); /* where large values share memory by another rule */
  }
}

/* ---- Memory and levels beside those of the exact plan ------------------------------------------------------------ */

static rp_plan_info plan_as(const shape *s, uint32_t n, uint32_t exact_steps, uint32_t level) {
  bench b;
  rp_plan *plan;
  rp_error err = {0};
  rp_record_options o = {.struct_size = sizeof o, .max_in_flight = 1};
  open_bench(&b, RP_DEVICE_NULL);
  s->build(b.graph, n);
  assert_int_equal(rp_plan_begin(b.device, b.graph, &o, level, &plan, &err), RP_OK);
  plan->exact_steps = exact_steps;
  for (const rp_pass *pass = rp_passes; pass->name; pass++)
    if (pass->run(plan, &err)) fail_msg("%s, pass %s: %s", s->name, pass->name, err.reason);
  rp_plan_finish(plan);
  const rp_plan_info info = plan->info;
  rp_plan_destroy(plan);
  close_bench(&b);
  return info;
}

static void bytes_beside_exact(void **state) {
  (void)state;
  for (const shape *s = shapes; s->name; s++) {
    for (uint32_t level = 0; level < 2; level++) {
      const rp_plan_info exact = plan_as(s, SOME_NODES, RP_EXACT_STEPS, level),
                         large = plan_as(s, SOME_NODES, 0, level);
      const uint64_t best = exact.arena_bytes + exact.once_bytes, got = large.arena_bytes + large.once_bytes;
      if (printed_size)
        printf("%-14s level %u: %9llu bytes, as a large graph %9llu (%.2f); edges %u, %u; levels %u, %u\n", s->name,
               level, (unsigned long long)best, (unsigned long long)got, (double)got / (double)best, exact.edges,
               large.edges, exact.levels, large.levels);
      /* From level 1 on, values share by the numbers of their users. */
      const double most = s->most_cost > 0 && level == 0 ? s->most_cost : 1.15;
      if ((double)got > most * (double)best)
        fail_msg("%s, level %u: %llu bytes, and %llu as a large graph", s->name, level, (unsigned long long)best,
                 (unsigned long long)got);
      /* Sharing by proof makes no dispatch wait for another. */
      if (level == 0) assert_true(large.levels <= exact.levels);
    }
  }
}

/* ---- Limits ------------------------------------------------------------------------------------------------------ */

static rp_status status_of_plan(bench *b, char *reason, size_t bytes) {
  rp_plan_info info = {.struct_size = sizeof info};
  rp_error err = {0};
  const rp_status status = rp_plan_query(b->device, b->graph, NULL, &info, &err);
  snprintf(reason, bytes, "%s", err.reason);
  return status;
}

static void what_is_too_large_is_refused(void **state) {
  (void)state;
  char reason[sizeof((rp_error *)0)->reason];
  bench b;
  if (CHECKED_BUILD) skip();
  open_bench(&b, RP_DEVICE_NULL);
  shapes[0].build(b.graph, RP_NODES_MAX);
  assert_int_equal(rp_graph_error(b.graph)->status, RP_OK);
  assert_int_equal(status_of_plan(&b, reason, sizeof reason), RP_OK);
  close_bench(&b);

  open_bench(&b, RP_DEVICE_NULL);
  shapes[0].build(b.graph, RP_NODES_MAX + 1);
  assert_int_equal(status_of_plan(&b, reason, sizeof reason), RP_ERR_UNSUPPORTED);
  assert_non_null(strstr(reason, "131072 nodes"));
  close_bench(&b);

  open_bench(&b, RP_DEVICE_NULL); /* three dispatches per node */
  build_scratch(b.graph, 100000, 2);
  assert_int_equal(rp_graph_error(b.graph)->status, RP_OK);
  assert_int_equal(status_of_plan(&b, reason, sizeof reason), RP_ERR_UNSUPPORTED);
  assert_non_null(strstr(reason, "262144 dispatches"));
  close_bench(&b);

  open_bench(&b, RP_DEVICE_NULL); /* 100 inputs per node: 34 dispatches with 134 ranges */
  build_dense(b.graph, 7000, 300);
  assert_int_equal(status_of_plan(&b, reason, sizeof reason), RP_ERR_UNSUPPORTED);
  close_bench(&b);
}

int main(int argc, char **argv) {
  if (argc > 1) printed_size = (uint32_t)atoi(argv[1]);
  const struct CMUnitTest tests[] = {cmocka_unit_test(all_shapes), cmocka_unit_test(bytes_beside_exact),
                                     cmocka_unit_test(what_is_too_large_is_refused)};
  return cmocka_run_group_tests_name("large plans", tests, NULL, NULL);
}
