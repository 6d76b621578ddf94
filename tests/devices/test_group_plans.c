/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Plans of groups: bytes for each device, which copies there are, and what is refused.
 */
#include "parts.h"

#include <reprise/call.h>
#include <reprise/plans.h>
#include <reprise/view.h>

static const part_kind two[] = {PART_CPU, PART_CPU}, mixed[] = {PART_CPU, PART_STRANGE},
                       reaching[] = {PART_REACHING, PART_REACHING};

/* ---- Plans ------------------------------------------------------------------------------------------------------- */

static void expect_copies(const rp_group_plan *p, const rp_copy_info *want, uint32_t n) {
  assert_int_equal(p->n_copies, n);
  for (uint32_t i = 0; i < n; i++) {
    assert_int_equal(p->copies[i].from, want[i].from);
    assert_int_equal(p->copies[i].to, want[i].to);
    assert_int_equal(p->copies[i].route, want[i].route);
    assert_int_equal(p->copies[i].bytes, want[i].bytes);
    assert_string_equal(p->copies[i].name, want[i].name);
  }
}

/* The loop has four pieces: on device 0 what device 1 waits for, and the rest; one on device 1; on device 0 the sum. */
static void plans_have_bytes_for_each_device(void **state) {
  (void)state;
  static const rp_route there[3] = {RP_ROUTE_MEMORY, RP_ROUTE_HOST, RP_ROUTE_PEER},
                        given[3] = {RP_ROUTE_MEMORY, RP_ROUTE_MEMORY, RP_ROUTE_UPLOAD};
  for (int k = 0; k < 3; k++) {
    loop l = loop_open(k == 0 ? two : k == 1 ? mixed : reaching, 2, UINT64_MAX, 1);
    const rp_copy_info want[] = {{0, RP_GROUP_MOST, 0, given[k], 8 * LOOP_N, "in"},
                                 {0, 0, 0, RP_ROUTE_SAME, 8 * LOOP_N, "toy_scale"},
                                 {0, 0, 1, there[k], 8 * LOOP_N, "slice"},
                                 {0, 0, 0, RP_ROUTE_SAME, 8 * LOOP_N, "toy_scale#3"},
                                 {0, 1, 0, there[k], 8 * LOOP_N, "slice#2"}};
    rp_plan_info devices[2] = {{.struct_size = sizeof *devices}}, all = {.struct_size = sizeof all}, queried = all;
    rp_copy_info copies[8] = {{.struct_size = sizeof *copies}};
    uint32_t pieces[2];
    rp_group_plan p = {.struct_size = sizeof p, .devices = devices, .pieces = pieces, .copies = copies, .capacity = 8};
    loop same;
    rp_graph *g = loop_graph(&same, UINT64_MAX);
    assert_int_equal(rp_group_plan_query(the_parts.g.all, g, NULL, &p, NULL), RP_OK);
    expect_copies(&p, want, 5);
    assert_int_equal(rp_plan_query(the_parts.g.all, g, NULL, &queried, NULL), RP_OK);
    rp_graph_destroy(g);
    const rp_plan_info before[2] = {devices[0], devices[1]};
    assert_int_equal(rp_recording_get_group_plan(l.recording, &p, NULL), RP_OK);
    expect_copies(&p, want, 5);
    assert_int_equal(p.n_devices, 2);
    assert_int_equal(pieces[0], 3);
    assert_int_equal(pieces[1], 1);
    rp_recording_get_plan(l.recording, &all);
    uint64_t sums[2] = {0}, held = 0;
    for (uint32_t i = 0, d; i < 4; i++) {
      rp_plan_info one = {.struct_size = sizeof one};
      rp_recording_get_plan(rp_recording_piece(l.recording, i, &d), &one);
      sums[d] += one.total_bytes;
    }
    assert_null(rp_recording_piece(l.recording, 4, NULL));
    for (int d = 0; d < 2; d++) {
      assert_memory_equal(&before[d], &devices[d], sizeof before[d]);
      assert_int_equal(devices[d].total_bytes, sums[d]);
      assert_int_equal(the_parts.g.devices[d]->reserved_bytes, sums[d]);
    }
    for (uint32_t m = 0; m < the_parts.n_memories; m++) held += the_parts.memories[m].bytes;
    if (k != 2) assert_int_equal(held, sums[0] + sums[1]); /* else the group's staging is included */
    assert_memory_equal(&all, &queried, sizeof all);
    assert_int_equal(all.total_bytes, sums[0] + sums[1] + 2 * 8 * LOOP_N);
    assert_int_equal(rp_recording_evict(l.recording, NULL), RP_OK);
    assert_int_equal(the_parts.g.devices[0]->reserved_bytes + the_parts.g.devices[1]->reserved_bytes, 0);
    loop_run(&l, 2);
    loop_close(&l);
  }
}

