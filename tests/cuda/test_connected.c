/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Runs connected with the caller's streams and events, and with each other (reprise/host_program.h). On the fake
 * driver, the calls are compared in their order too.
 */
#include "sequence.h"

#include <reprise/host_program.h>

#include <dlfcn.h>

/* out = 3 in + in */
typedef struct line {
  rp_graph *graph;
  rp_recording *recording;
  rp_value in, out;
} line;

static line make(const bench *b, uint32_t in_flags, uint32_t out_flags) {
  line l;
  rp_error err = {0};
  EXPECT(RP_OK, rp_graph_create(b->context, "line", &l.graph, &err), &err);
  l.in = rp_graph_input(l.graph, "in", &toy_u64, N, in_flags);
  l.out = toy_mix(l.graph, l.in, l.in, 3);
  rp_graph_output(l.graph, "out", l.out, out_flags);
  EXPECT(RP_OK, rp_record(b->device, l.graph, NULL, &l.recording, &err), &err);
  return l;
}

static void drop(line *l) {
  rp_recording_destroy(l->recording);
  rp_graph_destroy(l->graph);
}

static rp_run *begin(const line *l, const uint64_t *in) {
  rp_run *run = NULL;
  EXPECT(RP_OK, rp_run_begin(l->recording, UINT64_MAX, &run, NULL), NULL);
  if (in) EXPECT(RP_OK, rp_run_set_input(run, l->in, in, BYTES), rp_run_error(run));
  return run;
}

static void submit(rp_run *run, rp_submit_options o) {
  o.struct_size = sizeof o;
  EXPECT(RP_OK, rp_run_submit_with(run, &o), rp_run_error(run));
}

static void check(rp_run *run, rp_value out, const uint64_t *in, uint64_t factor) {
  const uint64_t *got = rp_run_output(run, out);
  assert_non_null(got);
  for (uint64_t i = 0; i < N; i++) assert_int_equal(got[i], factor * in[i]);
}

static void open_device(bench *b) {
  fake_reset();
#ifdef FAKE_CUDA
  toy_register();
#endif
  bench_open(b, 0, 0);
}

/* The second run reads what the first has written, where it was written. The host waits once. The first round tells the
 * kernels where that is; later ones need not. */
static void chained_with_one_wait(void **state) {
  (void)state;
  bench b;
  uint64_t in[N];
  rp_buffer *between;
  open_device(&b);
  line one = make(&b, 0, RP_RESIDENT), two = make(&b, RP_RESIDENT, 0);
  EXPECT(RP_OK, rp_buffer_create(b.device, BYTES, &between, NULL), NULL);
  for (uint64_t round = 0; round < 4; round++) {
    rp_run_counters c[2] = {{.struct_size = sizeof *c}, {.struct_size = sizeof *c}};
    work_fill(in, round);
    rp_run *first = begin(&one, in), *second = begin(&two, NULL);
    EXPECT(RP_OK, rp_run_bind_output(first, one.out, between, 0), rp_run_error(first));
    EXPECT(RP_OK, rp_run_bind_input(second, two.in, between, 0), rp_run_error(second));
    fake_count_from_here();
    submit(first, (rp_submit_options){0});
    submit(second, (rp_submit_options){.after = &first, .n_after = 1});
    EXPECT(RP_OK, rp_run_wait(second, UINT64_MAX), rp_run_error(second));
    expect_sequence(round ? "cuGraphLaunch cuEventRecord cuStreamWaitEvent cuGraphLaunch cuEventRecord "
                            "cuEventSynchronize cuEventSynchronize"
                          : SET_NODE "cuGraphLaunch cuEventRecord " SET_NODE
                                     "cuStreamWaitEvent cuGraphLaunch cuEventRecord "
                                     "cuEventSynchronize cuEventSynchronize");
    check(second, two.out, in, 16);
    rp_run_get_counters(first, &c[0]);
    rp_run_get_counters(second, &c[1]);
    assert_int_equal(c[0].waits, 0);
    assert_int_equal(c[1].waits, 1);
    rp_run_end(first);
    rp_run_end(second);
  }
  rp_buffer_destroy(between);
  drop(&one);
  drop(&two);
  bench_close(&b);
}

/* Runs of one submission: launches one after the other in one stream, that of the first run, and nothing between. If a
 * launch is refused, what has been launched is over when the call returns. */
