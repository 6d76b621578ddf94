/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Runs of groups, over every route that a value may take: random graphs compared with one device, failures of a device,
 * secrets, cancelling, and what a group refuses.
 */
#include "parts.h"

#include <reprise/host_program.h>

#include <stdio.h>

enum { GRAPHS = 150, N = 64 };

static uint64_t seed;

static uint64_t next(uint64_t below) { /* splitmix64: Steele, Lea, Flood 2014 */
  uint64_t z = seed += 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return (z ^ z >> 31) % below;
}

static void *elements(const rp_type *type, uint64_t n, uint64_t from) {
  uint64_t *x = malloc(n * type->size_bytes);
  assert_non_null(x);
  for (uint64_t i = 0; i < n; i++) x[i] = (from + 1) * 0x9e3779b97f4a7c15u + i * i;
  return x;
}

/* ---- Random graphs ----------------------------------------------------------------------------------------------- */

static rp_value add_node(rp_graph *g, const rp_value *values, uint32_t n) {
  const rp_value a = values[next(3) ? n - 1 - next(n < 5 ? n : 5) : next(n)], b = values[next(n)];
  const uint64_t len = rp_value_len(g, a), other = rp_value_len(g, b);
  rp_value halves[2];
  switch (next(9)) {
  case 0: return toy_add(g, a, len == other ? b : a);
  case 1: return toy_scale(g, a, 1 + next(100));
  case 2: return toy_sum(g, a);
  case 3: return toy_table(g, a);
  case 4: return toy_count_odd(g, a);
  case 5: return toy_check(g, a, UINT64_MAX);
  case 6: return len + other <= 4 * N ? toy_concat(g, a, b) : toy_scale(g, a, 3);
  case 7:
    if (len % 2) return toy_scale(g, a, 5);
    toy_split(g, a, halves);
    return halves[next(2)];
  default: return toy_slice(g, a, len / 3, len - len / 3);
  }
}

static rp_graph *random_graph(void) {
  rp_graph *g = parts_graph("random");
  rp_value values[64];
  uint32_t n = 0;
  char name[16];
  const uint32_t wanted = 8 + (uint32_t)next(50);
  for (uint64_t i = 0, inputs = 1 + next(3); i < inputs; i++) {
    snprintf(name, sizeof name, "i%u", n);
    values[n++] = rp_graph_input(g, name, &toy_u64, next(2) ? N : 2 + 2 * next(16), next(2) ? RP_SECRET : 0);
  }
  for (uint64_t i = 0, constants = next(3); i < constants; i++) {
    uint64_t *data = elements(&toy_u64, N, i);
    snprintf(name, sizeof name, "c%u", n);
    values[n++] = rp_graph_constant(g, name, &toy_u64, N, data, 0);
    free(data);
  }
  const uint32_t given = n;
  while (n < wanted) {
    values[n] = add_node(g, values, n);
    assert_true(values[n].id != 0);
    n++;
  }
  for (uint32_t i = given; i < n; i++) {
    if (i + 1 < n && (next(8) || rp_value_storage(g, values[i]) == RP_STORAGE_OUTPUT)) continue;
    snprintf(name, sizeof name, "o%u", i);
    rp_graph_output(g, name, values[i], 0);
  }
  return g;
}

/* The group and the first device alone, which ignores the places of values, give the same. */
static void compare(rp_recording *one, rp_recording *many, uint64_t n) {
  uint64_t bytes_a, bytes_b;
  rp_error err = {0};
  uint8_t *a = group_run(one, elements, n, &bytes_a, &err);
  if (!a) fail_msg("one device: %s", err.reason);
  uint8_t *b = group_run(many, elements, n, &bytes_b, &err);
  if (!b) fail_msg("the group: %s", err.reason);
  assert_int_equal(bytes_a, bytes_b);
  assert_memory_equal(a, b, bytes_a);
  free(a);
  free(b);
}

