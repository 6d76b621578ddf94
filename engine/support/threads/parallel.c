/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "parallel.h"

#include "text/error.h"

#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>

/* Ranges per thread: few enough to cost nothing, but enough that a delayed thread does not delay the others. */
enum { PARTS_A_WORKER = 16 };

typedef struct part_result {
  rp_status status;
  rp_error error;
} part_result;

typedef struct job {
  support_range_fn fn;
  void *arg;
  uint64_t n;
  uint32_t parts;
  part_result *result;
  atomic_int failed;
} job;

typedef struct team {
  job *job;
  atomic_uint next; /* the first range not taken; ranges are taken in order, which suits reading files */
} team;

uint32_t support_processors(void) {
  cpu_set_t set;
  int count = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
  return count < 1 ? 1 : (uint32_t)count;
}

static uint32_t workers(const rp_executor *executor) {
  if (!executor) return support_processors();
  return executor->workers ? executor->workers : 1;
}

int support_thread_start(pthread_t *thread, void *(*fn)(void *), void *argument) {
  /* As in the engine, signals that the thread's own instructions raise are not blocked. */
  static const int own[] = {SIGBUS, SIGSEGV, SIGFPE, SIGILL, SIGTRAP};
  sigset_t all, old;
  sigfillset(&all);
  for (size_t i = 0; i < sizeof own / sizeof *own; i++) sigdelset(&all, own[i]);
  pthread_sigmask(SIG_SETMASK, &all, &old);
  const int error = pthread_create(thread, NULL, fn, argument);
  pthread_sigmask(SIG_SETMASK, &old, NULL);
  return error;
}

uint32_t support_parts(const rp_executor *executor, uint64_t n, uint64_t grain, uint32_t limit) {
  uint64_t by_size = grain ? n / grain : n;
  uint64_t parts = workers(executor);
  if (parts > 1) parts *= PARTS_A_WORKER;
  if (parts > by_size) parts = by_size;
  if (parts > limit) parts = limit;
  return parts ? (uint32_t)parts : 1;
}

static void run_part(void *arg, uint32_t i) {
  job *j = arg;
  uint64_t size = j->n / j->parts, rest = j->n % j->parts;
  uint64_t first = size * i + (i < rest ? i : rest);
  j->result[i].status = j->fn(j->arg, i, first, size + (i < rest), &j->result[i].error);
  if (j->result[i].status != RP_OK) atomic_store_explicit(&j->failed, 1, memory_order_relaxed);
}

/* After a failure, only ranges that have been taken are finished; they precede all others. */
static void *run_member(void *arg) {
  team *t = arg;
  while (!atomic_load_explicit(&t->job->failed, memory_order_relaxed)) {
    uint32_t i = atomic_fetch_add_explicit(&t->next, 1, memory_order_relaxed);
    if (i >= t->job->parts) break;
    run_part(t->job, i);
  }
  return NULL;
}

/* If a thread cannot be started, the others take its ranges; only speed is lost. */
static void run_on_threads(job *j, pthread_t *thread, uint32_t threads) {
  team t = {.job = j};
  uint32_t started = 0;
  while (started < threads && support_thread_start(&thread[started], run_member, &t) == 0) started++;
  run_member(&t);
  while (started > 0) pthread_join(thread[--started], NULL);
}

rp_status support_parallel(const rp_executor *executor, uint32_t parts, uint64_t n, support_range_fn fn, void *arg,
                           rp_error *err) {
  if (parts <= 1) return fn(arg, 0, 0, n, err);
  job j = {.fn = fn, .arg = arg, .n = n, .parts = parts, .result = calloc(parts, sizeof(part_result))};
  uint32_t threads = workers(executor) - 1 < parts ? workers(executor) - 1 : parts;
  pthread_t *thread = executor ? NULL : malloc((threads + 1) * sizeof *thread);
  if (!j.result || (!executor && !thread)) {
    free(j.result);
    free(thread);
    return support_fail(err, RP_ERR_MEMORY, "Out of memory for %u ranges.", parts);
  }
  if (executor)
    executor->parallel(executor->user, parts, run_part, &j);
  else
    run_on_threads(&j, thread, threads);
  rp_status status = RP_OK;
  for (uint32_t i = 0; i < parts && status == RP_OK; i++) {
    status = j.result[i].status;
    if (status != RP_OK && err) *err = j.result[i].error;
  }
  free(thread);
  free(j.result);
  return status;
}