static void several_in_one_submission(void **state) {
  (void)state;
  bench b;
  uint64_t in[N];
  rp_buffer *between[2];
  rp_error err = {0};
  open_device(&b);
  line one = make(&b, RP_SECRET, RP_RESIDENT), two = make(&b, RP_RESIDENT, RP_RESIDENT),
       three = make(&b, RP_BINDABLE, 0);
  for (int i = 0; i < 2; i++) EXPECT(RP_OK, rp_buffer_create(b.device, BYTES, &between[i], NULL), NULL);
  work_fill(in, 9);
  rp_run *alone = begin(&one, in);
  EXPECT(RP_OK, rp_run_bind_output(alone, one.out, between[0], 0), rp_run_error(alone));
  submit(alone, (rp_submit_options){0});
  rp_run_end(alone);
#ifdef FAKE_CUDA
  const CUstream stream = fake_last_stream();
#endif
  for (uint64_t round = 0; round < 4; round++) {
    work_fill(in, round);
    rp_run *runs[] = {begin(&one, in), begin(&two, NULL), begin(&three, NULL)};
    for (int i = 0; i < 2; i++) {
      EXPECT(RP_OK, rp_run_bind_output(runs[i], i ? two.out : one.out, between[i], 0), rp_run_error(runs[i]));
      EXPECT(RP_OK, rp_run_bind_input(runs[i + 1], i ? three.in : two.in, between[i], 0), rp_run_error(runs[i + 1]));
    }
#ifdef FAKE_CUDA
    if (round == 2) { /* the second launch */
      fake_fail("cuGraphLaunch", 2, CUDA_ERROR_OUT_OF_MEMORY);
      fake_count_from_here();
      EXPECT(RP_ERR_DEVICE_MEMORY, rp_runs_submit(runs, 3, NULL, &err), &err);
      expect_sequence("cuGraphLaunch cuEventRecord cuGraphLaunch cuGetErrorName cuGetErrorString cuStreamSynchronize");
      for (int i = 0; i < 3; i++) EXPECT(RP_ERR_DEVICE_MEMORY, rp_run_poll(runs[i]), rp_run_error(runs[i]));
      for (int i = 0; i < 3; i++) rp_run_end(runs[i]);
      assert_null(fake_violation());
      continue;
    }
#endif
    fake_count_from_here();
    EXPECT(RP_OK, rp_runs_submit(runs, 3, NULL, &err), &err);
#ifdef FAKE_CUDA
    assert_ptr_equal(fake_last_stream(), stream);
#endif
    if (round == 1)
      expect_sequence("cuGraphLaunch cuEventRecord cuGraphLaunch cuEventRecord cuGraphLaunch cuEventRecord");
    EXPECT(RP_OK, rp_run_wait(runs[2], UINT64_MAX), rp_run_error(runs[2]));
    check(runs[2], three.out, in, 64);
    for (int i = 0; i < 2; i++) EXPECT(RP_OK, rp_run_poll(runs[i]), rp_run_error(runs[i]));
    for (int i = 0; i < 3; i++) rp_run_end(runs[i]);
  }
  for (int i = 0; i < 2; i++) rp_buffer_destroy(between[i]);
  drop(&one);
  drop(&two);
  drop(&three);
  bench_close(&b);
}

