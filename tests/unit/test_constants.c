/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Constants that several recordings of one device share: what is shared and what is not, what it takes of the budget,
 * and when the memory is freed.
 */
#include "recording.h"
#include "watch.h"

#include <time.h>
#include <unistd.h>

enum { N = 4096, BYTES = N * sizeof(uint64_t), IN = 16, ALARM_SECONDS = 500 };

/* A graph whose constants are `first`, `first` + 1, ... times `factor`, computed once, and a table that an op fills. */
typedef struct made {
  rp_graph *graph;
  rp_value in, out, products;
} made;

static made make(uint64_t first, uint64_t factor) {
  uint64_t *data = malloc(BYTES);
  made m = {0};
  assert_int_equal(rp_graph_create(the_watch.context, "shared", &m.graph, NULL), RP_OK);
  for (uint64_t i = 0; i < N; i++) data[i] = first + i;
  rp_value c = rp_graph_constant(m.graph, "numbers", &toy_u64, N, data, 0);
  free(data);
  m.products = toy_scale(m.graph, c, factor);
  m.in = rp_graph_input(m.graph, "in", &toy_u64, IN, 0);
  m.out = toy_concat(m.graph, toy_table(m.graph, m.in), m.products);
  rp_graph_output(m.graph, "out", m.out, 0);
  return m;
}

static rp_status try_record(const made *m, uint32_t slots, uint32_t flags, rp_recording **r, rp_error *err) {
  const rp_record_options o = {.struct_size = sizeof o, .max_in_flight = slots, .flags = flags};
  return rp_record(the_watch.device, m->graph, &o, r, err);
}

static rp_recording *record(const made *m, uint32_t slots, uint32_t flags) {
  rp_recording *r = NULL;
  rp_error err = {0};
  if (try_record(m, slots, flags, &r, &err)) fail_msg("%s", err.reason);
  return r;
}

static void check(rp_recording *r, const made *m, uint64_t first, uint64_t factor) {
  uint64_t data[IN], out[IN + N];
  for (uint64_t i = 0; i < IN; i++) data[i] = 1000 + i;
  const rp_replay_input in = {.value = m->in, .data = data, .size_bytes = sizeof data};
  const rp_replay_output to = {.value = m->out, .data = out, .size_bytes = sizeof out};
  rp_error err = {0};
  if (rp_replay(r, &in, 1, &to, 1, &err)) fail_msg("%s", err.reason);
  for (uint64_t i = 0; i < IN; i++) assert_int_equal(out[i], 1000 + i + 2 * i * i);
  for (uint64_t i = 0; i < N; i++) assert_int_equal(out[IN + i], (first + i) * factor);
}

static rp_plan_info plan_of(const made *m, uint32_t slots) {
  rp_plan_info info = {.struct_size = sizeof info};
  const rp_record_options o = {.struct_size = sizeof o, .max_in_flight = slots};
  assert_int_equal(rp_plan_query(the_watch.device, m->graph, &o, &info, NULL), RP_OK);
  return info;
}

static uint64_t kept(const rp_plan_info *i) {
  return i->constant_bytes + i->slots * (i->arena_bytes + i->staging_bytes + i->parameter_bytes);
}

static void set_budget(uint64_t bytes) { the_watch.device->info.memory_budget_bytes = bytes; }

static void open_all(void) {
  alarm(ALARM_SECONDS);
  watch_open(&rp_backend_cpu, 0);
}

static void close_all(void) {
  assert_null(the_watch.device->constants);
  assert_int_equal(the_watch.device->reserved_bytes, 0);
  watch_close();
  alarm(0);
}

/* ---- What is shared ---------------------------------------------------------------------------------------------- */

