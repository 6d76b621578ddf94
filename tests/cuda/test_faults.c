/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Every call of every function of the driver's table fails once, in each of three ways, during the life of a device:
 * opening, recording, cutting, running, leaving out, cancelling, waiting, wiping, evicting, loading again, reading,
 * closing. Each life ends
 * with the status of what failed. It leaves nothing on device or host and no secret in memory that is used again, and
 * the next life works in the same context.
 */
#include "bench.h"

#include <reprise/host_program.h>
#include "device.h"
#include "fake_cuda.h"
#include "toy_args.h"

#include <stdio.h>
#include <unistd.h>

static const uint64_t secret = 0x5ec2e75ec2e75ec2u;

static char where[128]; /* the fault that is being tried */

typedef struct life {
  rp_context *context;
  rp_device *device;
  work w;
  rp_buffer *buffer, *wrapped; /* `wrapped` has the memory of `buffer`, as if the caller had allocated it */
  rp_recording *wide;          /* of a kernel that needs more shared memory than the default */
  rp_graph *wide_graph;
  CUcontext own; /* the caller's; NULL: the library's */
  rp_graph *resident_graph, *branch_graph, *long_graph;
  rp_recording *resident, *branch, *cut;
  rp_buffer *both;
  rp_buffer *shared[3];
} life;

/* ---- A kernel that wants shared memory --------------------------------------------------------------------------- */

extern const unsigned char reprise_cuda_toy[];
static const rp_kernel wide_kernel = {
    .struct_size = sizeof(rp_kernel),
    .name = "wide",
    .args_bytes = sizeof(toy_pause_args),
    .n_binds = 2,
    .cuda = {.image = reprise_cuda_toy, .entry = "toy_pause", .block = TOY_BLOCK, .dynamic_shared_bytes = 64 << 10}};

static rp_status shape(const rp_shape *s) {
  s->out_type[0] = s->in_type[0];
  s->out_len[0] = s->in_len[0];
  return RP_OK;
}

static rp_status lower(rp_lower *l) {
  const toy_pause_args args = {.n = N};
  rp_lower_dispatch(l, &(rp_dispatch){.kernel = &wide_kernel,
                                      .groups = {N / TOY_BLOCK},
                                      .binds = (rp_bind[]){RP_BIND(rp_lower_in(l, 0), RP_READ),
                                                           RP_BIND(rp_lower_out(l, 0), RP_WRITE)},
                                      .n_binds = 2,
                                      .args = &args,
                                      .args_bytes = sizeof args});
  return RP_OK;
}

static rp_status record_wide(life *l, rp_error *err) {
  static const rp_strategy strategy = {"any", RP_ON_ANY, NULL, lower};
  static const rp_op op = {
      .struct_size = sizeof op, .name = "wide", .shape = shape, .strategies = &strategy, .n_strategies = 1};
  rp_status status = rp_graph_create(l->context, "wide", &l->wide_graph, err);
  if (status != RP_OK) return status;
  const rp_value in = rp_graph_input(l->wide_graph, "in", &toy_u64, N, 0);
  const rp_value copy = rp_graph_node(l->wide_graph, &op, NULL, &in, 1, NULL, 1);
  rp_graph_output(l->wide_graph, "out", toy_head(l->wide_graph, copy), 0);
  return rp_record(l->device, l->wide_graph, NULL, &l->wide, err);
}

/* ---- One life ---------------------------------------------------------------------------------------------------- */

static int drop_text(void *user, const char *text, size_t bytes) {
  (void)user, (void)text, (void)bytes;
  return 0;
}

static rp_status run_once(life *l, uint64_t timeout_ns, rp_error *err) {
  uint64_t in[N];
  rp_run *run = NULL;
  for (uint64_t i = 0; i < N; i++) in[i] = secret;
  rp_status status = rp_run_begin(l->w.recording, UINT64_MAX, &run, err);
  if (status != RP_OK) return status;
  status = rp_run_set_input(run, l->w.in, in, BYTES);
  const rp_sync signal = {RP_SYNC_CUDA_STREAM, NULL, 0}; /* the default stream waits for the run */
  const rp_submit_options o = {.struct_size = sizeof o, .signals = &signal, .n_signals = 1};
  if (status == RP_OK) status = rp_run_submit_with(run, &o);
  if (status == RP_OK) status = rp_run_wait(run, timeout_ns);
  if (status == RP_OK) {
    work_check(&l->w, in, rp_run_output(run, l->w.out));
    status = rp_run_trace(run, drop_text, NULL, err);
  } else {
    *err = *rp_run_error(run);
    assert_null(rp_run_output(run, l->w.out));
  }
  rp_run_end(run);
  /* Whatever happened to the run, nothing of its secrets is left for what runs on the device later. */
  if (!rp_device_is_lost(l->device) && fake_find_pattern(secret))
    fail_msg("%s: %d words of a secret are left", where, (int)fake_find_pattern(secret));
  return status;
}