/* Only what is cut from a value is sent, and a copy of a copy comes from where the value was computed. */
static void copies_are_no_larger_than_needed(void **state) {
  (void)state;
  parts_open((part_kind[]){PART_CPU, PART_CPU, PART_CPU}, 3);
  rp_graph *g = parts_graph("cuts");
  const rp_value a = toy_scale(g, rp_graph_input(g, "in", &toy_u64, LOOP_N, 0), 2);
  rp_on(g, 1);
  const rp_value part = rp_slice(g, a, 10, 20);
  rp_on(g, 2);
  rp_graph_output(g, "two", toy_scale(g, rp_slice(g, part, 5, 6), 3), 0);
  rp_on(g, 0);
  rp_graph_output(g, "zero", toy_scale(g, rp_slice(g, part, 1, 2), 7), 0); /* back on its device */
  rp_graph_output(g, "copy", rp_copy_to(g, a, 1), 0);
  rp_recording *r = parts_record(g, NULL);
  rp_copy_info copies[4] = {{.struct_size = sizeof *copies}};
  rp_group_plan p = {.struct_size = sizeof p, .copies = copies, .capacity = 4};
  assert_int_equal(rp_recording_get_group_plan(r, &p, NULL), RP_OK);
  assert_int_equal(p.n_copies, 3);
  assert_int_equal(copies[1].route, RP_ROUTE_SAME);
  assert_int_equal(copies[2].from, 0);
  assert_int_equal(copies[2].to, 2);
  assert_int_equal(copies[2].bytes, 48);
  uint64_t data[LOOP_N], out[LOOP_N], six[6], pair[2];
  for (uint64_t i = 0; i < LOOP_N; i++) data[i] = i + 1;
  const rp_replay_input in = {.name = "in", .data = data, .size_bytes = sizeof data};
  const rp_replay_output outs[] = {{.name = "two", .data = six, .size_bytes = sizeof six},
                                   {.name = "zero", .data = pair, .size_bytes = sizeof pair},
                                   {.name = "copy", .data = out, .size_bytes = sizeof out}};
  assert_int_equal(rp_replay(r, &in, 1, outs, 3, NULL), RP_OK);
  for (uint64_t i = 0; i < 6; i++) assert_int_equal(six[i], 6 * (i + 16));
  for (uint64_t i = 0; i < 2; i++) assert_int_equal(pair[i], 14 * (i + 12));
  for (uint64_t i = 0; i < LOOP_N; i++) assert_int_equal(out[i], 2 * (i + 1));
  rp_recording_destroy(r);
  parts_close();
}

/* ---- What is refused --------------------------------------------------------------------------------------------- */

static void expect_error(rp_graph *g, rp_status status, const char *words) {
  rp_recording *r;
  rp_error err = {0};
  assert_int_equal(rp_record(the_parts.g.all, g, NULL, &r, &err), status);
  assert_null(r);
  if (!strstr(err.reason, words)) fail_msg("%s", err.reason);
  rp_graph_destroy(g);
}

static void graphs_are_refused(void **state) {
  (void)state;
  parts_open(two, 2);
  rp_graph *g = parts_graph("apart");
  const rp_value a = rp_graph_input(g, "a", &toy_u64, LOOP_N, 0);
  assert_int_equal(rp_on(g, 1), 0);
  assert_int_equal(rp_value_device(g, toy_scale(g, rp_graph_input(g, "b", &toy_u64, LOOP_N, 0), 2)), 1);
  assert_int_equal(toy_scale(g, a, 2).id, 0);
  expect_error(g, RP_ERR_MISMATCH, "its input 0 is on device 0, and the node on device 1: copy it with rp_copy_to");
  g = parts_graph("beyond");
  rp_on(g, 2);
  rp_graph_output(g, "out", toy_scale(g, rp_graph_input(g, "a", &toy_u64, LOOP_N, 0), 2), 0);
  expect_error(g, RP_ERR_ARGUMENT, "toy_scale is on device 2, and the group has 2");
  g = parts_graph("most");
  rp_on(g, RP_GROUP_MOST + 1);
  expect_error(g, RP_ERR_ARGUMENT, "at most 16 devices");
  g = parts_graph("host");
  rp_on(g, RP_ON_HOST);
  assert_int_equal(toy_scale(g, rp_graph_input(g, "a", &toy_u64, LOOP_N, 0), 2).id, 0);
  expect_error(g, RP_ERR_ARGUMENT, "only inputs are on the host");
  g = parts_graph("bound");
  rp_graph_output(g, "out", toy_scale(g, rp_graph_input(g, "a", &toy_u64, LOOP_N, RP_BINDABLE), 2), 0);
  expect_error(g, RP_ERR_UNSUPPORTED, "has no buffers");
  g = parts_graph("empty");
  expect_error(g, RP_ERR_STATE, "no output");
  g = parts_graph("ping");
  rp_value v = rp_graph_input(g, "a", &toy_u64, 1, 0);
  for (uint32_t i = 0; i < 1100; i++) {
    rp_on(g, i % 2);
    v = toy_scale(g, rp_copy_to(g, v, i % 2), 3);
  }
  rp_graph_output(g, "out", v, 0);
  expect_error(g, RP_ERR_UNSUPPORTED, "1100 pieces");
  parts_close();
}