/* Kernels access what is bound where it is. Two places in turn, and a place of which one byte is wrong; no copies. */
static void resident_values(void **state) {
  (void)state;
  bench b;
  uint64_t in[N], out[N];
  rp_buffer *buffer;
  open_device(&b);
  line l = make(&b, RP_RESIDENT, RP_RESIDENT);
  EXPECT(RP_OK, rp_buffer_create(b.device, 4 * BYTES, &buffer, NULL), NULL);
  for (uint64_t round = 0; round < 6; round++) {
    const uint64_t at = round % 3 == 2 ? 2 * BYTES : 0; /* 0 0 2 0 0 2 */
    rp_run_counters c = {.struct_size = sizeof c};
    work_fill(in, round);
    EXPECT(RP_OK, rp_buffer_write(buffer, at, in, BYTES, NULL), NULL);
    rp_run *run = begin(&l, NULL);
    assert_int_equal(rp_run_bind_input(run, l.in, buffer, at + 8), RP_ERR_ARGUMENT); /* not aligned for kernels */
    EXPECT(RP_OK, rp_run_bind_input(run, l.in, buffer, at), rp_run_error(run));
    assert_int_equal(rp_run_submit(run), RP_ERR_STATE); /* the output has no place */
    EXPECT(RP_OK, rp_run_bind_output(run, l.out, buffer, at + BYTES - 16), rp_run_error(run));
    assert_int_equal(rp_run_submit(run), RP_ERR_ARGUMENT); /* both have the last 16 bytes of the input */
    EXPECT(RP_OK, rp_run_bind_output(run, l.out, buffer, at + BYTES), rp_run_error(run));
    fake_count_from_here();
    submit(run, (rp_submit_options){0});
    expect_sequence(round % 3 == 1 || round == 4 ? "cuGraphLaunch cuEventRecord"
                                                 : SET_NODE "cuGraphLaunch cuEventRecord");
    EXPECT(RP_OK, rp_run_wait(run, UINT64_MAX), rp_run_error(run));
    rp_run_get_counters(run, &c);
    assert_int_equal(c.dispatches, 1);
    assert_int_equal(c.bytes_up + c.bytes_down, 2 * 16 + 2 * 8); /* error record and addresses */
    rp_run_end(run);
    EXPECT(RP_OK, rp_buffer_read(buffer, at + BYTES, out, BYTES, NULL), NULL);
    for (uint64_t i = 0; i < N; i++) assert_int_equal(out[i], 4 * in[i]);
  }
  rp_plan_info plan = {.struct_size = sizeof plan};
  rp_recording_get_plan(l.recording, &plan);
  assert_int_equal(plan.arena_bytes + plan.io_bytes + plan.staging_bytes, 0);
  rp_buffer_destroy(buffer);
  drop(&l);
  bench_close(&b);
}

/* Executes a graph in a stream and waits for it. */
static void execute(const rp_cuda_driver *d, CUgraphExec exec, CUstream stream) {
  assert_int_equal(d->cuGraphLaunch(exec, stream), CUDA_SUCCESS);
  assert_int_equal(d->cuStreamSynchronize(stream), CUDA_SUCCESS);
}

/* A staged run and one that reads what it has written, as two nodes of the program's graph (way 0), and in a stream
 * that is captured (way 1). The graph is executed three times, with new inputs. */
static void runs_in_the_programs_graph(void **state) {
  (void)state;
  bench b;
  uint64_t in[N];
  open_device(&b);
  line one = make(&b, RP_SECRET, RP_RESIDENT), two = make(&b, RP_RESIDENT, 0);
  rp_cuda_driver *d = interpose_driver(b.device);
  CUresult(CUDAAPI * begin_capture)(CUstream, CUstreamCaptureMode);
  CUresult(CUDAAPI * end_capture)(CUstream, CUgraph *);
  void *symbols[2] = {dlsym(d->library, NAME(cuStreamBeginCapture)), dlsym(d->library, NAME(cuStreamEndCapture))};
  assert_true(symbols[0] && symbols[1]);
  memcpy(&begin_capture, &symbols[0], sizeof begin_capture);
  memcpy(&end_capture, &symbols[1], sizeof end_capture);
  CUcontext context, popped;
  CUstream stream;
  rp_buffer *between;
  EXPECT(RP_OK, rp_buffer_create(b.device, BYTES, &between, NULL), NULL);
  assert_int_equal(d->cuDevicePrimaryCtxRetain(&context, 0), CUDA_SUCCESS);
  assert_int_equal(d->cuCtxPushCurrent(context), CUDA_SUCCESS);
  assert_int_equal(d->cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING), CUDA_SUCCESS);
  for (int way = 0; way < 2; way++) {
    CUgraph graph;
    CUgraphExec exec;
    void *node = NULL;
    rp_run *first = begin(&one, NULL), *second = begin(&two, NULL);
    rp_into into = {.struct_size = sizeof into, .kind = RP_INTO_CUDA_STREAM, .handle = stream};
    EXPECT(RP_ERR_STATE, rp_run_record_into(first, &into), rp_run_error(first)); /* the output has no place */
    EXPECT(RP_OK, rp_run_bind_output(first, one.out, between, 0), rp_run_error(first));
    EXPECT(RP_ERR_STATE, rp_run_record_into(second, &into), rp_run_error(second)); /* nor has the input */
    EXPECT(RP_OK, rp_run_bind_input(second, two.in, between, 0), rp_run_error(second));
    EXPECT(RP_ERR_STATE, rp_run_record_into(second, &into), rp_run_error(second)); /* the stream is not captured */
    if (way == 0) {
      assert_int_equal(d->cuGraphCreate(&graph, 0), CUDA_SUCCESS);
      into = (rp_into){.struct_size = sizeof into, .kind = RP_INTO_CUDA_GRAPH, .handle = graph, .node = &node};
    } else
      assert_int_equal(begin_capture(stream, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL), CUDA_SUCCESS);
    EXPECT(RP_OK, rp_run_record_into(first, &into), rp_run_error(first));
    assert_int_equal(node != NULL, way == 0);
    if (way == 0) into.after = &node, into.n_after = 1, into.node = NULL;
    EXPECT(RP_OK, rp_run_record_into(second, &into), rp_run_error(second));
    EXPECT(RP_ERR_STATE, rp_run_submit(second), rp_run_error(second));
    if (way == 1) assert_int_equal(end_capture(stream, &graph), CUDA_SUCCESS);
    assert_int_equal(d->cuGraphInstantiate(&exec, graph, 0), CUDA_SUCCESS);
    for (uint64_t round = 0; round < 3; round++) {
      work_fill(in, round + 5);
      EXPECT(RP_OK, rp_run_set_input(first, one.in, in, BYTES), rp_run_error(first));
      execute(d, exec, stream);
      EXPECT(RP_OK, rp_run_collect(first), rp_run_error(first));
      EXPECT(RP_OK, rp_run_collect(second), rp_run_error(second));
      check(second, two.out, in, 16);
    }
    assert_int_equal(d->cuGraphExecDestroy(exec), CUDA_SUCCESS);
    assert_int_equal(d->cuGraphDestroy(graph), CUDA_SUCCESS);
    rp_run_end(first);
    rp_run_end(second);
    rp_run *usual = begin(&one, in); /* the slot is as before */
    EXPECT(RP_ERR_STATE, rp_run_collect(usual), rp_run_error(usual));
    EXPECT(RP_OK, rp_run_bind_output(usual, one.out, between, 0), rp_run_error(usual));
    submit(usual, (rp_submit_options){0});
    EXPECT(RP_OK, rp_run_wait(usual, UINT64_MAX), rp_run_error(usual));
    rp_run_end(usual);
  }
  assert_int_equal(d->cuStreamDestroy(stream), CUDA_SUCCESS);
  assert_int_equal(d->cuCtxPopCurrent(&popped), CUDA_SUCCESS);
  assert_int_equal(d->cuDevicePrimaryCtxRelease(0), CUDA_SUCCESS);