static rp_status use_buffers(life *l, rp_error *err) {
  uint64_t data[8] = {1, 2, 3}, back[8];
  rp_status status = rp_buffer_create(l->device, sizeof data, &l->buffer, err);
  if (status == RP_OK) status = rp_buffer_write(l->buffer, 0, data, sizeof data, err);
  if (status == RP_OK) status = rp_buffer_read(l->buffer, 0, back, sizeof back, err);
  if (status == RP_OK) assert_memory_equal(back, data, sizeof data);
  if (status == RP_OK)
    status = rp_buffer_wrap(l->device, (void *)(uintptr_t)l->buffer->memory.address, sizeof data, &l->wrapped, err);
  return status;
}

/* Memory with a descriptor, imported again as that of CUDA and as that of another API. */
static rp_status share_buffers(life *l, rp_error *err) {
  rp_shared_memory m = {.struct_size = sizeof m};
  rp_status status = rp_buffer_create_shared(l->device, BYTES, &l->shared[0], &m, err);
  if (status != RP_OK) return status;
  status = rp_buffer_import(l->device, &m, &l->shared[1], err);
  m.kind = RP_SHARE_VULKAN;
  if (status == RP_OK) status = rp_buffer_import(l->device, &m, &l->shared[2], err);
  close(m.fd);
  return status;
}

/* A run whose kernel accesses memory that the run binds. */
static rp_status run_in_place(life *l, rp_value in, rp_value out, rp_error *err) {
  rp_run *run = NULL;
  rp_status status = rp_buffer_create(l->device, 2 * BYTES, &l->both, err);
  if (status == RP_OK) status = rp_run_begin(l->resident, UINT64_MAX, &run, err);
  if (status == RP_OK) {
    status = rp_run_bind_input(run, in, l->both, 0);
    if (status == RP_OK) status = rp_run_bind_output(run, out, l->both, BYTES);
    if (status == RP_OK) status = rp_run_submit(run);
    if (status == RP_OK) status = rp_run_wait(run, UINT64_MAX);
    if (status != RP_OK) *err = *rp_run_error(run);
  }
  rp_run_end(run);
  return status;
}

static rp_status use_resident_values(life *l, rp_error *err) {
  rp_status status = rp_graph_create(l->context, "resident", &l->resident_graph, err);
  if (status != RP_OK) return status;
  rp_graph *g = l->resident_graph;
  const rp_value in = rp_graph_input(g, "in", &toy_u64, N, RP_RESIDENT), out = toy_mix(g, in, in, 3);
  rp_graph_output(g, "out", out, RP_RESIDENT);
  status = rp_record(l->device, g, NULL, &l->resident, err);
  return status == RP_OK ? run_in_place(l, in, out, err) : status;
}

/* A dispatch under a condition, and an input that could be lent. */
static rp_status use_a_branch(life *l, rp_error *err) {
  uint64_t data[N] = {0};
  const uint32_t holds = 1;
  rp_run *run = NULL;
  rp_status status = rp_graph_create(l->context, "branch", &l->branch_graph, err);
  if (status != RP_OK) return status;
  rp_graph *g = l->branch_graph;
  const rp_value in = rp_graph_input(g, "in", &toy_u64, N, RP_LENDABLE), bit = rp_graph_input(g, "bit", &toy_u32, 1, 0);
  rp_condition_begin(g, bit, 1);
  const rp_value then = toy_mix(g, in, in, 3);
  rp_condition_end(g);
  rp_graph_output(g, "out", toy_select(g, bit, then, in), 0);
  status = rp_record(l->device, g, NULL, &l->branch, err);
  if (status == RP_OK) status = rp_run_begin(l->branch, UINT64_MAX, &run, err);
  if (status != RP_OK) return status;
  status = rp_run_set_input(run, in, data, BYTES);
  if (status == RP_OK) status = rp_run_set_input(run, bit, &holds, sizeof holds);
  if (status == RP_OK) status = rp_run_submit(run);
  if (status == RP_OK) status = rp_run_wait(run, UINT64_MAX);
  if (status != RP_OK) *err = *rp_run_error(run);
  rp_run_end(run);
  return status;
}

