/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A child of a fork cannot use its parent's context and is told so at once; it can destroy all of it, and work with a
 * context of its own. The process forks at rest, while a run is in progress, while threads of the parent are inside the
 * engine or wait for it, and with a device that has a driver, which must not be called in the child.
 */
#include "fork_child.h"

#include "device.h"
#include "toy_ops.h"

#include <reprise/host_program.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>
#include <sys/eventfd.h>

enum { N = 4096 };

static void sleep_ms(long ms) {
  nanosleep(&(struct timespec){.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000}, NULL);
}

/* ---- An op that waits, so that a run is in progress -------------------------------------------------------------- */

static atomic_int gate_open, gate_entered;

typedef struct gate_args {
  RP_ADDR(const uint64_t) x;
  RP_ADDR(uint64_t) out;
} gate_args;

static void gate_kernel_cpu(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *worker) {
  const gate_args *a = args;
  (void)worker;
  atomic_store(&gate_entered, 1);
  while (!atomic_load(&gate_open)) sleep_ms(1);
  for (uint64_t i = begin; i < end; i++) a->out[i] = a->x[i];
}
static const rp_kernel gate_kernel = {.struct_size = sizeof(rp_kernel),
                                      .name = "gate",
                                      .args_bytes = sizeof(gate_args),
                                      .n_binds = 2,
                                      .n_cpu = 1,
                                      .cpu = &(const rp_cpu_variant){RP_ISA_C, gate_kernel_cpu}};

static rp_status gate_shape(const rp_shape *s) {
  s->out_type[0] = s->in_type[0];
  s->out_len[0] = s->in_len[0];
  return RP_OK;
}

static rp_status gate_lower(rp_lower *l) {
  const gate_args args = {0};
  const rp_bind binds[] = {RP_BIND(rp_lower_in(l, 0), RP_READ), RP_BIND(rp_lower_out(l, 0), RP_WRITE)};
  rp_lower_dispatch(l, &(rp_dispatch){.kernel = &gate_kernel,
                                      .groups = {N, 1, 1},
                                      .binds = binds,
                                      .n_binds = 2,
                                      .args = &args,
                                      .args_bytes = sizeof args});
  return RP_OK;
}
static const rp_strategy gate_strategies[] = {{"any", RP_ON_ANY, NULL, gate_lower}};
static const rp_op gate_op = {.struct_size = sizeof gate_op,
                              .name = "gate",
                              .shape = gate_shape,
                              .strategies = gate_strategies,
                              .n_strategies = 1};

/* ---- What the parent has ----------------------------------------------------------------------------------------- */

typedef struct world {
  rp_context *context;
  rp_device *device;
  rp_graph *graph;
  rp_value in, out;
  rp_recording *recording;
  rp_buffer *buffer;
  rp_run *begun, *running, *done; /* any of them may be NULL */
} world;

static void build(world *w, int gated) {
  assert_int_equal(rp_graph_create(w->context, "forked graph", &w->graph, NULL), RP_OK);
  w->in = rp_graph_input(w->graph, "x", &toy_u64, N, RP_SECRET | RP_BINDABLE);
  rp_value x = toy_scale(w->graph, w->in, 3);
  if (gated) x = rp_graph_node(w->graph, &gate_op, NULL, &x, 1, NULL, 1);
  w->out = toy_scale(w->graph, x, 5);
  rp_graph_output(w->graph, "y", w->out, RP_BINDABLE);
}

static void open_world(world *w, const rp_backend *backend, const rp_device_options *options, int gated) {
  *w = (world){0};
  atomic_store(&gate_open, !gated);
  atomic_store(&gate_entered, 0);
  assert_int_equal(rp_context_create(NULL, &w->context, NULL), RP_OK);
  assert_int_equal(rp_device_open_with(w->context, backend, options, &w->device, NULL), RP_OK);
  build(w, 1);
  const rp_record_options three = {.struct_size = sizeof three, .max_in_flight = 3, .flags = RP_RECORD_PROFILE};
  assert_int_equal(rp_record(w->device, w->graph, &three, &w->recording, NULL), RP_OK);
  assert_int_equal(rp_buffer_create(w->device, N * 8, &w->buffer, NULL), RP_OK);
}

static const rp_device_options two_threads = {
    .struct_size = sizeof two_threads, .kind = RP_DEVICE_CPU, .cpu_threads = 2};