static void random_graphs(const part_kind *kinds, uint32_t n) {
  uint64_t pieces = 0;
  const uint32_t graphs = getenv("REPRISE_TEST_QUICK") ? GRAPHS / 5 : GRAPHS;
  parts_open(kinds, n);
  for (uint32_t i = 0; i < graphs; i++) {
    seed = 1000 * (uint64_t)n + i;
    rp_graph *g = random_graph(), *wide = group_spread(g, n, seed);
    const rp_record_options o = {.struct_size = sizeof o,
                                 .flags = (next(2) ? RP_RECORD_RANDOM_ORDER : 0) | RP_RECORD_CHECK_HAZARDS,
                                 .order_seed = i,
                                 .max_in_flight = 1 + (uint32_t)next(2)};
    rp_recording *one;
    assert_int_equal(rp_record(the_parts.g.devices[0], g, &o, &one, NULL), RP_OK);
    rp_recording *many = parts_record(wide, &o);
    for (uint64_t run = 0; run < 3; run++) {
      if (run == 2) assert_int_equal(rp_recording_evict(many, NULL), RP_OK); /* and loaded again */
      compare(one, many, i + 10 * run);
    }
    for (uint32_t k = 0; rp_recording_piece(many, k, NULL); k++) pieces++;
    rp_recording_destroy(one);
    rp_recording_destroy(many);
    rp_graph_destroy(g);
  }
  assert_true(pieces >= (n > 1 ? 3 * graphs : graphs)); /* values do go from device to device */
  parts_close();
}

static void random_graphs_on_cpu_parts(void **state) {
  (void)state;
  static const part_kind kinds[4] = {PART_CPU, PART_CPU, PART_CPU, PART_CPU};
  for (uint32_t n = 1; n <= 4; n++) random_graphs(kinds, n);
}

static void random_graphs_through_the_host(void **state) {
  (void)state;
  random_graphs((part_kind[]){PART_CPU, PART_STRANGE, PART_CPU}, 3);
  random_graphs((part_kind[]){PART_STRANGE, PART_STRANGE}, 2);
}

static void random_graphs_that_arrive(void **state) {
  (void)state;
  random_graphs((part_kind[]){PART_REACHING, PART_REACHING}, 2);
  assert_true(the_parts.arrivals > 0);
  random_graphs((part_kind[]){PART_REACHING, PART_CPU, PART_REACHING, PART_STRANGE}, 4);
  assert_true(the_parts.arrivals > 0);
}

/* ---- One graph --------------------------------------------------------------------------------------------------- */

static const part_kind two[] = {PART_CPU, PART_CPU}, mixed[] = {PART_CPU, PART_STRANGE},
                       reaching[] = {PART_REACHING, PART_REACHING};

/* A run counts what the runs of its pieces count, but only one wait. */
static void runs_are_runs_like_others(void **state) {
  (void)state;
  for (int k = 0; k < 3; k++) {
    loop l = loop_open(k == 0 ? two : k == 1 ? mixed : reaching, 2, UINT64_MAX, 2);
    uint64_t data[LOOP_N] = {0}, out[LOOP_N];
    rp_run_counters c = {.struct_size = sizeof c};
    loop_run(&l, 7);
    rp_run *a = loop_begin(&l, 100), *b = loop_begin(&l, 900), *none;
    assert_int_equal(rp_run_begin(l.recording, 0, &none, NULL), RP_ERR_BUSY);
    rp_error err = {0};
    assert_int_equal(rp_runs_submit((rp_run *[]){a, b}, 2, NULL, &err), RP_ERR_UNSUPPORTED);
    assert_non_null(strstr(err.reason, "submit the runs one by one"));
    assert_int_equal(rp_run_submit(a), RP_OK);
    assert_int_equal(rp_run_submit(b), RP_OK);
    loop_check(b, &l, 900);
    while (rp_run_poll(a) == RP_ERR_TIMEOUT) {}
    loop_check(a, &l, 100);
    rp_run_get_counters(a, &c);
    assert_int_equal(c.submissions, 4);
    assert_int_equal(c.waits, 1);
    rp_run_end(a);
    rp_run_end(b);
    assert_int_equal(rp_replay(l.recording, &(rp_replay_input){.name = "in", .data = data, .size_bytes = sizeof data},
                               1, &(rp_replay_output){.name = "out", .data = out, .size_bytes = sizeof out}, 1, NULL),
                     RP_OK);
    loop_close(&l);
  }
}

