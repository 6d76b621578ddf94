/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Memory budgets: memory levels, refusals that name the sizes, and recordings that evict each other and are loaded
 * again.
 */
#include "watch.h"

#include "budget_walk.h"

#include <stdio.h>

enum { N = 1024, BYTES = 8 * N };

/* An op whose scratch at memory level i is times_at[i] times the size of its input, and which cannot be lowered at the
 * levels whose bits are set in refused_levels. */
static const uint64_t *times_at;
static uint32_t refused_levels;
static const uint64_t falling[RP_MEMORY_LEVELS] = {5, 4, 3, 2, 0};
static void copy_kernel(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *worker) {
  uint64_t *const *a = args;
  (void)worker;
  for (uint64_t i = begin; i < end; i++) a[1][i] = a[0][i];
}

static const rp_kernel k_copy = {.struct_size = sizeof(rp_kernel),
                                 .name = "copy",
                                 .args_bytes = 16,
                                 .n_binds = 2,
                                 .n_cpu = 1,
                                 .cpu = &(const rp_cpu_variant){RP_ISA_C, copy_kernel}};
static const rp_kernel k_copy_scratch = {.struct_size = sizeof(rp_kernel),
                                         .name = "copy",
                                         .args_bytes = 24,
                                         .n_binds = 3,
                                         .n_cpu = 1,
                                         .cpu = &(const rp_cpu_variant){RP_ISA_C, copy_kernel}};

static rp_status greedy_shape(const rp_shape *s) {
  s->out_type[0] = s->in_type[0];
  s->out_len[0] = s->in_len[0];
  return RP_OK;
}

static rp_status greedy_lower(rp_lower *l) {
  uint64_t args[3] = {0}, len = rp_lower_len(l, rp_lower_in(l, 0)), times = times_at[rp_lower_memory_level(l)];
  int none = times == 0;
  if (refused_levels >> rp_lower_memory_level(l) & 1)
    return rp_lower_fail(l, RP_ERR_UNSUPPORTED, "nothing for level %u", rp_lower_memory_level(l));
  rp_bind binds[3] = {RP_BIND(rp_lower_in(l, 0), RP_READ), RP_BIND(rp_lower_out(l, 0), RP_WRITE)};
  if (!none) binds[2] = RP_BIND(rp_lower_scratch(l, "room", &toy_u64, times * len), RP_WRITE);
  rp_lower_dispatch(l, &(rp_dispatch){.kernel = none ? &k_copy : &k_copy_scratch,
                                      .groups = {(uint32_t)len},
                                      .binds = binds,
                                      .n_binds = none ? 2 : 3,
                                      .args = args,
                                      .args_bytes = none ? 16 : 24});
  return RP_OK;
}

static const rp_strategy greedy_strategies[] = {{.name = "greedy", .devices = RP_ON_ANY, .lower = greedy_lower}};
static const rp_op op_greedy = {.struct_size = sizeof(rp_op),
                                .name = "greedy",
                                .shape = greedy_shape,
                                .strategies = greedy_strategies,
                                .n_strategies = 1};

static void open_greedy(const uint64_t *times) {
  times_at = times;
  refused_levels = 0;
  watch_open(&rp_backend_null, 1 << 20);
  rp_value a = rp_graph_input(the_watch.graph, "a", &toy_u64, N, 0);
  rp_graph_output(the_watch.graph, "b", rp_graph_node(the_watch.graph, &op_greedy, NULL, &a, 1, NULL, 1), 0);
}