static rp_run *begin(world *w) {
  uint64_t x[N];
  rp_run *run = NULL;
  for (uint64_t i = 0; i < N; i++) x[i] = i + 1;
  assert_int_equal(rp_run_begin(w->recording, UINT64_MAX, &run, NULL), RP_OK);
  assert_int_equal(rp_run_set_input(run, w->in, x, sizeof x), RP_OK);
  return run;
}

static void destroy(world *w) {
  rp_run_cancel(w->running);
  rp_run_end(w->begun);
  rp_run_end(w->running);
  rp_run_end(w->done);
  rp_recording_destroy(w->recording);
  rp_buffer_destroy(w->buffer);
  rp_graph_destroy(w->graph);
  rp_device_close(w->device);
  rp_context_destroy(w->context);
}

/* ---- What the child tries ---------------------------------------------------------------------------------------- */

static int no_text(void *user, const char *text, size_t bytes) {
  (void)user, (void)text, (void)bytes;
  return 0;
}

static void calls_on_devices_are_refused(world *w) {
  rp_error err;
  rp_device_info info = {.struct_size = sizeof info};
  rp_device *device = w->device;
  rp_buffer *buffer = w->buffer;
  rp_graph *graph = w->graph;
  rp_recording *recording = w->recording;
  rp_plan_info plan = {.struct_size = sizeof plan};
  uint32_t n;
  uint64_t word = 0;
  CHILD_REFUSED(rp_context_check(w->context, &err), &err);
  CHILD_REFUSED(rp_devices(w->context, NULL, 0, &n, &err), &err);
  CHILD_REFUSED(rp_device_open(w->context, NULL, &device, &err), &err);
  CHILD_REFUSED(rp_graph_create(w->context, "child", &graph, &err), &err);
  CHILD_REFUSED(rp_buffer_create(w->device, 64, &buffer, &err), &err);
  const rp_device_options cpu = {.struct_size = sizeof cpu, .kind = RP_DEVICE_CPU};
  rp_event *event = NULL;
  CHILD_REFUSED(rp_device_open_for(w->context, &cpu, NULL, &device, &err), &err);
  CHILD_REFUSED(rp_event_create(w->context, &event, &err), &err);
  CHILD_CHECK(!device && !graph && !buffer && !event);
  CHILD_REFUSED(rp_buffer_wrap(w->device, &word, 8, &buffer, &err), &err);
  CHILD_REFUSED(rp_buffer_write(w->buffer, 0, &word, 8, &err), &err);
  CHILD_REFUSED(rp_buffer_read(w->buffer, 0, &word, 8, &err), &err);
  CHILD_REFUSED(rp_plan_query(w->device, w->graph, NULL, &plan, &err), &err);
  CHILD_REFUSED(rp_record(w->device, w->graph, NULL, &recording, &err), &err);
  CHILD_CHECK(!recording);
  CHILD_REFUSED(rp_recording_evict(w->recording, &err), &err);
  CHILD_REFUSED(rp_recording_pin(w->recording, &err), &err);
  rp_recording_unpin(w->recording);
  CHILD_REFUSED(rp_recording_read_constant(w->recording, w->in, &word, 8, &err), &err);
  CHILD_REFUSED(rp_recording_export(w->recording, RP_EXPORT_JSON, no_text, NULL, &err), &err);
  CHILD_REFUSED(rp_recording_nodes(w->recording, NULL, 0, &n, &err), &err);
  rp_device_get_info(w->device, &info); /* functions that only read information still answer */
  rp_recording_get_plan(w->recording, &plan);
  CHILD_CHECK(info.available && plan.nodes && rp_buffer_size(w->buffer) == N * 8 && !rp_device_is_lost(w->device));
  CHILD_CHECK(rp_device_available_bytes(w->device) == 0);
}

