/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The states of a run: which call is possible in which state, waiting, cancelling, losing the device, many threads at
 * once.
 */
#include "watch.h"

#include <time.h>

enum { N = 256, SLOW_STEPS = 600 /* take more than a minute on two threads */ };

/* An op whose kernel takes a millisecond per item, so that a test can act while it runs. */
static void slow_kernel(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *worker) {
  uint64_t *const *a = args;
  (void)worker;
  for (uint64_t i = begin; i < end; i++) {
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    a[1][i] = a[0][i];
  }
}

static const rp_kernel k_slow = {.struct_size = sizeof(rp_kernel),
                                 .name = "slow",
                                 .args_bytes = 16,
                                 .n_binds = 2,
                                 .n_cpu = 1,
                                 .cpu = &(const rp_cpu_variant){RP_ISA_C, slow_kernel}};

static rp_status slow_shape(const rp_shape *s) {
  s->out_type[0] = s->in_type[0];
  s->out_len[0] = s->in_len[0];
  return RP_OK;
}

static rp_status slow_lower(rp_lower *l) {
  uint64_t args[2] = {0};
  rp_bind binds[2] = {RP_BIND(rp_lower_in(l, 0), RP_READ), RP_BIND(rp_lower_out(l, 0), RP_WRITE)};
  rp_lower_dispatch(l, &(rp_dispatch){.kernel = &k_slow,
                                      .groups = {(uint32_t)rp_lower_len(l, rp_lower_in(l, 0))},
                                      .grain = 1,
                                      .binds = binds,
                                      .n_binds = 2,
                                      .args = args,
                                      .args_bytes = sizeof args});
  return RP_OK;
}

static const rp_strategy slow_strategies[] = {{.name = "slow", .devices = RP_ON_ANY, .lower = slow_lower}};
static const rp_op op_slow = {.struct_size = sizeof(rp_op),
                              .name = "slow",
                              .shape = slow_shape,
                              .strategies = slow_strategies,
                              .n_strategies = 1};

typedef struct pipe {
  rp_value in, out;
} pipe;

static const uint64_t data[N] = {1, 2, 3};

static pipe build_slow(uint32_t steps) {
  pipe p = {.in = rp_graph_input(the_watch.graph, "in", &toy_u64, N, 0)};
  p.out = p.in;
  while (steps--) p.out = rp_graph_node(the_watch.graph, &op_slow, NULL, &p.out, 1, NULL, 1);
  rp_graph_output(the_watch.graph, "out", p.out, 0);
  return p;
}

static void states_are_kept(void **state) {
  (void)state;
  rp_run *run, *none;
  rp_error err;
  watch_open(&rp_backend_cpu, 0);
  rp_value in = rp_graph_input(the_watch.graph, "in", &toy_u64, N, 0);
  rp_value out = toy_scale(the_watch.graph, in, 3);
  rp_graph_output(the_watch.graph, "out", out, 0);
  rp_recording *r = watch_record(1, 0);

  assert_int_equal(rp_run_begin(r, 0, &run, NULL), RP_OK);
  assert_int_equal(rp_run_begin(r, 0, &none, &err), RP_ERR_BUSY);
  assert_string_equal(err.reason, "watched: all 1 run slots are in use; end a run, wait for one (timeout_ns), or "
                                  "record with more (max_in_flight)");
  assert_int_equal(rp_run_begin(r, 20000000, &none, &err), RP_ERR_BUSY);
  assert_int_equal(rp_run_wait(run, 0), RP_ERR_STATE);
  assert_int_equal(rp_run_submit(run), RP_ERR_STATE);
  assert_string_equal(rp_run_error(run)->reason, "watched: input 'in' has not been given");
  assert_int_equal(rp_run_set_input(run, in, data, 8), RP_ERR_SHAPE);
  assert_string_equal(rp_run_error(run)->reason, "input 'in' has 2048 bytes, not 8");
  assert_int_equal(rp_run_set_input(run, out, data, sizeof data), RP_ERR_ARGUMENT);
  assert_int_equal(rp_run_set_input(run, (rp_value){77, 0}, data, sizeof data), RP_ERR_ARGUMENT);
  assert_null(rp_run_input(run, RP_NO_VALUE));
  assert_null(rp_run_output(run, out));
  assert_int_equal(rp_run_set_input(run, in, data, sizeof data), RP_OK);
  assert_int_equal(rp_run_submit(run), RP_OK);
  assert_int_equal(rp_run_submit(run), RP_ERR_STATE);
  assert_int_equal(rp_run_set_input(run, in, data, sizeof data), RP_ERR_STATE);
  while (rp_run_poll(run) == RP_ERR_TIMEOUT) {}
  assert_int_equal(rp_run_poll(run), RP_OK);
  assert_int_equal(rp_run_wait(run, 0), RP_OK);
  assert_int_equal(rp_run_set_input(run, in, data, sizeof data), RP_ERR_STATE);
  assert_int_equal(rp_run_wait(run, 0), RP_OK); /* a refused call does not change the result */
  assert_int_equal(((const uint64_t *)rp_run_output(run, out))[2], 9);
  assert_null(rp_run_output(run, in));
  rp_run_end(run);
  rp_run_end(NULL);
  rp_recording_destroy(r);
  watch_close();
}