/* The callback is called as for any other run. */
static void tell(void *user, rp_run *run) {
  (void)run;
  atomic_store((_Atomic int *)user, 1);
}

static void callbacks_report_ends(void **state) {
  (void)state;
  loop l = loop_open(mixed, 2, UINT64_MAX, 1);
  _Atomic int told = 0;
  rp_run *run = loop_begin(&l, 5);
  rp_submit_options o = {.struct_size = sizeof o, .done = tell, .user = &told};
  assert_int_equal(rp_run_submit_with(run, &o), RP_OK);
  while (!atomic_load(&told)) {}
  loop_check(run, &l, 5);
  rp_run_end(run);
  rp_event *event;
  assert_int_equal(rp_event_create(the_parts.g.context, &event, NULL), RP_OK);
  const rp_sync sync = {.kind = RP_SYNC_HOST, .handle = event, .value = 1};
  run = loop_begin(&l, 5);
  o = (rp_submit_options){.struct_size = sizeof o, .waits = &sync, .n_waits = 1};
  assert_int_equal(rp_run_submit_with(run, &o), RP_ERR_UNSUPPORTED);
  rp_run_end(run);
  loop_run(&l, 6);
  rp_event_destroy(event);
  loop_close(&l);
}

/* ---- Failures ---------------------------------------------------------------------------------------------------- */

static void a_fault_names_device_and_node(void **state) {
  (void)state;
  for (int k = 0; k < 3; k++) {
    loop l = loop_open(k == 0 ? two : k == 1 ? mixed : reaching, 2, 1000, 1);
    rp_run *run = loop_begin(&l, 600);
    assert_int_equal(rp_run_submit(run), RP_OK);
    assert_int_equal(rp_run_wait(run, UINT64_MAX), RP_ERR_INPUT);
    assert_non_null(strstr(rp_run_error(run)->reason, "device 1 ("));
    assert_non_null(strstr(rp_run_error(run)->reason, "toy_check"));
    assert_null(rp_run_output(run, l.out));
    rp_run_end(run);
    loop_run(&l, 3); /* the fault does not affect the next run */
    loop_close(&l);
  }
}

/* Each device is in a group once, and the group may use what all of them may. */
static void members_are_several_devices(void **state) {
  (void)state;
  parts_open(two, 2);
  rp_device *const d[] = {the_parts.g.devices[0], the_parts.g.devices[1]}, *const twice[] = {d[0], d[1], d[0]};
  rp_device_info all = {.struct_size = sizeof all}, one = {.struct_size = sizeof one};
  uint64_t budget = 0, memory = 0;
  rp_device *none;
  rp_error err = {0};
  assert_int_equal(rp_group_open(the_parts.g.context, twice, 3, &none, &err), RP_ERR_ARGUMENT);
  assert_null(none);
  assert_non_null(strstr(err.reason, "is device 0 again"));
  for (int i = 0; i < 2; i++) {
    rp_device_get_info(d[i], &one);
    budget += one.memory_budget_bytes;
    memory += one.limits.memory_bytes;
  }
  rp_device_get_info(the_parts.g.all, &all);
  assert_int_equal(all.memory_budget_bytes, budget);
  assert_int_equal(all.limits.memory_bytes, memory);
  parts_close();
}