static void the_first_level_that_fits(void **state) {
  (void)state;
  open_greedy(falling);
  const uint64_t io = 2 * BYTES + 16;
  for (uint32_t level = 0; level < RP_MEMORY_LEVELS; level++) {
    rp_plan_info info = {.struct_size = sizeof info};
    uint64_t need = io + falling[level] * BYTES;
    rp_record_options o = {.struct_size = sizeof o, .memory_budget_bytes = need};
    assert_int_equal(rp_plan_query(the_watch.device, the_watch.graph, &o, &info, NULL), RP_OK);
    assert_int_equal(info.memory_level, level);
    assert_int_equal(info.total_bytes, need);
  }
  rp_error err;
  rp_plan_info info = {.struct_size = sizeof info};
  char want[200];
  rp_record_options o = {.struct_size = sizeof o, .memory_budget_bytes = io - 1};
  assert_int_equal(rp_plan_query(the_watch.device, the_watch.graph, &o, &info, &err), RP_ERR_BUDGET);
  snprintf(want, sizeof want, "watched needs %d bytes on null:0 at memory level 4, and the budget is %d bytes", (int)io,
           (int)io - 1);
  assert_string_equal(err.reason, want);
  assert_int_equal(info.total_bytes, io);
  assert_int_equal(info.memory_level, RP_MEMORY_STREAMED);
  o = (rp_record_options){.struct_size = sizeof o, .memory_budget_bytes = io, .max_memory_level = 3};
  assert_int_equal(rp_plan_query(the_watch.device, the_watch.graph, &o, &info, &err), RP_ERR_BUDGET);
  o = (rp_record_options){.struct_size = sizeof o, .min_memory_level = 2};
  assert_int_equal(rp_plan_query(the_watch.device, the_watch.graph, &o, &info, NULL), RP_OK);
  assert_int_equal(info.memory_level, 2);
  assert_int_equal(the_watch.memory_allocs, 0);
  watch_close();
}

/* The device has less memory than its budget says: the largest plan that it has room for is recorded. */
static void less_memory_than_planned(void **state) {
  (void)state;
  const uint64_t io = 2 * BYTES + 16;
  open_greedy(falling);
  for (uint32_t level = 0; level <= RP_MEMORY_LEVELS; level++) {
    rp_recording *r = NULL;
    rp_plan_info info = {.struct_size = sizeof info};
    rp_error err = {0};
    const int none = level == RP_MEMORY_LEVELS;
    the_watch.limit_bytes = none ? io - 1 : io + falling[level] * BYTES;
    const rp_status status = rp_record(the_watch.device, the_watch.graph, NULL, &r, &err);
    assert_int_equal(status, none ? RP_ERR_DEVICE_MEMORY : RP_OK);
    if (none) assert_non_null(strstr(err.reason, "bytes are too many"));
    if (!none) rp_recording_get_plan(r, &info);
    if (!none) assert_int_equal(info.memory_level, level);
    rp_recording_destroy(r);
    assert_int_equal(the_watch.device_bytes, 0);
    assert_int_equal(the_watch.device->reserved_bytes, 0);
  }
  the_watch.limit_bytes = io;
  rp_recording *r = NULL;
  const rp_record_options o = {.struct_size = sizeof o, .max_memory_level = 3};
  assert_int_equal(rp_record(the_watch.device, the_watch.graph, &o, &r, NULL), RP_ERR_DEVICE_MEMORY);
  watch_close();
}

/* If a level cannot be lowered, a budget gets the next one that can. The first level can always be lowered here. */
static void levels_that_refuse(void **state) {
  (void)state;
  const uint64_t io = 2 * BYTES + 16;
  open_greedy(falling);
  for (refused_levels = 0; refused_levels < 1u << RP_MEMORY_LEVELS; refused_levels += 2)
    for (uint32_t level = 0; level < RP_MEMORY_LEVELS; level++) {
      rp_plan_info info = {.struct_size = sizeof info};
      rp_error err = {0};
      const rp_record_options o = {.struct_size = sizeof o, .memory_budget_bytes = io + falling[level] * BYTES};
      uint32_t got = level;
      while (refused_levels >> got & 1) got++;
      const int none = got == RP_MEMORY_LEVELS;
      for (int i = 0; none && (i == 0 || refused_levels >> got & 1); i++) got--; /* the smallest plan is named */
      assert_int_equal(rp_plan_query(the_watch.device, the_watch.graph, &o, &info, &err), none ? RP_ERR_BUDGET : RP_OK);
      assert_int_equal(info.memory_level, got);
      assert_int_equal(info.total_bytes, io + falling[got] * BYTES);
      if (!none) assert_string_equal(err.reason, "");
    }
  rp_plan_info info = {.struct_size = sizeof info};
  rp_error err;
  refused_levels = 1;
  assert_int_equal(rp_plan_query(the_watch.device, the_watch.graph, NULL, &info, &err), RP_ERR_UNSUPPORTED);
  assert_string_equal(err.reason, "greedy, strategy greedy: nothing for level 0");
  watch_close();
}

