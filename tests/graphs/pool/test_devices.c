/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The pool alone, with a proof system whose proofs the test finishes one by one: the order of tasks, deadlines,
 * cancelling, a full queue, callbacks, destruction, and devices that are lost.
 */
#include "../groth16/common.h"

#include "pool/pool.h"

#include <reprise/ops.h>

#include <stdio.h>
#include <time.h>

enum { DEVICES = 3, MOST = 16 };
static const uint64_t patience_ns = 300000000000u; /* a task that takes longer never ends */

/* What the provers of the fake system share. A proof runs until `open` lets it finish. */
typedef struct lab {
  rp_context *context;
  rp_device *devices[DEVICES];
  rp_pool *pool;
  rp_pool_key *key;
  pthread_mutex_t lock;
  pthread_cond_t changed;
  int open[MOST]; /* by the first byte of the witness: may finish */
  int began[MOST], n_began;
  int lost[DEVICES];
  rp_recording *recording; /* NULL, or whose runs the proofs have */
  rp_status submitted;     /* what the submission of the run of a proof that was stopped returned */
} lab;

typedef struct fake_prover {
  lab *l;
  uint32_t device;
} fake_prover;

typedef struct fake_flight {
  fake_prover *prover;
  int job;
  uint8_t *proof, *signals;
  rp_run *run;
} fake_flight;

static rp_status fake_start(void *prover, const pool_source *from, uint64_t timeout_ns, void *proof, uint8_t *signals,
                            void *flight, rp_run **run, rp_error *err) {
  fake_flight *f = flight;
  lab *l = ((fake_prover *)prover)->l;
  (void)timeout_ns;
  *f = (fake_flight){prover, *(const uint8_t *)from->witness.wtns, proof, signals, NULL};
  if (l->recording) EXPECT(RP_OK, rp_run_begin(l->recording, 0, &f->run, err), err);
  *run = f->run;
  pthread_mutex_lock(&l->lock);
  l->began[l->n_began++ % MOST] = f->job;
  const int lost = l->lost[f->prover->device];
  pthread_cond_broadcast(&l->changed);
  pthread_mutex_unlock(&l->lock);
  return lost ? support_fail(err, RP_ERR_DEVICE_LOST, "device %u is gone", (unsigned)f->prover->device) : RP_OK;
}

/* A run that has been cancelled is not submitted any more. */
static void end_run(fake_flight *f) {
  if (!f->run) return;
  f->prover->l->submitted = rp_run_submit(f->run);
  rp_run_end(f->run);
}

static rp_status fake_finish(void *flight, const pool_ending *ending, rp_run_counters *counters, rp_error *err) {
  fake_flight *f = flight;
  lab *l = f->prover->l;
  (void)counters;
  const struct timespec step = {.tv_nsec = 1000000};
  for (;;) {
    pthread_mutex_lock(&l->lock);
    const int open = l->open[f->job], lost = l->lost[f->prover->device];
    pthread_mutex_unlock(&l->lock);
    if (open || lost || atomic_load(ending->cancelled)) {
      ending->call(ending->user);
      end_run(f);
      if (lost) return support_fail(err, RP_ERR_DEVICE_LOST, "device %u is gone", (unsigned)f->prover->device);
      if (!open) return support_fail(err, RP_ERR_CANCELLED, "stopped");
      f->proof[0] = f->signals[0] = (uint8_t)(f->job + 1);
      return RP_OK;
    }
    nanosleep(&step, NULL);
  }
}

static void fake_destroy(void *prover) { free(prover); }

static const pool_system fake = {.name = "the test",
                                 .proof_bytes = 8,
                                 .flight_bytes = sizeof(fake_flight),
                                 .start = fake_start,
                                 .finish = fake_finish,
                                 .destroy = fake_destroy};

static rp_status fake_create(void *cookie, rp_device *device, uint32_t max_in_flight, void **prover, rp_error *err) {
  lab *l = cookie;
  fake_prover *p = calloc(1, sizeof *p);
  (void)err;
  assert_int_equal(max_in_flight, 1);
  p->l = l;
  while (l->devices[p->device] != device) p->device++;
  *prover = p;
  return RP_OK;
}

