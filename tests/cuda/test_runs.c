/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Replays on a CUDA device. Compiled twice: against the fake driver (FAKE_CUDA), and against the machine's, where it
 * skips with the reason if there is no GPU.
 */
#include "bench.h"

#include <stdio.h>

#ifdef FAKE_CUDA
#include "fake_cuda.h"
enum { PAUSE_US = 1 };
#else
enum { PAUSE_US = 50000 };
#define fake_hold(held) (void)(held)
#endif

/* Between submission and completion there are one launch, one wait, no calls that interpose forbids, no allocation. */
static void one_launch_one_wait_no_allocation(void **state) {
  (void)state;
  bench b;
  work w;
  uint64_t in[N];
  bench_open(&b, 0, 0);
  work_make(&b, &w, 3, 1);
  for (uint64_t round = 0; round < 300; round++) {
    rp_run *run = NULL;
    rp_run_counters c = {.struct_size = sizeof c};
    work_fill(in, round);
    assert_int_equal(rp_run_begin(w.recording, 0, &run, NULL), RP_OK);
    memcpy(rp_run_input(run, w.in), in, BYTES);
    uint64_t allocations = interpose_allocations;
    interpose_begin(b.device);
    rp_status submitted = rp_run_submit(run), waited = rp_run_wait(run, UINT64_MAX);
    interposed seen = interpose_end(b.device);
    EXPECT(RP_OK, submitted, rp_run_error(run));
    EXPECT(RP_OK, waited, rp_run_error(run));
    assert_int_equal(seen.launches, 1);
    assert_int_equal(seen.waits, 1);
    assert_int_equal(seen.records, 1);
    assert_int_equal(seen.forbidden, 0);
    assert_int_equal(interpose_allocations, allocations);
    work_check(&w, in, rp_run_output(run, w.out));
    rp_run_get_counters(run, &c);
    assert_int_equal(c.submissions, 1);
    assert_int_equal(c.waits, 1);
    assert_int_equal(c.uploads, 2); /* the witness; the error record with the bound addresses */
    assert_int_equal(c.downloads, 2);
    assert_true(c.bytes_up >= BYTES && c.bytes_up < BYTES + 256);
    assert_true(c.latency_ns >= c.submit_ns && c.submit_ns > 0);
    rp_run_end(run);
  }
  work_drop(&w);
  bench_close(&b);
}

static int is_clear(const uint64_t staging[N]) {
  uint64_t any = 0;
  for (int i = 0; i < N; i++) any |= staging[i];
  return any == 0;
}

/* The recorded graph clears the staging of secret inputs, unless it is to keep them. In any case nothing is left after
 * a run, or after one that got its inputs but was not submitted. */
static void secret_staging_is_cleared(void **state) {
  (void)state;
  enum { PLAIN, KEPT, PUBLIC, CASES };
  for (int k = 0; k < CASES; k++) {
    bench b;
    work w;
    rp_error err = {0};
    uint64_t in[N];
    const rp_record_options options = {.struct_size = sizeof options, .flags = k == KEPT ? RP_RECORD_KEEP_INPUTS : 0};
    bench_open(&b, 0, 0);
    EXPECT(RP_OK, work_try(&b, &w, 3, k == PUBLIC ? 0 : RP_SECRET, 0, &options, &err), &err);
    for (uint64_t round = 0; round < 4; round++) {
      rp_run *run;
      work_fill(in, round);
      EXPECT(RP_OK, rp_run_begin(w.recording, 0, &run, &err), &err);
      uint64_t *staging = rp_run_input(run, w.in);
      memcpy(staging, in, BYTES);
      if (round % 2 == 0) {
        EXPECT(RP_OK, rp_run_submit(run), rp_run_error(run));
        EXPECT(RP_OK, rp_run_wait(run, UINT64_MAX), rp_run_error(run));
        work_check(&w, in, rp_run_output(run, w.out));
        if (k == PLAIN)
          assert_true(is_clear(staging));
        else
          assert_memory_equal(staging, in, BYTES);
      }
      rp_run_end(run);
      assert_int_equal(is_clear(staging), k != PUBLIC);
    }
    work_drop(&w);
    bench_close(&b);
  }
}