/* A recording that is cut into pieces, one of which has a branch whose guard an earlier one has computed. A complete
 * run, and one that is cancelled. */
static rp_status use_a_long_recording(life *l, rp_error *err) {
  enum { LINKS = 4 };
  uint64_t data[N];
  rp_status status = rp_graph_create(l->context, "long", &l->long_graph, err);
  if (status != RP_OK) return status;
  rp_graph *g = l->long_graph;
  const rp_value in = rp_graph_input(g, "in", &toy_u64, N, RP_SECRET), bit = toy_bit(g, in, 2);
  rp_condition_begin(g, bit, 1);
  rp_value out = in;
  for (uint32_t i = 0; i < LINKS; i++) out = toy_mix(g, out, in, 1);
  rp_condition_end(g);
  rp_graph_output(g, "out", toy_select(g, bit, out, in), 0);
  bench_predict(&(bench){l->context, l->device}, g, 20000000);
  status = rp_record(l->device, g, NULL, &l->cut, err);
  for (int i = 0; i < N; i++) data[i] = secret;
  for (int cancels = 0; cancels < 2 && status == RP_OK; cancels++) {
    rp_run *run = NULL;
    status = rp_run_begin(l->cut, UINT64_MAX, &run, err);
    if (status == RP_OK) status = rp_run_set_input(run, in, data, BYTES);
    if (status == RP_OK) status = rp_run_submit(run);
    if (status == RP_OK && cancels) rp_run_cancel(run);
    if (status == RP_OK) status = rp_run_wait(run, UINT64_MAX);
    if (cancels && status == RP_ERR_CANCELLED) status = RP_OK;
    if (status != RP_OK && run) *err = *rp_run_error(run);
    rp_run_end(run);
    if (!rp_device_is_lost(l->device) && fake_find_pattern(secret)) fail_msg("%s: a secret is left", where);
  }
  return status;
}

static rp_status work_through(life *l, rp_error *err) {
  const rp_device_options cuda = {.struct_size = sizeof cuda, .kind = RP_DEVICE_CUDA, .native = {l->own}};
  const rp_record_options profiled = {.struct_size = sizeof profiled, .flags = RP_RECORD_PROFILE};
  bench b = {.context = l->context};
  rp_status status = rp_device_open(l->context, &cuda, &l->device, err);
  b.device = l->device;
  if (status == RP_OK) status = work_try(&b, &l->w, 1, RP_SECRET | RP_BINDABLE, 0, &profiled, err);
  if (status == RP_OK) status = run_once(l, UINT64_MAX, err);
  if (status == RP_OK) status = rp_recording_evict(l->w.recording, err);
  if (status == RP_OK) status = run_once(l, 1000000000, err);
  if (status == RP_OK) status = record_wide(l, err);
  if (status == RP_OK) status = use_buffers(l, err);
  if (status == RP_OK) status = share_buffers(l, err);
  if (status == RP_OK) status = use_resident_values(l, err);
  if (status == RP_OK) status = use_a_long_recording(l, err);
  if (status == RP_OK) status = use_a_branch(l, err);
  return status;
}

/* Every later call says that the device is lost. */
static void expect_lost(const life *l) {
  rp_error err = {0};
  rp_buffer *buffer = NULL;
  rp_run *run = NULL;
  uint64_t data[8];
  const bench b = {l->context, l->device};
  work other = {0};
  EXPECT(RP_ERR_DEVICE_LOST, rp_buffer_create(l->device, 8, &buffer, &err), &err);
  assert_non_null(strstr(err.reason, "lost"));
  if (l->buffer) EXPECT(RP_ERR_DEVICE_LOST, rp_buffer_read(l->buffer, 0, data, sizeof data, &err), &err);
  if (l->w.recording) {
    EXPECT(RP_ERR_DEVICE_LOST, rp_run_begin(l->w.recording, UINT64_MAX, &run, &err), &err);
    assert_non_null(strstr(err.reason, "lost"));
  }
  EXPECT(RP_ERR_DEVICE_LOST, work_try((bench *)&b, &other, 2, 0, 0, NULL, &err), &err);
  assert_null(other.recording);
  rp_graph_destroy(other.graph);
}

/* How a life went, up to the end of its work. Failures while everything is released have no status. */
typedef struct outcome {
  rp_status status;
  rp_error err;
  int opened, lost;
  int met; /* 1 if the fault has occurred */
} outcome;

