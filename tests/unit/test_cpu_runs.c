/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The life of a run: poll, timeouts, cancellation, bound buffers, faults, wiping, counters, timings, several runs at
 * once.
 */
#include "cpu_fixture.h"

#include "signals.h"
#include "thread.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

static void sleep_ms(long ms) {
  nanosleep(&(struct timespec){.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000}, NULL);
}

/* ---- A kernel that waits for a flag, and one that counts --------------------------------------------------------- */

typedef struct gate_args {
  _Atomic uint32_t *words; /* [0]: number of items begun, [1]: whether the gate is open */
} gate_args;

static void gate(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *worker) {
  const gate_args *a = args;
  (void)worker;
  atomic_fetch_add(&a->words[0], (uint32_t)(end - begin));
  while (!atomic_load(&a->words[1])) sleep_ms(1);
}

static const rp_kernel gate_kernel = {.struct_size = sizeof(rp_kernel),
                                      .name = "gate",
                                      .args_bytes = sizeof(gate_args),
                                      .n_binds = 1,
                                      .n_cpu = 1,
                                      .cpu = &(const rp_cpu_variant){RP_ISA_C, gate}};

/* A step of n items that wait at the gate, then one more step. */
static draft *gated_by(cpu_fixture *f, uint32_t n) {
  draft *d = draft_new(f, 0);
  uint32_t arena = draft_block(d, RP_SPACE_ARENA, 64, 0);
  for (uint32_t s = 0; s < 2; s++) {
    draft_step(d, &gate_kernel, n, NULL);
    d->patterns[s].grain = 1;
    draft_ref(d, s, arena, 0, 8, RP_READ_WRITE | RP_ATOMIC);
  }
  draft_edge(d, 0, 1);
  draft_build(d);
  return d;
}

static draft *gated(cpu_fixture *f) { return gated_by(f, 1000); }

static void test_poll_and_timeout(void **state) {
  (void)state;
  for (uint32_t threads = 1; threads <= 4; threads += 3) {
    cpu_fixture f;
    rp_error_record fault;
    fixture_open(&f, threads, NULL);
    draft *d = gated(&f);
    _Atomic uint32_t *words = draft_host(d, 0);
    assert_int_equal(rp_backend_cpu.submit(f.state, d->program, NULL, 0, NULL, NULL), RP_OK);
    assert_int_equal(rp_backend_cpu.submit(f.state, d->program, NULL, 0, NULL, NULL), RP_ERR_STATE);
    assert_int_equal(rp_backend_cpu.wait(f.state, d->program, 0, &fault, NULL), RP_ERR_TIMEOUT);
    uint64_t began = rp_now_ns();
    assert_int_equal(rp_backend_cpu.wait(f.state, d->program, 5000000, &fault, NULL), RP_ERR_TIMEOUT);
    assert_true(rp_now_ns() - began >= 5000000);
    rp_backend_counters c;
    rp_backend_cpu.counters(f.state, d->program, &c);
    assert_true(c.submissions == 1 && c.waits == 0);
    atomic_store(&words[1], 1);
    while (rp_backend_cpu.wait(f.state, d->program, 0, &fault, NULL) == RP_ERR_TIMEOUT) sleep_ms(1);
    assert_int_equal(rp_backend_cpu.wait(f.state, d->program, 0, &fault, NULL), RP_OK);
    assert_int_equal(atomic_load(&words[0]), 2000);
    rp_backend_cpu.counters(f.state, d->program, &c);
    assert_true(c.submissions == 1 && c.waits == 1);
    draft_free(d);
    fixture_close(&f);
  }
}

static void test_cancel(void **state) {
  (void)state;
  for (uint32_t threads = 1; threads <= 4; threads += 3) {
    cpu_fixture f;
    rp_error_record fault;
    fixture_open(&f, threads, NULL);
    draft *d = gated(&f);
    _Atomic uint32_t *words = draft_host(d, 0);
    rp_backend_cpu.cancel(f.state, d->program); /* nothing runs, so this has no effect */
    for (int round = 0; round < 3; round++) {
      atomic_store(&words[0], 0);
      atomic_store(&words[1], 0);
      assert_int_equal(rp_backend_cpu.submit(f.state, d->program, NULL, 0, NULL, NULL), RP_OK);
      while (!atomic_load(&words[0])) sleep_ms(1);
      rp_backend_cpu.cancel(f.state, d->program);
      atomic_store(&words[1], 1);
      assert_int_equal(rp_backend_cpu.wait(f.state, d->program, UINT64_MAX, &fault, NULL), RP_ERR_CANCELLED);
      assert_true(atomic_load(&words[0]) < 2000);
    }
    atomic_store(&words[0], 0);
    assert_int_equal(draft_run(d), RP_OK);
    rp_backend_cpu.cancel(f.state, d->program); /* the run is over, so this has no effect */
    assert_int_equal(rp_backend_cpu.wait(f.state, d->program, UINT64_MAX, &fault, NULL), RP_OK);
    assert_int_equal(atomic_load(&words[0]), 2000);
    draft_free(d);
    fixture_close(&f);
  }
}

