/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Two CUDA devices as a group, on the fake driver: inputs and values arrive by copies in a stream of their own, behind
 * the event of the run that computes them; without access to each other's memory the driver copies. What the driver
 * refuses fails the run with the device's name, and leaves nothing behind.
 */
#include "bench.h"
#include "fake_cuda.h"

#include <reprise/group.h>

/* A slice of everything, which is never lowered, because it goes to another device. */
static rp_status hop_shape(const rp_shape *s) {
  s->out_type[0] = s->in_type[0];
  s->out_len[0] = s->in_len[0];
  return RP_OK;
}
static rp_status hop_lower(rp_lower *l) { return rp_lower_fail(l, RP_ERR_INTERNAL, "this is lowered"); }
static uint64_t hop_first(const void *params) {
  (void)params;
  return 0;
}
static const rp_strategy hop_strategy = {.name = "none", .devices = RP_ON_ANY, .lower = hop_lower};
static const rp_op op_hop = {.struct_size = sizeof op_hop,
                             .name = "hop",
                             .shape = hop_shape,
                             .strategies = &hop_strategy,
                             .n_strategies = 1,
                             .slice_first = hop_first};
static rp_value hop(rp_graph *g, rp_value x) { return rp_graph_node(g, &op_hop, NULL, &x, 1, NULL, 1); }

typedef struct pair {
  rp_context *context;
  rp_device *devices[2], *all;
  rp_recording *recording;
  rp_value in, out;
} pair;

/* out = 11 in: 2 in on device 0, 3 * 2 in + in on device 1, and both together on device 0. */
static rp_status try_record(pair *p, rp_error *err) {
  rp_graph *g;
  rp_status status = rp_graph_create(p->context, "pair", &g, err);
  if (status != RP_OK) return status;
  p->in = rp_graph_input(g, "in", &toy_u64, N, RP_SECRET);
  const rp_value twice = toy_mix(g, p->in, p->in, 1);
  (void)rp_on(g, 1);
  const rp_value seven = toy_check(g, toy_mix(g, hop(g, twice), hop(g, p->in), 3), 7 * 5000);
  (void)rp_on(g, 0);
  p->out = toy_mix(g, twice, hop(g, seven), 2);
  rp_graph_output(g, "out", p->out, 0);
  status = rp_record(p->all, g, NULL, &p->recording, err);
  rp_graph_destroy(g);
  return status;
}

static void open_pair(pair *p) {
  *p = (pair){0};
  assert_int_equal(rp_context_create(NULL, &p->context, NULL), RP_OK);
  for (uint32_t i = 0; i < 2; i++) {
    const rp_device_options o = {.struct_size = sizeof o, .kind = RP_DEVICE_CUDA, .index = i};
    rp_error err = {0};
    EXPECT(RP_OK, rp_device_open(p->context, &o, &p->devices[i], &err), &err);
  }
  assert_int_equal(rp_group_open(p->context, p->devices, 2, &p->all, NULL), RP_OK);
}

static void close_pair(pair *p) {
  rp_recording_destroy(p->recording);
  assert_int_equal(rp_device_try_close(p->all, NULL), RP_OK);
  for (int i = 0; i < 2; i++) assert_int_equal(rp_device_try_close(p->devices[i], NULL), RP_OK);
  assert_int_equal(rp_context_try_destroy(p->context, NULL), RP_OK);
  if (fake_violation()) fail_msg("%s", fake_violation());
  static const char *const kinds[] = {"context", "module", "stream", "event", "graph", "exec", "device", "pinned"};
  for (int i = 0; i < 8; i++) assert_int_equal(fake_live(kinds[i]), 0);
}

static rp_status try_run(pair *p, uint64_t first, rp_error *err) {
  rp_run *run;
  uint64_t in[N];
  for (uint64_t i = 0; i < N; i++) in[i] = first + i;
  rp_status status = rp_run_begin(p->recording, UINT64_MAX, &run, err);
  if (status != RP_OK) return status;
  status = rp_run_set_input(run, p->in, in, BYTES);
  if (status == RP_OK) status = rp_run_submit(run);
  if (status == RP_OK) status = rp_run_wait(run, UINT64_MAX);
  if (status != RP_OK) *err = *rp_run_error(run);
  const uint64_t *out = rp_run_output(run, p->out);
  for (uint64_t i = 0; i < N && out; i++) assert_int_equal(out[i], 11 * in[i]);
  assert_true((status == RP_OK) == (out != NULL));
  rp_run_end(run);
  return status;
}