static void waiting_and_cancelling(void **state) {
  (void)state;
  rp_run *run;
  watch_open(&rp_backend_cpu, 0);
  pipe p = build_slow(SLOW_STEPS);
  rp_recording *r = watch_record(1, 0);
  uint64_t begin = rp_now_ns();
  assert_int_equal(rp_run_begin(r, 0, &run, NULL), RP_OK);
  assert_int_equal(rp_run_set_input(run, p.in, data, sizeof data), RP_OK);
  assert_int_equal(rp_run_submit(run), RP_OK);
  assert_int_equal(rp_run_poll(run), RP_ERR_TIMEOUT);
  assert_int_equal(rp_run_wait(run, 5000000), RP_ERR_TIMEOUT);
  rp_run_cancel(run);
  assert_int_equal(rp_run_wait(run, UINT64_MAX), RP_ERR_CANCELLED);
  assert_null(rp_run_output(run, p.out));
  assert_int_equal(rp_run_poll(run), RP_ERR_CANCELLED);
  rp_run_end(run);

  assert_int_equal(rp_run_begin(r, 0, &run, NULL), RP_OK); /* this run is cancelled before it is submitted */
  assert_int_equal(rp_run_set_input(run, p.in, data, sizeof data), RP_OK);
  rp_run_cancel(run);
  assert_int_equal(rp_run_submit(run), RP_ERR_CANCELLED);
  assert_int_equal(rp_run_wait(run, 0), RP_ERR_CANCELLED);
  rp_run_end(run);

  assert_int_equal(rp_run_begin(r, 0, &run, NULL), RP_OK); /* this run is ended while it runs */
  assert_int_equal(rp_run_set_input(run, p.in, data, sizeof data), RP_OK);
  assert_int_equal(rp_run_submit(run), RP_OK);
  rp_run_end(run);
  assert_true(rp_now_ns() - begin < 30000000000u);
  rp_recording_destroy(r);
  watch_close();
}

static void the_next_run_is_not_cancelled(void **state) {
  (void)state;
  watch_open(&rp_backend_cpu, 0);
  pipe p = build_slow(1);
  rp_recording *r = watch_record(1, 0);
  for (int round = 0; round < 3; round++) {
    rp_run *run = watch_run(r, p.in, data, sizeof data, RP_OK);
    rp_run_cancel(run); /* the run is over, so this has no effect */
    assert_int_equal(rp_run_wait(run, 0), RP_OK);
    assert_memory_equal(rp_run_output(run, p.out), data, sizeof data);
    rp_run_end(run);
  }
  rp_recording_destroy(r);
  watch_close();
}

static void destroying_waits_for_what_runs(void **state) {
  (void)state;
  rp_run *run;
  watch_open(&rp_backend_cpu, 0);
  pipe p = build_slow(1);
  rp_recording *r = watch_record(1, 0);
  assert_int_equal(rp_run_begin(r, 0, &run, NULL), RP_OK);
  assert_int_equal(rp_run_set_input(run, p.in, data, sizeof data), RP_OK);
  assert_int_equal(rp_run_submit(run), RP_OK);
  uint64_t waits = the_watch.waits;
  rp_recording_destroy(r);
  assert_int_equal(the_watch.waits, waits + 1);
  watch_close();
}