static void calls_on_runs_are_refused(world *w) {
  rp_run *const runs[] = {w->begun, w->running, w->done};
  rp_error err;
  rp_run *run;
  uint64_t x[N] = {0};
  CHILD_REFUSED(rp_run_begin(w->recording, 0, &run, &err), &err);
  CHILD_REFUSED(rp_run_begin(w->recording, UINT64_MAX, &run, &err), &err);
  CHILD_REFUSED(rp_run_begin_with(w->recording, NULL, &run, &err), &err);
  CHILD_CHECK(!run);
  for (int i = 0; i < 3; i++) {
    if (!runs[i]) continue;
    CHILD_CHECK(rp_run_input(runs[i], w->in) == NULL);
    CHILD_CHECK(rp_run_set_input(runs[i], w->in, x, sizeof x) == RP_ERR_STATE);
    CHILD_CHECK(rp_run_bind_input(runs[i], w->in, w->buffer, 0) == RP_ERR_STATE);
    CHILD_CHECK(rp_run_bind_output(runs[i], w->out, w->buffer, 0) == RP_ERR_STATE);
    CHILD_CHECK(rp_run_submit(runs[i]) == RP_ERR_STATE);
    CHILD_CHECK(rp_run_submit_with(runs[i], NULL) == RP_ERR_STATE);
    CHILD_CHECK(rp_run_poll(runs[i]) == RP_ERR_STATE);
    CHILD_CHECK(rp_run_wait(runs[i], UINT64_MAX) == RP_ERR_STATE);
    CHILD_CHECK(strstr(rp_run_error(runs[i])->reason, "forked") != NULL);
    CHILD_CHECK(rp_run_output(runs[i], w->out) == NULL);
    CHILD_REFUSED(rp_run_trace(runs[i], no_text, NULL, &err), &err);
    rp_run_cancel(runs[i]);
  }
}

/* The child makes a context of its own and uses the parent's graph, which consists of memory alone. */
static void own_context_works(world *w) {
  world own = {.graph = w->graph, .in = w->in, .out = w->out};
  uint64_t x[N];
  for (uint64_t i = 0; i < N; i++) x[i] = i;
  atomic_store(&gate_open, 1);
  CHILD_CHECK(rp_context_create(NULL, &own.context, NULL) == RP_OK);
  CHILD_CHECK(rp_context_check(own.context, NULL) == RP_OK);
  CHILD_CHECK(rp_device_open(own.context, &two_threads, &own.device, NULL) == RP_OK);
  CHILD_CHECK(rp_record(own.device, own.graph, NULL, &own.recording, NULL) == RP_OK);
  CHILD_CHECK(rp_run_begin(own.recording, UINT64_MAX, &own.done, NULL) == RP_OK);
  CHILD_CHECK(rp_run_set_input(own.done, own.in, x, sizeof x) == RP_OK);
  CHILD_CHECK(rp_run_submit(own.done) == RP_OK && rp_run_wait(own.done, UINT64_MAX) == RP_OK);
  const uint64_t *y = rp_run_output(own.done, own.out);
  for (uint64_t i = 0; i < N; i++) CHILD_CHECK(y[i] == 15 * i);
  own.graph = NULL;
  destroy(&own);
}

static void everything(void *arg) {
  world *w = arg;
  calls_on_devices_are_refused(w);
  calls_on_runs_are_refused(w);
  own_context_works(w);
  destroy(w);
}

static void only_destroy(void *arg) { destroy(arg); }

/* ---- Forks ------------------------------------------------------------------------------------------------------- */

static void at_rest(void **state) {
  (void)state;
  world w;
  open_world(&w, &rp_backend_cpu, &two_threads, 0);
  w.begun = begin(&w);
  w.done = begin(&w);
  assert_int_equal(rp_run_submit(w.done), RP_OK);
  assert_int_equal(rp_run_wait(w.done, UINT64_MAX), RP_OK);
  in_child(everything, &w);
  in_child(only_destroy, &w);
  assert_int_equal(((const uint64_t *)rp_run_output(w.done, w.out))[0], 15); /* the parent still has its data */
  assert_int_equal(rp_run_submit(w.begun), RP_OK);
  assert_int_equal(rp_run_wait(w.begun, UINT64_MAX), RP_OK);
  destroy(&w);
}

/* A descendant may get the process number of an ancestor that has ended. */
static void use_with_number_of_ancestor(void *arg) {
  world *w = arg;
  rp_error err;
  w->context->process = getpid();
  if (!w->context->here || *w->context->here) _exit(CHILD_SKIPS);
  CHILD_REFUSED(rp_context_check(w->context, &err), &err);
  destroy(w);
}

static void a_process_number_is_used_again(void **state) {
  (void)state;
  world w;
  open_world(&w, &rp_backend_cpu, &two_threads, 0);
  const int skips = !in_child_or_skip(use_with_number_of_ancestor, &w);
  destroy(&w);
  if (skips) skip();
}

static pid_t owner;
static void check_is_owner(void) { CHILD_CHECK(getpid() == owner); }