static int setup(void **state) {
  (void)state;
  fake_reset();
  toy_register();
  return 0;
}

/* ---- Runs -------------------------------------------------------------------------------------------------------- */

static void copies_follow_events(void **state) {
  (void)state;
  for (int apart = 0; apart < 2; apart++) {
    const uint64_t secret = 0x5ec2e7005ec2e700u;
    pair p;
    rp_error err = {0};
    fake_set_apart(apart);
    open_pair(&p);
    EXPECT(RP_OK, try_record(&p, &err), &err);
    fake_count_from_here();
    EXPECT(RP_OK, try_run(&p, 7, &err), &err);
    /* On device 0 the input, then 2 in; on device 1 the input and, behind the event of that, 2 in; then the rest. */
    const char *device_0 = "cuEventRecord cuStreamWaitEvent cuMemcpyHtoDAsync_v2 cuEventRecord cuStreamWaitEvent "
                           "cuGraphLaunch cuEventRecord ",
               *device_1 = "cuEventRecord cuStreamWaitEvent cuStreamWaitEvent cuMemcpyPeerAsync cuMemcpyHtoDAsync_v2 "
                           "cuEventRecord cuStreamWaitEvent cuGraphLaunch cuEventRecord ";
    if (!strstr(fake_sequence(), device_0) || !strstr(fake_sequence(), device_1)) fail_msg("%s", fake_sequence());
    assert_int_equal(fake_calls("cuGraphLaunch"), 3);
    assert_int_equal(fake_calls("cuMemcpyPeerAsync"), 2);
    assert_int_equal(fake_calls("cuMemcpyHtoDAsync"), 2);
    EXPECT(RP_OK, try_run(&p, secret, &err), &err);
    for (uint64_t i = 0; i < N; i += 100) {
      const uint64_t x = secret + i, left[] = {x, 2 * x, 7 * x, 11 * x};
      for (int k = 0; k < 4; k++) assert_int_equal(fake_find_pattern(left[k]), 0);
    }
    rp_copy_info copies[8] = {{.struct_size = sizeof *copies}};
    rp_group_plan plan = {.struct_size = sizeof plan, .copies = copies, .capacity = 8};
    assert_int_equal(rp_recording_get_group_plan(p.recording, &plan, NULL), RP_OK);
    assert_int_equal(plan.n_copies, 5);
    for (uint32_t i = 0; i < plan.n_copies; i++)
      assert_int_equal(copies[i].route, copies[i].from == RP_GROUP_MOST  ? RP_ROUTE_UPLOAD
                                        : copies[i].from == copies[i].to ? RP_ROUTE_SAME
                                        : apart                          ? RP_ROUTE_DRIVER
                                                                         : RP_ROUTE_PEER);
    close_pair(&p);
  }
}

/* What device 0 computes beside 2 in, which device 1 waits for, reads the same upload. out = 10 in. */
static void an_upload_serves_two_pieces(void **state) {
  (void)state;
  pair p;
  rp_graph *g;
  rp_error err = {0};
  uint64_t in[N];
  open_pair(&p);
  assert_int_equal(rp_graph_create(p.context, "shared", &g, NULL), RP_OK);
  p.in = rp_graph_input(g, "in", &toy_u64, N, RP_SECRET);
  const rp_value twice = toy_mix(g, p.in, p.in, 1), four = toy_mix(g, p.in, p.in, 3);
  (void)rp_on(g, 1);
  const rp_value there = hop(g, twice), six = toy_mix(g, there, there, 2);
  (void)rp_on(g, 0);
  p.out = toy_mix(g, hop(g, six), four, 1);
  rp_graph_output(g, "out", p.out, 0);
  EXPECT(RP_OK, rp_record(p.all, g, NULL, &p.recording, &err), &err);
  rp_graph_destroy(g);
  for (uint64_t run = 0; run < 3; run++) {
    for (uint64_t i = 0; i < N; i++) in[i] = 1000 * run + i;
    rp_run *r;
    fake_count_from_here();
    EXPECT(RP_OK, rp_run_begin(p.recording, UINT64_MAX, &r, &err), &err);
    assert_int_equal(rp_run_set_input(r, p.in, in, BYTES), RP_OK);
    assert_int_equal(rp_run_submit(r), RP_OK);
    if (rp_run_wait(r, UINT64_MAX)) fail_msg("%s", rp_run_error(r)->reason);
    const uint64_t *out = rp_run_output(r, p.out);
    for (uint64_t i = 0; i < N; i++) assert_int_equal(out[i], 10 * in[i]);
    assert_int_equal(fake_calls("cuMemcpyHtoDAsync"), 1);
    rp_run_end(r);
  }
  close_pair(&p);
}