static lab *lab_open(uint32_t n_devices, uint32_t max_waiting) {
  lab *l = calloc(1, sizeof *l);
  rp_error err = {0};
  const rp_device_options cpu = {.struct_size = sizeof cpu, .kind = RP_DEVICE_CPU, .cpu_threads = 1};
  const rp_pool_options options = {.struct_size = sizeof options, .max_in_flight = 1, .max_waiting = max_waiting};
  pthread_mutex_init(&l->lock, NULL);
  pthread_cond_init(&l->changed, NULL);
  EXPECT(RP_OK, rp_context_create(NULL, &l->context, &err), &err);
  for (uint32_t i = 0; i < n_devices; i++) EXPECT(RP_OK, rp_device_open(l->context, &cpu, &l->devices[i], &err), &err);
  EXPECT(RP_OK, rp_pool_create(l->devices, n_devices, &options, &l->pool, &err), &err);
  EXPECT(RP_OK, pool_add(l->pool, &fake, 1, fake_create, l, &l->key, &err), &err);
  return l;
}

static void lab_close(lab *l) {
  rp_error err = {0};
  rp_pool_destroy(l->pool);
  for (int i = 0; i < DEVICES; i++) rp_device_release(l->devices[i]);
  EXPECT(RP_OK, rp_context_try_destroy(l->context, &err), &err);
  free(l);
}

static const uint8_t names[MOST] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

static rp_status submit_as(lab *l, int job, rp_pool_request request, rp_pool_task **task) {
  rp_error err = {0};
  request.struct_size = sizeof request;
  request.wtns = &names[job];
  request.wtns_bytes = 1;
  return rp_pool_submit(l->key, &request, 0, task, &err);
}

static rp_pool_task *submit(lab *l, int job, int32_t priority) {
  rp_pool_task *task;
  assert_int_equal(submit_as(l, job, (rp_pool_request){.priority = priority}, &task), RP_OK);
  return task;
}

/* Waits until n proofs have begun. */
static void await_begun(lab *l, int n) {
  pthread_mutex_lock(&l->lock);
  while (l->n_began < n) pthread_cond_wait(&l->changed, &l->lock);
  pthread_mutex_unlock(&l->lock);
}

static void let_finish(lab *l, int first, int end) {
  pthread_mutex_lock(&l->lock);
  for (int i = first; i < end; i++) l->open[i] = 1;
  pthread_mutex_unlock(&l->lock);
}

static void lose(lab *l, int device) {
  pthread_mutex_lock(&l->lock);
  l->lost[device] = 1;
  pthread_mutex_unlock(&l->lock);
}

static void expect_result(rp_pool_task *task, int job) {
  uint8_t proof[8], signals[32];
  rp_error err = {0};
  EXPECT(RP_OK, rp_pool_wait(task, patience_ns), NULL);
  EXPECT(RP_OK, pool_result(task, &fake, proof, signals, NULL, &err), &err);
  assert_int_equal(proof[0], job + 1);
  assert_int_equal(signals[0], job + 1);
}

static const char *expect_failure(rp_pool_task *task, rp_status status) {
  static rp_error err;
  uint8_t proof[8] = {1};
  err = (rp_error){0};
  assert_int_equal(rp_pool_wait(task, patience_ns), status);
  assert_int_equal(pool_result(task, &fake, proof, NULL, NULL, &err), status);
  assert_int_equal(proof[0], 0);
  return err.reason;
}

/* Higher priorities first, and each in the order of submission. */
static void order(void **state) {
  (void)state;
  lab *l = lab_open(1, 8);
  static const int32_t priority[] = {0, 0, 5, -1, 5, 0};
  static const int expected[] = {0, 2, 4, 1, 5, 3};
  rp_pool_task *tasks[6];
  tasks[0] = submit(l, 0, priority[0]);
  await_begun(l, 1);
  for (int i = 1; i < 6; i++) tasks[i] = submit(l, i, priority[i]);
  let_finish(l, 0, 6);
  for (int i = 0; i < 6; i++) expect_result(tasks[i], i);
  for (int i = 0; i < 6; i++) assert_int_equal(l->began[i], expected[i]);
  for (int i = 0; i < 6; i++) rp_pool_end(tasks[i]);
  lab_close(l);
}