/* Device 1 is lost in a run that is not the group's. */
static void a_device_lost_elsewhere(void **state) {
  (void)state;
  parts_open(two, 2);
  loop l;
  rp_recording *own;
  rp_run *run;
  rp_error err = {0};
  rp_graph *g = loop_graph(&l, UINT64_MAX);
  assert_int_equal(rp_record(the_parts.g.devices[1], g, NULL, &own, &err), RP_OK);
  rp_graph_destroy(g);
  assert_false(rp_device_is_lost(the_parts.g.all));
  l.recording = own;
  run = loop_begin(&l, 1);
  atomic_store(&the_parts.lost, the_parts.g.devices[1]->state);
  assert_int_equal(rp_run_submit(run), RP_OK);
  assert_int_equal(rp_run_wait(run, UINT64_MAX), RP_ERR_DEVICE_LOST);
  rp_run_end(run);
  assert_true(rp_device_is_lost(the_parts.g.all));
  assert_false(rp_device_is_lost(the_parts.g.devices[0]));
  rp_recording_destroy(own);
  parts_close();
}

static void a_lost_device_leaves_the_others(void **state) {
  (void)state;
  for (int k = 0; k < 2; k++) {
    loop l = loop_open(k ? mixed : two, 2, UINT64_MAX, 1), alone;
    rp_error err = {0};
    rp_run *run = loop_begin(&l, 1);
    atomic_store(&the_parts.lost, the_parts.g.devices[1]->state);
    assert_int_equal(rp_run_submit(run), RP_OK);
    assert_int_equal(rp_run_wait(run, UINT64_MAX), RP_ERR_DEVICE_LOST);
    assert_non_null(strstr(rp_run_error(run)->reason, "device 1 ("));
    rp_run_end(run);
    assert_true(rp_device_is_lost(the_parts.g.all));
    assert_int_equal(rp_run_begin(l.recording, UINT64_MAX, &run, &err), RP_ERR_DEVICE_LOST);
    rp_graph *g = loop_graph(&alone, UINT64_MAX);
    assert_int_equal(rp_record(the_parts.g.all, g, NULL, &alone.recording, &err), RP_ERR_DEVICE_LOST);
    assert_int_equal(rp_record(the_parts.g.devices[0], g, NULL, &alone.recording, &err), RP_OK);
    rp_graph_destroy(g);
    loop_run(&alone, 11);
    rp_recording_destroy(alone.recording);
    loop_close(&l);
  }
}

/* If any submission is refused, what was submitted before ends, and later runs are good. */
static void a_refused_submission_stops_the_run(void **state) {
  (void)state;
  for (int k = 0; k < 3; k++)
    for (int at = 0; at < 4; at++) {
      loop l = loop_open(k == 0 ? two : k == 1 ? mixed : reaching, 2, UINT64_MAX, 1);
      rp_run *run = loop_begin(&l, 1);
      atomic_store(&the_parts.fails_at, at);
      rp_status status = rp_run_submit(run);
      if (!status) status = rp_run_wait(run, UINT64_MAX); /* if the refused piece comes after a copy by the host */
      assert_int_equal(status, RP_ERR_INTERNAL);
      assert_non_null(strstr(rp_run_error(run)->reason, "refused (injected)"));
      assert_non_null(strstr(rp_run_error(run)->reason, "device "));
      rp_run_end(run);
      loop_run(&l, 77);
      loop_close(&l);
    }
}

static void *cancel(void *run) {
  rp_run_cancel(run);
  return NULL;
}