static void *wait_main(void *argument) {
  draft *d = argument;
  rp_error_record fault;
  return (void *)(uintptr_t)rp_backend_cpu.wait(d->fixture->state, d->program, UINT64_MAX, &fault, NULL);
}

static void test_executor_runs_while_waited_for(void **state) {
  (void)state;
  cpu_fixture f;
  rp_error_record fault;
  pthread_t thread;
  void *result;
  fixture_open(&f, 0, &fixture_executor);
  assert_int_equal(f.info.limits.workers, fixture_executor.workers);
  draft *d = gated(&f);
  _Atomic uint32_t *words = draft_host(d, 0);
  assert_int_equal(rp_backend_cpu.submit(f.state, d->program, NULL, 0, NULL, NULL), RP_OK);
  assert_int_equal(pthread_create(&thread, NULL, wait_main, d), 0);
  while (!atomic_load(&words[0])) sleep_ms(1);
  rp_backend_cpu.cancel(f.state, d->program);
  atomic_store(&words[1], 1);
  pthread_join(thread, &result);
  assert_int_equal((uintptr_t)result, RP_ERR_CANCELLED);
  atomic_store(&words[0], 0);
  assert_int_equal(rp_backend_cpu.submit(f.state, d->program, NULL, 0, NULL, NULL), RP_OK);
  while (rp_backend_cpu.wait(f.state, d->program, 0, &fault, NULL) == RP_ERR_TIMEOUT) {}
  assert_int_equal(atomic_load(&words[0]), 2000);
  draft_free(d);
  fixture_close(&f);
}

/* Takes longer to call a task than a poll lasts. */
static void late_parallel(void *user, uint32_t n, void (*task)(void *arg, uint32_t i), void *arg) {
  (void)user;
  for (uint32_t i = 0; i < n; i++) {
    sleep_ms(2);
    task(arg, i);
  }
}

static const rp_executor late_executor = {.workers = 2, .parallel = late_parallel};

static void test_every_poll_of_a_late_executor_works(void **state) {
  (void)state;
  enum { ITEMS = 8 };
  cpu_fixture f;
  rp_error_record fault;
  fixture_open(&f, 0, &late_executor);
  draft *d = gated_by(&f, ITEMS);
  _Atomic uint32_t *words = draft_host(d, 0);
  atomic_store(&words[1], 1);
  assert_int_equal(rp_backend_cpu.submit(f.state, d->program, NULL, 0, NULL, NULL), RP_OK);
  uint32_t polls = 1;
  while (rp_backend_cpu.wait(f.state, d->program, 0, &fault, NULL) == RP_ERR_TIMEOUT && polls <= 2 * ITEMS) polls++;
  assert_true(polls <= 2 * ITEMS);
  assert_int_equal(atomic_load(&words[0]), 2 * ITEMS);
  draft_free(d);
  fixture_close(&f);
}

/* ---- Bound buffers, faults, secrets ------------------------------------------------------------------------------ */

typedef struct copy_args {
  const uint32_t *in;
  uint32_t *out;
  _Atomic uint32_t *record;
} copy_args;

/* out = in + 1; if the first word is 13, that is a fault */
static void increment(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *worker) {
  const copy_args *a = args;
  (void)worker;
  for (uint64_t i = begin; i < end; i++) a->out[i] = a->in[i] + 1;
  if (begin == 0 && a->in[0] == 13) atomic_store(&a->record[0], RP_FAULT_USER);
}

static const rp_kernel increment_kernel = {.struct_size = sizeof(rp_kernel),
                                           .name = "increment",
                                           .args_bytes = sizeof(copy_args),
                                           .n_binds = 3,
                                           .n_cpu = 1,
                                           .cpu = &(const rp_cpu_variant){RP_ISA_C, increment}};

enum { WORDS = 200000, IO_BYTES = 4 * WORDS };

