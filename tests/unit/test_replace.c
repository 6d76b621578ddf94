/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Constants that are replaced between runs: what later runs see, what is computed again, and that a failure changes
 * nothing.
 */
#include "line.h"
#include "watch.h"

#include <time.h>
#include <unistd.h>

enum { N = 300, LIMIT = 1000000, ALARM_SECONDS = 500 };

/* plain = in + c; computed = in + 3 check(d), where the check is part of the one-time part. `fixed` has the content
 * that `c` has at first. */
static rp_value in, c, d, fixed, tripled, plain, computed;

static void fill(uint64_t *data, uint64_t first) {
  for (uint64_t i = 0; i < N; i++) data[i] = first + i;
}

static rp_value constant(const char *name, uint64_t first, uint32_t flags) {
  uint64_t data[N];
  fill(data, first);
  return rp_graph_constant(the_watch.graph, name, &toy_u64, N, data, flags);
}

static void open_all(void) {
  rp_graph *g;
  alarm(ALARM_SECONDS);
  watch_open(&rp_backend_cpu, 0);
  g = the_watch.graph;
  c = constant("c", 100, RP_REPLACEABLE);
  d = constant("d", 200, RP_REPLACEABLE);
  fixed = constant("fixed", 100, 0);
  in = rp_graph_input(g, "in", &toy_u64, N, 0);
  tripled = toy_scale(g, toy_check(g, d, LIMIT), 3);
  plain = toy_add(g, toy_add(g, in, c), fixed);
  computed = toy_add(g, in, tripled);
  rp_graph_output(g, "plain", plain, 0);
  rp_graph_output(g, "computed", computed, 0);
}

static void close_all(void) {
  watch_close();
  alarm(0);
}

/* The first elements of c and d, as two outputs of a run show them. */
static void run(rp_recording *r, uint64_t *of_c, uint64_t *of_d) {
  uint64_t data[N], a[N], b[N];
  fill(data, 5);
  const rp_replay_input give = {.value = in, .data = data, .size_bytes = sizeof data};
  const rp_replay_output take[] = {{.value = plain, .data = a, .size_bytes = sizeof a},
                                   {.value = computed, .data = b, .size_bytes = sizeof b}};
  rp_error err = {0};
  if (rp_replay(r, &give, 1, take, 2, &err)) fail_msg("%s", err.reason);
  *of_c = a[0] - 5 - 100;
  *of_d = (b[0] - 5) / 3;
  for (uint64_t i = 0; i < N; i++) {
    assert_int_equal(a[i], 5 + i + *of_c + i + 100 + i);
    assert_int_equal(b[i], 5 + i + 3 * (*of_d + i));
  }
}

static void expect(rp_recording *r, uint64_t first_c, uint64_t first_d) {
  uint64_t of_c, of_d;
  run(r, &of_c, &of_d);
  assert_int_equal(of_c, first_c);
  assert_int_equal(of_d, first_d);
}

static rp_status set(rp_recording *r, rp_value value, uint64_t first, rp_error *err) {
  uint64_t data[N];
  fill(data, first);
  const rp_new_constant change = {.value = value, .data = data, .size_bytes = sizeof data};
  return rp_recording_set_constants(r, &change, 1, err);
}

/* ---- What runs see ----------------------------------------------------------------------------------------------- */

static void later_runs_see_them(void **state) {
  (void)state;
  open_all();
  rp_recording *r = watch_record(2, 0), *other = watch_record(1, 0);
  uint64_t read[N];
  expect(r, 100, 200);
  const uint64_t submits = the_watch.submits, programs = the_watch.programs;
  assert_int_equal(set(r, c, 7, NULL), RP_OK); /* only uploaded */
  assert_true(the_watch.submits == submits && the_watch.programs == programs);
  expect(r, 7, 200);
  assert_int_equal(set(r, d, 8, NULL), RP_OK); /* something is computed from it */
  expect(r, 7, 8);
  assert_int_equal(rp_recording_evict(r, NULL), RP_OK);
  expect(r, 7, 8);
  assert_int_equal(rp_recording_evict(r, NULL), RP_OK);
  assert_int_equal(set(r, d, 9, NULL), RP_OK); /* while the recording has no memory */
  assert_false(r->loaded);
  assert_int_equal(set(r, c, 10, NULL), RP_OK);
  expect(r, 10, 9);
  assert_int_equal(rp_recording_read_constant(r, c, read, sizeof read, NULL), RP_OK);
  assert_int_equal(read[N - 1], 10 + N - 1);
  assert_int_equal(rp_recording_read_constant(r, tripled, read, sizeof read, NULL), RP_OK);
  assert_int_equal(read[N - 1], 3 * (9 + N - 1));
  assert_int_equal(rp_recording_read_constant(other, c, read, sizeof read, NULL), RP_OK);
  assert_int_equal(read[0], 100);
  expect(other, 100, 200); /* the graph and its other recordings keep theirs */
  rp_recording_destroy(r);
  expect(other, 100, 200);
  rp_recording_destroy(other);
  close_all();
}