static void groups_are_refused(void **state) {
  (void)state;
  parts_open(two, 2);
  rp_device *const *d = the_parts.g.devices, *made;
  rp_context *other;
  rp_error err = {0};
  rp_buffer *buffer;
  assert_int_equal(rp_context_create(NULL, &other, NULL), RP_OK);
  assert_int_equal(rp_group_open(the_parts.g.context, d, 0, &made, &err), RP_ERR_ARGUMENT);
  assert_int_equal(rp_group_open(the_parts.g.context, d, RP_GROUP_MOST + 1, &made, &err), RP_ERR_ARGUMENT);
  assert_int_equal(rp_group_open(the_parts.g.context, NULL, 1, &made, &err), RP_ERR_ARGUMENT);
  assert_int_equal(rp_group_open(the_parts.g.context, (rp_device *[]){d[0], NULL}, 2, &made, &err), RP_ERR_ARGUMENT);
  assert_int_equal(rp_group_open(the_parts.g.context, (rp_device *[]){d[0], d[0]}, 2, &made, &err), RP_ERR_ARGUMENT);
  assert_int_equal(rp_group_open(the_parts.g.context, &the_parts.g.all, 1, &made, &err), RP_ERR_ARGUMENT);
  assert_int_equal(rp_group_open(other, d, 2, &made, &err), RP_ERR_MISMATCH);
  assert_null(made);
  assert_int_equal(rp_buffer_create(the_parts.g.all, 64, &buffer, &err), RP_ERR_UNSUPPORTED);
  assert_int_equal(rp_group_size(the_parts.g.all), 2);
  assert_int_equal(rp_group_size(d[0]), 1);
  assert_int_equal(rp_group_size(NULL), 0);
  assert_ptr_equal(rp_group_device(the_parts.g.all, 1), d[1]);
  assert_ptr_equal(rp_group_device(d[1], 0), d[1]);
  assert_null(rp_group_device(the_parts.g.all, 2));
  assert_null(rp_group_device(d[1], 1));
  assert_string_equal(rp_route_name(RP_ROUTE_PEER), "peer to peer");
  assert_string_equal(rp_route_name((rp_route)99), "unknown");
  rp_context_destroy(other);
  parts_close();
}