/* This holds for any number of slots and any flags, and also if the graph was built again from the same data. */
static void the_same_constants_are_held_once(void **state) {
  (void)state;
  open_all();
  made a = make(7, 3), b = make(7, 3);
  const rp_plan_info one = plan_of(&a, 1), three = plan_of(&a, 3);
  rp_recording *r[3];
  assert_true(one.constant_bytes >= BYTES);
  r[0] = record(&a, 1, 0);
  const uint64_t submits = the_watch.submits;
  r[1] = record(&a, 3, RP_RECORD_PROFILE);
  r[2] = record(&b, 1, 0);
  assert_int_equal(the_watch.submits, submits); /* the one-time part ran once */
  assert_ptr_equal(r[0]->constants, r[1]->constants);
  assert_ptr_equal(r[0]->constants, r[2]->constants);
  const uint64_t all = 2 * kept(&one) + kept(&three) - 2 * one.constant_bytes;
  assert_int_equal(the_watch.device_bytes, all);
  assert_int_equal(the_watch.device->reserved_bytes, all);
  for (int i = 0; i < 3; i++) check(r[i], i == 2 ? &b : &a, 7, 3);
  rp_graph_destroy(a.graph);
  rp_recording_destroy(r[0]);
  rp_recording_destroy(r[1]);
  assert_int_equal(the_watch.device_bytes, kept(&one));
  check(r[2], &b, 7, 3);
  uint64_t *read = malloc(BYTES);
  assert_int_equal(rp_recording_read_constant(r[2], b.products, read, BYTES, NULL), RP_OK);
  assert_int_equal(read[N - 1], (7 + N - 1) * 3);
  free(read);
  rp_recording_destroy(r[2]);
  rp_graph_destroy(b.graph);
  close_all();
}

/* Graphs that differ in one number, in the data or in what is computed from it, share nothing. */
static void others_are_not_shared(void **state) {
  static const uint64_t first[] = {7, 8, 7}, factor[] = {3, 3, 4};
  (void)state;
  open_all();
  made m[3];
  rp_recording *r[3];
  for (int i = 0; i < 3; i++) {
    m[i] = make(first[i], factor[i]);
    r[i] = record(&m[i], 1, 0);
  }
  const rp_plan_info one = plan_of(&m[0], 1);
  assert_int_equal(the_watch.device_bytes, 3 * kept(&one));
  for (int i = 0; i < 3; i++) check(r[i], &m[i], first[i], factor[i]);
  for (int i = 0; i < 3; i++) {
    rp_recording_destroy(r[i]);
    rp_graph_destroy(m[i].graph);
  }
  close_all();
}

/* ---- Budget ------------------------------------------------------------------------------------------------------ */

/* A second recording fits where there is room for what it does not share, also while the first one is in use. */
static void a_second_one_takes_its_own_part(void **state) {
  (void)state;
  open_all();
  made m = make(1, 5);
  const rp_plan_info one = plan_of(&m, 1);
  const uint64_t both = 2 * kept(&one) - one.constant_bytes;
  rp_recording *r[2] = {NULL, NULL};
  rp_run *run;
  rp_error err;
  set_budget(both - 1);
  r[0] = record(&m, 1, 0);
  assert_int_equal(rp_run_begin(r[0], UINT64_MAX, &run, NULL), RP_OK);
  assert_int_equal(try_record(&m, 1, 0, &r[1], &err), RP_ERR_BUDGET);
  set_budget(both);
  assert_int_equal(try_record(&m, 1, 0, &r[1], &err), RP_OK);
  check(r[1], &m, 1, 5);
  assert_int_equal(rp_device_available_bytes(the_watch.device), kept(&one) - one.constant_bytes);
  rp_run_end(run);
  assert_int_equal(rp_device_available_bytes(the_watch.device), both); /* both are idle */
  assert_true(the_watch.peak_bytes <= both);
  for (int i = 0; i < 2; i++) rp_recording_destroy(r[i]);
  rp_graph_destroy(m.graph);
  close_all();
}