/* A slice of the second half. */
static rp_status half_shape(const rp_shape *s) {
  s->out_type[0] = s->in_type[0];
  s->out_len[0] = N / 2;
  return RP_OK;
}
static uint64_t half_first(const void *params) {
  (void)params;
  return N / 2;
}
static const rp_op op_half = {.struct_size = sizeof op_half,
                              .name = "half",
                              .shape = half_shape,
                              .strategies = &hop_strategy,
                              .n_strategies = 1,
                              .slice_first = half_first};

/* Device 0 first computes what device 1 waits for, from two inputs; what it computes beside that reads half of the
 * second input, which arrives before the rest, so that the other piece need not wait for that. */
static void what_is_shared_arrives_first(void **state) {
  (void)state;
  pair p;
  rp_graph *g;
  rp_error err = {0};
  uint64_t x[N], y[N];
  open_pair(&p);
  assert_int_equal(rp_graph_create(p.context, "first", &g, NULL), RP_OK);
  const rp_value large = rp_graph_input(g, "large", &toy_u64, N, 0);
  (void)rp_on(g, RP_ON_HOST); /* its slices are uploaded one by one */
  const rp_value cut = rp_graph_input(g, "cut", &toy_u64, N, 0);
  (void)rp_on(g, 0);
  const rp_value half = rp_graph_node(g, &op_half, NULL, &cut, 1, NULL, 1);
  const rp_value sum = toy_mix(g, large, large, 1), own = toy_mix(g, half, half, 2), early = toy_mix(g, half, half, 1);
  (void)rp_on(g, 1);
  const rp_value a = hop(g, sum), b = toy_mix(g, a, a, 1);
  const rp_value there = hop(g, early);
  const rp_value c = toy_mix(g, there, there, 1);
  (void)rp_on(g, 0);
  const rp_value back = hop(g, b), end = toy_mix(g, hop(g, c), own, 1);
  rp_graph_output(g, "first", back, 0);
  rp_graph_output(g, "second", end, 0);
  EXPECT(RP_OK, rp_record(p.all, g, NULL, &p.recording, &err), &err);
  rp_graph_destroy(g);
  for (uint64_t i = 0; i < N; i++) x[i] = i, y[i] = 7 * i + 1;
  rp_run *r;
  fake_count_from_here();
  EXPECT(RP_OK, rp_run_begin(p.recording, UINT64_MAX, &r, &err), &err);
  assert_int_equal(rp_run_set_input(r, large, x, BYTES), RP_OK);
  assert_int_equal(rp_run_set_input(r, cut, y, BYTES), RP_OK);
  assert_int_equal(rp_run_submit(r), RP_OK);
  if (rp_run_wait(r, UINT64_MAX)) fail_msg("%s", rp_run_error(r)->reason);
  const uint64_t *first = rp_run_output(r, back), *second = rp_run_output(r, end);
  for (uint64_t i = 0; i < N; i++) assert_int_equal(first[i], 4 * x[i]);
  for (uint64_t i = 0; i < N / 2; i++) assert_int_equal(second[i], 7 * y[N / 2 + i]);
  /* The shared half, an event, the other input, an event. */
  const char *order =
      "cuMemcpyHtoDAsync_v2 cuEventRecord cuMemcpyHtoDAsync_v2 cuEventRecord cuStreamWaitEvent cuGraphLaunch";
  if (!strstr(fake_sequence(), order)) fail_msg("%s", fake_sequence());
  assert_int_equal(fake_calls("cuMemcpyHtoDAsync"), 2);
  rp_run_end(r);
  close_pair(&p);
}