#ifdef FAKE_CUDA
  assert_null(fake_violation());
#endif
  rp_buffer_destroy(between);
  drop(&one);
  drop(&two);
  bench_close(&b);
}

/* What the run waits for comes before its launch, what it signals after it; a stream is joined by the run's event. */
static void events_and_streams(void **state) {
  (void)state;
  bench b;
  uint64_t in[N];
  open_device(&b);
  line l = make(&b, 0, 0);
  rp_cuda_driver *d = interpose_driver(b.device);
  CUcontext context, popped;
  CUstream streams[2];
  CUevent events[2];
  assert_int_equal(d->cuDevicePrimaryCtxRetain(&context, 0), CUDA_SUCCESS);
  assert_int_equal(d->cuCtxPushCurrent(context), CUDA_SUCCESS);
  for (int i = 0; i < 2; i++) {
    assert_int_equal(d->cuStreamCreate(&streams[i], CU_STREAM_NON_BLOCKING), CUDA_SUCCESS);
    assert_int_equal(d->cuEventCreate(&events[i], CU_EVENT_DISABLE_TIMING), CUDA_SUCCESS);
  }
  assert_int_equal(d->cuEventRecord(events[0], streams[0]), CUDA_SUCCESS);
  const rp_sync waits[] = {{RP_SYNC_CUDA_EVENT, events[0], 0}, {RP_SYNC_CUDA_STREAM, streams[0], 0}};
  const rp_sync signals[] = {{RP_SYNC_CUDA_EVENT, events[1], 0}, {RP_SYNC_CUDA_STREAM, streams[1], 0}};
  work_fill(in, 1);
  rp_run *run = begin(&l, in);
  fake_count_from_here();
  submit(run, (rp_submit_options){.waits = waits, .n_waits = 2, .signals = signals, .n_signals = 2});
  expect_sequence("cuStreamWaitEvent cuEventRecord cuStreamWaitEvent cuGraphLaunch cuEventRecord cuEventRecord "
                  "cuStreamWaitEvent");
  assert_int_equal(d->cuEventSynchronize(events[1]), CUDA_SUCCESS); /* the run is finished, and nobody waits for it */
  EXPECT(RP_OK, rp_run_poll(run), rp_run_error(run));
  check(run, l.out, in, 4);
  rp_run_end(run);

  const rp_sync host = {RP_SYNC_HOST, &b, 1};
  const rp_submit_options wrong = {.struct_size = sizeof wrong, .waits = &host, .n_waits = 1};
  run = begin(&l, in);
  assert_int_equal(rp_run_submit_with(run, &wrong), RP_ERR_UNSUPPORTED);
  rp_run_end(run);
  for (int i = 0; i < 2; i++) {
    assert_int_equal(d->cuStreamSynchronize(streams[i]), CUDA_SUCCESS);
    assert_int_equal(d->cuStreamDestroy(streams[i]), CUDA_SUCCESS);
    assert_int_equal(d->cuEventDestroy(events[i]), CUDA_SUCCESS);
  }
  assert_int_equal(d->cuCtxPopCurrent(&popped), CUDA_SUCCESS);
  assert_int_equal(d->cuDevicePrimaryCtxRelease(0), CUDA_SUCCESS);
  drop(&l);
  bench_close(&b);
}