/* A device is closed, and a context destroyed, before what uses them. That is logged in the parent; in the child the
 * parent's log function is not called. */
static atomic_int messages;
static void log_in_parent(void *user, rp_log_level level, const char *message) {
  (void)user, (void)level, (void)message;
  check_is_owner();
  atomic_fetch_add(&messages, 1);
}

static void in_the_wrong_order(void *arg) {
  world *w = arg;
  rp_device_close(w->device);
  rp_context_destroy(w->context);
  rp_buffer_destroy(w->buffer);
  rp_recording_destroy(w->recording);
  rp_graph_destroy(w->graph);
}

static void a_child_logs_nothing(void **state) {
  (void)state;
  const rp_context_options options = {.struct_size = sizeof options, .log = log_in_parent, .log_level = RP_LOG_DEBUG};
  world w = {0};
  owner = getpid();
  atomic_store(&gate_open, 1);
  assert_int_equal(rp_context_create(&options, &w.context, NULL), RP_OK);
  assert_int_equal(rp_device_open(w.context, &two_threads, &w.device, NULL), RP_OK);
  build(&w, 0);
  assert_int_equal(rp_record(w.device, w.graph, NULL, &w.recording, NULL), RP_OK);
  assert_int_equal(rp_buffer_create(w.device, 64, &w.buffer, NULL), RP_OK);
  in_child(in_the_wrong_order, &w);
  const int before = atomic_load(&messages);
  in_the_wrong_order(&w);
  assert_true(atomic_load(&messages) >= before + 2);
}

static void with_a_run_under_way(void **state) {
  (void)state;
  world w;
  open_world(&w, &rp_backend_cpu, &two_threads, 1);
  w.begun = begin(&w);
  w.running = begin(&w);
  const int fd = eventfd(0, EFD_CLOEXEC); /* makes a watcher of the parent wait for the end */
  const rp_submit_options tell = {.struct_size = sizeof tell, .done_fd = fd};
  assert_int_equal(rp_run_submit_with(w.running, &tell), RP_OK);
  while (!atomic_load(&gate_entered)) sleep_ms(1);
  in_child(everything, &w);
  in_child(only_destroy, &w);
  atomic_store(&gate_open, 1);
  uint64_t n = 0;
  assert_int_equal(read(fd, &n, sizeof n), sizeof n);
  assert_int_equal(n, 1);
  assert_int_equal(close(fd), 0);
  assert_int_equal(rp_run_wait(w.running, UINT64_MAX), RP_OK);
  destroy(&w);
}

static void *wait_for_slot(void *arg) {
  rp_run *run = NULL;
  assert_int_equal(rp_run_begin(arg, UINT64_MAX, &run, NULL), RP_OK);
  rp_run_end(run);
  return NULL;
}

static void ignore_end(void *user, rp_run *run) { (void)user, (void)run; }

/* The parent also has a watcher, which has told of the end of one run and waits for the next one. */
static void with_a_thread_that_waits_for_a_slot(void **state) {
  (void)state;
  world w;
  pthread_t waiter;
  const rp_submit_options tell = {.struct_size = sizeof tell, .done = ignore_end};
  open_world(&w, &rp_backend_cpu, &two_threads, 0);
  w.begun = begin(&w);
  w.running = begin(&w);
  w.done = begin(&w);
  assert_int_equal(rp_run_submit_with(w.done, &tell), RP_OK);
  assert_int_equal(rp_run_wait(w.done, UINT64_MAX), RP_OK);
  assert_int_equal(pthread_create(&waiter, NULL, wait_for_slot, w.recording), 0);
  sleep_ms(100);
  in_child(everything, &w);
  rp_run_end(w.done);
  w.done = NULL;
  pthread_join(waiter, NULL);
  destroy(&w);
}

/* Threads that keep calling the engine, so that they may hold any of its locks when the process forks. */
typedef struct bustle {
  world *w;
  atomic_int stop;
} bustle;

static void *run_all_the_time(void *arg) {
  bustle *b = arg;
  while (!atomic_load(&b->stop)) {
    rp_run *run = begin(b->w);
    assert_int_equal(rp_run_submit(run), RP_OK);
    assert_int_equal(rp_run_wait(run, UINT64_MAX), RP_OK);
    rp_run_end(run);
  }
  return NULL;
}