static void a_fault_names_the_device(void **state) {
  (void)state;
  pair p;
  rp_error err = {0};
  open_pair(&p);
  EXPECT(RP_OK, try_record(&p, &err), &err);
  EXPECT(RP_ERR_INPUT, try_run(&p, 4500, &err), &err);
  assert_non_null(strstr(err.reason, "device 1 (cuda:1)"));
  EXPECT(RP_OK, try_run(&p, 1, &err), &err);
  close_pair(&p);
}

/* ---- What the driver refuses ------------------------------------------------------------------------------------- */

/* Recording, two runs, eviction, a run. */
static rp_status live(pair *p, rp_error *err) {
  rp_status status = try_record(p, err);
  for (uint64_t i = 0; i < 2 && status == RP_OK; i++) status = try_run(p, i, err);
  if (status == RP_OK) status = rp_recording_evict(p->recording, err);
  return status == RP_OK ? try_run(p, 5, err) : status;
}

static void every_refusal_is_reported(void **state) {
  (void)state;
  static const char *const functions[] = {"cuMemcpyPeerAsync", "cuMemcpyHtoDAsync", "cuStreamWaitEvent",
                                          "cuEventRecord",     "cuGraphLaunch",     "cuStreamCreate",
                                          "cuEventCreate",     "cuMemHostAlloc",    "cuGraphInstantiate"};
  for (size_t f = 0; f < sizeof functions / sizeof *functions; f++)
    for (int nth = 1, failed = 1; failed; nth++) {
      pair p;
      rp_error err = {0};
      open_pair(&p);
      fake_fail(functions[f], nth, CUDA_ERROR_INVALID_VALUE);
      const rp_status status = live(&p, &err);
      failed = fake_has_failed();
      fake_fail(NULL, 0, CUDA_SUCCESS);
      if ((status != RP_OK) != failed) fail_msg("%s, call %d: %s", functions[f], nth, err.reason);
      if (failed && !strstr(err.reason, functions[f])) fail_msg("%s, call %d: %s", functions[f], nth, err.reason);
      if (failed && p.recording) EXPECT(RP_OK, try_run(&p, 9, &err), &err);
      close_pair(&p);
    }
}

/* The device that is lost is named, and the other one works on. */
static void a_lost_device_leaves_the_other(void **state) {
  (void)state;
  pair p;
  work w;
  bench b;
  rp_error err = {0};
  open_pair(&p);
  EXPECT(RP_OK, try_record(&p, &err), &err);
  fake_fail("cuMemcpyPeerAsync", 1, CUDA_ERROR_LAUNCH_FAILED); /* by device 1 */
  EXPECT(RP_ERR_DEVICE_LOST, try_run(&p, 3, &err), &err);
  assert_non_null(strstr(err.reason, "device 1 (cuda:1)"));
  assert_true(rp_device_is_lost(p.all) && rp_device_is_lost(p.devices[1]) && !rp_device_is_lost(p.devices[0]));
  EXPECT(RP_ERR_DEVICE_LOST, try_run(&p, 3, &err), &err);
  b = (bench){.context = p.context, .device = p.devices[0]};
  work_make(&b, &w, 4, 1);
  work_once(&w, 5);
  work_drop(&w);
  fake_restart();
  rp_recording_destroy(p.recording);
  rp_device_close(p.all);
  for (int i = 0; i < 2; i++) rp_device_close(p.devices[i]);
  rp_context_destroy(p.context);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test_setup(copies_follow_events, setup),
                                     cmocka_unit_test_setup(an_upload_serves_two_pieces, setup),
                                     cmocka_unit_test_setup(what_is_shared_arrives_first, setup),
                                     cmocka_unit_test_setup(a_fault_names_the_device, setup),
                                     cmocka_unit_test_setup(every_refusal_is_reported, setup),
                                     cmocka_unit_test_setup(a_lost_device_leaves_the_other, setup)};
  return cmocka_run_group_tests_name("groups of CUDA devices", tests, NULL, NULL);
}