/* A stream for one run. Secrets are wiped on the slot's own stream, which the next run on another one waits for. */
static void a_stream_for_a_run(void **state) {
  (void)state;
  bench b;
  uint64_t in[N];
  open_device(&b);
  line l = make(&b, RP_SECRET, 0);
  rp_cuda_driver *d = interpose_driver(b.device);
  CUcontext context, popped;
  CUstream stream;
  assert_int_equal(d->cuDevicePrimaryCtxRetain(&context, 0), CUDA_SUCCESS);
  assert_int_equal(d->cuCtxPushCurrent(context), CUDA_SUCCESS);
  assert_int_equal(d->cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING), CUDA_SUCCESS);
  assert_int_equal(d->cuCtxPopCurrent(&popped), CUDA_SUCCESS);
  static const char *const want[] = {"cuGraphLaunch cuEventRecord",
                                     "cuEventRecord cuStreamWaitEvent cuGraphLaunch cuEventRecord",
                                     "cuGraphLaunch cuEventRecord"};
  for (uint64_t round = 0; round < 3; round++) {
    work_fill(in, round);
    rp_run *run = begin(&l, in);
    fake_count_from_here();
    submit(run, (rp_submit_options){.stream = round < 2 ? stream : NULL});
    expect_sequence(want[round]);
#ifdef FAKE_CUDA
    assert_int_equal(fake_last_stream() == stream, round < 2);
#endif
    EXPECT(RP_OK, rp_run_wait(run, UINT64_MAX), rp_run_error(run));
    check(run, l.out, in, 4);
    rp_run_end(run);
  }
  assert_int_equal(d->cuCtxPushCurrent(context), CUDA_SUCCESS);
  assert_int_equal(d->cuStreamDestroy(stream), CUDA_SUCCESS);
  assert_int_equal(d->cuCtxPopCurrent(&popped), CUDA_SUCCESS);
  assert_int_equal(d->cuDevicePrimaryCtxRelease(0), CUDA_SUCCESS);
  drop(&l);
  bench_close(&b);
}

/* Memory of the caller's, in the caller's context. */
typedef struct lender {
  rp_cuda_driver *driver;
  CUcontext context;
  int64_t n;
} lender;

static void *lend(void *user, uint64_t bytes, uint64_t align) {
  lender *l = user;
  CUdeviceptr p = 0;
  CUcontext popped;
  assert_int_equal(align, 256);
  if (l->driver->cuCtxPushCurrent(l->context) != CUDA_SUCCESS) return NULL;
  l->n += l->driver->cuMemAlloc(&p, bytes) == CUDA_SUCCESS;
  l->driver->cuCtxPopCurrent(&popped);
  return (void *)(uintptr_t)p;
}

static void take_back(void *user, void *memory, uint64_t bytes) {
  lender *l = user;
  CUcontext popped;
  (void)bytes;
  assert_int_equal(l->driver->cuCtxPushCurrent(l->context), CUDA_SUCCESS);
  l->n -= l->driver->cuMemFree((CUdeviceptr)(uintptr_t)memory) == CUDA_SUCCESS;
  l->driver->cuCtxPopCurrent(&popped);
}