/* Inputs that are all public stay in the staging. Beside a secret input, public ones are cleared with it: during the
 * run or, if the recording keeps its inputs, at the run's end. */
static void public_inputs_beside_secret_ones(void **state) {
  (void)state;
  for (uint32_t flags = 0; flags <= RP_RECORD_KEEP_INPUTS; flags += RP_RECORD_KEEP_INPUTS)
    for (int with_secret = 0; with_secret < 2; with_secret++) {
      bench b;
      rp_error err = {0};
      rp_graph *graph;
      rp_recording *recording;
      rp_run *run;
      uint64_t in[2][N], *staging[2];
      const rp_record_options options = {.struct_size = sizeof options, .flags = flags};
      bench_open(&b, 0, 0);
      EXPECT(RP_OK, rp_graph_create(b.context, "mixed", &graph, &err), &err);
      const rp_value open = rp_graph_input(graph, "open", &toy_u64, N, 0),
                     hidden = rp_graph_input(graph, "hidden", &toy_u64, N, with_secret ? RP_SECRET : 0),
                     out = toy_mix(graph, open, hidden, 3);
      rp_graph_output(graph, "out", out, 0);
      EXPECT(RP_OK, rp_record(b.device, graph, &options, &recording, &err), &err);
      for (uint64_t round = 0; round < 3; round++) {
        EXPECT(RP_OK, rp_run_begin(recording, UINT64_MAX, &run, &err), &err);
        for (int i = 0; i < 2; i++) {
          work_fill(in[i], 2 * round + (uint64_t)i);
          staging[i] = rp_run_input(run, i ? hidden : open);
          memcpy(staging[i], in[i], BYTES);
        }
        EXPECT(RP_OK, rp_run_submit(run), rp_run_error(run));
        EXPECT(RP_OK, rp_run_wait(run, UINT64_MAX), rp_run_error(run));
        const uint64_t *got = rp_run_output(run, out);
        for (uint64_t i = 0; i < N; i++) assert_int_equal(got[i], 3 * in[0][i] + in[1][i]);
        for (int i = 0; i < 2; i++)
          if (!with_secret || flags)
            assert_memory_equal(staging[i], in[i], BYTES);
          else
            assert_true(is_clear(staging[i]));
        rp_run_end(run);
        for (int i = 0; i < 2; i++) assert_int_equal(is_clear(staging[i]), with_secret);
      }
      rp_recording_destroy(recording);
      rp_graph_destroy(graph);
      bench_close(&b);
    }
}

static void several_in_flight(void **state) {
  (void)state;
  enum { SLOTS = 3 };
  bench b;
  work w;
  static uint64_t in[SLOTS][N];
  bench_open(&b, 0, 0);
  work_make(&b, &w, 5, SLOTS);
  for (uint64_t round = 0; round < 20; round++) {
    rp_run *runs[SLOTS], *none;
    fake_hold(1);
    for (uint64_t s = 0; s < SLOTS; s++) {
      work_fill(in[s], SLOTS * round + s);
      runs[s] = work_start(&w, in[s]);
    }
    assert_int_equal(rp_run_begin(w.recording, 0, &none, NULL), RP_ERR_BUSY);
    fake_hold(0);
    for (uint64_t s = SLOTS; s-- > 0;) work_finish(&w, runs[s], in[s]);
  }
  work_drop(&w);
  bench_close(&b);
}