/* Each device takes one task, and the queue takes tasks until it is full. It has room again when a task begins. */
static void full(void **state) {
  (void)state;
  lab *l = lab_open(2, 2);
  rp_pool_task *tasks[5];
  rp_pool_info info = {.struct_size = sizeof info};
  tasks[0] = submit(l, 0, 0);
  tasks[1] = submit(l, 1, 0);
  await_begun(l, 2);
  tasks[2] = submit(l, 2, 0);
  tasks[3] = submit(l, 3, 0);
  assert_int_equal(submit_as(l, 4, (rp_pool_request){0}, &tasks[4]), RP_ERR_BUSY);
  assert_null(tasks[4]);
  rp_pool_get_info(l->pool, &info);
  assert_int_equal(info.n_waiting, 2);
  assert_int_equal(info.n_running, 2);
  let_finish(l, 1, 2);
  await_begun(l, 3);
  tasks[4] = submit(l, 4, 0);
  rp_error err = {0};
  assert_int_equal(rp_pool_remove(l->key, &err), RP_ERR_BUSY);
  let_finish(l, 0, 5);
  for (int i = 0; i < 5; i++) expect_result(tasks[i], i);
  for (int i = 0; i < 5; i++) rp_pool_end(tasks[i]);
  EXPECT(RP_OK, rp_pool_remove(l->key, &err), &err);
  lab_close(l);
}

/* A task that waits, and one that runs, stop when they are cancelled; ending one cancels it. */
static void cancelling(void **state) {
  (void)state;
  lab *l = lab_open(1, 8);
  rp_pool_task *running = submit(l, 0, 0);
  await_begun(l, 1);
  rp_pool_task *waiting = submit(l, 1, 0), *ended = submit(l, 2, 0), *last = submit(l, 3, 0);
  assert_int_equal(rp_pool_poll(waiting), RP_ERR_TIMEOUT);
  rp_pool_cancel(waiting);
  assert_non_null(strstr(expect_failure(waiting, RP_ERR_CANCELLED), "cancelled"));
  rp_pool_info info = {.struct_size = sizeof info};
  rp_pool_get_info(l->pool, &info);
  assert_int_equal(info.n_running, 1); /* what has never begun is not subtracted */
  rp_pool_end(ended);
  assert_int_equal(rp_pool_wait(running, 1000000), RP_ERR_TIMEOUT);
  rp_pool_cancel(running);
  expect_failure(running, RP_ERR_CANCELLED);
  let_finish(l, 3, 4);
  expect_result(last, 3);
  rp_pool_cancel(last); /* it has its result */
  expect_result(last, 3);
  assert_int_equal(l->n_began, 2);
  rp_pool_end(waiting);
  rp_pool_end(running);
  rp_pool_end(last);
  lab_close(l);
}

/* Cancelling a task that runs cancels its run. */
static void the_run_is_cancelled(void **state) {
  (void)state;
  static const uint8_t two[32] = {2};
  lab *l = lab_open(1, 8);
  rp_graph *g;
  EXPECT(RP_OK, rp_graph_create(l->context, "one", &g, NULL), NULL);
  rp_graph_output(
      g, "out", rp_from_canonical(g, rp_graph_constant(g, "in", &RP_TYPE_U256, 1, two, 0), RP_FIELD_BN254_FR, NULL), 0);
  EXPECT(RP_OK, rp_record(l->devices[0], g, NULL, &l->recording, NULL), NULL);
  for (int cancelled = 0; cancelled < 2; cancelled++) {
    rp_pool_task *task = submit(l, cancelled, 0);
    await_begun(l, 1 + cancelled);
    const struct timespec step = {.tv_nsec = 20000000};
    nanosleep(&step, NULL); /* until the pool knows the run; it is cancelled when it does, otherwise */
    if (cancelled) rp_pool_cancel(task);
    let_finish(l, 0, 1);
    if (cancelled)
      expect_failure(task, RP_ERR_CANCELLED);
    else
      expect_result(task, 0);
    assert_int_equal(l->submitted, cancelled ? RP_ERR_CANCELLED : RP_OK);
    rp_pool_end(task);
  }
  rp_recording_destroy(l->recording);
  rp_graph_destroy(g);
  lab_close(l);
}