static void the_last_one_frees_them(void **state) {
  (void)state;
  open_all();
  made m = make(1, 5), other = make(2, 5);
  const rp_plan_info one = plan_of(&m, 1);
  rp_recording *r[2] = {record(&m, 1, 0), record(&m, 1, 0)}, *third;
  assert_int_equal(rp_recording_evict(r[0], NULL), RP_OK);
  assert_int_equal(the_watch.device_bytes, kept(&one));
  assert_int_equal(rp_recording_evict(r[1], NULL), RP_OK);
  assert_int_equal(the_watch.device_bytes, 0);
  const uint64_t submits = the_watch.submits;
  check(r[1], &m, 1, 5); /* makes them again: one submission for that, one for the run */
  assert_int_equal(the_watch.submits, submits + 2);
  check(r[0], &m, 1, 5);
  assert_int_equal(the_watch.submits, submits + 3);
  set_budget(2 * kept(&one) - one.constant_bytes); /* both must go, or the third does not fit */
  third = record(&other, 1, 0);
  assert_false(r[0]->loaded || r[1]->loaded);
  check(third, &other, 2, 5);
  for (int i = 0; i < 2; i++) rp_recording_destroy(r[i]);
  rp_recording_destroy(third);
  rp_graph_destroy(m.graph);
  rp_graph_destroy(other.graph);
  close_all();
}

/* What is filled is there before the first step: its bytes have no other user before its own. In the one-time part the
 * table is first read when the results of earlier steps are needed no more. */
static void filled_ones_share_with_nothing_before_them(void **state) {
  (void)state;
  uint64_t data[IN], out[IN];
  watch_open(&rp_backend_cpu, 0);
  rp_graph *g = the_watch.graph;
  for (uint64_t i = 0; i < IN; i++) data[i] = 1000 + i;
  rp_value c = rp_graph_constant(g, "numbers", &toy_u64, IN, data, 0);
  for (uint64_t k = 0; k < 4; k++) c = toy_xor(g, c, toy_scale(g, c, k + 2));
  c = toy_table(g, c);
  const rp_value x = rp_graph_input(g, "x", &toy_u64, IN, 0), z = toy_add(g, x, c);
  rp_graph_output(g, "z", z, 0);
  for (uint64_t seed = 0; seed < 8; seed++) {
    rp_recording *r = NULL;
    rp_error err = {0};
    const rp_record_options o = {
        .struct_size = sizeof o, .flags = seed ? RP_RECORD_RANDOM_ORDER : 0, .order_seed = seed};
    if (rp_record(the_watch.device, g, &o, &r, &err)) fail_msg("%s", err.reason);
    const rp_replay_input in = {.value = x, .data = data, .size_bytes = sizeof data};
    const rp_replay_output to = {.value = z, .data = out, .size_bytes = sizeof out};
    if (rp_replay(r, &in, 1, &to, 1, &err)) fail_msg("%s", err.reason);
    for (uint64_t i = 0; i < IN; i++) {
      uint64_t want = data[i];
      for (uint64_t k = 0; k < 4; k++) want ^= want * (k + 2);
      assert_int_equal(out[i], want + 2 * i * i + data[i]);
    }
    rp_recording_destroy(r);
  }
  watch_close();
}

/* A constant that is used in place has one block, so that one of several segments is copied. */
static void segments_are_copied(void **state) {
  (void)state;
  enum { SEGMENTS = 3 };
  static _Alignas(64) uint64_t data[SEGMENTS * IN];
  uint64_t in[1] = {5}, out[1], want = 5;
  watch_open(&rp_backend_cpu, 0);
  rp_graph *g = the_watch.graph;
  for (uint64_t i = 0; i < SEGMENTS * IN; i++) want += data[i] = (i + 1) << 20;
  const rp_value c = rp_graph_constant(g, "numbers", &toy_u64, SEGMENTS * IN, data, RP_BORROW);
  const rp_value x = rp_graph_input(g, "x", &toy_u64, 1, 0), z = toy_add(g, x, toy_sum_segments(g, c));
  rp_graph_output(g, "z", z, 0);
  the_watch.device->info.limits.max_allocation_bytes = IN * sizeof *data;
  rp_recording *r = NULL;
  rp_error err = {0};
  if (rp_record(the_watch.device, g, NULL, &r, &err)) fail_msg("%s", err.reason);
  const rp_replay_input from = {.value = x, .data = in, .size_bytes = sizeof in};
  const rp_replay_output to = {.value = z, .data = out, .size_bytes = sizeof out};
  if (rp_replay(r, &from, 1, &to, 1, &err)) fail_msg("%s", err.reason);
  assert_int_equal(out[0], want);
  rp_recording_destroy(r);
  watch_close();
}