static void a_fault_is_named_and_gates_the_outputs(void **state) {
  (void)state;
  bench b;
  work w;
  rp_error err = {0};
  rp_buffer *out;
  uint64_t in[N], back[N], before[N];
  bench_open(&b, 0, 0);
  EXPECT(RP_OK, work_try(&b, &w, 1, RP_BINDABLE, 0, NULL, &err), &err);
  EXPECT(RP_OK, rp_buffer_create(b.device, BYTES, &out, &err), &err);
  memset(before, 0x11, sizeof before);
  EXPECT(RP_OK, rp_buffer_write(out, 0, before, BYTES, &err), &err);
  work_fill(in, 1);
  in[700] = BAD;
  rp_run *run;
  EXPECT(RP_OK, rp_run_begin(w.recording, 0, &run, &err), &err);
  EXPECT(RP_OK, rp_run_set_input(run, w.in, in, BYTES), &err);
  EXPECT(RP_OK, rp_run_bind_output(run, w.out, out, 0), &err);
  EXPECT(RP_OK, rp_run_submit(run), &err);
  EXPECT(RP_ERR_INPUT, rp_run_wait(run, UINT64_MAX), &err);
  assert_non_null(strstr(rp_run_error(run)->reason, "700"));
  assert_non_null(strstr(rp_run_error(run)->reason, "toy_check"));
  assert_null(rp_run_output(run, w.out));
  rp_run_end(run);
  EXPECT(RP_OK, rp_buffer_read(out, 0, back, BYTES, &err), &err);
  assert_memory_equal(back, before, BYTES);
  work_once(&w, 2); /* the next run works */
  rp_buffer_destroy(out);
  work_drop(&w);
  bench_close(&b);
}

/* Device memory that the caller allocated through the driver is bound to a run. */
static void callers_pointers_are_bound(void **state) {
  (void)state;
  bench b;
  work w;
  rp_error err = {0};
  CUdeviceptr pointer = 0;
  CUcontext context;
  uint64_t in[N], back[2 * N];
  bench_open(&b, 0, 0);
  EXPECT(RP_OK, work_try(&b, &w, 2, RP_RESIDENT, 0, NULL, &err), &err);
  rp_cuda_driver *d = interpose_driver(b.device);
  assert_int_equal(d->cuDevicePrimaryCtxRetain(&context, 0), CUDA_SUCCESS);
  assert_int_equal(d->cuCtxPushCurrent(context), CUDA_SUCCESS);
  assert_int_equal(d->cuMemAlloc(&pointer, 2 * BYTES), CUDA_SUCCESS);
  rp_buffer *both, *none;
  EXPECT(RP_OK, rp_buffer_wrap(b.device, (void *)(uintptr_t)pointer, 2 * BYTES, &both, &err), &err);
  EXPECT(RP_ERR_ARGUMENT, rp_buffer_wrap(b.device, in, BYTES, &none, &err), &err);
  assert_non_null(strstr(err.reason, "not device memory"));
  for (uint64_t round = 0; round < 3; round++) {
    rp_run *run;
    work_fill(in, round);
    assert_int_equal(d->cuMemcpyHtoD(pointer, in, BYTES), CUDA_SUCCESS);
    EXPECT(RP_OK, rp_run_begin(w.recording, 0, &run, &err), &err);
    EXPECT(RP_OK, rp_run_bind_input(run, w.in, both, 0), rp_run_error(run));
    EXPECT(RP_OK, rp_run_bind_output(run, w.out, both, BYTES), rp_run_error(run));
    EXPECT(RP_OK, rp_run_submit(run), rp_run_error(run));
    EXPECT(RP_OK, rp_run_wait(run, UINT64_MAX), rp_run_error(run));
    rp_run_end(run);
    assert_int_equal(d->cuMemcpyDtoH(back, pointer, 2 * BYTES), CUDA_SUCCESS);
    assert_memory_equal(back, in, BYTES);
    work_check(&w, in, back + N);
  }
  rp_buffer_destroy(both);
  assert_int_equal(d->cuMemFree(pointer), CUDA_SUCCESS);
  assert_int_equal(d->cuCtxPopCurrent(&context), CUDA_SUCCESS);
  work_drop(&w);
  assert_int_equal(d->cuDevicePrimaryCtxRelease(0), CUDA_SUCCESS);
  bench_close(&b);
}