static outcome live(rp_context *context, CUcontext own) {
  life l = {.context = context, .own = own};
  outcome o = {.err = {0}};
  o.status = work_through(&l, &o.err);
  o.opened = l.device != NULL;
  o.lost = l.device && rp_device_is_lost(l.device);
  o.met = fake_has_failed();
  if (o.lost) expect_lost(&l);
  rp_buffer_destroy(l.wrapped);
  rp_buffer_destroy(l.buffer);
  rp_buffer_destroy(l.both);
  for (int i = 0; i < 3; i++) rp_buffer_destroy(l.shared[i]);
  rp_recording_destroy(l.resident);
  rp_graph_destroy(l.resident_graph);
  rp_recording_destroy(l.branch);
  rp_graph_destroy(l.branch_graph);
  rp_recording_destroy(l.cut);
  rp_graph_destroy(l.long_graph);
  rp_recording_destroy(l.wide);
  rp_graph_destroy(l.wide_graph);
  work_drop(&l.w);
  rp_device_close(l.device);
  return o;
}

/* ---- One fault at a time ----------------------------------------------------------------------------------------- */

static const char *const functions[] = {
#define NAME_OF(name) #name,
    RP_CUDA_FUNCTIONS(NAME_OF) RP_CUDA_OPTIONAL(NAME_OF)
#undef NAME_OF
};
enum { FUNCTIONS = sizeof functions / sizeof functions[0] };

static const struct {
  CUresult result;
  const char *name;
  rp_status status; /* what a call on an open device returns */
} ways[] = {{CUDA_ERROR_OUT_OF_MEMORY, "out of memory", RP_ERR_DEVICE_MEMORY},
            {CUDA_ERROR_INVALID_VALUE, "invalid value", RP_ERR_INTERNAL},
            {CUDA_ERROR_ILLEGAL_ADDRESS, "illegal address", RP_ERR_DEVICE_LOST}};

static void expect_empty(uint64_t contexts) {
  static const char *const kinds[] = {"context", "module", "stream",   "event",  "graph", "exec",
                                      "handle",  "range",  "external", "device", "pinned"};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (fake_live(kinds[i]) != (i == 0 ? contexts : 0)) fail_msg("%s: left: %s", where, kinds[i]);
}

static void expect_nothing_left(uint64_t bytes) {
  if (fake_violation()) fail_msg("%s: %s", where, fake_violation());
  expect_empty(0);
  if (interpose_live_bytes != bytes) fail_msg("%s: bytes of the host are left", where);
}

/* Whether a life may succeed although this function failed in this way: nothing depends on its result, or the library
 * does without it. */
static int may_succeed_nevertheless(const char *function, int way) {
  static const char *const harmless[] = {
      /* Nothing can be done if the driver refuses to release something. Unknown times are left out. */
      "cuDevicePrimaryCtxRelease", "cuCtxPopCurrent", "cuMemFree", "cuMemFreeHost", "cuModuleUnload", "cuStreamDestroy",
      "cuEventDestroy", "cuGraphDestroy", "cuGraphExecDestroy", "cuEventElapsedTime", "cuMemRelease", "cuMemUnmap",
      "cuMemAddressFree", "cuDestroyExternalMemory",
      /* Called before those, and when secrets are wiped. Both are tried again; if a wipe fails twice, the device counts
       * as lost, so that nothing else gets the memory. */
      "cuCtxPushCurrent", "cuMemsetD8Async", "cuStreamSynchronize"};
  /* Recordings are evicted to make room. */
  if (way == 0 && (strcmp(function, "cuMemAlloc") == 0 || strcmp(function, "cuMemHostAlloc") == 0)) return 1;
  for (size_t i = 0; i < sizeof harmless / sizeof *harmless; i++)
    if (strcmp(function, harmless[i]) == 0) return 1;
  return 0;
}

/* Whether the function is called only when a device is opened, for every device of the machine. A life uses the first
 * device. */
static int lists_devices(const char *function) {
  if (strcmp(function, "cuDeviceGetUuid") == 0) return 0;
  return strncmp(function, "cuDeviceGet", 11) == 0 || strcmp(function, "cuDeviceTotalMem") == 0;
}
static int looks_for_devices(const char *function) {
  return lists_devices(function) || strcmp(function, "cuInit") == 0 || strcmp(function, "cuDriverGetVersion") == 0;
}

/* A value that the driver does not take while memory is imported is one of the caller's. */
static int is_about_an_import(const char *function) {
  static const char *const names[] = {"cuMemImportFromShareableHandle", "cuImportExternalMemory", "cuMemAddressReserve",
                                      "cuMemMap", "cuMemSetAccess"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(function, names[i]) == 0) return 1;
  return 0;
}