static rp_status query(void *user, uint64_t budget, uint64_t *total, rp_error *err) {
  rp_plan_info info = {.struct_size = sizeof info};
  rp_record_options o = {.struct_size = sizeof o, .memory_budget_bytes = budget};
  (void)user;
  const rp_status status = rp_plan_query(the_watch.device, the_watch.graph, &o, &info, err);
  *total = info.total_bytes;
  return status;
}

/* A lower level may need more memory than a higher one, and the plan of any level may be the smallest. */
static void every_budget_that_holds_a_plan(void **state) {
  static const uint64_t orders[][RP_MEMORY_LEVELS] = {{5, 4, 3, 2, 0}, {0, 4, 4, 4, 4}, {4, 0, 3, 2, 2},
                                                      {3, 4, 1, 2, 4}, {2, 2, 2, 2, 2}, {1, 2, 3, 4, 5}};
  static const uint32_t borders_of[] = {5, 1, 2, 2, 1, 1};
  (void)state;
  for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
    budget_borders borders;
    open_greedy(orders[i]);
    const uint64_t most = 2 * BYTES + 16 + orders[i][0] * BYTES;
    budget_walk(query, NULL, most, 64, 1000, &borders);
    assert_int_equal(borders.n, borders_of[i]);
    watch_close();
  }
}

/* ---- Several recordings ------------------------------------------------------------------------------------------ */

typedef struct member {
  rp_graph *graph;
  rp_recording *recording;
  rp_value in, out;
  uint64_t factor;
} member;

/* out = in + 2 * key + table. Each member has a key of its own, which is uploaded, and a table that is computed
 * once. */
static void make(member *m, uint64_t factor) {
  static uint64_t key[N];
  for (uint64_t i = 0; i < N; i++) key[i] = factor * i;
  m->factor = factor;
  assert_int_equal(rp_graph_create(the_watch.context, "member", &m->graph, NULL), RP_OK);
  m->in = rp_graph_input(m->graph, "in", &toy_u64, N, 0);
  rp_value k = rp_graph_constant(m->graph, "key", &toy_u64, N, key, 0);
  m->out = toy_table(m->graph, toy_add(m->graph, m->in, toy_scale(m->graph, k, 2)));
  rp_graph_output(m->graph, "out", m->out, 0);
}

static rp_status record(member *m, rp_error *err) {
  rp_record_options o = {.struct_size = sizeof o};
  return rp_record(the_watch.device, m->graph, &o, &m->recording, err);
}

static void use(member *m) {
  static uint64_t in[N];
  for (uint64_t i = 0; i < N; i++) in[i] = 7 * i + m->factor;
  rp_run *run = watch_run(m->recording, m->in, in, sizeof in, RP_OK);
  const uint64_t *out = rp_run_output(run, m->out);
  for (uint64_t i = 0; i < N; i++) assert_int_equal(out[i], in[i] + 2 * m->factor * i + 2 * (i % 16) * (i % 16));
  rp_run_end(run);
}

static void drop(member *m) {
  rp_recording_destroy(m->recording);
  rp_graph_destroy(m->graph);
}

/* The bytes that one member takes. */
static uint64_t measure(void) {
  member m;
  rp_plan_info info = {.struct_size = sizeof info};
  watch_open(&rp_backend_cpu, 0);
  make(&m, 1);
  assert_int_equal(rp_plan_query(the_watch.device, m.graph, NULL, &info, NULL), RP_OK);
  rp_graph_destroy(m.graph);
  watch_close();
  return info.total_bytes;
}