static CUstream seen_stream;
static CUresult(CUDAAPI *true_launch)(CUgraphExec exec, CUstream stream);
static CUresult CUDAAPI note_stream(CUgraphExec exec, CUstream stream) {
  seen_stream = stream;
  return true_launch(exec, stream);
}

static void replays_on_the_callers_stream(void **state) {
  (void)state;
  bench b;
  work w;
  rp_error err = {0};
  CUcontext context;
  CUstream stream;
  bench_open(&b, 0, 0);
  rp_cuda_driver *d = interpose_driver(b.device);
  assert_int_equal(d->cuDevicePrimaryCtxRetain(&context, 0), CUDA_SUCCESS);
  assert_int_equal(d->cuCtxPushCurrent(context), CUDA_SUCCESS);
  assert_int_equal(d->cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING), CUDA_SUCCESS);
  bench mine = {.context = b.context};
  const rp_device_options options = {
      .struct_size = sizeof options, .kind = RP_DEVICE_CUDA, .native = {context, stream}};
  EXPECT(RP_OK, rp_device_open(mine.context, &options, &mine.device, &err), &err);
  work_make(&mine, &w, 4, 2);
  rp_cuda_driver *own = interpose_driver(mine.device);
  true_launch = own->cuGraphLaunch;
  own->cuGraphLaunch = note_stream;
  for (uint64_t round = 0; round < 3; round++) {
    seen_stream = NULL;
    work_once(&w, round);
    assert_ptr_equal(seen_stream, stream);
  }
  work_drop(&w);
  rp_device_close(mine.device);
  assert_int_equal(d->cuStreamDestroy(stream), CUDA_SUCCESS); /* still the caller's */
  assert_int_equal(d->cuCtxPopCurrent(&context), CUDA_SUCCESS);
  assert_int_equal(d->cuDevicePrimaryCtxRelease(0), CUDA_SUCCESS);
  bench_close(&b);
}

static void recordings_share_the_budget(void **state) {
  (void)state;
  bench b;
  work w[3];
  rp_plan_info plan = {.struct_size = sizeof plan};
  bench_open(&b, 0, 0);
  work_make(&b, &w[0], 1, 1);
  rp_recording_get_plan(w[0].recording, &plan);
  work_drop(&w[0]);
  bench_close(&b);
  bench_open(&b, 0, 2 * plan.total_bytes + plan.total_bytes / 2); /* room for two of the three recordings */
  for (uint32_t i = 0; i < 3; i++) work_make(&b, &w[i], i + 1, 1);
  for (uint64_t round = 0; round < 12; round++) work_once(&w[round % 3], round);
  interpose_begin(b.device); /* the two recordings that ran last need only a launch */
  interpose_end(b.device);
  uint64_t allocations = interpose_allocations;
  work_once(&w[2], 1);
  work_once(&w[1], 1);
  assert_int_equal(interpose_allocations, allocations);
  work_once(&w[0], 1); /* w[0] is loaded again, and w[2] is evicted */
  assert_true(interpose_allocations > allocations);
  allocations = interpose_allocations;
  work_once(&w[1], 2);
  assert_int_equal(interpose_allocations, allocations);
  for (uint32_t i = 0; i < 3; i++) work_drop(&w[i]);
  bench_close(&b);
}