/* Copies in to out; a run may bind either to a buffer. Block 3 is an arena. All blocks are secret. */
static draft *bound(cpu_fixture *f) {
  draft *d = draft_new(f, RP_RECORD_CHECK_HAZARDS | RP_RECORD_PROFILE);
  uint32_t in = draft_block(d, RP_SPACE_INPUT, IO_BYTES, 1), out = draft_block(d, RP_SPACE_OUTPUT, IO_BYTES, 1);
  uint32_t parameter = draft_block(d, RP_SPACE_PARAMETER, sizeof(rp_error_record) + 16, 0);
  draft_block(d, RP_SPACE_ARENA, (uint64_t)3 << 20, 1);
  uint32_t bring = draft_step(d, NULL, 1, NULL);
  d->patterns[bring].kind = RP_STEP_BIND_IN;
  d->patterns[bring].word = 0;
  draft_ref(d, bring, in, 0, IO_BYTES, RP_WRITE);
  uint32_t work = draft_step(d, &increment_kernel, WORDS, NULL);
  draft_ref(d, work, in, 0, IO_BYTES, RP_READ);
  draft_ref(d, work, out, 0, IO_BYTES, RP_WRITE);
  draft_ref(d, work, parameter, 0, sizeof(rp_error_record), RP_READ_WRITE | RP_ATOMIC);
  uint32_t give = draft_step(d, NULL, 1, NULL);
  d->patterns[give].kind = RP_STEP_BIND_OUT;
  d->patterns[give].word = 1;
  draft_ref(d, give, out, 0, IO_BYTES, RP_READ);
  draft_ref(d, give, parameter, 0, sizeof(rp_error_record), RP_READ);
  draft_edge(d, bring, work);
  draft_edge(d, work, give);
  draft_build(d);
  return d;
}

static void test_bound_buffers(void **state) {
  (void)state;
  for (uint32_t threads = 1; threads <= 4; threads += 3) {
    cpu_fixture f;
    fixture_open(&f, threads, NULL);
    draft *d = bound(&f);
    uint32_t *from = malloc(IO_BYTES), *to = calloc(1, IO_BYTES), *in = draft_host(d, 0), *out = draft_host(d, 1);
    rp_error_record fault;
    for (uint32_t i = 0; i < WORDS; i++) {
      from[i] = 7 * i;
      in[i] = 5 * i;
    }
    /* Nothing is bound: staging is used. */
    assert_int_equal(draft_run(d), RP_OK);
    for (uint32_t i = 0; i < WORDS; i++) assert_int_equal(out[i], 5 * i + 1);
    rp_backend_counters c;
    rp_backend_cpu.counters(f.state, d->program, &c);
    assert_true(c.submissions == 1 && c.waits == 1 && c.uploads == 1 && c.downloads == 1);
    assert_true(c.bytes_up == IO_BYTES && c.bytes_down == IO_BYTES);
    /* Input and output are bound. */
    uint64_t words[2] = {(uintptr_t)from, (uintptr_t)to};
    assert_int_equal(rp_backend_cpu.submit(f.state, d->program, words, 2, NULL, NULL), RP_OK);
    assert_int_equal(rp_backend_cpu.wait(f.state, d->program, UINT64_MAX, &fault, NULL), RP_OK);
    for (uint32_t i = 0; i < WORDS; i++) assert_int_equal(to[i], 7 * i + 1);
    /* A fault is reported, and no output is written. */
    from[0] = 13;
    to[0] = 0;
    assert_int_equal(rp_backend_cpu.submit(f.state, d->program, words, 2, NULL, NULL), RP_OK);
    assert_int_equal(rp_backend_cpu.wait(f.state, d->program, UINT64_MAX, &fault, NULL), RP_OK);
    assert_int_equal(fault.code, RP_FAULT_USER);
    assert_int_equal(to[0], 0);
    /* The next run starts without the fault. */
    from[0] = 14;
    assert_int_equal(rp_backend_cpu.submit(f.state, d->program, words, 2, NULL, NULL), RP_OK);
    assert_int_equal(rp_backend_cpu.wait(f.state, d->program, UINT64_MAX, &fault, NULL), RP_OK);
    assert_int_equal(fault.code, 0);
    assert_int_equal(to[0], 15);
    free(from);
    free(to);
    draft_free(d);
    fixture_close(&f);
  }
}

static void test_wipe(void **state) {
  (void)state;
  for (uint32_t threads = 0; threads <= 3; threads++) {
    cpu_fixture f;
    fixture_open(&f, threads, threads ? NULL : &fixture_executor);
    draft *d = bound(&f);
    for (int round = 0; round < 20; round++) {
      const uint32_t blocks[] = {0, 1, 3};
      for (int b = 0; b < 3; b++) memset(draft_host(d, blocks[b]), 0x5a, d->blocks[blocks[b]].bytes);
      assert_int_equal(draft_run(d), RP_OK);
      rp_backend_cpu.wipe(f.state, d->program);
      for (int b = 0; b < 3; b++) {
        const unsigned char *bytes = draft_host(d, blocks[b]);
        if (b == 2) assert_int_equal(draft_run(d), RP_OK); /* the arena is valid until the next submission */
        size_t nonzero = 0;
        for (size_t i = 0; i < d->blocks[blocks[b]].bytes; i++) nonzero += bytes[i] != 0;
        assert_int_equal(nonzero, 0);
      }
    }
    rp_backend_cpu.wipe(f.state, d->program); /* the program is destroyed while it is being wiped */
    draft_free(d);
    fixture_close(&f);
  }
}