static void two_recordings_take_turns(void **state) {
  (void)state;
  member a, b;
  rp_error err;
  const uint64_t one = measure(), budget = one + one / 2;
  watch_open(&rp_backend_cpu, budget);
  make(&a, 3), make(&b, 5);
  assert_int_equal(record(&a, NULL), RP_OK);
  use(&a);
  assert_int_equal(record(&b, NULL), RP_OK); /* `a` is evicted to make room */
  for (int round = 0; round < 5; round++) {
    uint64_t programs = the_watch.programs;
    use(&a);
    assert_true(the_watch.programs > programs); /* `a` was loaded again */
    use(&b);
    programs = the_watch.programs;
    use(&b);
    assert_int_equal(the_watch.programs, programs); /* `b` was still loaded */
    assert_true(the_watch.device_bytes <= budget);
  }
  rp_run *run, *other;
  assert_int_equal(rp_device_available_bytes(the_watch.device), budget);   /* both recordings are idle */
  assert_int_equal(rp_run_begin(a.recording, 0, &run, &err), RP_ERR_BUSY); /* `a` would have to be loaded */
  assert_non_null(strstr(err.reason, "has no device memory"));
  assert_int_equal(rp_run_begin(a.recording, 1, &run, NULL), RP_OK); /* `a` is in use now and cannot make room */
  rp_plan_info plan = {.struct_size = sizeof plan};
  rp_recording_get_plan(a.recording, &plan);
  assert_in_range(rp_device_available_bytes(the_watch.device), budget - plan.total_bytes, budget - 1);
  assert_int_equal(rp_run_begin(b.recording, 0, &other, &err), RP_ERR_BUSY);
  assert_int_equal(rp_run_begin(b.recording, 1000000, &other, &err), RP_ERR_BUSY);
  assert_null(other);
  assert_non_null(strstr(err.reason, "runs of others held"));
  assert_int_equal(rp_recording_evict(a.recording, &err), RP_ERR_BUSY);
  rp_run_end(run);
  use(&b);
  assert_true(the_watch.peak_bytes <= budget);
  drop(&a), drop(&b);
  watch_close();
}

static void the_least_recently_used_goes(void **state) {
  (void)state;
  member m[3];
  const uint64_t one = measure();
  watch_open(&rp_backend_cpu, 2 * one + one / 2);
  for (uint64_t i = 0; i < 3; i++) make(&m[i], i + 2);
  assert_int_equal(record(&m[0], NULL), RP_OK);
  assert_int_equal(record(&m[1], NULL), RP_OK);
  use(&m[0]);
  assert_int_equal(record(&m[2], NULL), RP_OK); /* m[1] is evicted */
  uint64_t programs = the_watch.programs;
  use(&m[0]);
  assert_int_equal(the_watch.programs, programs);
  use(&m[1]); /* now m[2] is evicted */
  assert_true(the_watch.programs > programs);
  programs = the_watch.programs;
  use(&m[0]);
  assert_int_equal(the_watch.programs, programs);
  for (int i = 0; i < 3; i++) drop(&m[i]);
  watch_close();
}

/* The device has less memory than its budget says: an idle recording is evicted for the allocation that failed. */
static void a_full_device_evicts_too(void **state) {
  (void)state;
  member a, b;
  rp_error err = {0};
  watch_open(&rp_backend_cpu, 0);
  make(&a, 3), make(&b, 5);
  assert_int_equal(record(&a, NULL), RP_OK);
  the_watch.fail_memory_at = 2;
  assert_int_equal(record(&b, NULL), RP_OK);
  uint64_t programs = the_watch.programs;
  use(&b);
  assert_int_equal(the_watch.programs, programs);
  use(&a);
  assert_true(the_watch.programs > programs);
  rp_recording_destroy(a.recording), a.recording = NULL;
  rp_recording_destroy(b.recording), b.recording = NULL;
  the_watch.fail_memory_at = 2;
  assert_int_equal(record(&b, &err), RP_ERR_DEVICE_MEMORY); /* no recording is left that could make room */
  assert_int_equal(the_watch.device_bytes, 0);
  assert_null(b.recording);
  drop(&a), drop(&b);
  watch_close();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_first_level_that_fits), cmocka_unit_test(less_memory_than_planned),
      cmocka_unit_test(levels_that_refuse),        cmocka_unit_test(every_budget_that_holds_a_plan),
      cmocka_unit_test(two_recordings_take_turns), cmocka_unit_test(the_least_recently_used_goes),
      cmocka_unit_test(a_full_device_evicts_too),
  };
  return cmocka_run_group_tests_name("budget", tests, NULL, NULL);
}