static void memory_of_the_caller(void **state) {
  (void)state;
  bench first, b;
  uint64_t in[N];
  rp_error err = {0};
  open_device(&first); /* gives a table of the driver's functions */
  lender l = {.driver = interpose_driver(first.device)};
  assert_int_equal(l.driver->cuDevicePrimaryCtxRetain(&l.context, 0), CUDA_SUCCESS);
  const rp_device_options o = {.struct_size = sizeof o, .kind = RP_DEVICE_CUDA, .native = {l.context}};
  const rp_host_device h = {.struct_size = sizeof h, .allocator = {.user = &l, .alloc = lend, .free = take_back}};
  b = first;
  EXPECT(RP_OK, rp_device_open_for(b.context, &o, &h, &b.device, &err), &err);
  line p = make(&b, RP_SECRET, 0);
  assert_true(l.n > 0);
  work_fill(in, 1);
  rp_run *run = begin(&p, in);
  submit(run, (rp_submit_options){0});
  EXPECT(RP_OK, rp_run_wait(run, UINT64_MAX), rp_run_error(run));
  check(run, p.out, in, 4);
  rp_run_end(run);
  drop(&p);
  assert_int_equal(l.n, 0);
  rp_device_close(b.device);
  assert_int_equal(l.driver->cuDevicePrimaryCtxRelease(0), CUDA_SUCCESS);
  bench_close(&first);
}

/* A thread of the library waits for the end, with an event that lets it sleep. */
static void tell(void *user, rp_run *run) { *(_Atomic int *)user = rp_run_poll(run) == RP_OK ? 1 : -1; }

static void a_callback_reports_the_end(void **state) {
  (void)state;
  bench b;
  uint64_t in[N];
  open_device(&b);
  line l = make(&b, 0, 0);
  for (uint64_t round = 0; round < 4; round++) {
    _Atomic int told = 0;
    work_fill(in, round);
    rp_run *run = begin(&l, in);
    submit(run, (rp_submit_options){.done = tell, .user = &told});
    EXPECT(RP_OK, rp_run_wait(run, UINT64_MAX), rp_run_error(run));
    check(run, l.out, in, 4);
    rp_run_end(run);
    assert_int_equal(told, 1);
  }
  drop(&l);
  bench_close(&b);
}

/* Whatever call of the driver fails, the submission fails with a reason, and the slot can be used again. */
#ifdef FAKE_CUDA
static void failing_calls(void **state) {
  (void)state;
  bench b;
  uint64_t in[N];
  open_device(&b);
  line l = make(&b, RP_SECRET, 0);
  work_fill(in, 0);
  for (int nth = 0; nth < 8; nth++) {
    rp_run *run = begin(&l, in);
    submit(run, (rp_submit_options){0});
    EXPECT(RP_OK, rp_run_wait(run, UINT64_MAX), rp_run_error(run));
    check(run, l.out, in, 4);
    rp_run_end(run);
    run = begin(&l, in);
    const rp_sync sync = {RP_SYNC_CUDA_STREAM, fake_last_stream(), 0};
    const rp_submit_options o = {
        .struct_size = sizeof o, .waits = &sync, .n_waits = 1, .signals = &sync, .n_signals = 1};
    fake_fail(nth % 2 ? "cuStreamWaitEvent" : "cuEventRecord", nth / 2 + 1, CUDA_ERROR_INVALID_VALUE);
    const rp_status status = rp_run_submit_with(run, &o);
    assert_int_equal(status == RP_OK, !fake_has_failed());
    assert_int_equal(nth < 4, fake_has_failed());
    if (status) assert_non_null(strstr(rp_run_error(run)->reason, nth % 2 ? "cuStreamWaitEvent" : "cuEventRecord"));
    fake_fail(NULL, 0, CUDA_SUCCESS);
    rp_run_end(run);
  }
  drop(&l);
  bench_close(&b);
}
#endif

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(chained_with_one_wait), cmocka_unit_test(several_in_one_submission),
      cmocka_unit_test(resident_values),       cmocka_unit_test(runs_in_the_programs_graph),
      cmocka_unit_test(events_and_streams),    cmocka_unit_test(memory_of_the_caller),
      cmocka_unit_test(a_stream_for_a_run),    cmocka_unit_test(a_callback_reports_the_end),
#ifdef FAKE_CUDA
      cmocka_unit_test(failing_calls),
#endif
  };
#ifdef FAKE_CUDA
  fake_reset();
  toy_register();
#endif
  if (bench_absent()) return 77;
  return cmocka_run_group_tests_name("connected with CUDA", tests, NULL, NULL);
}