/* A task that was cancelled before its device was lost does not move to another device. */
static void lost_and_cancelled(void **state) {
  (void)state;
  lab *l = lab_open(2, 8);
  rp_pool_task_info info = {.struct_size = sizeof info};
  rp_pool_task *task = submit(l, 0, 0);
  await_begun(l, 1);
  rp_pool_task_get_info(task, &info);
  pthread_mutex_lock(&l->lock); /* both before the proof looks */
  l->lost[info.device] = 1;
  rp_pool_cancel(task);
  pthread_mutex_unlock(&l->lock);
  expect_failure(task, RP_ERR_DEVICE_LOST);
  rp_pool_task_get_info(task, &info);
  assert_int_equal(info.moves, 0);
  assert_int_equal(l->n_began, 1);
  rp_pool_end(task);
  lab_close(l);
}

/* Submits a task and waits until it begins. Returns 0 if its deadline passes before that. */
static int begins_in_time(lab *l, uint64_t limit_ns, rp_pool_task **task) {
  const struct timespec step = {.tv_nsec = 1000000};
  assert_int_equal(submit_as(l, 0, (rp_pool_request){.limit_ns = limit_ns}, task), RP_OK);
  for (;;) {
    pthread_mutex_lock(&l->lock);
    const int begun = l->n_began;
    pthread_mutex_unlock(&l->lock);
    if (begun) return 1;
    if (rp_pool_poll(*task) != RP_ERR_TIMEOUT) return 0;
    nanosleep(&step, NULL);
  }
}

/* Returns 0 if the machine stood still for so long that the deadlines passed in another order than the test wants. */
static int try_deadlines(uint64_t limit_ns) {
  lab *l = lab_open(1, 8);
  rp_pool_task *far, *near, *unhurried, *running;
  const uint64_t begin = pool_now_ns();
  const int begun = begins_in_time(l, limit_ns, &running);
  unhurried = submit(l, 3, 0);
  assert_int_equal(submit_as(l, 1, (rp_pool_request){.limit_ns = 3600000000000}, &far), RP_OK);
  assert_int_equal(submit_as(l, 2, (rp_pool_request){.limit_ns = 1000000}, &near), RP_OK);
  if (begun)
    assert_non_null(strstr(expect_failure(near, RP_ERR_CANCELLED), "did not begin before its deadline"));
  else
    let_finish(l, 2, 3); /* whatever becomes of it */
  const int runs = rp_pool_poll(running) == RP_ERR_TIMEOUT, in_time = pool_now_ns() - begin < limit_ns;
  if (begun && in_time) assert_true(runs);
  const char *why = expect_failure(running, RP_ERR_CANCELLED);
  if (begun) assert_non_null(strstr(why, "not finished before its deadline"));
  let_finish(l, 1, 4);
  expect_result(unhurried, 3);
  expect_result(far, 1);
  rp_pool_task *tasks[] = {far, near, unhurried, running};
  for (int i = 0; i < 4; i++) rp_pool_end(tasks[i]);
  lab_close(l);
  return begun && in_time;
}

/* The deadline stops what waits and what runs; a later, nearer one is not overlooked. */
static void deadlines(void **state) {
  uint64_t limit_ns = 300000000;
  (void)state;
  while (!try_deadlines(limit_ns)) limit_ns *= 2;
}

/* The proof of a lost device moves to another device. When the last device is lost, all proofs fail, and later ones are
 * refused. */
static void lost_devices(void **state) {
  (void)state;
  lab *l = lab_open(3, 8);
  rp_pool_task *tasks[6];
  for (int i = 0; i < 3; i++) tasks[i] = submit(l, i, 0);
  await_begun(l, 3);
  for (int i = 3; i < 5; i++) tasks[i] = submit(l, i, 0);
  let_finish(l, 4, 5);
  rp_pool_device_info info = {.struct_size = sizeof info};
  rp_pool_task_info first = {.struct_size = sizeof first};
  rp_pool_task_get_info(tasks[0], &first);
  lose(l, (int)first.device);
  while (info.lost == 0) rp_pool_get_device_info(l->pool, first.device, &info);
  assert_non_null(strstr(info.error.reason, "is gone"));
  let_finish(l, 0, 4);
  for (int i = 0; i < 5; i++) expect_result(tasks[i], i);
  assert_int_equal(l->began[3], 0); /* it begins again before those that waited */
  rp_pool_task_info moved = {.struct_size = sizeof moved};
  rp_pool_task_get_info(tasks[0], &moved);
  assert_int_equal(moved.moves, 1);
  assert_int_not_equal(moved.device, first.device);

  for (int i = 0; i < 5; i++) rp_pool_end(tasks[i]);
  for (int i = 5; i < 11; i++) tasks[i - 5] = submit(l, i, 0);
  for (int i = 0; i < DEVICES; i++) lose(l, i);
  for (int i = 0; i < 6; i++) {
    const char *reason = expect_failure(tasks[i], RP_ERR_DEVICE_LOST);
    assert_non_null(strstr(reason, "is gone"));
  }
  rp_pool_task *refused;
  assert_int_equal(submit_as(l, 12, (rp_pool_request){0}, &refused), RP_ERR_DEVICE_LOST);
  for (int i = 0; i < 6; i++) rp_pool_end(tasks[i]);
  rp_error err = {0};
  rp_pool_key *key = NULL;
  EXPECT(RP_ERR_DEVICE_LOST, pool_add(l->pool, &fake, 1, fake_create, l, &key, &err), &err);
  lab_close(l);
}