static void buffers_are_bound(void **state) {
  (void)state;
  uint64_t there[N + 1] = {0}, back[N];
  rp_buffer *from, *to;
  rp_run *run;
  rp_error err;
  watch_open(&rp_backend_cpu, 0);
  rp_graph *g = the_watch.graph;
  rp_value resident = rp_graph_input(g, "resident", &toy_u64, N, RP_RESIDENT);
  rp_value bindable = rp_graph_input(g, "bindable", &toy_u64, N, RP_BINDABLE);
  rp_value plain = rp_graph_input(g, "plain", &toy_u64, N, 0);
  rp_value sum = toy_add(g, toy_add(g, resident, bindable), plain), triple = toy_scale(g, sum, 3);
  rp_value checked = toy_check(g, sum, 1000);
  rp_graph_output(g, "sum", sum, RP_RESIDENT);
  rp_graph_output(g, "triple", triple, RP_BINDABLE);
  rp_graph_output(g, "checked", checked, 0);
  rp_recording *r = watch_record(1, RP_RECORD_CHECK_HAZARDS);
  assert_int_equal(rp_buffer_create(the_watch.device, sizeof back, &from, NULL), RP_OK);
  assert_int_equal(rp_buffer_wrap(the_watch.device, there, sizeof there, &to, NULL), RP_OK);
  for (uint64_t i = 0; i < N; i++) back[i] = i;
  assert_int_equal(rp_buffer_write(from, 0, back, sizeof back, NULL), RP_OK);
  assert_int_equal(rp_buffer_write(from, 8, back, sizeof back, &err), RP_ERR_ARGUMENT);
  assert_non_null(strstr(err.reason, "rp_buffer_write: "));
  assert_int_equal(rp_buffer_read(from, 8, back, sizeof back, &err), RP_ERR_ARGUMENT);
  assert_non_null(strstr(err.reason, "rp_buffer_read: "));
  assert_int_equal(rp_buffer_size(from), sizeof back);

  for (int round = 0; round < 3; round++) { /* the last one fails */
    uint64_t limit_breaker[N] = {round == 2 ? 5000 : 5};
    memset(there, 0, sizeof there);
    assert_int_equal(rp_run_begin(r, 0, &run, NULL), RP_OK);
    assert_int_equal(rp_run_set_input(run, resident, back, sizeof back), RP_ERR_STATE);
    assert_int_equal(rp_run_bind_input(run, plain, from, 0), RP_ERR_STATE);
    assert_int_equal(rp_run_bind_input(run, resident, from, 8), RP_ERR_ARGUMENT);
    assert_int_equal(rp_run_bind_input(run, resident, from, 0), RP_OK);
    if (round == 0)
      assert_int_equal(rp_run_bind_input(run, bindable, from, 0), RP_OK);
    else
      assert_int_equal(rp_run_set_input(run, bindable, back, sizeof back), RP_OK);
    assert_int_equal(rp_run_set_input(run, plain, limit_breaker, sizeof limit_breaker), RP_OK);
    assert_int_equal(rp_run_submit(run), RP_ERR_STATE);
    assert_string_equal(rp_run_error(run)->reason, "watched: output 'sum' is resident: bind a buffer to it");
    assert_int_equal(rp_run_bind_output(run, sum, to, 8), RP_OK);
    assert_int_equal(rp_run_submit(run), RP_OK);
    assert_int_equal(rp_run_wait(run, UINT64_MAX), round == 2 ? RP_ERR_INPUT : RP_OK);
    assert_int_equal(there[0], 0);
    if (round < 2) {
      for (uint64_t i = 0; i < N; i++) assert_int_equal(there[i + 1], 2 * i + (i == 0 ? 5 : 0));
      assert_null(rp_run_output(run, sum)); /* this output has no staging */
      assert_int_equal(((const uint64_t *)rp_run_output(run, triple))[7], 3 * 14);
    }
    rp_run_end(run);
  }
  rp_buffer_destroy(from);
  rp_buffer_destroy(to);
  rp_recording_destroy(r);
  watch_close();
}

static void a_lost_device_stays_lost(void **state) {
  (void)state;
  rp_run *run;
  rp_recording *again;
  rp_buffer *buffer;
  rp_device *other;
  rp_error err;
  rp_device_options o = {.struct_size = sizeof o, .kind = RP_DEVICE_NULL};
  watch_open(&rp_backend_cpu, 0);
  pipe p = build_slow(1);
  rp_recording *r = watch_record(1, 0);
  the_watch.lose_device_at_wait = 1;
  run = watch_run(r, p.in, data, sizeof data, RP_ERR_DEVICE_LOST);
  assert_non_null(strstr(rp_run_error(run)->reason, "fell off the bus"));
  assert_null(rp_run_output(run, p.out));
  rp_run_end(run);
  assert_int_equal(rp_device_is_lost(the_watch.device), 1);
  the_watch.lose_device_at_wait = 0;
  assert_int_equal(rp_run_begin(r, 0, &run, &err), RP_ERR_DEVICE_LOST);
  assert_non_null(strstr(err.reason, "has been lost"));
  assert_int_equal(rp_record(the_watch.device, the_watch.graph, NULL, &again, NULL), RP_ERR_DEVICE_LOST);
  assert_int_equal(rp_buffer_create(the_watch.device, 8, &buffer, NULL), RP_ERR_DEVICE_LOST);
  assert_int_equal(rp_device_open(the_watch.context, &o, &other, NULL), RP_OK); /* other devices continue */
  assert_int_equal(rp_record(other, the_watch.graph, NULL, &again, NULL), RP_OK);
  rp_recording_destroy(again);
  rp_device_close(other);
  rp_recording_destroy(r);
  watch_close();
}