static void runs_are_cancelled_and_time_out(void **state) {
  (void)state;
  bench b;
  work w;
  rp_error err = {0};
  rp_run *run;
  uint64_t in[N];
  work_fill(in, 9);
  bench_open(&b, 0, 0);
  EXPECT(RP_OK, work_try(&b, &w, 1, 0, PAUSE_US, NULL, &err), &err);
  fake_hold(1);
  run = work_start(&w, in);
  const int at_once = rp_run_poll(run) == RP_OK; /* under a checker a launch returns only when its work is done */
  if (at_once) print_message("launches wait here: nothing can time out\n");
  assert_true(at_once || rp_run_poll(run) == RP_ERR_TIMEOUT);
  assert_int_equal(rp_run_wait(run, 1000000), at_once ? RP_OK : RP_ERR_TIMEOUT);
  fake_hold(0);
  work_finish(&w, run, in);
  run = work_start(&w, in); /* cancelled while it runs */
  rp_run_cancel(run);
  assert_int_equal(rp_run_wait(run, UINT64_MAX), RP_ERR_CANCELLED);
  assert_null(rp_run_output(run, w.out));
  rp_run_end(run);
  EXPECT(RP_OK, rp_run_begin(w.recording, 0, &run, &err), &err); /* cancelled before it is submitted */
  EXPECT(RP_OK, rp_run_set_input(run, w.in, in, BYTES), &err);
  rp_run_cancel(run);
  interpose_begin(b.device);
  rp_status status = rp_run_submit(run);
  interposed seen = interpose_end(b.device);
  assert_int_equal(status, RP_ERR_CANCELLED);
  assert_int_equal(seen.launches + seen.forbidden, 0);
  rp_run_end(run);
  work_once(&w, 3);
  work_drop(&w);
  bench_close(&b);
}

static int append(void *user, const char *text, size_t bytes) {
  char **at = user;
  memcpy(*at, text, bytes);
  (*at)[bytes] = 0;
  *at += bytes;
  return 0;
}

static void profiles_have_device_times(void **state) {
  (void)state;
  bench b;
  work w;
  rp_error err = {0};
  uint64_t in[N];
  char *text = calloc(1, 1 << 16), *end = text;
  rp_node_info nodes[32] = {{.struct_size = sizeof *nodes}};
  uint32_t n = 0, timed = 0;
  const rp_record_options options = {.struct_size = sizeof options, .flags = RP_RECORD_PROFILE};
  bench_open(&b, 0, 0);
  EXPECT(RP_OK, work_try(&b, &w, 1, 0, PAUSE_US, &options, &err), &err);
  work_fill(in, 4);
  rp_run *run = work_start(&w, in);
  EXPECT(RP_OK, rp_run_wait(run, UINT64_MAX), rp_run_error(run));
  work_check(&w, in, rp_run_output(run, w.out));
  EXPECT(RP_OK, rp_run_trace(run, append, &end, &err), &err);
  rp_run_end(run);
  EXPECT(RP_OK, rp_recording_nodes(w.recording, nodes, 32, &n, &err), &err);
  uint64_t longest = 0;
  for (uint32_t i = 0; i < n; i++) {
    if (nodes[i].once) continue;
    timed++;
    assert_true(nodes[i].end_ns >= nodes[i].begin_ns && nodes[i].end_ns > 0);
    if (nodes[i].end_ns - nodes[i].begin_ns > longest) longest = nodes[i].end_ns - nodes[i].begin_ns;
    assert_non_null(strstr(text, nodes[i].name));
  }
  assert_int_equal(timed, 6);
  assert_true(longest >= 1000 * (uint64_t)PAUSE_US);
  assert_non_null(strstr(text, "\"traceEvents\""));
  free(text);
  work_drop(&w);
  bench_close(&b);
}

/* On request, no two steps run side by side, as memory checkers need it. The fake driver uses any order that the edges
 * allow. */