static void test_timings(void **state) {
  (void)state;
  cpu_fixture f;
  fixture_open(&f, 2, NULL);
  draft *d = bound(&f);
  uint64_t began = rp_now_ns();
  assert_int_equal(draft_run(d), RP_OK);
  uint64_t span = rp_now_ns() - began;
  rp_timing timings[64];
  uint32_t n = rp_backend_cpu.timings(f.state, d->program, timings, 64), seen = 0;
  assert_true(n >= 1 && n <= 64);
  for (uint32_t i = 0; i < n; i++) {
    assert_true(timings[i].worker < 2 && timings[i].begin_ns <= timings[i].end_ns && timings[i].end_ns <= span);
    seen |= 1u << timings[i].step;
  }
  assert_int_equal(seen, 2); /* the two copies had nothing to do, since nothing was bound */
  draft_free(d);
  fixture_close(&f);
}

/* ---- Several runs at once ---------------------------------------------------------------------------------------- */

/* The fixture measures the memory of a program, so programs are built one at a time. */
static pthread_mutex_t building = PTHREAD_MUTEX_INITIALIZER;

static void *client_main(void *argument) {
  cpu_fixture *f = argument;
  draft *d[2];
  pthread_mutex_lock(&building);
  for (int b = 0; b < 2; b++) d[b] = bound(f);
  pthread_mutex_unlock(&building);
  for (int b = 0; b < 2; b++)
    for (uint32_t i = 0; i < WORDS; i++) ((uint32_t *)draft_host(d[b], 0))[i] = i;
  uint64_t before = atomic_load(&f->allocations);
  for (int round = 0; round < 30; round++) {
    rp_error_record fault;
    for (int b = 0; b < 2; b++)
      assert_int_equal(rp_backend_cpu.submit(f->state, d[b]->program, NULL, 0, NULL, NULL), RP_OK);
    for (int b = 2; b-- > 0;) {
      uint32_t *out = draft_host(d[b], 1);
      assert_int_equal(rp_backend_cpu.wait(f->state, d[b]->program, UINT64_MAX, &fault, NULL), RP_OK);
      for (uint32_t i = 0; i < WORDS; i += 997) assert_int_equal(out[i], i + 1);
      memset(out, 0, IO_BYTES);
    }
  }
  uint64_t after = atomic_load(&f->allocations);
  pthread_mutex_lock(&building);
  for (int b = 0; b < 2; b++) draft_free(d[b]);
  pthread_mutex_unlock(&building);
  return (void *)(uintptr_t)(after - before);
}

static void test_runs_in_flight(void **state) {
  (void)state;
  const uint32_t threads[] = {1, 2, 7, 0};
  for (int t = 0; t < 4; t++) {
    cpu_fixture f;
    fixture_open(&f, threads[t], threads[t] ? NULL : &fixture_executor);
    pthread_t clients[4];
    for (int c = 0; c < 4; c++) assert_int_equal(pthread_create(&clients[c], NULL, client_main, &f), 0);
    for (int c = 0; c < 4; c++) pthread_join(clients[c], NULL);
    /* First on this thread alone, so that no other thread allocates. */
    assert_int_equal((uintptr_t)client_main(&f), 0);
    fixture_close(&f);
  }
}

static int start_thread(pthread_t *thread, void *(*fn)(void *), void *argument) {
  return rp_thread_start(thread, NULL, fn, argument);
}

static void test_signals_are_left_alone(void **state) {
  (void)state;
  signals_are_left_alone_by(start_thread);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_poll_and_timeout),
      cmocka_unit_test(test_cancel),
      cmocka_unit_test(test_executor_runs_while_waited_for),
      cmocka_unit_test(test_every_poll_of_a_late_executor_works),
      cmocka_unit_test(test_bound_buffers),
      cmocka_unit_test(test_wipe),
      cmocka_unit_test(test_timings),
      cmocka_unit_test(test_runs_in_flight),
      cmocka_unit_test(test_signals_are_left_alone),
  };
  return cmocka_run_group_tests_name("cpu_runs", tests, NULL, NULL);
}