/* Several constants in one call, none of which the one-time part reads. */
static void all_of_a_call_are_replaced(void **state) {
  enum { PARTS = 3 };
  static const char *const names[PARTS] = {"first", "second", "third"}, *const sums[PARTS] = {"one", "two", "three"};
  uint64_t data[N], fresh[PARTS][N], out[PARTS][N];
  rp_new_constant changes[PARTS];
  rp_replay_output take[PARTS];
  (void)state;
  alarm(ALARM_SECONDS);
  watch_open(&rp_backend_cpu, 0);
  in = rp_graph_input(the_watch.graph, "in", &toy_u64, N, 0);
  for (uint64_t k = 0; k < PARTS; k++) {
    const rp_value part = constant(names[k], 1000 * k, RP_REPLACEABLE);
    rp_graph_output(the_watch.graph, sums[k], toy_add(the_watch.graph, in, part), 0);
    fill(fresh[k], 7 + 2000 * k);
    changes[k] = (rp_new_constant){.value = part, .data = fresh[k], .size_bytes = sizeof fresh[k]};
    take[k] = (rp_replay_output){.name = sums[k], .data = out[k], .size_bytes = sizeof out[k]};
  }
  rp_recording *r = watch_record(1, 0);
  fill(data, 5);
  const rp_replay_input give = {.value = in, .data = data, .size_bytes = sizeof data};
  for (uint64_t round = 0; round < 2; round++) {
    assert_int_equal(rp_replay(r, &give, 1, take, PARTS, NULL), RP_OK);
    for (uint64_t k = 0; k < PARTS; k++)
      for (uint64_t i = 0; i < N; i++) assert_int_equal(out[k][i], 5 + 2 * i + (round ? 7 + 2000 * k : 1000 * k));
    assert_int_equal(rp_recording_set_constants(r, changes, PARTS, NULL), RP_OK);
  }
  rp_recording_destroy(r);
  close_all();
}

/* ---- What is refused --------------------------------------------------------------------------------------------- */

static void wrong_calls_are_refused(void **state) {
  (void)state;
  open_all();
  rp_recording *r = watch_record(1, 0);
  rp_graph *foreign = NULL;
  uint64_t data[N] = {0};
  rp_run *begun;
  rp_error err;
  assert_int_equal(set(r, fixed, 1, &err), RP_ERR_STATE);
  assert_string_equal(err.reason, "rp_recording_set_constants: constant 'fixed' was made without RP_REPLACEABLE");
  assert_int_equal(set(r, in, 1, &err), RP_ERR_ARGUMENT);
  assert_int_equal(set(r, tripled, 1, &err), RP_ERR_ARGUMENT);
  assert_int_equal(set(r, RP_NO_VALUE, 1, &err), RP_ERR_ARGUMENT);
  assert_int_equal(rp_graph_create(the_watch.context, "foreign", &foreign, NULL), RP_OK);
  const rp_value theirs = rp_graph_constant(foreign, "c", &toy_u64, N, data, RP_REPLACEABLE);
  assert_int_equal(set(r, theirs, 1, &err), RP_ERR_ARGUMENT);
  rp_graph_destroy(foreign);
  rp_new_constant two[2] = {{c, data, sizeof data}, {c, data, sizeof data}};
  assert_int_equal(rp_recording_set_constants(r, two, 2, &err), RP_ERR_ARGUMENT);
  assert_string_equal(err.reason, "rp_recording_set_constants: entries 0 and 1 are the same constant");
  two[1] = (rp_new_constant){d, data, sizeof data - 8};
  assert_int_equal(rp_recording_set_constants(r, two, 2, &err), RP_ERR_SHAPE);
  assert_string_equal(err.reason, "rp_recording_set_constants: constant 'd' has 2400 bytes, not 2392");
  two[1].data = NULL;
  assert_int_equal(rp_recording_set_constants(r, two, 2, &err), RP_ERR_ARGUMENT);
  assert_int_equal(rp_recording_set_constants(r, NULL, 1, &err), RP_ERR_ARGUMENT);
  assert_int_equal(rp_recording_set_constants(NULL, two, 1, &err), RP_ERR_ARGUMENT);
  assert_int_equal(rp_recording_set_constants(r, NULL, 0, &err), RP_OK);
  assert_int_equal(rp_run_begin(r, 0, &begun, NULL), RP_OK);
  assert_int_equal(set(r, c, 1, &err), RP_ERR_BUSY);
  rp_run_end(begun);
  expect(r, 100, 200);
  rp_recording_destroy(r);
  close_all();
}

/* ---- Failures ---------------------------------------------------------------------------------------------------- */

/* The one-time part finds an element that is too large: all constants of the call stay as they were. */
static void a_fault_changes_nothing(void **state) {
  (void)state;
  open_all();
  rp_recording *r = watch_record(1, 0);
  uint64_t good[N], bad[N];
  rp_error err;
  fill(good, 30), fill(bad, LIMIT - 10);
  const rp_new_constant both[] = {{c, good, sizeof good}, {d, bad, sizeof bad}};
  assert_int_equal(set(r, c, 20, NULL), RP_OK);
  assert_int_equal(rp_recording_set_constants(r, both, 2, &err), RP_ERR_INPUT);
  assert_non_null(strstr(err.reason, "element"));
  expect(r, 20, 200);
  rp_recording_destroy(r);
  close_all();
}