static void plans_are_refused(void **state) {
  (void)state;
  loop l = loop_open(two, 2, UINT64_MAX, 1), single;
  rp_group_plan p = {.struct_size = sizeof p};
  rp_error err = {0};
  rp_plan_info unset[2] = {{0}};
  rp_graph *g = loop_graph(&single, UINT64_MAX);
  assert_int_equal(rp_group_plan_query(the_parts.g.devices[0], g, NULL, &p, &err), RP_ERR_ARGUMENT);
  assert_int_equal(rp_group_plan_query(the_parts.g.all, g, NULL, NULL, &err), RP_ERR_ARGUMENT);
  assert_int_equal(rp_record(the_parts.g.devices[0], g, NULL, &single.recording, &err), RP_OK);
  assert_int_equal(rp_recording_get_group_plan(single.recording, &p, &err), RP_ERR_ARGUMENT);
  assert_null(rp_recording_piece(single.recording, 0, NULL));
  rp_recording_destroy(single.recording);
  p.devices = unset;
  assert_int_equal(rp_recording_get_group_plan(l.recording, &p, &err), RP_ERR_ARGUMENT);
  p = (rp_group_plan){.struct_size = sizeof p, .capacity = 1};
  assert_int_equal(rp_recording_get_group_plan(l.recording, &p, &err), RP_ERR_ARGUMENT);
  p = (rp_group_plan){0};
  assert_int_equal(rp_recording_get_group_plan(l.recording, &p, &err), RP_ERR_ARGUMENT);
  const rp_record_options little = {.struct_size = sizeof little, .memory_budget_bytes = 100};
  assert_int_equal(rp_costs_use_on(the_parts.g.all, "", 1, &err), RP_ERR_UNSUPPORTED);
  assert_non_null(strstr(err.reason, "give them to its devices"));
  assert_int_equal(rp_record(the_parts.g.all, g, &little, &single.recording, &err), RP_ERR_BUDGET);
  assert_non_null(strstr(err.reason, "device 0 ("));
  /* Each piece of a device is within the budget by itself, but all of them together must be. */
  rp_plan_info bytes[2] = {{.struct_size = sizeof *bytes}};
  p = (rp_group_plan){.struct_size = sizeof p, .devices = bytes};
  assert_int_equal(rp_group_plan_query(the_parts.g.all, g, NULL, &p, &err), RP_OK);
  rp_record_options tight = {.struct_size = sizeof tight};
  tight.memory_budget_bytes = bytes[0].total_bytes > bytes[1].total_bytes ? bytes[0].total_bytes : bytes[1].total_bytes;
  assert_int_equal(rp_group_plan_query(the_parts.g.all, g, &tight, &p, &err), RP_OK);
  tight.memory_budget_bytes--;
  assert_int_equal(rp_group_plan_query(the_parts.g.all, g, &tight, &p, &err), RP_ERR_BUDGET);
  rp_graph_destroy(g);
  loop_close(&l);
}

/* ---- What is shown ----------------------------------------------------------------------------------------------- */

static int count_bytes(void *user, const char *text, size_t bytes) {
  (void)text;
  *(size_t *)user += bytes;
  return 0;
}

typedef struct shown {
  char text[65536];
  size_t used;
} shown;

static int keep_text(void *user, const char *text, size_t size) {
  shown *s = user;
  assert_true(s->used + size < sizeof s->text);
  memcpy(s->text + s->used, text, size);
  s->text[s->used += size] = 0;
  return 0;
}

static uint32_t times_in(const char *text, const char *what) {
  uint32_t n = 0;
  while ((text = strstr(text, what))) n++, text += strlen(what);
  return n;
}

/* The document of a group has its devices, and each piece with what it takes from others. A run has the runs of its
 * pieces until it ends. */
static void check_shown(const loop *l, const rp_run *run, int ended) {
  static shown s;
  rp_error err = {0};
  s.used = 0;
  const rp_view_source source = {
      .struct_size = sizeof source, .recording = l->recording, .runs = &run, .n_runs = !ended};
  assert_int_equal(rp_view_data(&source, keep_text, &s, &err), RP_OK);
  assert_non_null(strstr(s.text, "\"devices\": [{\"kind\": \"cpu\", \"index\": 0"));
  assert_int_equal(times_in(s.text, "\"route\": \"in the host's memory\""), 3);
  assert_int_equal(times_in(s.text, "\"kind\": \"recording\""), 5);
  assert_non_null(strstr(s.text, "{\"device\": 1, \"after\": [0], \"inputs\": [{\"value\": 1, \"piece\": 0, "));
  assert_int_equal(times_in(s.text, "\"spans\": ["), ended ? 0 : 4);
  s.used = 0;
  assert_int_equal(rp_view_run(run, keep_text, &s, &err), ended ? RP_ERR_STATE : RP_OK);
  if (ended) return;
  assert_int_equal(times_in(s.text, "\"path_ns\": "), 4);
  uint64_t before = 0;
  for (const char *at = s.text; (at = strstr(at, "\"clock_ns\": ")); at++) { /* they began one after another */
    const uint64_t clock_ns = strtoull(at + strlen("\"clock_ns\": "), NULL, 10);
    assert_true(clock_ns > before);
    before = clock_ns;
  }
}