static void one_after_the_other_on_request(void **state) {
  (void)state;
  bench b;
  work w;
  rp_error err = {0};
  uint64_t in[N];
  rp_node_info nodes[32] = {{.struct_size = sizeof *nodes}};
  const rp_record_options options = {.struct_size = sizeof options, .flags = RP_RECORD_PROFILE};
  bench_open(&b, 0, 0);
  assert_int_equal(setenv("REPRISE_CUDA_SERIAL", "1", 1), 0);
  for (uint64_t round = 0; round < 20; round++) {
    uint32_t n = 0;
    uint64_t end = 0;
    EXPECT(RP_OK, work_try(&b, &w, 1, 0, 0, &options, &err), &err);
    work_fill(in, round);
    work_finish(&w, work_start(&w, in), in);
    EXPECT(RP_OK, rp_recording_nodes(w.recording, nodes, 32, &n, &err), &err);
    for (uint32_t i = 0; i < n; i++) {
      if (nodes[i].once) continue;
      assert_true(nodes[i].begin_ns >= end);
      end = nodes[i].end_ns;
    }
    assert_true(end > 0);
    work_drop(&w);
  }
  assert_int_equal(unsetenv("REPRISE_CUDA_SERIAL"), 0);
  bench_close(&b);
}

static void sizes_in_device_memory(void **state) {
  (void)state;
  bench b;
  rp_error err = {0};
  rp_recording *recording;
  rp_graph *graph;
  uint64_t in[N];
  bench_open(&b, 0, 0);
  EXPECT(RP_OK, rp_graph_create(b.context, "head", &graph, &err), &err);
  rp_value a = rp_graph_input(graph, "a", &toy_u64, N, 0), out = toy_head(graph, a);
  rp_graph_output(graph, "head", out, 0);
  EXPECT(RP_OK, rp_record(b.device, graph, NULL, &recording, &err), &err);
  for (uint64_t round = 0; round < 8; round++) {
    rp_run *run;
    work_fill(in, round);
    in[0] = round;
    EXPECT(RP_OK, rp_run_begin(recording, 0, &run, &err), &err);
    EXPECT(RP_OK, rp_run_set_input(run, a, in, BYTES), &err);
    EXPECT(RP_OK, rp_run_submit(run), &err);
    EXPECT(RP_OK, rp_run_wait(run, UINT64_MAX), &err);
    const uint64_t *got = rp_run_output(run, out);
    for (uint64_t i = 0; i < N; i++) assert_int_equal(got[i], i < 64 * (1 + round % 4) ? in[i] : in[i] << 32);
    rp_run_end(run);
  }
  rp_recording_destroy(recording);
  rp_graph_destroy(graph);
  bench_close(&b);
}

#ifdef FAKE_CUDA
static int start(void **state) {
  (void)state;
  fake_reset();
  toy_register();
  return 0;
}
/* Checks that everything has been released, and that a strict driver would have refused nothing. */
static int stop(void **state) {
  (void)state;
  if (fake_violation()) fail_msg("%s", fake_violation());
  static const char *const kinds[] = {"context", "module", "stream", "event", "graph", "exec", "device", "pinned"};
  for (int i = 0; i < 8; i++)
    if (fake_live(kinds[i])) fail_msg("left: %s", kinds[i]);
  return 0;
}
#else
static int start(void **state) { return (void)state, 0; }
static int stop(void **state) { return (void)state, 0; }
#endif

int main(void) {
#ifndef FAKE_CUDA
  if (bench_absent()) return 77;
#endif
#define CASE(f) cmocka_unit_test_setup_teardown(f, start, stop)
  const struct CMUnitTest tests[] = {
      CASE(one_launch_one_wait_no_allocation),
      CASE(several_in_flight),
      CASE(secret_staging_is_cleared),
      CASE(public_inputs_beside_secret_ones),
      CASE(a_fault_is_named_and_gates_the_outputs),
      CASE(callers_pointers_are_bound),
      CASE(replays_on_the_callers_stream),
      CASE(recordings_share_the_budget),
      CASE(runs_are_cancelled_and_time_out),
      CASE(profiles_have_device_times),
      CASE(one_after_the_other_on_request),
      CASE(sizes_in_device_memory),
  };
  return cmocka_run_group_tests_name("cuda runs", tests, NULL, NULL);
}