/* A callback ends its own task and submits the next one; calls that wait are refused in it. */
typedef struct chain {
  lab *l;
  int next, n_done, refused;
  pthread_mutex_t lock;
  pthread_cond_t changed;
} chain;

static void go_on(void *user, rp_pool_task *task) {
  chain *c = user;
  rp_pool_task *other = NULL;
  uint8_t proof[8];
  const int good = pool_result(task, &fake, proof, NULL, NULL, NULL) == RP_OK && proof[0] == c->next;
  rp_pool_end(task);
  if (c->next < 6 && submit_as(c->l, c->next, (rp_pool_request){.done = go_on, .user = c}, &other) == RP_OK) c->next++;
  rp_groth16_proof room;
  rp_groth16_job job = {.struct_size = sizeof job, .wtns = names, .wtns_bytes = 1, .proof = &room};
  const int refused = rp_pool_prove_groth16(c->l->key, &job, 1, NULL) == RP_ERR_STATE;
  pthread_mutex_lock(&c->lock);
  c->n_done += good;
  c->refused += refused;
  pthread_cond_signal(&c->changed);
  pthread_mutex_unlock(&c->lock);
}

static void callbacks(void **state) {
  (void)state;
  lab *l = lab_open(1, 8);
  chain c = {.l = l, .next = 1};
  rp_pool_task *task;
  pthread_mutex_init(&c.lock, NULL);
  pthread_cond_init(&c.changed, NULL);
  let_finish(l, 0, MOST);
  assert_int_equal(submit_as(l, 0, (rp_pool_request){.done = go_on, .user = &c}, &task), RP_OK);
  pthread_mutex_lock(&c.lock);
  while (c.n_done < 6) pthread_cond_wait(&c.changed, &c.lock);
  assert_int_equal(c.refused, 6);
  pthread_mutex_unlock(&c.lock);
  lab_close(l);
}

/* Destroying a pool cancels everything, calls every callback, and leaves tasks that can still be read and ended. */
static void count_done(void *user, rp_pool_task *task) {
  (void)task;
  atomic_fetch_add((atomic_int *)user, 1);
}

static void destruction(void **state) {
  (void)state;
  lab *l = lab_open(2, 8);
  atomic_int n_done = 0;
  rp_pool_task *tasks[6];
  for (int i = 0; i < 6; i++)
    assert_int_equal(submit_as(l, i, (rp_pool_request){.done = count_done, .user = &n_done}, &tasks[i]), RP_OK);
  await_begun(l, 2);
  rp_pool_destroy(l->pool);
  l->pool = NULL;
  assert_int_equal(atomic_load(&n_done), 6);
  for (int i = 0; i < 6; i++) {
    expect_failure(tasks[i], RP_ERR_CANCELLED);
    rp_pool_cancel(tasks[i]);
    rp_pool_end(tasks[i]);
  }
  lab_close(l);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(order),
      cmocka_unit_test(full),
      cmocka_unit_test(cancelling),
      cmocka_unit_test(deadlines),
      cmocka_unit_test(callbacks),
      cmocka_unit_test(destruction),
      cmocka_unit_test(lost_devices),
      cmocka_unit_test(lost_and_cancelled),
      cmocka_unit_test(the_run_is_cancelled),
  };
  return cmocka_run_group_tests_name("pool_devices", tests, NULL, NULL);
}