static void lack_of_memory_changes_nothing(void **state) {
  (void)state;
  open_all();
  rp_recording *r = watch_record(2, 0);
  uint64_t data[N];
  for (int host = 0; host < 2; host++) {
    rp_status status = RP_ERR_MEMORY;
    for (int64_t at = 0; status; at++) {
      fill(data, 40 + (uint64_t)host);
      const rp_new_constant both[] = {{c, data, sizeof data}, {d, data, sizeof data}};
      *(host ? &the_watch.fail_host_at : &the_watch.fail_memory_at) = at;
      status = rp_recording_set_constants(r, both, 2, NULL);
      the_watch.fail_host_at = the_watch.fail_memory_at = -1;
      if (status) expect(r, host ? 40 : 100, host ? 40 : 200);
      assert_true(at > 2 || status);
    }
    expect(r, 40 + (uint64_t)host, 40 + (uint64_t)host);
  }
  rp_recording_destroy(r);
  close_all();
}

/* ---- While others run -------------------------------------------------------------------------------------------- */

enum { THREADS = 3, CHANGES = 60 };
static atomic_int over, mixed, n_runs;

static void *run_on(void *arg) {
  while (!atomic_load(&over)) {
    uint64_t of_c, of_d;
    run(arg, &of_c, &of_d);
    if (of_c + 100 != of_d) atomic_fetch_add(&mixed, 1);
    atomic_fetch_add(&n_runs, 1);
  }
  return NULL;
}

/* Every run sees either all constants of a call or none. */
static void runs_see_all_or_none(void **state) {
  (void)state;
  open_all();
  rp_recording *r = watch_record(2, 0);
  pthread_t threads[THREADS];
  uint64_t one[N], two[N];
  atomic_store(&over, 0), atomic_store(&mixed, 0);
  for (int t = 0; t < THREADS; t++) assert_int_equal(pthread_create(&threads[t], NULL, run_on, r), 0);
  for (uint64_t k = 0; k < CHANGES;) {
    fill(one, 1000 + k), fill(two, 1100 + k);
    const rp_new_constant both[] = {{c, one, sizeof one}, {d, two, sizeof two}};
    const rp_status status = rp_recording_set_constants(r, both, 2, NULL);
    assert_true(status == RP_OK || status == RP_ERR_BUSY);
    k += status == RP_OK;
    nanosleep(&(struct timespec){.tv_nsec = status ? 20000 : 200000}, NULL);
  }
  atomic_store(&over, 1);
  for (int t = 0; t < THREADS; t++) pthread_join(threads[t], NULL);
  assert_int_equal(atomic_load(&mixed), 0);
  assert_true(atomic_load(&n_runs) > 0);
  expect(r, 1000 + CHANGES - 1, 1100 + CHANGES - 1);
  rp_recording_destroy(r);
  close_all();
}

/* ---- What lowerings read ----------------------------------------------------------------------------------------- */

static const void *read_replaceable, *read_fixed;

static rp_status asking_shape(const rp_shape *s) {
  s->out_type[0] = s->in_type[0];
  s->out_len[0] = s->in_len[0];
  return RP_OK;
}
static rp_status asking_lower(rp_lower *l) {
  read_replaceable = rp_lower_constant_data(l, rp_lower_in(l, 0));
  read_fixed = rp_lower_constant_data(l, rp_lower_in(l, 1));
  return rp_lower_fail(l, RP_ERR_UNSUPPORTED, "asked");
}
static const rp_strategy asking_strategy = {"any", RP_ON_ANY, NULL, asking_lower};
static const rp_op asking = {.struct_size = sizeof asking,
                             .name = "asking",
                             .shape = asking_shape,
                             .strategies = &asking_strategy,
                             .n_strategies = 1};

/* What a lowering made of the data of a constant would stay when it is replaced. */
static void lowerings_do_not_read_them(void **state) {
  (void)state;
  uint64_t data[N];
  rp_error err = {0};
  rp_recording *r;
  open_all();
  const rp_value both[] = {c, fixed};
  read_replaceable = data;
  rp_graph_output(the_watch.graph, "asked", rp_graph_node(the_watch.graph, &asking, NULL, both, 2, NULL, 1), 0);
  assert_int_equal(rp_record(the_watch.device, the_watch.graph, NULL, &r, &err), RP_ERR_UNSUPPORTED);
  assert_null(read_replaceable);
  assert_non_null(read_fixed);
  close_all();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(later_runs_see_them),
      cmocka_unit_test(all_of_a_call_are_replaced),
      cmocka_unit_test(wrong_calls_are_refused),
      cmocka_unit_test(a_fault_changes_nothing),
      cmocka_unit_test(lack_of_memory_changes_nothing),
      cmocka_unit_test(runs_see_all_or_none),
      cmocka_unit_test(lowerings_do_not_read_them),
  };
  return cmocka_run_group_tests_name("replace", tests, NULL, NULL);
}