static void judge(const outcome *o, const char *function, int way) {
  const int is_loss = ways[way].result == CUDA_ERROR_ILLEGAL_ADDRESS;
  const char *name = rp_status_name(o->status);
  if (o->status != RP_OK && (o->err.status != o->status || strlen(o->err.reason) < 20))
    fail_msg("%s: %s, and the reason is \"%s\"", where, name, o->err.reason);
  if (!o->met && (o->status != RP_OK || o->lost)) fail_msg("%s: without a fault %s: %s", where, name, o->err.reason);
  if (!o->met) return;
  if (o->lost != (is_loss && o->opened && !lists_devices(function))) fail_msg("%s: lost: %d", where, o->lost);
  if (o->status == ways[way].status) return;
  if (o->status == RP_ERR_ARGUMENT && ways[way].result == CUDA_ERROR_INVALID_VALUE && is_about_an_import(function))
    return;
  if (o->status == RP_ERR_UNAVAILABLE && looks_for_devices(function)) return;
  if (o->status == RP_OK && lists_devices(function)) return;
  if (o->status != RP_OK) fail_msg("%s: %s: %s", where, name, o->err.reason);
  if (is_loss || !may_succeed_nevertheless(function, way)) fail_msg("%s: nobody was told", where);
}

/* One life in which the nth call of `function` fails. 0 if the life has fewer calls of it. */
static int one_fault(rp_context *context, const char *function, int nth, int way) {
  const uint64_t bytes = interpose_live_bytes;
  snprintf(where, sizeof where, "%s, call %d, %s", function, nth, ways[way].name);
  /* The test holds a reference to the CUDA context, which keeps it alive, so that what the library leaves in it is
   * seen. */
  CUcontext own;
  assert_int_equal(cuDevicePrimaryCtxRetain(&own, 0), CUDA_SUCCESS);
  fake_fail(function, nth, ways[way].result);
  const outcome o = live(context, strcmp(function, "cuCtxGetDevice") ? NULL : own);
  const int met = fake_has_failed();
  fake_fail(NULL, 0, CUDA_SUCCESS);
  if (!o.lost) expect_empty(1);
  assert_int_equal(cuDevicePrimaryCtxRelease(0), CUDA_SUCCESS);
  judge(&o, function, way);
  expect_nothing_left(bytes);
  fake_restart();
  return met;
}

/* test_group.c has the life in which the first ones are called; test_connected.c calls the others. */
static int is_called_by_other_tests(const char *function) {
  static const char *const names[] = {"cuDeviceCanAccessPeer",
                                      "cuCtxEnablePeerAccess",
                                      "cuMemcpyHtoDAsync",
                                      "cuMemcpyPeerAsync",
                                      "cuGraphKernelNodeSetParams",
                                      "cuGraphAddChildGraphNode",
                                      "cuStreamGetCaptureInfo",
                                      "cuStreamUpdateCaptureDependencies",
                                      "cuThreadExchangeStreamCaptureMode"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(function, names[i]) == 0) return 1;
  return 0;
}

static void every_function_of_the_table_fails(void **state) {
  (void)state;
  const rp_context_options options = {.struct_size = sizeof options, .allocator = interpose_allocator()};
  rp_context *context;
  uint64_t bytes;
  int total = 0;
  fake_reset();
  toy_register();
  interpose_fail_at = -1;
  assert_int_equal(rp_context_create(&options, &context, NULL), RP_OK);
  outcome o = live(context, NULL);
  EXPECT(RP_OK, o.status, &o.err); /* the first use allocates what the context keeps */
  bytes = interpose_live_bytes;
  for (int f = 0; f < FUNCTIONS; f++) {
    int calls = 0;
    if (is_called_by_other_tests(functions[f])) continue;
    for (int way = 0; way < 3; way++)
      for (int nth = 1; one_fault(context, functions[f], nth, way); nth++) {
        calls = nth;
        total++;
        if (nth > 40) break; /* later calls are like the earlier ones */
      }
    if (calls == 0 && strncmp(functions[f], "cuGetError", 10) != 0) /* those are called after a failure */
      fail_msg("%s is never called: this life does not try it", functions[f]);
    o = live(context, NULL);
    EXPECT(RP_OK, o.status, &o.err); /* the context still works */
    expect_nothing_left(bytes);
  }
  print_message("%d functions, %d faults\n", FUNCTIONS, total);
  rp_context_destroy(context);
  assert_int_equal(interpose_live_bytes, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_function_of_the_table_fails)};
  return cmocka_run_group_tests_name("cuda faults", tests, NULL, NULL);
}