/* ---- Threads ----------------------------------------------------------------------------------------------------- */

enum { THREADS = 6, ROUNDS = 60 };

typedef struct worker {
  rp_recording *recording[2];
  rp_value in, out;
  uint64_t id;
  uint64_t wrong;
} worker;

/* Six threads use two recordings in turn, with three slots and a budget for one and a half recordings. */
static void *replay(void *arg) {
  worker *w = arg;
  for (uint64_t round = 0; round < ROUNDS; round++) {
    uint64_t in[N];
    rp_run *run;
    rp_recording *r = w->recording[(w->id + round / 16) % 2];
    for (uint64_t i = 0; i < N; i++) in[i] = w->id * 1000003 + round * 4099 + i;
    rp_status status;
    while ((status = rp_run_begin(r, round % 2 ? UINT64_MAX : 1000000, &run, NULL)) != RP_OK) {
      if (status != RP_ERR_BUSY || round % 2) w->wrong++;
      nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
    }
    memcpy(rp_run_input(run, w->in), in, sizeof in);
    if (rp_run_submit(run) || rp_run_wait(run, UINT64_MAX)) w->wrong++;
    const uint64_t *out = rp_run_output(run, w->out);
    for (uint64_t i = 0; out && i < N; i++) w->wrong += out[i] != 2 * in[i] + 2 * (i % 16) * (i % 16);
    rp_run_end(run);
  }
  return NULL;
}

static void many_threads(void **state) {
  (void)state;
  pthread_t threads[THREADS];
  worker workers[THREADS];
  rp_plan_info info = {.struct_size = sizeof info};
  watch_open(&rp_backend_cpu, 0);
  rp_value in = rp_graph_input(the_watch.graph, "in", &toy_u64, N, 0);
  rp_value out = toy_table(the_watch.graph, toy_add(the_watch.graph, in, in));
  rp_graph_output(the_watch.graph, "out", out, 0);
  rp_record_options o = {.struct_size = sizeof o, .max_in_flight = 3};
  assert_int_equal(rp_plan_query(the_watch.device, the_watch.graph, &o, &info, NULL), RP_OK);
  rp_device_close(the_watch.device);
  assert_int_equal(watch_open_device(&rp_backend_cpu, info.total_bytes * 3 / 2, NULL), RP_OK);
  rp_recording *a = watch_record(3, 0), *b = watch_record(3, 0);
  for (uint64_t t = 0; t < THREADS; t++) {
    workers[t] = (worker){.recording = {a, b}, .in = in, .out = out, .id = t};
    assert_int_equal(pthread_create(&threads[t], NULL, replay, &workers[t]), 0);
  }
  for (int t = 0; t < THREADS; t++) {
    pthread_join(threads[t], NULL);
    assert_int_equal(workers[t].wrong, 0);
  }
  assert_true(the_watch.peak_bytes <= info.total_bytes * 3 / 2);
  rp_recording_destroy(a);
  rp_recording_destroy(b);
  watch_close();
}

static void *cancel_soon(void *arg) {
  nanosleep(&(struct timespec){.tv_nsec = 3000000}, NULL);
  rp_run_cancel(arg);
  return NULL;
}

static void cancelling_from_another_thread(void **state) {
  (void)state;
  watch_open(&rp_backend_cpu, 0);
  pipe p = build_slow(SLOW_STEPS);
  rp_recording *r = watch_record(1, 0);
  for (int round = 0; round < 5; round++) {
    pthread_t thread;
    rp_run *run;
    assert_int_equal(rp_run_begin(r, 0, &run, NULL), RP_OK);
    assert_int_equal(rp_run_set_input(run, p.in, data, sizeof data), RP_OK);
    assert_int_equal(rp_run_submit(run), RP_OK);
    assert_int_equal(pthread_create(&thread, NULL, cancel_soon, run), 0);
    assert_int_equal(rp_run_wait(run, UINT64_MAX), RP_ERR_CANCELLED);
    pthread_join(thread, NULL);
    rp_run_end(run);
  }
  rp_recording_destroy(r);
  watch_close();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(states_are_kept),
      cmocka_unit_test(waiting_and_cancelling),
      cmocka_unit_test(the_next_run_is_not_cancelled),
      cmocka_unit_test(destroying_waits_for_what_runs),
      cmocka_unit_test(buffers_are_bound),
      cmocka_unit_test(a_lost_device_stays_lost),
      cmocka_unit_test(many_threads),
      cmocka_unit_test(cancelling_from_another_thread),
  };
  return cmocka_run_group_tests_name("slots", tests, NULL, NULL);
}