typedef struct holder {
  rp_run *run;
  uint64_t ns;
} holder;

static void *end_later(void *arg) {
  const holder *h = arg;
  atomic_store(&h->run->thread, (uintptr_t)pthread_self());
  nanosleep(&(struct timespec){.tv_nsec = (long)h->ns}, NULL);
  rp_run_end(h->run);
  return NULL;
}

/* A thread that holds runs of two recordings which share constants waits for a third one: it does not wait in vain. */
static void waiting_counts_them_once(void **state) {
  (void)state;
  open_all();
  made m = make(1, 5), wanted = make(2, 5), held = make(3, 5);
  const rp_plan_info one = plan_of(&m, 1);
  set_budget(3 * kept(&one) - one.constant_bytes);
  rp_recording *r[4] = {record(&m, 1, 0), record(&m, 1, 0), record(&held, 1, 0), NULL};
  rp_run *mine[2], *run;
  rp_error err = {0};
  pthread_t thread;
  for (int i = 0; i < 2; i++) assert_int_equal(rp_run_begin(r[i], UINT64_MAX, &mine[i], NULL), RP_OK);
  r[3] = record(&wanted, 1, 0); /* evicts r[2] */
  assert_int_equal(rp_run_begin(r[2], UINT64_MAX, &run, NULL), RP_OK);
  holder h = {run, 700000000}; /* longer than two checks for waiting in vain */
  assert_int_equal(pthread_create(&thread, NULL, end_later, &h), 0);
  if (rp_run_begin(r[3], UINT64_MAX, &run, &err)) fail_msg("%s", err.reason);
  pthread_join(thread, NULL);
  rp_run_end(run);
  for (int i = 0; i < 2; i++) rp_run_end(mine[i]);
  for (int i = 0; i < 4; i++) rp_recording_destroy(r[i]);
  rp_graph_destroy(m.graph);
  rp_graph_destroy(wanted.graph);
  rp_graph_destroy(held.graph);
  close_all();
}

/* ---- Failures ---------------------------------------------------------------------------------------------------- */

/* Whichever allocation fails, the recording that is there stays as it was. */
static void failures_leave_the_others_alone(void **state) {
  (void)state;
  open_all();
  made m = make(1, 5);
  rp_recording *first = record(&m, 1, 0), *r = NULL;
  const uint64_t bytes = the_watch.device_bytes;
  for (int64_t at = 0;; at++) {
    rp_error err = {0};
    the_watch.fail_memory_at = at;
    const rp_status status = try_record(&m, 2, 0, &r, &err);
    the_watch.fail_memory_at = -1;
    if (!status) break;
    assert_int_equal(status, RP_ERR_DEVICE_MEMORY);
    if (first->loaded) assert_int_equal(the_watch.device_bytes, bytes); /* else evicted to make room, in vain */
    check(first, &m, 1, 5);
  }
  rp_recording_destroy(r);
  for (int64_t at = 0;; at++) {
    rp_error err = {0};
    the_watch.fail_host_at = at;
    const rp_status status = try_record(&m, 2, 0, &r, &err);
    the_watch.fail_host_at = -1;
    if (!status) break;
    assert_int_equal(status, RP_ERR_MEMORY);
    if (first->loaded) assert_int_equal(the_watch.device_bytes, bytes);
  }
  check(r, &m, 1, 5);
  rp_recording_destroy(first);
  check(r, &m, 1, 5);
  rp_recording_destroy(r);
  rp_graph_destroy(m.graph);
  close_all();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_same_constants_are_held_once),
      cmocka_unit_test(others_are_not_shared),
      cmocka_unit_test(a_second_one_takes_its_own_part),
      cmocka_unit_test(the_last_one_frees_them),
      cmocka_unit_test(waiting_counts_them_once),
      cmocka_unit_test(failures_leave_the_others_alone),
      cmocka_unit_test(filled_ones_share_with_nothing_before_them),
      cmocka_unit_test(segments_are_copied),
  };
  return cmocka_run_group_tests_name("constants", tests, NULL, NULL);
}