static void *record_all_the_time(void *arg) {
  bustle *b = arg;
  while (!atomic_load(&b->stop)) {
    rp_recording *r = NULL;
    const rp_status busy = rp_recording_evict(b->w->recording, NULL);
    (void)busy; /* the recording may be in use */
    assert_int_equal(rp_record(b->w->device, b->w->graph, NULL, &r, NULL), RP_OK);
    rp_recording_destroy(r);
  }
  return NULL;
}

static void forked_while_other_threads_work(void **state) {
  enum { FORKS = 60 };
  (void)state;
  world w;
  pthread_t threads[2];
  open_world(&w, &rp_backend_cpu, &two_threads, 0);
  bustle b = {.w = &w};
  assert_int_equal(pthread_create(&threads[0], NULL, run_all_the_time, &b), 0);
  assert_int_equal(pthread_create(&threads[1], NULL, record_all_the_time, &b), 0);
  for (int i = 0; i < FORKS; i++) in_child(i % 8 ? only_destroy : everything, &w);
  atomic_store(&b.stop, 1);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  destroy(&w);
}

/* ---- A device with a driver, and one with the caller's threads --------------------------------------------------- */

static void driver_close(void *state) { check_is_owner(), rp_backend_null.close(state); }
static rp_status driver_alloc(void *state, rp_memory_kind kind, uint64_t bytes, rp_memory *memory, rp_error *err) {
  check_is_owner();
  return rp_backend_null.memory_alloc(state, kind, bytes, memory, err);
}
static void driver_free(void *state, rp_memory *memory) {
  check_is_owner(), rp_backend_null.memory_free(state, memory);
}
static void driver_destroy(void *state, rp_program *program) {
  check_is_owner(), rp_backend_null.program_destroy(state, program);
}
static void driver_cancel(void *state, rp_program *program) {
  check_is_owner(), rp_backend_null.cancel(state, program);
}
static void driver_wipe(void *state, rp_program *program) { check_is_owner(), rp_backend_null.wipe(state, program); }
static rp_status driver_wait(void *state, rp_program *program, uint64_t ns, rp_error_record *fault, rp_error *err) {
  check_is_owner();
  return rp_backend_null.wait(state, program, ns, fault, err);
}

static void a_child_does_not_call_the_driver(void **state) {
  (void)state;
  world w;
  rp_backend driver = rp_backend_null;
  owner = getpid();
  driver.host_only = 0;
  driver.close = driver_close;
  driver.memory_alloc = driver_alloc;
  driver.memory_free = driver_free;
  driver.program_destroy = driver_destroy;
  driver.cancel = driver_cancel;
  driver.wipe = driver_wipe;
  driver.wait = driver_wait;
  open_world(&w, &driver, &two_threads, 0);
  w.begun = begin(&w);
  w.running = begin(&w);
  assert_int_equal(rp_run_submit(w.running), RP_OK);
  in_child(everything, &w);
  destroy(&w);
}

static void parallel(void *user, uint32_t n, void (*task)(void *arg, uint32_t i), void *arg) {
  (void)user;
  check_is_owner();
  for (uint32_t i = 0; i < n; i++) task(arg, i);
}

static void a_child_does_not_call_the_executor(void **state) {
  (void)state;
  world w;
  const rp_executor executor = {.workers = 2, .parallel = parallel};
  const rp_device_options options = {.struct_size = sizeof options, .kind = RP_DEVICE_CPU, .executor = &executor};
  owner = getpid();
  open_world(&w, &rp_backend_cpu, &options, 0);
  w.running = begin(&w);
  /* Without threads of its own, nothing works on the run before somebody waits for it. */
  assert_int_equal(rp_run_submit(w.running), RP_OK);
  in_child(everything, &w);
  destroy(&w);
}

/* ThreadSanitizer would end a child that starts threads. */
const char *__tsan_default_options(void);
const char *__tsan_default_options(void) { return "die_after_fork=0"; }

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(at_rest),
      cmocka_unit_test(a_process_number_is_used_again),
      cmocka_unit_test(a_child_logs_nothing),
      cmocka_unit_test(with_a_run_under_way),
      cmocka_unit_test(with_a_thread_that_waits_for_a_slot),
      cmocka_unit_test(forked_while_other_threads_work),
      cmocka_unit_test(a_child_does_not_call_the_driver),
      cmocka_unit_test(a_child_does_not_call_the_executor),
  };
  return cmocka_run_group_tests_name("fork", tests, NULL, NULL);
}