/* The recording of a group computes nothing by itself; its pieces have the dispatches and their times. */
static void pieces_are_shown(void **state) {
  (void)state;
  loop l;
  parts_open(two, 2);
  l.recording = parts_record(loop_graph(&l, UINT64_MAX), &(rp_record_options){.struct_size = sizeof(rp_record_options),
                                                                              .flags = RP_RECORD_PROFILE});
  rp_run *run = loop_begin(&l, 3);
  size_t bytes = 0;
  uint32_t count = 1, device;
  rp_node_info nodes[8] = {{.struct_size = sizeof *nodes}};
  rp_error err = {0};
  assert_int_equal(rp_run_submit(run), RP_OK);
  loop_check(run, &l, 3);
  assert_int_equal(rp_run_trace(run, count_bytes, &bytes, &err), RP_ERR_STATE);
  check_shown(&l, run, 0);
  rp_run_end(run);
  check_shown(&l, run, 1);
  for (int format = 0; format < 2; format++)
    assert_int_equal(rp_recording_export(l.recording, (rp_export_format)format, count_bytes, &bytes, &err), RP_OK);
  const rp_view_source source = {.struct_size = sizeof source, .recording = l.recording};
  assert_int_equal(rp_view_data(&source, count_bytes, &bytes, &err), RP_OK);
  assert_true(bytes > 100);
  assert_int_equal(rp_recording_nodes(l.recording, nodes, 8, &count, &err), RP_OK);
  assert_int_equal(count, 0);
  for (uint32_t i = 0; i < 4; i++) {
    rp_recording *piece = rp_recording_piece(l.recording, i, &device);
    assert_int_equal(rp_recording_nodes(piece, nodes, 8, &count, &err), RP_OK);
    assert_true(count > 0 && count <= 8);
    assert_true(nodes[count - 1].end_ns > 0);
    for (int format = 0; format < 2; format++)
      assert_int_equal(rp_recording_export(piece, (rp_export_format)format, count_bytes, &bytes, &err), RP_OK);
  }
  loop_close(&l);
}

/* x + 20 y, times 3. */
static rp_graph *long_body(void) {
  rp_graph *g = parts_graph("body");
  rp_value x = rp_graph_input(g, "x", &toy_u64, LOOP_N, 0);
  const rp_value y = rp_graph_input(g, "y", &toy_u64, LOOP_N, 0);
  for (int i = 0; i < 20; i++) x = toy_add(g, x, y);
  rp_graph_output(g, "z", toy_scale(g, x, 3), 0);
  return g;
}

static rp_value call(rp_graph *g, const rp_graph *body, rp_value x, rp_value y) {
  return rp_call(g, "call", body, (rp_call_port[]){{"x", x}, {"y", y}}, 2, &(rp_call_port){"z", RP_NO_VALUE}, 1);
}

/* The nodes of a call, which is one node of the graph, are steps of the device that it was made on. */
static void calls_stay_on_their_device(void **state) {
  (void)state;
  uint64_t data[LOOP_N], out[LOOP_N];
  rp_error err = {0};
  parts_open(two, 2);
  rp_graph *body = long_body(), *g = parts_graph("calls");
  const rp_value in = rp_graph_input(g, "in", &toy_u64, LOOP_N, 0), there = rp_copy_to(g, in, 1);
  rp_on(g, 1);
  const rp_value far = call(g, body, there, toy_scale(g, there, 2));
  rp_on(g, 0);
  const rp_value z = call(g, body, rp_copy_to(g, far, 0), toy_scale(g, in, 5));
  rp_graph_output(g, "out", z, 0);
  assert_int_equal(rp_graph_error(g)->status, RP_OK);
  rp_recording *r = parts_record(g, NULL);
  rp_graph_destroy(body);
  uint32_t steps[2] = {0};
  rp_recording *piece;
  for (uint32_t i = 0, d; (piece = rp_recording_piece(r, i, &d)) != NULL; i++) {
    rp_plan_info info = {.struct_size = sizeof info};
    rp_recording_get_plan(piece, &info);
    steps[d] += info.dispatches;
  }
  assert_true(steps[0] >= 21 && steps[1] >= 21);
  for (uint64_t i = 0; i < LOOP_N; i++) data[i] = i + 1;
  const rp_replay_input give = {.name = "in", .data = data, .size_bytes = sizeof data};
  const rp_replay_output take = {.name = "out", .data = out, .size_bytes = sizeof out};
  if (rp_replay(r, &give, 1, &take, 1, &err)) fail_msg("%s", err.reason);
  for (uint64_t i = 0; i < LOOP_N; i++) assert_int_equal(out[i], 3 * (3 * 41 * data[i] + 100 * data[i]));
  rp_recording_destroy(r);
  parts_close();
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(plans_have_bytes_for_each_device),
                                     cmocka_unit_test(copies_are_no_larger_than_needed),
                                     cmocka_unit_test(graphs_are_refused),
                                     cmocka_unit_test(groups_are_refused),
                                     cmocka_unit_test(plans_are_refused),
                                     cmocka_unit_test(pieces_are_shown),
                                     cmocka_unit_test(calls_stay_on_their_device)};
  return cmocka_run_group_tests_name("plans of groups of devices", tests, NULL, NULL);
}