static void runs_are_cancelled(void **state) {
  (void)state;
  for (int k = 0; k < 60; k++) {
    loop l = loop_open(k % 3 == 0 ? two : k % 3 == 1 ? mixed : reaching, 2, UINT64_MAX, 1);
    pthread_t thread;
    rp_run *run = loop_begin(&l, 1);
    assert_int_equal(rp_run_submit(run), RP_OK);
    assert_int_equal(pthread_create(&thread, NULL, cancel, run), 0);
    const rp_status status = rp_run_wait(run, UINT64_MAX);
    assert_true(status == RP_OK || status == RP_ERR_CANCELLED);
    pthread_join(thread, NULL);
    rp_run_end(run);
    run = loop_begin(&l, 1);
    rp_run_cancel(run);
    assert_int_equal(rp_run_submit(run), RP_ERR_CANCELLED);
    rp_run_end(run);
    run = loop_begin(&l, 8);
    assert_int_equal(rp_run_submit(run), RP_OK);
    rp_run_end(run); /* cancels it */
    loop_run(&l, 21);
    loop_close(&l);
  }
}

/* ---- Secrets ----------------------------------------------------------------------------------------------------- */

static void secrets_are_wiped_on_every_device(void **state) {
  (void)state;
  const uint64_t secret = 0x5eec1e7500000000u;
  for (int k = 0; k < 3; k++) {
    loop l = loop_open(k == 0 ? two : k == 1 ? mixed : reaching, 2, UINT64_MAX, 1);
    rp_run *run = loop_begin(&l, secret);
    const uint64_t *staging = rp_run_input(run, l.in), *out;
    assert_int_equal(rp_run_submit(run), RP_OK);
    loop_check(run, &l, secret);
    out = rp_run_output(run, l.out);
    assert_int_equal(out[0], 16 * secret);
    rp_run_end(run);
    for (uint64_t i = 0; i < LOOP_N; i++) assert_true(staging[i] == 0 && out[i] == 0);
    static const uint64_t factors[] = {1, 2, 6, 10, 16};
    for (uint64_t f = 0; f < 5; f++)
      for (uint64_t i = 0; i < LOOP_N; i += 9) assert_int_equal(parts_find((secret + i) * factors[f]), 0);
    loop_run(&l, 4);
    loop_close(&l);
  }
}

/* The staging of inputs that devices copy by themselves is overwritten while they work, unless it is to be kept. */
static void inputs_are_kept_if_asked_for(void **state) {
  (void)state;
  for (int k = 0; k < 3; k++)
    for (int keep = 0; keep < 2; keep++) {
      loop l;
      parts_open(k == 0 ? two : k == 1 ? mixed : reaching, 2);
      const rp_record_options o = {.struct_size = sizeof o, .flags = keep ? RP_RECORD_KEEP_INPUTS : 0};
      l.recording = parts_record(loop_graph(&l, UINT64_MAX), &o);
      for (uint64_t first = 5; first < 7; first++) {
        rp_run *run = loop_begin(&l, first);
        const uint64_t *staging = rp_run_input(run, l.in);
        assert_int_equal(rp_run_submit(run), RP_OK);
        loop_check(run, &l, first);
        if (keep || k == 2) assert_int_equal(staging[0], keep ? first : 0);
        rp_run_end(run);
        assert_int_equal(staging[0], 0);
      }
      loop_close(&l);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(random_graphs_on_cpu_parts),
                                     cmocka_unit_test(random_graphs_through_the_host),
                                     cmocka_unit_test(random_graphs_that_arrive),
                                     cmocka_unit_test(runs_are_runs_like_others),
                                     cmocka_unit_test(callbacks_report_ends),
                                     cmocka_unit_test(a_fault_names_device_and_node),
                                     cmocka_unit_test(members_are_several_devices),
                                     cmocka_unit_test(a_device_lost_elsewhere),
                                     cmocka_unit_test(a_lost_device_leaves_the_others),
                                     cmocka_unit_test(a_refused_submission_stops_the_run),
                                     cmocka_unit_test(runs_are_cancelled),
                                     cmocka_unit_test(secrets_are_wiped_on_every_device),
                                     cmocka_unit_test(inputs_are_kept_if_asked_for)};
  return cmocka_run_group_tests_name("runs of groups of devices", tests, NULL, NULL);
}
